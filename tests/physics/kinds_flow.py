"""Cases of flow alone: lids, channels with inlets and outlets of each type, circuits, driven flow, laws of viscosity,
rings that turn, walls that oscillate."""
from chance import rounded
from meshes import BACK, OFF_CENTRE, any_mesh, box
from pieces import free_side, solver, time_group


def _fields(case, names=("velocity", "pressure")):
    case["output"] = {"fields": [*names]}
    if "time" in case:
        case["output"]["every"] = 1


def _fluid(c, speed, length, most=200):
    density = c.one(1.0, c.log(1e-2, 1e3))
    return {"density": density, "viscosity": rounded(density * speed * length / c.log(0.01, most))}


def _in_time(c, case, mesh, speed, courant=(1e-2, 20)):
    case["time"] = time_group(c, rounded(c.log(*courant) * mesh.h / speed), steps=c.randint(3, 10))
    case["solver"] = solver(c, c.one("piso", "pimple"))


def cavity(c):
    """A closed domain with moving walls, steady or in time."""
    length, speed = c.log(1e-2, 1e2), c.log(1e-3, 1e1)
    mesh = any_mesh(c, None, length)
    case = {"mesh": mesh.group, "fluid": _fluid(c, speed, min(mesh.lengths))}
    case["boundary"] = {name: {"type": "wall"} for name in mesh.sides}
    case["boundary"]["top"]["velocity"] = mesh.vector(speed)
    if "shear" not in mesh.group.get("parameters", {}) and c.maybe(0.4):
        case["boundary"][c.one("left", "right")]["velocity"] = mesh.vector(0.0, rounded(speed * c.linear(-1, 1)))
    for name in BACK[:2 * mesh.dim - 4]:
        case["boundary"][name]["type"] = c.one("wall", "slip", "symmetry")
    if c.maybe(0.4):
        _in_time(c, case, mesh, speed)
    else:
        case["solver"] = solver(c, c.one("simple", "simplec", "coupled"))
    if c.maybe(0.15):
        case["fluid"]["gravity"] = mesh.vector(0.0, -rounded(speed**2 / length * c.log(0.1, 1e3)))
    if c.maybe(0.3):
        case["scalars"] = {"dye": {"diffusivity": rounded(speed * length / c.log(1, 1e3)),
                                   "initial": f"x<{OFF_CENTRE * mesh.lengths[0]!r}?1:0"}}
        if "time" not in case or c.maybe():
            case["scalars"]["dye"]["values"] = {"top": 1.0, "bottom": 0.0}
    _fields(case, ["velocity", "pressure", *case.get("scalars", {})])
    return case


def channel(c):
    """Inlets and outlets of each type."""
    length, speed = c.log(1e-2, 1e2), c.log(1e-3, 1e1)
    mesh = any_mesh(c, None, length)
    fluid = _fluid(c, speed, mesh.lengths[1])
    dynamic = fluid["density"] * speed**2
    section = 1.0
    for side in mesh.lengths[1:]:
        section *= side
    kind = c.one("velocity", "flow_rate", "mass_flow", "total_pressure", "outlet")
    left = {"velocity": {"velocity": mesh.vector(speed)}, "flow_rate": {"flow_rate": rounded(speed * section)},
            "mass_flow": {"mass_flow": rounded(speed * section * fluid["density"])},
            "total_pressure": {"total_pressure": rounded(dynamic * c.log(0.3, 3))},
            "outlet": {"pressure": rounded(dynamic * c.log(0.3, 3))}}[kind]
    inlet = {"type": "outlet" if kind == "outlet" else "inlet", **left}
    if kind in ("velocity", "flow_rate", "mass_flow") and mesh.dim == 2 and c.maybe(0.4):
        inlet["profile"] = c.one("parabolic", "uniform")
    outlet = {"type": "outlet"}
    if c.maybe(0.25) and kind != "outlet":
        level = rounded(dynamic * c.log(1, 1e5))
        outlet["pressure"] = level
        if kind == "total_pressure":
            inlet["total_pressure"] = rounded(level + inlet["total_pressure"], 9)
    elif c.maybe(0.15) and kind not in ("outlet", "total_pressure"):
        outlet = {"type": "outlet", "total_pressure": rounded(dynamic * c.log(0.3, 30))}
    if c.maybe(0.3):
        outlet["backflow"] = c.one("total", "static", "none")
    boundary = {"left": inlet, "right": outlet, "bottom": {"type": free_side(c)}, "top": {"type": free_side(c)}}
    if c.maybe(0.2):
        boundary["top"] = {"type": "outlet", "pressure": outlet.get("pressure", 0.0)}
    for name in BACK[:2 * mesh.dim - 4]:
        boundary[name] = {"type": c.one("wall", "slip", "symmetry")}
    case = {"mesh": mesh.group, "fluid": fluid, "boundary": boundary}
    if c.maybe(0.15):
        case["sources"] = {"block": c.one({"resistance": rounded(dynamic / speed / length * c.log(1e-2, 1e2))},
                                          {"force": mesh.vector(rounded(dynamic / length * c.log(1e-2, 1)))})}
    if c.maybe(0.4):
        _in_time(c, case, mesh, speed)
        if c.maybe(0.7):
            case["initial"] = {"velocity": mesh.vector(speed)}
    else:
        case["solver"] = solver(c, c.one("simple", "simplec", "coupled"))
    _fields(case)
    return case


