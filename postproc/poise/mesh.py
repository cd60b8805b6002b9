"""Meshes in Poise's own format: read, measured, written."""
import os

import h5py
import numpy as np

from poise.errors import PoiseError, choose
from poise.files import new_hdf5, numbers, open_hdf5

# Faces of the cells' types (XDMF's codes), all seen from the same side.
FACES = {6: [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)],
         7: [(0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)],
         8: [(0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)],
         9: [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]}
EDGES = {kind: sorted({tuple(sorted((f[k - 1], v))) for f in faces for k, v in enumerate(f)})
         for kind, faces in FACES.items()}
# name: (XDMF's code, dimension, corners); in order of the corners Gmsh, VTK and meshio agree
_KINDS = {"triangle": (4, 2, 3), "quadrilateral": (5, 2, 4), "quad": (5, 2, 4), "tetrahedron": (6, 3, 4),
          "tetra": (6, 3, 4), "pyramid": (7, 3, 5), "prism": (8, 3, 6), "wedge": (8, 3, 6), "hexahedron": (9, 3, 8)}
_NAME_BYTES = 64                                                # with the zero behind it


def _boundary_faces(file):
    """[m, 4], or more columns where a face has more vertices; -1 where it has fewer."""
    if "faces" not in file:                                     # version 1
        return numbers(file, "boundary/faces")
    start, vertices = numbers(file, "faces/start"), numbers(file, "faces/vertices")
    face, count = numbers(file, "boundary/face"), np.diff(start)
    if len(start) == 0 or start[0] != 0 or start[-1] != len(vertices) or (count < 0).any():
        raise ValueError("its faces have wrong numbers of vertices")
    if len(face) and not (0 <= face.min() and face.max() < len(count)):
        raise ValueError("its boundaries name faces that are not there")
    place = np.arange(max([4, *count[face]]))
    inside = place < count[face][:, None]
    rows = np.full(inside.shape, -1, np.int32)
    rows[inside] = vertices[(start[:-1][face][:, None] + place)[inside]]
    return rows


