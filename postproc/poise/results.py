"""Results of a run: fields, tables, mesh.

    run = Run("cavity.out")
    run.steps                       iterations, or time steps, of the written fields
    run.field("velocity")           of the last one: [cells, 3] or [cells], in the mesh file's cell numbering
    run.mesh.polygons()             2-D cells as corner arrays
    run.lines()["vertical"]["velocity_x"]
"""
import glob
import os
import re

import numpy as np

from poise.errors import PoiseError, choose
from poise.files import new_hdf5, numbers, open_hdf5
from poise.mesh import Mesh
from poise.table import Table


# By XDMF's code of a cell's type.
VTK_TYPES = np.array([0, 0, 0, 0, 5, 9, 10, 14, 13, 12], np.uint8)


class Run:
    """An output directory, NAME.out, also during the run."""

    def __init__(self, directory):
        self.directory = os.fspath(directory).rstrip("/")
        if not os.path.isdir(self.directory):
            raise PoiseError(f"{directory}: no such directory; it should be what a run wrote, NAME.out")
        self.name = os.path.basename(os.path.abspath(self.directory)).removesuffix(".out")
        self._mesh = None
        files = glob.glob(os.path.join(glob.escape(self.directory), "fields", "*.h5"))
        names = (re.fullmatch(r"(\d{6,18})\.h5", os.path.basename(f), re.ASCII) for f in files)
        self.steps = sorted(int(name[1]) for name in names if name)     # others are not Poise's

    def __repr__(self):
        status = getattr(self, "status", None)                  # of a run that this program has started
        return f"<Run {self.directory}{': ' + status if status else ''}>"

    def path(self, *parts):
        """The path of a file in the directory."""
        return os.path.join(self.directory, *parts)

    @property
    def mesh(self):
        """The Mesh of the run."""
        if self._mesh is None:
            self._mesh = Mesh(self.path("mesh.h5"))
        return self._mesh

    def _open(self, step):
        if not self.steps:
            raise PoiseError(f"{self.directory}: no fields have been written (output.every, or the run has not ended)")
        if step is not None and step not in self.steps:
            raise PoiseError(f"{self.directory}: iteration {step} was not written; there is: "
                             + ", ".join(map(str, self.steps)))
        path = self.path("fields", f"{self.steps[-1] if step is None else step:06d}.h5")
        return open_hdf5(path)

    def _whole(self, file, name):
        values = numbers(file, name)
        if values.ndim not in (1, 2) or len(values) != len(self.mesh):
            raise ValueError(f"\"{name}\" has the shape {values.shape}, but the mesh {len(self.mesh)} cells")
        return values

    # ---- fields
    def field_names(self, step=None):
        """The names of the fields that were written after a step."""
        with self._open(step) as file:
            return list(file)

    def field(self, name, step=None):
        """A field after an iteration or step; None: the last written one."""
        with self._open(step) as file:
            return self._whole(file, choose(name, file, f"{self.directory}: field"))

    def scalar(self, name, step=None):
        """A field as one number a cell: the magnitude of a vector, or one component as velocity_x."""
        with self._open(step) as file:
            vectors = [f for f in file if file[f].ndim == 2]
            components = [f"{f}_{axis}" for f in vectors for axis in "xyz"[:self.mesh.dim]]
            choose(name, list(file) + [c for c in components if c not in file], f"{self.directory}: field")
            if name not in file:
                return self._whole(file, name[:-2])[:, "xyz".index(name[-1])]
            values = self._whole(file, name)
        return np.linalg.norm(values, axis=1) if values.ndim == 2 else values

    def time(self, step=None):
        """The time of a field; for a steady run its iteration."""
        with self._open(step) as file:
            return float(file.attrs["time"])

    @property
    def times(self):
        """The times of all written fields, in the order of .steps."""
        return [self.time(step) for step in self.steps]

    def step_at(self, time, within=None):
        """The written step nearest to a time; None if none is that close."""
        near = min(self.steps, key=lambda step: abs(self.time(step) - time), default=None)
        return None if near is None or (within is not None and abs(self.time(near) - time) > within) else near

    def in_time(self):
        """Whether the run is unsteady."""
        return any(self.time(step) != step for step in self.steps)

    def save_vtkhdf(self, path):
        """The mesh and all written fields in one file, VTK's own format (ParaView 5.12, VTK 9.3 and later)."""
        mesh, n = self.mesh, len(self.mesh)
        names = sorted({name for step in self.steps for name in self.field_names(step)})
        with new_hdf5(path) as file:
            grid = file.create_group("VTKHDF")
            grid.attrs["Version"] = np.array([2, 0])
            grid.attrs.create("Type", np.bytes_("UnstructuredGrid"))
            grid["Points"], grid["Offsets"], grid["Types"] = mesh.vertices, mesh.start, VTK_TYPES[mesh.types]
            grid["Connectivity"] = mesh.corners.astype(np.int64)
            grid["NumberOfPoints"], grid["NumberOfCells"] = [len(mesh.vertices)], [n]
            grid["NumberOfConnectivityIds"] = [len(mesh.corners)]
            steps, zero = grid.create_group("Steps"), np.zeros(len(self.steps), np.int64)
            steps.attrs["NSteps"] = len(self.steps)
            steps["Values"], steps["NumberOfParts"] = self.times, zero + 1
            steps["PartOffsets"], steps["PointOffsets"] = zero, zero
            steps["CellOffsets"], steps["ConnectivityIdOffsets"] = zero[:, None], zero[:, None]
            for name in names:
                shape = next(self.field(name, s).shape for s in self.steps if name in self.field_names(s))
                data = grid.create_dataset("CellData/" + name, (n * len(self.steps), *shape[1:]), float,
                                           fillvalue=np.nan)
                steps["CellDataOffsets/" + name] = n * np.arange(len(self.steps))
                for k, step in enumerate(self.steps):
                    if name in self.field_names(step):
                        data[k * n:(k + 1) * n] = self.field(name, step)

    # ---- tables
    def table(self, *parts):
        """A CSV file of the run: table("residuals.csv"), table("probes", "inside.csv")."""
        return Table(self.path(*parts))

    def tables(self, folder):
        """All CSV files of a folder ("probes", "forces", "lines"): name -> Table."""
        files = glob.glob(os.path.join(glob.escape(self.path(folder)), "*.csv"))
        return {os.path.basename(f)[:-4]: Table(f) for f in sorted(files)}

    def lines(self):
        """The line samples of the run: name -> Table."""
        found = self.tables("lines")
        if not found:
            raise PoiseError(f"{self.path('lines')}: no line samples; name them in the case: "
                             "lines = { vertical = { from = ...; to = ...; }; };")
        return found
