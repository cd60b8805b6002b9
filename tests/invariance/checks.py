"""The checks, one function each, with the shared data of a setup as argument; they return (good, text)."""
import os
import tempfile

import numpy as np

import motions
from compare import compute, differences, iterations, prepare, same_bits, sizes, worst_of
from poise import PoiseError
from setups import setups
from units import column_factor, scaled_case

# Factors of length, time, mass and scalars.  Odd powers: a root of a length or of a mass shows.  units-far stays within
# what single precision holds (docs/explanation/numerics.md, "Invariances").
POWERS = {"units-2": (-9, 7, 13, 5), "units-far": (-19, 25, -40, -60)}
# Millimetres; densities from a thousandth to a thousand.  units-water: the first fluid becomes water of 20 degrees, a
# length a centimetre, and the Reynolds number remains.
FACTORS = {"units-mm": (1e3, 1, 1, 1), "units-water": None, "units-thin": (1, 1, 1e-3, 1),
           "units-dense": (1, 1, 1e3, 1)}
WATER = {"length": 0.01, "density": 998.2, "viscosity": 1.002e-3, "scalar": 293.15}
LEVEL = FAR = 1e6
EPSILON = np.finfo(float).eps
# Effect of the order of sums; larger in transient cases, where a pressure is a velocity over a step and a
# curvature a second derivative of fractions.  The coupled system is in single precision, and so are some geometric
# numbers of meshes that are not regular (16 bits), which are others in other directions.  Temperatures and scalars of
# steady flow are accelerated with a history in single precision, whose rounding their last iterations still have.
ORDER_OF_SUMS, IN_TIME, OF_SINGLE, OF_SHORT = 1e-12, 1e-11, 1e-7, 5e-5
LIKE_FLAT, ACROSS = 0.15, 1e-5
CONVERGED = {"solver.tolerance": 1e-6, "solver.max_iterations": 1000}
QUICK = {"units-2", "units-water", "turn-90", "mirror", "level"}


class Shared:
    """A setup, its mesh, and its untransformed runs, which several checks share."""

    def __init__(self, setup, folder):
        self.setup, self.folder, self._runs, self._mesh = setup, folder, {}, None

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def mesh(self):
        if not self._mesh:
            self._mesh = prepare(self.setup, self.folder)
        return self._mesh

    def original(self, name, settings):
        """The untransformed run; once for each name."""
        if name not in self._runs:
            self._runs[name] = compute(self.setup.base, self.mesh, self.folder, name, settings)
        return self._runs[name]


def applies(setup, kind):
    """Is there such a transformation of this case?"""
    if setup.kinds is not None:
        return kind in setup.kinds
    if setup.units_fixed:
        return kind in ("units-2", "units-far", "units-thin", "units-dense") or kind in ("level", "slab") and (
            setup.algorithm != "advection")
    return {"axes": setup.three, "slab": setup.slab and not setup.three,
            "turn-30": not setup.along_axes, "far-across": "fluid.gravity" in setup.base,
            "level": setup.algorithm != "advection"}.get(kind, True)


def _scales(setup, scales):
    """If a formula prescribes the velocity, lengths and times are fixed."""
    if scales is None:
        length = WATER["length"]
        mass = length**3 * WATER["density"] / setup.base.get("fluid.density", 1.0)
        scales = (length, mass / length * setup.base["fluid.viscosity"] / WATER["viscosity"], mass, WATER["scalar"])
    return (1.0, 1.0, *scales[2:]) if setup.units_fixed else scales


def _in_units(shared, kind, scales, name, settings, unscaled=()):
    """The run of this name in the case's units, and in other units."""
    a = shared.original(name, settings)
    mesh = shared.path(kind + ".h5")
    motions.scaled_mesh(shared.mesh, mesh, scales[0])
    return a, compute(scaled_case(shared.setup.base, scales, a.mesh.dim, unscaled), mesh, shared.folder, kind, settings)


def powers_of_two(shared, kind, unscaled=()):
    scales = _scales(shared.setup, tuple(2.0 ** k for k in POWERS[kind]))
    a, b = _in_units(shared, kind, scales, "short", shared.setup.short(), unscaled)
    apart = same_bits(a, b, scales, shared.setup.scalars)
    what, most = worst_of(apart)
    return not apart, f"{most:.1e} at {what}, {len(apart)} fields and columns differ" if apart else "same bits"


def other_factors(shared, kind):
    """Steady cases run until they have converged, others for some steps."""
    setup, scales = shared.setup, _scales(shared.setup, FACTORS[kind])
    settings = CONVERGED if setup.steady else setup.short()
    a, b = _in_units(shared, kind, scales, "whole", settings)
    n, m = iterations(a), iterations(b)
    # That of the run, or of the linear solvers.  Residuals of 1e-6 leave some 1e-5 of the fields, because an iteration
    # takes some tenth of what there is; linear solvers, rounded otherwise, leave another part of it.
    limit = (2e-6 if n == m else 1e-5) if setup.steady else 1e-4
    apart = differences(a, b, lambda n, v: v, lambda n: column_factor(n, scales, a.mesh.dim, setup.scalars),
                        sizes(a, a.field_names(), setup.density))
    what, most = worst_of(apart)
    good = most <= limit and abs(n - m) <= 1 and a.status == b.status
    return good, f"{most:.1e} at {what} (limit {limit:.0e}), {n} and {m} iterations"


def _moved(shared, kind, motion, limit, changes=None, raised=None):
    """The same numbering of the cells, so that sums are done in the same order; linear systems solved to rounding."""
    setup = shared.setup
    settings = {"mesh.ordering": "none", **setup.short(), **setup.tight(), **(changes or {})}
    a = shared.original("tight" + "-changed" * bool(changes), settings)
    mesh = shared.path(kind + ".h5")
    motion.mesh(shared.mesh, mesh)
    b = compute(motion.case(setup.base), mesh, shared.folder, kind, settings)
    return _close(setup, a, b, motion.fields, limit, raised)


