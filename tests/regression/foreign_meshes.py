#!/usr/bin/env python3
"""Meshes of other programs, `poise mesh convert` and mesh.file: every kind of cell, mixed too, in SU2's, OpenFOAM's and
VTK's formats (text, binary, compressed) and in formats that Gmsh reads, compared with Poise's own; damaged files.

    POISE=build/poise /usr/bin/python3 tests/regression/foreign_meshes.py
"""
import base64
import gzip
import itertools
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
POISE = os.path.abspath(os.environ.get("POISE", os.path.join(TOP, "build", "poise")))
sys.path[:0] = [os.path.join(TOP, "postproc"), os.path.join(TOP, "tests")]
import poise  # noqa: E402
from poise.mesh import FACES  # noqa: E402
from checks import Skipped, run_checks  # noqa: E402

SAMPLES = ["triangles", "quadrilaterals", "mixed2d", "tetrahedra", "hexahedra", "prisms", "pyramids", "mixed3d"]
VTK = {4: 5, 5: 9, 6: 10, 7: 14, 8: 13, 9: 12}
SIDE = {2: 3, 3: 5, 4: 9}


def command(*words):
    return subprocess.run([POISE, *words], capture_output=True, text=True, check=False)


def info(path):
    """Output of poise mesh info, without the matrix."""
    done = command("mesh", "info", path)
    assert done.returncode == 0, f"{path}: {done.stderr}"
    return re.sub(r"matrix in.*", "", done.stdout.split("\n", 1)[1], flags=re.S)


class Sample:
    """A mesh as elements: cells and, with two names, its outer faces."""

    def __init__(self, name):
        mesh = self.mesh = poise.Mesh(f"samples/{name}.out/mesh.h5")
        self.dim, self.points = mesh.dim, mesh.vertices
        self.cells = [(VTK[t], mesh.corners[a:b]) for t, a, b in zip(mesh.types, mesh.start, mesh.start[1:])]
        rim = [f[f >= 0] for faces in mesh.boundaries.values() for f in faces]
        self.rim = {"floor": [f for f in rim if (self.points[f, 1] == 0).all()],
                    "other": [f for f in rim if (self.points[f, 1] != 0).any()]}
        edges = {k: [f for f in v] for k, v in self.rim.items()}
        boundaries = {k: np.array(v) if self.dim == 2 else [np.array([f for f in v if len(f) == n]) for n in (3, 4)
                                                           if any(len(f) == n for f in v)] for k, v in edges.items()}
        names = {5: "triangle", 9: "quad", 10: "tetra", 14: "pyramid", 13: "wedge", 12: "hexahedron"}
        poise.write_mesh("wanted.h5", self.points, [(names[t], v[None]) for t, v in self.cells], boundaries)
        self.wanted = info("wanted.h5")

    def elements(self):
        """(VTK's type, corners, mark) of all."""
        return [(t, v, 0) for t, v in self.cells] + [(SIDE[len(f)], f, 1 + k) for k, faces in
                                                     enumerate(self.rim.values()) for f in faces]


def su2(s, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"% by a test\nNDIME= {s.dim}\nNELEM= {len(s.cells)}\n")
        file.writelines(" ".join(map(str, (t, *v, k))) + "\n" for k, (t, v) in enumerate(s.cells))
        file.write(f"NPOIN= {len(s.points)}\n% x y z\n")
        file.writelines(" ".join(map(repr, map(float, (*x[:s.dim], k)))) + "\n" for k, x in enumerate(s.points))
        file.write(f"NMARK= {len(s.rim)}\n")
        for name, faces in s.rim.items():
            file.write(f"MARKER_TAG= {name}\nMARKER_ELEMS= {len(faces)}\n")
            file.writelines(" ".join(map(str, (SIDE[len(f)], *f))) + "\n" for f in faces)


