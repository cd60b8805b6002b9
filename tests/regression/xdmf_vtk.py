#!/usr/bin/env python3
"""Reads written series back with VTK's own readers of XDMF and VTKHDF, those inside ParaView.

    B=build /usr/bin/python3 tests/regression/xdmf_vtk.py [RUN.out ...]

Without arguments: the series of every kind of mesh that $B/tests/test_output writes, every value of every step.
With output directories of runs: their cells and fields, compared with the files read by h5py.
A field missing in a step is NaN in VTKHDF; a restarted run has one series, in either format.
Prints "ok NAME" or "not ok NAME: why"; the exit status is 1 when anything failed.
Debian's VTK is built without the readers: then VTK's own package is put into $B/vtk with pip, once.  VTK before 9.3
(ParaView before 5.12) reads no series of VTKHDF: these checks are skipped there.
"""
import glob
import importlib
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc"))
import poise  # noqa: E402

BUILD = os.environ.get("B") or os.path.dirname(os.environ.get("POISE", "build/poise"))
SAMPLES = ["triangles", "quadrilaterals", "mixed2d", "tetrahedra", "hexahedra", "prisms", "pyramids", "mixed3d"]
READS_SERIES = (9, 3)                                       # VTK's version
VTK_TYPE = {4: 5, 5: 9, 6: 10, 7: 14, 8: 13, 9: 12}         # XDMF's code of a cell type -> VTK's


def reader_class():
    """The readers by the names' ends, from the system's VTK, else from $B/vtk; and VTK's conversion to numpy."""
    folder = os.path.join(BUILD, "vtk")
    for attempt in ("system", "folder", "fetched"):
        if attempt == "fetched":
            print("fetching VTK with its readers into", folder, flush=True)
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore", "--no-deps",
                            "--upgrade", "--target", folder, "vtk"], check=False)
            importlib.invalidate_caches()                       # the folder was not there when it was looked for
        if attempt != "system":
            sys.path.insert(0, folder)
        for name in [n for n in sys.modules if n.startswith("vtkmodules")]:
            del sys.modules[name]
        try:
            from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
            from vtkmodules.vtkIOHDF import vtkHDFReader
            from vtkmodules.vtkCommonCore import vtkVersion
            from vtkmodules.util.numpy_support import vtk_to_numpy
            version = vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()
            return {"xdmf": vtkXdmfReader, "vtkhdf": vtkHDFReader}, vtk_to_numpy, version
        except ImportError:
            pass
    print("ok vtk-reads # SKIP no VTK with readers of XDMF and VTKHDF; python3 -m pip install vtk")
    sys.exit()


readers, vtk_to_numpy, version = reader_class()


def steps(path):
    """(time, unstructured grid) of every step of the series."""
    reader = readers[path.rpartition(".")[2]]()
    reader.SetFileName(path)
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(reader.GetExecutive().TIME_STEPS())
    if times is None and path.endswith(".vtkhdf"):              # VTK has no times of a single step
        with h5py.File(path) as file:
            times = file["VTKHDF/Steps/Values"][:].tolist()
        assert len(times) == 1, f"{len(times)} steps, of which VTK finds none"
    for time in times or []:
        reader.UpdateTimeStep(time)
        data = reader.GetOutputDataObject(0)
        while data is not None and data.IsA("vtkMultiBlockDataSet"):
            data = data.GetBlock(0)
        if data is None or not data.IsA("vtkUnstructuredGrid"):
            raise AssertionError(f"step at time {time} is no unstructured grid")
        yield time, data


def check_grid(grid, mesh):
    """Cell types, and the corners of every cell, against mesh.h5."""
    types, start = mesh["cells/type"][:], mesh["cells/start"][:]
    corners, vertices = mesh["cells/vertices"][:], mesh["vertices"][:]
    assert grid.GetNumberOfCells() == len(types), f"{grid.GetNumberOfCells()} cells, {len(types)} expected"
    assert grid.GetNumberOfPoints() == len(vertices), f"{grid.GetNumberOfPoints()} points, {len(vertices)} expected"
    points = vtk_to_numpy(grid.GetPoints().GetData())
    assert np.array_equal(points, vertices), "other points"
    for c, kind in enumerate(types):
        cell = grid.GetCell(c)
        found = cell.GetCellType()
        assert found == VTK_TYPE[kind], f"cell {c} has VTK type {found}, {VTK_TYPE[kind]} expected"
        found = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
        assert found == corners[start[c]:start[c + 1]].tolist(), f"cell {c} has other corners"


