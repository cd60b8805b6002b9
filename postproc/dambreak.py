#!/usr/bin/env python3
"""The collapsing column of water against Martin & Moyce 1952: front along the floor, height at the wall.

    dambreak.py dambreak.out [--base 0.05715] [--aspect 2] [--gravity 9.81]

--base: width a of the column; --aspect: its height over its width, n^2, 1 or 2.  Front Z = x / a over T = n t sqrt(g / a), height
H = y / (n^2 a) over tau = t sqrt(g / a), from the written fields.  The gate took time to open, by how much nobody knows:
the deviations are also given with all the experiment's times moved by what suits best.  Picture: NAME.out/dambreak.png.
"""
import argparse
import os

from poise.scripts import command
import numpy as np

from poise import PoiseError, Run, Table, choose, figure, save

REFERENCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cases", "dambreak", "reference")
FILES = {1: ("martin_moyce1952_front_n2_1", "martin_moyce1952_height_n2_1"),
         2: ("martin_moyce1952_front_n2_2", "martin_moyce1952_height_n2_2")}


def reach(run, step, axis):
    """How far the water reaches from the corner along the floor (axis 0) or up the wall (1): where the fraction in the cells
    there falls below one half for the first time, linear between their centres."""
    mesh, other = run.mesh, 1 - axis
    low = mesh.vertices[:, other].min()
    slack = 1e-9 * np.ptp(mesh.vertices[:, other])
    at_floor = np.minimum.reduceat(mesh.vertices[mesh.corners, other], mesh.start[:-1]) <= low + slack
    cells = np.flatnonzero(at_floor)
    # of triangles those that stand on the floor, not those that touch it with a corner
    touching = np.add.reduceat((mesh.vertices[mesh.corners, other] <= low + slack).astype(int), mesh.start[:-1])[cells]
    cells = cells[touching >= 2]
    x, fraction = mesh.centres()[cells, axis], run.field("fraction", step)[cells]
    order = np.argsort(x)
    x, fraction = x[order], fraction[order]
    k = int(np.argmax(fraction < 0.5))
    if fraction[k] >= 0.5:
        return float(mesh.vertices[:, axis].max())
    if k == 0:
        return float(mesh.vertices[:, axis].min())
    part = (fraction[k - 1] - 0.5) / (fraction[k - 1] - fraction[k])
    return float(x[k - 1] + part * (x[k] - x[k - 1]))


def history(run, base, aspect, gravity):
    """{"front": (T, Z), "height": (tau, H)}."""
    if len(run.steps) < 3:
        raise PoiseError(f"{run.directory}: {len(run.steps)} fields were written; give an output.interval")
    time = np.array([run.time(step) for step in run.steps]) * np.sqrt(gravity / base)
    front, height = (np.array([reach(run, step, axis) for step in run.steps]) for axis in (0, 1))
    return {"front": (np.sqrt(aspect) * time, front / base), "height": (time, height / (aspect * base))}


def compare(found, reference, shift=0.0):
    """Root mean square deviation over the reference's points that the run has come to."""
    at = reference.rows[:, 0] - shift
    used = (at >= found[0][0]) & (at <= found[0][-1])
    if not used.any():
        return np.nan
    return float(np.sqrt(np.mean((np.interp(at[used], *found) - reference.rows[used, 1]) ** 2)))


def deviations(run, base=0.05715, aspect=2, gravity=9.81, folder=REFERENCE):
    """{"front": (as it is, shifted, the shift), "height": ...}: the shift is the front's."""
    found = history(run, base, aspect, gravity)
    front, height = (Table(os.path.join(folder, name + ".csv")) for name in FILES[choose(aspect, FILES, "--aspect")])
    shifts = np.linspace(0, 0.5, 51)
    best = float(min(shifts, key=lambda s: compare(found["front"], front, s)))
    return {"front": (compare(found["front"], front), compare(found["front"], front, best), best),
            "height": (compare(found["height"], height), compare(found["height"], height, best / np.sqrt(aspect)),
                       best / np.sqrt(aspect))}


def draw(run, options):
    found = history(run, options.base, options.aspect, options.gravity)
    fig, axes = figure(9, 4, 1, 2)
    for ax, name, file, labels in zip(axes[0], found, FILES[options.aspect], 
                                     (("T = n t √(g/a)", "Z = x/a"), ("τ = t √(g/a)", "H = y/(n² a)"))):
        table = Table(os.path.join(options.reference, file + ".csv"))
        ax.plot(*table.rows.T, "s", color="#c8102e", fillstyle="none", label="Martin & Moyce 1952")
        ax.plot(*found[name], color="#1f4e9c", label=f"Poise, {run.name}")
        ax.set_xlabel(labels[0]), ax.set_ylabel(labels[1]), ax.set_title(name)
        ax.set_xlim(0, max(found[name][0][-1], 1))
        ax.legend()
    save(fig, run.path("dambreak.png"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output directory of a run")
    parser.add_argument("--base", type=float, default=0.05715, metavar="A", help="width of the column")
    parser.add_argument("--aspect", type=int, default=2, metavar="N2", help="its height over its width, 1 or 2")
    parser.add_argument("--gravity", type=float, default=9.81, metavar="G")
    parser.add_argument("--reference", default=REFERENCE, metavar="FOLDER")
    options = parser.parse_args()
    run = Run(options.run)
    found = deviations(run, options.base, options.aspect, options.gravity, options.reference)
    for name, (plain, shifted, shift) in found.items():
        print(f"{name}: root mean square deviation from the experiment {plain:.3f}; {shifted:.3f} with its times {shift:.2f} "
              "earlier")
    draw(run, options)


if __name__ == "__main__":
    command(main)