def _close(setup, a, b, move, limit, raised=None):
    names = [n for n in a.field_names() if not n.startswith("gradient")]
    apart = differences(a, b, move, lambda n: 1.0, sizes(a, names, setup.density), raised)
    what, most = worst_of(apart)
    return most <= limit, f"{most:.1e} at {what} (limit {limit:.0e})"


def turned(shared, kind):
    """For 30 degrees without van Leer's limiter, which depends on the axes."""
    setup = shared.setup
    turn = {"turn-90": motions.rotation(90), "turn-30": motions.rotation(30),
            "mirror": motions.Motion(np.diag([-1, 1, 1])),
            "axes": motions.Motion([[0, 0, 1], [1, 0, 0], [0, 1, 0]])}[kind]
    accelerated = setup.steady and ("fluid.heat_capacity" in setup.base or "scalars" in setup.base)
    limit = max(OF_SINGLE * (setup.algorithm == "coupled" or accelerated), IN_TIME * (not setup.steady), ORDER_OF_SUMS,
                OF_SHORT * (kind == "turn-30" and not setup.regular))
    oblique = kind == "turn-30" and setup.limited
    return _moved(shared, kind, turn, limit, {"solver.convection": "linear-upwind"} if oblique else None)


def far(shared, kind):
    """Coordinates have an error of FAR EPSILON lengths, which is a hundred times that relative to a cell; for a
    curvature more.  The pressure also contains the first fluid's weight.  far-across: normal to gravity only."""
    base, shift = shared.setup.base, np.full(3, FAR)
    gravity = np.pad(np.array(base.get("fluid.gravity", [])), (0, 3))[:3]
    if kind == "far-across":
        shift[gravity != 0] = 0
    weight = base.get("fluid.density", 1.0) * float(gravity @ shift)
    return _moved(shared, kind, motions.Motion(shift=shift),
                  (1e4 if shared.setup.two_phase else 1e3) * FAR * EPSILON, raised={"pressure": weight})


def level(shared, kind):
    """The outlet and initial pressures raised by LEVEL times the largest dynamic pressure."""
    setup = shared.setup
    settings = {**setup.short(), **setup.tight()}
    a = shared.original("tight-hilbert", settings)
    size = sizes(a, ["pressure", "velocity"], setup.density)
    raised = LEVEL * setup.density * size["velocity"] ** 2
    changes = {f"boundary.{n}.pressure": setup.base.get(f"boundary.{n}.pressure", 0.0) + raised for n in setup.outlets}
    changes["initial.pressure"] = setup.base.get("initial.pressure", 0.0) + raised
    b = compute(setup.base.changed(changes), shared.mesh, shared.folder, kind, settings)
    if not setup.steady and not setup.outlets:                  # a level of their own, whatever they begin with
        raised = float(np.mean(b.field("pressure") - a.field("pressure")))
    limit = (1e3 if setup.steady else 1e4) * LEVEL * EPSILON
    return _close(setup, a, b, lambda n, v: v, limit, {"pressure": raised, "reduced-pressure": raised})


def slab(shared, kind):
    """Some cells thick, periodic across.  The friction between the layers counts in a_P, so that the part of a flux
    that the pressure's fourth differences make is another: as large as the error of discretisation, no invariant."""
    setup = shared.setup
    original = setup.base.changed({f"boundary.{n}.profile": None for n in setup.base["boundary"]
                                   if setup.base["boundary"][n].get("profile")})
    settings = CONVERGED if setup.steady else setup.short()
    a = compute(original, shared.mesh, shared.folder, "flat", settings)
    mesh = shared.path("slab.h5")
    order = motions.slab_mesh(shared.mesh, mesh)
    b = compute(motions.slab_case(original), mesh, shared.folder, kind, settings)
    size = sizes(a, ["velocity", "pressure"], setup.density)
    apart = differences(a, b, lambda n, v: v[order], lambda n: 1.0, size)
    still = float(np.max(np.abs(b.field("velocity")[:, 2])) / size["velocity"])
    what, most = worst_of(apart)
    return most <= LIKE_FLAT and still <= ACROSS, f"{most:.1e} at {what} (limit {LIKE_FLAT:.0e}), {still:.0e} across"


CHECKS = {**{k: (lambda s, k=k: powers_of_two(s, k)) for k in POWERS},
          **{k: (lambda s, k=k: other_factors(s, k)) for k in FACTORS},
          "level": lambda s: level(s, "level"), "far": lambda s: far(s, "far"),
          "far-across": lambda s: far(s, "far-across"),
          **{k: (lambda s, k=k: turned(s, k)) for k in ("turn-90", "mirror", "axes", "turn-30")},
          "slab": lambda s: slab(s, "slab")}


def unscaled_is_noticed():
    """The comparison must detect an error: it fails if the viscosity keeps its old unit."""
    missed = []
    for name, key in (("cavity-simplec", "fluid.viscosity"), ("bubble-piso", "second_fluid.surface_tension"),
                      ("heated-channel-simplec", "scalars.temperature.fluxes.walls")):
        setup = next(s for s in setups() if s.name == name)
        with tempfile.TemporaryDirectory() as folder:
            try:
                good, _ = powers_of_two(Shared(setup, folder), "units-2", (key,))
            except PoiseError:
                good = False
        missed += [key] * good
    return not missed, f"not noticed: {', '.join(missed)}" if missed else "three keys, each noticed"
