"""Oracles that compare a run with that of the same case seen otherwise: units, level, place, numbering, restart."""
import numpy as np

import facts
import motions
from compare import tables
from measure import EPSILON, SMALLEST, between_solutions, compare_fields, differences, field_sizes, flow_range
from runs import NotApplicable, Wrong
from transforms import in_units, moved, pressed, raised
from units import column_factor, factor, flattened

# Linear systems solved to rounding, so that what they leave does not count.
TIGHT = {"solver.pressure.tolerance": 1e-13, "solver.velocity.tolerance": 1e-13, "solver.pressure.max_iterations": 500,
         "solver.velocity.max_iterations": 500}
# In time rounding grows from step to step; scalars and temperatures are solved to 1e-12 by themselves; where correctors
# are repeated until velocity and pressure agree, what they leave counts, too.
IN_TIME = 1e-6


def tight(case):
    """Settings for a comparison, and the limit of differences: in time of rounding, else of the solver's tolerance.
    With time.tolerance rounding can decide whether a step is repeated, and the lengths of all that follow: each of both
    has errors of the tolerance."""
    if case.get("time.tolerance"):
        return TIGHT if facts.algorithm(case) in ("piso", "pimple") else {}, 2 * case["time.tolerance"]
    if facts.steady(case):
        return {}, 20 * facts.tolerance(case)                   # each of both within ten times the tolerance
    return TIGHT if facts.algorithm(case) in ("piso", "pimple") else {}, IN_TIME


def _same_end(a, b, what):
    if b.status == 1:
        raise Wrong(f"{what}: rejected: {b.message}")
    if a.status != b.status:
        raise Wrong(f"{what}: the run is {b.name}, not {a.name}")


def _pair(subject, case, other, what, limit, **more):
    a, b = subject.outcome(case), subject.outcome(other)
    if a.status != 0:
        raise NotApplicable(a.name)
    _agree(subject, case, a, b, what, limit, **more)


def _agree(subject, case, a, b, what, limit, change=0.0, **more):
    """b is as a but for rounding.  Of two fluids by what this run makes of a change of its start near rounding, times
    MULTIPLE, where that is more than the limit; change: of the start, by what is compared, where it is more.  Steady
    with a limiter by what lies between its solutions, and nothing where rounding decides whether the run converges."""
    try:
        _same_end(a, b, what)
        compare_fields(subject, what, a, b, limit, stages=True, **more)
    except Wrong:
        if facts.steady(case) and b.status in (2, 3, 5):
            ends = {subject.outcome(case.changed(changes)).status for changes in _nearly_the_same(subject, case)}
            if ends - {0}:
                raise NotApplicable("a change near rounding decides whether the run converges") from None
        if facts.steady(case) and case.get("solver.convection_temperature") == "van-leer":
            _same_end(a, b, what)
            compare_fields(subject, what, a, b, limit, apart=between_solutions(subject, case), **more)
            return
        if "second_fluid" not in case:
            raise
        apart = {}
        for changes in _nearly_the_same(subject, case):
            changed = subject.outcome(case.changed(changes))
            if changed.status != a.status:
                raise NotApplicable(f"with shapes moved by {NEAR:g} the run is {changed.name}, not {a.name}") from None
            for step in set(a.run.steps) & set(changed.run.steps):      # it comes and goes
                for name, value in differences(subject, a, changed, step=step).items():
                    apart[name] = max(apart.get(name, 0.0), MULTIPLE * max(1, change / NEAR) * value)
        if b.status != a.status and max(apart.values(), default=0) >= 1:
            raise NotApplicable("a change of the start near rounding changes the results by as much as they are") \
                from None
        _same_end(a, b, what)
        compare_fields(subject, what, a, b, limit, stages=True, apart=apart, **more)


# Of the domain's size: how far shapes and vertices move; a multiple, as rounding has many directions, some of which
# grow faster.
NEAR, ROUNDED, MULTIPLE = 1e-13, 1e-15, 30


def _nearly_the_same(subject, case):
    """Changes near rounding, which an interface of less than a few cells multiplies from step to step: shapes moved,
    and vertices of the mesh rounded otherwise."""
    size = float(np.ptp(subject.base.run.mesh.vertices, axis=0).max())
    for way in (-1, 1):
        moves = _moved_shapes(case, way * NEAR, size)
        yield moves
        target = f"{subject.folder}/rounded{way}.h5"
        with motions.copied(case.get("mesh.file") or subject.base.run.path("mesh.h5"), target) as file:
            vertices, dim = file["vertices"][:], int(file.attrs["dim"])
            waves = np.sin(1e3 * (np.arange(vertices[:, :dim].size) + 1.0)).reshape(-1, dim)
            vertices[:, :dim] += way * ROUNDED * size * waves
            file["vertices"][...] = vertices
        kept = {k: v for k, v in case["mesh"].items() if k in ("ordering", "parts")}
        yield {**moves, "mesh": {"file": target, **kept}}


