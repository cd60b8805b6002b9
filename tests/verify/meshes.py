#!/usr/bin/env python3
"""Gmsh's default meshes, and worse ones: every run must be stable.

    POISE=build/poise /usr/bin/python3 tests/verify/meshes.py [--full] [--only PATTERN] [--meshes DIR]
        [--device cpu|cuda] [--accuracy high|standard] [--table] [--digest] [--list] [--prepare]

A run is MESH/KIND, with the defaults but for what KIND says.  steady: it converges, within 1.5 times the iterations of
steady-upwind.  steady-central and steady-van-leer: they do not diverge.  time: PISO reaches the end, and nothing is
much faster than what drives the flow.  fall: so does a drop of 1000 times the density of what is around it.  -1 and -2:
with so many non-orthogonal correctors.  A line with "# TODO" is a failure that is known and not counted (BEYOND).

--full      all meshes and kinds; without it those of `make test`
--only      runs whose name has PATTERN in it; * and ? stand for any text and any letter
--meshes    where native meshes and case files (MESH.cfg, MESH-time.cfg) are written, and read from when they are there
            already: so a machine without Gmsh has them too.  Otherwise build/meshes.  HXT makes another mesh every time
--table     ends with a table in Markdown
--digest    40 iterations or steps of each run, from one thread and from three, or on the GPU and on the CPU: same bits?
--list      only names the runs
--prepare   only writes meshes and case files
Meshes "new-..." are made by the Gmsh of GMSH_PYTHON, a Python that has its module, and left out where there is none.
"""
import argparse
import fnmatch
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "postproc"))
from poise import PoiseError, Run  # noqa: E402

POISE = os.environ.get("POISE", os.path.join(TOP, "build", "poise"))
SOURCES = os.path.join(TOP, "tests", "meshes")
ITERATIONS, STEPS = 2000, 2500                      # at most, of a steady run and of one in time
FEW = 40                                            # of either, to compare digests
SLOWER = 1.5                                        # iterations, against those of upwind
FASTER = 3                                          # speed, against that of the lid or of the inlet
SPLASH = 20                                         # speed, against that of the falling drop, as in stability.py
FREE_FALL = np.sqrt(2 * (1.1 - 0.2 - 0.31))         # of the drop when it meets the pool

WALL = '{ type = "wall"; };'


def inlet(x, y, z, profile="uniform"):
    return f'{{ type = "inlet"; velocity = [{x:.1f}, {y:.1f}, {z:.1f}]; profile = "{profile}"; }};'


def case(viscosity, **boundary):
    sides = "".join(f"    {name} = {text}\n" for name, text in boundary.items())
    return f"fluid = {{ viscosity = {viscosity}; }};\nboundary = {{\n{sides}}};\n"


OUTLET, SLIP = '{ type = "outlet"; };', '{ type = "symmetry"; };'
LID, LID_2D = '{ type = "wall"; velocity = [1.0, 0.0, 0.0]; };', '{ type = "wall"; velocity = [1.0, 0.0]; };'
FALL = """fluid = {{ density = 1.0; viscosity = 1e-4; gravity = {down}; }};
second_fluid = {{ density = 1000.0; viscosity = 1e-2; surface_tension = 0.1; }};
shapes = {{
    drop = {{ type = "sphere"; centre = {centre}; radius = 0.2; }};
    pool = {{ type = "half-space"; point = {surface}; normal = {up}; }};
}};
boundary = {{ walls = {{ type = "wall"; }}; }};
"""
# What flows, by name: the case file without mesh, solver and time.  Reynolds numbers are 50 to 100.
FLOWS = {
    "lid": case(0.01, lid=LID, walls=WALL),
    "lid-2d": case(0.01, lid=LID_2D, walls=WALL),
    "lid-box": case(0.01, top=LID, left=WALL, right=WALL, bottom=WALL, back=WALL, front=WALL),
    "lid-box-2d": case(0.01, top=LID_2D, left=WALL, right=WALL, bottom=WALL),
    "bend": case(0.01, inlet=inlet(0, 0, 1, "paraboloid"), outlet=OUTLET, wall=WALL),
    "bend-even": case(0.01, inlet=inlet(0, 0, 1), outlet=OUTLET, wall=WALL),    # on an inlet that is not quite flat
    "junction": case(0.01, inlet=inlet(1, 0, 0, "paraboloid"), outlet=OUTLET, branch=OUTLET, wall=WALL),
    "sphere": case(0.02, inlet=inlet(1, 0, 0), outlet=OUTLET, sides=SLIP, sphere=WALL),
    "channel": case(0.01, inlet=inlet(1, 0, 0), outlet=OUTLET, sides=SLIP, floor=WALL, ceiling=WALL),
    "fall": FALL.format(centre="[0.45, 0.5, 1.1]", surface="[0.0, 0.0, 0.31]", up="[0.0, 0.0, 1.0]",
                        down="[0.0, 0.0, -1.0]"),
    "fall-2d": FALL.format(centre="[0.45, 1.1]", surface="[0.0, 0.31]", up="[0.0, 1.0]", down="[0.0, -1.0]"),
}

