#!/usr/bin/env python3
"""Line samples of a run against reference values: a table for each profile, and one picture.

    profiles.py cavity.out --reference reference/ghia1982_u_Re1000.csv reference/ghia1982_v_Re1000.csv

A reference's first column says along which coordinate (x, y or z) its values run; the line is the run's that goes along
that coordinate (--line to choose one of several).  Its other columns are u, v, w (velocity_x, _y, _z) and p; a pressure
is compared up to a constant.
"""
import argparse

from poise.scripts import command
import numpy as np

from poise import Run, compare, draw_profiles, save
from poise.reference import groups, where


def print_table(group):
    """Points down, references across: value and deviation of the run from it."""
    first = group[0]
    print(f"\n{first.quantity} on line \"{first.line_name}\" ({where(first)})"
          + (", up to a constant" if first.quantity == "pressure" else ""))
    print(f"{first.axis:>9} {'Poise':>10}" + "".join(f" | {c.label:>16} {'deviation':>10}" for c in group))
    for at in sorted({float(x) for c in group for x in c.at}, reverse=first.axis == "y"):
        cells, found = [], None
        for c in group:
            k = np.flatnonzero(c.at == at)
            if len(k):
                found = c.found[k[0]]
                cells.append(f" | {c.reference[k[0]]:16.5f} {c.deviation[k[0]]:+10.5f}")
            else:
                cells.append(" | " + 27 * " ")
        print(f"{at:9.4f} {found:10.5f}" + "".join(cells))
    print(f"{'largest deviation':>20}" + "".join(f" | {'':16} {c.largest:10.5f}" for c in group))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output directory of a run, NAME.out")
    parser.add_argument("--reference", nargs="+", required=True, metavar="FILE", help="CSV files to compare with")
    parser.add_argument("--quantities", default="uvw", metavar="uvwp", help="what to compare (default uvw)")
    parser.add_argument("--line", metavar="NAME", help="the line sample to use")
    parser.add_argument("--output", metavar="PNG", help="the picture (default NAME.out/profiles.png)")
    options = parser.parse_args()
    run = Run(options.run)
    comparisons = compare(run, options.reference, options.quantities, options.line)
    for group in groups(comparisons):
        print_table(group)
    print()
    save(draw_profiles(run, comparisons), options.output or run.path("profiles.png"))


if __name__ == "__main__":
    command(main)