def _moved_shapes(case, part, size):
    """And the viscosity changed by this part."""
    changes = {}
    for name, shape in case.get("shapes", {}).items():
        for key in {"centre", "point", "to"} & set(shape):
            changes[f"shapes.{name}.{key}"] = [x + (1 + 0.3 * k) * part * size for k, x in enumerate(shape[key])]
        if "normal" in shape:
            changes[f"shapes.{name}.normal"] = [x + (1 + 0.3 * k) * part for k, x in enumerate(shape["normal"])]
        if "function" in shape:
            changes[f"shapes.{name}.function"] = f"({shape['function']})+{part * size!r}"
    if isinstance(case.get("fluid.viscosity"), float):
        changes["fluid.viscosity"] = case["fluid.viscosity"] * (1 + part)
    return changes


def ordering(subject):
    """Cells numbered otherwise."""
    settings, limit = tight(subject.case)
    other = subject.chance.one("none", "cuthill-mckee", "metis")
    case = subject.on_mesh(settings)
    _pair(subject, case, case.changed({"mesh.ordering": other}), f"mesh.ordering {other} instead of hilbert", limit)


def _moved(subject, motion, what):
    subject.solved
    settings, limit = tight(subject.case)
    source = subject.base.run.path("mesh.h5")
    target = f"{subject.folder}/{what}.h5"
    motion.mesh(source, target)
    case = subject.on_mesh({**settings, "mesh": {"file": source, "ordering": "none"}})
    other = moved(case, motion).changed({"mesh": {"file": target, "ordering": "none"}})
    # an outlet's pressure is one without the weight of the first fluid, which is counted from the origin
    gravity = np.pad(np.array(case.get("fluid.gravity", []), float), (0, 3))[:3]
    weight = float(gravity @ motion.shift) * _number(case.get("fluid.density", 1.0))
    _pair(subject, case, other, what, limit, move=motion.fields, raised={"pressure": weight})


def _number(value):
    if isinstance(value, str):
        raise NotApplicable("the density is an expression")
    return value


def turn(subject):
    """Turned by 90 degrees."""
    _moved(subject, motions.rotation(90), "turned by 90 degrees")


def mirror(subject):
    """Mirrored in x or y."""
    axis = subject.chance.randint(0, 1)
    mirrored = np.diag([-1.0 if k == axis else 1.0 for k in range(3)])
    _moved(subject, motions.Motion(mirrored), f"mirrored in {'xy'[axis]}")


def translate(subject):
    """By some lengths, powers of two: the coordinates lose some bits, of which a cell's width counts."""
    size = float(np.ptp(subject.base.run.mesh.vertices, axis=0).max())
    _moved(subject, motions.Motion(shift=[4 * 2.0 ** round(np.log2(size)) * k for k in (1, -1, 0)]), "translated")


def level(subject):
    """The temperature, a scalar or the pressure on another level: kelvin for degrees, 1e5 Pa for 0."""
    case = subject.case
    quantities = facts.transported(case) + ["pressure"] * ("pressure" in case["output.fields"])
    if not quantities:
        raise NotApplicable("nothing has a level")
    what = subject.chance.one(*quantities)
    settings, limit = tight(case)
    case = subject.on_mesh(settings)
    a = subject.outcome(case)
    if a.status != 0:
        raise NotApplicable(a.name)
    size = field_sizes(subject, a.run)[what]
    if what == "pressure":
        # its rounding acts on a flow that smaller differences drive than those of levels and beside solids
        size = min(size, max(flow_range(case, a.run), SMALLEST))
        # with buoyancy the size is hydrostatic, and what drives the flow a part of it of the order of the expansion
        by = size * subject.chance.log(1e2, 1e6) * (1e-4 if facts.is_buoyant(case) else 1.0)
        one = subject.chance.maybe() and "right_2" in case["boundary"]          # of two circuits
        other = pressed(case, by, "_2" if one else "")
        shift = np.where(a.run.mesh.regions == "two", by, 0.0) if one else by
    else:
        by = size * subject.chance.log(1, 1e4)
        other, shift = raised(case, what, by), by
    # a good conductor's heat is rounded by its own conductivity, which a poor one beside it is given
    limit += 1e4 * EPSILON * by / size * (facts.contrast(case) if what == "temperature" else 1)
    b = subject.outcome(other)
    text = f"{what} higher by {by:.3g}, {by / size:.3g} of its range"
    _agree(subject, case, a, b, text, limit, change=EPSILON * by / size, raised={what: shift})