SCHEMES = ["steady-upwind", "steady", "steady-van-leer", "steady-central"]     # upwind first: steady looks at it
PLAIN = SCHEMES + ["time"]
CUBE = SCHEMES + ["steady-1", "steady-2", "time", "time-1", "time-2"]
QUICK = ["steady-upwind", "steady", "time"]
STEADY = QUICK[:2]                                  # of meshes with others like them, where time steps are as good
CUBES = [(f"{h:g}-{word}", {"h": h, "algorithm": number}) for h in (0.25, 0.15, 0.1, 0.07)
         for word, number in (("delaunay", 1), ("hxt", 10))]
NETGEN = [(f"{h:g}-{word}-netgen", {"h": h, "algorithm": number, "netgen": 1}) for h in (0.15, 0.1)
          for word, number in (("delaunay", 1), ("frontal", 4))]                # HXT's are not optimised
SLIVERS = [(f"{h:g}-slivers", {"h": h, "optimize": 0}) for h in (0.25, 0.15, 0.1)]
TRIANGLES = [("triangles-meshadapt", 1, 0), ("triangles-delaunay", 5, 0), ("triangles-frontal", 6, 0),
             ("new-triangles-quads", 8, 0), ("triangles-packing", 9, 0), ("blossom", 6, 1), ("new-blossom", 8, 1)]

# (name, source, parameters, flow, kinds, end of the runs in time, kinds of `make test`)
# source: a file of tests/meshes, or a box that the program makes itself.
MESHES = [
    *((f"cube-{name}", "cube_tets.geo", p, "lid", CUBE, 2.0 if p["h"] > 0.08 else 0.7,
       QUICK if name == "0.25-slivers" else STEADY if p["h"] == 0.15 else []) for name, p in CUBES + SLIVERS),
    *((f"new-cube-{name}", "cube_tets.geo", p, "lid", CUBE, 2.0 if p["h"] > 0.08 else 0.7, [])
      for name, p in CUBES + SLIVERS + NETGEN),
    ("bend-tets-6k", "bent_pipe.geo", {"h": 0.15}, "bend", PLAIN, 1.0, []),
    ("bend-tets-20k", "bent_pipe.geo", {"h": 0.1}, "bend", PLAIN, 0.5, []),
    ("bend-legs", "bent_pipe.geo", {"h": 0.15, "elements": 1}, "bend", PLAIN, 1.0, QUICK),
    ("bend-layers", "bent_pipe.geo", {"h": 0.15, "elements": 2}, "bend-even", PLAIN, 1.0, []),
    ("bend-swept", "bent_pipe.geo", {"h": 0.15, "elements": 3}, "bend", PLAIN, 1.0, []),
    ("new-bend-tets", "bent_pipe.geo", {"h": 0.15}, "bend", PLAIN, 1.0, []),
    ("junction-tets", "junction.geo", {"h": 0.15}, "junction", PLAIN, 1.0, []),
    ("junction-tets-fine", "junction.geo", {"h": 0.1}, "junction", PLAIN, 0.6, []),
    ("junction-legs", "junction.geo", {"h": 0.15, "layers": 1}, "junction", PLAIN, 1.0, QUICK),
    ("new-junction-tets", "junction.geo", {"h": 0.15}, "junction", PLAIN, 1.0, []),
    ("sphere", "sphere.geo", {}, "sphere", PLAIN, 2.0, []),
    ("new-sphere", "sphere.geo", {}, "sphere", PLAIN, 2.0, []),
    ("glued", "glued.geo", {}, "lid", PLAIN, 2.0, STEADY),
    ("layered", "layered.geo", {}, "channel", PLAIN, 1.0, []),
    ("layered-coarse", "layered.geo", {"h": 0.2}, "channel", PLAIN, 1.0, QUICK),
    ("layered-tets", "layered.geo", {"prisms": 0, "aspect": 10}, "channel", CUBE, 1.0, []),
    *((name, "square.geo", {"algorithm": number, "recombine": recombine}, "lid-2d", PLAIN, 1.0,
       [] if name.startswith("new-") else QUICK if name in ("triangles-delaunay", "blossom") else STEADY)
      for name, number, recombine in TRIANGLES),
    *((f"box-2d-distorted-{d}", f"cells = [32, 32]; distortion = {d};", {}, "lid-box-2d", PLAIN, 2.0, QUICK)
      for d in (0.2, 0.3, 0.4)),
    ("box-2d-stretched", "cells = [40, 40]; stretch = [60.0, 60.0];", {}, "lid-box-2d", PLAIN, 0.5, QUICK),
    ("box-2d-both", "cells = [40, 40]; stretch = [10.0, 10.0]; distortion = 0.2;", {}, "lid-box-2d", PLAIN, 0.5, QUICK),
    ("box-2d-extreme", "cells = [40, 40]; stretch = [60.0, 60.0]; distortion = 0.3;", {}, "lid-box-2d", PLAIN, 0.5,
     ["time"]),
    *((f"box-3d-distorted-{d}", f"cells = [14, 14, 14]; distortion = {d};", {}, "lid-box", PLAIN, 2.0, [])
      for d in (0.2, 0.3, 0.4)),
    ("box-3d-stretched", "cells = [16, 16, 16]; stretch = [60.0, 60.0, 60.0];", {}, "lid-box", PLAIN, 0.5, []),
    ("box-3d-both", "cells = [16, 16, 16]; stretch = [10.0, 10.0, 10.0]; distortion = 0.2;", {}, "lid-box", PLAIN, 0.5,
     []),
    ("tank-tets", "tank.geo", {"h": 0.1}, "fall", ["fall"], 1.3, []),
    ("tank-triangles", "tank.geo", {"dim": 2, "h": 0.04}, "fall-2d", ["fall"], 1.3, QUICK + ["fall"]),
]