def vtk(s, path, binary=False, version=3):
    elements = s.elements()
    corners = np.concatenate([v for _, v, _ in elements])
    ends = np.cumsum([len(v) for _, v, _ in elements])

    def block(values, kind):
        if binary:
            return np.asarray(values).astype(">" + kind).tobytes() + b"\n"
        return (" ".join(map(repr, np.asarray(values).ravel().tolist())) + "\n").encode()

    with open(path, "wb") as file:
        form = "BINARY" if binary else "ASCII"
        file.write(f"# vtk DataFile Version {version}.0\nby a test\n{form}\nDATASET UNSTRUCTURED_GRID\n".encode())
        file.write(f"POINTS {len(s.points)} double\n".encode() + block(s.points, "f8"))
        if version >= 5:
            file.write(f"CELLS {len(ends) + 1} {len(corners)}\nOFFSETS vtktypeint64\n".encode() + block([0, *ends],
                                                                                                        "i8"))
            file.write(b"CONNECTIVITY vtktypeint64\n" + block(corners, "i8"))
        else:
            flat = np.concatenate([[len(v), *v] for _, v, _ in elements])
            file.write(f"CELLS {len(ends)} {len(flat)}\n".encode() + block(flat, "i4"))
        file.write(f"CELL_TYPES {len(ends)}\n".encode() + block([t for t, _, _ in elements], "i4"))
        file.write(f"CELL_DATA {len(ends)}\nSCALARS size double 1\nLOOKUP_TABLE default\n".encode()
                   + block(ends * 0.5, "f8"))
        texts = [b"made%20by", b"a" * 70]
        file.write(b"FIELD FieldData 2\nnotes 1 2 string\n" + (
            b"\xc9made%20by\x80\x46" + texts[1] + b"\n" if binary else b"\n".join(texts) + b"\n"))
        file.write(f"mark 1 {len(ends)} int\n".encode() + block([m for _, _, m in elements], "i4"))


def vtu(s, path, form="ascii", packed=False, wide=False, big=False, elements=None):
    elements = elements or s.elements()
    head, order = ("Q" if wide else "I"), (">" if big else "<")
    appended = bytearray()

    def array(name, kind, values, components=""):
        types = {"f8": "Float64", "i8": "Int64", "i4": "Int32", "u1": "UInt8"}
        open_tag = f'<DataArray type="{types[kind]}" Name="{name}" {components}'
        values = np.asarray(values)
        if form == "ascii":
            return f'{open_tag} format="ascii">\n{" ".join(map(repr, values.ravel().tolist()))}\n</DataArray>\n'
        data = values.astype(order + kind).tobytes()
        if packed:
            size = 1000
            blocks = [zlib.compress(data[k:k + size]) for k in range(0, len(data), size)]
            first = struct.pack(order + head * (3 + len(blocks)), len(blocks), size, len(data) % size, *map(len,
                                                                                                            blocks))
            parts = [first, b"".join(blocks)]
        else:
            parts = [struct.pack(order + head, len(data)) + data]
        if form == "raw":
            at = len(appended)
            appended.extend(b"".join(parts))
            return f'{open_tag} format="appended" offset="{at}"/>\n'
        text = b"".join(map(base64.b64encode, parts)).decode()
        if form == "appended":
            at = len(appended)
            appended.extend(text.encode())
            return f'{open_tag} format="appended" offset="{at}"/>\n'
        return f'{open_tag} format="binary">\n{text}\n</DataArray>\n'

    whole = (f'<?xml version="1.0"?>\n<!-- <Piece> of a test -->\n<VTKFile type="UnstructuredGrid" version="1.0" '
             f'byte_order="{"Big" if big else "Little"}Endian" header_type="UInt{64 if wide else 32}"'
             + (' compressor="vtkZLibDataCompressor"' if packed else "") + ">\n<UnstructuredGrid>\n"
             f'<Piece NumberOfPoints="{len(s.points)}" NumberOfCells="{len(elements)}">\n<PointData>\n'
             + array("p", "f8", s.points[:, 0]) + "</PointData>\n<CellData>\n"
             + array("mark", "i4", [m for _, _, m in elements]) + array("q", "f8", [0.5] * len(elements))
             + "</CellData>\n<Points>\n" + array("Points", "f8", s.points,
                                                 'NumberOfComponents="3"') + "</Points>\n<Cells>\n"
             + array("connectivity", "i8", np.concatenate([v for _, v, _ in elements]))
             + array("offsets", "i8", np.cumsum([len(v) for _, v, _ in elements]))
             + array("types", "u1", [t for t, _, _ in elements]) + "</Cells>\n</Piece>\n</UnstructuredGrid>\n").encode()
    if appended:
        whole += f'<AppendedData encoding="{"raw" if form == "raw" else "base64"}">\n_'.encode() + appended \
            + b"\n</AppendedData>\n"
    with open(path, "wb") as file:
        file.write(whole + b"</VTKFile>\n")


def outward(mesh, points, kind, corners):
    """The faces of a 3-D cell, anticlockwise from outside."""
    centre, found = points[corners].mean(axis=0), []
    for face in FACES[kind]:
        f = corners[list(face)]
        a, b = points[f[1]] - points[f[0]], points[f[2]] - points[f[0]]
        found.append(f if np.cross(a, b) @ (points[f].mean(axis=0) - centre) > 0 else f[::-1])
    return found


