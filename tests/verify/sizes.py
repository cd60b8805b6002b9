#!/usr/bin/env python3
"""Iterations and errors of steady flow as functions of the size and the stretching of the mesh.

    POISE=build/poise /usr/bin/python3 tests/verify/sizes.py [--full] [--only PATTERN ...] [--list] [--write]
        [--device cpu|cuda] [--meshes DIR] [--prepare DIR]

A run is FAMILY/MESH/ALGORITHM, with the defaults of its algorithm but for what tests/sizes/families.py says.  Each
must converge.  tests/sizes/measured.csv holds what was measured: a run fails with more than 1.25 times its outer
iterations, its inner iterations an outer one or its error, and so does every coupled run with more than 25 inner
iterations an outer one.  Of each family and algorithm, then:

    order    the error falls from mesh to mesh, at least with the family's order between the two finest
    settles  where there is no reference: the force on the walls changes less from the second mesh to the third
    growth   coupled: the inner iterations an outer one grow by at most 1.3 from the first mesh to the third
    agree    the coupled algorithm and SIMPLEC have the same force on the walls on every mesh

"inner": linear iterations of the system of velocity and pressure, of SIMPLEC those of the pressure.
--full     all runs; without it those of `make test`
--only     runs whose name has one of the patterns in it; * and ? stand for any text and any letter
--list     only names the runs
--write    writes what was measured to measured.csv, and the table of docs/validation.md from it
--meshes   where the meshes of meshes.py are; otherwise build/meshes
--prepare  only writes case files and native meshes, for a machine without Gmsh: poise run DIR/FAMILY-MESH-ALGORITHM.cfg
"""
import argparse
import csv
import fnmatch
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, "postproc"), os.path.join(TOP, "tests", "sizes")]
from poise import PoiseError, Run  # noqa: E402
import families  # noqa: E402

POISE = os.environ.get("POISE", os.path.join(TOP, "build", "poise"))
MEASURED = os.path.join(TOP, "tests", "sizes", "measured.csv")
DOCUMENT = os.path.join(TOP, "docs", "validation.md")
COLUMNS = ("run", "cells", "outer", "inner", "largest", "error", "force", "seconds")
ROOM = 1.25                                         # of what was measured
INNER = 25                                          # coupled: iterations an outer one
GROWTH = 1.3                                        # of these over two refinements
ALIKE = 2e-3                                        # forces of two algorithms on the same mesh, relative
SETTLES = 0.75                                      # change of the force over a refinement, against the one before
SOLVED = 1e-3                                       # in %: ten times the tolerance, by which a converged run may be off
STATUS = {0: "", 2: "not converged", 3: "diverged", 5: "stalled", 6: "stopped"}

# Checks that do not hold yet, and why.  One that holds must leave the list.
GROWS = "a cycle of multigrid on velocity and pressure loses strength as quadrilaterals and hexahedra become more"
GROWING = ("cavity", "cavity3d", "cylinder", "box ?-D *", "box of span 3, *",
           "channel of 100 x 1, *")
KNOWN = {
    **{f"{family}/growth/coupled": GROWS for family in GROWING},
    "two outlets/*/simplec": "SIMPLEC and SIMPLE diverge from rest; the coupled algorithm converges",
    "box of span 3, */12 x 12 x 24/simplec": "12 cells across are too few at Re 1000: it goes to and fro; with "
                                             "solver.acceleration = 10 it converges in 124 iterations",
}


def read_measured():
    try:
        with open(MEASURED, encoding="utf-8", newline="") as file:
            return {row["run"]: row for row in csv.DictReader(file)}
    except OSError:
        return {}


