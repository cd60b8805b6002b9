#!/usr/bin/env python3
"""Mutants: whether a test of `make test` fails for a random small fault in assembly, flow and interface.

    /usr/bin/python3 tests/mutants [--mutants N] [--seed S] [--jobs J] [--only K,..] [--list] [BUILD]

A mutant has one line changed: an operator, a comparison, a sign, an index, a constant, min for max, or one statement
left out (grammar.py).  Lines are drawn from those that a test executes; the first run counts them with gcov, later ones
do so for the tests that changed (coverage.py; minutes).  Mutants that do not compile, or give the same object, are
drawn again.  The changed file alone is compiled, and the tests that execute the line run, the quickest first, until one
fails, or takes three times as long as with gcov.  Those that take more than QUICK seconds run J at a time, because a
survivor has to run them all.

Each mutant has one output line; the last ones are the survivors and the count, "91 of 100 caught".  A survivor is a
missing test, a line without use, or a change that no result can show (one of speed, say).
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import shutil
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from build import FOLDERS, LONGEST, TOP, Build, run  # noqa: E402
from coverage import Coverage  # noqa: E402
from grammar import blank, mutations  # noqa: E402

QUICK = 5       # seconds


def candidates(tests_of, idle):
    """((file, line, changes, tests) of every line that can be changed, the lines that no test executes)."""
    found, without = [], []
    for path in (f for d in FOLDERS for f in sorted((TOP / "src" / d).glob("*"))):
        name, text = str(path.relative_to(TOP)), path.read_text()
        code = [line.rstrip() for line in blank(text).split("\n")]
        for n, these in mutations(text).items():
            at = n
            while (name, at) not in tests_of and (name, at) not in idle and at > 1 and code[at - 2][-1:] not in (
                    ";", "{", "}"):
                at -= 1                                             # a statement is counted where it begins
            found.append((name, n, these, tests_of.get((name, at), [])))
            if (name, at) in idle:
                without.append((name, n))
    return found, without


class Mutant:
    """One changed line, number k of a seed, with its objects below `at`."""

    def __init__(self, k, seed, lines, build):
        self.k, self.build, self.at = k, build, build.at / f"mutant-{os.getpid()}-{k}"
        draw = random.Random(f"{seed} {k}")
        while True:
            shutil.rmtree(self.at, ignore_errors=True)
            self.name, self.line, these, self.tests = draw.choice(lines)
            if not self.tests:
                continue
            kind = draw.choice(sorted({c[3] for c in these}))
            start, end, new, self.kind = draw.choice([c for c in these if c[3] == kind])
            text = (TOP / self.name).read_text().split("\n")
            self.was = text[self.line - 1]
            self.now = text[self.line - 1] = self.was[:start] + new + self.was[end:]
            to = self.at / self.name
            to.parent.mkdir(parents=True)
            to.write_text("\n".join(text))
            if self.compile():
                return

    def compile(self):
        """Compiles what the file is part of; returns if it compiles and differs from the original."""
        self.objects = []
        for i, o in enumerate(self.build.users[self.name]):
            source, to = self.build.source(o), self.at / f"{i}.o"
            if not self.build.compile(source, to, self.at):
                return False
            if to.read_bytes() != self.build.once(self.build.at / "plain" / o, source, None).read_bytes():
                self.objects.append(to)
        return bool(self.objects)

    def text(self):
        return f"{self.k:4} {self.name}:{self.line} ({self.kind})\n     - {self.was.strip()}\n     + {self.now.strip()}"


class Tests:
    def __init__(self, build, known, most, jobs):
        self.build, self.known, self.most, self.lock, self.passing = build, known, most, threading.Lock(), {}
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)

    def program(self, test, at, objects=(), overlay=None):
        to = at / ("poise" if "." in test else test)
        if not self.build.link(test, to, objects, overlay=overlay):
            raise SystemExit(f"{test} does not link")
        return to

    def passes(self, test):
        """Whether the unchanged program passes: asked only of tests that fail."""
        with self.lock:
            if test not in self.passing:
                at = self.build.at / f"unchanged-{os.getpid()}"
                at.mkdir(exist_ok=True)
                self.passing[test] = not run(test, self.program(test, at), LONGEST, at / "log")
                if not self.passing[test]:
                    print(f"{test} fails without any change: not used", flush=True)
        return self.passing[test]

    def fails(self, m, test):
        """(test, how it fails) with the mutant's objects, or None."""
        at = m.at / f"{test}-run"
        at.mkdir()
        program = self.program(test, at, m.objects, m.at if m.name.endswith(".h") else None)
        most = min(10 + 3 * self.known[test]["seconds"], LONGEST)
        failed = run(test, program, most, at / "log")
        program.unlink()
        return (test, failed) if failed and self.passes(test) else None

    def catch(self, m):
        """(test, how it failed) of the first test that fails, or None."""
        seconds = [self.known[t]["seconds"] for t in m.tests]
        tests = [t for t, sum_of_them in zip(m.tests, itertools.accumulate(seconds)) if sum_of_them <= self.most]
        m.tried = len(tests)
        quick = [t for t in tests if self.known[t]["seconds"] < QUICK]
        by = next(filter(None, (self.fails(m, t) for t in quick)), None)
        others = [] if by else [self.pool.submit(self.fails, m, t) for t in tests[len(quick):]]
        by = by or next(filter(None, (f.result() for f in concurrent.futures.as_completed(others))), None)
        concurrent.futures.wait([f for f in others if not f.cancel()])
        return by


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("build", nargs="?", default="build", help="folder of the build (build)")
    p.add_argument("--mutants", type=int, default=100, metavar="N", help="how many (100)")
    p.add_argument("--seed", type=int, default=1, metavar="S", help="other mutants for each seed (1)")
    p.add_argument("--jobs", type=int, default=1, metavar="J", help="mutants at a time (1)")
    p.add_argument("--only", metavar="K,..", help="these mutants of the seed, by number")
    p.add_argument("--list", action="store_true", help="draw and print them, run no test")
    p.add_argument("--cut", type=int, default=120, metavar="S",
                   help="count only lines that a test program executes in its first S seconds (120)")
    p.add_argument("--most", type=float, default=float("inf"), metavar="S",
                   help="run the tests that took S seconds in all when counted, of each mutant (all)")
    o = p.parse_args()
    build = Build(pathlib.Path(o.build), o.jobs)
    coverage = Coverage(build, o.jobs, o.cut)
    lines, without = candidates(*coverage.update())
    (build.at / "uncovered.txt").write_text("".join(f"{f}:{n}\n" for f, n in without))
    executed = sum(bool(tests) for *_, tests in lines)
    print(f"{executed} lines that tests execute; {len(without)} that none does: {build.at}/uncovered.txt", flush=True)
    tests, survivors, caught = Tests(build, coverage.map["tests"], o.most, o.jobs), [], 0

    def one(k):
        m = Mutant(k, o.seed, lines, build)
        by = None if o.list else tests.catch(m)
        shutil.rmtree(m.at)
        return m, by

    numbers = [int(k) for k in o.only.split(",")] if o.only else range(1, o.mutants + 1)
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for m, by in (f.result() for f in concurrent.futures.as_completed([pool.submit(one, k) for k in numbers])):
            if o.list:
                print(m.text(), flush=True)
            elif by:
                caught += 1
                print(f"{m.k:4} caught    {m.name}:{m.line} ({m.kind}) by {by[0]}: {by[1][:100]}", flush=True)
            else:
                survivors.append(m)
                print(f"{m.k:4} survived  {m.name}:{m.line} ({m.kind}): {m.tried} of {len(m.tests)} tests", flush=True)
    if not o.list:
        print("".join(f"\n{m.text()}" for m in survivors), f"\n{caught} of {caught + len(survivors)} caught")


if __name__ == "__main__":
    main()