def foam(s, folder, binary=False, axis=2, merge=False, packed=False):
    """polyMesh; in 2-D one layer of cells between empty patches, across the axis.  merge: the first two cells are
    one."""
    points, cells, rim = s.points, [(t, v) for t, v in zip(s.mesh.types, (v for _, v in s.cells))], dict(s.rim)
    types = {}
    if s.dim == 2:
        n = len(points)
        points = np.concatenate([points, points + [0, 0, 0.1]])
        cells = [(8 if len(v) == 3 else 9, np.r_[v, v + n]) for _, v in cells]
        rim = {k: [np.r_[f, f[::-1] + n] for f in v] for k, v in rim.items()}
        rim["sides"] = [v for _, v in s.cells] + [v + n for _, v in s.cells]
        types["sides"] = "empty"
        points = points[:, {2: [0, 1, 2], 1: [0, 2, 1], 0: [2, 0, 1]}[axis]] * ([1, -1, 1] if axis == 1 else 1)
    patch_of = {tuple(sorted(f)): name for name, faces in rim.items() for f in faces}
    where = {}
    for c, (kind, v) in enumerate(cells):
        for f in outward(s.mesh, points, kind, v):
            where.setdefault(tuple(sorted(f)), []).append((c, f))
    inner = [(a[0], b[0], a[1]) for a, b in (w for w in where.values() if len(w) == 2)]
    if merge:
        inner = [(max(a - 1, 0), max(b - 1, 0), f) for a, b, f in inner if {a, b} != {0, 1}]
    outer = [(patch_of[k], max(w[0][0] - merge, 0), w[0][1]) for k, w in where.items() if len(w) == 1]
    outer.sort(key=lambda x: list(rim).index(x[0]))
    faces = [f for _, _, f in inner] + [f for _, _, f in outer]
    os.makedirs(folder, exist_ok=True)

    def write(name, kind, body):
        head = (f'/* by a test */\nFoamFile\n{{\n version 2.0;\n format {"binary" if binary else "ascii"};\n'
                f' arch "LSB;label=32;scalar=64";\n class {kind};\n object {name};\n}}\n// * * //\n')
        data = head.encode() + body + b"\n\n// end\n"
        with gzip.open(f"{folder}/{name}.gz", "wb") if packed else open(f"{folder}/{name}", "wb") as file:
            file.write(data)

    def labels(values):
        values = np.asarray(values)
        body = values.astype("<i4").tobytes() if binary else ("\n" + "\n".join(map(str, values)) + "\n").encode()
        return f"\n{len(values)}\n(".encode() + body + b")"

    if binary:
        write("points", "vectorField", f"{len(points)}(".encode() + points.astype("<f8").tobytes() + b")")
        write("faces", "faceCompactList",
              labels(np.cumsum([0] + [len(f) for f in faces])) + labels(np.concatenate(faces)))
    else:
        write("points", "vectorField", f"{len(points)}\n(\n".encode() + b"\n".join(
            ("(" + " ".join(map(repr, map(float, x))) + ")").encode() for x in points) + b"\n)")
        write("faces", "faceList", f"{len(faces)}\n(\n".encode() + b"\n".join(
            f"{len(f)}({' '.join(map(str, f))})".encode() for f in faces) + b"\n)")
    write("owner", "labelList", labels([a for a, _, _ in inner] + [c for _, c, _ in outer]))
    write("neighbour", "labelList", labels([b for _, b, _ in inner]))
    text, first = f"\n{len(rim)}\n(\n", len(inner)
    for name in rim:
        n = sum(o[0] == name for o in outer)
        text += f"  {name}\n  {{\n    type {types.get(name, 'wall')};\n    inGroups 1(wall);\n    nFaces {n};\n" \
                f"    startFace {first};\n  }}\n"
        first += n
    write("boundary", "polyBoundaryMesh", text.encode() + b")\n")


def same(s, path, marks=False, *options):
    """The converted mesh equals the sample; names made from marks are replaced."""
    done = command("mesh", "convert", path, "x.h5", *options)
    assert done.returncode == 0, f"{path}: {done.stderr}"
    found = info("x.h5")
    if marks:
        for mark, name in ((1, "floor"), (2, "other")):
            found = found.replace(f"boundary_{mark}", f"{name:10}")
        found = found.replace("region_0", "fluid   ")
    found, wanted = (re.sub(r" +", " ", t) for t in (found, s.wanted))
    found, wanted = (re.sub(r"\(cell \d+\)", "", t) for t in (found, wanted))
    assert found == wanted, f"{path}:\n{found}\nexpected:\n{wanted}"


