"""Oracles about limits: a smaller tolerance, the end of a long time, shorter steps, finer meshes."""
import numpy as np

import facts
from expressions import uses, value_at
from measure import compare_fields, field_sizes, rounding
from meshes import refined
from oracles_two import tight
from runs import NotApplicable


def tolerance(subject):
    """Status 0 only if a run with a hundredth of the tolerance agrees within ten times the tolerance."""
    case = subject.case
    if not facts.steady(case):
        _tolerance_in_time(subject)
        return
    a, tol = subject.solved, facts.tolerance(case)
    b = subject.outcome(subject.on_mesh({"solver.tolerance": tol / 100, "solver.max_iterations": 20000,
                                         "solver.stall_limit": 300}))
    if b.status not in (0, 2, 5):
        raise NotApplicable(f"with a hundredth of the tolerance the run is {b.name}")
    if b.status != 0 and _worst_residual(b) > tol:              # it solves the equations less well than the other
        raise NotApplicable(f"with a hundredth of the tolerance the run is {b.name}, above the tolerance")
    compare_fields(subject, f"tolerance {tol / 100:.0e} instead of {tol:.0e} ({b.name})", a, b, 10 * tol)


def _worst_residual(outcome):
    table = outcome.table("residuals.csv")
    return max(float(table[c][-1]) for c in table.columns
               if c not in ("iteration", "continuity") and not c.startswith("inner_"))


def _tolerance_in_time(subject):
    """The error that the scheme adds while a quantity changes by its own size is time.tolerance of it at most."""
    case = subject.case
    if not case.get("time.tolerance"):
        raise NotApplicable("in time, without a tolerance")
    a, tol = subject.solved, case["time.tolerance"]
    b = subject.outcome(subject.on_mesh({"time.tolerance": tol / 100, "time.max_steps": 3000, "output.every": 0}))
    if b.status != 0:
        raise NotApplicable(f"with a hundredth of time.tolerance the run is {b.name}")
    compare_fields(subject, f"time.tolerance {tol / 100:.0e} instead of {tol:.0e}", a, b, 10 * tol,
                   size=_heat_only(field_sizes(subject, a.run), case))


def _time_scales(subject):
    """Times of diffusion through a cell and through the domain, and of flow through it, of the slowest and the fastest
    material."""
    case, mesh = subject.case, subject.base.run.mesh
    length = float(np.ptp(mesh.vertices, axis=0).max())
    groups = list(case.get("solids", {}).values())
    fluid = case.get("fluid", {})
    rates = []
    for g in groups + [fluid] * (facts.has_heat(case) and not facts.solids_only(case)):
        numbers = [g.get("density", 1.0), g.get("heat_capacity", 1.0), g.get("conductivity", 1.0)]
        if any(isinstance(n, str) for n in numbers):
            raise NotApplicable("properties are expressions")
        rates.append(numbers[2] / (numbers[0] * numbers[1]))
    rates += [s["diffusivity"] for s in case.get("scalars", {}).values() if not isinstance(s["diffusivity"], str)]
    if "viscosity" in fluid and not facts.solids_only(case):
        if isinstance(fluid["viscosity"], str) or isinstance(fluid.get("density", 1.0), str):
            raise NotApplicable("properties are expressions")
        rates.append(fluid["viscosity"] / fluid.get("density", 1.0))
    if not rates:
        raise NotApplicable("the viscosity is a law")
    return length**2 / max(rates), length**2 / min(rates)


