#!/usr/bin/env python3
"""Density ratio 1000 and viscosity ratio 100 at Courant number 0.5, in 2-D and 3-D: nothing grows.

    POISE=build/poise /usr/bin/python3 tests/regression/stability.py [--full] [NAME ...]

carried: a dense drop in a uniform stream through a periodic box: the stream stays uniform.
fall: a dense drop falls into a pool of its own fluid in a closed box, with surface tension: there is no more kinetic
energy than the fall has set free, and only splashes and squeezed air are faster than the drop, by a few times.
rise: a bubble of a thousandth of the density rises by a fixed step: nothing is faster than a few times sqrt(g D).
Without --full: coarse meshes and few steps, for `make test`.  With it: 1000 steps, for `make verify`.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "postproc"))
from poise import PoiseError, Run  # noqa: E402

POISE = os.environ.get("POISE", os.path.join(TOP, "build", "poise"))
COURANT = 0.5

CASE = """
mesh = {{ box = {{ cells = {cells}; to = {to}; }}; }};
fluid = {{ density = {density}; viscosity = {viscosity}; {gravity} }};
second_fluid = {{ density = {second_density}; viscosity = {second_viscosity}; surface_tension = {tension}; }};
shapes = {{ {shapes} }};
boundary = {{ {boundary} }};
initial = {{ velocity = {velocity}; }};
solver = {{ algorithm = "piso"; }};
time = {{ scheme = "{scheme}"; end = 1e6; step = {step}; {limit} max_steps = {steps}; }};
output = {{ fields = ["velocity", "pressure", "fraction"]; every = {every}; }};
"""
SIDES = [("left", "right"), ("bottom", "top"), ("back", "front")]


def vector(values):
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def carried(cells):
    dim, stream = len(cells), [1.0, 0.5, 0.25]
    boundary = " ".join(f'{a} = {{ type = "periodic"; with = "{b}"; }}; {b} = {{ type = "periodic"; with = "{a}"; }};'
                        for a, b in SIDES[:dim])
    return stream[:dim], dict(
        cells=cells, to=vector([1] * dim), density=1.0, second_density=1000.0, viscosity=1e-5, second_viscosity=1e-3,
        tension=0.0, gravity="",
        shapes=f'drop = {{ type = "sphere"; centre = {vector([0.5] * dim)}; radius = 0.2; }};',
        boundary=boundary, velocity=vector(stream[:dim]), step=1.0)


def fall(cells):
    dim = len(cells)
    up = np.eye(dim)[-1]
    centre = [0.45, 1.1] if dim == 2 else [0.45, 0.5, 1.1]
    walls = " ".join(f'{name} = {{ type = "wall"; }};' for pair in SIDES[:dim] for name in pair)
    return None, dict(
        cells=cells, to=vector(1 + 0.5 * up), density=1.0, second_density=1000.0, viscosity=1e-4, second_viscosity=1e-2,
        tension=0.1,
        gravity=f"gravity = {vector(-up)};",
        shapes=f'drop = {{ type = "sphere"; centre = {vector(centre)}; radius = 0.2; }};'
               f' pool = {{ type = "half-space"; point = {vector(0.31 * up)}; normal = {vector(up)}; }};',
        boundary=walls, velocity=vector(0 * up), step=0.02)


def rise(cells):
    dim = len(cells)
    up = np.eye(dim)[-1]
    walls = " ".join(f'{name} = {{ type = "wall"; }};' for pair in SIDES[:dim] for name in pair)
    h = 1.0 / cells[0]
    return None, dict(
        cells=cells, to=vector(1 + up), density=1000.0, second_density=1.0, viscosity=10.0, second_viscosity=0.1,
        tension=24.5,
        gravity=f"gravity = {vector(-0.98 * up)};",
        shapes=f'bubble = {{ type = "sphere"; centre = {vector([0.5] * dim)}; radius = 0.25; }};',
        boundary=walls, velocity=vector(0 * up), limit="", step=0.75 * np.sqrt(1001 * h**3 / (4 * np.pi * 24.5)))


# Of the drop when it meets the pool: sqrt(2 g h), h from its lowest point.
FREE_FALL = np.sqrt(2 * (1.1 - 0.2 - 0.31))


def compute(settings, folder):
    path, output = os.path.join(folder, "case.cfg"), os.path.join(folder, "case.out")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CASE.format(**settings))
    done = subprocess.run([POISE, "run", path, "--output", output], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != 2:                                                    # 2: the steps are used up, as asked for
        raise PoiseError(f"exit status {done.returncode}: {' | '.join(done.stdout.strip().splitlines()[-3:])}")
    return Run(output)


def speeds(run, stream):
    """Over all written fields: the largest speed against the stream, of both fluids and of the dense one."""
    both, dense = [], []
    for step in run.steps:
        velocity, fraction = run.field("velocity", step), run.field("fraction", step)
        speed = np.linalg.norm(velocity - np.array((stream + [0])[:3]) if stream else velocity, axis=1)
        both.append(speed.max())
        dense.append(speed[fraction > 0.99].max(initial=0))
    return np.max(both), np.max(dense)                                          # not a number, if one is


def energy_share(run):
    """Kinetic energy over the potential energy set free, at most, once a tenth of a drop's fall has passed."""
    volume, height = run.mesh.volumes(), run.mesh.centres()[:, run.mesh.dim - 1]
    kinetic, potential = [], []
    for step in run.steps:
        mass = (1 + 999 * run.field("fraction", step)) * volume
        kinetic.append(0.5 * (mass * np.square(run.field("velocity", step)).sum(axis=1)).sum())
        potential.append((mass * height).sum())
    free = potential[0] - np.array(potential)
    falling = ~(free < 0.1 * free.max())
    return np.max(np.array(kinetic)[falling] / free[falling])