def every_format():
    for name in SAMPLES:
        s = Sample(name)
        su2(s, "a.su2")
        same(s, "a.su2")
        for binary in (False, True):
            for version in (3, 5):
                vtk(s, "a.vtk", binary, version)
                same(s, "a.vtk", True)
            if not binary:                          # as VTK itself writes it, on Windows
                changed("a.vtk", "double 1\n", "double\n")
                changed("a.vtk", "CELL_TYPES", "METADATA\nA 0\n\nCELL_TYPES")
                changed("a.vtk", "\n", "\r\n", every=True)
                same(s, "a.vtk", True)
            foam(s, f"case{binary}/constant/polyMesh", binary, packed=name == "prisms")
            same(s, f"case{binary}/constant/polyMesh")
            shutil.rmtree(f"case{binary}")
        for form in ("ascii", "binary", "appended", "raw"):
            for packed in (False, True)[:1 if form == "ascii" else 2]:
                vtu(s, "a.vtu", form, packed, wide=packed, big=name == "prisms")
                same(s, "a.vtu", True)
    for axis in (0, 1):
        s = Sample("mixed2d")
        foam(s, "polyMesh", axis=axis)
        done = command("mesh", "convert", "polyMesh", "x.h5")
        assert done.returncode == 0, done.stderr
        assert "floor 4" in re.sub(r" +", " ", info("x.h5")) and "area 12," in re.sub(r" +", " ", info("x.h5"))


def files_of_vtk_itself():
    """A mesh written by VTK's own writers, in all variants."""
    sys.path.insert(0, os.path.join(os.path.dirname(POISE), "vtk"))
    try:
        from vtkmodules.vtkIOLegacy import vtkUnstructuredGridWriter
        from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader, vtkXMLUnstructuredGridWriter
    except ImportError:
        raise Skipped("no VTK for Python; tests/regression/xdmf_vtk.py fetches it") from None
    s = Sample("mixed3d")
    vtu(s, "a.vtu")
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName("a.vtu")
    reader.Update()
    for mode, packed, wide, base64_too in itertools.product(range(3), *3 * [(False, True)]):
        writer = vtkXMLUnstructuredGridWriter()
        writer.SetFileName("b.vtu"), writer.SetInputData(reader.GetOutput())
        writer.SetDataMode(mode), writer.SetEncodeAppendedData(base64_too), writer.SetBlockSize(1024)
        writer.SetHeaderTypeToUInt64() if wide else writer.SetHeaderTypeToUInt32()
        writer.SetCompressorTypeToZLib() if packed else writer.SetCompressorTypeToNone()
        writer.Write()
        same(s, "b.vtu", True, "--markers", "mark")
    for form, version in itertools.product((1, 2), (42, 51)):
        writer = vtkUnstructuredGridWriter()
        writer.SetFileName("b.vtk"), writer.SetInputData(reader.GetOutput())
        writer.SetFileType(form), writer.SetFileVersion(version)
        writer.Write()
        same(s, "b.vtk", True, "--markers", "mark")


def what_gmsh_reads():
    data = os.path.join(TOP, "tests", "data")
    for path, cells, options in (("strip.unv", "quadrilaterals 4", ()), ("strip2.unv", "triangles 8", ("--straight",))):
        done = command("mesh", "convert", os.path.join(data, path), "x.h5", *options)
        noted = "order 2; they are replaced by straight-sided cells" in done.stdout
        assert done.returncode == 0 and noted == bool(options), done.stderr
        found = re.sub(r" +", " ", info("x.h5"))
        assert cells in found and "inlet 2" in found and "walls 4" in found, found
    refused("has elements of order 2", "mesh", "convert", os.path.join(data, "strip2.unv"), "x.h5")
    refused("has elements of order 2", "mesh", "info", os.path.join(data, "strip2.unv"))
    done = command("mesh", "info", os.path.join(data, "strip2.unv"), "--straight")
    assert done.returncode == 0 and re.search("triangles +8\n", done.stdout), done.stdout + done.stderr
    for path in ("mixed.unv", "mixed.med", "mixed.cgns"):       # the last two by Gmsh's own library: gmsh_newest.sh
        done = command("mesh", "info", os.path.join(data, path))
        found = re.sub(r" +", " ", done.stdout)
        read = "triangles 44" in found and "quadrilaterals 16" in found and "walls 16" in found and "inlet 4" in found
        assert read or (path != "mixed.unv" and "built without" in done.stderr), done.stderr
    with open("a.med", "wb") as file:
        file.write(b"\211HDF\r\n")
    done = command("mesh", "convert", "a.med", "x.h5")
    assert done.returncode == 1 and ("built without Med" in done.stderr or "Gmsh stopped" in done.stderr), done.stderr


