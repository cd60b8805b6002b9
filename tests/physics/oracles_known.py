"""Oracles of states that are known: a uniform temperature, the opposite temperature, a slab, and numbers written as
expressions or in tables."""
import numpy as np

import facts
from expressions import multiplied
from measure import EPSILON, compare_fields, insulation
from oracles_two import tight
from runs import NotApplicable, Wrong


def uniform(subject):
    """With one temperature given everywhere, and one value of each scalar, nothing changes them."""
    case, checked = subject.case, False
    subject.solved
    changes, value = {}, {}
    for name in facts.transported(case):
        if facts.given_values(case, name) is None:
            continue
        value[name] = v = subject.chance.one(1.0, 300.0, -2.5)
        for key, path in ((f"boundary.{n}.{k}", (n, k)) for n in case["boundary"] for k in case["boundary"][n]):
            if name == "temperature" and path[1] == "temperature":
                changes[key] = v
            if name == "temperature" and path[1] == "transfer":
                changes[key] = [case[key][0], v]
        if name == "temperature":
            changes["initial.temperature"] = v
            if "fluid.property_range" not in case and facts.depends_on(case, "temperature"):
                changes["fluid.property_range"] = [v - 1, v + 1]
        else:
            changes[f"scalars.{name}.initial"], changes[f"scalars.{name}.initials"] = v, None
            changes |= {f"scalars.{name}.values.{k}": v for k in case["scalars"][name].get("values", {})}
        checked = True
    if not checked:
        raise NotApplicable("no temperature or scalar, or with sources")
    # amounts are exact, of fluxes that are free of divergence to the tolerance of the pressure's linear solver
    b = subject.outcome(subject.on_mesh({**tight(case)[0], **changes}))
    if b.status == 1:
        raise NotApplicable(b.message)
    if b.status != 0:
        raise NotApplicable(b.name)
    # linear solvers leave 1e-12 of the right-hand side in a step or iteration; 1e-9 allows a thousand; rounding of what
    # flows within a good conductor is held against what leaves it
    for name, v in value.items():
        if name in b.run.field_names():
            values = b.field(name)
            subject.within(f"{name} is {values.min():.12g} to {values.max():.12g}, with {v} given everywhere: apart by",
                           float(np.abs(values - v).max() / abs(v)),
                           max(1e-9, 100 * EPSILON * insulation(case, b.run) if name == "temperature" else 0))


def opposite(subject):
    """A passive temperature, with everything given for it negated, is negated: walls warmer for colder."""
    case = subject.case
    if not facts.has_heat(case) or facts.is_buoyant(case) or facts.depends_on(case, "temperature") \
            or "surface_tension_slope" in case.get("second_fluid", {}) or "fluid.property_range" in case:
        raise NotApplicable("the temperature acts")
    settings, limit = tight(case)
    changes = {}
    for n, b in case["boundary"].items():
        for k in ("temperature", "heat_flux"):
            if k in b:
                changes[f"boundary.{n}.{k}"] = multiplied(b[k], -1.0)
        if "transfer" in b:
            changes[f"boundary.{n}.transfer"] = [b["transfer"][0], multiplied(b["transfer"][1], -1.0)]
    for n, s in case.get("sources", {}).items():
        if "heat" in s:
            changes[f"sources.{n}.heat"] = multiplied(s["heat"], -1.0)
    for k in ("initial.temperature", "fluid.reference_temperature"):
        if k in case:
            changes[k] = multiplied(case[k], -1.0)
    a, b = subject.outcome(subject.on_mesh(settings)), subject.outcome(subject.on_mesh({**settings, **changes}))
    if a.status != 0:
        raise NotApplicable(a.name)
    if b.status != a.status:
        raise Wrong(f"with the opposite temperatures: {b.name} {b.message}")
    compare_fields(subject, "with the opposite temperatures", a, b, limit,
                   move=lambda n, v: -v if n == "temperature" else v)


