"""Units of every key of a case and every column of an output file, and cases in other units."""
import re
import subprocess

import numpy as np

from poise import PoiseError
from poise.program import program

# In the language of `poise help case`; NAME is any name.  A key that is not here has no unit: a word, a ratio, a count.
KEYS = {
    "mesh.box.from": "length", "mesh.box.to": "length",
    "fluid.density": "mass/length^3", "fluid.viscosity": "mass/(length time)", "fluid.gravity": "length/time^2",
    "second_fluid.density": "mass/length^3", "second_fluid.viscosity": "mass/(length time)",
    "second_fluid.surface_tension": "mass/time^2",
    "interface.given_curvature": "1/length",
    "shapes.NAME.centre": "length", "shapes.NAME.radius": "length", "shapes.NAME.from": "length",
    "shapes.NAME.to": "length", "shapes.NAME.point": "length", "shapes.NAME.spacing": "length",
    "boundary.NAME.velocity": "length/time", "boundary.NAME.pressure": "mass/(length time^2)",
    "initial.velocity": "length/time", "initial.pressure": "mass/(length time^2)",
    "time.end": "time", "time.step": "time", "prescribed.period": "time",
    "scalars.NAME.diffusivity": "length^2/time", "scalars.NAME.initial": "scalar", "scalars.NAME.values": "scalar",
    "scalars.NAME.sources": "scalar/time", "scalars.NAME.initials": "scalar",
    "scalars.NAME.range": "scalar", "fluid.property_range": "temperature",
    "buoyancy.expansion": "1/scalar", "buoyancy.reference": "scalar",
    "scalars.NAME.fluxes": "scalar length/time", "scalars.NAME.coefficients": "length/time",
    "output.interval": "time", "output.times": "time", "averages.from": "time",
    "lines.NAME.from": "length", "lines.NAME.to": "length", "probes.NAME.at": "length",
    "forces.NAME.about": "length", "forces.NAME.scale": "force", "planes.NAME.point": "length",
    "boundary.NAME.flow_rate": "volume/time", "boundary.NAME.mass_flow": "mass/time",
    "boundary.NAME.total_pressure": "mass/(length time^2)", "boundary.NAME.temperature": "temperature",
    "boundary.NAME.heat_flux": "energy/(length^2 time)",
    "driven.flow_rate": "volume/time", "driven.pressure_gradient": "pressure/length",
    "fluid.acceleration": "length/time^2", "fluid.reference_temperature": "temperature",
    "initial.temperature": "temperature", "mesh.translate": "length",
    "nusselt.length": "length", "nusselt.temperature_difference": "temperature",
    "second_fluid.surface_tension_slope": "mass/(time^2 temperature)",
    "solids.NAME.density": "mass/length^3", "solids.NAME.contact_resistance": "length^2 time temperature/energy",
    "sources.NAME.heat": "energy/(length^3 time)", "sources.NAME.force": "mass/(length^2 time^2)",
    "sources.NAME.resistance": "mass/(length^3 time)",
}
for _group in ("fluid", "second_fluid"):
    KEYS[f"{_group}.expansion"] = "1/temperature"
    KEYS |= {f"{_group}.viscosity_model.{_key}": "mass/(length time)"
             for _key in ("highest", "infinite", "lowest", "plastic_viscosity", "zero")}
    KEYS |= {f"{_group}.viscosity_model.{_key}": "time" for _key in ("regularisation", "time")}
    KEYS[f"{_group}.viscosity_model.yield_stress"] = "mass/(length time^2)"
for _group in ("fluid", "second_fluid", "solids.NAME"):
    KEYS[f"{_group}.heat_capacity"] = "energy/(mass temperature)"
    KEYS[f"{_group}.conductivity"] = "energy/(length time temperature)"
# These keys are of a scalar, whose unit is the user's, or of the temperature, and the help names none.
UNNAMED = {"scalars.NAME.initial", "scalars.NAME.initials", "scalars.NAME.values", "scalars.NAME.range",
           "fluid.property_range"}
# Units of the help that are not of length, time, mass or a scalar.
OTHER = {"degrees", "iterations", "iterations or time steps", "time steps", "minutes of the wall clock"}

# Fields and columns, by the beginning of their names; the first that fits holds.  Other columns have no unit.
COLUMNS = [
    ("velocity", "length/time"), ("max_velocity", "length/time"), ("rise_velocity", "length/time"),
    ("reduced-pressure", "mass/(length time^2)"), ("pressure", "mass/(length time^2)"),
    ("shear", "mass/(length time^2)"), ("density", "mass/length^3"),
    ("gradient", "1/time"), ("vorticity", "1/time"), ("curvature", "1/length"), ("distance", "length"),
    ("wall-distance", "length"), ("flow", "volume/time"), ("force", "force"), ("viscous", "force"),
    ("moment", "force length"), ("volume", "volume"), ("area", "area"), ("time", "time"), ("step", "time"),
    ("x", "length"), ("y", "length"), ("z", "length"),
]
# These are relative, though they begin like the ones above.
RELATIVE = {"volume_error", "volume_error_mean"}