def steady_in_time(subject):
    """From a steady result a run in time stays there, with any step.  (Of a flow, the mean change over the volume: the
    fluxes of piso and pimple are interpolated otherwise, and `limited` has other room, which on these coarse meshes is
    some percent, and anything in the cell where an inlet meets an outlet.  Where it is more, it must be less on a mesh
    twice as fine, or on the next one: beside a corner with cells longer than the channel is wide the first tells
    nothing.)"""
    case = subject.case
    if not facts.steady(case) or facts.depends_on(case, "t") or "driven" in case:
        raise NotApplicable("in time")
    a = subject.solved
    fast, slow = _time_scales(subject)
    c = subject.chance
    step = c.log(fast * 1e-2, slow * 1e5)
    if "velocity" in a.run.field_names() and np.abs(a.field("velocity")).max() > 0:
        mesh = a.run.mesh
        h = float(mesh.volumes().min()) ** (1 / mesh.dim)
        step = c.log(1e-2, 1e3) * h / float(np.abs(a.field("velocity")).max())
    conduction = facts.solids_only(case)
    new = "transient-conduction" if conduction else c.one("piso", "pimple")
    scheme = c.one("euler", "bdf2", "crank-nicolson")
    count = 40
    settings = {"solver.algorithm": new, "solver.tolerance": None, "solver.max_iterations": None,
                "solver.stall_limit": None, "solver.acceleration": None, "solver.newton": None, "solver.coupled": None,
                "solver.relaxation_velocity": None, "solver.relaxation_pressure": None, "convergence": None,
                "time": {"end": step * count, "step": step, "scheme": scheme}}
    if "buoyancy" in case or "fluid.expansion" in case and "fluid.reference_temperature" not in case:
        raise NotApplicable("the reference temperature is that of the start")
    what = f"from the steady result {count} steps of {step:.3g} ({new}, {scheme})"
    if conduction:
        b = _later(subject, a, settings, what)
        compare_fields(subject, what, a, b, 20 * facts.tolerance(case) * count,
                       size=_heat_only(field_sizes(subject, a.run), case))
        return
    moved = _mean_changes(subject, a, settings, what)
    name = max(moved, key=moved.get, default=None)
    if name and moved[name] > 0.05:
        mesh, changes = case["mesh"], [moved[name]]
        while len(changes) < 2 or len(changes) < 3 and changes[1] > MUCH * changes[0]:
            mesh = refined(mesh)
            fine = subject.outcome(case.changed({"mesh": mesh})) if mesh else a
            if not mesh or fine.status != 0:
                raise NotApplicable(f"{what}: {name} changes by {changes[-1]:.3g}, and a finer run is {fine.name}")
            changes.append(_mean_changes(subject, fine, settings, what)[name])
        subject.within(f"{what}: {name} changes by {changes[0]:.3g} of its range, and on finer meshes by "
                       + ", ".join(f"{x:.3g}" for x in changes[1:]) + ", of the one before",
                       changes[-1] / changes[-2], MUCH)


MUCH = 0.75


def _later(subject, a, settings, what):
    """The run in time from the result a, on its mesh."""
    b = subject.outcome(subject.case.changed({**settings, "mesh": {"file": a.run.path("mesh.h5")},
                                              "initial": {"file": a.run.directory}}))
    if b.status == 1:
        raise NotApplicable(b.message)
    if b.status != 0:
        raise NotApplicable(f"{what}: {b.name}")                # it says so itself
    return b


def _mean_changes(subject, a, settings, what):
    """{field: the mean change of its largest component, over the volume, as a part of its size}"""
    b = _later(subject, a, settings, what)
    volumes, found = a.run.mesh.volumes(), {}
    for name, size in _heat_only(field_sizes(subject, a.run), subject.case).items():
        change = np.abs(b.field(name) - a.field(name)).reshape(len(volumes), -1).max(axis=1)
        found[name] = float(volumes @ change / volumes.sum() / size)
    return found


def _heat_only(size, case):
    """Of a flow that passes, the temperature and scalars, and the velocity.  Not of `central`, which oscillates on
    these coarse meshes, and whose oscillations depend on the step."""
    return {n: v for n, v in size.items()
            if n == "velocity" or n in facts.transported(case) and facts.scheme(case, n) != "central"}