def cases_name_them():
    s = Sample("quadrilaterals")
    os.makedirs("sub", exist_ok=True)
    foam(s, "sub/polyMesh"), su2(s, "sub/a.su2"), vtu(s, "sub/a.vtu")
    case = 'fluid = {{ viscosity = 0.1; }}; solver = {{ max_iterations = 2; }}; ' \
           'boundary = {{ {0} = {{ type = "wall"; }}; {1} = {{ type = "wall"; }}; }}; ' \
           'initial = {{ velocity = [1.0, 0.0]; }}; mesh = {{ file = "{2}"; {3} }};'
    for mesh, more, names in (("polyMesh", "", ("floor", "other")),
                              ("a.su2", 'curved = "straight";', ("floor", "other")),
                              ("a.vtu", 'markers = "mark";', ("boundary_1", "boundary_2"))):
        with open("sub/case.cfg", "w", encoding="utf-8") as file:
            file.write(case.format(*names, mesh, more))
        done = command("run", "sub/case.cfg", "--quiet", "--device", "cpu", "--threads", "1")
        assert done.returncode == 2 and len(poise.Run("case.out").mesh) == 12, done.stderr
        assert sorted(poise.Run("case.out").mesh.boundaries) == sorted(names)
    for more, wanted in (('file = "a.su2"; markers = "mark";', "mesh.markers is for .vtk and .vtu files"),
                         ('file = "a.h5"; curved = "straight";', "mesh.curved does not apply to a.h5"),
                         ('file = "a.stl";', 'mesh.file = "a.stl": expected the name of a mesh: .geo, .msh, .unv'),
                         ('file = "a.su2"; curved = "round";', "expected refuse or straight"),
                         ('file = "a.su2"; parameters = { n = 1; };', "mesh.parameters are for a .geo file")):
        with open("sub/bad.cfg", "w", encoding="utf-8") as file:
            file.write('fluid = { viscosity = 0.1; }; boundary = { a = { type = "wall"; }; }; mesh = { ' + more + " };")
        refused(wanted, "check", "sub/bad.cfg")


def refused(wanted, *words):
    done = command(*words)
    assert done.returncode == 1 and wanted in done.stderr, f"{words}: {wanted!r} is not in: {done.stderr}"


def changed(path, before, after, to=None, every=False):
    with open(path, "rb") as file:
        data = file.read()
    assert before.encode() in data, f"{path}: no {before!r}"
    with open(to or path, "wb") as file:
        file.write(data.replace(before.encode(), after.encode(), -1 if every else 1))


def cells_that_poise_lacks():
    s = Sample("hexahedra")
    foam(s, "merged/polyMesh", merge=True)
    refused("has 1 polyhedra, which Poise does not support: expected tetrahedra", "mesh", "convert", "merged/polyMesh",
            "x.h5")
    whole = s.elements()
    vtu(s, "p.vtu", elements=[(42, np.arange(12), 0), (42, np.arange(9), 0), (15, np.arange(10), 0), *whole])
    refused("has 1 pentagonal prisms, 2 polyhedra, which", "mesh", "convert", "p.vtu", "x.h5")
    flat = Sample("triangles")
    vtu(flat, "p.vtu", elements=[(7, np.arange(5), 0), *flat.elements()])
    refused("has 1 polygons, which Poise does not support: expected triangles and quadrilaterals", "mesh", "convert",
            "p.vtu", "x.h5")
    number, middles = {}, []                                    # second order: with the middles of the edges

    def middle(a, b):
        key = (min(a, b), max(a, b))
        if key not in number:
            number[key] = len(flat.points) + len(middles)
            middles.append((flat.points[a] + flat.points[b]) / 2)
        return number[key]

    curved = [(22 if len(v) == 3 else 21, np.r_[v, [middle(a, b) for a, b in (zip(v, np.roll(v, -1)) if len(v) == 3 else
                                                                              [v])]], m) for _, v, m in flat.elements()]
    flat.points = np.concatenate([flat.points, middles])
    vtu(flat, "c.vtu", elements=curved)
    refused('has 14 lines of second order, 24 triangles of second order', "mesh", "convert", "c.vtu", "x.h5")
    same(flat, "c.vtu", True, "--straight")


