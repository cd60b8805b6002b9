"""Known failures and their reasons: such a check is a "not ok ... # TODO" that is not counted."""
import fnmatch


# (names, why, does it always fail?)  SEED-DRAW-KIND/ORACLE; a check of the first kind that holds is a failure: it must
# leave the list.
KNOWN = [
]


def known(name):
    """(reason, does it always fail) of the check of this name; None: it is expected to pass."""
    return next(((why, always) for patterns, why, always in KNOWN for p in patterns.split()
                 if fnmatch.fnmatch(name, p)), None)


def gone(name, found):
    """Lines about known failures of this draw that no longer fail."""
    return [f"{name}/{oracle}: is known to fail ({entry[0]}), but does not: take it out of known.py"
            for oracle, how, _ in found if how != "fails" and (entry := known(f"{name}/{oracle}")) and entry[1]]
