#!/usr/bin/env python3
"""Flows of two fluids compared with theory, benchmarks and Basilisk, on squares, triangles, hexahedra, tetrahedra.

    POISE=build/poise /usr/bin/python3 tests/verify/two_fluids.py [--full] [--only PATTERN ...] [--list] [--write]
        [--device cpu|cuda] [--meshes DIR] [--prepare DIR] [--results DIR]

A run is FAMILY/MESH/N, N cells along the family's length, defined in tests/two_fluids/flows.py. Each must finish.
Measured are errors, or sizes of quantities that should be zero, which are compared with the family's targets.
tests/two_fluids/measured.csv holds what was measured: a value that misses its target must be in KNOWN, and still fails
if it exceeds 1.25 times the measured value.

--full     all runs; without it those of `make test`
--only     runs whose name has one of the patterns in it; * and ? stand for any text and any letter
--list     only names the runs
--write    writes what was measured to measured.csv, and the table of docs/validation.md from it
--meshes   where native meshes of Gmsh's are, or are put; otherwise build/meshes
--prepare  only writes meshes and case files, DIR/FAMILY-MESH-N-K.cfg, for a machine without Gmsh: there with
           --meshes DIR, or, without this script, poise run FAMILY-MESH-N-K.cfg
--results  takes the runs from DIR/FAMILY-MESH-N-K.out, which were computed from case files of --prepare
"""
import argparse
import csv
import fnmatch
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, "postproc"), os.path.join(TOP, "tests", "two_fluids")]
from poise import PoiseError, Run  # noqa: E402
import flows  # noqa: E402
import meshes  # noqa: E402
import sizes  # noqa: E402

MEASURED = os.path.join(TOP, "tests", "two_fluids", "measured.csv")
COLUMNS = ("run", "cells", "steps", "seconds", "quantity", "value")
ROOM = 1.25                                         # of what was measured
ENERGY = "energy gained"                            # measured where a run reports it, with status 2
ENERGY_TARGET = 0.02

# Targets that are not met yet, and why.  One that is met must leave the list.
CURVATURE = "currents do not die away, as the curvature of short waves keeps them alive, and drops wander"
FLAT = "drops of 6 flat tetrahedra a diameter are not at rest, a light one not even as a whole"
SURGES = "short waves grow on tetrahedra, and gain energy"
RISE = "it converges with the square of the mesh size: 0.4, 0.12, 0.04 % at 1/40 .. 1/160"
TIME = "steps with two fluids are of first order in time, by every scheme"
BUBBLE = "the mesh; with half the step it is 0.041"
DAMPING = "noise of the curvature moves energy between modes and vortices, whatever the step and the convection"
WAVES = "above Basilisk's from 16 cells a wavelength on, with a quarter of the step too"
SPREADING = "at 15° drops still spread at t = 20"
KNOWN = {
    "drop on a wall, 15°/squares/32/pressure*": SPREADING,
    "drop on a wall, 15°/triangles/16/pressure*": SPREADING,
    "drop at rest*/squares/*/speed": CURVATURE,
    "drop at rest*/hexahedra/*/speed": CURVATURE,
    "drop off centre, density 0.001 : 1, 10 periods/triangles/*/move over D": CURVATURE,
    "drop off centre, density 0.001 : 1, 10 periods/hexahedra/*/move over D": CURVATURE,
    "drop off centre*, 100 periods/triangles/*/move over D": CURVATURE,
    "drop off centre*, 100 periods/hexahedra/*/move over D": CURVATURE,
    "drop off centre*, 10 periods/tetrahedra/*/move over D": FLAT,
    "drop off centre*, 100 periods/squares/*/speed": CURVATURE,
    "drop off centre*, 100 periods/hexahedra/*/speed": CURVATURE,
    "capillary wave/squares/16/*": WAVES,
    "capillary wave/squares/32/*": WAVES,
    "capillary wave/squares/64/*": WAVES,
    "capillary wave/triangles/*": WAVES,
    "capillary wave/hexahedra/*": WAVES,
    "capillary wave/tetrahedra/*": WAVES,
    "oscillating drop, 1000 : 1/squares/25.6/damping": DAMPING,
    "oscillating drop, 1000 : 1/hexahedra/25.6/*": DAMPING,
    "oscillating drop, 1000 : 1/squares/51.2/damping": DAMPING,
    "oscillating drop, 1000 : 1/triangles/51.2/frequency, %": DAMPING,
    "sloshing/triangles/32/damping": TIME,
    "sloshing/triangles/64/damping": TIME,
    "Rayleigh-Taylor, order in time/*": TIME,
    "Rayleigh-Plateau/tetrahedra/8/growth rate, %": CURVATURE,
    "Rayleigh-Taylor/triangles/64/bubble": BUBBLE,
    "Hysing 1/tetrahedra/20/aside over D": CURVATURE,
    "Hysing 1/squares/40/centroid at t = 3, %": RISE,
    "drop off centre, density 0.001 : 1, 10 periods/tetrahedra/6/energy gained": SURGES,
    "oscillating drop, 1000 : 1/tetrahedra/9.6/*": SURGES,
    "Rayleigh-Plateau/tetrahedra/8/energy gained": SURGES,
}


