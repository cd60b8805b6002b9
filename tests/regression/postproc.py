#!/usr/bin/env python3
"""The scripts in postproc/: their results, pictures and error messages.

    B=build /usr/bin/python3 tests/regression/postproc.py
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPTS = os.path.join(TOP, "postproc")
BUILD = os.path.abspath(os.environ.get("B") or os.path.dirname(os.environ.get("POISE", "build/poise")))
os.environ.setdefault("MPLBACKEND", "Agg")
sys.path[:0] = [SCRIPTS, os.path.join(TOP, "tests")]
from poise import Run, Section, Table, compare, draw_field, save  # noqa: E402
from poise.pictures import colour_limits  # noqa: E402
from poise.reference import interpolate  # noqa: E402
from checks import run_checks  # noqa: E402


def area(polygons):
    return sum(abs(np.sum(p[:, 0] * np.roll(p[:, 1], -1) - p[:, 1] * np.roll(p[:, 0], -1))) / 2 for p in polygons)


def script(*arguments):
    return subprocess.run([sys.executable, os.path.join(SCRIPTS, arguments[0]), *arguments[1:]], capture_output=True,
                          text=True, check=False)


def cuts_are_whole():
    """Slices of the sample meshes, 4 x 3 x 2 (mixed: with a roof): the cut cells together are the cross-section, and no
    point of theirs is there twice."""
    for name in ("tetrahedra", "hexahedra", "prisms", "pyramids", "mixed3d"):
        mesh = Run(name + ".out").mesh
        for plane, wanted in (("x=0.3", 6), ("x=4", 6), ("y=1.7", 8), ("z=0", 12), ("z=1.25", 12),
                              (((2.0, 1.5, 1.0), (1.2, 1.6, 0)), 10)):
            if name == "mixed3d" and isinstance(plane, tuple):
                continue
            section = Section(mesh, plane)
            assert abs(section.areas().sum() - wanted) < 1e-4, f"{name}, {plane}: area {section.areas().sum()}"
            assert abs(area(section.corners()) - wanted) < 1e-4, f"{name}, {plane}: area {area(section.corners())}"
            assert len(np.unique(section.cells)) == len(section.polygons), f"{name}: a cell was cut twice"
            keys = np.unique(section.triangles())
            single = np.unique(np.round(section.points[keys], 9), axis=0)
            assert len(single) == len(keys), f"{name}, {plane}: points twice"


def fields_are_read():
    run = Run("mixed2d.out")
    assert run.steps == [0, 500, 1000] and run.name == "mixed2d"
    assert run.field("velocity", 500)[7].tolist() == [500028, 500029, 0]
    assert run.field("pressure")[3] == -3 - 125
    assert abs(area(run.mesh.polygons()) - 12) < 1e-12


def cubics_are_exact():
    x = np.sort(np.concatenate([[0, 1], np.random.default_rng(1).random(30)]))
    at = np.linspace(0, 1, 101)
    assert np.allclose(interpolate(x, 2 * x**3 - x + 1, at), 2 * at**3 - at + 1, atol=1e-12)


def corners_do_not_hide_the_rest():
    values = np.concatenate([np.linspace(0, 1, 1000), [500]])
    low, high = colour_limits(values, np.r_[np.ones(1000), 0.01])
    assert low == 0 and 0.98 < high <= 1, f"colours from {low} to {high}"


def profiles_are_compared():
    """A made-up line against a reference with a suspect row, and a pressure that is off by a constant."""
    lines, reference = "triangles.out/lines", "reference.csv"
    os.makedirs(lines)
    y = np.linspace(0, 1, 33)
    np.savetxt(os.path.join(lines, "up.csv"), np.c_[0 * y + 0.5, y, y**2, 0 * y, y + 7], delimiter=",", comments="",
               header="x,y,velocity_x,velocity_y,pressure")
    with open(reference, "w", encoding="utf-8") as file:
        file.write("# of a test\n# paper: Nobody & Noone 1999, J. Tests\n# columns: Y,U,P,suspect\n"
                   "0.1,0.01,0.1,0\n0.5,0.25,0.5,0\n0.6,9,9,1\n0.9,0.80,0.9,0\n")
    assert len(Table(reference).rows) == 3
    u, p = compare(Run("triangles.out"), [reference], "up")
    assert u.label == "Nobody 1999" and u.line_name == "up" and u.quantity == "velocity_x"
    assert abs(u.largest - 0.01) < 1e-12 and p.largest < 1e-12 and abs(p.shift + 7) < 1e-12
    done = script("profiles.py", "triangles.out", "--reference", reference)
    assert done.returncode == 0 and "largest deviation" in done.stdout and "0.01000" in done.stdout, done.stderr
    assert os.path.getsize("triangles.out/profiles.png") > 5000


def pictures_are_drawn():
    for name, *options in (("mixed2d", "velocity", "--streamlines"), ("triangles", "pressure", "--step", "500"),
                           ("quadrilaterals", "velocity_y", "--range", "0", "1"),
                           ("mixed3d", "velocity", "--slice", "y=0.3"), ("quadrilaterals", "pressure", "--mesh"),
                           ("tetrahedra", "velocity", "--plane", "2,1.5,1:0.6,0.8,0.1", "--streamlines"),
                           ("hexahedra", "velocity", "--plane", "z=1", "--streamlines", "--label", "velocity [m/s]"),
                           ("triangles", "velocity", "--zoom", "1", "2", "0.5", "2", "--streamlines", "--time", "200"),
                           ("tetrahedra", "pressure")):
        picture = "picture.png"
        done = script("field.py", name + ".out", *options, "--output", picture)
        assert done.returncode == 0, f"{name} {options}: {done.stderr}"
        assert os.path.getsize(picture) > 5000, name
        os.remove(picture)
    done = script("film.py", "prisms.out", "velocity", "--plane", "x=1", "--to", "300")
    assert done.returncode == 0, done.stderr
    assert os.path.getsize("prisms.out/velocity.gif") > 5000
    with open("triangles.out/residuals.csv", "w", encoding="utf-8") as file:
        file.write("iteration,velocity_x,velocity_y,pressure,continuity\n1,1,0,1,0.1\n2,0.5,0.1,0.7,0.01\n")
    done = script("residuals.py", "triangles.out")
    named = script("residuals.py", *2 * ["triangles.out"], "--columns", "pressure", "--log", "--output", "both.svg")
    assert named.returncode == 0 and os.path.getsize("both.svg") > 5000, named.stderr
    assert done.returncode == 0 and os.path.exists("triangles.out/residuals.png"), done.stderr


def pictures_have_units_and_no_margins():
    """The window ends where the section does, and lines and colours are explained; nowhere is a blank margin of a tenth
    of the picture."""
    from matplotlib.image import imread
    for name, look in (("mixed2d", {"zoom": (-9, 2, -9, 9)}), ("tetrahedra", {"plane": "x=0.3"}),
                       ("hexahedra", {"plane": "z=1", "streamlines": True, "zoom": (0, 0.3, 0, 3)}),
                       ("triangles", {"streamlines": True}), ("triangles", {"zoom": (0, 4, 0, 0.5)})):
        run = Run(name + ".out")
        points = Section(run.mesh, look.get("plane")).points
        low, high = points.min(axis=0), points.max(axis=0)
        fig = draw_field(run, "velocity", **look)
        ax, bar = fig.axes
        x0, x1, y0, y1 = look.get("zoom", (low[0], high[0], low[1], high[1]))
        assert (*ax.get_xlim(), *ax.get_ylim()) == (max(x0, low[0]), min(x1, high[0]), max(y0, low[1]),
                                                    min(y1, high[1])), f"{name}, {look}: {ax.get_xlim()}"
        assert "[code units]" in ax.get_xlabel() and "[code units]" in ax.get_ylabel(), ax.get_xlabel()
        assert "|velocity| [code units]" in (bar.get_xlabel(), bar.get_ylabel()), bar.get_ylabel()
        told = [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []
        assert told == ["streamlines"] * ("streamlines" in look), told
        save(fig, "margins.png")
        ink = (imread("margins.png")[..., :3].min(axis=2) < 0.95)
        for lines in ink.any(axis=0), ink.any(axis=1):
            used = np.flatnonzero(lines)
            blank = np.diff(np.r_[-1, used, len(lines)]).max() - 1
            assert blank < 0.1 * len(lines), f"{name}, {look}: {blank} of {len(lines)} are blank"


def mistakes_are_explained():
    run, solid = "mixed2d.out", "mixed3d.out"
    for arguments, wanted in ((("field.py", run, "velocty"), "did you mean velocity?"),
                              (("field.py", run, "velocity_z"), "there is: pressure, velocity, velocity_x, velocity_y"),
                              (("field.py", run, "pressure", "--step", "3"),
                               "iteration 3 was not written; there is: 0, 500, 1000"),
                              (("field.py", run, "pressure", "--slice", "z=0"), "a plane is for 3-D meshes"),
                              (("field.py", solid, "pressure", "--slice", "z=9"), "the mesh goes from 0 to 2.75"),
                              (("field.py", solid, "pressure", "--slice", "9"), "like z=0.5"),
                              (("field.py", solid, "pressure", "--plane", "0,0,0:0,0,0"), "a point and a normal"),
                              (("field.py", solid, "pressure", "--plane", "9,9,9:1,1,1"), "cuts no cell"),
                              (("field.py", run, "pressure", "--zoom", "1", "0", "0", "1"), "expected x0 < x1"),
                              (("field.py", run, "pressure", "--zoom", "8", "9", "0", "1"), "is nothing in 8 .. 9"),
                              (("field.py", run, "pressure", "--range", "1", "1"), "must be the smaller"),
                              (("field.py", run, "pressure", "--interface"), "neither distance nor fraction"),
                              (("field.py", run, "pressure", "--output", "a.xyz"), "a.xyz: "),
                              (("film.py", run, "pressure", "--from", "400"), "needs two written fields"),
                              (("film.py", run, "pressure", "--interface"), "neither distance nor fraction"),
                              (("film.py", run, "pressure", "--fps", "0"), "--fps 0: expected more than 0"),
                              (("film.py", run, "pressure", "--output", "a.png"), "ends in .gif or .mp4"),
                              (("residuals.py", run), "residuals.csv: No such file"),
                              (("profiles.py", run, "--reference", "none.csv"), "no line samples"),
                              (("residuals.py", "none"), "no such directory")):
        done = script(*arguments)
        told = done.returncode == 1 and done.stderr.startswith("error: ") and wanted in done.stderr
        assert told, f"{arguments}: {done.stderr}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(BUILD, "tests", "test_output"), "--write", folder], check=True)
        return run_checks("postproc", (cuts_are_whole, fields_are_read, cubics_are_exact, corners_do_not_hide_the_rest,
                                       profiles_are_compared, pictures_are_drawn,
                                       pictures_have_units_and_no_margins, mistakes_are_explained), folder)


if __name__ == "__main__":
    sys.exit(main())
