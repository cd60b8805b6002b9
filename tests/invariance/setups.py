"""The setups: every case of cases/ on a mesh of some hundred cells, with every algorithm that it supports."""
import os

from poise import Case

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEADY = ("simple", "simplec", "coupled")
IN_TIME = ("piso", "pimple")

# Solved down to rounding: for comparisons in which linear solvers get different numbers.
TIGHT = {"solver.pressure.tolerance": 1e-13, "solver.velocity.tolerance": 1e-13, "solver.pressure.max_iterations": 500,
         "solver.velocity.max_iterations": 500}
# A case with this key has fixed units: the formula of the velocity has its own lengths and speeds.
FIXED = {"initial.field": "taylor-green", "prescribed.field": None}


class Setup:
    """One case.  few: iterations or steps of the comparisons that end before the case does.  kinds: of checks, all
    when None."""

    def __init__(self, name, source, settings=None, few=12, quick=False, slab=True, kinds=None):
        self.name, self.source, self.few, self.quick, self.kinds = name, source, few, quick, kinds
        self.settings = settings or {}
        case = Case(os.path.join(TOP, "cases", source + ".cfg")).changed(self.settings)
        self.algorithm = case.get("solver.algorithm", "simplec")
        self.steady = self.algorithm in STEADY
        self.two_phase, self.scalars = "second_fluid" in case, list(case.get("scalars", {}))
        fields = ["velocity", "pressure", "gradient", "vorticity", *self.scalars]
        if "fluid.gravity" in case:
            fields += ["reduced-pressure"]
        if self.two_phase:
            fields += ["fraction", "density", "curvature", "distance"]
        if self.algorithm == "advection":
            fields = ["velocity", "fraction"]
        self.base = case.changed({"output.fields": fields, "output.report_every": None, "output.checkpoint_minutes": 0,
                                  "output.every": None, "output.interval": None})
        self.units_fixed = any(case.get(key) is not None and word in (None, case[key]) for key, word in FIXED.items())
        self.density = max(case.get(key + ".density", 1.0) for key in ("fluid", "second_fluid"))
        self.three = len(case.get("mesh.box.cells", [0, 0])) == 3 or source.startswith("cavity3d")
        self.along_axes = any(s["type"] == "box" or "copies" in s for s in case.get("shapes", {}).values())
        self.slab = slab and not any(s["type"] == "sphere" for s in case.get("shapes", {}).values())
        self.outlets = [n for n, b in case["boundary"].items() if b["type"] == "outlet"]
        # Orthogonal cells whose neighbours' centres are opposite their faces: no corrections there.
        self.regular = "cylinder" not in source and not case.get("mesh.parameters.elements", 0)
        # Van Leer's limiter acts on each velocity component separately, so it depends on the axes.
        self.limited = case.get("solver.convection", "van-leer" if self.two_phase else "linear-upwind") == "van-leer"

    def short(self, few=None):
        """Settings that end the run after this number of iterations or steps."""
        few = few or self.few
        return {"solver.tolerance": 1e-300, "solver.max_iterations": few} if self.steady else {"time.max_steps": few}

    def tight(self):
        if self.algorithm == "advection":
            return {}
        if self.algorithm == "coupled":
            # The history of the acceleration is in single precision.
            return {"solver.coupled.tolerance": 1e-13, "solver.coupled.max_iterations": 200,
                    "solver.acceleration": 0}
        return TIGHT


def _steady(name, source, settings, quick=(), algorithms=STEADY, **more):
    return [Setup(f"{name}-{a}", source, {"solver.algorithm": a, **settings}, quick=a in quick, **more)
            for a in algorithms]


def _in_time(name, source, settings, quick=(), algorithms=IN_TIME, **more):
    return [Setup(f"{name}-{a}", source, {"solver.algorithm": a, **settings}, quick=a in quick, few=more.pop("few", 4),
                  **more) for a in algorithms]


