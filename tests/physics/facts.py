"""What a case says: algorithms, tolerances, and the values within which a temperature or a scalar must stay."""
import math

from expressions import span, uses
from units import flattened

STEADY = ("simple", "simplec", "coupled", "conduction")
NEW_EXTREMES = ("linear-upwind", "central", "van-leer")         # schemes that the help says may overshoot
# As in poise help case.
TOLERANCE, CONVECTION = 1e-6, {"temperature": None, "scalar": "limited"}


def solids_only(case):
    return "solids" in case and not {"viscosity", "viscosity_model"} & set(case.get("fluid", {}))


def algorithm(case):
    default = ("transient-conduction" if "time" in case else "conduction") if solids_only(case) else "simplec"
    return case.get("solver.algorithm", default)


def steady(case):
    return algorithm(case) in STEADY


def tolerance(case):
    return case.get("solver.tolerance", TOLERANCE)


def two_fluids(case):
    return "second_fluid" in case


def has_heat(case):
    return solids_only(case) or "conductivity" in case.get("fluid", {})


def scalars(case):
    return list(case.get("scalars", {}))


def transported(case):
    """The temperature and the scalars: what has bounds."""
    return ["temperature"] * has_heat(case) + scalars(case)


def is_buoyant(case):
    return "fluid.gravity" in case and ("fluid.expansion" in case or "buoyancy" in case or
                                        isinstance(case.get("fluid.density"), str))


def depends_on(case, *names):
    """Does any expression of the case use one of these variables?"""
    return any(uses(v, *names) for path, value in flattened(case.settings)
               if path[0] not in ("output", "solver", "mesh") for v in (value if isinstance(value, list) else [value]))


def ranges(case, mesh):
    """Of x, y, z and t: {"x": (low, high)}."""
    low, high = mesh.vertices.min(0), mesh.vertices.max(0)
    return {**{n: (float(a), float(b)) for n, a, b in zip("xyz", low, high)},
            "t": (0.0, case.get("time.end", 0.0))}


def given_values(case, name):
    """Every number or expression that the case gives for this quantity; None: something feeds it beside those."""
    if name == "temperature":
        if "sources" in case and any("heat" in s for s in case["sources"].values()):
            return None
        values = [b["temperature"] for b in case["boundary"].values() if "temperature" in b]
        values += [b["transfer"][1] for b in case["boundary"].values() if "transfer" in b]
        values += [case["initial.temperature"]] if "initial.temperature" in case else []
        return None if any("heat_flux" in b for b in case["boundary"].values()) else values
    own = case["scalars"][name]
    if own.get("sources") or own.get("fluxes") or own.get("fluid", "both") != "both":
        return None
    return [own.get("initial", 0.0), *own.get("initials", {}).values(), *own.get("values", {}).values()]


def bounds(case, name, mesh):
    """(lowest, highest) that the quantity may have, or None."""
    values = given_values(case, name)
    if not values:
        return None
    spans = [span(v, ranges(case, mesh)) for v in values]
    return None if None in spans else (min(s[0] for s in spans), max(s[1] for s in spans))


def given_range(case, name, mesh):
    """(lowest, highest) of the given values, heat fluxes left aside, or None."""
    copy = case.changed({"sources": None, **{f"boundary.{n}.heat_flux": None for n in case["boundary"]},
                         **{f"scalars.{n}.{k}": None for n in scalars(case) for k in ("sources", "fluxes", "fluid")}})
    return bounds(copy, name, mesh)


def given_spread(case, name, mesh):
    """Differences of the given values: what errors are measured by; 0: there are none."""
    found = given_range(case, name, mesh)
    return found[1] - found[0] if found else 0.0


def contrast(case):
    """The largest conductivity over the smallest, expressions left aside."""
    groups = [case.get("fluid", {}), *case.get("solids", {}).values()]
    found = [g["conductivity"] for g in groups if isinstance(g.get("conductivity"), (int, float))]
    return max(found) / min(found) if found else 1.0


def is_held_loosely(case, name):
    """A temperature of a fluid that conducts far better than a contact to a solid, which hardly takes part in the limit
    there, with oblique cells (docs/explanation/numerics.md): it leaves its bounds by parts of what is judged."""
    box = case.get("mesh.box", {})
    if name != "temperature" or "fluid" not in case or box and "distortion" not in box:
        return False
    mine, solids = case["fluid"].get("conductivity"), case.get("solids", {}).values()
    return any("contact_resistance" in g or not all(isinstance(k, (int, float)) for k in (mine, g["conductivity"]))
               or mine > 20 * g["conductivity"] for g in solids)


def one_bound(case, name, mesh):
    """(lowest, highest) with sources and fluxes that are numbers, which lead beyond one of them: infinite there, or
    both with numbers of both signs; None: there are none, or an expression."""
    if name == "temperature":
        adds = [b["heat_flux"] for b in case["boundary"].values() if "heat_flux" in b]
        adds += [s["heat"] for s in case.get("sources", {}).values() if "heat" in s]
    else:
        own = case["scalars"][name]
        adds = [*own.get("sources", {}).values(), *own.get("fluxes", {}).values()]
        if own.get("fluid", "both") != "both":
            return None
    copy = case.changed({"sources": None, **{f"boundary.{n}.heat_flux": None for n in case["boundary"]},
                         **{f"scalars.{n}.{k}": None for n in scalars(case) for k in ("sources", "fluxes")}})
    found = bounds(copy, name, mesh)
    if not adds or not found or any(isinstance(v, str) for v in adds):
        return None
    return (found[0] if min(adds) >= 0 else -math.inf), (found[1] if max(adds) <= 0 else math.inf)


def scheme(case, name):
    """The one that the case chooses, or None."""
    return case.get("solver.convection_temperature" if name == "temperature" else f"scalars.{name}.convection")


def may_overshoot(case, name):
    """Is the scheme one that the help says may overshoot, by the case's own choice?"""
    return scheme(case, name) in NEW_EXTREMES


def flows(case):
    """The boundaries that fluid can pass."""
    return [n for n, b in case["boundary"].items() if b["type"] in ("inlet", "outlet")]


def closed(case):
    """Nothing can pass the boundaries but the heat of walls."""
    return not flows(case)