def name_of(family, kind, n):
    return f"{family.name}/{kind}/{n:g}"


def read_measured():
    """{(run, quantity): row}"""
    try:
        with open(MEASURED, encoding="utf-8", newline="") as file:
            return {(row["run"], row["quantity"]): row for row in csv.DictReader(file)}
    except OSError:
        return {}


def native(case, folder, meshes_in):
    """Gives the case in a folder the native mesh of its .geo file, which is made unless it is there."""
    if "mesh.file" not in case:
        return
    numbers = [f"{key}={value:.17g}" for key, value in case["mesh.parameters"].items()]
    with open(case["mesh.file"], "rb") as file:
        stamp = hashlib.sha256(file.read() + " ".join(numbers).encode()).hexdigest()[:16]
    path = os.path.join(os.path.abspath(meshes_in), f"two-fluids-{stamp}.h5")
    if not os.path.exists(path):
        meshes.make_mesh("", case["mesh.file"], numbers, path, None)
    case.folder = folder
    case["mesh"] = {"file": os.path.relpath(path, folder)}


def gained(path):
    """The energy that the run PATH.out reports to come from nowhere, as a part of what there is; None: it does not."""
    with open(os.path.join(path + ".out", "log.txt"), encoding="utf-8") as file:
        found = re.search(r"that nothing had put in, (\S+) times", file.read())
    return float(found[1]) if found else None


def targets_of(family, kind, n, quantities):
    return {**family.targets(kind, n), **({ENERGY: ENERGY_TARGET} if ENERGY in quantities else {})}


