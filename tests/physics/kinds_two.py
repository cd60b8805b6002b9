"""Cases of two fluids: bodies and layers in boxes, with heat and scalars; and an interface in a prescribed flow."""
from chance import rounded
from kinds_flow import law
from meshes import BACK, block, box
from pieces import SCHEMES_TIME, solver

# A step of the first values is at this part of the height: halfway it would be at the centres of a row of cells, on a
# side of it that the rounding of a moved mesh chooses.
HALFWAY = 0.52


def _shape(c, mesh):
    """A body in the middle, a layer, or a column at the left."""
    kind = c.one("sphere", "half-space", "half-space", "box", "level")
    lengths = mesh.lengths
    if kind == "sphere":
        return {"type": "sphere", "centre": [rounded(0.5 * v, 6) for v in lengths],
                "radius": rounded(0.3 * min(lengths))}
    if kind == "half-space":
        return {"type": "half-space", "point": [rounded(c.linear(0.3, 0.7) * v, 6) for v in lengths],
                "normal": mesh.vector(c.one(0.0, 0.0, 0.3), 1.0)}
    if kind == "box":
        return {"type": "box", "from": [0.0] * mesh.dim,
                "to": [rounded(c.linear(0.3, 0.7) * lengths[0]), rounded(0.6 * lengths[1]), *lengths[2:]]}
    return {"type": "level", "function": f"y-{rounded(0.5 * lengths[1])!r}-{rounded(0.1 * lengths[1])!r}"
                                         f"*cos({rounded(6.2832 / lengths[0], 5)!r}*x)"}


def two_fluids(c):
    """Two fluids, closed or with an inlet and an outlet; densities and viscosities up to 1000 apart."""
    length, speed = c.log(1e-2, 1e1), c.log(1e-2, 1e1)
    mesh = block(c, 2, length) if c.maybe(0.2) else box(c, None, length)
    lengths = mesh.lengths
    density, contrast = c.one(1.0, c.log(1e-1, 1e3)), c.log(1e-3, 1e3)
    viscosity = rounded(density * speed * min(lengths) / c.log(0.1, 100))
    fluid = {"density": density, "viscosity": viscosity}
    second = {"density": rounded(density * contrast), "viscosity": rounded(viscosity * c.log(1e-2, 1e2))}
    if c.maybe(0.4):
        inertia = max(density, second["density"]) * speed**2 * min(lengths)
        second["surface_tension"] = rounded(inertia * c.log(1e-2, 1e2))
    if c.maybe(0.6):
        across = c.one(0.0, 0.0, rounded(0.3 * speed**2 / length))
        fluid["gravity"] = mesh.vector(across, -rounded(speed**2 / length * c.log(0.1, 10)))
    boundary = {name: {"type": c.one("wall", "slip", "symmetry")} for name in mesh.sides}
    if "shear" in mesh.group.get("parameters", {}):
        boundary = {name: {"type": "wall"} for name in mesh.sides}
    if c.maybe(0.15):
        owner = c.one(fluid, second)
        owner["viscosity_model"] = law(c, speed / min(lengths), owner.pop("viscosity"))
    is_open = c.maybe(0.4)
    if is_open:
        boundary["left"] = {"type": "inlet", "velocity": mesh.vector(speed), "fraction": c.one(0.0, 0.0, 1.0)}
        boundary["right"] = {"type": "outlet"}
    case = {"mesh": mesh.group, "fluid": fluid, "second_fluid": second, "shapes": {"s": _shape(c, mesh)},
            "boundary": boundary}
    heat = c.maybe(0.5)
    if heat:
        warm, spread = c.one(0.0, 293.0), c.log(0.1, 10, 2)
        capacity = c.log(1, 100)
        conductivity = rounded(viscosity * capacity / c.log(0.1, 100))
        fluid |= {"heat_capacity": capacity, "conductivity": conductivity}
        second |= {"heat_capacity": rounded(capacity * c.one(1.0, c.log(0.1, 10))),
                   "conductivity": rounded(conductivity * c.log(1e-3, 1e3))}
        half = rounded(HALFWAY * lengths[1])
        case["initial"] = {"temperature": f"y<{half!r}?{warm!r}:{rounded(warm + spread, 6)!r}"}
        if is_open:
            boundary["left"]["temperature"] = warm
        for name in ("bottom", "top"):
            if boundary[name]["type"] != "symmetry" and c.maybe():
                boundary[name]["temperature"] = rounded(warm + spread, 6)
        if c.maybe(0.2) and "surface_tension" in second:
            fluid["reference_temperature"] = warm
            second["surface_tension_slope"] = -rounded(second["surface_tension"] / spread * c.linear(0.01, 0.3))
        if c.maybe(0.3):
            case.setdefault("solver", {})["convection_temperature"] = c.one("upwind", "limited")
    if c.maybe(0.4):
        case["scalars"] = {"dye": {"diffusivity": rounded(speed * min(lengths) / c.log(1, 1e4)),
                                   "initial": f"y<{rounded(HALFWAY * lengths[1])!r}?1:0"}}
        if is_open:
            case["scalars"]["dye"]["values"] = {"left": 1.0}
        if c.maybe(0.2) and not is_open:
            case["scalars"]["dye"] |= {"fluid": c.one("first", "second"), "initial": 1.0}
    step = c.log(0.02, 1) * mesh.h / speed
    case["time"] = {"end": rounded(step * c.randint(3, 20), 6), "step": rounded(step, 6), "max_steps": 60}
    if c.maybe(0.3):
        case["time"]["scheme"] = c.one(*SCHEMES_TIME)
    own = solver(c, c.one("piso", "pimple"))
    own.pop("convection", None)
    case["solver"] = {**own, **case.get("solver", {})}
    case["output"] = {"every": 1, "fields": ["velocity", "pressure", "fraction"] + ["temperature"] * heat
                      + list(case.get("scalars", {}))}
    return case


def advection(c):
    """An interface in a prescribed flow."""
    field = c.one("vortex", "rotation", "shear", "deformation")
    dim = {"vortex": 2, "rotation": 2, "shear": 3, "deformation": 3}[field]
    cells = [c.randint(8, 12)] * dim if dim == 2 else [c.randint(4, 6)] * 3
    if field == "shear":
        group = {"box": {"cells": cells, "to": [1.0, 1.0, 1.0]}}
    else:
        group = {"box": {"cells": cells, "to": [1.0] * dim}}
    centre = [0.5, 0.75] if dim == 2 else [0.5, 0.5, 0.5]
    shape = {"type": "sphere", "centre": centre, "radius": c.linear(0.12, 0.25, 2)}
    case = {"mesh": group, "fluid": {"viscosity": 1.0}, "second_fluid": {"density": c.log(1e-2, 1e2), "viscosity": 1.0},
            "shapes": {"s": shape}, "boundary": {n: {"type": "wall"} for n in
                                                 ("left", "right", "bottom", "top", *BACK[:2 * dim - 4])},
            "prescribed": {"field": field, "period": c.one(1.0, 2.0, 4.0)},
            "solver": {"algorithm": "advection"}}
    step = c.log(0.05, 1) / cells[0] / 2
    case["time"] = {"end": rounded(step * c.randint(3, 15), 6), "step": rounded(step, 6)}
    case["output"] = {"every": 1, "fields": ["velocity", "fraction"]}
    return case
