"""Cases of heat and scalars: solids alone, solids beside a channel, channels, closed and open buoyant domains."""
from chance import rounded
from meshes import BACK, OFF_CENTRE, any_mesh, block, box, layers
from pieces import (buoyant, free_side, heat_schemes, heated_wall, level_and_spread, solver, thermal,
                    time_group)


def conduction(c):
    """Solids without a fluid, steady or in time; conductivities up to 1e6 apart, contacts, sources, expressions."""
    length = c.log(1e-2, 1e2)
    layered = c.maybe(0.5)
    mesh = layers(c, length) if layered else any_mesh(c, None, length)
    warm, spread = level_and_spread(c)
    k = c.log(1e-2, 1e3)
    contrast = c.log(1, 1e6) if layered and c.maybe(0.7) else 1.0
    solids = {}
    for name in ("low", "mid", "high") if layered else ("fluid",):
        own = rounded(k * c.one(1.0, contrast, 1 / contrast))
        solids[name] = {"density": c.log(1, 1e4), "heat_capacity": c.log(1, 1e4), "conductivity": own}
        if layered and c.maybe(0.25):
            solids[name]["contact_resistance"] = rounded(length / k * c.log(1e-3, 1e3))
        if c.maybe(0.1):
            solids[name]["conductivity"] = f"{own!r}*(1+{rounded(0.2 / spread)!r}*(temperature-({warm!r})))"
        elif c.maybe(0.08):
            solids[name]["conductivity"] = f"{own!r}*(2+sin({rounded(3 / length)!r}*x))"
    boundary, names = {}, list(mesh.sides)
    fixed = c.one(*names)
    for name in names:
        boundary[name] = heated_wall(c, warm, spread, k / length,
                                     c.one("temperature", "transfer") if name == fixed else None)
    case = {"mesh": mesh.group, "solids": solids, "boundary": boundary}
    if c.maybe(0.15):
        case["sources"] = {"heater": {"heat": rounded(k * spread / length**2 * c.log(1e-2, 1e2)),
                                      **({"region": c.one(*solids)} if layered else {})}}
    if any("temperature" in str(s["conductivity"]) for s in solids.values()):
        case["fluid"] = {"property_range": [rounded(warm - 2 * spread, 6), rounded(warm + 3 * spread, 6)]}
    if c.maybe(0.5):
        diffusion = max(solids[n]["density"] * solids[n]["heat_capacity"] for n in solids) * mesh.h**2 / k
        case["time"] = time_group(c, rounded(diffusion * c.log(1e-3, 1e6)))
        half = f"{warm!r}+{spread!r}*(y>{OFF_CENTRE * mesh.lengths[1]!r}?1:0)"
        case["initial"] = {"temperature": c.one(warm, warm + spread, half)}
        case["solver"] = {"algorithm": "transient-conduction"}
    else:
        case["solver"] = {"algorithm": "conduction"}
        if c.maybe():
            case["solver"]["tolerance"] = c.one(1e-5, 1e-7, 1e-8, 1e-9)
    case["output"] = {"fields": ["temperature"]}
    return case


def _channel(c, mesh, speed, warm, spread, conductance):
    """Boundaries of a channel along x with heated sides, half of them without friction; those of solids are added by
    the caller."""
    profile = {"profile": c.one("uniform", "parabolic")} if c.maybe(0.4) and mesh.dim == 2 else {}
    plug = c.maybe(0.5)
    boundary = {"left": {"type": "inlet", "velocity": mesh.vector(speed), **({} if plug else profile),
                         "temperature": c.one(warm, rounded(warm + spread, 6))},
                "right": {"type": "outlet"}}
    if c.maybe(0.3):
        boundary["right"]["temperature"] = warm
    if c.maybe(0.15):
        boundary["right"]["pressure"] = rounded(speed**2 * c.log(1, 1e5))
    for name in ("bottom", "top"):
        boundary[name] = {"type": "slip" if plug else free_side(c), **thermal(c, warm, spread, conductance)}
    for name in BACK[:2 * mesh.dim - 4]:
        boundary[name] = {"type": "slip" if plug else c.one("wall", "slip", "symmetry")}
    return boundary


def _fluid(c, speed, length):
    """Properties by Reynolds and Prandtl numbers: (group, conductivity)."""
    density, capacity = c.one(1.0, c.log(1e-2, 1e3)), c.log(1, 1e4)
    viscosity = rounded(density * speed * length / c.log(0.1, 200))
    conductivity = rounded(viscosity * capacity / c.log(1e-2, 1e3))
    return {"density": density, "viscosity": viscosity, "heat_capacity": capacity, "conductivity": conductivity}


