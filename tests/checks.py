"""For the scripts of tests/regression that are lists of checks, functions that assert.  In the folder above them."""
import os
import tempfile


class Skipped(Exception):
    """A requirement of a check is missing."""


def run_checks(prefix, checks, folder=None, wrong=()):
    """Calls every check in the folder, or in an empty one of its own; prints "ok NAME", or "not ok NAME: why" of an
    AssertionError or one of `wrong`.  Returns whether any failed."""
    failed, home = False, os.getcwd()
    for check in checks:
        name = f"{prefix}-{check.__name__.replace('_', '-')}"
        with tempfile.TemporaryDirectory() as own:
            os.chdir(folder or own)
            try:
                check()
                print("ok", name)
            except Skipped as why:
                print("ok", name, "# SKIP", why)
            except (AssertionError, *wrong) as why:
                failed = True
                print(f"not ok {name}:", " ".join(str(why).split()))
            os.chdir(home)
    return failed