# Odd powers show a root of a unit; small ones stay within what single precision holds of the squares of residuals.
POWERS = ((-3, 2, 5, 3), (3, -1, -7, -5), (1, 3, -3, 7))


def units(subject):
    """Length, time, mass and scalars in units that are powers of two: the same bits, in every file."""
    base, case = subject.base, subject.case
    if base.status not in (0, 2, 5):
        raise NotApplicable(base.name)
    powers = list(subject.chance.one(*POWERS))
    if any("temperature" in v for _, v in flattened(case.settings) if isinstance(v, str)) \
            or "viscosity_model" in str(case.settings):
        raise NotApplicable("laws in other units are rounded otherwise")
    if facts.solids_only(case):
        values = base.field("temperature")
        if np.ptp(values) < 1e-9 * np.abs(values).max():
            raise NotApplicable("of a uniform temperature solvers see nothing but rounding")
    if "prescribed" in case or case.get("initial.field") == "taylor-green":
        powers[0] = powers[1] = 0
    scales = tuple(2.0 ** k for k in powers)
    dim = base.run.mesh.dim
    other = in_units(case, scales, dim)
    if "box" not in case["mesh"]:
        target = f"{subject.folder}/units.h5"
        motions.scaled_mesh(base.run.path("mesh.h5"), target, scales[0])
        other = other.changed({"mesh": {"file": target}})
    b = subject.outcome(other)
    text = f"units of length, time, mass and scalars by 2^{powers}"
    _same_end(base, b, text)
    apart = _other_bits(base.run, b.run, scales, [*facts.scalars(case), "temperature"], field_sizes(subject, base.run))
    if apart:
        raise Wrong(f"{text}: {apart[0]} has other bits" + (f", and {len(apart) - 1} more" if apart[1:] else ""))


def _other_bits(a, b, scales, scalars, size):
    """The fields and columns whose bits differ.  Where a field is uniform, solvers see nothing but rounding, of which
    the smallest parts are lost in single precision: then within rounding."""
    dim = a.mesh.dim
    if a.steps != b.steps:
        return ["the number of steps"]
    names = [n for n in a.field_names() if n not in ("region", "viscosity", "shear-rate")]
    spread = [np.ptp(a.field(n), axis=0).max() / size[n] for n in names]
    same = _nearly if min(spread) < 1e-9 else _equal
    if same is _nearly:
        names = [n for n in names if n != "pressure"]           # of a uniform flow it is rounding alone
    by = {n: column_factor(n, scales, dim, scalars) for n in names}
    apart = [n for n in names if not same(a.field(n) * by[n], b.field(n), size[n] * by[n])]
    theirs = tables(b)
    for path, table in tables(a).items():
        for name in table.columns:
            if same is _nearly and (path in ("residuals.csv", "heat.csv") or name == "balance"
                                       or path.startswith("scalars/")):
                continue
            by = _table_factor(path, name, scales, dim, scalars)
            mine = table[name] * by
            if not same(mine, theirs[path][name], np.nanmax(np.abs(mine), initial=0)):
                apart.append(f"{path}: {name}")
    return apart


# The smallest number that single precision holds with all of its digits: what solvers leave below is other in other
# units.
LEAST_SINGLE = float(np.finfo(np.float32).tiny)


def _equal(a, b, size):
    return a.shape == b.shape and bool(np.all((a == b) | np.isnan(a) & np.isnan(b) | (np.abs(a - b) < LEAST_SINGLE)))


def _nearly(a, b, size):
    return a.shape == b.shape and bool(np.nanmax(np.abs(a - b), initial=0) <= 1e-12 * size)


def _table_factor(path, name, scales, dim, scalars):
    """Of a column, by the unit of its file."""
    special = {"flows.csv": factor("volume/time", scales, dim),
               "heat.csv": factor("energy/(length^2 time)", scales, dim) * factor("area", scales, dim)}
    if path in special and name not in ("iteration", "time"):
        return 1.0 if name.endswith("_nusselt") else special[path]
    if path.startswith("scalars/") and name not in ("iteration", "time"):
        return factor("volume/time", scales, dim) * column_factor(path[8:-4], scales, dim, scalars)
    units_of = {"scattered": "volume", "flow_rate": "volume/time", "pressure_gradient": "pressure/length"}
    if path in ("interface.csv", "driven.csv") and name in units_of:
        return factor(units_of[name], scales, dim)
    return column_factor(name, scales, dim, scalars, path == "residuals.csv")


