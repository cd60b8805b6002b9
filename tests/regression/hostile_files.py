#!/usr/bin/env python3
"""Malicious and invalid hand-made files: messages and exit status.

POISE: the program (build/poise).  Needs h5py and numpy.
"""
import gzip
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

import h5py
import numpy as np

POISE = os.path.realpath(os.environ.get("POISE", "build/poise"))
DATA = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "data"))
failed = False


def check(name, good, why=""):
    global failed
    failed = failed or not good
    print(f"ok {name}" if good else f"not ok {name}: " + " ".join(str(why).split()), flush=True)


def says(name, status, text, *words, **how):
    """`poise words` ends with the status and prints the text: within a second, more on a busy machine."""
    try:
        run = subprocess.run([POISE, *words], capture_output=True, timeout=60, **how)
    except subprocess.TimeoutExpired:
        return check(name, False, "more than 60 s")
    said = (run.stdout + run.stderr).decode(errors="replace")
    check(name, run.returncode == status and text in said,
          f"status {run.returncode}, expected {status}, \"{text}\"; {said}")


def renew_digest(path):
    """Guards the file like Poise 0.3: by FNV-1a of everything after the leading block."""
    with open(path, "rb") as file:
        data = file.read()
    digest = 0xcbf29ce484222325
    for byte in data[512:]:
        digest = (digest ^ byte) * 0x100000001b3 % 2**64
    front = data[:data.index(b"checksum ")] + b"digest %016x\n" % digest
    with open(path, "wb") as file:
        file.write(front.ljust(512, b"\0") + data[512:])


def matrix(path, version=1, text="poise-matrix", **arrays):
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = text, version
        for name, value in {"row_start": [0, 1, 2], "column": [0, 1], "value": [2.0, 3.0], **arrays}.items():
            file[name] = value


def matrices():
    matrix("good.h5")
    says("matrix_of_h5py", 0, "2 rows", "solve", "good.h5", "--preconditioner", "jacobi", "--device", "cpu")
    matrix("many.h5", version=np.zeros(4000, "i4"))
    says("matrix_versions", 1, 'attribute "version" has 4000 values; expected one', "solve", "many.h5")
    matrix("formats.h5", text=["x" * 30] * 2000)
    says("matrix_formats", 1, 'attribute "format" has 2000 values', "solve", "formats.h5")
    matrix("cut.h5", column=[0, 2.7])
    says("matrix_column_cut", 1, 'cut.h5: "column" holds floating-point numbers; expected integers', "solve", "cut.h5")
    matrix("bomb.h5")
    with h5py.File("bomb.h5", "a") as file:
        del file["value"]
        file.create_dataset("value", (1 << 45,), "f8", chunks=(1 << 20,), compression="gzip")
    says("matrix_of_nothing", 1, 'bomb.h5: "value" is said to have 281474976710656 bytes', "solve", "bomb.h5")


def mesh(path, **other):
    """A triangle with a named boundary, and another boundary without faces."""
    parts = {"vertices": [[0.0, 0, 0], [1, 0, 0], [0, 1, 0]], "cells/type": np.uint8([4]), "cells/start": [0, 3],
             "cells/vertices": [0, 1, 2], "cells/region": [0], "regions/names": ["fluid"], "boundary/names": ["walls"],
             "boundary/partners": [""], "boundary/faces": [[0, 1, -1, -1], [1, 2, -1, -1], [2, 0, -1, -1]],
             "boundary/patch": [0, 0, 0], **other}
    with h5py.File(path, "w") as file:
        strange = {"format": "poise-mesh", "version": 1, "dim": 2, "source": "elsewhere.geo", "key": ""}
        for name, value in strange.items():
            file.attrs[name] = value
        for name, value in parts.items():
            file[name] = value


