"""The section that a picture shows: the whole 2-D mesh, or a plane through a 3-D one."""
import numpy as np

from poise.errors import PoiseError
from poise.mesh import EDGES


def parse_plane(text, mesh):
    """(point, normal) from "z=0.5", "x,y,z:nx,ny,nz" (a point and a normal, of any length), or "": the middle of the
    shortest extent, the last of several."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    middle = (low + high) / 2
    if not text:
        axis = 2 - int(np.argmin((high - low)[::-1]))
        return middle, np.eye(3)[axis]
    try:
        if ":" in text:
            point, normal = (np.array([float(x) for x in part.split(",")]) for part in text.split(":"))
            if point.shape != (3,) or normal.shape != (3,) or not np.linalg.norm(normal) > 0:
                raise ValueError
            return point, normal
        name, _, value = text.partition("=")
        axis, value = "xyz".index(name.strip() or "?"), float(value)
    except ValueError:
        raise PoiseError(f"plane \"{text}\": expected x, y or z = a number, like z=0.5, or a point and a normal, like "
                         "0.5,0.5,0.5:1,1,0") from None
    if not low[axis] <= value <= high[axis]:
        raise PoiseError(f"plane {text}: the mesh goes from {low[axis]:g} to {high[axis]:g} there")
    middle[axis] = value
    return middle, np.eye(3)[axis]


class Section:
    """Polygons in a plane.  points [n, 2]; polygons: the points of each, [k]; cells: the cell of each; axes: the names of
    the two coordinates; title: the location of the plane, "" in 2-D.

    plane: text as for parse_plane(), or (point, normal), the normal of any length.
    """

    def __init__(self, mesh, plane=None):
        self.mesh = mesh
        if mesh.dim == 2:
            if plane:
                raise PoiseError("a plane is for 3-D meshes")
            self.points, self.cells, self.axes, self.title = mesh.vertices[:, :2], np.arange(len(mesh)), ("x", "y"), ""
            self.polygons = np.split(mesh.corners, mesh.start[1:-1])
            self._ends, self._part, self._along = (slice(None), slice(None)), 0.0, np.eye(3)[:2]
            return
        point, normal = map(np.asarray, plane if isinstance(plane, tuple) else parse_plane(plane, mesh))
        if not np.linalg.norm(normal) > 0:
            raise PoiseError("a plane needs a normal that is not zero")
        normal = normal / np.linalg.norm(normal)
        self._name_axes(point, normal)
        side = (mesh.vertices - point) @ normal
        extent = np.ptp(side)
        if side.max() <= 1e-9 * extent:                         # on the far boundary: just inside, where there are cells
            side = side + 1e-6 * extent
        side[np.abs(side) < 1e-9 * extent] = 0
        self._cut(side)
        if not self.polygons:
            raise PoiseError(f"the plane {self.title} cuts no cell")

    def _name_axes(self, point, normal):
        axis = int(np.argmax(np.abs(normal)))
        if np.abs(normal).max() > 1 - 1e-12:
            keep = [a for a in range(3) if a != axis]
            self._along, self.axes = np.eye(3)[keep], tuple("xyz"[a] for a in keep)
            self.title = f"{'xyz'[axis]} = {point[axis]:g}"
            return
        first = np.eye(3)[int(np.argmin(np.abs(normal)))]
        first = first - (first @ normal) * normal
        first /= np.linalg.norm(first)
        self._along = np.array([first, np.cross(normal, first)])
        self.axes = tuple("along (" + ", ".join(f"{x:.3g}" for x in a + 0.0) + ")" for a in self._along)
        self.title = "through (" + ", ".join(f"{x:g}" for x in point) + ")"

    def _cut(self, side):
        """Of every (convex) cell with corners on both sides the points on its edges, in their order round the middle."""
        above, keys, counts, owners = side > 0, [], [], []
        n = len(side)
        for kind, cells, corners in self.mesh.by_type():
            up = above[corners]
            hit = up.any(axis=1) & ~up.all(axis=1)
            cells, corners, up = cells[hit], corners[hit], up[hit]
            a, b = np.array(EDGES[kind]).T
            pattern = up @ (1 << np.arange(up.shape[1]))
            for one in np.unique(pattern):                      # cells whose corners lie on the same sides
                group = np.flatnonzero(pattern == one)
                edges = np.flatnonzero(up[group[0], a] != up[group[0], b])
                ends = np.sort(np.stack([corners[group][:, a[edges]], corners[group][:, b[edges]]]), axis=0)
                flat = self._between(ends[0], ends[1], side)[0] @ self._along.T
                arm = flat - flat.mean(axis=1, keepdims=True)
                order = np.argsort(np.arctan2(arm[..., 1], arm[..., 0]), axis=1)
                for other in (0, 1):                            # a corner in the plane is one point for all its edges
                    ends = np.where(side[ends[other]] == 0, ends[other], ends)
                keys.append(np.take_along_axis(ends[0] * np.int64(n) + ends[1], order, axis=1).ravel())
                counts.append(np.full(len(group), len(edges))), owners.append(cells[group])
        if not keys:
            self.polygons = []
            return
        edges, corner = np.unique(np.concatenate(keys), return_inverse=True)
        self._ends = (edges // n, edges % n)
        points, self._part = self._between(*self._ends, side)
        self.points = points @ self._along.T
        self.polygons = np.split(corner, np.cumsum(np.concatenate(counts))[:-1])
        self.cells = np.concatenate(owners)

    def _between(self, a, b, side):
        part = np.where(a == b, 0, side[a] / np.where(a == b, 1, side[a] - side[b]))[..., None]
        return self.mesh.vertices[a] * (1 - part) + self.mesh.vertices[b] * part, part

    def at_points(self, values):
        """Values [n] or [n, k] of the cells at the points: averaged to the vertices, linear along the edges that are cut."""
        there = self.mesh.to_vertices(values)
        part = self._part if values.ndim == 2 or self.mesh.dim == 2 else self._part[:, 0]
        return there[self._ends[0]] * (1 - part) + there[self._ends[1]] * part

    def in_plane(self, vectors):
        """The two components of vectors [n, 3] in the plane, [n, 2]."""
        return vectors @ self._along.T

    def triangles(self):
        """The polygons as triangles of points, [n, 3], without triangles of zero area."""
        return self._triangles()[0]

    def areas(self):
        """The area of every polygon, [polygons]."""
        _, size, polygon = self._triangles()
        return np.abs(np.bincount(polygon, size, len(self.polygons)))

    def _triangles(self):
        """Triangles, their areas with a sign, and which polygon each is a part of."""
        lengths = np.array([len(p) for p in self.polygons])
        found, polygon = [], []
        for width in np.unique(lengths):
            which = np.flatnonzero(lengths == width)
            corners = np.concatenate([self.polygons[k] for k in which]).reshape(-1, width)
            found += [corners[:, [0, k, k + 1]] for k in range(1, width - 1)]
            polygon += [which] * (width - 2)
        found, polygon = np.concatenate(found), np.concatenate(polygon)
        a, b, c = (self.points[found[:, k]] for k in range(3))
        size = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
        whole = np.abs(size) > 1e-12 * np.abs(size).max()
        return found[whole], size[whole], polygon[whole]

    def corners(self):
        """The points of every polygon, [k, 2] each."""
        return [self.points[p] for p in self.polygons]


def zero_line(points, triangles, level):
    """Segments [n, 2, 2] where the level is zero, one in every triangle that it crosses."""
    inside = level[triangles] > 0
    crossed = inside.any(axis=1) & ~inside.all(axis=1)
    triangles, inside = triangles[crossed], inside[crossed]
    lone = np.where(inside.sum(axis=1) == 1, inside.argmax(axis=1), (~inside).argmax(axis=1))   # alone on its side
    ends = []
    for turn in (1, 2):
        a = triangles[np.arange(len(triangles)), lone]
        b = triangles[np.arange(len(triangles)), (lone + turn) % 3]
        part = (level[a] / (level[a] - level[b]))[:, None]
        ends.append(points[a] * (1 - part) + points[b] * part)
    return np.stack(ends, axis=1)


def contour(run, step=None, section=None):
    """Segments [n, 2, 2] of the interface between two fluids, in a plane in 3-D: where the distance is 0, or, if it was
    not written, the fraction is 0.5; both are averaged to the vertices and linear on triangles."""
    if section is None and run.mesh.dim != 2:
        raise PoiseError(f"{run.directory}: this is a 3-D run: a contour needs a plane")
    section = section or Section(run.mesh)
    names = run.field_names(step)
    if "distance" not in names and "fraction" not in names:
        raise PoiseError(f"{run.directory}: neither distance nor fraction was written, of which the interface is drawn")
    level = run.field("distance", step) if "distance" in names else 0.5 - run.field("fraction", step)
    return zero_line(section.points, section.triangles(), section.at_points(level))


def distance_to_curve(points, curve):
    """Of points [n, 2] from the closed curve through points [m, 2], in any order, about which it goes once."""
    arm = curve - curve.mean(axis=0)
    curve = curve[np.argsort(np.arctan2(arm[:, 1], arm[:, 0]))]
    a, along = curve, np.roll(curve, -1, axis=0) - curve
    length = np.maximum((along ** 2).sum(axis=1), 1e-300)
    found = []
    for point in points:
        part = np.clip(((point - a) * along).sum(axis=1) / length, 0, 1)
        found.append(np.sqrt(((point - a - part[:, None] * along) ** 2).sum(axis=1).min()))
    return np.array(found)