def long_time(subject):
    """The end of a long run in time is the steady state of the same case."""
    case = subject.case
    if not facts.solids_only(case) or facts.depends_on(case, "t"):
        raise NotApplicable("not conduction")
    given = [v for b in case["boundary"].values() for v in (b.get("temperature"), *b.get("transfer", [])[1:])
             if v is not None]
    if not given:
        raise NotApplicable("no steady state of its own")
    subject.solved
    _, slow = _time_scales(subject)
    length = float(np.ptp(subject.base.run.mesh.vertices, axis=0).max())
    capacity = max(s["density"] * s["heat_capacity"] for s in case["solids"].values())
    outer = [1 / b["transfer"][0] for b in case["boundary"].values() if "transfer" in b]
    contacts = [s.get("contact_resistance", 0.0) for s in case["solids"].values()]
    # through the slowest material, the outer resistance and the contacts one after another
    step = (slow + capacity * length * (max(outer, default=0) + 2 * max(contacts))) * subject.chance.log(1, 1e4)
    scheme = case.get("time.scheme", subject.chance.one("euler", "bdf2", "crank-nicolson"))
    # from one of the given values: those of the start are bounds, too, but only in time
    b = subject.outcome(subject.on_mesh({"solver": {"algorithm": "transient-conduction"},
                                         "initial.temperature": given[0],
                                         "time": {"end": 30 * step, "step": step, "scheme": scheme}}))
    a = subject.outcome(subject.on_mesh({"time": None, "solver.algorithm": "conduction", "solver.tolerance": 1e-9,
                                         "solver.max_iterations": 5000}))
    if a.status != 0 or b.status != 0:
        raise NotApplicable(f"steady {a.name}, in time {b.name}")
    # bdf2 and crank-nicolson start with damped steps; thirty steps as long as the slowest time leave 2^-30
    size = _heat_only(field_sizes(subject, a.run), case)
    # the best conductor's heat, of differences that are rounding, is that of 1/contrast of them in the worst one
    noise = 0.1 * rounding(subject, a.run, size) * facts.contrast(case)
    compare_fields(subject, f"after 30 steps of {step:.3g} ({scheme}) instead of the steady state", a, b, 1e-5 + noise,
                   size=size)


def _starts_at_rest(subject):
    """Nothing acts at the start, and nothing jumps: then all three schemes have their order from the first step."""
    case = subject.case
    if any(k in case for k in ("driven", "sources", "prescribed", "second_fluid")) or "fluid.acceleration" in case \
            or "fluid.gravity" in case:
        raise NotApplicable("the start is not smooth")
    t0 = {"t": 0.0, "x": 0.0, "y": 0.0, "z": 0.0, "temperature": 0.0}
    first = case.get("initial.temperature", 0.0)
    if case.get("initial.velocity", [0]) and any(case.get("initial.velocity", [0])) or isinstance(first, str):
        raise NotApplicable("the start is not smooth")
    ramps = 0
    for b in case["boundary"].values():
        moving = [*b.get("velocity", []), b.get("flow_rate", 0.0), b.get("pressure", 0.0)]
        heated = [b["temperature"]] if "temperature" in b else []
        for value, rest in [(v, 0.0) for v in moving] + [(v, first) for v in heated]:
            if uses(value, "x", "y", "z") or abs(value_at(value, **t0) - rest) > 1e-12 * abs(rest):
                raise NotApplicable("the start is not smooth")
            if uses(value, "t"):
                small = case["time.step"] * 1e-3
                slope = (value_at(value, **{**t0, "t": small}) - rest) / small
                whole = value_at(value, **{**t0, "t": case["time.end"]}) - rest
                if abs(slope * case["time.end"]) > 0.1 * abs(whole):
                    raise NotApplicable("the start is not smooth")
                ramps += 1
        if any(k in b for k in ("heat_flux", "transfer", "rotation", "total_pressure", "mass_flow")):
            raise NotApplicable("the start is not smooth")
    if not ramps or case.get("scalars"):
        raise NotApplicable("nothing happens")


def schemes(subject):
    """Crank-Nicolson and bdf2, of second order, are closer to each other than Euler's scheme, of first, is to bdf2:
    with steps so short that Euler's error is small, and at the time of the largest difference of each, since Euler's
    error in a flow that oscillates has zeros; in the second half, since Crank-Nicolson's first steps are Euler's."""
    case = subject.case
    if facts.steady(case) or "time" not in case:
        raise NotApplicable("steady")
    _starts_at_rest(subject)
    settings = {**tight(case)[0], "time.step": case["time.end"] / 40, "time.courant": None, "time.max_steps": None,
                "time.tolerance": None, "output.every": 4}      # a tolerance gives Euler's scheme shorter steps
    if facts.algorithm(case) in ("piso", "pimple"):             # with 4, viscosity keeps a splitting error above theirs
        settings["solver.correctors"] = 20
    found = {}
    for scheme in ("bdf2", "crank-nicolson", "euler"):
        found[scheme] = subject.outcome(subject.on_mesh({**settings, "time.scheme": scheme}))
        if found[scheme].status != 0:
            raise NotApplicable(found[scheme].name)
    size = _heat_only(field_sizes(subject, found["bdf2"].run), case)
    for name, scale in size.items():
        first, second = (max(float(np.abs(found[s].run.field(name, n) - found["bdf2"].run.field(name, n)).max())
                             for n in found["bdf2"].run.steps if n >= 20) / scale for s in ("euler", "crank-nicolson"))
        if 1e-4 < first < 0.2:                                  # 1e-4: more than what splitting leaves
            subject.within(f"{name}: crank-nicolson and bdf2 are apart by {second:.3g}, euler and bdf2 by {first:.3g}:",
                           second / first, 0.6)


