#!/usr/bin/env python3
"""The Python package poise: cases in both languages, runs, sweeps, meshes, error messages, its document.

    POISE=build/poise /usr/bin/python3 tests/regression/package.py
"""
import contextlib
import glob
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys

import h5py
import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
POISE = os.environ["POISE"] = os.path.abspath(os.environ.get("POISE", os.path.join(TOP, "build", "poise")))
os.environ["MPLBACKEND"] = "Agg"
PACKAGE = os.path.join(TOP, "postproc")
sys.path[:0] = [PACKAGE, os.path.join(TOP, "tests")]
import poise  # noqa: E402
from checks import Skipped, run_checks  # noqa: E402

BOX = {"mesh": {"box": {"cells": [4, 3]}}, "fluid": {"viscosity": 0.1}, "solver": {"max_iterations": 3},
       "boundary": {side: {"type": "wall"} for side in ("left", "right", "bottom", "top")}}
BOX["boundary"]["top"]["velocity"] = [1.0, 0.0]


def refused(wanted, act, *arguments, **more):
    try:
        act(*arguments, **more)
    except poise.PoiseError as error:
        assert wanted in str(error), f"{wanted!r} is not in: {error}"
    else:
        raise AssertionError(f"not refused: {wanted}")


def text(path, words):
    with open(path, "w", encoding="utf-8") as file:
        file.write(words)
    return path


def cases_in_both_languages():
    """Every case, and those of the tests with every key: the same settings from either language."""
    files = glob.glob(TOP + "/cases/*/*.cfg") + glob.glob(TOP + "/tests/data/every_key*.cfg")
    assert len(files) > 15, files
    for path in files:
        case = poise.Case(path)
        for other in ("a.json", "a.cfg"):
            case.save(other)
            again = poise.Case(other)
            if "mesh.file" in case:
                assert os.path.samefile(os.path.join(case.folder, case["mesh.file"]), again["mesh.file"]) or \
                    not os.path.exists(os.path.join(case.folder, case["mesh.file"])), path
                again["mesh.file"] = case["mesh.file"]
            assert again.settings == case.settings, f"{path}: {other}: {again.settings}"


def every_kind_of_value():
    text("part.cfg", "b = [1, 2.5e-3]; // included\n")
    case = poise.Case(text("v.cfg", '# a comment\na = { n = -3; x = .5; h = 0x1F; s = "say \\"a\\" " "and\\tb\\\\";\n'
                           ' \t@include"part.cfg"\n yes = TRUE, no : false; l = ("p", { q = 1L; }) }\n'
                          '/* end */ w = 1e3'))
    wanted = {"a": {"n": -3, "x": 0.5, "h": 31, "s": 'say "a" and\tb\\', "b": [1, 0.0025], "yes": True, "no": False,
                    "l": ["p", {"q": 1}]}, "w": 1000.0}
    assert case.settings == wanted, case.settings
    for path in ("w.cfg", "w.json"):
        case.save(path)
        assert poise.Case(path).settings == wanted, path
    case["a.n"], case["new.group.x"], case["w"] = np.int32(4), np.linspace(0, 1, 3), None
    assert case["a.n"] == 4 and case["new.group.x"] == [0, 0.5, 1] and "w" not in case
    assert case.get("w", 7) == 7 and case.changed({"a": None}).settings == {"new": {"group": {"x": [0, 0.5, 1]}}}


def bad_cases():
    for words, wanted in (("a = {\n b = ; }", "c.cfg:2: expected a value: a number"),
                          ("a = word;", "write words in quotes"),
                          ("a = 1;\na = 2;", "c.cfg:2: expected each name once"), ("a = { b = 1;", "found the end"),
                          ("a 1", "expected = behind"), ("a = [1 2];", "expected , or ]"),
                          ("a = 1;\n$", "c.cfg:2: not a case file's language: $"),
                          ('@include "none.cfg"', "none.cfg: No such file"), ('@include "c.cfg"', "more than 10 deep"),
                          ('{ "a": 1,\n }', "c.cfg:2: ")):
        refused(wanted, poise.Case, text("c.cfg", words))
    refused("none.cfg: No such file", poise.Case, "none.cfg")
    case = poise.Case(BOX)
    refused("did you mean viscosity", lambda: case["fluid.viscosty"])
    refused("fluid.viscosity is no group, but 0.1", lambda: case["fluid.viscosity.x"])
    refused("is no value of a case", case.__setitem__, "a", object())
    refused("is no name for a setting", poise.Case, {"a b": 1})


