#!/usr/bin/env python3
"""Time steps at viscous numbers nu dt / h^2 from 1 to 1e4: flows reach their steady state, and nothing grows.

    POISE=build/poise /usr/bin/python3 tests/regression/viscous_steps.py [--full]

cavity: 60 steps from rest (at small numbers to nu t = 0.3) come to SIMPLEC's velocity within 1 %, with every scheme,
PISO and PIMPLE, one and two correctors, on squares, distorted quadrilaterals and Gmsh's triangles and tetrahedra.
iterations: of the velocity's linear solver a step at 1e4: 20 at most, on squares of 1/32 and of 1/128.
channel: the same between an inlet and an outlet, up to 100; with time.tolerance at any number.
level: two fluids with a surface at rest on a line of the mesh stay at rest, 1 to 1000 times the step of the case, which
is 22 times the limit of waves.
drop: viscosities of 1000 : 1 either way; the rise velocity does not depend on the step.
Without --full: few of them, for `make test`.
"""
import os
import sys
import tempfile

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "postproc"))
import poise  # noqa: E402

MESHES = os.path.join(TOP, "tests", "meshes")
WALL = {"type": "wall"}


def lid(dim):
    return {"type": "wall", "velocity": [1.0] + [0.0] * (dim - 1)}


BOX_WALLS = {"top": lid(2), "left": WALL, "right": WALL, "bottom": WALL}
# name: mesh, boundary, point, size of a cell, in `make test`
CAVITIES = {
    "squares": ({"box": {"cells": [32, 32]}}, BOX_WALLS, [0.5, 0.75], 1 / 32, True),
    "distorted": ({"box": {"cells": [24, 24], "distortion": 0.3}}, BOX_WALLS, [0.5, 0.75], 1 / 24, False),
    "triangles": ({"file": f"{MESHES}/square.geo", "parameters": {"h": 0.05}}, {"lid": lid(2), "walls": WALL},
                  [0.5, 0.75], 0.033, False),
    "tetrahedra": ({"file": f"{MESHES}/cube_tets.geo", "parameters": {"h": 0.2}}, {"lid": lid(3), "walls": WALL},
                   [0.5, 0.5, 0.75], 0.1, True),
}
failed = False


def report(name, why, text=""):
    global failed
    failed |= bool(why)
    print(f"not ok {name}: {why}; {text}" if why else f"ok {name} # {text}", flush=True)


def velocity_at(case, settings, point):
    """The first component of the velocity at a point, at the end."""
    case = poise.Case({**case, "probes": {"p": {"at": point}}, "output": {"report_every": 1000000}})
    with tempfile.TemporaryDirectory() as folder:
        run = poise.run(case, settings, output=os.path.join(folder, "out"))
        return run.status, float(run.tables("probes")["p"]["velocity_x"][-1])


def in_time(scheme, step, end, algorithm="piso", correctors=0):
    return {"solver.algorithm": algorithm, "solver.correctors": correctors, "time.scheme": scheme, "time.step": step,
            "time.end": end}


def cavity(name, numbers, schemes, algorithms, correctors):
    mesh, boundary, point, h, _ = CAVITIES[name]
    case = {"mesh": mesh, "fluid": {"viscosity": 1.0}, "boundary": boundary}
    _, steady = velocity_at(case, {"solver.tolerance": 1e-8}, point)
    for number in numbers:
        step = number * h * h
        for scheme in schemes:
            for algorithm in algorithms:
                for n in correctors:
                    status, u = velocity_at(case, in_time(scheme, step, max(0.3, 60 * step), algorithm, n), point)
                    off = abs(u / steady - 1)
                    report(f"cavity-{name}-{scheme}-{algorithm}-{n}-{number:g}",
                           "" if status == "converged" and off < 0.01 else f"{status}, {off:.2g} off", f"{off:.1e} off")


def iterations(number):
    """Iterations of the default velocity solver: at large numbers multigrid, with few iterations on every mesh."""
    for n in (32, 128):
        step = number / n**2
        case = poise.Case({"mesh": {"box": {"cells": [n, n]}}, "fluid": {"viscosity": 1.0}, "boundary": BOX_WALLS})
        with tempfile.TemporaryDirectory() as folder:
            run = poise.run(case, in_time("bdf2", step, 8 * step, "piso", 1), output=os.path.join(folder, "out"))
            most = int(np.max(run.table("residuals.csv")["inner_velocity"]))
        report(f"iterations-{n}-{number:g}", "" if run.status != "diverged" and most <= 20 else run.status,
               f"{most} iterations of the velocity's solver")