def _dyes(c, mesh, speed, count=1, walls=("bottom", "top"), closed=False):
    """Scalars from 0 to 1 with all schemes, fed by inlets, walls, fluxes, sources."""
    scalars = {}
    for k in range(count):
        own = {"diffusivity": rounded(speed * min(mesh.lengths) / c.log(1e-1, 1e5)),
               "initial": c.one(0.0, 0.0, 1.0, f"y<{OFF_CENTRE * mesh.lengths[1]!r}?1:0")}
        values = {} if closed else {"left": c.one(0.0, 1.0)}
        for wall in walls:
            kind = c.one("", "", "value", "value", "flux", "coefficient")
            if kind == "value":
                values[wall] = c.one(0.0, 1.0, 0.5)
            elif kind == "flux" and c.maybe(0.5):
                own.setdefault("fluxes", {})[wall] = rounded(speed * c.log(1e-4, 1))
            elif kind == "coefficient":
                own.setdefault("coefficients", {})[wall], values[wall] = rounded(speed * c.log(1e-3, 10)), 1.0
        if values:
            own["values"] = values
        if c.maybe(0.6):
            own["convection"] = c.one("upwind", "limited", "linear-upwind", "central", "van-leer")
        if c.maybe(0.1):
            own["sources"] = {"fluid": rounded(speed / mesh.lengths[0] * c.log(1e-2, 1))}
        scalars["dye" + "2" * k] = own
    return scalars


def heated_channel(c):
    """A channel with a temperature or scalars, or both, steady."""
    length, speed = c.log(1e-2, 1e2), c.log(1e-3, 1e1)
    mesh = any_mesh(c, None, length)
    warm, spread = level_and_spread(c)
    fluid = _fluid(c, speed, mesh.lengths[1])
    case = {"mesh": mesh.group, "fluid": fluid,
            "boundary": _channel(c, mesh, speed, warm, spread, fluid["conductivity"] / mesh.lengths[1])}
    heat = c.maybe(0.7)
    if not heat or c.maybe(0.3):
        case["scalars"] = _dyes(c, mesh, speed, c.randint(1, 2))
    if not heat:
        _without_heat(case)
    case["solver"] = solver(c, c.one("simple", "simplec", "coupled"))
    if heat:
        heat_schemes(c, case)
    _fields(case)
    return case


def _without_heat(case):
    for key in ("heat_capacity", "conductivity"):
        case["fluid"].pop(key, None)
    for b in case["boundary"].values():
        for key in ("temperature", "heat_flux", "transfer"):
            b.pop(key, None)


def _fields(case):
    heat = ["temperature"] * ("conductivity" in case["fluid"])
    case["output"] = {"fields": ["velocity", "pressure", *heat, *case.get("scalars", {})]}
    if "time" in case:
        case["output"]["every"] = 1


def channel_time(c):
    """The same in time, at Courant numbers from 1e-3 to 1e3."""
    length, speed = c.log(1e-2, 1e2), c.log(1e-3, 1e1)
    mesh = any_mesh(c, None, length)
    warm, spread = level_and_spread(c)
    fluid = _fluid(c, speed, mesh.lengths[1])
    case = {"mesh": mesh.group, "fluid": fluid,
            "boundary": _channel(c, mesh, speed, warm, spread, fluid["conductivity"] / mesh.lengths[1])}
    heat = c.maybe(0.7)
    if not heat or c.maybe(0.3):
        case["scalars"] = _dyes(c, mesh, speed, c.randint(1, 2))
    courant = c.log(1e-3, 1e3) if c.maybe(0.6) else c.log(0.1, 20)
    case["time"] = time_group(c, rounded(courant * mesh.h / speed), steps=c.randint(3, 12))
    case["initial"] = {"velocity": mesh.vector(speed)} if c.maybe(0.7) else {}
    if heat and c.maybe(0.6):
        case["initial"]["temperature"] = c.one(warm, rounded(warm + spread, 6))
    if not heat:
        _without_heat(case)
    case["solver"] = solver(c, c.one("piso", "pimple"))
    if heat:
        heat_schemes(c, case)
        if c.maybe(0.1):
            wall = case["boundary"]["bottom"]
            if wall["type"] == "wall":
                _only_temperature(wall, f"{warm!r}+{spread!r}*sin({rounded(3 / case['time']['end'])!r}*t)")
    _fields(case)
    return case


def _only_temperature(wall, value):
    for key in ("heat_flux", "transfer"):
        wall.pop(key, None)
    wall["temperature"] = value