def runs_and_sweeps():
    run = poise.run(poise.Case(BOX), output="one.out", threads=1)
    assert run.status == "not converged" and run.steps == [3] and run.field("velocity").any(), run.steps
    assert sorted(run.mesh.boundaries) == ["bottom", "left", "right", "top"] and len(run.mesh.boundaries["top"]) == 4
    assert len(run.mesh) == 12 and set(run.mesh.regions) and abs(run.mesh.volumes().sum() - 1) < 1e-12
    poise.Case(BOX).save("box.cfg")
    run = poise.run("box.cfg", {"solver.tolerance": 0.9, "solver.max_iterations": None})
    assert run.directory == "box.out" and run.status == "converged"
    found = poise.sweep("box.cfg", {"fluid.viscosity": [1, 0.5], "mesh.box.cells": [[2, 2], [3, 3]]}, at_once=2,
                        threads=1)
    assert [len(r.mesh) for r in found] == [4, 9, 4, 9] and found[2].settings["fluid.viscosity"] == 0.5
    assert sorted(os.listdir("sweep"))[0] == "viscosity=0.5_cells=2,2.out", os.listdir("sweep")
    refused("fluid.viscosity = -1: expected a number > 0", poise.run, "box.cfg", {"fluid.viscosity": -1})
    refused("no such directory", poise.Run, "none.out")
    os.environ["POISE"] = "/none/poise"
    refused("there is no such program ($POISE)", poise.run, "box.cfg")
    os.environ["POISE"] = POISE


