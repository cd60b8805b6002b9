#!/usr/bin/env python3
"""The decaying vortices of Taylor & Green against their closed form, and the orders of accuracy.

    taylor_green.py taylor-green.out finer.out ... [--viscosity 0.1]        errors, and orders from mesh to mesh
    taylor_green.py --time large.out half.out quarter.out                   one mesh: orders from step to step

u = (-cos x sin y, sin x cos y) exp(-2 nu t), p = -(cos 2x + cos 2y) exp(-4 nu t) / 4; the root mean square over the cells at the
last written time.  --time: the error of the mesh is the same in all, so what counts is how the differences between runs fall
when the step is halved.
"""
import argparse

from poise.scripts import command
import numpy as np

from poise import PoiseError, Run


def exact(run, viscosity, time):
    """(velocity [n, 2], pressure [n]) at the cells' centres, density 1."""
    x, y = run.mesh.centres()[:, :2].T
    decay = np.exp(-2 * viscosity * time)
    return (decay * np.c_[-np.cos(x) * np.sin(y), np.sin(x) * np.cos(y)],
            -0.25 * decay ** 2 * (np.cos(2 * x) + np.cos(2 * y)))


def norm(run, values):
    """Root mean square over the mesh of values [n] or [n, k]."""
    volume = run.mesh.volumes()
    squares = (values.reshape(len(volume), -1) ** 2).sum(axis=1)
    return float(np.sqrt(volume @ squares / volume.sum()))


def errors(run, viscosity=0.1):
    """{"size": cell width, "velocity": error, "pressure": error up to a constant}."""
    velocity, pressure = exact(run, viscosity, run.time())
    volume = run.mesh.volumes()
    difference = run.field("pressure") - pressure
    return {"size": float(np.sqrt(volume.mean())), "velocity": norm(run, run.field("velocity")[:, :2] - velocity),
            "pressure": norm(run, difference - volume @ difference / volume.sum())}


def time_orders(runs):
    """Orders of the velocity from three or more runs on one mesh, every step half of the one before: [len(runs) - 2]."""
    if len(runs) < 3 or any(len(r.mesh.types) != len(runs[0].mesh.types) for r in runs):
        raise PoiseError("--time needs three or more runs on the same mesh, every step half of the one before")
    if any(abs(r.time() - runs[0].time()) > 1e-9 for r in runs):
        raise PoiseError("the runs end at different times: " + ", ".join(f"{r.name} {r.time():g}" for r in runs))
    fields = [r.field("velocity")[:, :2] for r in runs]
    change = [norm(runs[0], a - b) for a, b in zip(fields, fields[1:])]
    return change, [float(np.log2(a / b)) for a, b in zip(change, change[1:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="+", help="output directories of runs, the coarsest first")
    parser.add_argument("--viscosity", type=float, default=0.1, metavar="NU")
    parser.add_argument("--time", action="store_true", help="runs on one mesh with steps that are halved")
    options = parser.parse_args()
    runs = [Run(name) for name in options.run]
    if options.time:
        change, orders = time_orders(runs)
        for k, (run, finer) in enumerate(zip(runs, runs[1:])):
            print(f"{run.name} - {finer.name}: {change[k]:.3e}" + (f", order {orders[k - 1]:.2f}" if k else ""))
        return
    print(f"{'run':>16} {'cells':>8} {'velocity error':>14} {'order':>6} {'pressure error':>14} {'order':>6}")
    before = None
    for run in runs:
        f = errors(run, options.viscosity)
        finer = before and before["size"] != f["size"]
        order = [f"{np.log(before[q] / f[q]) / np.log(before['size'] / f['size']) if finer else np.nan:>6.2f}".replace("nan", "   ")
                 for q in ("velocity", "pressure")]
        print(f"{run.name[:16]:>16} {len(run.mesh.types):>8} {f['velocity']:>14.3e} {order[0]} {f['pressure']:>14.3e} {order[1]}")
        before = f


if __name__ == "__main__":
    command(main)
