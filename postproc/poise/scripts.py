"""For the scripts of postproc/, which import this before anything that may be missing."""
import os
import sys

from poise.errors import PoiseError, missing

os.environ.setdefault("MPLBACKEND", "Agg")                      # pictures go into files

_lacking = missing("numpy", "h5py")
if _lacking:
    if {"-h", "--help"} & set(sys.argv):
        print(sys.modules["__main__"].__doc__)
    sys.exit("error: " + _lacking)


def command(main):
    """Runs a script's main(): errors in what was asked for end it with one line and exit status 1."""
    try:
        sys.exit(main())
    except PoiseError as error:
        sys.exit(f"error: {error}")
    except BrokenPipeError:
        sys.exit(1)
