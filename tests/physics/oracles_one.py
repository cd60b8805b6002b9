"""Oracles that need one run only: it ends, holds numbers, stays within bounds, conserves what it should."""
import glob
import os
import re

import h5py
import numpy as np

import facts
from measure import EPSILON, field_sizes
from poise.table import Table
from runs import NotApplicable, Wrong

NEVER_NAN = {"velocity", "pressure", "fraction", "temperature", "density", "viscosity", "vorticity"}
# Of the throughput; more is not status 0 by docs/reference/exit-statuses.md and the issue of heat, scalars and time.
OPEN_BALANCE = 1e-4


def ends(subject):
    """No crash, no hanging, and no case of the tool's is invalid."""
    base = subject.base
    if base.status < 0 or base.status == 4 or base.status > 6:
        raise Wrong(f"{base.name}: {base.message}")


def finite(subject):
    """No NaN in any file of a run that has not diverged."""
    base = subject.base
    if base.status not in (0, 2, 5):
        raise NotApplicable(base.name)
    for path in glob.glob(os.path.join(base.directory, "fields", "*.h5")):
        with h5py.File(path) as file:
            for name in file:
                if name in NEVER_NAN | set(facts.transported(subject.case)) and not np.isfinite(file[name][:]).all():
                    raise Wrong(f"{os.path.basename(path)}: {name} has values that are not finite; {base.name}")
    for path in glob.glob(os.path.join(base.directory, "**", "*.csv"), recursive=True):
        table = Table(path)
        for name in table.columns:
            if name not in ("key", "by", "circularity") and not np.isfinite(table[name]).all():
                raise Wrong(f"{os.path.relpath(path, base.directory)}: {name} has values that are not finite; "
                            f"{base.name}")


JUDGED = 1e-4                                                   # of the spread: more ends with status 2


def bounds(subject):
    """A temperature or scalar without sources stays within its boundary and initial values: to 1e-6 of their spread, or
    ten times the tolerance of a steady run.  Schemes that may overshoot by the help, if the case chooses one: by half
    of it, at the end, where the program judges it.  With sources or fluxes of one sign it stays on one side of them,
    with bounded schemes: likewise of all its values.  Where the limiter holds it loosely, within the part that the
    program judges."""
    base, case, checked = subject.solved, subject.case, False
    for name in facts.transported(case):
        found = facts.bounds(case, name, base.run.mesh)
        if not found or name not in base.run.field_names():
            continue
        low, high = found
        spread, level = high - low, max(abs(low), abs(high))
        if spread <= 1e-9 * level:                              # uniform: what solvers leave counts, another oracle
            continue
        loose = facts.may_overshoot(case, name)
        room = 0.5 if loose else max(1e-6, 10 * facts.tolerance(case) * facts.steady(case))
        room = max(room, JUDGED) if facts.is_held_loosely(case, name) else room
        for step in base.run.steps[-1:] if loose else base.run.steps:
            values = base.run.field(name, step)
            beyond = max(low - values.min(), values.max() - high)
            subject.within(f"{name} from {values.min():.6g} to {values.max():.6g} where {low:.6g} to {high:.6g} is "
                           "given: beyond by", beyond, room * spread + 1e3 * EPSILON * level)
        checked = True
    for name in facts.transported(case):
        found = facts.one_bound(case, name, base.run.mesh)
        if not found or name not in base.run.field_names() or facts.may_overshoot(case, name):
            continue
        room = max(1e-6, 10 * facts.tolerance(case) * facts.steady(case))
        for step in base.run.steps:
            values = base.run.field(name, step)
            beyond = max(found[0] - values.min(), values.max() - found[1])
            all_values = [v for v in (*found, values.min(), values.max()) if np.isfinite(v)]
            subject.within(f"{name} from {values.min():.6g} to {values.max():.6g} where one of {found} is a bound: "
                           "beyond by", beyond, room * np.ptp(all_values) + 1e3 * EPSILON * np.abs(all_values).max())
        checked = True
    if facts.two_fluids(case) and "fraction" in base.run.field_names():
        values = base.run.field("fraction")
        subject.within(f"fraction from {values.min():.6g} to {values.max():.6g}: beyond by",
                       max(-values.min(), values.max() - 1), 1e-9)
        checked = True
    if not checked:
        raise NotApplicable("nothing has bounds")


def _columns(table, leave=("iteration", "time", "balance")):
    return [c for c in table.columns if c not in leave and not c.endswith("_nusselt")]


def balances(subject):
    """Mass: flows.csv.  Heat: heat.csv.  Scalars: scalars/NAME.csv.  Each to 1e-4 of the throughput, or 100 times the
    tolerance of a steady run, in the last row, in time of heat and scalars in every row.  Mass in time: of the largest
    throughput so far, since an oscillating one vanishes at times while the solver's errors are those of its changes."""
    base, case = subject.solved, subject.case
    limit = max(OPEN_BALANCE, 100 * facts.tolerance(case)) if facts.steady(case) else OPEN_BALANCE
    flows, heat = base.table("flows.csv"), base.table("heat.csv")
    scalars = {n: base.table("scalars", f"{n}.csv") for n in facts.scalars(case)}
    if flows is None and heat is None and not scalars:
        raise NotApplicable("nothing to balance")
    if flows is not None:
        rows = {c: float(flows[c][-1]) for c in _columns(flows)}
        used = slice(-1, None) if facts.steady(case) else slice(None)
        through = max(sum(abs(flows[c][used]) for c in rows) / 2)
        floor = 1e-10 * _flow_scale(base)
        if through > floor:
            subject.within(f"flows.csv: {_told(rows)}: balance over throughput",
                           abs(flows["balance"][-1]) / through, limit)
    if heat is not None:
        _balance_of(subject, "heat.csv", heat, limit, lambda step: _heat_floor(subject, step))
    for name, table in scalars.items():
        _balance_of(subject, f"scalars/{name}.csv", table, limit, lambda step: _scalar_floor(subject, name, step))


