"""Differences of the fields of two runs, each as a part of the field's size."""
import numpy as np

import facts
from compare import difference, sizes
from runs import NotApplicable

EPSILON = float(np.finfo(float).eps)
SMALLEST = 1e-300


def density(case):
    found = [case.get(key + ".density", 1.0) for key in ("fluid", "second_fluid")]
    return max([d for d in found if not isinstance(d, str)] or [1.0])


def _viscosity(case):
    found = [case.get(key + ".viscosity", 0.0) for key in ("fluid", "second_fluid")]
    return max(v for v in [*found, 0.0] if not isinstance(v, str))


def _driving(case, run):
    """The pressure that an acceleration or a driving gradient is worth over the length of the domain, and that of
    surface tension on an interface with this radius: on a level at rest all pressures are its rounding."""
    length = float(np.ptp(run.mesh.vertices, axis=0).max())
    force = density(case) * float(np.linalg.norm(case.get("fluid.acceleration", 0.0)))
    if "driven" in case:
        force += float(np.abs(run.table("driven.csv")["pressure_gradient"][-1]))
    return force * length + case.get("second_fluid.surface_tension", 0.0) / length


def flow_range(case, run):
    """Of the pressure: the range that drives a flow, without solids, whose pressure is 0; the smaller one of two
    circuits."""
    pressure, regions = run.field("pressure"), run.mesh.regions.astype(str)
    fluid = ~np.isin(regions, list(case.get("solids", {})))
    parts = [regions == n for n in ("one", "two")] if "right_2" in case["boundary"] else [fluid]
    return min(float(np.ptp(pressure[part])) for part in parts)


def field_sizes(subject, run):
    """{field: what a difference is measured by}.  Of a velocity and a pressure as in tests/invariance; a pressure no
    less than that of the flow's own velocity, nor than what drives the flow instead of it: where these balance, a
    pressure that is zero has the errors of both, nor than a millionth of viscous stresses, whose rounding it has, in
    steady flow than those across a mean cell: a balance of both is solved to the tolerance, and in a Couette flow, of
    no pressure at all, what is left of it is a part of them; of a temperature or a scalar the spread of its values, in
    time with the given ones: solves end at a part of what a step changes."""
    case = subject.case
    names = [n for n in run.field_names() if n != "region"]
    size = sizes(run, names, density(case))
    if "pressure" in size:
        size["pressure"] = max(size["pressure"], _driving(case, run))
    if "velocity" in size and "pressure" in size and np.abs(run.field("velocity")).max() > SMALLEST:
        speed, volumes = float(np.abs(run.field("velocity")).max()), run.mesh.volumes()
        smallest, mean = (float(v) ** (1 / run.mesh.dim) for v in (volumes.min(), volumes.mean()))
        stress = _viscosity(case) * speed * max(1e-6 / smallest, 1 / mean if facts.steady(case) else 0)
        size["pressure"] = max(size["pressure"], density(case) * speed**2, stress)
    size |= {n: 1.0 for n in size if n == "fraction"}
    for name in facts.transported(case):
        if name in size:
            given = facts.given_range(case, name, run.mesh) or ()
            spread = float(np.ptp(given) if given else 0)
            values = [run.field(name), given if not facts.steady(case) else ()]
            spread = max(spread, float(np.ptp(np.concatenate(values))))
            # a millionth of the level: less is what solvers leave of a uniform one
            size[name] = max(spread, 1e-6 * float(np.abs(run.field(name)).max())) or 1.0
    return size


def insulation(case, run):
    """The largest conductance of a cell over the smallest one of a cell, a contact or an exchange with surroundings:
    temperatures of a good conductor are rounded, and their rounding times its conductance is held against what leaves
    it.  Expressions are left aside."""
    groups = [case.get("fluid", {}), *case.get("solids", {}).values()]
    conducts = [g["conductivity"] for g in groups if isinstance(g.get("conductivity"), (int, float))]
    if not conducts:
        return 1.0
    cells = run.mesh.volumes() ** (1 / run.mesh.dim)
    exchanged = [b["transfer"][0] for b in case["boundary"].values() if "transfer" in b]
    others = [h for h in exchanged if isinstance(h, (int, float)) and h > 0]
    others += [1 / g["contact_resistance"] for g in groups if g.get("contact_resistance", 0) > 0]
    return max(conducts) / float(cells.min()) / min([min(conducts) / float(cells.max()), *others])


def rounding(subject, run, size):
    """Rounding of the absolute levels, as a part of the sizes: a temperature of 300 with a spread of 1e-3.  1e3: as
    many operations add up, at worst."""
    parts = [np.abs(run.field(n)).max() / size[n] for n in [*facts.transported(subject.case), "pressure"] if n in size]
    return 1e3 * EPSILON * float(max([1.0, *parts]))


def rounded_by_conductors(subject, run, size):
    """{"temperature": rounding of its level in good conductors, as a part of its size}: in °C, from 0, two runs that
    differ by it in kelvin agree to 1e-11."""
    if "temperature" not in size:
        return {}
    level = float(np.abs(run.field("temperature")).max()) / size["temperature"]
    return {"temperature": 100 * EPSILON * level * insulation(subject.case, run)}