def check_fields(grid, expected):
    """Compares every cell field exactly, and allows no unexpected ones."""
    data = grid.GetCellData()
    names = {data.GetArrayName(k) for k in range(data.GetNumberOfArrays())}
    assert names == set(expected), f"fields {sorted(names)}, {sorted(expected)} expected"
    for name, values in expected.items():
        found = vtk_to_numpy(data.GetArray(name))
        assert found.shape == values.shape, f"{name} has the shape {found.shape}, {values.shape} expected"
        assert found.dtype == np.float64, f"{name} is {found.dtype}"
        assert np.array_equal(found, values), f"{name} has other values"


def sample_fields(step, n, dim):
    """As tests/test_output.c writes them."""
    velocity = np.zeros((n, 3))
    velocity[:, :dim] = step * 1000.0 + 4.0 * np.arange(n)[:, None] + np.arange(dim)
    return {"velocity": velocity, "pressure": -np.arange(n) - step / 8}


def series_of(directory):
    """The only file that lists a series there."""
    found = glob.glob(os.path.join(directory, "*.xdmf")) + glob.glob(os.path.join(directory, "*.vtkhdf"))
    assert len(found) == 1, f"series in {directory}: {found}"
    return found[0]


def check_sample(directory):
    expected = [(step / 2, step) for step in (0, 500, 1000)]
    found = 0
    with h5py.File(os.path.join(directory, "mesh.h5")) as mesh:
        for (time, step), (vtk_time, grid) in zip(expected, steps(series_of(directory))):
            assert vtk_time == time, f"time {vtk_time}, {time} expected"
            check_grid(grid, mesh)
            check_fields(grid, sample_fields(step, grid.GetNumberOfCells(), mesh.attrs["dim"]))
            found += 1
    assert found == len(expected), f"{found} steps, {len(expected)} expected"


def check_run(directory):
    """A run's series: as many steps as files, each field as h5py reads it."""
    files = sorted(glob.glob(os.path.join(directory, "fields", "*.h5")), key=lambda f: int(os.path.basename(f)[:-3]))
    assert files, f"no fields in {directory}"
    found = 0
    with h5py.File(os.path.join(directory, "mesh.h5")) as mesh:
        for file, (time, grid) in zip(files, steps(series_of(directory))):
            with h5py.File(file) as fields:
                assert time == fields.attrs["time"], f"{file}: time {fields.attrs['time']}, VTK has {time}"
                check_fields(grid, {name: fields[name][:] for name in fields})
            if found == 0:
                check_grid(grid, mesh)
            found += 1
    assert found == len(files), f"{found} steps, {len(files)} expected"


def check_facets(directory):
    """A series of facets: lines and polygons with the corners that mesh.h5 has, each field as h5py reads it."""
    found = 0
    files = sorted(glob.glob(os.path.join(directory, "fields", "*.h5")))
    with h5py.File(os.path.join(directory, "mesh.h5")) as mesh:
        stream, cell = mesh["xdmf/topology"][:], mesh["cell"][:]
        corners = []
        if stream.ndim == 2:
            corners = stream.tolist()
        at = 0
        while stream.ndim == 1 and at < len(stream):
            n, at = (stream[at + 1], at + 2) if stream[at] in (2, 3) else (stream[at] - 1, at + 1)
            corners.append(stream[at:at + n].tolist())
            at += n
        assert len(corners) == len(cell), f"{len(corners)} facets, {len(cell)} cells"
        for file, (time, grid) in zip(files, steps(series_of(directory))):
            assert grid.GetNumberOfCells() == len(cell), f"{grid.GetNumberOfCells()} facets, {len(cell)} expected"
            assert np.array_equal(vtk_to_numpy(grid.GetPoints().GetData()), mesh["vertices"][:]), "other points"
            for c, expected in enumerate(corners):
                points = [grid.GetCell(c).GetPointId(k) for k in range(grid.GetCell(c).GetNumberOfPoints())]
                assert points == expected, f"facet {c} has other corners"
            with h5py.File(file) as fields:
                assert time == fields.attrs["time"], f"{file}: time {fields.attrs['time']}, VTK has {time}"
                check_fields(grid, {name: fields[name][:] for name in fields})
            found += 1
    assert found == len(files) > 0, f"{found} steps, {len(files)} expected"


