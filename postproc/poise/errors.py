"""Errors that are reported without a traceback, and missing modules."""
import difflib
import importlib.util
import os
import subprocess
import sys


class PoiseError(Exception):
    """An error in the request."""


def choose(name, names, what):
    """`name` if it is one of `names`, else an error that lists them and gives the nearest."""
    names = list(names)
    if name in names:
        return name
    near = difflib.get_close_matches(str(name), map(str, names), 1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise PoiseError(f"{what} \"{name}\" is not there{hint}; there is: {', '.join(map(str, names)) or 'none'}")


SYSTEM = "/usr/bin/python3"


def _has(python, modules):
    """Whether another Python than this one has all of these."""
    if not os.path.exists(python) or os.path.samefile(python, sys.executable or python):
        return False
    test = [python, "-c", "import " + ", ".join(modules)]
    return subprocess.run(test, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def missing(*modules):
    """One line that says what to install, or which Python to take, where Python lacks one of these, else ""."""
    lacking = [m for m in modules if importlib.util.find_spec(m) is None]
    if not lacking:
        return ""
    packages = " ".join("python3-" + m for m in lacking)
    if _has(SYSTEM, modules):
        return f"{sys.executable or 'python3'} has no {', '.join(lacking)}, but {SYSTEM} has: start this with {SYSTEM}"
    return (f"{sys.executable or 'python3'} has no {', '.join(lacking)}; install it (Debian, Ubuntu: apt install "
            f"{packages}, and use /usr/bin/python3; elsewhere: {sys.executable or 'python3'} -m pip install "
            f"{' '.join(lacking)})")