def compute(case, path, options):
    """Runs a case, with files PATH.cfg and PATH.out, or uses an existing run."""
    if not options.results:
        native(case, os.path.dirname(path), options.prepare or options.meshes)
        case.save(path + ".cfg")
        if options.prepare:
            return None
        done = subprocess.run([sizes.POISE, "run", path + ".cfg", "--quiet", "--output", path + ".out",
                               *(["--device", options.device] if options.device else [])],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode and not (done.returncode == 2 and gained(path)):
            why = sizes.STATUS.get(done.returncode, " | ".join(done.stdout.strip().splitlines()[-3:]))
            raise PoiseError(f"exit status {done.returncode}: {why}")
    run = Run(path + ".out")
    if run.time() < case["time.end"] * (1 - 1e-9):
        raise PoiseError(f"it ended at time {run.time():g}, of {case['time.end']:g}")
    return run


def measure(family, kind, n, options):
    """The rows of measured.csv of one run, {quantity: row}."""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.abspath(options.prepare or options.results or folder)
        start = time.monotonic()
        path = os.path.join(folder, re.sub(r"[^A-Za-z0-9.]+", "-", name_of(family, kind, n)))
        runs = [compute(case, f"{path}-{k}", options) for k, case in enumerate(family.cases(kind, n))]
        seconds = time.monotonic() - start
        if options.prepare:
            return {}
        steps = sum(int(run.table("interface.csv")["iteration"][-1]) for run in runs)
        found = family.measure(runs, kind, n)
        parts = [part for part in (gained(f"{path}-{k}") for k in range(len(runs))) if part]
        if parts:
            found[ENERGY] = max(parts)
        return {q: dict(zip(COLUMNS, (name_of(family, kind, n), len(runs[0].mesh), steps, f"{seconds:.1f}", q,
                                      f"{x:.3g}"))) for q, x in found.items()}


def check(report, family, kind, n, rows, measured):
    name, targets = name_of(family, kind, n), targets_of(family, kind, n, rows)
    missing = [q for q in targets if q not in rows]
    if missing:
        report.add(name, False, f"no {missing[0]} was measured")
    for quantity, row in rows.items():
        value, target, before = float(row["value"]), targets.get(quantity), measured.get((name, quantity))
        most = ROOM * float(before["value"]) if before else np.inf
        worse = value > most if target is None else value > max(target, most) and most < np.inf
        text = f"{value:.3g}" + (f", target {target:g}" if target is not None else "")
        text += f", at most {most:.3g}" if most < np.inf else ", not measured before"
        report.add(f"{name}/{quantity}", not worse and (target is None or value <= target),
                   f"{text}; {row['steps']} steps, {row['seconds']} s", known=target is not None and not worse)


def document(measured):
    """The table of docs/validation.md from what was measured: a row for each quantity and number n of a family."""
    head = ["flow", "cells", "quantity", "target", "others", *flows.KINDS]
    table = [head, ["---"] * len(head)]
    for family in flows.families():
        rows = {}
        for kind, n, _ in family.runs:
            for (run, quantity), row in measured.items():
                if run == name_of(family, kind, n):
                    rows.setdefault((quantity, n), {})[kind] = row["value"]
        for (quantity, n), values in sorted(rows.items()):
            bounds = {k: targets_of(family, k, n, [quantity]).get(quantity) for k in values}
            cells = [f"**{values[k]}**" if bounds.get(k) is not None and not float(values[k]) <= bounds[k]
                     else values.get(k, "") for k in flows.KINDS]
            target = ", ".join(sorted({f"{b:g}" for b in bounds.values() if b is not None}))
            table.append([family.name, f"{n:g}", quantity, target, family.references.get((quantity, n), ""), *cells])
    return "\n".join("|" + "".join(f" {cell} |" if cell else " |" for cell in row) for row in table)


def write(measured):
    names = [name_of(f, kind, n) for f in flows.families() for kind, n, _ in f.runs]
    with open(MEASURED, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(row for name in names for (run, _), row in measured.items() if run == name)
    sizes.write_table("two fluids", document({k: row for k, row in measured.items() if k[0] in names}))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("full", "quick", "list", "write"):
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("--only", default=["*"], nargs="+", metavar="PATTERN")
    parser.add_argument("--device", choices=["cpu", "cuda"])
    parser.add_argument("--meshes", default=os.path.join(TOP, "build", "meshes"), metavar="DIR")
    for name in ("prepare", "results"):
        parser.add_argument("--" + name, metavar="DIR")
    options = parser.parse_args()
    for folder in filter(None, (options.meshes, options.prepare)):
        os.makedirs(folder, exist_ok=True)
    return options


def main():
    options, measured, start = arguments(), read_measured(), time.monotonic()
    report = sizes.Report(KNOWN)
    if not (options.list or options.write or options.prepare):
        report.add("table", sizes.table_of("two fluids") == document(measured),
                   "docs/validation.md has the table of tests/two_fluids/measured.csv")
    for family in flows.families():
        for kind, n, quick in family.runs:
            name = name_of(family, kind, n)
            if not (quick or options.full) or not any(fnmatch.fnmatch(name, f"*{p}*") for p in options.only):
                continue
            if options.list:
                print(name)
                continue
            try:
                rows = measure(family, kind, n, options)
            except meshes.Missing as why:
                print(f"ok {name} # SKIP {why}", flush=True)
                continue
            except PoiseError as error:
                report.add(name, False, str(error))
                continue
            report.passed += bool(options.prepare)
            check(report, family, kind, n, rows, {} if options.write else measured) if not options.prepare else None
            for key in [key for key in measured if key[0] == name and not options.prepare]:
                del measured[key]
            measured |= {(name, quantity): row for quantity, row in rows.items()}
    if options.write:
        write(measured)
    if options.list:
        return 0
    print(f"{report.passed} passed, {report.failed} failed, in {time.monotonic() - start:.0f} s")
    return report.failed > 0 or not report.passed


if __name__ == "__main__":
    sys.exit(main())