def findings(run, stream, steps, rising):
    """(what, value, least, most), each of which must hold."""
    table = run.table("residuals.csv")
    both, dense = speeds(run, stream)
    yield "steps", len(table["time"]), steps, steps
    yield "numbers that are not finite", float(np.size(table.rows) - np.isfinite(table.rows).sum()), 0, 0
    if not rising:
        yield "Courant number", table["courant"].max(), 0.9 * COURANT, 1.2 * COURANT
    yield "volume error", np.abs(table["volume_error"]).max(), 0, 1e-12
    yield "beyond [0, 1]", max(0, -table["lowest"].min(), table["highest"].max() - 1), 0, 1e-12
    if stream:
        yield "away from the stream", both, 0, 1e-10                                # rounding, which must not grow
        return
    if rising:
        yield "largest speed over sqrt(g D)", both / np.sqrt(0.98 * 0.5), 0, 2.5    # in the gas of 6 cells: 2.1
        return
    yield "kinetic energy over that set free", energy_share(run), 0, 1.08
    yield "speed of the dense fluid over the drop's", dense / FREE_FALL, 0, 4
    yield "largest speed over the drop's", both / FREE_FALL, 0, 20


def check(name, make, cells, steps, scheme="crank-nicolson"):
    stream, settings = make(cells)
    with tempfile.TemporaryDirectory() as folder:
        try:
            run = compute({"limit": f"courant = {COURANT};"} | settings
                          | {"scheme": scheme, "steps": steps, "every": max(5, steps // 50)}, folder)
            found = list(findings(run, stream, steps, "limit" in settings))
        except PoiseError as error:
            print(f"not ok {name}: {error}", flush=True)
            return False
    good = all(least <= value <= most for _, value, least, most in found)       # false of what is not a number
    told = ", ".join(f"{what} {value:.3g} ({least:g} to {most:g})" for what, value, least, most in found)
    print(f"{'ok' if good else 'not ok'} {name}: {told}", flush=True)
    return good


COARSE = [("carried-2d", carried, [32, 32], 300), ("carried-2d-bdf2", carried, [32, 32], 100, "bdf2"),
          ("carried-3d", carried, [12, 12, 12], 100),
          ("fall-2d", fall, [32, 48], 200), ("fall-2d-bdf2", fall, [32, 48], 200, "bdf2"),
          ("fall-3d", fall, [12, 12, 18], 150),
          ("rise-2d-bdf2", rise, [40, 80], 300, "bdf2"), ("rise-3d-bdf2", rise, [12, 12, 24], 60, "bdf2")]
FULL = [("carried-2d-1000-steps", carried, [64, 64], 1000),
        ("carried-2d-bdf2-1000-steps", carried, [64, 64], 1000, "bdf2"),
        ("carried-3d-1000-steps", carried, [24, 24, 24], 1000),
        ("fall-2d-1000-steps", fall, [64, 96], 1000), ("fall-2d-bdf2-1000-steps", fall, [64, 96], 1000, "bdf2"),
        ("fall-3d-1000-steps", fall, [24, 24, 36], 1000), ("rise-2d-bdf2-1000-steps", rise, [80, 160], 1000, "bdf2"),
        ("rise-3d-bdf2-300-steps", rise, [32, 32, 64], 300, "bdf2")]


def main():
    names = [a for a in sys.argv[1:] if not a.startswith("--")]
    runs = [r for r in (FULL if "--full" in sys.argv else COARSE) if not names or r[0].startswith(tuple(names))]
    good = [check(*run) for run in runs]
    return not (good and all(good))


if __name__ == "__main__":
    sys.exit(main())
