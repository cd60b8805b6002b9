"""Known failures and their reasons: such a check is a "not ok ... # TODO" that is not counted."""
import fnmatch

PRISMS = "gradients are means with the neighbours' in triangles, not in prisms; here ten cells at Re 1000 are few"

# (names, why, does it fail on every mesh?)  A check of the first kind that holds is a failure: it must leave the list.
KNOWN = [
    ("cavity-triangles-*/slab", PRISMS, True),
]


def known(name):
    """(reason, does it always fail) of the check of this name; None: it is expected to pass."""
    return next(((why, always) for patterns, why, always in KNOWN for p in patterns.split()
                 if fnmatch.fnmatch(name, p)), None)