def circuits(c):
    """Two channels that do not touch, each with its own level of pressure."""
    speed, tri = c.log(1e-2, 1e1), c.one(0, 0, 1)
    length, height = 1.0, c.one(0.5, 1.0)
    group = {"file": "circuits.geo", "parameters": {"L": length, "H": height, "gap": c.one(0.3, 1.0),
                                                    "nx": c.randint(3, 7), "ny": c.randint(3, 4), "tri": tri}}
    fluid = _fluid(c, speed, height, 50)
    dynamic = fluid["density"] * speed**2
    boundary = {"bottom": {"type": "wall"}, "top": {"type": "wall"}}
    for tail in ("", "_2"):
        level = c.one(0.0, rounded(dynamic * c.log(1, 1e6)))
        inlet = c.one({"type": "inlet", "velocity": [rounded(speed * c.log(0.1, 1)), 0.0]},
                      {"type": "outlet", "pressure": rounded(level + dynamic, 9)})
        boundary["left" + tail], boundary["right" + tail] = inlet, {"type": "outlet", "pressure": level}
    case = {"mesh": group, "fluid": fluid, "boundary": boundary}
    if c.maybe(0.3):
        case["time"] = time_group(c, rounded(c.log(1e-2, 10) * length / 7 / speed))
        case["solver"] = solver(c, c.one("piso", "pimple"))
    else:
        case["solver"] = solver(c, c.one("simple", "simplec", "coupled"))
    _fields(case)
    return case


def law(c, rate, viscosity):
    """A group viscosity_model with about this viscosity at this shear rate."""
    kind = c.one("power-law", "carreau", "cross", "bingham", "herschel-bulkley")
    group, n = {"type": kind}, c.linear(0.4, 1.4, 2)
    if kind in ("power-law", "herschel-bulkley"):
        group |= {"consistency": rounded(viscosity * rate ** (1 - n)), "exponent": n}
        if kind == "power-law":
            group |= {"lowest": rounded(viscosity * 1e-2), "highest": rounded(viscosity * 1e2)}
    if kind in ("carreau", "cross"):
        group |= {"zero": rounded(viscosity * c.log(1, 10)), "infinite": rounded(viscosity * c.one(0.0, 0.1)),
                  "time": rounded(1 / rate), "exponent": min(n, 1.0)}
    if kind == "bingham":
        group["plastic_viscosity"] = viscosity
    if kind in ("bingham", "herschel-bulkley"):
        group |= {"yield_stress": rounded(viscosity * rate * c.log(1e-2, 0.5)), "regularisation": rounded(30 / rate)}
    return group


def driven(c):
    """A periodic channel driven by a gradient, a flow rate, an acceleration or its walls, with laws of viscosity."""
    length, speed = c.log(1e-2, 1e2), c.log(1e-3, 1e1)
    mesh = box(c, None, length, plain=c.maybe(0.6))
    height = mesh.lengths[1]
    fluid = _fluid(c, speed, height, 100)
    viscosity, density = fluid["viscosity"], fluid["density"]
    if c.maybe(0.4):
        del fluid["viscosity"]
        fluid["viscosity_model"] = law(c, speed / height, viscosity)
    boundary = {"left": {"type": "periodic", "with": "right"}, "right": {"type": "periodic", "with": "left"},
                "bottom": {"type": "wall"}, "top": {"type": c.one("wall", "wall", "slip")}}
    if mesh.dim == 3:
        boundary |= {"back": {"type": "periodic", "with": "front"}, "front": {"type": "periodic", "with": "back"}} \
            if c.maybe() else {n: {"type": c.one("wall", "slip")} for n in BACK}
    case = {"mesh": mesh.group, "fluid": fluid, "boundary": boundary}
    gradient = rounded(8 * viscosity * speed / height**2)
    kind = c.one("gradient", "flow_rate", "acceleration", "walls")
    section = height * (mesh.lengths[2] if mesh.dim == 3 else 1.0)
    if kind == "gradient":
        case["driven"] = {"direction": mesh.vector(1.0), "pressure_gradient": gradient}
    elif kind == "flow_rate":
        case["driven"] = {"direction": mesh.vector(1.0), "flow_rate": rounded(speed * section)}
    elif kind == "acceleration":
        fluid["acceleration"] = mesh.vector(rounded(gradient / density))
    else:
        boundary["top"] = {"type": "wall", "velocity": mesh.vector(speed)}
    if c.maybe(0.35):
        case["scalars"] = {"dye": {"diffusivity": rounded(speed * height / c.log(1, 1e4)),
                                   "initial": f"y<{OFF_CENTRE * height!r}?1:0", "values": {"bottom": 1.0}}}
    if c.maybe(0.5):
        case["time"] = time_group(c, rounded(c.log(1e-2, 1e2) * mesh.h / speed), steps=c.randint(3, 10))
        case["solver"] = solver(c, c.one("piso", "pimple"))
        if c.maybe():
            case["initial"] = {"velocity": mesh.vector(speed)}
    else:
        case["solver"] = solver(c, c.one("simple", "simplec", "coupled"))
    _fields(case, ["velocity", "pressure", *case.get("scalars", {})])
    return case


