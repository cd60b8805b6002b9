"""A frame moving along the boundaries: the same vector is added to all velocities.

If the flow is uniform along that vector, only the velocity may change.  (Otherwise it crosses other cells and has other
discretisation errors: then it cannot be compared.)"""
import os

import numpy as np

from poise import Case, run

FRAME = np.array([1e2, 0.0])
PERIODIC = {"left": {"type": "periodic", "with": "right"}, "right": {"type": "periodic", "with": "left"}}
WALLS = {**PERIODIC, "top": {"type": "wall", "velocity": [1.0, 0.0]},
         "bottom": {"type": "wall", "velocity": [0.0, 0.0]}}
AROUND = {**PERIODIC, "top": {"type": "periodic", "with": "bottom"}, "bottom": {"type": "periodic", "with": "top"}}
HEAVY = {"fluid": {"density": 1000.0, "viscosity": 1.0}, "second_fluid": {"density": 1.0, "viscosity": 0.01}}
TIME = {"end": 1.0, "step": 2e-4, "max_steps": 20}
# Scalars are solved to 1e-12 of what is on the right, which here is the frame's motion, some hundred times.
LIMIT = 1e-9 * FRAME[0]


def case(algorithm, boundary, fluids, **more):
    solver = {"algorithm": algorithm, "pressure": {"tolerance": 1e-14}, "velocity": {"tolerance": 1e-14}}
    return Case({"mesh": {"box": {"cells": [8, 16]}}, "boundary": boundary, "time": TIME, "solver": solver,
                 "initial": {"velocity": [0.0, 0.0]}, **fluids, **more})


def moved(original):
    """The same case in a frame that moves by -FRAME."""
    changes = {"initial.velocity": FRAME.tolist()}
    for name, b in original["boundary"].items():
        if "velocity" in b:
            changes[f"boundary.{name}.velocity"] = (FRAME + b["velocity"]).tolist()
    return original.changed(changes)


def galilean(original, folder):
    a, b = (run(c, output=os.path.join(folder, name), threads=1) for c, name in
            ((original, "rest.out"), (moved(original), "moved.out")))
    apart = {"velocity": np.abs(b.field("velocity")[:, :2] - a.field("velocity")[:, :2] - FRAME).max()}
    density = original.get("fluid.density", 1.0)
    for name in a.field_names():
        if name != "velocity":
            scale = density if name == "pressure" else 1.0
            apart[name] = np.abs(b.field(name) - a.field(name)).max() / scale
    what = max(apart, key=apart.get)
    return bool(apart[what] <= LIMIT), f"{apart[what]:.1e} at {what} (limit {LIMIT:.0e})"


ONE = {"fluid": {"viscosity": 0.1}}
DYE = {"scalars": {"dye": {"diffusivity": 0.1, "values": {"top": 1.0, "bottom": 0.0}}},
       "output": {"fields": ["velocity", "pressure", "dye"]}}
LAYERS = {"shapes": {"below": {"type": "half-space", "point": [0.5, 0.4], "normal": [0.0, 1.0]}}}
BUBBLE = {"shapes": {"bubble": {"type": "sphere", "centre": [0.5, 0.5], "radius": 0.25}},
          "output": {"fields": ["velocity", "pressure"]}}

# (name, check of a folder, is it quick); in "at-rest" a bubble without weight or surface tension is carried along.
GALILEAN = [(f"{name}-{algorithm}/galilean", lambda folder, c=case(algorithm, *parts): galilean(c, folder), quick)
            for name, parts, quick in (("couette", (WALLS, ONE | DYE), True),
                                       ("layers", (WALLS, HEAVY | LAYERS), False),
                                       ("at-rest", (AROUND, HEAVY | BUBBLE), True))
            for algorithm in ("piso", "pimple")]
