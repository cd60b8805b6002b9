#!/usr/bin/env python3
"""A drop at rest: the jump of the pressure against Laplace's, the currents that should not be there, the curvature.

    droplet.py droplet.out [finer.out ...] [--radius 0.25] [--tension 1] [--viscosity 0.006454972] [--density 1]

For every run: pressure of probe "inside" less that of "outside" against tension / radius (in 3-D twice that); the largest speed
of the last written field, and of all, as capillary number viscosity speed / tension and as speed sqrt(density D / tension);
the largest error of the curvature where the interface is, if it was written.
"""
import argparse

from poise.scripts import command
import numpy as np

from poise import PoiseError, Run

RADIUS, TENSION, VISCOSITY, DENSITY = 0.25, 1.0, 0.006454972, 1.0


def measure(run, radius=RADIUS, tension=TENSION, viscosity=VISCOSITY, density=DENSITY):
    """{quantity: value} of one run."""
    curvature = (run.mesh.dim - 1) / radius
    pressure = [run.table("probes", name + ".csv")["pressure"][-1] for name in ("inside", "outside")]
    speeds = [float(np.linalg.norm(run.field("velocity", step), axis=1).max()) for step in run.steps]
    if not speeds:
        raise PoiseError(f"{run.directory}: no fields have been written")
    result = {"jump": pressure[0] - pressure[1], "jump error": 100 * ((pressure[0] - pressure[1]) / (tension * curvature) - 1),
              "last Ca": viscosity * speeds[-1] / tension, "largest Ca": viscosity * max(speeds) / tension,
              "largest speed": max(speeds) * np.sqrt(2 * radius * density / tension)}
    if "curvature" in run.field_names():
        found, fraction = run.field("curvature"), run.field("fraction")
        cut = (fraction > 1e-6) & (fraction < 1 - 1e-6)
        result["curvature error"] = 100 * float(np.abs(found[cut] / curvature - 1).max()) if cut.any() else np.nan
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="+", help="output directories of runs")
    for name, standard in (("radius", RADIUS), ("tension", TENSION), ("viscosity", VISCOSITY), ("density", DENSITY)):
        parser.add_argument("--" + name, type=float, default=standard, metavar="X")
    options = parser.parse_args()
    print(f"{'run':>16} {'cells':>8} {'pressure jump':>13} {'error':>9} {'Ca at the end':>13} {'largest Ca':>10} "
          f"{'scaled speed':>12} {'curvature error':>15}")
    for run in map(Run, options.run):
        f = measure(run, options.radius, options.tension, options.viscosity, options.density)
        curvature = f"{f['curvature error']:>13.2f} %" if "curvature error" in f else f"{'not written':>15}"
        print(f"{run.name[:16]:>16} {len(run.mesh.types):>8} {f['jump']:>13.6f} {f['jump error']:>+7.3f} % {f['last Ca']:>13.2e} "
              f"{f['largest Ca']:>10.2e} {f['largest speed']:>12.2e} {curvature}")


if __name__ == "__main__":
    command(main)