def ring(c):
    """Between two circles of which one or both turn."""
    speed = c.log(1e-2, 10)
    group = {"file": "ring.geo", "parameters": {"ri": c.linear(0.3, 0.8, 2), "ro": 1.0, "nr": c.randint(2, 3),
                                                "na": c.randint(3, 4), "tri": c.one(0, 1)}}
    case = {"mesh": group, "fluid": _fluid(c, speed, 1 - group["parameters"]["ri"], 30),
            "boundary": {"inner": {"type": "wall"}, "outer": {"type": "wall"}}}
    for name in c.some(("inner", "outer"), c.randint(1, 2)):
        case["boundary"][name]["rotation"] = {"about": [0.0, 0.0], "speed": rounded(speed * c.one(1, -1))}
    if c.maybe(0.4):
        case["time"] = time_group(c, rounded(c.log(1e-2, 5) * 0.1 / speed))
        case["solver"] = solver(c, c.one("piso", "pimple"))
    else:
        case["solver"] = solver(c, c.one("simple", "simplec", "coupled"))
    _fields(case)
    return case


def oscillating(c):
    """From rest, a wall, an outlet's pressure, a driven flow rate or a wall's temperature that begin to oscillate."""
    mesh = box(c, None, 1.0, plain=c.maybe(0.7))
    height, period = mesh.lengths[1], c.log(1e-2, 1e2)
    speed, density = c.log(1e-2, 1.0), c.one(1.0, c.log(1e-2, 1e2))
    viscosity = rounded(density * height**2 / period * c.log(0.03, 10))
    wave = f"(1-cos({rounded(6.283 / period, 6)!r}*t))"
    boundary = {"left": {"type": "periodic", "with": "right"}, "right": {"type": "periodic", "with": "left"},
                "bottom": {"type": "wall"}, "top": {"type": c.one("wall", "slip")}}
    boundary |= {n: {"type": "slip"} for n in BACK[:2 * mesh.dim - 4]}
    case = {"mesh": mesh.group, "fluid": {"density": density, "viscosity": viscosity}, "boundary": boundary}
    kind = c.one("wall", "pressure", "heat", "inlet")
    if kind == "wall":
        boundary["bottom"]["velocity"] = mesh.vector(f"{speed!r}*{wave}", *[0.0] * (mesh.dim - 1))
    elif kind == "pressure":
        push = rounded(density * speed / period * mesh.lengths[0])
        boundary["left"] = {"type": "outlet", "pressure": f"{push!r}*{wave}"}
        boundary["right"] = {"type": "outlet"}
    elif kind == "inlet":
        boundary["left"] = {"type": "inlet", "velocity": mesh.vector(f"{speed!r}*{wave}", *[0.0] * (mesh.dim - 1))}
        boundary["right"] = {"type": "outlet"}
    else:
        case["fluid"] |= {"heat_capacity": 1.0, "conductivity": rounded(viscosity * c.log(0.1, 10))}
        level = c.one(0.0, 300.0)
        boundary["bottom"]["temperature"] = f"{level!r}+{wave}" if level else wave
        boundary["top"] |= {"temperature": level}
        case["initial"] = {"temperature": level}
    steps = c.one(5, 10, 20)
    case["time"] = {"end": rounded(period * c.one(0.25, 0.5, 1.0), 6), "step": 1.0,
                    "scheme": c.one("euler", "bdf2", "crank-nicolson")}
    case["time"]["step"] = rounded(case["time"]["end"] / steps, 9)
    if c.maybe(0.15):
        case["time"]["tolerance"] = c.one(1e-2, 1e-3) if case["time"].get("scheme") != "euler" else 1e-2
    case["solver"] = {"algorithm": c.one("piso", "pimple")}
    _fields(case, ["velocity", "pressure"] + ["temperature"] * (kind == "heat"))
    return case