class Mesh:
    """mesh.h5: dim; vertices [n, 3]; of cell c: types[c] (XDMF's code), corners[start[c]:start[c + 1]], regions[c];
    boundaries: name -> faces [m, 4], as vertices, -1 where a face has fewer (more columns where one has more);
    partners: name -> name, for periodic boundaries."""

    def __init__(self, path):
        with open_hdf5(path) as file:
            self.dim = int(file.attrs["dim"])
            self.vertices = numbers(file, "vertices")
            self.types = numbers(file, "cells/type")
            self.start = numbers(file, "cells/start")
            self.corners = numbers(file, "cells/vertices")
            self._check()
            if "boundary" in file:
                names, partners, regions = ([t.decode() for t in file[k][:]] for k in
                                            ("boundary/names", "boundary/partners", "regions/names"))
                faces, patch = _boundary_faces(file), numbers(file, "boundary/patch")
                self.boundaries = {name: faces[patch == k] for k, name in enumerate(names)}
                self.partners = {name: partner for name, partner in zip(names, partners) if partner}
                self.regions = np.array(regions, dtype=object)[numbers(file, "cells/region")]

    def _check(self):
        """Raises ValueError where the cells' numbers cannot be right."""
        corners = {4: 3, 5: 4, 6: 4, 7: 5, 8: 6, 9: 8}
        if self.dim not in (2, 3) or self.vertices.ndim != 2 or self.vertices.shape[1] != 3:
            raise ValueError("it is not 2-D or 3-D, or has no vertices")
        if not np.isin(self.types, list(corners)).all() or len(self.start) != len(self.types) + 1:
            raise ValueError("it has cells of an unknown type")
        wanted = np.array([corners.get(t, 0) for t in range(10)])[self.types]
        if self.start[0] != 0 or self.start[-1] != len(self.corners) or (np.diff(self.start) != wanted).any():
            raise ValueError("its cells have wrong numbers of corners")
        if len(self.corners) and not (0 <= self.corners.min() and self.corners.max() < len(self.vertices)):
            raise ValueError("its cells name vertices that are not there")

    def __len__(self):
        return len(self.types)

    def by_type(self):
        """(type, cells of this type, their corners [n, k]) for every type in the mesh."""
        for kind in np.unique(self.types):
            cells = np.flatnonzero(self.types == kind)
            first = self.start[cells]
            width = self.start[cells[0] + 1] - first[0]
            yield int(kind), cells, self.corners[first[:, None] + np.arange(width)]

    def polygons(self):
        """2-D: the corner points of every cell, [k, 2] each."""
        return [self.vertices[self.corners[a:b], :2] for a, b in zip(self.start[:-1], self.start[1:])]

    def centres(self):
        """The mean of every cell's corners, [n, 3]."""
        count = np.diff(self.start)
        return np.add.reduceat(self.vertices[self.corners], self.start[:-1]) / count[:, None]

    def volumes(self):
        """The volume of every cell, [n]; in 2-D its area."""
        result = np.zeros(len(self.types))
        for kind, cells, corners in self.by_type():
            points = self.vertices[corners]
            middle = points.mean(axis=1)
            for face in FACES[kind] if self.dim == 3 else [range(points.shape[1])]:
                centre = points[:, face].mean(axis=1) if self.dim == 3 else middle
                for k, vertex in enumerate(face):
                    a, b = points[:, face[k - 1]] - middle, points[:, vertex] - middle
                    if self.dim == 2:
                        result[cells] += (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / 2
                    else:
                        result[cells] += np.einsum("ij,ij->i", centre - middle, np.cross(a, b)) / 6
        return np.abs(result)

    def to_vertices(self, values):
        """The mean of the cells around every vertex, of values [n] or [n, k]."""
        count = np.bincount(self.corners, minlength=len(self.vertices))
        cell = np.repeat(np.arange(len(self.types)), np.diff(self.start))
        columns = values.reshape(len(values), -1).T
        total = [np.bincount(self.corners, weights=c[cell], minlength=len(self.vertices)) for c in columns]
        return (np.array(total) / np.maximum(count, 1)).T.reshape(len(self.vertices), *values.shape[1:])

    def triangles(self):
        """2-D: the cells as triangles of vertices, [n, 3]."""
        return np.concatenate([corners[:, [0, k, k + 1]] for _, _, corners in self.by_type()
                               for k in range(1, corners.shape[1] - 1)])


def _names(names, what):
    encoded = [str(n).encode() for n in names]
    for name in encoded:
        if not 0 < len(name) < _NAME_BYTES:
            raise PoiseError(f"{what} \"{name.decode()}\": a name has 1 to {_NAME_BYTES - 1} bytes")
    return encoded


def _cells(cells, n_vertices):
    blocks = list(cells.items()) if isinstance(cells, dict) else [
        (c.type, c.data) if hasattr(c, "data") else c for c in cells]
    types, lengths, corners, dims = [], [], [], set()
    for name, block in blocks:
        code, dim, width = _KINDS[choose(name, _KINDS, "the type of cell")]
        block = np.asarray(block)
        if block.ndim != 2 or block.shape[1] != width or block.dtype.kind not in "iu":
            raise PoiseError(f"cells \"{name}\": expected whole numbers in rows of {width}, found {block.dtype} of shape "
                             f"{block.shape}")
        if block.size and not 0 <= block.min() <= block.max() < n_vertices:
            raise PoiseError(f"cells \"{name}\" name vertices {block.min()} to {block.max()}, of {n_vertices}")
        dims.add(dim)
        types.append(np.full(len(block), code, np.uint8)), lengths.append(np.full(len(block), width))
        corners.append(block.astype(np.int32).ravel())
    if len(dims) != 1 or not sum(map(len, types)):
        raise PoiseError("there are no cells" if not dims or len(dims) == 1 else "the cells are of 2-D and of 3-D types")
    start = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)
    return dims.pop(), np.concatenate(types), start, np.concatenate(corners)


