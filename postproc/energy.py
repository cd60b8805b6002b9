#!/usr/bin/env python3
"""The kinetic energy of a flow in a periodic box of equal cells, and whether viscosity takes what it loses.

    energy.py taylor-green-3d.out [--viscosity 0.01]

A row for every interval between two written times: the energy per volume at its end, its loss, and the dissipation integrated
over the interval.  The dissipation, viscosity times the mean square of the velocity's gradient, is computed from the velocity's
Fourier series, independently of the program's schemes, and integrated by a cubic through four times.
"""
import argparse

from poise.scripts import command
import numpy as np

from poise import PoiseError, Run


def grid(run):
    """(order, cells along every axis, lengths): values[order] of the cells are an array of that shape, x first."""
    centres = run.mesh.centres()
    axes = [np.unique(np.round(x, 9)) for x in centres.T]
    axes = [x for x in axes if len(x) > 1]
    cells = [len(x) for x in axes]
    steps = [np.diff(x) for x in axes]
    if np.prod(cells) != len(centres) or any(np.ptp(s) > 1e-6 * s.mean() for s in steps):
        raise PoiseError(f"{run.name}: the mesh is not a box of equal cells")
    return np.lexsort(centres[:, :len(axes)].T[::-1]), cells, [n * s.mean() for n, s in zip(cells, steps)]


def energy(run, viscosity):
    """(times, energy, dissipation) per mass at every written time, density 1."""
    order, cells, lengths = grid(run)
    waves = np.meshgrid(*(2 * np.pi * np.fft.fftfreq(n, s / n) for n, s in zip(cells, lengths)), indexing="ij")
    square = sum(k ** 2 for k in waves)
    rows = []
    for step in run.steps:
        velocity = run.field("velocity", step)[order][:, :len(cells)]
        spectrum = sum(np.abs(np.fft.fftn(u.reshape(cells)) / u.size) ** 2 for u in velocity.T)
        rows.append((run.time(step), spectrum.sum() / 2, viscosity * (square * spectrum).sum()))
    return np.array(rows).T


def integrals(times, values):
    """The integral over every interval of the cubic through its two ends and a time on each side (a parabola at the ends)."""
    found = []
    for i in range(len(times) - 1):
        first = max(i - 1, 0)
        at, of = times[first:i + 3] - times[i], values[first:i + 3]
        polynomial = np.polyint(np.polyfit(at, of, len(at) - 1))
        found.append(np.polyval(polynomial, times[i + 1] - times[i]) - np.polyval(polynomial, 0))
    return np.array(found)


def balance(run, viscosity=0.01):
    """{"times", "energy", "dissipation", "loss", "dissipated"}; the last two over every interval."""
    times, kinetic, rate = energy(run, viscosity)
    if len(times) < 4:
        raise PoiseError(f"{run.name}: the balance needs at least four written times; set output.interval")
    return {"times": times, "energy": kinetic, "dissipation": rate, "loss": -np.diff(kinetic),
            "dissipated": integrals(times, rate)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output directory of a run")
    parser.add_argument("--viscosity", type=float, default=0.01, metavar="NU")
    options = parser.parse_args()
    found = balance(Run(options.run), options.viscosity)
    print(f"{'time':>8} {'energy':>12} {'loss':>12} {'dissipated':>12} {'difference':>11}")
    for row in zip(found["times"][1:], found["energy"][1:], found["loss"], found["dissipated"]):
        print("{:8.4g} {:12.6g} {:12.6g} {:12.6g} {:+10.3f} %".format(*row, 100 * (row[2] / row[3] - 1)))
    whole, largest = found["loss"].sum() / found["dissipated"].sum() - 1, np.abs(found["loss"] / found["dissipated"] - 1).max()
    print(f"whole: {100 * whole:+.3f} %; largest of an interval: {100 * largest:.3f} %; largest dissipation "
          f"{found['dissipation'].max():.6g}")


if __name__ == "__main__":
    command(main)