def dimensions(unit, dim=3):
    """Powers of length, time, mass and scalar.  In 2-D a volume is that of unit depth, so an area here."""
    compound = {"volume": (dim, 0, 0, 0), "area": (dim - 1, 0, 0, 0), "force": (dim - 2, -2, 1, 0)}
    base = {"length": (1, 0, 0, 0), "time": (0, 1, 0, 0), "mass": (0, 0, 1, 0), "scalar": (0, 0, 0, 1),
            "temperature": (0, 0, 0, 1), "energy": (2, -2, 1, 0), "pressure": (-1, -2, 1, 0), "1": (0, 0, 0, 0)}
    total = np.zeros(4, int)
    for sign, part in zip((1, -1), unit.split("/")):
        for term in part.strip("() ").split():
            name, _, power = term.partition("^")
            total += sign * int(power or 1) * np.array((base | compound)[name])
    return total


def factor(unit, scales, dim=3):
    """Factor for a number in this unit.  A product of powers of two is exact."""
    return float(np.prod(np.asarray(scales, float) ** dimensions(unit, dim)))


def flattened(settings, path=()):
    """(path, value) of every key, the path as a tuple."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from flattened(value, (*path, name))
        else:
            yield (*path, name), value


def unit_of(path):
    """Unit of a key, by its path: groups with the user's names are recognised by the table's entries."""
    for pattern in (".".join(path), ".".join((path[0], "NAME", *path[2:])), ".".join((path[0], "NAME", *path[2:-1]))):
        if pattern in KEYS:
            return KEYS[pattern]
    return None


def times(value, by):
    return [times(v, by) for v in value] if isinstance(value, list) else value * by


def scaled_case(case, scales, dim, unscaled=()):
    """The case in other units.  unscaled: keys that are left as they are, to see that the comparison notices."""
    changes = {}
    for path, value in flattened(case.settings):
        name, unit = ".".join(path), unit_of(path)
        if name == "averages.from" and "time" not in case:      # counted in iterations
            unit = None
        if unit and name not in unscaled:
            changes[name] = times(value, factor(unit, scales, dim))
    return case.changed(changes)


def column_factor(name, scales, dim, scalars=(), residuals=False):
    """Of a field or of a column of a table; residuals: the columns of velocity and pressure are relative there."""
    base = re.sub(r"_(mean|rms|min|max)\Z", "", name)
    if base.endswith("-flux") and base[:-5] in scalars:
        return 1.0 if residuals else factor("scalar length/time", scales, dim)
    if base in scalars:
        return 1.0 if residuals else factor("scalar", scales, dim)
    if name in RELATIVE or residuals and re.match(r"velocity|pressure|courant|interface_courant", name):
        return 1.0
    for start, unit in COLUMNS:
        if name == start or re.match(re.escape(start) + r"[_0-9]", name) and len(start) > 1:
            return factor(unit, scales, dim)
    return 1.0


def help_units():
    """{key: unit} from `poise help case`."""
    text = subprocess.run([program(), "help", "case"], capture_output=True, text=True, check=True).stdout
    text = re.sub(r"\[([a-z][^\]\n]*)\n +", r"[\1 ", text)              # a unit on two lines
    found, group = {}, None
    for line in text.splitlines():
        opened = re.match(r"([a-z_]+(?:\.[A-Za-z_]+)?) = \{", line)
        key = re.match(r"  ([a-z_]+) +\S", line)
        unit = re.search(r"\[([a-z][^\]\d]*(?:\^\d[^\]]*)?|1/[a-z]+)\]\Z", line)
        if opened:
            group = opened[1]
        elif key:
            name = key[1]
        if not opened and group and unit and (key or re.match(r" +\[[a-z]", line)):
            found[f"{group}.{name}"] = unit[1]
    return found


def check_table():
    """KEYS says the same as the help: a new key with a unit must come into the table."""
    told = {k: u.partition(";")[0] for k, u in help_units().items() if u.partition(";")[0] not in OTHER}
    if len(told) < 20:
        raise PoiseError(f"poise help case: found only {len(told)} keys with a unit")
    mine = {k: u for k, u in KEYS.items() if k not in UNNAMED}
    return sorted(f"{k}: {mine.get(k)} in tests/invariance/units.py, {told.get(k)} in poise help case"
                  for k in mine.keys() | told.keys() if mine.get(k) != told.get(k))
