#!/usr/bin/env python3
"""The vortex street behind a cylinder: frequency, drag, lift and pressure difference over its last periods.

    street.py cylinder-unsteady.out [--periods 5] [--diameter 0.1] [--speed 1]

Against the intervals of Schaefer & Turek 1996 (benchmark DFG 2D-2).  From forces/cylinder.csv (coefficient_x, coefficient_y) and
the probes front and back.  Picture: NAME.out/street.png.
"""
import argparse
import csv
import os

from poise.scripts import command
import numpy as np

from poise import PoiseError, Run, figure, save
from poise.text import read_text

REFERENCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cases", "cylinder-unsteady", "reference",
                         "schaefer_turek1996_2d2.csv")
NAMES = {"cd_max": "largest drag", "cl_max": "largest lift", "St": "Strouhal number", "dp": "pressure difference"}


def rising(t, value):
    """Times at which a curve passes zero upwards."""
    k = np.flatnonzero((value[:-1] < 0) & (value[1:] >= 0))
    return t[k] - value[k] * (t[k + 1] - t[k]) / (value[k + 1] - value[k])


def street(run, periods=5, diameter=0.1, speed=1.0):
    """{"cd_max", "cl_max", "St", "dp", "drift": relative change of the lift's amplitude over these periods}."""
    force = run.table("forces", "cylinder.csv")
    t, drag, lift = force["time"], force["coefficient_x"], force["coefficient_y"]
    late = t > 0.5 * t[-1]
    passes = rising(t, lift - lift[late].mean()) if late.any() else []
    if len(passes) < periods + 1:
        raise PoiseError(f"{run.directory}: the lift has passed its mean {len(passes)} times upwards; {periods} periods are "
                         "needed: there is no vortex street, or not for long enough (time.end)")
    passes = passes[-periods - 1:]
    period = (passes[-1] - passes[0]) / periods
    inside = (t >= passes[0]) & (t <= passes[-1])
    tops = [lift[(t >= a) & (t <= b)].max() for a, b in zip(passes, passes[1:])]
    last = (t >= passes[-2]) & (t <= passes[-1])
    moment = t[last][np.argmax(lift[last])] + 0.5 * period                  # the benchmark's definition
    moment = moment if moment <= t[-1] else moment - period
    front, back = (run.table("probes", name + ".csv") for name in ("front", "back"))
    difference = np.interp(moment, front["time"], front["pressure"]) - np.interp(moment, back["time"], back["pressure"])
    return {"cd_max": float(drag[inside].max()), "cl_max": float(lift[inside].max()), "St": float(diameter / (speed * period)),
            "dp": float(difference), "drift": float((max(tops) - min(tops)) / np.mean(tops))}


def intervals(path=REFERENCE):
    lines = read_text(path, "a table").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {row["quantity"]: (float(row["lo"]), float(row["hi"])) for row in rows}


def beyond(run, **more):
    """{quantity: distance from the middle of the interval in % of it}."""
    found = street(run, **more)
    middle = {k: (lo + hi) / 2 for k, (lo, hi) in intervals().items()}
    return {NAMES[k]: 100 * (found[k] / m - 1) for k, m in middle.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output directory of a run")
    parser.add_argument("--periods", type=int, default=5, metavar="N", help="how many, the last ones")
    parser.add_argument("--diameter", type=float, default=0.1, metavar="D")
    parser.add_argument("--speed", type=float, default=1.0, metavar="U", help="the mean one of the inflow")
    options = parser.parse_args()
    run = Run(options.run)
    found = street(run, options.periods, options.diameter, options.speed)
    for name, (lo, hi) in intervals().items():
        where = "inside" if lo <= found[name] <= hi else f"{100 * (found[name] / ((lo + hi) / 2) - 1):+.2f} % from the middle of"
        print(f"{NAMES[name]:>20} {found[name]:8.4f}   {where} {lo:g} .. {hi:g}")
    print(f"{'':>20} {options.periods} periods; the lift's tops differ by {100 * found['drift']:.2f} %")
    force = run.table("forces", "cylinder.csv")
    fig, axes = figure(9, 3.6, 1, 2)
    for ax, column, name in zip(axes[0], ("coefficient_x", "coefficient_y"), ("drag", "lift")):
        ax.plot(force["time"], force[column], color="#1f4e9c")
        late = force["time"] > 0.3 * force["time"][-1]
        low, high = force[column][late].min(), force[column][late].max()
        ax.set_ylim(low - 0.2 * (high - low) - 1e-9, high + 0.2 * (high - low) + 1e-9)
        ax.set_xlabel("t [code units]"), ax.set_ylabel("coefficient"), ax.set_title(name), ax.margins(x=0.01)
    save(fig, run.path("street.png"))


if __name__ == "__main__":
    command(main)