def info(path):
    done = subprocess.run([POISE, "mesh", "info", path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[1:]


def meshes_are_written():
    """The sample meshes through the package: the same counts, names and quality."""
    subprocess.run([os.path.join(os.path.dirname(POISE), "tests", "test_output"), "--write", "."], check=True)
    names = {code: name for name, (code, _, _) in poise.mesh._KINDS.items()}
    old = os.path.join(TOP, "tests", "data", "mesh_version_1.h5")
    for name in [n + ".out/mesh.h5" for n in ("mixed2d", "triangles", "mixed3d", "prisms")] + [old]:
        mesh = poise.Mesh(name)
        turns = np.flatnonzero(np.r_[True, np.diff(mesh.types) != 0])
        cells = [(names[mesh.types[a]], mesh.corners[mesh.start[a]:mesh.start[b]].reshape(b - a, -1))
                 for a, b in zip(turns, [*turns[1:], len(mesh)])]
        boundaries = {k: v[:, :2] if mesh.dim == 2 else [v[v[:, 3] < 0, :3], v[v[:, 3] >= 0]]
                      for k, v in mesh.boundaries.items()}
        regions = {r: np.flatnonzero(mesh.regions == r) for r in dict.fromkeys(mesh.regions)}
        poise.write_mesh("again.h5", mesh.vertices[:, :mesh.dim], cells, boundaries, regions, mesh.partners)
        assert info("again.h5") == info(name), name
        again = poise.Mesh("again.h5")
        assert np.array_equal(again.corners, mesh.corners) and again.partners == mesh.partners, name
        for boundary, faces in mesh.boundaries.items():
            assert sorted(map(tuple, again.boundaries[boundary])) == sorted(map(tuple, faces)), (name, boundary)


def bad_meshes():
    square, quad = [[0, 0], [1, 0], [1, 1], [0, 1]], {"quad": [[0, 1, 2, 3]]}
    rim = {"rim": [[0, 1], [1, 2], [2, 3], [3, 0]]}
    poise.write_mesh("q.h5", square, quad, rim)
    info("q.h5")
    for wanted, *arguments in (("ends in .h5", "q.msh", square, quad, rim),
                               ("rows of 2 or 3", "q.h5", [1, 2], quad, rim),
                               ("finite", "q.h5", [[np.nan, 0]], quad, rim),
                               ("did you mean quad?", "q.h5", square, {"quat": [[0, 1, 2, 3]]}, rim),
                               ("in rows of 4", "q.h5", square, {"quad": [[0, 1, 2]]}, rim),
                               ("name vertices 0 to 4, of 4", "q.h5", square, {"quad": [[0, 1, 2, 4]]}, rim),
                               ("there are no cells", "q.h5", square, {}, rim),
                               ("of 2-D and of 3-D", "q.h5", square, {**quad, "tetra": [[0, 1, 2, 3]]}, rim),
                               ("faces in rows of 2", "q.h5", square, quad, {"rim": [[0, 1, 2]]}),
                               ("1 to 63 bytes", "q.h5", square, quad, {"r" * 64: rim["rim"]}),
                               ("every cell must be in one", "q.h5", square, quad, rim, {"a": [], "b": []}),
                               ("every cell must be in one", "q.h5", square, {"triangle": [[0, 1, 2], [0, 2, 3]]}, rim,
                                {"a": [0], "b": [0]}),
                               ("expected faces in rows", "q.h5", square, quad, {**rim, "none": []}),
                               ("expected whole numbers", "q.h5", square, quad, {"rim": [[0.5, 1]]}),
                               ("boundary \"left\" is not there", "q.h5", square, quad, rim, None, {"left": "rim"}),
                               ("q.h5: ", "none/q.h5", square, quad, rim)):
        refused(wanted, poise.write_mesh, *arguments)
    info("q.h5")                                                # is as it was
    assert os.listdir(".") == ["q.h5"], os.listdir(".")
    refused("none.h5: ", poise.Mesh, "none.h5")


def damaged_files():
    """Errors in files raise the package's exceptions, not Python's."""
    with open("latin.csv", "wb") as file:
        file.write(b"x,y\n1,2 \xb5m\n")
    refused("latin.csv: byte 8 is no UTF-8; expected a table of numbers", poise.Table, "latin.csv")
    os.rename("latin.csv", "latin.cfg")
    refused("latin.cfg: byte 8 is no UTF-8; expected a case file", poise.Case, "latin.cfg")
    digits = "9" * 5000
    refused("c.cfg:2: expected a number of at most 400 characters",
            poise.Case, text("c.cfg", f"a = {{\nb = {digits}; }};"))
    refused("c.json: ", poise.Case, text("c.json", f'{{"a": {digits}}}'))
    refused("more than 400 digits", poise.Case, {"a": 10**5000})
    poise.run(poise.Case(BOX), output="damaged.out", threads=1)
    with open("damaged.out/fields/x.h5", "w", encoding="utf-8") as file:
        file.write("no field")
    shutil.copy("damaged.out/fields/000003.h5", "damaged.out/fields/000003.old.h5")
    run = poise.Run("damaged.out")
    assert run.steps == [3] and run.field("pressure").shape == (12,), run.steps
    whole = "damaged.out/fields/000003.old.h5"
    path = "damaged.out/fields/000003.h5"
    read = (lambda: run.field("pressure"), lambda: run.scalar("pressure"), lambda: run.scalar("velocity_x"))
    for change, acts in ((lambda f: f.pop("pressure") and f.create_group("pressure"), read[:2]),
                         (lambda f: f.pop("pressure") and f.create_dataset("pressure", data=[1.0, 2.0]), read[:2]),
                         (lambda f: f.pop("pressure") and f.create_dataset("pressure", data=[b"a"] * 12), read[:2]),
                         (lambda f: f.pop("velocity") and f.create_dataset("velocity", data=[[1.0] * 3] * 9), read[2:]),
                         (lambda f: f.attrs.pop("time"), (lambda: run.time(), lambda: run.times, run.in_time))):
        shutil.copy(whole, path)
        with h5py.File(path, "r+") as file:
            change(file)
        for act in acts:
            refused("000003.h5: ", act)
    size = os.path.getsize(whole)
    for cut in range(1, size, max(size // 40, 1)):
        shutil.copy(whole, path)
        os.truncate(path, cut)
        refused("000003.h5: ", run.field, "pressure")
    for name, value in {"cells/start": [0] * 13, "cells/type": [77] * 12, "cells/vertices": [999] * 48,
                        "vertices": [1.0], "boundary/patch": [b"a"]}.items():
        shutil.copy("damaged.out/mesh.h5", "other.h5")
        with h5py.File("other.h5", "r+") as file:
            del file[name]
            file[name] = value
        refused("other.h5: ", poise.Mesh, "other.h5")


def names_are_there():
    """All that the package lists can be imported (`contour` could not)."""
    for name in poise.__all__:
        assert getattr(poise, name).__module__.startswith("poise."), name


def document_is_true():
    """docs/reference/python.md from top to bottom."""
    os.symlink(os.path.join(TOP, "cases"), "cases")
    with open(os.path.join(TOP, "docs", "reference", "python.md"), encoding="utf-8") as file:
        whole = file.read()
    blocks = [(whole[:m.start()].count("\n") + 2, m[1]) for m in re.finditer(r"```python\n(.*?)```", whole, re.S)]
    said, names = io.StringIO(), {}
    with contextlib.redirect_stdout(said):
        for line, code in blocks:
            exec(compile("\n" * (line - 1) + code, "docs/reference/python.md", "exec"), names)    # noqa: S102
    assert repr(names["run"]).startswith("<Run ") and repr(names["run"]).endswith(".out: converged>"), names["run"]
    assert len(blocks) == 7 and names["run"].status == "converged", names["run"].status
    for part in ("velocity_x on line vertical is at most", "picture: velocity.png", "film: velocity.gif",
                 "viscosity=0.02_cells=16,16 0.02 converged"):
        assert part in said.getvalue(), f"{part!r} is not in: {said.getvalue()}"


def what_is_missing_is_said():
    """Python without its packages: one line, with --help too."""
    for script in sorted(glob.glob(PACKAGE + "/*.py")):
        for words in (["--help"], ["x.out"]):
            done = subprocess.run([sys.executable, "-S", "-E", script, *words], capture_output=True, text=True,
                                  check=False)
            assert done.returncode == 1 and done.stderr.count("\n") == 1, f"{script}: {done.stderr}"
            assert "has no numpy, h5py; install it (Debian, Ubuntu: apt install python3-numpy python3-h5py" in \
                done.stderr or "has no numpy, h5py, but /usr/bin/python3 has: start this with" in done.stderr, \
                done.stderr
            assert (len(done.stdout) > 50) == (words == ["--help"]), f"{script}: {done.stdout}"
        done = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "usage" in done.stdout, f"{script}: {done.stderr}"


def pip_installs_it():
    lacking = [m for m in ("pip", "setuptools", "wheel") if importlib.util.find_spec(m) is None]
    if lacking:
        raise Skipped(f"Python has no {', '.join(lacking)}")
    shutil.copytree(PACKAGE, "source", ignore=shutil.ignore_patterns("__pycache__"))
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore", "--no-deps", "--no-index",
             "--no-build-isolation", "--target", "target", "./source"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([sys.executable, "-c", "import poise; print(poise.__file__, poise.Mesh, poise.__version__)"],
                          capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": "target"})
    assert "target/poise/__init__.py" in done.stdout and poise.__version__ in done.stdout, done.stdout + done.stderr


def main():
    return run_checks("package", (cases_in_both_languages, every_kind_of_value, bad_cases, runs_and_sweeps,
                                  meshes_are_written, bad_meshes, damaged_files,
                                  names_are_there, document_is_true, what_is_missing_is_said,
                                  pip_installs_it), wrong=(poise.PoiseError,))


if __name__ == "__main__":
    sys.exit(main())
