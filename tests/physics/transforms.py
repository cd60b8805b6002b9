"""The same case in other units, elsewhere, turned or mirrored, and on another level, with its expressions."""
import numpy as np

from expressions import multiplied, renamed, shifted
from runs import NotApplicable
from units import factor, flattened, unit_of

# What units.py of tests/invariance does not know, by the path with NAME.
MORE_UNITS = {"boundary.NAME.rotation.speed": "1/time", "boundary.NAME.rotation.about": "length"}
DIRECTIONS = ("velocity", "gravity", "acceleration", "force", "direction", "normal")
POINTS = ("centre", "point", "about", "at")


def _unit(path):
    return unit_of(path) or MORE_UNITS.get(".".join((path[0], "NAME", *path[2:])))


def in_units(case, scales, dim):
    """The case with its lengths, times, masses and scalars times these factors; a mesh file is the caller's."""
    length, time, _, scalar = scales
    by = {name: f"({name}/{length!r})" for name in "xyz"}
    by |= {"t": f"(t/{time!r})", "temperature": f"(temperature/{scalar!r})", "shear_rate": f"(shear_rate*{time!r})"}
    by |= {name: f"({name}/{scalar!r})" for name in case.get("scalars", {})}
    if {"viscosity", "viscosity_model"} & set(case.get("fluid", {})):
        case = case.changed({"fluid.density": case.get("fluid.density", 1.0)})      # the default has a unit
    changes = {}
    for path, value in flattened(case.settings):
        name, unit = ".".join(path), _unit(path)
        if path[-1] == "transfer":
            units = [factor(u, scales, dim) for u in ("energy/(length^2 time temperature)", "temperature")]
            changes[name] = [multiplied(renamed(v, by), u) for v, u in zip(value, units)]
        elif path[-1] == "consistency":
            raise NotApplicable("a consistency has a unit of its own")
        elif unit or isinstance(value, str) and path[-1] == "function":
            value = [renamed(v, by) for v in value] if isinstance(value, list) else renamed(value, by)
            by_unit = factor(unit, scales, dim) if unit else 1.0
            if path[-1] == "mass_flow" and dim == 2:            # per unit depth
                by_unit /= length
            changes[name] = multiplied(value, by_unit) if unit else value
    return case.changed(changes)


def moved(case, motion):
    """As tests/invariance/motions.py does it, and the expressions too; directions along the axes only."""
    if "prescribed" in case or case.get("initial.field", "uniform") == "taylor-green":
        raise NotApplicable("the velocity is a formula of its own")
    turn, shift = motion.turn, motion.shift
    old = {}                                                    # x in terms of the new coordinates
    for i, name in enumerate("xyz"):
        j = int(np.flatnonzero(turn[:, i])[0])
        term = "xyz"[j] if not shift[j] else f"({'xyz'[j]}-({float(shift[j])!r}))"
        old[name] = term if turn[j, i] > 0 else f"(-{term})"

    def point(v):
        return motion.point(v).tolist()
    changes = {}
    for path, value in flattened(case.settings):
        name, key, group = ".".join(path), path[-1], path[0]
        if group in ("mesh", "output", "solver"):
            continue
        if isinstance(value, str):
            changes[name] = renamed(value, old)
        elif key == "speed":
            changes[name] = multiplied(renamed(value, old), float(np.linalg.det(turn)))
        elif not isinstance(value, list) or key == "transfer":
            continue
        elif group == "shapes" and key in ("from", "to"):
            own = ".".join(path[:-1])
            both = np.array([point(case[own + ".from"]), point(case[own + ".to"])])
            changes[name] = (both.min(0) if key == "from" else both.max(0)).tolist()
        elif key in DIRECTIONS:
            changes[name] = _turned([renamed(v, old) for v in value], turn)
        elif key in POINTS or group == "lines":
            changes[name] = point(value)
    return case.changed(changes)


def _turned(vector, turn):
    """Components are numbers or expressions."""
    result = []
    for row in turn[:len(vector), :len(vector)]:
        j = int(np.flatnonzero(row)[0])
        v = vector[j]
        result.append(v if row[j] > 0 else f"-({v})" if isinstance(v, str) else -v + 0.0)
    return result


def raised(case, name, by):
    """The temperature, or a scalar, everywhere higher by this."""
    changes = {}
    if name == "temperature":
        for key, b in case["boundary"].items():
            if "temperature" in b:
                changes[f"boundary.{key}.temperature"] = shifted(b["temperature"], by)
            if "transfer" in b:
                changes[f"boundary.{key}.transfer"] = [b["transfer"][0], shifted(b["transfer"][1], by)]
        for key in ("initial.temperature", "fluid.reference_temperature"):
            if key in case:
                changes[key] = shifted(case[key], by)
        if "fluid.property_range" in case:
            changes["fluid.property_range"] = [v + by for v in case["fluid.property_range"]]
        lower = {"temperature": f"(temperature-({by!r}))"}
        for path, value in flattened(case.settings):
            if isinstance(value, str) and "temperature" in value and path[-1] != "function":
                changes[".".join(path)] = renamed(value, lower)
        return case.changed(changes)
    own = case["scalars"][name]
    if isinstance(own["diffusivity"], str) or case.get("buoyancy.scalar") == name or own.get("fluid", "both") != "both":
        raise NotApplicable("the scalar's level counts")
    changes[f"scalars.{name}.initial"] = shifted(own.get("initial", 0.0), by)
    for group in ("values", "initials"):
        changes |= {f"scalars.{name}.{group}.{k}": shifted(v, by) for k, v in own.get(group, {}).items()}
    return case.changed(changes)


def pressed(case, by, tail=""):
    """All given pressures higher by this, or those of the boundaries whose names end so."""
    changes = {"initial.pressure": shifted(case.get("initial.pressure", 0.0), by)} if "initial.pressure" in case else {}
    for name, b in case["boundary"].items():
        if not name.endswith(tail):
            continue
        if "total_pressure" in b:
            changes[f"boundary.{name}.total_pressure"] = shifted(b["total_pressure"], by)
        elif b["type"] == "outlet":
            changes[f"boundary.{name}.pressure"] = shifted(b.get("pressure", 0.0), by)
    return case.changed(changes)