def _conjugate(c):
    length, speed = c.log(1e-2, 1e1), c.log(1e-3, 1e1)
    mesh = layers(c, length)
    warm, spread = level_and_spread(c)
    fluid = _fluid(c, speed, mesh.lengths[1])
    k = fluid["conductivity"]
    boundary = _channel(c, mesh, speed, warm, spread, k / length)
    contrast = c.log(1, 1e5)
    solids = {}
    for name, outer in (("low", "bottom"), ("high", "top")):
        solids[name] = {"density": c.log(1, 1e4), "heat_capacity": fluid["heat_capacity"],
                        "conductivity": rounded(k * (contrast if c.maybe(0.75) else 1 / contrast))}
        if c.maybe(0.2):
            solids[name]["contact_resistance"] = rounded(length / k * c.log(1e-3, 1e3))
        for side in ("left_" + name, "right_" + name):
            boundary[side] = heated_wall(c, warm, spread, k / length)
        boundary[outer] = heated_wall(c, warm, spread, k / length)
    for name in BACK[:2 * mesh.dim - 4]:
        boundary[name] = {"type": "wall"}
    if c.maybe(0.4) and "shear" not in mesh.group["parameters"]:   # plug flow, which is steady from the start
        boundary["left"].pop("profile", None)
        boundary |= {name: {"type": "slip"} for name in solids}
        boundary |= {name: {"type": "slip"} for name in BACK[:2 * mesh.dim - 4]}
    return mesh, speed, {"mesh": mesh.group, "fluid": fluid, "solids": solids, "boundary": boundary}, (warm, spread)


def conjugate(c):
    """Solids beside a channel, steady."""
    mesh, _, case, _ = _conjugate(c)
    case["solver"] = solver(c, c.one("simple", "simplec", "coupled"))
    heat_schemes(c, case)
    if c.maybe(0.15):
        case["sources"] = {"heater": {"region": "low", "heat": rounded(
            case["fluid"]["conductivity"] / mesh.lengths[0]**2 * c.log(1e-2, 1e2))}}
    _fields(case)
    return case


def conjugate_time(c):
    """Solids beside a channel, in time."""
    mesh, speed, case, (warm, spread) = _conjugate(c)
    case["time"] = time_group(c, rounded(c.log(1e-2, 1e2) * mesh.h / speed), steps=c.randint(3, 12))
    case["solver"] = solver(c, c.one("piso", "pimple"))
    heat_schemes(c, case)
    case["initial"] = {"temperature": c.one(warm, rounded(warm + spread, 6)), "velocity": mesh.vector(speed)}
    _fields(case)
    return case


def buoyancy(c):
    """A closed domain heated from a side or below, steady or in time; by temperature or a scalar."""
    length = c.log(1e-2, 1e1)
    mesh = any_mesh(c, None, length)
    case = {"mesh": mesh.group}
    in_time = c.maybe(0.35)
    heights = mesh.lengths[1]
    rayleigh, prandtl = c.log(1e-1, 1e5), c.log(1e-1, 1e2)
    warm, spread = level_and_spread(c)
    sides = ["left", "right"] if c.maybe(0.75) else ["bottom", "top"]
    if sides[0] == "bottom":                                    # beyond 1708 rounding decides which way it turns
        rayleigh = min(rayleigh, 1000.0)
    buoyant(c, case, mesh, rayleigh, prandtl, heights, warm, spread, by_scalar=c.maybe(0.2))
    case["boundary"] = {name: {"type": c.one("wall", "wall", "wall", "slip")} for name in mesh.sides}
    for name, value in zip(sides, (rounded(warm + spread, 6), warm)):
        case["boundary"][name]["type"] = "wall"
        if "scalars" in case:
            case["scalars"]["salt"].setdefault("values", {})[name] = value
        else:
            case["boundary"][name]["temperature"] = value
    if in_time:
        fluid = case["fluid"]
        diffusion = fluid["density"] / fluid["viscosity"] * mesh.h**2
        case["time"] = time_group(c, rounded(diffusion * c.log(1e-2, 1e2)), steps=c.randint(3, 12))
    case["solver"] = solver(c, c.one(*(("piso", "pimple") if in_time else ("simple", "simplec", "coupled"))))
    if in_time and sides[0] == "bottom" and case["time"]["step"] > 10 * diffusion:
        # in long steps piso's splitting error makes fluid at rest unstable far below 1708: it is warned of when it has
        # grown, and how far it has grown is chance
        case["solver"]["algorithm"] = "pimple"
    if "scalars" not in case:
        heat_schemes(c, case)
    _fields(case)
    return case


def chimney(c):
    """An open domain: fluid rises between heated walls, from an opening to another."""
    length = c.log(1e-2, 1e1)
    mesh = box(c, None, length) if c.maybe(0.7) else block(c, 2, length)
    case = {"mesh": mesh.group}
    warm, spread = level_and_spread(c)
    buoyant(c, case, mesh, c.log(1e-1, 1e3), c.log(1e-1, 1e1), min(mesh.lengths), warm, spread)
    case["fluid"]["reference_temperature"] = warm
    opening = {"type": "outlet", "temperature": warm}
    case["boundary"] = {"bottom": dict(opening), "top": dict(opening), "left": {"type": "wall"},
                        "right": {"type": "wall"}}
    for name in c.some(("left", "right"), c.randint(1, 2)):
        case["boundary"][name]["temperature"] = rounded(warm + spread, 6)
    for name in BACK[:2 * mesh.dim - 4]:
        case["boundary"][name] = {"type": c.one("slip", "symmetry")}
    case["solver"] = solver(c, c.one("simple", "simplec", "coupled"))
    heat_schemes(c, case)
    _fields(case)
    return case