BOX = """mesh = {{ box = {{ cells = [{0}]; }}; }};
fluid = {{ viscosity = 0.1; }};
boundary = {{ left = {{ type = "inlet"; velocity = [{1}]; }}; right = {{ type = "outlet"; }};
  bottom = {{ type = "wall"; }}; top = {{ type = "wall"; }}; {2} }};
solver = {{ max_iterations = 4; }};
surfaces = {{ s = {{ boundaries = ["bottom", "right"]; every = 2; }}; }};
planes = {{ p = {{ point = [0.4, 0.4{3}]; normal = [1.0, 0.6{3}]; every = 2; }}; }};
"""


def run_facets(folder, name, form, *words):
    """The series of a run with facets."""
    with open(os.path.join(folder, name + ".cfg"), "w") as case:
        case.write(BOX.format(*words))
    program = os.path.abspath(os.environ.get("POISE", os.path.join(BUILD, "poise")))
    subprocess.run([program, "run", name + ".cfg", "--quiet", "--set", "output.format=" + form], cwd=folder,
                   check=False)
    check_run(os.path.join(folder, name + ".out"))
    check_facets(os.path.join(folder, name + ".out", "surfaces", "s"))
    check_facets(os.path.join(folder, name + ".out", "planes", "p"))


def run_goes_on(folder):
    """VTKHDF of a run restarted with another field: NaN where a step lacks a field; then XDMF again."""
    with open(os.path.join(folder, "on.cfg"), "w") as case:
        case.write(BOX.format("4, 5", "1.0, 0.0", "", ""))
    program = os.path.abspath(os.environ.get("POISE", os.path.join(BUILD, "poise")))
    for words in (["output.format=vtkhdf", "output.every=2"],
                  ["output.format=vtkhdf", "solver.max_iterations=5", 'output.fields=["velocity", "vorticity"]']):
        words = [w for word in words for w in ("--set", word)] + ["--restart"] * ("solver.max_iterations=5" in words)
        subprocess.run([program, "run", "on.cfg", "--quiet", *words], cwd=folder, check=False)
    grids = [(time, {grid.GetCellData().GetArrayName(k) for k in range(3)}, vtk_to_numpy(grid.GetCellData().GetArray(
        "pressure")).copy()) for time, grid in steps(series_of(os.path.join(folder, "on.out")))]
    assert [g[0] for g in grids] == [2, 4, 5], grids
    assert all(g[1] == {"velocity", "pressure", "vorticity"} for g in grids), grids
    assert not np.isnan(grids[1][2]).any() and np.isnan(grids[2][2]).all(), grids
    run, path = poise.Run(os.path.join(folder, "on.out")), os.path.join(folder, "alone.vtkhdf")
    run.save_vtkhdf(path)
    found = 0
    for (time, grid), step in zip(steps(path), run.steps):
        fields = {f: run.field(f, step) for f in run.field_names(step)}
        assert time == run.time(step) and grid.GetNumberOfCells() == len(run.mesh), time
        assert all(np.array_equal(vtk_to_numpy(grid.GetCellData().GetArray(f)), v) for f, v in fields.items()), time
        found += 1
    assert found == len(run.steps), found
    subprocess.run([program, "run", "on.cfg", "--quiet"], cwd=folder, check=False)
    check_run(os.path.join(folder, "on.out"))


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) > 1:
            checks = [(d, check_run, (d,)) for d in sys.argv[1:]]
        else:
            checks = []
            for form in readers:
                where = os.path.join(folder, form)
                os.mkdir(where)
                subprocess.run([os.path.join(BUILD, "tests", "test_output"), "--write", where, form], check=True)
                checks += [(f"{form}-{s}", check_sample, (os.path.join(where, s + ".out"),)) for s in SAMPLES]
                checks += [(form + "-facets-2d", run_facets, (where, "two", form, "4, 5", "1.0, 0.0", "", "")),
                           (form + "-facets-3d", run_facets, (where, "three", form, "4, 3, 2", "1.0, 0.0, 0.0",
                            'back = { type = "wall"; }; front = { type = "wall"; };', ", 0.3"))]
            checks += [("vtkhdf-goes-on", run_goes_on, (folder,))]
        for name, check, arguments in checks:
            if name.startswith("vtkhdf-") and version < READS_SERIES:
                print(f"ok {name} # SKIP VTK {version[0]}.{version[1]} reads no series of VTKHDF; 9.3 and later do")
                continue
            try:
                check(*arguments)
                print("ok", name)
            except (AssertionError, OSError, KeyError) as why:
                failed += 1
                print(f"not ok {name}: {why}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