def galilean(subject):
    """A frame that moves along the walls of a periodic flow that is the same everywhere along them: the same flow but
    for rounding.  (Not with time.tolerance: errors are relative to the velocity, which is another in the frame.)"""
    case = subject.case
    walls = [n for n, b in case["boundary"].items() if b["type"] == "wall"]
    periodic = {n for n, b in case["boundary"].items() if b["type"] == "periodic"}
    box = case["mesh"].get("box", {})
    if facts.steady(case) or not {"left", "right"} <= periodic or facts.flows(case) or facts.depends_on(case, "x") \
            or "distortion" in box or box.get("stretch", [1.0])[0] != 1 or not box or facts.two_fluids(case) \
            or "flow_rate" in case.get("driven", {}) \
            or case.get("time.tolerance") \
            or any("resistance" in s for s in case.get("sources", {}).values()):
        raise NotApplicable("the flow is not the same everywhere along x")
    subject.solved
    dim = len(box["cells"])
    speed = max(float(np.abs(subject.base.field("velocity")).max()), 1e-30) * subject.chance.log(0.1, 10)
    changes = {}
    for key in [f"boundary.{n}.velocity" for n in walls] + ["initial.velocity"]:
        old = case.get(key, [0.0] * dim)
        changes[key] = [f"{speed!r}+({old[0]})" if isinstance(old[0], str) else old[0] + speed, *old[1:]]
    settings, limit = tight(case)
    if not subject.base.field("velocity").any():                # in the frame its first residual is rounding
        settings = {}
    settings = {**settings, "time.courant": None,
                **{f"scalars.{n}.convection": "linear-upwind" for n in _flux_corrected(subject)}}
    a, b = subject.outcome(subject.on_mesh(settings)), subject.outcome(subject.on_mesh({**settings, **changes}))
    if a.status != 0:
        raise NotApplicable(a.name)
    if b.status == 2 and "solver.velocity.tolerance" in settings:
        raise NotApplicable("in the frame convection is rounded to more than this oracle's tolerance of the solvers")
    _same_end(a, b, f"in a frame that moves by {-speed:.3g}")
    shift = np.array([speed, 0.0, 0.0])
    size = {n: v for n, v in field_sizes(subject, a.run).items() if n not in _stepped_otherwise(case, a, b)}
    compare_fields(subject, f"in a frame that moves by {-speed:.3g}", a, b, limit, raised={"velocity": shift},
                   size=size, stages=True)


# From this diffusion number on scalars are solved in stages, without flux correction (numerics.md, "Passive scalars").
STAGES = 0.2


def _flux_corrected(subject):
    """Scalars whose limiter adds up all that enters a cell and all that leaves it, also along the frame's motion, where
    both are equal: by how much it limits depends on the frame.  Such are those with bounds, in short steps."""
    case, mesh = subject.case, subject.base.run.mesh
    size = float(np.mean(mesh.volumes())) ** (1 / mesh.dim)
    given = [s["diffusivity"] for s in case.get("scalars", {}).values()]
    number = max([d for d in given if not isinstance(d, str)], default=0) * case["time.step"] / size**2
    return [n for n in facts.scalars(case) if not facts.may_overshoot(case, n) and number < STAGES]


def _stepped_otherwise(case, a, b):
    """Transported quantities whose steps are others in one of two runs: from a Courant number on, which is that of the
    frame, their corrections are iterated (numerics.md, "Passive scalars")."""
    first, second = (np.nan_to_num(o.table("residuals.csv")["courant"]) for o in (a, b))
    convection = {n: facts.scheme(case, n) or case.get("solver.convection") for n in facts.transported(case)}
    longest = {n: 0.3 if scheme == "central" else 0.75 for n, scheme in convection.items()}
    return {n for n, most in longest.items() if np.any((first < most) != (second < most))}


def _bits(subject, what, **more):
    a, b = subject.base, subject.outcome(**more)
    if a.status not in (0, 2, 5):
        raise NotApplicable(a.name)
    _same_end(a, b, what)
    if a.digest is None or a.digest != b.digest:
        raise Wrong(f"{what}: another digest")
    return b


def restart(subject):
    """Stopped at some iteration or step, and restarted: the same bits of fields and tables."""
    base, case = subject.base, subject.case
    if base.status not in (0, 2, 5):
        raise NotApplicable(base.name)
    count = int(base.table("residuals.csv")["iteration"][-1])
    if count < 2:
        raise NotApplicable("too short")
    key = "solver.max_iterations" if facts.steady(case) else "time.max_steps"
    half = subject.chance.randint(1, count - 1)
    first = subject.outcome(case.changed({key: half}), again=f"{subject.folder}/restart.out")
    what = f"stopped after {half} of {count} and restarted"
    if first.status != 2:
        raise Wrong(f"{what}: the first part is {first.name}: {first.message}")
    again = _bits(subject, what, options=["--restart"], again=first.directory)
    for path, table in tables(base.run).items():
        other = again.table(path)
        if other is None or not np.array_equal(table.rows, other.rows, equal_nan=True):
            raise Wrong(f"{what}: {path} has other bits")
