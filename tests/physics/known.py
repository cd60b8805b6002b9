"""Known failures and their reasons: such a check is a "not ok ... # TODO" that is not counted."""
import fnmatch

BOUNDS = "the default scheme of the temperature, linear-upwind, and long steps make new extremes"
LONG = "conduction in time is not stable with long steps"
SCHEMES = "Crank-Nicolson takes given values at the end of the step, where its equations hold in the middle"
ADVECTION = "in 3-D a swept prism is cut into tetrahedra in the order of its corners (advance.cu)"
BUOYANT = "the weight at faces of walls depends on the numbering of the cells"
REFERENCE = "the default reference temperature is half way between openings and walls"
RESTART = "after a restart some rows of heat.csv have another flux through outlets"
SLOW = "the residual falls below the tolerance before the fields are within ten times the tolerance"

# (names, why, does it always fail?)  SEED-DRAW-KIND/ORACLE; a check of the first kind that holds is a failure: it must
# leave the list.
KNOWN = [
    ("1-033-chimney/bounds 1-036-conjugate/bounds 1-057-conjugate/bounds 1-077-conjugate/bounds "
     "1-082-conjugate/bounds 1-116-channel-time/bounds 1-127-conjugate-time/bounds 1-138-conduction/bounds "
     "1-149-conjugate/bounds 1-187-conjugate-time/bounds", BOUNDS, True),
    ("1-002-oscillating/schemes 1-008-oscillating/schemes 1-011-oscillating/schemes 1-035-oscillating/schemes "
     "1-176-oscillating/schemes 1-180-oscillating/schemes", SCHEMES, True),
    ("1-005-advection/ordering 1-021-two-fluids/ordering 1-197-advection/ordering", ADVECTION, True),
    ("1-090-buoyancy/ordering 1-093-chimney/ordering 1-109-chimney/ordering", BUOYANT, True),
    ("1-023-chimney/reference", REFERENCE, True),
    ("1-164-conduction/long-time", LONG, True),
    ("1-185-heated-channel/restart", RESTART, True),
    ("1-079-conjugate/level 1-092-conjugate/ordering 1-125-channel/tolerance", SLOW, True),
]


def known(name):
    """(reason, does it always fail) of the check of this name; None: it is expected to pass."""
    return next(((why, always) for patterns, why, always in KNOWN for p in patterns.split()
                 if fnmatch.fnmatch(name, p)), None)


def gone(name, found):
    """Lines about known failures of this draw that no longer fail."""
    return [f"{name}/{oracle}: is known to fail ({entry[0]}), but does not: take it out of known.py"
            for oracle, how, _ in found if how != "fails" and (entry := known(f"{name}/{oracle}")) and entry[1]]