# A stage of a temperature or scalar in a long step ends at this part of the residual at the step's start
# (docs/explanation/numerics.md); from this Courant number on.  Of conduction alone, with status 0.
STAGE, LONG_COURANT, STAGE_OF_CONDUCTION = 0.01, 0.75, 1e-3
# From this diffusion number across the thinnest cell on there are stages at smaller ones, too, where the mesh is no
# regular box: of diffusion, whose passes may end far above their aim in oblique cells, with a warning in the last step.
STIFF = 0.2


def _is_stiff(case, mesh):
    groups = [case.get(k, {}) for k in ("fluid", "second_fluid")] + list(case.get("solids", {}).values())
    keys = ("conductivity", "density", "heat_capacity")
    rows = [[g.get(k, 1.0) for k in keys] for g in groups if "conductivity" in g]
    given = [k / (d * c) for k, d, c in rows if not any(isinstance(v, str) for v in (k, d, c))]
    given += [s["diffusivity"] for s in case.get("scalars", {}).values() if not isinstance(s["diffusivity"], str)]
    boxes = [np.ptp(mesh.vertices[mesh.corners[a:b]], axis=0) for a, b in zip(mesh.start[:-1], mesh.start[1:])]
    thickness = mesh.volumes() / np.linalg.norm(boxes, axis=1) ** (mesh.dim - 1)
    return max(given, default=0.0) * case["time.step"] > STIFF * float(thickness.min()) ** 2


def left_in_stages(subject, run, size):
    """{name: what the iterations of its stages leave}: 1 % of the largest change in a step, of conduction, also in a
    fluid at rest or in steps of small Courant numbers, a tenth of that, on boxes nothing.  Where in it is chance: the
    passes of a stage amplify rounding until it is as large as that."""
    case = subject.case
    if facts.steady(case) or not facts.transported(case):
        return {}
    courant = 0 if facts.solids_only(case) else np.nanmax(run.table("residuals.csv")["courant"], initial=0)
    conduction = courant == 0 or courant <= LONG_COURANT and _is_stiff(case, run.mesh)
    if "box" in case["mesh"] and "distortion" not in case["mesh"]["box"] if conduction else not courant > LONG_COURANT:
        return {}
    part = STAGE_OF_CONDUCTION if conduction else STAGE
    fields = {n: [run.field(n, step) for step in run.steps] for n in facts.transported(subject.case) if n in size}
    whole = size if conduction else dict.fromkeys(size, 0)      # where fields are written at the end alone
    return {n: part * max((float(np.abs(v - w).max()) for v, w in zip(x, x[1:])), default=whole[n]) / size[n]
            for n, x in fields.items()}


def compare_fields(subject, what, a, b, limit, stages=False, apart=None, **seen):
    """Raises Wrong if a field of b differs from that of a, seen as b sees it (differences()), by more than the limit;
    stages: and by left_in_stages() of both; apart: {field: and by this part of its size}."""
    seen["size"] = size = seen.get("size") or field_sizes(subject, a.run)
    limit += rounding(subject, a.run, size)
    left = [left_in_stages(subject, x.run, size) for x in (a, b)] if stages else []
    left.append(rounded_by_conductors(subject, a.run, size))
    for name, value in differences(subject, a, b, **seen).items():
        subject.within(f"{what}: {name} differs by a part of its range,", value,
                       limit + sum(part.get(name, 0.0) for part in [*left, apart or {}]))


def differences(subject, a, b, move=None, raised=None, size=None, step=None):
    """{field: difference as a part of its size}.  step: None: the last."""
    a, b, found = a.run, b.run, {}
    for name, its_size in (size or field_sizes(subject, a)).items():
        if name not in b.field_names(step):
            continue
        mine, theirs = a.field(name, step), b.field(name, step)
        if name == "pressure" and "solids" in subject.case:     # it is 0 there
            fluid = ~np.isin(a.mesh.regions.astype(str), list(subject.case["solids"]))
            mine, theirs = mine[fluid], theirs[fluid]
        mine = move(name, mine) if move else mine
        if name == "pressure" and level_is_free(subject.case):
            mine, theirs = mine - mine.mean(), theirs - theirs.mean()
        else:
            theirs = theirs - (raised or {}).get(name, 0.0)
        found[name] = difference(name, mine, theirs, its_size)
    return found


def between_solutions(subject, case):
    """{field: the differences from other starts, with a tolerance a hundred times as small}: a limiter that switches
    with the sign of differences may leave several solutions, to each of which runs converge."""
    finely = case.changed({"solver.tolerance": facts.tolerance(case) / 100})
    first, apart = subject.outcome(finely), {}
    for start in facts.given_range(case, "temperature", subject.base.run.mesh) or ():
        other = subject.outcome(finely.changed({"initial.temperature": start}))
        if first.status != 0 or other.status != 0:
            raise NotApplicable("with a smaller tolerance the run does not converge")
        for name, value in differences(subject, first, other).items():
            apart[name] = max(apart.get(name, 0.0), value)
    return apart


def level_is_free(case):
    """Without an outlet the pressure has a level of its own."""
    return not any(b["type"] == "outlet" or "total_pressure" in b for b in case["boundary"].values())