def steps(subject):
    """With half the step, and a quarter, results come closer; or with an eighth: the splitting error of viscosity falls
    only in steps that are short enough for it, and that of slip boundaries vanishes in those that have their own
    matrices."""
    case = subject.case
    if facts.steady(case) or facts.two_fluids(case):
        raise NotApplicable("steady or two fluids")
    _starts_at_rest(subject)
    runs = [_in_steps(subject, n) for n in (20, 40, 80)]
    size = _heat_only(field_sizes(subject, runs[-1].run), case)
    for name, scale in size.items():
        first, second = (_apart(a, b, name, scale) for a, b in zip(runs, runs[1:]))
        if not 1e-3 < first < 0.2:
            continue
        what, most = f"{name}: steps halved change it by {first:.3g}, halved again by {second:.3g}", 0.7
        if second > most * first:                               # of first order half, of second a quarter
            first, second = second, _apart(runs[2], _in_steps(subject, 160), name, scale)
            what += f", again by {second:.3g}"
        subject.within(f"{what}:", second / first, most)


def _in_steps(subject, count):
    """The outcome in so many steps."""
    case = subject.case
    found = subject.outcome(subject.on_mesh({**tight(case)[0], "time.step": case["time.end"] / count,
                                             "time.courant": None, "time.max_steps": None, "time.tolerance": None}))
    if found.status != 0:
        raise NotApplicable(found.name)
    return found


def _apart(a, b, name, scale):
    """The largest difference of the fields of two outcomes."""
    return float(np.abs(a.run.field(name) - b.run.field(name)).max()) / scale


def _longest_over_thinnest(mesh):
    """The longest side of a cell over the smallest extent of a region, both along the axes."""
    points = mesh.vertices[mesh.corners, :mesh.dim]
    longest = (np.maximum.reduceat(points, mesh.start[:-1]) - np.minimum.reduceat(points, mesh.start[:-1])).max()
    of_corner = np.repeat(mesh.regions, np.diff(mesh.start))
    return longest / min(np.ptp(points[of_corner == region], axis=0).min() for region in set(mesh.regions))


def finer(subject):
    """On finer meshes the mean temperature changes less and less, in the second step or, where errors of two signs
    have cancelled in the first, in the third."""
    case = subject.case
    own = case["mesh"].get("parameters", {})
    if not facts.steady(case) or len(subject.base.run.mesh) > 60 or own.get("tri", 0) > 1 or own.get("solid", 0) > 1 \
            or "distortion" in case["mesh"].get("box", {}):
        raise NotApplicable("its meshes are not alike")
    if not facts.solids_only(case):
        raise NotApplicable("of a flow, a coarse mesh tells nothing")
    # with what a region's sides impose, L apart, temperatures decay within L / pi at its ends: cells of the last three
    # meshes must be shorter
    if _longest_over_thinnest(subject.base.run.mesh) > 4 / np.pi:
        raise NotApplicable("temperatures between two sides change within less than a cell's length at their ends")
    subject.solved
    found = []
    for by in (2, 4, 8, 16):
        outcome = subject.outcome(case.changed({"mesh": refined(case["mesh"], by), "solver.tolerance": 1e-9,
                                                "solver.max_iterations": 5000}))
        if outcome.status != 0:
            raise NotApplicable(outcome.name)
        volumes, values = outcome.run.mesh.volumes(), outcome.field("temperature")
        found.append(float(volumes @ values / volumes.sum()))
        change = np.abs(np.diff(found)) / field_sizes(subject, outcome.run)["temperature"]
        if len(change) > 1 and (change[-1] < 1e-4 or change[-1] < 0.9 * change[-2]):
            return
    subject.within(f"mean temperature {', '.join(f'{x:.8g}' for x in found)} on meshes twice as fine each: "
                   "the last change over the one before", change[-1] / change[-2], 0.9)