def _balance_of(subject, path, table, limit, floor):
    steady = facts.steady(subject.case)
    for row in [-1] if steady else range(len(table)):
        step = None if steady else float(subject.solved.table("residuals.csv")["step"][row])
        rows = {c: float(table[c][row]) for c in _columns(table)}
        through = sum(abs(v) for v in rows.values()) / 2
        least = floor(step)
        # The program takes 1e-13 of an amount for rounding: of what a solver leaves and of what is cut off at bounds.
        if through > least:
            subject.within(f"{path}: {_told(rows)}: balance over throughput", abs(table["balance"][row]) / through,
                           limit + least / through)


def _told(rows):
    return ", ".join(f"{c} {v:.4g}" for c, v in rows.items())


def _flow_scale(base):
    """Of a flow through the domain: velocity times area, at most."""
    if "velocity" not in base.run.field_names():
        return 0.0
    mesh = base.run.mesh
    volume = float(mesh.volumes().sum())
    return float(np.abs(base.run.field("velocity")).max()) * volume ** ((mesh.dim - 1) / mesh.dim)


def _number(value, otherwise=1.0):
    """Of an expression, the number before its first star: drawn properties are a number times a wave near 1."""
    if isinstance(value, str):
        found = re.match(r"[\d.e+-]+(?=\*)", value)
        return float(found.group()) if found else otherwise
    return otherwise if value is None else float(value)


def _heat_floor(subject, step):
    """What rounding of a heat content leaves: 1e3 roundings of the largest capacity times temperature, in a step of
    this length (None: steady), of the largest conductivity times temperature over a cell, and of the largest transfer
    times temperature."""
    base, case = subject.base, subject.case
    groups = [case.get(k, {}) for k in ("fluid", "second_fluid")] + list(case.get("solids", {}).values())
    capacity = max(_number(g.get("density")) * _number(g.get("heat_capacity")) for g in groups if g)
    conductivity = max(_number(g.get("conductivity")) for g in groups if g)
    transfer = max((_number(b["transfer"][0]) for b in case["boundary"].values() if "transfer" in b), default=0.0)
    return _floor(base, float(np.abs(base.run.field("temperature")).max()), capacity, conductivity, step, transfer)


def _scalar_floor(subject, name, step):
    """Likewise.  In the cells where there is none of its fluid a scalar dissolved in it has any of its values."""
    own = subject.case["scalars"][name]
    given = [own.get("initial", 0.0), *own.get("values", {}).values(), *own.get("initials", {}).values()]
    level = max(np.abs(subject.base.run.field(name)).max(), *(abs(_number(v)) for v in given))
    return _floor(subject.base, float(level), 1.0, _number(own.get("diffusivity")), step)


def _floor(base, level, capacity, conductivity, step, transfer=0.0):
    volumes, dim = base.run.mesh.volumes(), base.run.mesh.dim
    h = float(volumes.min()) ** (1 / dim)
    area = float(volumes.sum()) ** ((dim - 1) / dim)
    storage = capacity * volumes.sum() / step if step else 0.0
    carried = capacity * _flow_scale(base)
    return 1e3 * EPSILON * level * (storage + (conductivity / h + transfer) * area + carried)


def amounts(subject):
    """In a closed domain a scalar without sources, fluxes and values keeps its amount, and insulated heat its own; two
    closed fluids keep their volumes."""
    base, case, checked = subject.solved, subject.case, False
    if facts.steady(case) or not facts.closed(case):
        raise NotApplicable("steady or open")
    mesh = base.run.mesh
    volumes = mesh.volumes()
    if len(base.run.steps) < 2:
        raise NotApplicable("no fields before the end")
    first, last = base.run.steps[0], base.run.steps[-1]
    size = field_sizes(subject, base.run)
    for name in facts.scalars(case):
        own = case["scalars"][name]
        if any(own.get(k) for k in ("sources", "fluxes", "values")) or own.get("fluid", "both") != "both":
            continue
        a, b = (float(volumes @ base.run.field(name, s)) for s in (first, last))
        scale = float(volumes @ np.abs(base.run.field(name, first))) + volumes.sum() * size[name]
        # a linear solver leaves a part of its right-hand side in each step
        subject.within(f"amount of {name} {a:.10g}, later {b:.10g}: changed by", abs(b - a) / scale, 1e-8)
        checked = True
    if facts.two_fluids(case) and "fraction" in size and "prescribed" not in case:
        a, b = (float(volumes @ base.run.field("fraction", s)) for s in (first, last))
        subject.within(f"volume of the second fluid {a:.10g}, later {b:.10g}: changed by", abs(b - a) / volumes.sum(),
                       1e-8)
        checked = True
    if not checked:
        raise NotApplicable("nothing is closed")
