"""Motions of space: a case and its mesh rotated, mirrored, translated, or extruded from 2-D to a slab."""
import contextlib

import h5py
import numpy as np

from poise import Mesh, PoiseError, write_mesh
from units import flattened, unit_of

# By a name without its group: points move, directions turn only, lists along the axes are exchanged with them.
POINTS = {"centre", "point", "at", "about"}
DIRECTIONS = {"velocity", "gravity", "normal"}
BOXES = {("shapes", "from"), ("shapes", "to")}                  # lowest and highest corner, along the axes
AXES = {"copies", "spacing"}
# Corners of a cell, by XDMF's code of its type, in an order that a mirror makes right-handed again.
MIRRORED = {4: [0, 2, 1], 5: [0, 3, 2, 1], 6: [0, 2, 1, 3], 7: [0, 3, 2, 1, 4], 8: [0, 2, 1, 3, 5, 4],
            9: [0, 3, 2, 1, 4, 7, 6, 5]}


@contextlib.contextmanager
def copied(source, target):
    """A copy of a mesh to be changed: without the leading digest, so that Poise treats it as a foreign file."""
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        new.attrs.update(old.attrs)
        for name in old:
            old.copy(name, new)
        yield new


class Motion:
    """x -> turn x + shift, with turn orthogonal, [3, 3]."""

    def __init__(self, turn=np.eye(3), shift=(0, 0, 0)):
        self.turn, self.shift = np.array(turn, float), np.array(shift, float)
        self.along_axes = bool(np.isin(self.turn, (-1, 0, 1)).all())

    def direction(self, v):
        """Of an array [.., 2 or 3]; sums of exact zeros stay exact."""
        v = np.asarray(v, float)
        return self._whole(v) @ self.turn.T[:, :v.shape[-1]] + 0.0

    def point(self, x):
        x = np.asarray(x, float)
        return self.direction(x) + self.shift[:x.shape[-1]]

    def tensor(self, g):
        """[n, 9], or [n, 4] in 2-D: derivatives of a vector."""
        k = 3 if g.shape[1] == 9 else 2
        t = self.turn[:k, :k]
        return np.einsum("ia,nab,jb->nij", t, g.reshape(-1, k, k), t).reshape(len(g), -1)

    @staticmethod
    def _whole(v):
        return v if v.shape[-1] == 3 else np.concatenate([v, np.zeros((*v.shape[:-1], 1))], axis=-1)

    def case(self, case):
        changes = {}
        for path, value in flattened(case.settings):
            name, group = path[-1], path[0]
            if not isinstance(value, list) or group == "mesh":
                continue
            if (group, name) in BOXES:
                if name == "from":
                    own = ".".join(path[:-1])
                    both = np.array([self.point(value), self.point(case[own + ".to"])])
                    changes[own + ".from"], changes[own + ".to"] = both.min(0).tolist(), both.max(0).tolist()
                if not self.along_axes:
                    raise PoiseError("a box of shapes lies along the axes")
            elif name == "centre" and case.get(".".join((*path[:-1], "copies"))):
                own = ".".join(path[:-1])
                last = np.add(value, np.multiply(np.subtract(case[own + ".copies"], 1), case[own + ".spacing"]))
                changes[own + ".centre"] = np.minimum(self.point(value), self.point(last)).tolist()
            elif name in DIRECTIONS:
                changes[".".join(path)] = self.direction(value).tolist()
            elif name in POINTS or unit_of(path) == "length" and group == "lines":
                changes[".".join(path)] = self.point(value).tolist()
            elif name in AXES:
                if not self.along_axes:
                    raise PoiseError("copies of shapes lie along the axes")
                changes[".".join(path)] = [type(value[0])(abs(v)) for v in self.direction(value)]
        return case.changed(changes)

    def mesh(self, source, target):
        """The same cells in the same order, transformed."""
        mirrored = np.linalg.det(self.turn) < 0
        with copied(source, target) as file:
            dim = int(file.attrs["dim"])
            vertices = file["vertices"][:]
            vertices[:, :dim] = self.point(vertices[:, :dim])
            file["vertices"][...] = vertices
            if not mirrored:
                return
            corners, start, types = file["cells/vertices"][:], file["cells/start"][:], file["cells/type"][:]
            for kind in np.unique(types):
                first = start[:-1][types == kind, None]
                order = np.array(MIRRORED[int(kind)])
                corners[first + np.arange(len(order))] = corners[first + order]
            file["cells/vertices"][...] = corners
            del file["xdmf"]

    def fields(self, name, values):
        if name == "vorticity":                                 # an axial vector; in 2-D one number
            values = values * np.linalg.det(self.turn)
        if values.ndim == 1:
            return values
        return self.tensor(values) if values.shape[1] in (4, 9) else self.direction(values)


def rotation(degrees):
    """About the z-axis; of 90 degrees exactly."""
    c, s = (0.0, 1.0) if degrees == 90 else (np.cos(np.radians(degrees)), np.sin(np.radians(degrees)))
    return Motion([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def scaled_mesh(source, target, by):
    with copied(source, target) as file:
        file["vertices"][...] = file["vertices"][:] * by


LAYERS = 3                                                      # of a slab: a cell's neighbours are different ones


def slab_mesh(source, target):
    """A 2-D mesh extruded by LAYERS cells of a cell's size, periodic between its new sides, back and front.  Returns
    the 2-D cell of every cell."""
    flat = Mesh(source)
    n, thickness = len(flat.vertices), np.sqrt(np.mean(flat.volumes()))
    vertices = np.concatenate([flat.vertices + [0, 0, k * thickness] for k in range(LAYERS + 1)])
    cells, order, sides = [], [], []
    for kind, which, corners in flat.by_type():
        block = [np.concatenate([corners + k * n, corners + (k + 1) * n], axis=1) for k in range(LAYERS)]
        cells.append(("prism" if kind == 4 else "hexahedron", np.concatenate(block)))
        sides.append(corners), order.extend([which] * LAYERS)

    def wall(faces):
        a, b = faces[:, 0], faces[:, 1]
        return np.concatenate([np.stack([a, b, b + n, a + n], axis=1) + k * n for k in range(LAYERS)])
    boundaries = {name: wall(faces) for name, faces in flat.boundaries.items()}
    boundaries["back"], boundaries["front"] = sides, [s + LAYERS * n for s in sides]
    write_mesh(target, vertices, cells, boundaries, periodic=flat.partners)
    return np.concatenate(order)


def slab_case(case):
    """Lists of two numbers get a third, and the new sides are joined."""
    changes = {}
    for path, value in flattened(case.settings):
        if isinstance(value, list) and len(value) == 2 and all(isinstance(v, (int, float)) for v in value) \
                and path[0] not in ("mesh", "output"):
            if path[0] == "shapes" and path[-1] in ("copies", "from", "to"):
                third = {"copies": 1, "from": -1.0, "to": 2.0}[path[-1]]
            else:
                third = 0.0
            changes[".".join(path)] = [*value, third]
    for side, other in (("back", "front"), ("front", "back")):
        changes[f"boundary.{side}"] = {"type": "periodic", "with": other}
    return case.changed(changes)