class Result:
    """Figures of a run: cells, outer, inner (mean), largest, error (in %) and force or None, seconds."""

    def __init__(self, run, family, algorithm, status, seconds):
        table = run.table("residuals.csv")
        column = "inner_coupled" if algorithm == "coupled" else "inner_pressure"
        self.status, self.seconds, self.cells = status, seconds, len(run.mesh) if status != 3 else 0
        self.outer, self.inner, self.largest = len(table[column]), table[column].mean(), table[column].max()
        self.error = family.error(run) if family.error and status == 0 else None
        forces = run.tables("forces") if status == 0 else {}
        self.forces = [f[c][-1] for f in forces.values() for c in f.columns if re.fullmatch("force_[xyz]", c)]
        self.force = max(self.forces, key=abs, default=None) if family.settles else None

    def row(self, name):
        return dict(zip(COLUMNS, (name, self.cells, self.outer, f"{self.inner:.1f}", f"{self.largest:.0f}",
                                  "" if self.error is None else f"{self.error:.3g}",
                                  "" if self.force is None else f"{self.force:.6g}", f"{self.seconds:.1f}")))


def case_of(family, mesh, algorithm, options):
    return family.case(mesh, options).changed({"solver.algorithm": algorithm, "output.every": None})


def prepare(family, mesh, algorithm, options):
    """Writes its case file and, unless it is there, its mesh."""
    case, path = case_of(family, mesh, algorithm, options), os.path.join(options.prepare, family.file(mesh))
    if "mesh.file" in case:
        if case["mesh.file"].endswith(".h5"):
            shutil.copy(case["mesh.file"], path + ".h5")
        elif not os.path.exists(path + ".h5"):
            words = [f"{key}={value:g}" for key, value in case.get("mesh.parameters", {}).items()]
            families.meshes.must(POISE, "mesh", "convert", case["mesh.file"], path + ".h5",
                                 *(word for w in words for word in ("--set", w)))
        case["mesh"] = {"file": os.path.basename(path) + ".h5"}
    case.folder = options.prepare
    case.save(f"{path}-{algorithm}.cfg")


