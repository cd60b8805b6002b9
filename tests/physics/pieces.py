"""Pieces of cases that several kinds draw alike: walls, schemes, solvers, steps in time."""
from chance import rounded

SCHEMES_TIME = ("euler", "bdf2", "crank-nicolson")


def level_and_spread(c):
    """A temperature and a difference: degrees, kelvin, and small differences in large numbers."""
    warm = c.one(0.0, 0.0, 293.0, 1000.0)
    return warm, c.one(1.0, c.log(0.01, 100, 2))


def thermal(c, warm, spread, conductance, kind=None):
    """Keys of a wall: a temperature, a heat flux, a transfer, or nothing."""
    kind = kind or c.one("", "temperature", "temperature", "transfer", "heat_flux" if c.fluxes else "")
    hot = rounded(warm + spread * c.linear(0.2, 1), 6)
    if kind == "temperature":
        return {"temperature": c.one(warm, hot)}
    if kind == "heat_flux":
        return {"heat_flux": rounded(conductance * spread * c.log(1e-2, 10) * c.one(1, -1))}
    if kind == "transfer":
        return {"transfer": [rounded(conductance * c.log(1e-3, 1e3)), c.one(warm, hot)]}
    return {}


def heated_wall(c, warm, spread, conductance, kind=None):
    return {"type": "wall", **thermal(c, warm, spread, conductance, kind)}


def free_side(c):
    """A wall at rest, or one without friction."""
    return c.one("wall", "wall", "slip")


def solver(c, algorithm):
    """The group solver: algorithm, schemes, and now and then what is mostly left as it is."""
    group = {"algorithm": algorithm}
    steady = algorithm in ("simple", "simplec", "coupled")
    if c.maybe(0.5):
        group["convection"] = c.one("upwind", "linear-upwind", "central", "van-leer")
    if c.maybe(0.25):
        group["gradient"] = "green-gauss"
    if c.maybe(0.15):
        group["accuracy"] = "standard"
    if steady:
        if c.maybe(0.5):
            group["tolerance"] = c.one(1e-5, 1e-7, 1e-8)
        group["max_iterations"] = 3000
        if c.maybe(0.15):
            group["acceleration"] = c.one(3, 10)
    elif c.maybe(0.15):
        group["correctors"] = c.randint(1, 4)
    if algorithm == "pimple" and c.maybe(0.2):
        group["outer_correctors"] = c.randint(1, 5)
    if c.maybe(0.1) and algorithm != "coupled":
        group["non_orthogonal_correctors"] = c.one(1, 3)
    return group


def heat_schemes(c, case):
    """Half of the cases leave the scheme of the temperature as it is."""
    if c.maybe(0.5):
        case["solver"]["convection_temperature"] = c.one("upwind", "limited", "linear-upwind", "central", "van-leer")


def time_group(c, step, steps=None):
    steps = steps or c.randint(3, 10)
    group = {"end": rounded(step * steps, 6), "step": step}
    if c.maybe(0.6):
        group["scheme"] = c.one(*SCHEMES_TIME)
    return group


def buoyant(c, case, mesh, rayleigh, prandtl, height, warm, spread, by_scalar=False):
    """The fluid, by Rayleigh's and Prandtl's numbers, with gravity along y or obliquely."""
    density, g = c.one(1.0, c.log(1e-1, 1e3)), c.log(1e-1, 1e2)
    expansion = c.log(1e-4, 1e-1)
    viscous = (expansion * spread * g * height**3 * prandtl / rayleigh) ** 0.5      # viscosity / density
    fluid = {"density": density, "viscosity": rounded(density * viscous)}
    tilt = c.linear(-1, 1) if c.maybe(0.15) else 0.0
    fluid["gravity"] = mesh.vector(rounded(g * tilt), -g)
    if by_scalar:
        case["scalars"] = {"salt": {"diffusivity": rounded(viscous / prandtl), "initial": warm}}
        case["buoyancy"] = {"scalar": "salt", "expansion": expansion * c.one(1, -1)}
    else:
        capacity = c.log(1, 1e4)
        fluid |= {"heat_capacity": capacity, "conductivity": rounded(density * viscous / prandtl * capacity),
                  "expansion": expansion}
        if c.maybe(0.3):
            fluid["reference_temperature"] = warm
    case["fluid"] = fluid