def slab(subject):
    """Conduction in a 2-D box is that in a 3-D one, a cell thick.  (Of a flow the planes of symmetry count in a_P, and
    so in Rhie and Chow's interpolation.)"""
    case = subject.case
    if not facts.solids_only(case):
        raise NotApplicable("a flow")
    box = case["mesh"].get("box", {})
    if len(box.get("cells", [])) != 2 or "distortion" in box or facts.depends_on(case, "z") or "prescribed" in case \
            or "shapes" in case or case.get("initial.field", "uniform") != "uniform":
        raise NotApplicable("no 2-D box")
    settings, limit = tight(case)
    a = subject.outcome(case.changed(settings))
    if a.status != 0:
        raise NotApplicable(a.name)
    thick = min(w / n for w, n in zip(box["to"], box["cells"]))
    changes = {"mesh.box": {"cells": [*box["cells"], 1], "to": [*box["to"], thick],
                            **({"stretch": [*box["stretch"], 1.0]} if "stretch" in box else {})}}
    side = {"type": "wall"}
    changes |= {"boundary.back": side, "boundary.front": side}
    b = subject.outcome(case.changed({**settings, **changes}))
    if b.status == 1:
        raise Wrong(f"as a slab: rejected: {b.message}")
    if b.status != a.status:
        raise Wrong(f"as a slab: {b.name}, not {a.name}")
    compare_fields(subject, "as a slab", a, b, limit)


def written(subject):
    """Numbers at boundaries written as expressions, or in tables, are the same numbers."""
    case, changes = subject.case, {}
    table = f"{subject.folder}/table.csv"
    for name, b in case["boundary"].items():
        for key in ("temperature", "heat_flux", "pressure", "velocity"):
            value = b.get(key)
            if isinstance(value, list) and not any(isinstance(v, str) for v in value) and b["type"] == "inlet":
                changes[f"boundary.{name}.{key}"] = [f"{float(v)!r}+0*x*y" for v in value]
            elif isinstance(value, float) and subject.chance.maybe():
                changes[f"boundary.{name}.{key}"] = f"{value!r}+0*(x+y)"
            elif isinstance(value, float) and key == "temperature":
                with open(table, "w", encoding="utf-8") as file:
                    file.write(f"y,temperature\n-1e9,{value!r}\n1e9,{value!r}\n")
                changes[f"boundary.{name}.{key}"] = f"table:{table}:temperature"
                table = table.replace(".csv", "_.csv")
    if not changes:
        raise NotApplicable("no numbers at boundaries")
    settings, limit = tight(case)
    values = facts.given_values(case, "temperature") or []
    if facts.has_heat(case) and "initial.temperature" not in case:      # the default is from numbers at boundaries
        settings = {**settings, "initial.temperature": next((v for v in values if isinstance(v, float)), 1.0)}
    a, b = subject.outcome(subject.on_mesh(settings)), subject.outcome(subject.on_mesh({**settings, **changes}))
    if a.status != 0:
        raise NotApplicable(a.name)
    if b.status != a.status:
        raise Wrong(f"with expressions for numbers: {b.name} {b.message}")
    compare_fields(subject, f"with {', '.join(changes)} as expressions or tables", a, b, limit)


def reference(subject):
    """Where all openings have one temperature, it is the default of the reference temperature: of a chimney the air
    outside is what neither rises nor sinks."""
    case = subject.case
    openings = {case["boundary"][n].get("temperature") for n in facts.flows(case)}
    if not facts.is_buoyant(case) or openings != {case.get("fluid.reference_temperature", "none")} \
            or isinstance(case.get("fluid.density"), str):
        raise NotApplicable("not open, or another reference temperature")
    a, b = subject.solved, subject.outcome(subject.on_mesh({"fluid.reference_temperature": None}))
    if b.status == 1:
        return                                                  # it must be given: as good
    if b.status != 0:
        raise NotApplicable(b.name)
    compare_fields(subject, "without fluid.reference_temperature, that of the openings", a, b,
                   20 * facts.tolerance(case))