def compute(family, mesh, algorithm, options):
    """Runs one; returns its Result, or raises PoiseError."""
    with tempfile.TemporaryDirectory() as folder:
        case, path = case_of(family, mesh, algorithm, options), os.path.join(folder, "case.json")
        case.save(path)
        start = time.monotonic()
        done = subprocess.run([POISE, "run", path, "--quiet", "--output", os.path.join(folder, "out"),
                               *(["--device", options.device] if options.device else [])],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        seconds = time.monotonic() - start
        if done.returncode not in STATUS:
            raise PoiseError(f"exit status {done.returncode}: {' | '.join(done.stdout.strip().splitlines()[-3:])}")
        run = Run(os.path.join(folder, "out"))
        log = re.findall(r"^time +([\d.]+) s for", open(run.path("log.txt"), encoding="utf-8").read(), re.M)
        return Result(run, family, algorithm, done.returncode, float(log[-1]) if log else seconds)


class Report:
    """Prints "ok NAME: TEXT" or "not ok ..." and counts."""

    def __init__(self, known):
        self.known, self.passed, self.failed = known, 0, 0

    def add(self, name, good, text, known=True):
        """known: may it be a known miss?"""
        why = next((w for pattern, w in self.known.items() if known and fnmatch.fnmatch(name, pattern)), None)
        if why and good:
            good, text, why = False, text + "; it holds now: take it out of KNOWN", None
        print(f"{'ok' if good else 'not ok'} {name}: {text}" + (f" # TODO {why}" if why else ""), flush=True)
        self.passed += good
        self.failed += not good and not why


def limit(measured, column):
    """The largest value of a run that is measured; rounded up to a whole number of iterations, or to two digits."""
    value = measured.get(column)
    if not value:
        return math.inf
    value = ROOM * float(value)
    return math.ceil(value) if column != "error" else float(f"{value:.1e}")


def check_run(report, name, result, measured):
    text, wrong = f"{result.cells} cells", []
    if STATUS[result.status]:
        wrong.append(STATUS[result.status])
    for column, value, unit in (("outer", result.outer, "outer"), ("inner", result.inner, "inner"),
                                ("error", result.error, "% off")):
        if value is not None:
            most = limit(measured, column)
            text += f", {value:.3g} {unit}" + (f" (at most {most:g})" if most < math.inf else " (not measured before)")
            wrong += [f"too many {unit}" if column != "error" else "too large an error"] * bool(value > most)
    report.add(name, not wrong, f"{text}, {result.seconds:.1f} s" + "".join("; " + w for w in wrong))
    if name.endswith("/coupled") and not result.status:
        report.add(name + "/inner", result.inner <= INNER,
                   f"{result.inner:.1f} inner iterations an outer one, {result.largest:.0f} at most (limit {INNER})")


def check_family(report, family, results):
    """results: by (mesh, algorithm)."""
    for algorithm in family.algorithms:
        row = [results.get((m, algorithm)) for m in family.refined]
        if len(row) >= 2 and all(row) and family.order is not None and all(r.error is not None for r in row):
            ratio = [math.log(a.error / b.error) / math.log(b.cells / a.cells) * family.dim
                     for a, b in zip(row, row[1:])]
            report.add(f"{family.name}/order/{algorithm}", ratio[-1] >= family.order,
                       f"orders {', '.join(f'{r:.2f}' for r in ratio)} (at least {family.order:g} at the end)")
        if family.settles and len(row) >= 3 and all(row):
            first, second = (100 * abs(1 - a.force / b.force) for a, b in zip(row, row[1:]))
            report.add(f"{family.name}/settles/{algorithm}", second < max(SETTLES * first, SOLVED),
                       f"the force changes by {first:.3g} % and by {second:.3g} % (less than {SETTLES} times that, or "
                       f"than {SOLVED:g} %)")
        if algorithm == "coupled" and len(row) >= 3 and all(row):
            growth = row[2].inner / row[0].inner
            report.add(f"{family.name}/growth/{algorithm}", growth <= GROWTH,
                       f"inner iterations {', '.join(f'{r.inner:.1f}' for r in row)}, growth {growth:.2f} "
                       f"(at most {GROWTH})")
    for mesh in family.meshes:
        pair = [results.get((mesh, a)) for a in ("coupled", "simplec")]
        if all(pair) and all(r.forces for r in pair):
            a, b = (np.array(r.forces) for r in pair)
            apart = np.abs(a - b).max() / np.abs(a).max()
            report.add(f"{family.name}/{mesh}/agree", apart <= ALIKE, f"forces differ by {apart:.1e} (limit {ALIKE:g})")


HEAD = ["flow and mesh", "cells", "SIMPLEC: outer", "s", "coupled: outer", "inner", "most", "growth", "s", "error in %",
        "order"]


def order_between(a, b, dim):
    return dim * math.log(float(a["error"]) / float(b["error"])) / math.log(float(b["cells"]) / float(a["cells"]))


def summary(family, measured):
    """One row of the table for all meshes of a family that are not refined."""
    rows = [r for m in family.meshes if (r := measured.get(f"{family.name}/{m}/coupled"))]
    spans = {c: (min(float(r[c]) for r in rows), max(float(r[c]) for r in rows)) for c in COLUMNS[1:5] + COLUMNS[-1:]}
    text = {c: "{:g} … {:g}".format(*span) for c, span in spans.items()}
    return [f"{family.name}: {len(rows)} meshes", text["cells"], "", "", text["outer"], text["inner"], text["largest"],
            "", text["seconds"], "", ""]


def document(measured):
    """The table of docs/validation.md from what was measured."""
    table, nothing = [HEAD, ["---"] * len(HEAD)], dict.fromkeys(COLUMNS, "")
    for family in families.families():
        if family.collected:
            table += [summary(family, measured)] if any(n.startswith(family.name + "/") for n in measured) else []
            continue
        first = before = None
        for mesh in family.meshes:
            simple, coupled = (measured.get(f"{family.name}/{mesh}/{a}") for a in ("simplec", "coupled"))
            if not simple and not coupled:
                continue
            row, growth, order = coupled or simple, "", ""
            missing = "not" if "simplec" in family.algorithms and mesh in family.algorithms["simplec"] else ""
            if mesh in family.refined:
                order = f"{order_between(before, row, family.dim):.1f}" if before and row["error"] else ""
                if before and family.settles:
                    row = row | {"error": f"({100 * abs(1 - float(before['force']) / float(row['force'])):.2g})"}
                before = row
                first = first or coupled
                if coupled and mesh == family.refined[2]:
                    growth = float(coupled["inner"]) / float(first["inner"])
                    growth = f"**{growth:.2f}**" if growth > GROWTH else f"{growth:.2f}"
            inner = f"**{row['inner']}**" if coupled and float(coupled["inner"]) > INNER else row["inner"]
            simple, coupled = simple or {**nothing, "outer": missing}, coupled or nothing
            table.append([f"{family.name}, {mesh}", row["cells"], simple["outer"], simple["seconds"], coupled["outer"],
                          inner, coupled["largest"], growth, coupled["seconds"], row["error"], order])
    return "\n".join("|" + "".join(f" {cell} |" if cell else " |" for cell in row) for row in table)


def document_around(mark):
    """docs/validation.md in three parts: before the table between such marks, the table, and after it."""
    with open(DOCUMENT, encoding="utf-8") as file:
        found = re.fullmatch(rf"(.*<!-- {mark} -->\n)(.*?)(\n<!-- end of {mark} -->.*)", file.read(), re.S)
    if not found:
        raise PoiseError(f"{DOCUMENT}: there is no <!-- {mark} --> ... <!-- end of {mark} -->")
    return found.groups()


def table_of(mark):
    return document_around(mark)[1]


def write_table(mark, table):
    before, _, after = document_around(mark)
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(before + table + after)


def write(measured):
    order = [f"{f.name}/{m}/{a}" for f in families.families() for a in f.algorithms for m in f.meshes]
    with open(MEASURED, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(measured[name] for name in order if name in measured)
    write_table("sizes", document(measured))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("full", "quick", "list", "write"):
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("--only", default=["*"], nargs="+", metavar="PATTERN")
    parser.add_argument("--device", choices=["cpu", "cuda"])
    parser.add_argument("--meshes", default=os.path.join(TOP, "build", "meshes"), metavar="DIR")
    parser.add_argument("--prepare", metavar="DIR")
    options = parser.parse_args()
    for folder in filter(None, (options.meshes, options.prepare)):
        os.makedirs(folder, exist_ok=True)
    measured, report, start = read_measured(), Report(KNOWN), time.monotonic()
    if not (options.list or options.write or options.prepare):
        report.add("table", table_of("sizes") == document(measured),
                   "docs/validation.md has the table of tests/sizes/measured.csv")
    for family in families.families():
        results = {}
        for mesh, algorithm, quick in family.runs:
            name = f"{family.name}/{mesh}/{algorithm}"
            if not (quick or options.full) or not any(fnmatch.fnmatch(name, f"*{p}*") for p in options.only):
                continue
            if options.list:
                print(name)
                continue
            try:
                if options.prepare:
                    prepare(family, mesh, algorithm, options)
                    report.passed += 1
                    continue
                result = compute(family, mesh, algorithm, options)
            except families.meshes.Missing as why:
                print(f"ok {name} # SKIP {why}", flush=True)
                continue
            except PoiseError as error:
                report.add(name, False, str(error))
                continue
            check_run(report, name, result, measured.get(name, {}) if not options.write else {})
            if result.status == 0:
                results[mesh, algorithm] = result
                measured[name] = result.row(name)
        check_family(report, family, results)
    if options.write:
        write(measured)
    if options.list:
        return 0
    print(f"{report.passed} passed, {report.failed} failed, in {time.monotonic() - start:.0f} s")
    return report.failed > 0 or not report.passed


if __name__ == "__main__":
    sys.exit(main())