def _faces(name, given, dim, n_vertices):
    """[m, 4] of one boundary: an array of faces, or several, of triangles and of quadrilaterals."""
    rows = []
    for block in given if isinstance(given, (list, tuple)) and given and np.ndim(given[0]) == 2 else [given]:
        block = np.asarray(block)
        if block.ndim != 2 or not (2 if dim == 2 else 3) <= block.shape[1] <= (2 if dim == 2 else 4):
            raise PoiseError(f"boundary \"{name}\": expected faces in rows of {'2' if dim == 2 else '3 or 4'} vertices, found "
                             f"an array of shape {block.shape}")
        if block.size and block.dtype.kind not in "iu":
            raise PoiseError(f"boundary \"{name}\": expected whole numbers, found {block.dtype}")
        if block.size and not -1 <= block.min() <= block.max() < n_vertices:
            raise PoiseError(f"boundary \"{name}\" names vertices {block.min()} to {block.max()}, of {n_vertices}")
        rows.append(np.pad(block, ((0, 0), (0, 4 - block.shape[1])), constant_values=-1))
    return np.concatenate(rows).astype(np.int32)


def write_mesh(path, vertices, cells, boundaries, regions=None, periodic=None, source=""):
    """Writes Poise's own mesh file.

    vertices: [n, 2 or 3].  cells: {"triangle": [m, 3], "quad": [m, 4], ...} or a list of such pairs, as meshio has them;
    corners in the order of Gmsh, VTK and meshio.  boundaries: {"walls": faces [m, 2]}, in 3-D rows of 3 or 4 vertices, or
    a list of both; every face of the rim is in one of them.  regions: {"left part": cells}; without it all cells are
    "fluid".  periodic: {"left": "right"}.  `poise mesh info` then says whether cells and boundaries fit together.
    """
    path, vertices = os.fspath(path), np.asarray(vertices, dtype=float)
    if not path.endswith(".h5"):
        raise PoiseError(f"{path}: the name of a mesh ends in .h5")
    if vertices.ndim != 2 or vertices.shape[1] not in (2, 3) or not np.isfinite(vertices).all():
        raise PoiseError(f"vertices: expected rows of 2 or 3 finite numbers, found an array of shape {vertices.shape}")
    dim, types, start, corners = _cells(cells, len(vertices))
    faces = {name: _faces(name, given, dim, len(vertices)) for name, given in boundaries.items()}
    partner = dict(periodic or {})
    partner.update({b: a for a, b in partner.items()})
    for name in partner:
        choose(name, faces, "periodic: boundary")
    region = np.zeros(len(types), np.int32)
    taken = np.zeros(len(types), int)
    for k, which in enumerate((regions or {}).values()):
        which = np.arange(len(types))[which]
        region[which] = k
        np.add.at(taken, which, 1)
    if regions and (taken != 1).any():
        raise PoiseError("regions: every cell must be in one of them, and in one only")
    text = f"S{_NAME_BYTES}"
    mixed = len(np.unique(types)) > 1
    topology = np.insert(corners.astype(np.int64), start[:-1], types) if mixed else corners.reshape(len(types), -1)
    with new_hdf5(path) as file:
        file.attrs.update({"format": np.bytes_("poise-mesh"), "version": np.int32(2), "dim": np.int32(dim),
                           "source": np.bytes_(source or path), "key": np.bytes_("poise.write_mesh")})
        file["vertices"] = np.pad(vertices, ((0, 0), (0, 3 - vertices.shape[1])))
        file["cells/type"], file["cells/start"], file["cells/vertices"] = types, start, corners
        file["cells/region"] = region
        file["regions/names"] = np.array(_names(regions or ["fluid"], "region"), dtype=text)
        file["boundary/names"] = np.array(_names(faces, "boundary"), dtype=text)
        file["boundary/partners"] = np.array([str(partner.get(n, "")).encode() for n in faces], dtype=text)
        rows = np.concatenate([*faces.values(), np.empty((0, 4), np.int32)])
        file["faces/start"] = np.concatenate([[0], np.cumsum((rows >= 0).sum(axis=1))]).astype(np.int64)
        file["faces/vertices"] = rows[rows >= 0]
        file["boundary/face"] = np.arange(len(rows), dtype=np.int32)
        file["boundary/patch"] = np.repeat(np.arange(len(faces), dtype=np.int32), [len(f) for f in faces.values()])
        file["xdmf/topology"] = topology