def meshes():
    mesh("hand.h5")
    says("mesh_of_h5py", 0, "hand.h5: 2-D", "mesh", "info", "hand.h5")
    mesh("none.h5", **{"boundary/names": ["walls", "lid"], "boundary/partners": ["", ""]})
    says("mesh_named", 1, 'none.h5: boundary "lid" has no faces', "mesh", "info", "none.h5")
    mesh("far.h5", vertices=[[0.0, 0, -1e308], [1, 0, -1e308], [0, 1, -1e308]])
    says("mesh_far", 1, "far.h5: vertex 0 (counted from 0) is at (0, 0, -1e+308); expected numbers", "mesh", "info",
         "far.h5")
    mesh("nan.h5", vertices=[[0.0, 0, 0], [1, float("nan"), 0], [0, 1, 0]])
    says("mesh_nan", 1, "nan.h5: vertex 1 (counted from 0) is at (1, nan, 0); expected numbers", "mesh", "info",
         "nan.h5")
    with open("evil.msh", "w") as file:
        file.write('SystemCall "touch harmed";\n$MeshFormat\n')
    says("mesh_of_commands", 1, "evil.msh: is not a Gmsh mesh: it begins with", "mesh", "info", "evil.msh")
    check("mesh_runs_nothing", not os.path.exists("harmed"))
    says("mesh_written", 0, "own.h5 written", "mesh", "convert", f"{DATA}/square.geo", "own.h5")
    with open("own.h5", "r+b") as file:
        file.seek(3000)
        byte = file.read(1)
        file.seek(3000)
        file.write(bytes([byte[0] ^ 1]))
    says("mesh_damaged", 1,
         "own.h5: not a valid mesh: it is damaged: its contents do not match its checksum",
         "mesh", "info", "own.h5")


def checkpoints():
    case = ["run", f"{DATA}/bubble.cfg", "--device", "cpu", "--quiet", "--output", "b.out", "--set", "time.max_steps=3"]
    says("checkpoint_made", 2, "", *case)
    shutil.copy("b.out/checkpoint.h5", "whole.h5")
    damage = [("time", float("nan"), '"time" holds a value that is not a number'), ("time", -1e300, "expected t >= 0"),
              ("last_step", 0.0, "and a step > 0"),
              ("velocity", float("inf"), '"velocity" holds a value that is not a number')]
    for name, value, text in damage:
        shutil.copy("whole.h5", "b.out/checkpoint.h5")
        with h5py.File("b.out/checkpoint.h5", "a") as file:
            file[name][0] = value
        renew_digest("b.out/checkpoint.h5")
        says(f"checkpoint_{name}_{value}", 1, text, *case, "--restart")
    shutil.copy("whole.h5", "b.out/checkpoint.h5")
    with h5py.File("b.out/checkpoint.h5", "a") as file:
        file.attrs.modify("step", np.int64(2**63 - 1))
    renew_digest("b.out/checkpoint.h5")
    says("checkpoint_step", 1, 'attribute "step" is 9223372036854775807; expected 0 to', *case, "--restart")
    shutil.copy("whole.h5", "b.out/checkpoint.h5")
    says("checkpoint_whole", 2, "", *case, "--restart", "--set", "time.max_steps=4")


def series():
    """Names that need escaping in XML: of the case, in bytes that are not UTF-8, and in field files."""
    name = b"a\xff<&\"b"
    shutil.copy(f"{DATA}/square.geo", ".")
    with open(f"{DATA}/square.cfg", "rb") as file:
        text = file.read()
    with open(name + b".cfg", "wb") as file:
        file.write(text)
    case = [b"run", name + b".cfg", b"--device", b"cpu", b"--quiet", b"--output", b"s.out", b"--set",
            b"solver.max_iterations=2"]
    says("series_made", 2, "", *case)
    with h5py.File("s.out/fields/000002.h5", "a") as file:
        file["x\"/><&\u00fc".replace("/", "|")] = file["pressure"][:]
    says("series_resumed", 2, "", *case, "--restart", "--set", "solver.max_iterations=3")
    try:
        grid = tree.parse(os.path.join(b"s.out", name + b".xdmf")).getroot().find("Domain/Grid")
        names = [a.get("Name") for a in grid.iter("Attribute")]
        check("series_case", grid.get("Name") == "a\ufffd<&\"b", grid.get("Name"))
        check("series_field", "x\"|><&\u00fc" in names, names)
    except (tree.ParseError, OSError) as error:
        check("series_xml", False, error)


def compressed():
    """A file that unpacks into a thousand times its size cannot be a matrix."""
    with gzip.open("bomb.mtx.gz", "wb") as file:
        file.write(b"%%MatrixMarket matrix coordinate real general\n")
        for _ in range(1000):
            file.write(b"%" + b" " * 999998 + b"\n")
    with open(POISE, "rb") as file:
        # AddressSanitizer takes terabytes of addresses, and a limit of its own.
        sanitized = b"__asan_init" in file.read()
    limits = "true" if sanitized else "ulimit -v 900000"
    run = subprocess.run(["bash", "-c", f"{limits}; exec {POISE} solve bomb.mtx.gz"], capture_output=True, text=True,
                         timeout=60)
    check("gzip_bomb", run.returncode == 1 and "bomb.mtx.gz: unpacks into more than" in run.stderr, run.stderr)


