"""Meshes of a draw: built-in boxes, stretched or distorted, and the .geo files of this folder, of all cell types."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))
SIDES = ("left", "right", "bottom", "top", "back", "front")
MOST_CELLS = {2: 70, 3: 90}
BACK = SIDES[4:]
OFF_CENTRE = 0.4871     # of a length: a jump there meets no cell's centre, where rounding would decide


class Drawn:
    """group: the case's group mesh; sides: names of the boundaries; lengths, cells: in each direction; h: a cell's
    smallest width, about."""

    def __init__(self, group, sides, lengths, cells, plain=True):
        self.group, self.sides, self.lengths, self.cells, self.plain = group, sides, lengths, cells, plain
        self.dim = len(lengths)
        self.h = min(length / n for length, n in zip(lengths, cells))

    def vector(self, *components):
        return [*components, 0.0, 0.0][:self.dim]


def _cells(chance, dim, flat=False):
    """Numbers of cells in each direction, few in all; flat: a layer or two in z."""
    while True:
        cells = [chance.randint(3, 11 if dim == 2 else 6) for _ in range(dim)]
        if dim == 3 and flat:
            cells[2] = chance.randint(1, 2)
        product = 1
        for n in cells:
            product *= n
        if product <= MOST_CELLS[dim]:
            return cells


def _aspect(chance):
    """Of cells: mostly 1, up to 100, in either direction."""
    return 1.0 if chance.maybe(0.45) else chance.log(1, 100) ** chance.one(1, -1)


def _lengths(chance, cells, length):
    """The first length, and others by the cells' aspect ratios."""
    width = length / cells[0]
    return [length, *(float(f"{n * width * _aspect(chance):.3g}") for n in cells[1:])]


def box(chance, dim=None, length=1.0, plain=False):
    """A built-in box; plain: uniform."""
    dim = dim or chance.one(2, 2, 2, 3)
    cells = _cells(chance, dim, chance.maybe(0.3))
    lengths = _lengths(chance, cells, length)
    group = {"cells": cells, "to": lengths}
    if not plain and chance.maybe(0.35):
        group["stretch"] = [chance.one(1.0, chance.log(1, 20, 2)) for _ in range(dim)]
    if not plain and chance.maybe(0.2):
        group["distortion"] = chance.linear(0.05, 0.3, 2)
    return Drawn({"box": group}, SIDES[:2 * dim], lengths, cells, plain or len(group) == 2)


def block(chance, dim=None, length=1.0):
    """Triangles, quadrilaterals, tetrahedra, prisms, pyramids from Gmsh: block.geo."""
    dim = dim or chance.one(2, 2, 3)
    if dim == 2:
        cells, more = _cells(chance, 2), {"tri": chance.one(1, 2, 2, 3)}
        if more["tri"] in (1, 2):                               # twice as many cells
            cells = [max(3, int(n / 1.4)) for n in cells]
        if more["tri"] > 1:
            more["algorithm"] = chance.one(5, 6)
    else:
        cells = [chance.randint(2, 3) for _ in range(3)]
        more = {"solid": chance.randint(0, 3)}
        more["tri"] = chance.one(1, 2) if more["solid"] in (0, 1) else chance.one(0, 1, 2)
        more["nz"] = cells[2]
    lengths = _lengths(chance, cells, length)
    if more["tri"] > 1 or more.get("solid", 0) > 1:             # Gmsh's own cells are nearly equilateral
        lengths = [length, *(float(f"{length * n / cells[0]:.3g}") for n in cells[1:])]
    parameters = dict(zip("LHD", lengths)) | {"nx": cells[0], "ny": cells[1]} | more
    if chance.maybe(0.25):
        parameters["shear"] = chance.linear(0.1, 1.2, 2)
    if chance.maybe(0.25):
        parameters["grade"] = chance.linear(1.05, 1.8, 3)
    return Drawn({"file": "block.geo", "parameters": parameters}, SIDES[:2 * dim], lengths, cells, False)


def any_mesh(chance, dim=None, length=1.0):
    return block(chance, dim, length) if chance.maybe(0.3) else box(chance, dim, length)


LAYER_SIDES = ("left", "right", "bottom", "top", "left_low", "right_low", "left_high", "right_high")


def layers(chance, length=1.0):
    """Three layers, low, mid and high, each a region: layers.geo."""
    dim = chance.one(2, 2, 2, 3)
    nx = chance.randint(3, 9) if dim == 2 else chance.randint(2, 4)
    ny = [chance.randint(1, 3), chance.randint(2, 4), chance.randint(1, 3)]
    width = length / nx * _aspect(chance)
    hs, hf, ht = (float(f"{n * width:.3g}") for n in ny)
    more = {"tri": chance.one(0, 0, 1, 2, 3)}
    if dim == 3:
        more |= {"nz": chance.randint(1, 2), "D": length, "tets": chance.one(0, 1)}
        more["tri"] = chance.one(1, 2) if more["tets"] else chance.one(0, 1)
    if more["tri"] > 1:
        hs, hf, ht = (float(f"{n * length / nx:.3g}") for n in ny)
    if chance.maybe(0.2):
        more["shear"] = chance.linear(0.1, 1.2, 2)
    parameters = {"L": length, "hs": hs, "hf": hf, "ht": ht, "nx": nx, "ns": ny[0], "nf": ny[1], "nt": ny[2], **more}
    lengths, cells = [length, hf] + [length] * (dim - 2), [nx, ny[1]] + [more.get("nz", 1)] * (dim - 2)
    return Drawn({"file": "layers.geo", "parameters": parameters}, LAYER_SIDES + BACK[:2 * dim - 4], lengths, cells,
                 False)


COUNTS = ("nx", "ny", "nz", "ns", "nf", "nt", "na", "nr")        # parameters of the .geo files: numbers of cells


def refined(group, by=2):
    """The group with so many times the cells in each direction; None: another kind of file."""
    if "box" in group:
        return {**group, "box": {**group["box"], "cells": [by * n for n in group["box"]["cells"]]}}
    if group.get("file", "").endswith(".geo"):
        counts = {k: by * v for k, v in group["parameters"].items() if k in COUNTS and v}
        grade = {"grade": group["parameters"]["grade"] ** (1 / by)} if "grade" in group["parameters"] else {}
        return {**group, "parameters": {**group["parameters"], **counts, **grade}}
    return None
