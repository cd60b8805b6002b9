#!/usr/bin/env python3
"""A fuzzer of physics: random cases over everything that the program offers, and what must hold whatever the case.

    POISE=build/poise /usr/bin/python3 tests/physics [--seed N] [--draws N] [--kind K] [--oracle O] [--jobs J]

Each draw is a case of one kind, from its own random numbers: `--seed 7 --draws 12:13` repeats draw 12 of seed 7.  Every
case is checked by the oracles of one run, and by --more others, which compare it with further runs.  A failing case is
made smaller, to the fewest keys and the smallest mesh, and printed as a case file; with --out DIR also written there.

A line "not ok ... # TODO why" is a failure that is known and not counted (known.py); a known failure that no longer
fails counts as one.  The tally at the end: by kind, how the runs ended; by oracle, how many cases it held for, how many
it said nothing about, and how close the closest one was to its limit.
"""
import argparse
import collections
import concurrent.futures
import os
import shutil
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "invariance"), os.path.join(HERE, "..", "..", "postproc")]
import known  # noqa: E402
from catalogue import ALWAYS, KINDS, ORACLES, RARE  # noqa: E402
from chance import Chance  # noqa: E402
from poise import Case, PoiseError  # noqa: E402
from runs import NotApplicable, Subject, Wrong  # noqa: E402
from shrink import shrunk  # noqa: E402


FOLDERS = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None    # poise flushes its files to the disk


class Result:
    """Of one draw.  status: of its run; found: [(oracle, "holds" | "not applicable" | "fails", text)]."""

    def __init__(self, number, kind, seed):
        self.name, self.number, self.kind = f"{seed}-{number:03d}-{kind}", number, kind
        self.status = self.message = ""
        self.found, self.closest, self.printed, self.runs, self.seconds = [], {}, [], 0, 0.0


def draw(seed, number, kinds):
    """(kind, case) of this draw."""
    c = Chance(seed, number)
    kind = c.one(*kinds)
    return kind, Case(KINDS[kind](c), HERE)


def check(case, oracle, folder, seed):
    """(result, text): of one oracle alone, in a folder of its own."""
    return judged(Subject(case, folder, Chance(seed, oracle)), oracle)


def judged(subject, oracle):
    """("holds" | "not applicable" | "fails", why)."""
    if oracle != "ends" and not subject.ran:
        return "not applicable", subject.base.name
    try:
        ORACLES[oracle](subject)
        return "holds", ""
    except NotApplicable as why:
        return "not applicable", str(why)
    except (Wrong, PoiseError) as why:
        return "fails", str(why)
    except Exception as why:                                    # of the oracle; the other draws go on
        place = traceback.extract_tb(why.__traceback__)[-1]
        return "fails", f"the oracle ended with {why!r} in {os.path.basename(place.filename)}:{place.lineno}"


def one(number, options, kinds):
    """The Result of a draw."""
    started = time.monotonic()
    kind, case = draw(options.seed, number, kinds)
    result = Result(number, kind, options.seed)
    seed, c = f"{options.seed}-{number}", Chance(options.seed, number, "oracles")
    with tempfile.TemporaryDirectory(dir=FOLDERS) as folder:
        subject = Subject(case, folder, None)
        others = sorted((o for o in ORACLES if o not in ALWAYS), key=lambda o: c.random() * (0.4 if o in RARE else 1))
        left = options.more
        for oracle in [options.oracle] if options.oracle else [*ALWAYS, *others]:
            if oracle not in ALWAYS and not left and not options.oracle or oracle != "ends" and not subject.ran:
                break
            subject.chance, subject.closest = Chance(seed, oracle), (0.0, "")
            how, text = judged(subject, oracle)
            left -= how != "not applicable" and oracle not in ALWAYS
            result.found.append((oracle, how, text))
            result.closest[oracle] = subject.closest
        result.status, result.message, result.runs = subject.base.name, subject.base.message, subject.count
    for oracle, how, text in result.found:
        if how == "fails":
            result.printed.append(report(result, case, oracle, text, seed, options))
    result.seconds = time.monotonic() - started
    return result