def numbers_are_no_names():
    """An array that numbers the cells names no regions, unless requested."""
    n = 1100
    points = "".join(f"{i} 0 0\n{i} 1 0\n" for i in range(n + 1))
    cells = "".join(f"4 {2 * i} {2 * i + 2} {2 * i + 3} {2 * i + 1}\n" for i in range(n))
    with open("ids.vtk", "w", encoding="utf-8") as file:
        file.write(f"# vtk DataFile Version 3.0\nstrip\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {2 * n + 2} float\n"
                   f"{points}CELLS {n} {5 * n}\n{cells}CELL_TYPES {n}\n{'9 ' * n}\n"
                   f"CELL_DATA {n}\nSCALARS id int\nLOOKUP_TABLE default\n{' '.join(map(str, range(n)))}\n")
    done = command("mesh", "convert", "ids.vtk", "x.h5")
    assert done.returncode == 0 and "the array id of ids.vtk has over 1000 different numbers" in done.stdout, done
    refused("more than 1000 different boundaries and regions", "mesh", "convert", "ids.vtk", "x.h5", "--markers", "id")


def two_squares(shift):
    """Points, quadrilaterals and named edges of two squares of 2 x 2 cells, the second one moved by shift; one vertex
    where the corners meet."""
    points, cells, edges = [], [], {"left": [], "right": [], "walls": []}
    for k in range(2):
        at = {}
        for j, i in itertools.product(range(3), range(3)):
            point = (i / 2 + k * shift[0], j / 2 + k * shift[1], 0)
            at[i, j] = points.index(point) if shift == (1, 1) and point in points else len(points)
            if at[i, j] == len(points):
                points.append(point)
        for j, i in itertools.product(range(2), range(2)):
            cells.append([at[i, j], at[i + 1, j], at[i + 1, j + 1], at[i, j + 1]])
            edges["left"] += [[at[0, i], at[0, i + 1]]] * (j == 0)
            edges["right"] += [[at[2, i], at[2, i + 1]]] * (j == 0)
            edges["walls"].append([at[i, 2 * j], at[i + 1, 2 * j]])
    return points, cells, edges


def write_squares(path, points, cells, edges):
    def lines(rows):
        return "".join(" ".join(map(str, row)) + "\n" for row in rows)
    if path.endswith(".h5"):
        poise.write_mesh(path, np.array(points, float), [("quad", np.array(cells))],
                         {k: np.array(v) for k, v in edges.items()})
        return
    if path.endswith(".su2"):
        text = f"NDIME= 2\nNELEM= {len(cells)}\n" + lines([9, *c] for c in cells)
        text += f"NPOIN= {len(points)}\n" + lines(p[:2] for p in points) + f"NMARK= {len(edges)}\n"
        for name, list_of in edges.items():
            text += f"MARKER_TAG= {name}\nMARKER_ELEMS= {len(list_of)}\n" + lines([3, *e] for e in list_of)
    else:
        elements = [[3, 2, 4, 1, *(v + 1 for v in c)] for c in cells]
        for k, list_of in enumerate(edges.values()):
            elements += [[1, 2, k + 1, k + 1, *(v + 1 for v in e)] for e in list_of]
        text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n"
        text += "".join(f'1 {k + 1} "{name}"\n' for k, name in enumerate(edges)) + '2 4 "fluid"\n$EndPhysicalNames\n'
        text += f"$Nodes\n{len(points)}\n" + lines([k + 1, *p] for k, p in enumerate(points)) + "$EndNodes\n"
        text += f"$Elements\n{len(elements)}\n" + lines([k + 1, *e] for k, e in enumerate(elements))
        text += "$EndElements\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def separate_parts():
    """Meshes in two separate parts, in every format: inflow needs an outlet in the same part."""
    case = 'fluid = {{ viscosity = 0.1; }}; solver = {{ algorithm = "simplec"; }}; mesh = {{ file = "{0}"; }}; ' \
           'boundary = {{ left = {{ type = "{1}"; {2} }}; right = {{ type = "{3}"; }}; ' \
           'walls = {{ type = "slip"; }}; }};'
    for shift in (3, 0), (0.5, 0.25), (0, 0), (1, 1):
        for path in "two.su2", "two.h5", "two.msh":
            write_squares(path, *two_squares(shift))
            with open("two.cfg", "w", encoding="utf-8") as file:
                file.write(case.format(path, "inlet", "velocity = [1.0, 0.0];", "wall"))
            done = command("run", "two.cfg")
            assert done.returncode == 1 and "one of the 2 separate parts of the mesh" in done.stderr, done.stderr
            with open("two.cfg", "w", encoding="utf-8") as file:
                file.write(case.format(path, "inlet", "velocity = [1.0, 0.0];", "outlet"))
            done = command("run", "two.cfg", "--device", "cpu", "--threads", "1")
            assert done.returncode == 0 and "in 2 separate parts" in done.stdout, done.stdout + done.stderr
            velocity = poise.Run("two.out").field("velocity")
            assert abs(velocity[:, 0] - 1).max() < 1e-5 and abs(velocity[:, 1]).max() < 1e-5, velocity


