"""What every script here reads with: the output directory of a run (NAME.out) and CSV tables.

    run = Run("cavity.out")
    run.steps                       iterations of the written fields
    run.field("velocity")           of the last one: [n, 3] or [n], in the mesh file's cell numbering
    run.mesh.polygons()             2-D cells as corner arrays
    run.lines()["vertical"]["velocity_x"]
"""
import difflib
import glob
import os
import sys

import h5py
import numpy as np


class PoiseError(Exception):
    """A mistake in what was asked for: printed without a traceback."""


def command(main):
    """Runs a script's main(): errors in what was asked for end it with one line and exit status 1."""
    try:
        sys.exit(main())
    except PoiseError as error:
        sys.exit(f"error: {error}")
    except BrokenPipeError:
        sys.exit(1)


def choose(name, names, what):
    """`name` if it is one of `names`, else an error that lists them and gives the nearest."""
    names = list(names)
    if name in names:
        return name
    near = difflib.get_close_matches(name, names, 1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise PoiseError(f"{what} \"{name}\" is not there{hint}; there is: {', '.join(map(str, names)) or 'none'}")


class Table:
    """A CSV file.  One of Poise's begins with a header row; a reference has `# ` lines before its rows, the last of them
    "# columns: y,u,suspect"; rows that it marks as suspect are left out."""

    def __init__(self, path):
        self.path = path
        self.notes = []
        try:
            with open(path, encoding="utf-8") as file:
                lines = [line.strip() for line in file if line.strip()]
        except OSError as error:
            raise PoiseError(f"{path}: {error.strerror}") from None
        while lines and lines[0].startswith("#"):
            self.notes.append(lines.pop(0).lstrip("# "))
        header = self.note("columns")
        if header is None and lines:
            header = lines.pop(0)
        self.columns = [name.strip() for name in (header or "").split(",")]
        try:
            rows = [[float(x) if x.strip() else np.nan for x in line.split(",")] for line in lines]
            self.rows = np.array(rows, dtype=float).reshape(len(rows), len(self.columns))
        except ValueError:
            raise PoiseError(f"{path}: not a table of numbers with the columns {', '.join(self.columns)}") from None
        if "suspect" in self.columns:
            self.rows = self.rows[self["suspect"] == 0]

    def note(self, key):
        """What stands behind "# key:", or None."""
        return next((n.split(":", 1)[1].strip() for n in self.notes if n.startswith(key + ":")), None)

    def __getitem__(self, name):
        return self.rows[:, self.columns.index(choose(name, self.columns, f"{self.path}: column"))]


# Faces of the cells' types, all seen from the same side.
FACES = {6: [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)],
         7: [(0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)],
         8: [(0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)],
         9: [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]}


class Mesh:
    """mesh.h5: vertices [n, 3]; of cell c: types[c] (XDMF's code), corners[start[c]:start[c + 1]]."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.dim = int(file.attrs["dim"])
            self.vertices = file["vertices"][:]
            self.types = file["cells/type"][:]
            self.start = file["cells/start"][:]
            self.corners = file["cells/vertices"][:]

    def by_type(self):
        """(type, cells of it, their corners [n, k]) for every type there is."""
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
        """Of every cell, [n]; in 2-D its area."""
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


class Run:
    def __init__(self, directory):
        self.directory = directory.rstrip("/")
        if not os.path.isdir(self.directory):
            raise PoiseError(f"{directory}: no such directory; it should be what a run wrote, NAME.out")
        self.name = os.path.basename(os.path.abspath(self.directory)).removesuffix(".out")
        self._mesh = None
        files = glob.glob(os.path.join(self.directory, "fields", "*.h5"))
        self.steps = sorted(int(os.path.basename(f)[:-3]) for f in files)

    def path(self, *parts):
        return os.path.join(self.directory, *parts)

    @property
    def mesh(self):
        if self._mesh is None:
            try:
                self._mesh = Mesh(self.path("mesh.h5"))
            except (OSError, KeyError) as error:
                raise PoiseError(f"{self.path('mesh.h5')}: {error}") from None
        return self._mesh

    def _open(self, step):
        if not self.steps:
            raise PoiseError(f"{self.directory}: no fields have been written (output.every, or the run has not ended)")
        if step is not None and step not in self.steps:
            raise PoiseError(f"{self.directory}: iteration {step} was not written; there is: "
                             + ", ".join(map(str, self.steps)))
        return h5py.File(self.path("fields", f"{self.steps[-1] if step is None else step:06d}.h5"))

    def field_names(self, step=None):
        with self._open(step) as file:
            return list(file)

    def field(self, name, step=None):
        """The field of an iteration, of the last one when step is None."""
        with self._open(step) as file:
            return file[choose(name, file, f"{self.directory}: field")][:]

    def time(self, step=None):
        """That a field of a run in time belongs to."""
        with self._open(step) as file:
            return float(file.attrs["time"])

    def step_at(self, time, within):
        """The written step nearest to a time, None when none is within so much of it."""
        near = min(self.steps, key=lambda step: abs(self.time(step) - time), default=None)
        return None if near is None or abs(self.time(near) - time) > within else near

    def table(self, *parts):
        return Table(self.path(*parts))

    def lines(self):
        """The line samples that the run wrote: name -> Table."""
        files = sorted(glob.glob(self.path("lines", "*.csv")))
        if not files:
            raise PoiseError(f"{self.path('lines')}: no line samples; name them in the case: "
                             "lines = { vertical = { from = ...; to = ...; }; };")
        return {os.path.basename(f)[:-4]: Table(f) for f in files}


def figure(width, height, rows=1, columns=1):
    """A figure in the common style, and its axes."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"font.size": 10, "axes.titlesize": 11, "axes.grid": True, "grid.alpha": 0.25,
                         "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
                         "lines.linewidth": 1.4, "savefig.dpi": 160})
    return plt.subplots(rows, columns, figsize=(width, height), layout="constrained", squeeze=False)


def save(fig, path):
    try:
        fig.savefig(path)
    except OSError as error:
        raise PoiseError(f"{path}: {error.strerror}") from None
    print("picture:", path)
