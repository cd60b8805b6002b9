#!/usr/bin/env python3
"""Transformed flows must give the same results: other units, another pressure level, rotation, translation.

    POISE=build/poise /usr/bin/python3 tests/invariance [--full] [--only PATTERN] [--table] [--list]

A check is SETUP/KIND: a case of cases/ on a small mesh with one algorithm (setups.py), and one of

units-2, units-far     length, time, mass and scalars in other units, by powers of two: the same bits
units-mm, -water, -thin, -dense    by other factors: the same iterations within 1, and results within the tolerance
level                  the pressure raised by 1e6 rho U^2, at outlets and at the start
far, far-across        everything translated by 1e6 lengths; far-across: normal to gravity
turn-90, mirror, axes  rotated about z, mirrored, axes exchanged (3-D): 1e-12, with linear systems solved as far
turn-30                rotated about z by 30 degrees
slab                   a 2-D case as a periodic slab: equal within the discretisation error
galilean               (setups of its own) a frame that moves along the boundaries

A line "not ok ... # TODO why" is a failure that is known and not counted (known.py); a known failure that no longer
fails counts as one, so that the list is kept up to date.  Without --full: those of `make test`.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc"))
import checks  # noqa: E402
from galilean import GALILEAN  # noqa: E402
from known import known  # noqa: E402
from poise import PoiseError  # noqa: E402
from setups import setups  # noqa: E402
from units import check_table  # noqa: E402


def one(name, check):
    """(line to print, passed, entry in the table) of one check."""
    start = time.monotonic()
    try:
        good, text = check()
    except PoiseError as error:
        good, text = False, str(error).splitlines()[0]
    why, always = known(name) or ("", False)
    counts = not why or good
    if good and why and always:
        good, text = False, f"is known to fail ({why}), but does not: take it out of known.py; {text}"
    line = f"{'ok' if good else 'not ok'} {name}: {text}; {time.monotonic() - start:.1f} s"
    return line + ("" if counts else f" # TODO {why}"), good or not counts, text


def table_is_complete():
    wrong = check_table()
    return not wrong, "; ".join(wrong) or "every key with a unit is in the table"


def groups(options):
    """[(setup, [(name, check)])] of the selection; the checks of a setup share its runs."""
    own = [("units/table", lambda _: table_is_complete()), ("units/unscaled", lambda _: checks.unscaled_is_noticed())]
    galilean = [(name, lambda shared, check=check: check(shared.folder)) for name, check, quick in GALILEAN
                if options.full or quick]
    every = [(None, own), (None, galilean)]
    for setup in setups():
        every.append((setup, [(f"{setup.name}/{kind}", check) for kind, check in checks.CHECKS.items()
                              if (options.full or setup.quick and kind in checks.QUICK)
                              and checks.applies(setup, kind)]))
    return [(setup, chosen) for setup, all_of_it in every
            if (chosen := [c for c in all_of_it if fnmatch.fnmatch(c[0], options.only)])]


def run_group(group):
    setup, chosen = group
    with tempfile.TemporaryDirectory() as folder:
        shared = checks.Shared(setup, folder)
        return [(name, *one(name, lambda check=check: check(shared))) for name, check in chosen]


def print_table(found):
    kinds = [k for k in checks.CHECKS if any(n.endswith("/" + k) for n in found)]
    print("\n| case | " + " | ".join(kinds) + " |\n|---" + "|---" * len(kinds) + "|")
    for setup in dict.fromkeys(n.partition("/")[0] for n in found):
        print(f"| {setup} | " + " | ".join(found.get(f"{setup}/{k}", "") for k in kinds) + " |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--quick", action="store_true", help="what is done without --full")
    parser.add_argument("--only", default="*", metavar="PATTERN")
    parser.add_argument("--table", action="store_true", help="ends with a table in Markdown")
    parser.add_argument("--list", action="store_true", help="only names the checks")
    options = parser.parse_args()
    start, asked, found = time.monotonic(), groups(options), {}
    if options.list:
        print("\n".join(name for _, chosen in asked for name, _ in chosen))
        return 0
    good = 0
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as workers:
        for group in workers.map(run_group, asked):
            for name, line, holds, text in group:
                print(line, flush=True)
                found[name], good = text, good + holds
    if options.table:
        print_table({n: t.partition(",")[0].partition(" at ")[0] for n, t in found.items()})
    print(f"invariance: {good} of {len(found)} hold or are known, in {time.monotonic() - start:.0f} s")
    return 0 if good == len(found) else 1


if __name__ == "__main__":
    sys.exit(main())