def wrong_words_for_others():
    """Messages about other programs' meshes must not advise changes in a .geo."""
    points, cells, edges = two_squares((3, 0))
    for path in "bad.su2", "bad.h5":
        for wanted, change in (("4 boundary face(s) are in no boundary", lambda p, c, e: e["left"].clear()),
                               ("are in two boundaries", lambda p, c, e: e["right"].append(e["left"][0])),
                               ("lie inside the mesh", lambda p, c, e: e["left"].append([1, 4])),
                               ("are faces of no cell", lambda p, c, e: e["left"].append([0, 4])),
                               ("belong to three cells or more", lambda p, c, e: c.append(c[0])),
                               ("are clockwise, the others not", lambda p, c, e: c[0].reverse()),
                               ("are folded", lambda p, c, e: c.__setitem__(0, [c[0][i] for i in (0, 2, 1, 3)]))):
            p, c, e = [*points], [[*x] for x in cells], {k: [*v] for k, v in edges.items()}
            change(p, c, e)
            write_squares(path, p, c, {k: v for k, v in e.items() if v})
            done = command("mesh", "info", path)
            assert done.returncode == 1 and wanted in done.stderr, f"{path}, {wanted}: {done.stdout}{done.stderr}"
            for word in ".geo", "Physical", "Gmsh", "Coherence", "Mesh.":
                assert word not in done.stderr, done.stderr


