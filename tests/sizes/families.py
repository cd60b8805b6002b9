"""The runs of tests/verify/sizes.py: families of meshes of one flow."""
import os
import re
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "verify"))
import meshes  # noqa: E402
from poise import Case, Table, compare  # noqa: E402

TOP = meshes.TOP
WALL, OUTLET, SLIP = {"type": "wall"}, {"type": "outlet"}, {"type": "symmetry"}
BOTH = ("simplec", "coupled")


def lid(*speed):
    return {"type": "wall", "velocity": list(speed)}


def inlet(*speed, profile="uniform"):
    return {"type": "inlet", "velocity": list(speed), "profile": profile}


class Family:
    """One flow on several meshes.

    base: the Case, or a function of mesh and options that returns it.  changes: {mesh: settings}, in the order of the
    table.  runs: {algorithm: meshes}.  refined: meshes of which each refines the one before.  error: a function of a
    Run, in %; order: the least over the last refinement.  quick: runs of `make test`, "MESH/ALGORITHM".
    settles: is the force on the walls to converge?  collected: all meshes are one row of the table.
    """

    def __init__(self, name, base, changes, runs, refined=(), error=None, order=None, dim=2, quick=(),
                 settles=False, collected=False):
        self.name, self.base, self.changes, self.error, self.order, self.dim = name, base, changes, error, order, dim
        self.meshes, self.refined, self.algorithms = list(changes), list(refined), runs
        self.settles, self.collected = settles, collected
        self.runs = [(m, a, f"{m}/{a}" in quick) for a in runs for m in runs[a]]

    def file(self, mesh):
        """A name for files."""
        return re.sub(r"[^A-Za-z0-9.]+", "-", f"{self.name} {mesh}").strip("-")

    def case(self, mesh, options):
        base = self.base(mesh, options) if callable(self.base) else self.base
        case = base.changed(self.changes[mesh])
        if "mesh.file" in case:
            case["mesh.file"] = os.path.abspath(os.path.join(case.folder, case["mesh.file"]))
        return case


# ---------------------------------------------------------------- cases/
def shipped(name):
    return Case(os.path.join(TOP, "cases", name, name + ".cfg"))


def references(case, *names):
    return [os.path.join(TOP, "cases", case, "reference", name + ".csv") for name in names]


def profiles(case, *names):
    """The largest deviation from references, in % of their largest value."""
    def error(run):
        found = compare(run, references(case, *names))
        return 100 * max(c.largest for c in found) / max(abs(c.reference).max() for c in found)
    return error


def poiseuille(run, cells=slice(None)):
    """Mean error of the velocity in the cells, in % of the largest velocity."""
    y, u, size = run.mesh.centres()[cells, 1], run.field("velocity")[cells], run.mesh.volumes()[cells]
    off = (u[:, 0] - 6 * y * (1 - y)) ** 2 + u[:, 1] ** 2
    return 100 * np.sqrt(size @ off / size.sum()) / 1.5


def developed(run):
    """The same from x = 80 on, where the flow of a long channel no longer changes."""
    return poiseuille(run, run.mesh.centres()[:, 0] > 80)


def temperature(run):
    """Of the profile at x = 8, in % of what the walls are hotter than the axis by."""
    line, exact = run.table("lines", "across.csv"), Table(references("heated-channel", "temperature")[0])
    x, t = line["y"], line["temperature"]
    found = np.interp(exact["y"], x, t) - np.interp(0.5, x, t)
    return 100 * abs(found - exact["temperature"]).max() / exact["temperature"].max()


def dfg(run):
    """The larger of the errors of drag and pressure difference, in %."""
    p = [run.table("probes", name + ".csv")["pressure"][-1] for name in ("front", "back")]
    return 100 * max(abs(run.table("forces", "cylinder.csv")["coefficient_x"][-1] / 5.57953523384 - 1),
                     abs((p[0] - p[1]) / 0.11752016697 - 1))


def n(*numbers):
    return {f"n = {k}": {"mesh.parameters.n": k} for k in numbers}