# What is not reached yet, and why (docs/validation.md, "Meshes as Gmsh makes them"): such a run is a "not ok ...
# # TODO" that is not counted.
BEYOND = {
    "*sphere/steady-central": "central convection at a cell Peclet number of 40",
    "cube-0.1-slivers/steady-2": "raw slivers of 45 : 1, which Gmsh takes out unless told not to: with two correctors "
                                 "SIMPLE goes round at a residual of 2e-3 to 6e-3, the more exactly the pressure is "
                                 "solved; with none or one it converges",
}

# And with the accuracy "standard".
BEYOND_STANDARD = {
    "box-2d-extreme/time": "distorted cells of 60 : 1, for which the advice is accuracy = \"high\"",
    "cube-0.1-slivers/steady*": "raw slivers of 45 : 1, which Gmsh takes out unless told not to; they hold with the "
                                "default, \"high\"",
}

NEW_GMSH = """
import sys, gmsh
geo, out, *numbers = sys.argv[1:]
gmsh.initialize(["gmsh", "-v", "1"] + [w for n in numbers for w in ("-setnumber", *n.split("="))])
gmsh.open(geo)
gmsh.model.mesh.generate(gmsh.model.getDimension())
gmsh.write(out)
"""

ENDED = {0: "", 2: ", used up", 3: ", diverged", 5: ", stalled", 6: ", stopped"}                # by exit status


class Missing(Exception):
    """Why a mesh is not available on this machine."""