def damaged_files():
    s = Sample("mixed3d")
    su2(s, "a.su2"), vtk(s, "a.vtk"), vtu(s, "a.vtu"), foam(s, "polyMesh"), vtu(s, "b.vtu", "binary", True)
    for wanted, path, before, after in (
            ("b.su2:3: found \"NELEM= many\"; expected the number of cells", "a.su2", "NELEM= 68", "NELEM= many"),
            ("b.su2:2: found \"NDIME= 4\"; expected NDIME= 2 or 3", "a.su2", "NDIME= 3", "NDIME= 4"),
            ("expected NDIME= before NPOIN=", "a.su2", "NDIME", "NDIMS"),
            ("b.su2: has no NELEM=", "a.su2", "NELEM", "NELEN"),
            ("expected the name of a boundary", "a.su2", "MARKER_TAG= floor", "MARKER_TAG= "),
            ("expected MARKER_ELEMS= after", "a.su2", "MARKER_ELEMS", "MARKER_SEND"),
            ("b.su2:4: found", "a.su2", "\n12 ", "\n99 "), ("finite coordinates", "a.su2", "0.0 0.0 0.0",
                                                            "0.0 nan 0.0"),
            ("b.su2: element 0 (hexahedra) names a vertex that does not exist", "a.su2", "\n12 0 ", "\n12 999 "),
            ("expected one zone", "a.su2", "NDIME", "NZONE= 2\nNDIME"),
            ("b.vtk:1: found", "a.vtk", "# vtk", "# vtx"), ("expected DATASET UNSTRUCTURED_GRID", "a.vtk",
                                                           "UNSTRUCTURED_GRID", "POLYDATA"),
            ("expected ASCII or BINARY", "a.vtk", "ASCII", "EBCDIC"), ("expected CELL_TYPES", "a.vtk", "CELL_TYPES 1",
                                                                       "CELL_TYPES 2"),
            ("but the file is too short", "a.vtk", "POINTS 67", "POINTS 670000"),
            ("expected POINTS, CELLS", "a.vtk", "CELL_TYPES", "CELL_KINDS"),
            ("has no types of cells", "a.vtu", 'Name="types"', 'Name="kinds"'),
            ("type=\"UnstructuredGrid\"", "a.vtu", '"UnstructuredGrid"', '"PolyData"'),
            ("expected a finite number", "a.vtu", "0.5 ", "half "), ("numbers; expected", "a.vtu", 'NumberOfCells="1',
                                                                  'NumberOfCells="2'),
            ("with a <Piece>;", "a.vtu", "<Piece N", "<Slice N"),
            ("found the type \"Float16\"", "a.vtu", 'type="Float64" Name="Points"', 'type="Float16" Name="Points"'),
            ("are damaged, or too few", "b.vtu", "\"3\" format=\"binary\">\n", "\"3\" format=\"binary\">\n!"),
                ("LZ4", "b.vtu", "vtkZLib", "vtkLZ4")):
        end = path[path.index("."):]
        changed(path, before, after, "b" + end if path[0] == "a" else "c" + end)
        refused(wanted, "mesh", "convert", ("b" if path[0] == "a" else "c") + end, "x.h5")
        if path == "a.vtu":
            vtu(s, "b.vtu", "binary", True)
    for wanted, name, before, after in (
            ("points:2: found \"FoamFyle\"", "points", "FoamFile", "FoamFyle"), ("points (x y z), found 0", "points",
                                                                                 "(0.0 ", "(zero "),
            ("expected a face like 4(0 1 2 3)", "faces", "4(", "[4("), ("names point", "faces", "4(", "4(9"),
            ("expected ) after 204 numbers", "owner", "\n205\n", "\n204\n"), ("expected 205 numbers, found", "owner",
                                                                              "\n0\n",
                                                             "\nzero\n"),
            ("boundary: the patch floor has startFace 1 and", "boundary", "startFace 139", "startFace 1"),
            ("expected \"type WORD;\" of the patch floor", "boundary", "type wall;", "type wall"),
            ("is of type wedge: axisymmetric flow", "boundary", "type wall", "type wedge"),
            ("reconstructParMesh", "boundary", "type wall", "type processor"),
            ("faces on empty patches", "boundary", "type wall", "type empty"), ("No such file", "neighbour", None,
                                                                                None)):
        shutil.copytree("polyMesh", "d/polyMesh", dirs_exist_ok=True)
        if before is None:
            os.remove("d/polyMesh/" + name)
        else:
            changed("d/polyMesh/" + name, before, after)
        refused(wanted, "mesh", "convert", "d/polyMesh", "x.h5")
    changed("a.su2", "floor", "a.b", "b.su2"), changed("b.su2", "other", "a+b")
    refused('"a.b" and "a+b" would both be called "a_b"', "mesh", "convert", "b.su2", "x.h5")
    changed("a.vtk", "CELL_TYPES", "CELLS 1 2\n1 0\nCELL_TYPES", "b.vtk")
    refused("expected CELLS once", "mesh", "convert", "b.vtk", "x.h5")
    changed("a.vtu", "<Points>\n", "<Dots>\n", "b.vtu")         # an array of no points before it is known how many
    changed("b.vtu", "<Piece Number", '<Points><DataArray type="Float64"></DataArray></Points><Piece Number')
    refused("has no points", "mesh", "convert", "b.vtu", "x.h5")
    refused("--markers is for .vtk and .vtu", "mesh", "convert", "a.su2", "x.h5", "--markers", "m")
    refused("--markers is for .vtk and .vtu", "mesh", "info", "a.su2", "--markers", "m")
    refused("--set is for parameters of a .geo file; a.su2 has none", "mesh", "info", "a.su2", "--set", "n=1")
    refused("--straight does not apply to a.h5", "mesh", "info", "a.h5", "--straight")
    refused("a case specifies how its mesh is read", "mesh", "info", "a.cfg", "--straight")
    refused('--markers "": expected the name of an array', "mesh", "info", "a.vtu", "--markers", "")
    refused("cannot be converted", "mesh", "convert", "a.stl", "x.h5")
    refused("there is no such integer array with one value for each cell; available: mark", "mesh", "convert", "a.vtu",
            "x.h5",
            "--markers", "q")
    changed("a.vtu", '"q"', '"r"'), changed("a.vtu", 'Float64" Name="r"', 'Int32" Name="r"')
    changed("a.vtu", "0.5 " * 9, "1 " * 9)
    with open("a.vtu", "r+", encoding="utf-8") as file:
        whole = file.read().replace("0.5", "1")
        file.seek(0), file.truncate(), file.write(whole)
    refused("which of the arrays mark, r identifies", "mesh", "convert", "a.vtu", "x.h5")


def main():
    with tempfile.TemporaryDirectory() as folder:
        samples = os.path.join(folder, "samples")
        subprocess.run([os.path.join(os.path.dirname(POISE), "tests", "test_output"), "--write", samples], check=True)
        return run_checks("foreign", (every_format, files_of_vtk_itself, what_gmsh_reads, cases_name_them,
                                      cells_that_poise_lacks, numbers_are_no_names, separate_parts,
                                      wrong_words_for_others, damaged_files), folder,
                          (poise.PoiseError,))


if __name__ == "__main__":
    sys.exit(main())
