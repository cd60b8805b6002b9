#!/usr/bin/env python3
"""What a flow that brings the interface back to where it was leaves as error, from the first and the last written fields.

    vortex.py vortex.out [finer.out ...] [--reference vortex|rotation|shear|deformation]

E1 = sum of V |fraction - fraction at the start|, and that over the volume at the start; beside it that of
isoAdvector-plicRDF (Scheufler & Roenby 2019) with as many cells, interpolated, and the order from run to run.
"""
import argparse
import csv
import os

from poise.scripts import command
import numpy as np

from poise import PoiseError, Run
from poise.text import read_text

REFERENCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cases", "vortex", "reference")
CASES = {"rotation": "rotationSphereInBox", "shear": "vortexShearedSphere", "deformation": "deformationSphere"}


def error(run):
    """{"E1": absolute, "relative", "volume": relative change of it, "lowest", "highest" of the last fractions}."""
    if len(run.steps) < 2:
        raise PoiseError(f"{run.directory}: needs the first and the last field; give an output.interval")
    first, last, volume = run.field("fraction", run.steps[0]), run.field("fraction"), run.mesh.volumes()
    e = float(np.sum(volume * np.abs(last - first)))
    whole = float(np.sum(volume * first))
    return {"E1": e, "relative": e / whole, "volume": float(np.sum(volume * (last - first))) / whole,
            "lowest": float(last.min()), "highest": float(last.max()) - 1}


def published(run, case, folder=REFERENCE, scheme="plicRDF"):
    """E1 of the reference at this run's resolution: power law between its rows, and beyond them.  None: nothing to compare."""
    name = "vortex_T8" if case == "vortex" else "sphere3d"
    path = os.path.join(folder, name + "_isoadvector_plicRDF_L1.csv")
    if case not in ("vortex", *CASES) or run.mesh.dim != (2 if case == "vortex" else 3):
        return None
    rows = list(csv.reader(line for line in read_text(path, "a table").splitlines() if not line.startswith("#")))
    if case == "vortex":
        mesh = "tri" if (run.mesh.types == 4).all() else "hex"
        points = {float(r[3]): float(r[4]) for r in rows if r[:2] == [mesh, scheme]}
        size = len(run.mesh.types)
    else:
        points = {float(r[2]): float(r[3]) for r in rows if r[:2] == [CASES[case], scheme]}
        size = float(run.mesh.volumes().mean()) ** (-1 / 3)             # cells along a unit of length
    x, y = np.log(sorted(points)), np.log([points[k] for k in sorted(points)])
    k = int(np.clip(np.searchsorted(x, np.log(size)) - 1, 0, len(x) - 2))
    return float(np.exp(y[k] + (y[k + 1] - y[k]) * (np.log(size) - x[k]) / (x[k + 1] - x[k])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="+", help="output directories of runs, the coarsest first")
    parser.add_argument("--reference", choices=["vortex", *CASES], metavar="NAME",
                        help="which published errors (default: by the run's name)")
    options = parser.parse_args()
    print(f"{'run':>16} {'cells':>9} {'E1':>10} {'relative':>9} {'order':>6} {'published':>10} {'share':>6} "
          f"{'volume error':>12} {'lowest':>9} {'highest - 1':>11}")
    before = None
    for run in map(Run, options.run):
        f, size = error(run), float(run.mesh.volumes().mean()) ** (1 / run.mesh.dim)
        case = options.reference or next((c for c in ("vortex", *CASES) if run.name.startswith(c)), None)
        theirs = published(run, case) if case else None
        order = f"{np.log(before[1] / f['E1']) / np.log(before[0] / size):>6.2f}" if before else f"{'':>6}"
        print(f"{run.name[:16]:>16} {len(run.mesh.types):>9} {f['E1']:>10.3e} {f['relative']:>9.2e} {order} "
              + (f"{theirs:>10.3e} {f['E1'] / theirs:>6.2f}" if theirs else f"{'':>10} {'':>6}")
              + f" {f['volume']:>12.1e} {f['lowest']:>9.1e} {f['highest']:>11.1e}")
        before = size, f["E1"]


if __name__ == "__main__":
    command(main)