def box_channel(case, across, length):
    """The channel in the program's own box, graded 10 : 1 towards all its sides."""
    sides = {k: case[f"boundary.{k}"] for k in ("inlet", "outlet", "walls")}
    changes = {"mesh": {"box": {"cells": [across * 3, across], "to": [float(length), 1.0], "stretch": [10.0, 10.0]}},
               "boundary": {"left": sides["inlet"], "right": sides["outlet"], "bottom": sides["walls"],
                            "top": sides["walls"]}, "surfaces": None}
    if "forces" in case:
        changes["forces.walls.boundaries"] = ["bottom", "top"]
    if "scalars" in case:
        changes |= {"scalars.temperature.values": {"left": 0.0},
                    "scalars.temperature.fluxes": {"bottom": 1.0, "top": 1.0}}
    return changes


def three(name, base, numbers, graded, error, order, both=True, **more):
    """Meshes of three sizes, n = .., and one graded by 10 : 1 of the same case."""
    changes = n(*numbers) | ({"10 : 1": graded} if graded else {})
    runs = {"simplec": list(changes)} if both else {}
    return Family(name, base, changes, runs | {"coupled": list(changes)}, list(n(*numbers)), error, order, **more)


def cases():
    lines = {f"lines.{k}.points": 513 for k in ("vertical", "horizontal")}
    lid_force = {"forces": {"lid": {"boundaries": ["lid"]}}}
    triangles = {"mesh.parameters.elements": 1}
    cavity = shipped("cavity").changed(lid_force | lines)
    ten = {"mesh.parameters.n": 128, "mesh.parameters.stretch": 10}
    botella = profiles("cavity", "botella1998_u_p_x05_Re1000", "botella1998_v_p_y05_Re1000")
    yield three("cavity", cavity, (64, 128, 256), ten, botella, 1.7, quick=("n = 64/coupled", "n = 64/simplec"))
    yield three("cavity, triangles", cavity.changed(triangles), (64, 128, 256), ten, botella, 1.7, both=False)
    cube = shipped("cavity3d").changed(lid_force)
    ten = {"mesh.parameters.n": 32, "mesh.parameters.stretch": 10}
    albensoeder = profiles("cavity3d", "ak2005_U_on_vertical_centreline_Re1000_cube",
                           "ak2005_V_on_horizontal_centreline_Re1000_cube")
    yield three("cavity3d", cube, (20, 40, 80), ten, albensoeder, 1.7, dim=3)
    yield three("cavity3d, tetrahedra", cube.changed(triangles), (18, 36, 72), ten, albensoeder, 1.3, both=False, dim=3)
    channel = shipped("channel")
    yield three("channel", channel, (32, 64, 128), box_channel(channel, 48, 4), profiles("channel", "poiseuille_u"),
                1.9, quick=("n = 32/coupled",))
    yield three("channel, triangles", channel.changed(triangles), (32, 64, 128), None, poiseuille, 1.7, both=False)
    heated = shipped("heated-channel").changed({"forces": {"walls": {"boundaries": ["walls"]}}})
    yield three("heated-channel", heated, (24, 48, 96), box_channel(heated, 48, 10), temperature, 1.9)
    cylinder = shipped("cylinder")
    finer = {f"h = {h}": {"mesh.parameters.h": h} for h in (0.004, 0.002, 0.001)}
    ten = {"10 : 1": {"mesh.parameters.h": 0.002, "mesh.parameters.first": 0.1}}
    yield Family("cylinder", cylinder, finer | ten, {a: list(finer | ten) for a in BOTH}, finer, dfg, 1.7)
    yield Family("cylinder, triangles", cylinder.changed(triangles), finer, {"coupled": list(finer)}, finer, dfg, 1.7)


# ---------------------------------------------------------------- harder meshes
def flow(viscosity, boundary, walls, **more):
    """walls: boundaries whose force is compared."""
    return Case({"fluid": {"viscosity": viscosity}, "boundary": boundary, "forces": {"walls": {"boundaries": walls}},
                 "solver": {"tolerance": 1e-6, "max_iterations": 5000}, **more})


def geo(name, **parameters):
    settings = {"mesh.file": os.path.join(meshes.SOURCES, name + ".geo")}
    return settings | {f"mesh.parameters.{k}": v for k, v in parameters.items()}


def box(cells, to=None, stretch=None):
    return {"mesh": {"box": {"cells": list(cells)} | ({"to": [float(x) for x in to]} if to else {})
                     | ({"stretch": [float(s) for s in stretch]} if stretch else {})}}


