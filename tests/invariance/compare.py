"""Runs of a case and of the transformed case, and their differences."""
import glob
import os

import numpy as np

from poise import run
from poise.table import Table
from units import column_factor, factor

def prepare(setup, folder):
    """The native mesh of a setup, as the program writes it; the case's keys then name this file."""
    case = setup.base.changed({**setup.short(1), "averages": None})
    out = os.path.join(folder, "prepare.out")
    run(case, output=out, threads=1)
    mesh = os.path.join(folder, "mesh.h5")
    os.replace(os.path.join(out, "mesh.h5"), mesh)
    return mesh


def compute(case, mesh, folder, name, settings=None):
    """A run of the case on another mesh."""
    changed = case.changed({"mesh": {"file": os.path.abspath(mesh), **extras(case)}, **(settings or {})})
    return run(changed, output=os.path.join(folder, name + ".out"), threads=1)


def extras(case):
    return {k: v for k, v in case["mesh"].items() if k in ("ordering", "parts")}


def tables(result):
    """{path below the output directory: Table} of all tables that the run wrote."""
    found = sorted(glob.glob(os.path.join(glob.escape(result.directory), "**", "*.csv"), recursive=True))
    return {os.path.relpath(f, result.directory): Table(f) for f in found}


def worst_of(pairs):
    """[(what, difference)]: the largest for each name."""
    return max(pairs, key=lambda p: np.inf if np.isnan(p[1]) else p[1], default=("nothing", 0.0))


def same_bits(a, b, scales, scalars):
    """[(field or column, largest relative difference)] of two runs in different units that should be bitwise equal."""
    dim, apart = a.mesh.dim, []

    def look(name, mine, theirs, by):
        if mine.shape != theirs.shape:
            apart.append((f"{name} has other rows", np.inf))
        elif not np.array_equal(mine * by, theirs, equal_nan=True):
            size = np.nanmax(np.abs(mine)) or 1.0
            apart.append((name, float(np.nanmax(np.abs(theirs / by - mine)) / size)))

    if a.steps != b.steps:
        return [(f"fields of {a.steps}, {b.steps}", np.inf)]
    for step in a.steps:
        for name in a.field_names(step):
            look(name, a.field(name, step), b.field(name, step), column_factor(name, scales, dim, scalars))
    mine, theirs = tables(a), tables(b)
    for path, table in mine.items():
        relative = path == "residuals.csv"
        for name in table.columns:
            by = column_factor(name, scales, dim, scalars, relative)
            if path.startswith(("flows.csv", "scalars/")) and name not in ("iteration", "time"):
                by = factor("volume/time", scales, dim)
            if path.startswith("scalars/") and name not in ("iteration", "time"):
                by *= column_factor(path[8:-4], scales, dim, scalars)
            look(f"{path}: {name}", table[name], theirs[path][name], by)
    return apart


def sizes(result, fields, density):
    """What a difference of each field is measured by: its largest magnitude; of the pressure, its range; of a velocity
    (and so of its derivatives) no less than what that range drives, because one that is nearly zero is an error itself.
    All components of the gradient share one."""
    size = {n: float(np.nanmax(np.abs(result.field(n)), initial=0)) for n in fields if "pressure" not in n}
    size |= {n: float(np.ptp(result.field(n))) for n in fields if "pressure" in n}
    gradients = [n for n in fields if n.startswith("gradient")]
    size |= {n: max(size[g] for g in gradients) for n in gradients}
    if size.get("velocity") and "pressure" in size:
        driven = max(1.0, (size["pressure"] / density) ** 0.5 / size["velocity"])
        size |= {n: driven * size[n] for n in ["velocity", "vorticity", *gradients] if n in size}
    return {n: v or 1.0 for n, v in size.items()}


def difference(name, mine, theirs, size):
    """Largest difference of a field, as a part of its size.  A curvature is there where the interface is."""
    if name == "curvature":
        both = np.isfinite(mine) & np.isfinite(theirs)
        mine, theirs = mine[both], theirs[both]
    if mine.shape != theirs.shape:                              # a vector of 2-D beside one of 3-D
        mine = np.pad(mine, ((0, 0), (0, theirs.shape[1] - mine.shape[1])))
    return float(np.max(np.abs(theirs - mine), initial=0) / size)


def differences(a, b, move, by, size, raised=None):
    """[(field, difference)] of the last written fields, b's measured in a's units (by), a's seen as b's are (move);
    raised: {field: what was added to it}."""
    return [(n, difference(n, move(n, a.field(n)), b.field(n) / by(n) - (raised or {}).get(n, 0.0), size[n]))
            for n in size]


def iterations(result):
    return int(result.table("residuals.csv")["iteration"][-1])
