"""Runs of the program poise: one, or many with other keys."""
import concurrent.futures
import itertools
import os
import shutil
import subprocess
import tempfile

from poise.case import Case, value_text
from poise.errors import PoiseError

_STATUS = {0: "converged", 2: "not converged", 3: "diverged", 5: "stalled", 6: "stopped"}


def program():
    """Path of poise: $POISE, else what was built beside this package, else the one in PATH."""
    named = os.environ.get("POISE")
    above = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    beside = [os.path.join(above, "build", "poise"), os.path.join(os.path.dirname(os.path.dirname(above)), "bin", "poise")]
    found = named or next((p for p in beside if os.access(p, os.X_OK)), None) or shutil.which("poise")
    if not found or not shutil.which(found):
        raise PoiseError(f"{named}: there is no such program ($POISE)" if named else
                         "the program poise was not found; build it (make), put it into PATH, or name it in $POISE")
    return found


def run(case, settings=None, output=None, device=None, threads=None, restart=False, options=()):
    """Computes a case and returns its Run, with .status "converged" (in time: at its end), "not converged", "stalled",
    "stopped" or "diverged".

    case: a file, or a Case.  settings: {"fluid.viscosity": 0.01, "lines": None}; None removes a key from the case.
    output: the directory (default: that of the case, NAME.out).  options: further options of the command line
    (`poise help run`).  An error in the input, or a missing resource, raises a PoiseError with the message of poise.
    """
    from poise.results import Run
    if isinstance(case, Case):
        with tempfile.TemporaryDirectory() as folder:
            whole = case.changed(settings or {})
            if isinstance(whole.get("mesh.file"), str):
                whole["mesh.file"] = os.path.abspath(os.path.join(case.folder, whole["mesh.file"]))
            path = os.path.join(folder, case.name + ".json")
            whole.save(path)
            return run(path, None, output or whole.get("output.directory"), device, threads, restart, options)
    words = [program(), "run", os.fspath(case), "--quiet", *map(str, options)]
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}=" + ("" if value is None else value_text(value))]
    for name, value in (("--output", output), ("--device", device), ("--threads", threads)):
        words += [name, str(value)] if value is not None else []
    done = subprocess.run(words + ["--restart"] * bool(restart), capture_output=True, text=True, check=False)
    if done.returncode not in _STATUS:
        raise PoiseError((done.stderr or done.stdout).strip() or f"poise ended with status {done.returncode}")
    if output is None:
        output = (settings or {}).get("output.directory") or Case(case).get("output.directory") or Case(case).name + ".out"
    result = Run(output)
    result.status = _STATUS[done.returncode]
    return result


def sweep(case, values, folder="sweep", at_once=1, **options):
    """Runs of a case with every combination of values, {"fluid.viscosity": [0.01, 0.0025], "mesh.parameters.n": [32, 64]}:
    a list of Run, the last key's values changing fastest, each with its values in .settings.

    folder: contains the output directories, which are named after the values.  at_once: number of simultaneous runs
    (give each of them few threads).  options: as for run().
    """
    keys = list(values)
    short = [key.rpartition(".")[2] for key in keys]
    names = keys if len(set(short)) < len(short) else short
    os.makedirs(folder, exist_ok=True)

    def one(combination):
        name = "_".join(f"{n}={value_text(v)}" for n, v in zip(names, combination)).replace("/", "-")
        name = "".join(c for c in name if c not in ' "[]{}\n;')
        settings = dict(zip(keys, combination))
        result = run(case, settings, os.path.join(folder, name + ".out"), **options)
        result.settings = settings
        return result

    with concurrent.futures.ThreadPoolExecutor(at_once) as workers:
        return list(workers.map(one, itertools.product(*values.values())))