def channel(numbers, tolerance=0.0):
    case = {"mesh": {"box": {"cells": [48, 16], "to": [3.0, 1.0]}}, "fluid": {"viscosity": 1.0},
            "boundary": {"left": {"type": "inlet", "velocity": [1.0, 0.0]}, "right": {"type": "outlet"},
                         "top": WALL, "bottom": WALL}}
    _, steady = velocity_at(case, {"solver.tolerance": 1e-8}, [2.5, 0.5])
    for number in numbers:
        step = number / 256
        settings = {**in_time("bdf2", step, max(0.5, 40 * step)), "time.tolerance": tolerance}
        status, u = velocity_at(case, settings, [2.5, 0.5])
        off = abs(u / steady - 1)
        name = f"channel-{number:g}" + (f"-tolerance-{tolerance:g}" if tolerance else "")
        report(name, "" if status == "converged" and off < 0.01 else f"{status}, {off:.2g} off", f"{off:.1e} off")


LEVEL = """
mesh = { box = { cells = [64, 24]; to = [0.2, 0.075]; }; };
fluid = { density = 1000.0; viscosity = 10.0; gravity = [0.0, -0.98]; };
second_fluid = { density = 1.0; viscosity = 0.1; };
shapes = { air = { type = "half-space"; point = [0.0, 0.0375]; normal = [0.0, -1.0]; }; };
boundary = { bottom = { type = "wall"; }; top = { type = "wall"; }; left = { type = "symmetry"; };
             right = { type = "symmetry"; }; };
solver = { algorithm = "piso"; };
time = { end = 1.0; step = 0.1; };
output = { report_every = 1000000; };
"""
DROP = """
mesh = { box = { cells = [24, 48]; to = [1.0, 2.0]; }; };
fluid = { density = 1000.0; viscosity = %g; gravity = [0.0, -0.98]; };
second_fluid = { density = 100.0; viscosity = %g; surface_tension = 24.5; };
shapes = { drop = { type = "sphere"; centre = [0.5, 0.5]; radius = 0.25; }; };
boundary = { bottom = { type = "wall"; }; top = { type = "wall"; }; left = { type = "symmetry"; };
             right = { type = "symmetry"; }; };
solver = { algorithm = "piso"; };
time = { end = 2.0; step = 0.2; courant = 0.5; capillary = 0.0; };
output = { report_every = 1000000; };
"""


def table_of(text, settings, name):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.cfg")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        run = poise.run(path, settings, output=os.path.join(folder, "out"))
        return run.status, run.table(name)


def level(times, viscosities):
    for n in times:
        for viscosity in viscosities:
            step = 0.00089 * n
            status, table = table_of(LEVEL, {"time.step": step, "time.end": 100 * step, "time.capillary": 0.0,
                                             "second_fluid.viscosity": viscosity}, "residuals.csv")
            courant = float(np.max(table["courant"]))
            report(f"level-{n:g}-{viscosity:g}", "" if status == "converged" and courant < 1e-2 else
                   f"{status}, Courant number {courant:.2g}", f"Courant number {courant:.1e}")


def drop(steps):
    for name, pair in (("heavy", (1000.0, 1.0)), ("light", (1.0, 1000.0))):
        rise = []
        for step in steps:
            status, table = table_of(DROP % pair, {"time.step": step}, "interface.csv")
            rise.append(float(table["rise_velocity"][-1]) if status == "converged" else np.nan)
        off = max(abs(r / rise[-1] - 1) for r in rise)
        report(f"drop-{name}", "" if off < 0.03 else f"{off:.2g} apart", " ".join(f"{r:.5f}" for r in rise))


def main():
    full = "--full" in sys.argv[1:]
    for name, row in CAVITIES.items():
        if full:
            cavity(name, (1, 10, 100, 1000), ("euler", "bdf2", "crank-nicolson"), ("piso", "pimple"), (1, 2))
            cavity(name, (10000,), ("euler", "bdf2", "crank-nicolson"), ("piso", "pimple"), (2,))
        elif row[-1]:
            cavity(name, (10, 1000), ("bdf2",), ("piso",), (0,))
            cavity(name, (1000,), ("crank-nicolson",), ("piso",), (0,))
    iterations(1e4)
    channel((10, 100) if full else (100,))
    channel((100, 1000, 10000) if full else (1000,), 0.01)
    level((1, 3, 10, 30, 100, 1000) if full else (1, 30, 1000), (0.001, 0.1, 10.0) if full else (0.1,))
    drop((0.2, 0.05, 0.0125, 0.003) if full else (0.2, 0.0125))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