def no_files():
    """Every reader rejects special files at once, whatever their names."""
    readers = {"cfg": ["check"], "geo": ["mesh", "info"], "msh": ["mesh", "info"], "h5": ["mesh", "info"],
               "mtx": ["solve"], "mtx.gz": ["solve"], "matrix.h5": ["solve"]}
    text = "this is a pipe, a socket or a device, not a file"
    made = {"pipe": (os.mkfifo, text), "folder": (os.mkdir, "Is a directory"),
            "device": (lambda name: os.symlink("/dev/zero", name), text),
            "socket": (lambda name: socket.socket(socket.AF_UNIX).bind(name), text)}
    for ending, words in readers.items():
        for kind, (make, reason) in made.items():
            make(f"{kind}.{ending}")
            says(f"{kind}.{ending}", 1, reason, *words, f"{kind}.{ending}")
    says("pipe_as_vector", 1, text, "solve", "--generate", "poisson2d:2", "--rhs", "pipe.mtx")
    says("pipe_of_a_case", 1, "pipe.msh", "check", f"{DATA}/square.cfg", "--set", f"mesh.file={os.getcwd()}/pipe.msh")


def is_plain(name, status, *words):
    """Output and log contain no control sequences for a terminal."""
    run = subprocess.run([POISE, *words], capture_output=True, timeout=60)
    said = run.stdout + run.stderr
    if words[0] in ("run", b"run") and status == 2:
        with open("plain.out/log.txt", "rb") as file:
            said += file.read()
    harm = [c for c in said.decode(errors="surrogateescape") if c not in "\t\n" and not c.isprintable()]
    check(f"plain_{name}", run.returncode == status and said and not harm, f"status {run.returncode}, {harm}: {said}")


def escapes():
    """Names, keys and text with control sequences, wherever they are printed."""
    escape = b"\x1b]0;owned\x07\x1b[31m\r\x9b2J"
    with open(f"{DATA}/square.cfg", "rb") as file:
        text = file.read()
    shutil.copy(f"{DATA}/square.geo", ".")
    shutil.copy("square.geo", escape + b".geo")
    with open(escape + b".cfg", "wb") as file:
        file.write(text)
    run = ["--device", "cpu", "--output", "plain.out", "--set", "solver.max_iterations=2"]
    is_plain("case_name", 0, b"check", escape + b".cfg")
    is_plain("case_name_run", 2, b"run", escape + b".cfg", *run)
    for name, line in {"key": b"fl\x1bid = 1;", "word": b'solver = { algorithm = "\x1b[2J"; };',
                       "escaped": b'solver = { algorithm = "\\x1b[2J\\r"; };',
                       "include": b'@include "\x1b[2J"'}.items():
        with open("bad.cfg", "wb") as file:
            file.write(text + line)
        is_plain(name, 1, "check", "bad.cfg")
    shutil.copy(f"{DATA}/square.cfg", ".")
    is_plain("listing", 0, "check", "square.cfg", "--set", b'output.directory="' + escape + b'"')
    is_plain("listing_run", 2, "run", "square.cfg", "--device", "cpu", "--set", b'output.directory="plain.out"',
             "--set", b"mesh.ordering=none", "--set", b'mesh.file="./' + escape + b'.geo"',
             "--set", "solver.max_iterations=2")
    for words in ([escape], [b"run", b"--" + escape], [b"help", escape], [b"mesh", escape],
                  [b"solve", escape + b".mtx"], [b"check", b"a", escape],
                  [b"mesh", b"convert", b"--set", escape, b"a", b"b"], [b"bench", escape],
                  [b"solve", b"--generate", escape]):
        is_plain(f"word_{words[0].decode(errors='replace') if words[0] != escape else ''}_{len(words)}", 1, *words)
    shutil.copy(f"{DATA}/strip_2.2.msh", escape + b".msh")
    is_plain("mesh_name", 0, b"mesh", b"info", escape + b".msh")
    is_plain("bench_mesh", 1, b"bench", b"simple", b"--mesh", escape + b".msh", b"--repeat", b"1", b"--device", b"cpu")
    with open("command.geo", "wb") as file:
        file.write(b'SystemCall "' + escape + b'";\n')
    is_plain("geo_command", 1, "mesh", "info", "command.geo")
    own = subprocess.run([os.path.join(os.path.dirname(POISE), "poise-gmsh"), "command.geo", "x.h5"],
                         capture_output=True, timeout=60)
    check("plain_poise_gmsh", own.returncode == 1 and b"run the command" in own.stderr and b"\x1b" not in own.stderr,
          own.stderr)
    with open("line.mtx", "wb") as file:
        file.write(b"%%MatrixMarket matrix coordinate real " + escape + b"\n")
    is_plain("matrix_line", 1, "solve", "line.mtx")
    matrix("name.h5", format="x")
    with h5py.File("name.h5", "a") as file:
        file.attrs["format"] = escape
    is_plain("matrix_format", 1, "solve", "name.h5")