# A steady case run as a transient.
TIME = {"solver.tolerance": None, "solver.max_iterations": None, "time": {"end": 1.0, "step": 0.02}}
DYE = {"scalars.dye": {"diffusivity": 0.01, "initial": 0.5}}
SALT = {"scalars.salt": {"diffusivity": 0.01, "initial": 0.5, "fluid": "first"}}


# What the cases leave as it is by default, in other units by powers of two.
MORE = {"convection": "van-leer", "gradient": "green-gauss", "accuracy": "standard", "non_orthogonal_correctors": 1}
FACES = ["velocity", "pressure", "shear", "wall-distance", "flow"]
OUTPUT = {"planes.cut": {"point": [0.5, 0.2], "normal": [1.0, 0.5], "fields": ["velocity", "pressure", "vorticity"]},
          "surfaces.walls": {"boundaries": ["walls"], "fields": FACES}}
STANDS = {"convergence": {"drag": {"of": "cylinder", "quantity": "force_x", "over": 5},
                          "front": {"of": "front", "quantity": "pressure", "over": 5}}}
SOLVERS = [*({"preconditioner": p} for p in (
    "none", "jacobi", "ruiz", "block-jacobi", "jacobi-richardson", "gauss-seidel", "multicolour-gs", "two-stage-gs",
    "chebyshev", "ic0", "block-ic", "incomplete-poisson", "neumann")),
    *({"preconditioner": p, "method": m} for p, m in (("ilu", "bicgstab"), ("block-isai", "gmres"),
                                                      ("nested-schwarz", "fgmres"), ("jacobi", "gmres"))),
    *({"preconditioner": "multigrid", "cycle": c, "smoother": s} for c, s in (
        ("k", "two-stage-gs"), ("w", "chebyshev"), ("v", "block-jacobi"))),
    *({"preconditioner": "ic0", "deflation": d} for d in ("stripes", "blocks", "metis"))]


def _options():
    """Settings in addition to the cases' own."""
    units = ("units-2", "units-far")
    for k, pressure in enumerate(SOLVERS):
        yield Setup("pressure-" + "-".join(pressure.values()), "cavity/cavity",
                    {"mesh.parameters.n": 12, "solver.pressure": pressure}, few=3, kinds=units)
        if "deflation" in pressure or k % 4 == 0:
            yield Setup("pressure-" + "-".join(pressure.values()) + "-two-fluids", "bubbles/bubbles",
                        {"mesh.box.cells": [32, 32], "solver.pressure": pressure}, few=2, kinds=units)
    yield Setup("bubbles-level-set-deflation", "bubbles/bubbles",
                {"mesh.box.cells": [32, 32], "solver.pressure": {"preconditioner": "ic0", "deflation": "level-set"}},
                few=3, kinds=units)
    yield Setup("cylinder-options", "cylinder/cylinder", {"mesh.parameters.h": 0.02, **{f"solver.{k}": v for k, v in
                MORE.items()}, **OUTPUT, **STANDS, "averages": {"from": 3}}, kinds=units)
    yield Setup("cylinder-unsteady-options", "cylinder-unsteady/cylinder-unsteady", {
        "mesh.parameters": {"h": 0.02, "elements": 1}, **OUTPUT, "averages": {"from": 0.01}, "time.scheme": "bdf2",
        "solver.accuracy": "standard"}, few=4, kinds=units)
    yield Setup("dambreak-angle", "dambreak/dambreak",
                {"mesh.box.cells": [20, 12], "boundary.bottom": {"type": "wall", "contact_angle": 60.0}}, few=4,
                kinds=units)


