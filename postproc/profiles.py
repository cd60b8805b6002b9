#!/usr/bin/env python3
"""Line samples of a run against reference values: a table for each profile, and one picture.

    profiles.py cavity.out --reference reference/ghia1982_u_Re1000.csv reference/ghia1982_v_Re1000.csv

A reference's first column says along which coordinate (x, y or z) its values run; the line is the run's that goes along
that coordinate (--line to choose one of several).  Its other columns are u, v, w (velocity_x, _y, _z) and p; a pressure
is compared up to a constant.
"""
import argparse
import os
import re

import numpy as np

from poise import PoiseError, Run, Table, command, figure, save

QUANTITY = {"u": "velocity_x", "v": "velocity_y", "w": "velocity_z", "p": "pressure"}


def interpolate(x, y, at):
    """Cubic through the four nearest of the samples (x ascending, evenly spaced or not)."""
    if len(x) < 4:
        return np.interp(at, x, y)
    first = np.clip(np.searchsorted(x, at) - 2, 0, len(x) - 4)
    result = np.zeros(len(at))
    for i in range(4):
        weight = np.ones(len(at))
        for j in range(4):
            if i != j:
                weight *= (at - x[first + j]) / (x[first + i] - x[first + j])
        result += weight * y[first + i]
    return result


def label(reference):
    """"Ghia 1982" from the reference's "# paper:" line, else the file's name."""
    paper = reference.note("paper") or ""
    author, year = re.match(r"[^\W\d]+", paper), re.search(r"\b(1[89]|20)\d\d\b", paper)
    return f"{author[0]} {year[0]}" if author and year else os.path.basename(reference.path).removesuffix(".csv")


def along(line):
    """The coordinate that a line sample runs along, or None when it is oblique."""
    axes = [a for a in "xyz" if a in line.columns and np.ptp(line[a]) > 0]
    return axes[0] if len(axes) == 1 else None


def find_line(lines, axis, reference, only):
    found = [n for n, line in lines.items() if along(line) == axis and only in (None, n)]
    if len(found) != 1:
        have = ", ".join(f"{n} (along {along(line) or 'no axis'})" for n, line in lines.items())
        why = "no line" if not found else "more than one line"
        raise PoiseError(f"{reference.path}: {why} of the run goes along {axis}; there is: {have}"
                         + ("; choose with --line" if found else ""))
    return found[0]


class Comparison:
    """One quantity of one line against one reference: at, reference, found, all in the reference's points."""

    def __init__(self, line_name, line, axis, quantity, reference, column):
        self.line_name, self.line, self.axis, self.quantity = line_name, line, axis, quantity
        self.label, self.at, self.reference = label(reference), reference.rows[:, 0], reference.rows[:, column]
        order = np.argsort(line[axis])
        x, y = line[axis][order], line[quantity][order]
        slack = 1e-6 * np.ptp(x)
        if self.at.min() < x[0] - slack or self.at.max() > x[-1] + slack:
            raise PoiseError(f"{reference.path}: its points {self.at.min():g} .. {self.at.max():g} go beyond the line "
                             f"\"{line_name}\", {x[0]:g} .. {x[-1]:g}")
        self.found = interpolate(x, y, self.at)
        self.shift = float(np.mean(self.reference - self.found)) if quantity == "pressure" else 0.0
        self.found = self.found + self.shift
        self.deviation = self.found - self.reference

    @property
    def largest(self):
        return float(np.abs(self.deviation).max())


def compare(run, references, quantities="uvw", only=None):
    """Every quantity of every reference (paths) that is asked for, against the run's line samples."""
    lines, result = run.lines(), []
    for reference in map(Table, references):
        axis, *rest = [name.lower() for name in reference.columns]
        if axis not in "xyz":
            raise PoiseError(f"{reference.path}: its first column is \"{axis}\", expected x, y or z")
        name = find_line(lines, axis, reference, only)
        result += [Comparison(name, lines[name], axis, QUANTITY[q], reference, k)
                   for k, q in enumerate(rest, 1) if q in quantities and q in QUANTITY]
    if not result:
        raise PoiseError(f"none of the references holds any of {', '.join(quantities)}")
    return result


def groups(comparisons):
    """Those of the same line and quantity together, in order."""
    found = {}
    for c in comparisons:
        found.setdefault((c.line_name, c.quantity), []).append(c)
    return list(found.values())


def where(c):
    """"x = 0.5": where the line lies."""
    return ", ".join(f"{a} = {c.line[a][0]:g}" for a in "xyz" if a in c.line.columns and a != c.axis)


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


def picture(run, comparisons, path):
    panels = groups(comparisons)
    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    fig, axes = figure(4.8 * columns, 4.4 * rows, rows, columns)
    for ax in axes.flat[len(panels):]:
        ax.remove()
    for ax, group in zip(axes.flat, panels):
        first = group[0]
        upright = first.axis == "y"                             # a profile over the height is drawn over the height
        curve = (first.line[first.axis], first.line[first.quantity] + first.shift)
        ax.plot(*(curve[::-1] if upright else curve), color="#1f4e9c", label="Poise", zorder=2)
        for c, marker, colour in zip(group, "osD^v", ("#c8102e", "#222222", "#2e8b57", "#e08a00", "#7a3e9d")):
            points = (c.at, c.reference)
            ax.plot(*(points[::-1] if upright else points), marker, color=colour, fillstyle="none",
                    markersize=5.5 + (marker == "s"), markeredgewidth=1.1, label=c.label, zorder=3)
        names = (first.axis, first.quantity.replace("_", " "))
        ax.set_xlabel(names[upright]), ax.set_ylabel(names[not upright])
        ax.set_title(f"line {first.line_name}, {where(first)}")
        ax.legend()
    fig.suptitle(run.name)
    save(fig, path)


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
    picture(run, comparisons, options.output or run.path("profiles.png"))


if __name__ == "__main__":
    command(main)