def report(result, case, oracle, text, seed, options):
    """The lines of a failure: a case file, made smaller."""
    why, always = known.known(f"{result.name}/{oracle}") or ("", False)
    lines = [f"not ok {result.name}/{oracle}: {text}" + (f" # TODO {why}" if why else "")]
    if why and not options.known:
        return lines
    drawn, tries = text, 0
    if options.shrink:
        case, text, tries = shrunk(case, oracle, text, lambda c, f: check(c, oracle, f, seed), options.patience,
                                   FOLDERS)
    told = [f"# {oracle}: {text}", f"# kind {result.kind}, seed {options.seed}, draw {result.number}; made smaller in "
            f"{tries} tries"]
    told += [f"# as drawn: {drawn}"] * (drawn != text)
    whole = "\n".join(told) + "\n" + case.text()
    if options.out:
        folder = os.path.join(options.out, f"{result.name}-{oracle}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "case.cfg"), "w", encoding="utf-8") as file:
            file.write(whole)
        if "file" in case["mesh"]:
            shutil.copy(os.path.join(HERE, case["mesh.file"]), folder)
    return lines + ["    " + line for line in whole.splitlines()]


def tally(results):
    print("\nkind                draws  runs  seconds  of the draws' own runs")
    for kind in KINDS:
        own = [r for r in results if r.kind == kind]
        if own:
            ended = collections.Counter(r.status for r in own)
            print(f"{kind:18s} {len(own):6d} {sum(r.runs for r in own):5d} {sum(r.seconds for r in own):8.1f}  "
                  + ", ".join(f"{n} {name}" for name, n in ended.most_common()))
    print("\noracle              holds  fails  says nothing  nearest to its limit")
    for oracle in ORACLES:
        count = collections.Counter(how for r in results for o, how, _ in r.found if o == oracle)
        if count:
            near, what, name = max(((*r.closest[oracle], r.name) for r in results if oracle in r.closest),
                                   default=(0.0, "", ""))
            print(f"{oracle:18s} {count['holds']:6d} {count['fails']:6d} {count['not applicable']:13d}  "
                  + (f"{near:.2g} of it: {name}" if near else ""))
    if rejected := collections.Counter(r.message for r in results if r.status == "rejected"):
        print("\nrejected")
        for message, n in rejected.most_common(12):
            print(f"{n:6d}  {message[:150]}")


def numbers(text):
    first, colon, last = text.partition(":")
    return range(int(first), int(last)) if colon else range(int(first))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draws", type=numbers, default=range(200), metavar="N or FROM:TO")
    parser.add_argument("--kind", help="only this kind: other cases than those of the same draws of all kinds")
    parser.add_argument("--oracle", help="only this one, for every case", choices=list(ORACLES))
    parser.add_argument("--more", type=int, default=2, help="oracles of several runs for each case (2)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--shrink", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--patience", type=float, default=60, help="seconds to make a failing case smaller (60)")
    parser.add_argument("--known", action="store_true", help="known failures are made smaller and printed too")
    parser.add_argument("--out", metavar="DIR")
    parser.add_argument("--list", action="store_true", help="only the kinds and the oracles")
    parser.add_argument("--print", action="store_true", help="only prints the cases")
    options = parser.parse_args()
    if options.kind and options.kind not in KINDS:
        parser.error(f"there is no kind \"{options.kind}\": expected one of {', '.join(KINDS)}")
    kinds = [options.kind] if options.kind else list(KINDS)
    if options.list:
        for title, of in (("kinds", KINDS), ("oracles", ORACLES)):
            print(title)
            for name, function in of.items():
                print(f"  {name:18s} {function.__doc__.splitlines()[0]}")
        return 0
    if options.print:
        for number in options.draws:
            kind, case = draw(options.seed, number, kinds)
            print(f"# kind {kind}, seed {options.seed}, draw {number}\n{case.text()}")
        return 0
    return run_all(options, kinds)


def run_all(options, kinds):
    start, results, failed = time.monotonic(), [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        for result in workers.map(lambda n: one(n, options, kinds), options.draws):
            results.append(result)
            held = [o for o, how, _ in result.found if how == "holds"]
            bad = [p for p in result.printed if "# TODO" not in p[0]]
            for lines in result.printed:
                print("\n".join(lines), flush=True)
            gone = known.gone(result.name, result.found)
            for line in gone:
                print(f"not ok {line}")
            if not bad and not gone:
                print(f"ok {result.name}: {result.status}; {' '.join(held)}", flush=True)
            failed += len(bad) + len(gone)
    tally(results)
    print(f"physics: {len(results)} draws of seed {options.seed}, {sum(r.runs for r in results)} runs, {failed} "
          f"failures, in {time.monotonic() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