def command(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout.strip()


def must(*words):
    status, text = command(*words)
    if status:
        raise PoiseError(f"exit status {status}: {' | '.join(text.splitlines()[-3:])}")


def new_gmsh():
    """A Python that has Gmsh's module, or None."""
    python = os.environ.get("GMSH_PYTHON", "python3")
    try:
        return python if command(python, "-c", "import gmsh")[0] == 0 else None
    except OSError:
        return None


def make_mesh(name, geo, numbers, path, python):
    """Writes the native mesh of a .geo file, by the program's own Gmsh or by Python's."""
    if not os.path.exists(os.path.join(os.path.dirname(os.path.realpath(POISE)), "poise-gmsh")):
        raise Missing("there is no poise-gmsh beside the program")
    if not name.startswith("new-"):
        must(POISE, "mesh", "convert", geo, path, *(word for n in numbers for word in ("--set", n)))
        return
    if not python:
        raise Missing("no Python with Gmsh's module: GMSH_PYTHON")
    with tempfile.TemporaryDirectory() as folder:
        msh = os.path.join(folder, name + ".msh")
        must(python, "-c", NEW_GMSH, geo, msh, *numbers)
        must(POISE, "mesh", "convert", msh, path)


def stamp(source, numbers):
    """Identifies a mesh: the first line of its case files."""
    with open(os.path.join(SOURCES, source), "rb") as file:
        return f"# {' '.join([source] + numbers)}, {hashlib.sha256(file.read()).hexdigest()[:16]}\n"


def first_line(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.readline()
    except OSError:
        return ""


def prepare(mesh, folder, python):
    """The mesh, unless it is there, and its case files, which any other program of this name can run too."""
    name, source, parameters, flow, _, end, _ = mesh
    path = os.path.join(folder, name)
    if source.endswith(".geo"):
        numbers = [f"{key}={value:g}" for key, value in parameters.items()]
        text = stamp(source, numbers)
        if first_line(path + "-time.cfg") != text or not os.path.exists(path + ".h5"):
            make_mesh(name, os.path.join(SOURCES, source), numbers, path + ".h5", python)
        text += f'mesh = {{ file = "{name}.h5"; }};\n' + FLOWS[flow]
    else:
        text = f"mesh = {{ box = {{ {source} }}; }};\n" + FLOWS[flow]
    output = 'output = { fields = ["velocity", "pressure"]; every = 100000; };\n'
    steady = f'solver = {{ tolerance = 1e-6; max_iterations = {ITERATIONS}; }};\n'
    transient = (f'solver = {{ algorithm = "piso"; }};\n'
                 f'time = {{ end = {end}; step = 0.02; courant = 0.5; max_steps = {STEPS}; }};\n')
    for ending, solver in ((".cfg", steady), ("-time.cfg", transient)):
        if ending == ".cfg" and flow.startswith("fall"):
            continue
        with open(path + ending, "w", encoding="utf-8") as file:
            file.write(text + solver + output)


def settings(kind):
    """The case file's ending, with the settings changed by a kind."""
    ending = ".cfg" if kind.startswith("steady") else "-time.cfg"
    word = kind.partition("-")[2]
    if not word:
        return ending, []
    key = f"non_orthogonal_correctors={word}" if word.isdigit() else f'convection="{word}"'
    return ending, ["--set", "solver." + key]


def speed(run):
    return max((np.linalg.norm(run.field("velocity", step), axis=1).max() for step in run.steps), default=np.nan)


def judge(kind, status, run, upwind):
    """Result of a finished run: (good, iterations or steps, text)."""
    table = run.table("residuals.csv")
    n = int(table["iteration"][-1])
    if kind.startswith("steady"):
        worst = max(table[c][-1] for c in table.columns if c.startswith(("velocity", "pressure")))
        text = f"{n} iterations, residual {worst:.2g}"
        if kind in ("steady-central", "steady-van-leer"):
            return status in (0, 2, 5), n, text + (", NOT CONVERGED" if status else "")
        if kind == "steady" and upwind:
            return status == 0 and n <= SLOWER * upwind, n, f"{text}, upwind {upwind} (bound {SLOWER * upwind:.0f})"
        return status == 0, n, text
    bound = SPLASH * FREE_FALL if kind == "fall" else FASTER
    fastest = speed(run) if status != 3 else np.nan                             # diverged: no fields of the end
    text = f"{n} steps, continuity {table['continuity'].max():.2g}, speed {fastest:.3g} (bound {bound:.3g})"
    if kind == "fall":
        text += f", volume error {np.abs(table['volume_error']).max():.2g} (bound 1e-12)"
        return status == 0 and fastest <= bound and np.abs(table["volume_error"]).max() <= 1e-12, n, text
    return status == 0 and fastest <= bound, n, text


def compute(name, kind, options, upwind):
    """(good, short text for the table, text, iterations)"""
    ending, changes = settings(kind)
    with tempfile.TemporaryDirectory() as folder:
        status, told = command(POISE, "run", os.path.join(options.meshes, name + ending), *options.machine, *changes,
                               "--quiet", "--output", os.path.join(folder, "out"))
        if status not in ENDED:
            return False, "error", f"exit status {status}: {' | '.join(told.splitlines()[-3:])}", 0
        try:
            good, n, text = judge(kind, status, Run(os.path.join(folder, "out")), upwind)
        except PoiseError as error:
            return False, "error", str(error), 0
    ended = ENDED[status]
    return good, f"{n}{ended}" if status else f"{n}", text + ended, n if status == 0 else 0


def digests(name, kind, options):
    """(good, short text for the table, text, 0): the same bits on another machine or number of threads."""
    ending, changes = settings(kind)
    few = f"time.max_steps={FEW}" if ending == "-time.cfg" else f"solver.max_iterations={FEW}"
    one, other = ["--device", "cpu", "--threads", "1"], ["--device", "cpu", "--threads", "3"]
    ways = [one, options.machine if options.device == "cuda" else other]
    found = []
    for way in ways:
        with tempfile.TemporaryDirectory() as folder:
            told = command(POISE, "run", os.path.join(options.meshes, name + ending), *way, *changes, "--set", few,
                           "--digest", "--output", os.path.join(folder, "out"))[1]
        found.append((re.findall(r"^digest (\w+)", told, re.M) or ["none"])[0])
    return found[0] == found[1] != "none", found[0], "digest {}, {} with {}".format(*found, " ".join(ways[1])), 0


def quality(name, kinds, options):
    """Cells, and the worst angle and skewness, from poise mesh info."""
    ending = settings(kinds[0])[0]
    told = command(POISE, "mesh", "info", os.path.join(options.meshes, name + ending))[1]
    words = ("cells", "non-orthogonality", "skewness")
    return [(re.findall(rf"^ *{word} +([\d.]+)", told, re.M) or ["?"])[0] for word in words]


def run_mesh(mesh, kinds, options, python):
    """Prints a line for each run; returns the row of the table and whether it passed."""
    name = mesh[0]
    try:
        prepare(mesh, options.meshes, python)
    except Missing as why:
        print(f"ok {name} # SKIP {why}", flush=True)
        return None, []
    except PoiseError as error:
        print(f"not ok {name}: {error}", flush=True)
        return None, [False]
    cells, angle, skewness = quality(name, kinds, options)
    if options.prepare:
        print(f"ok {name}: {cells} cells, non-orthogonality {angle} degrees, skewness {skewness}", flush=True)
        return None, [True]
    row, good, upwind = {"cells": cells, "angle": angle, "skewness": skewness}, [], 0
    for kind in kinds:
        start = time.monotonic()
        held, row[kind], text, n = (digests(name, kind, options) if options.digest
                                    else compute(name, kind, options, upwind))
        if kind == "steady-upwind":
            upwind = n
        if not held:
            row[kind] = f"**{row[kind]}**"
        seconds = time.monotonic() - start
        beyond = "".join(f" # TODO {why}" for pattern, why in options.beyond.items()
                         if not held and fnmatch.fnmatch(f"{name}/{kind}", pattern))
        if not beyond:
            good.append(held)
        print(f"{'ok' if held else 'not ok'} {name}/{kind}: {cells} cells, {text}; {seconds:.1f} s{beyond}", flush=True)
    return row, good


def print_table(rows):
    columns = ["cells", "angle", "skewness"] + [k for k in CUBE + ["fall"] if any(k in row for row in rows.values())]
    print("\n| mesh | " + " | ".join(columns) + " |\n|---" + "|---" * len(columns) + "|")
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(row.get(c, "") for c in columns) + " |")
    print()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("full", "table", "digest", "list", "prepare"):
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("--quick", action="store_true", help="what is done without --full")
    parser.add_argument("--only", default="*", metavar="PATTERN")
    parser.add_argument("--meshes", default=os.path.join(TOP, "build", "meshes"), metavar="DIR")
    parser.add_argument("--device", choices=["cpu", "cuda"])
    parser.add_argument("--accuracy", choices=["high", "standard"])
    options = parser.parse_args()
    options.machine = ["--device", options.device] if options.device else []
    options.beyond = BEYOND | (BEYOND_STANDARD if options.accuracy == "standard" else {})
    if options.accuracy:
        options.machine += ["--set", f'solver.accuracy="{options.accuracy}"']
    return options


def main():
    options = arguments()
    os.makedirs(options.meshes, exist_ok=True)
    rows, good, python = {}, [], new_gmsh()
    if options.full and not python:
        print("# no Python with Gmsh's module (GMSH_PYTHON): meshes new-... cannot be made; those made before are used")
    for mesh in MESHES:
        kinds = [k for k in mesh[4] if options.full or k in mesh[6]]
        kinds = [k for k in kinds if fnmatch.fnmatch(f"{mesh[0]}/{k}", f"*{options.only}*")]
        if options.list:
            print("".join(f"{mesh[0]}/{k}\n" for k in kinds), end="")
        elif kinds:
            row, held = run_mesh(mesh, kinds, options, python)
            good += held
            rows |= {mesh[0]: row} if row else {}
    if options.list:
        return 0
    if options.table:
        print_table(rows)
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    return not (good and all(good))


if __name__ == "__main__":
    sys.exit(main())