def boxes():
    """Lid-driven boxes, Re 100 and 1000, graded towards all sides."""
    for dim, sizes in ((2, (64, 128, 256)), (3, (16, 32, 64))):
        sides = ["left", "right", "bottom"] + ["back", "front"] * (dim == 3)
        for stretch in (10, 30, 100):
            for reynolds in (100, 1000):
                base = flow(1 / reynolds, {"top": lid(*([1.0, 0.0, 0.0][:dim])), **{s: WALL for s in sides}}, ["top"])
                names = [f"{k}" for k in sizes]
                runs = {"coupled": names}
                if stretch == 30:
                    runs = {"simplec": names[:2], **runs}
                yield Family(f"box {dim}-D {stretch} : 1, Re {reynolds}", base,
                             {f"{k}": box([k] * dim, stretch=[stretch] * dim) for k in sizes}, runs, names, dim=dim,
                             quick=("64/coupled",) if (dim, stretch, reynolds) == (2, 100, 100) else ())


def floor_attachment(run):
    """Reattachment length after the step, relative to Gartling's 6.10, in %."""
    table = run.table("surfaces", "floor", "faces.csv")
    x, shear = table["x"], table["shear_x"]
    order = x.argsort()
    x, shear = x[order], shear[order]
    k = max(i for i in range(len(x) - 1) if shear[i] * shear[i + 1] < 0 and x[i] > 1 and x[i] < 9)
    return 100 * abs((x[k] - shear[k] * (x[k + 1] - x[k]) / (shear[k + 1] - shear[k])) / 6.10 - 1)


def curved_shear(run):
    """The larger of the errors of the shear at the two walls of an annulus, halfway round: there the speed is
    a (r - 1/r) + r ln r times a constant, 0 at r = 2."""
    a = -4 / 3 * np.log(2)
    flow = a * (1.5 - np.log(2)) + 2 * np.log(2) - 0.75
    exact = {"inner": 2 * a + 1, "outer": 1.25 * a + np.log(2) + 1}
    errors = []
    for wall, value in exact.items():
        t = run.table("surfaces", wall, "faces.csv")
        middle = np.abs(t["x"]) < 0.3
        found = np.hypot(t["shear_x"], t["shear_y"])[middle].mean() / run.table("flows.csv")["outlet"][-1]
        errors.append(abs(found / abs(value / flow) - 1))
    return 100 * max(errors)