def line_breaks():
    """A name cannot fake a line of a message or of a file."""
    with open(f"{DATA}/square.cfg") as file:
        text = file.read()
    shutil.copy(f"{DATA}/square.geo", ".")
    for name, line in {"path": 'output = { directory = "a\\nb"; };', "word": 'solver = { algorithm = "si\\nmple"; };',
                       "name": 'convergence = { c = { of = "a\\nb"; quantity = "pressure"; }; };',
                       "names": 'forces = { f = { boundaries = ["a\\nb"]; }; };'}.items():
        with open("broken.cfg", "w") as file:
            file.write(re.sub(rf"^{line.split()[0]} .*\n", "", text, flags=re.M) + line + "\n")
        run = subprocess.run([POISE, "check", "broken.cfg"], capture_output=True, text=True, timeout=60)
        lines = [part for part in run.stderr.splitlines() if not part.startswith(("broken.cfg", "    "))]
        check(f"line_break_in_{name}", run.returncode == 1 and "\\x0a" in run.stderr and not lines, run.stderr)
    mesh("broken.h5", **{"boundary/names": ["wa\nlls"]})
    says("line_break_in_mesh", 1, 'the name of a boundary, "wa?lls", has unprintable characters', "mesh",
         "info", "broken.h5")


def large_files():
    """Large files, and files that refer to large data, take time and memory in proportion to their size."""
    with open(f"{DATA}/strip.unv") as file:
        text = file.read()
    number = re.search(r"^ +9 +94 .* (\d+)$", text, flags=re.M)
    with open("number.unv", "w") as file:
        file.write(text[:number.start(1)] + "99999999999" + text[number.end(1):])
    says("gmsh_has_limits", 4, "gets at most", "mesh", "info", "number.unv")
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    check("gmsh_has_limits_on_memory", most < 2e6, f"{most} kB were in use")
    walls = 'mesh = { box = { cells = [8, 8]; }; }; ' \
            'boundary = { left = { type = "wall"; }; right = { type = "wall"; }; ' \
            'bottom = { type = "wall"; }; top = { type = "wall"; velocity = [1.0, 0.0]; }; };\n'
    with open("keys.cfg", "w") as file:
        file.write(walls + "fluid = {\n" + "".join(f"k{i} = 1;\n" for i in range(60000)) + "};\n")
    says("names_in_a_group", 1, "keys.cfg:10003: more than 10000 names in one group", "check", "keys.cfg")
    with open("probes.cfg", "w") as file:
        file.write(walls + "fluid = { viscosity = 1.0; };\nsolver = { max_iterations = 3; };\nprobes = {\n" +
                   "".join(f"p{i} = {{ at = [{0.001 * i}, 0.5]; }};\n" for i in range(400)) + "};\n")
    few = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (300, 300))}
    says("more_probes_than_files", 2, "after 3 iterations", "run", "probes.cfg", "--device", "cpu", **few)
    says("more_probes_restarted", 2, "after 5 iterations", "run", "probes.cfg", "--device", "cpu", "--restart",
         "--set", "solver.max_iterations=5", **few)
    for i in 0, 299, 399:
        with open(f"probes.out/probes/p{i}.csv") as file:
            rows = [line.split(",")[0] for line in file]
        check(f"rows_of_probe_{i}", rows == ["iteration", "1", "2", "3", "4", "5"], rows)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    large_files()
    matrices()
    meshes()
    checkpoints()
    series()
    compressed()
    no_files()
    escapes()
    line_breaks()
sys.exit(failed)
