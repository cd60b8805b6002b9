#!/usr/bin/env python3
"""A drop that the surface tension moves to the warm side: its velocity against the theory.

    marangoni.py marangoni.out [finer.out ...] [--viscosity 1] [--conductivity 1]

For every run: mean velocity of the drop in the second half of the run, and that of an infinite fluid with the images of the walls at distance L,
with radius, gradient, slope and viscosity of the first fluid 1: planar (1 - 0.859/L^2) / (2 (1 + m) (1 + k)), in 3-D
2 (1 - 0.601/L^3) / ((2 + 3 m) (2 + k)); m and k are the second fluid's viscosity and conductivity.  The images are exact for
k = 1.
"""
import argparse

from poise.scripts import command

from poise import Run


def theory(run, m=1.0, k=1.0):
    size = float(abs(run.mesh.vertices[:, 0]).max())
    if run.mesh.dim == 2:
        return (1 - 0.859 / size**2) / (2 * (1 + m) * (1 + k))
    return 2 * (1 - 0.601 / size**3) / ((2 + 3 * m) * (2 + k))


def deviation(run, m=1.0, k=1.0):
    """{quantity: value} of one run; the error in per cent."""
    table = run.table("interface.csv")
    velocity, exact = float(table["velocity_x"][len(table.rows) // 2:].mean()), theory(run, m, k)
    return {"velocity": velocity, "theory": exact, "velocity error": 100 * (velocity / exact - 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="+", help="output directories of runs")
    for name in "viscosity", "conductivity":
        parser.add_argument("--" + name, type=float, default=1.0, metavar="X", help="of the second fluid")
    options = parser.parse_args()
    print(f"{'run':>16} {'cells':>8} {'velocity':>10} {'theory':>10} {'error':>9}")
    for run in map(Run, options.run):
        found = deviation(run, options.viscosity, options.conductivity)
        print(f"{run.name[:16]:>16} {len(run.mesh.types):>8} {found['velocity']:>10.5f} {found['theory']:>10.5f} "
              f"{found['velocity error']:>+7.2f} %")


if __name__ == "__main__":
    command(main)