def stiff():
    yield from boxes()
    span = flow(0.001, {"top": lid(1.0, 0.0, 0.0), **{s: WALL for s in ("left", "right", "bottom", "back", "front")}},
                ["top"])
    names = ("12 x 12 x 24", "24 x 24 x 48", "48 x 48 x 96")
    yield Family("box of span 3, 4 : 1, Re 1000", span,
                 {k: box([int(x) for x in k.split(" x ")], (1, 1, 3), (4, 4, 4)) for k in names},
                 {"simplec": names[:2], "coupled": names}, names, dim=3)
    step = flow(0.00125, {"inlet": inlet(1.5, 0.0, profile="parabolic"), "outlet": OUTLET, "step": WALL, "floor": WALL,
                          "roof": WALL}, ["step", "floor", "roof"],
                surfaces={"floor": {"boundaries": ["floor"], "fields": ["shear"]}})
    names = ("h = 0.05", "h = 0.025", "h = 0.0125")
    yield Family("step, Re 800", step, {k: geo("step", h=float(k[4:])) for k in names},
                 {"simplec": names[:2], "coupled": names}, names, floor_attachment, 1.7)
    left = {"left": inlet(1.0, 0.0), "right": OUTLET, "top": WALL, "bottom": WALL}
    names = ("200 x 25", "400 x 50", "800 x 100")
    yield Family("channel of 100 x 1, Re 100", flow(0.01, left, ["top", "bottom"]),
                 {k: box([int(x) for x in k.split(" x ")], (100, 1)) for k in names},
                 {"simplec": names[:2], "coupled": names}, names,
                 developed, 1.7)
    two = {"left": {"type": "outlet", "pressure": 1.0}, "right": {"type": "outlet", "pressure": 0.0}, "top": WALL,
           "bottom": WALL}
    names = ("64 x 32", "128 x 64", "256 x 128")
    yield Family("two outlets", flow(0.01, two, ["top", "bottom"]).changed({"solver.max_iterations": 2000}),
                 {k: box([int(x) for x in k.split(" x ")], (2, 1)) for k in names},
                 {"simplec": names, "coupled": names}, names, quick=("64 x 32/coupled",), settles=True)
    parabola = {"inlet": inlet(1.5, 0.0, profile="parabolic"), "outlet": OUTLET, "walls": WALL}
    names = ("16", "32", "64")
    yield Family("sheared by 45°", flow(0.01, parabola, ["walls"]).changed({"solver.tolerance": 1e-8}),
                 {k: geo("sheared", n=int(k)) for k in names}, {"simplec": names, "coupled": names}, names, poiseuille,
                 1.7, quick=("16/simplec", "16/coupled"))
    turn = {"inlet": inlet(0.0, 1.5, profile="parabolic"), "outlet": OUTLET, "inner": WALL, "outer": WALL}
    faces = {w: {"boundaries": [w], "fields": ["shear"]} for w in ("inner", "outer")}
    for elements, word in enumerate(("quadrilaterals", "triangles")):
        yield Family(f"annulus, {word}", flow(1.0, turn, ["inner", "outer"], surfaces=faces),
                     {k: geo("annulus", n=int(k), elements=elements) for k in ("16", "32", "64")},
                     {"coupled": ("16", "32", "64")}, ("16", "32", "64"), curved_shear, 1.0,
                     quick=("16/coupled", "32/coupled"))
    stream = {"inlet": inlet(1.0, 0.0), "outlet": OUTLET, "sides": SLIP, "foil": WALL}
    names = ("first 0.008", "first 0.004", "first 0.002")
    yield Family("boundary layers of Gmsh, Re 500", flow(0.002, stream, ["foil"]),
                 {k: geo("foil", first=float(k[6:]), h=7.5 * float(k[6:]), coarse=150 * float(k[6:])) for k in names},
                 {"simplec": names, "coupled": names}, names, settles=True)
    cavity = {"lid": lid(1.0, 0.0), "walls": WALL}
    qs = {f"q = {q}, {2 * k}²": geo("progression", q=q, n=k) for q in (1.1, 1.2, 1.3) for k in (16, 32)}
    yield Family("progressions, Re 100", flow(0.01, cavity, ["lid"]), qs,
                 {"simplec": [k for k in qs if "32²" in k], "coupled": list(qs)})
    cube = {"lid": lid(1.0, 0.0, 0.0), "walls": WALL}
    qs = {f"q = {q}, {2 * k}³": geo("progression", q=q, n=k, dim=3) for q in (1.3,) for k in (8, 12, 16)}
    yield Family("progressions in 3-D, Re 100", flow(0.01, cube, ["lid"]), qs, {"coupled": list(qs)}, dim=3)
    rows = {"inlet": inlet(1.0, 0.0), "outlet": OUTLET, "walls": SLIP, "cylinders": WALL}
    names = ("h = 0.06", "h = 0.03", "h = 0.015")
    yield Family("staggered cylinders, Re 20", flow(0.02, rows, ["cylinders"]),
                 {k: geo("staggered", h=float(k[4:])) for k in names}, {"simplec": names, "coupled": names}, names,
                 settles=True)
    pipe = {"inlet": inlet(1.0, 0.0, 0.0, profile="paraboloid"), "outlet": OUTLET, "wall": WALL}
    # Coarser ones have 4 to 6 cells across the throat: 0.942, 0.916 at h = 0.16, 0.11, where the force tends to 0.97.
    names = ("h = 0.08", "h = 0.056", "h = 0.04")
    yield Family("stenosis in tetrahedra, Re 100", flow(0.005, pipe, ["wall"]),
                 {k: geo("stenosis", h=float(k[4:])) for k in names}, {"simplec": names, "coupled": names}, names,
                 dim=3, settles=True)


# ---------------------------------------------------------------- the meshes of meshes.py
def gmsh():
    """The meshes of its steady runs."""
    chosen = {m[0]: m for m in meshes.MESHES if "steady" in m[4]}

    def base(name, options):
        meshes.prepare(chosen[name], options.meshes, meshes.new_gmsh())
        return Case(os.path.join(options.meshes, name + ".cfg"))
    yield Family("as Gmsh makes them", base, {name: {"solver.max_iterations": 500} for name in chosen},
                 {"coupled": [name for name in chosen if not name.startswith("new-")]}, dim=3,
                 collected=True)


def families():
    return [*cases(), *stiff(), *gmsh()]
