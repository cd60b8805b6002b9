"""Line samples of a run beside reference values.

    for c in compare(Run("cavity.out"), ["ghia1982_u_Re1000.csv"]):
        print(c.quantity, c.label, c.largest)
"""
import os
import re

import numpy as np

from poise.errors import PoiseError
from poise.table import Table

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
    """Compares the requested quantities of every reference (paths) with the run's line samples."""
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