def setups():
    elements, cells = "mesh.parameters.elements", "mesh.box.cells"
    n, h = "mesh.parameters.n", "mesh.parameters.h"
    return [
        *_steady("cavity", "cavity/cavity", {n: 12}, quick=("simplec", "coupled")),
        *_steady("cavity-triangles", "cavity/cavity", {n: 10, elements: 1}, quick=("simple",)),
        *_steady("cavity-mixed", "cavity/cavity", {n: 12, elements: 2}, quick=("coupled",)),
        *_steady("cavity3d", "cavity3d/cavity3d", {n: 6}, quick=("simplec",)),
        *_steady("cavity3d-tetrahedra", "cavity3d/cavity3d", {n: 5, elements: 1}, quick=("coupled",)),
        *_steady("channel", "channel/channel", {n: 6}, quick=("simple",)),
        *_steady("channel-triangles", "channel/channel", {n: 5, elements: 1}, quick=("simplec",)),
        *_steady("cylinder", "cylinder/cylinder", {h: 0.02}),
        *_steady("cylinder-triangles", "cylinder/cylinder", {h: 0.02, elements: 1}, quick=("coupled",)),
        *_steady("heated-channel", "heated-channel/heated-channel", {n: 6}, quick=("simplec",)),
        *_steady("heated-channel-triangles", "heated-channel/heated-channel",
                 {n: 5, elements: 1, "mesh.parameters.length": 4, "surfaces": None, "lines": None},
                 quick=("coupled",)),
        *_in_time("heated-channel-in-time", "heated-channel/heated-channel",
                  {n: 6, **TIME, "initial": {"velocity": [1.0, 0.0]}}, quick=("pimple",)),
        *_in_time("channel-in-time", "channel/channel", {n: 6, **TIME, "boundary.outlet.pressure": 3.0},
                  quick=("piso",)),
        *_in_time("cavity-in-time", "cavity/cavity", {n: 10, elements: 1, **TIME}, quick=("pimple",)),
        *_in_time("cavity3d-in-time", "cavity3d/cavity3d", {n: 5, elements: 1, **TIME}, quick=("piso",)),
        *_in_time("cylinder-unsteady", "cylinder-unsteady/cylinder-unsteady", {h: 0.02}, quick=("piso",)),
        *_in_time("taylor-green", "taylor-green/taylor-green", {cells: [16, 16]}, quick=("piso",)),
        *_in_time("bubble", "bubble/bubble", {h: 0.1}, quick=("piso",)),
        *_in_time("bubble-triangles", "bubble/bubble", {h: 0.12, elements: 1, **DYE}, quick=("pimple",)),
        *_in_time("bubble-salt", "bubble/bubble", {h: 0.1, **SALT}),
        *_in_time("bubble3d", "bubble3d/bubble3d", {cells: [6, 12, 6]}, quick=("piso",)),
        # The solver of the pressure ends when the net flux of a step is 1e-13 of the volume.  Within that multigrid, in
        # single precision, ends elsewhere in another direction: 3e-11 of the pressure.
        *_in_time("bubbles", "bubbles/bubbles", {cells: [32, 32], "solver.pressure": {"preconditioner": "ic0"}}),
        *_in_time("bubbles3d", "bubbles/bubbles3d", {cells: [12, 12, 12]}, few=2),
        # The pressure of a slab differs by 0.16 in the first steps on 20 x 12 cells, by 0.06 here, by 0.003 on 80 x 48.
        *_in_time("dambreak", "dambreak/dambreak", {cells: [40, 24]}, quick=("piso",)),
        *_in_time("dambreak-outlet", "dambreak/dambreak",
                  {cells: [20, 12], "boundary.left": {"type": "outlet", "pressure": 3.0, "fraction": 1.0}},
                  kinds=("units-2", "units-far", "far", "far-across", "mirror")),
        *_in_time("droplet", "droplet/droplet", {h: 0.0625}, quick=("pimple",)),
        *_in_time("droplet-triangles", "droplet/droplet", {h: 0.08, elements: 1}),
        *_in_time("vortex", "vortex/vortex", {h: 0.0625}, algorithms=("advection",)),
        *_in_time("vortex-triangles", "vortex/vortex", {h: 0.0625, elements: 1}, algorithms=("advection",),
                  quick=("advection",)),
        *_in_time("zalesak", "vortex/zalesak", {h: 0.04}, algorithms=("advection",)),
        *_in_time("shear3d", "vortex/shear3d", {cells: [12, 12, 12]}, algorithms=("advection",)),
        *_in_time("deformation3d", "vortex/deformation3d", {cells: [8, 8, 16]}, algorithms=("advection",)),
        *_options(),
    ]
