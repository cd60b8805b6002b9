"""Runs of the program poise for one case, kept so that oracles share them."""
import contextlib
import json
import os
import re
import subprocess
import time

from poise import Case, Run
from poise.program import program

LONGEST = 30                                                    # seconds of one run: such small cases take 0.1
NAMES = {0: "converged", 1: "rejected", 2: "not converged", 3: "diverged", 4: "failed", 5: "stalled", 6: "stopped"}


class NotApplicable(Exception):
    """The oracle says nothing about this case."""


class Wrong(Exception):
    """What should hold does not; the text says what and by how much."""


class Outcome:
    """status: the exit status; message: the first line of an error; run: the results; digest: that of the fields."""

    def __init__(self, status, message, directory, digest, seconds):
        self.status, self.message, self.digest, self.seconds = status, message, digest, seconds
        self.directory, self._run = directory, None

    @property
    def name(self):
        return NAMES.get(self.status, f"ended by signal {-self.status}")

    @property
    def run(self):
        if self._run is None:
            self._run = Run(self.directory)
        return self._run

    def field(self, name):
        return self.run.field(name)

    def table(self, *parts):
        return self.run.table(*parts) if os.path.exists(self.run.path(*parts)) else None


class Subject:
    """A case, a folder for its runs, and random numbers for the oracle."""

    def __init__(self, case, folder, chance):
        self.case, self.folder, self.chance = case, folder, chance
        self.closest, self.count = (0.0, ""), 0
        self._runs = {}

    @property
    def base(self):
        return self.outcome()

    @property
    def ran(self):
        """Has the base run got as far as results?"""
        return self.base.status in (0, 2, 3, 5)

    @property
    def solved(self):
        """The base run, if its exit status is 0."""
        if self.base.status != 0:
            raise NotApplicable(f"the run is {self.base.name}")
        return self.base

    @property
    def mesh_group(self):
        """Of the same mesh, made already."""
        kept = {k: v for k, v in self.case["mesh"].items() if k in ("ordering", "parts")}
        if "file" not in self.case["mesh"]:
            return self.case["mesh"]
        return {"file": os.path.abspath(self.base.run.path("mesh.h5")), **kept}

    def on_mesh(self, changes=None):
        """The case with changes, on the mesh of the base run."""
        return self.case.changed({"mesh": self.mesh_group, **(changes or {})})

    def outcome(self, case=None, options=(), before=None, again=None):
        """Of the case, or of another one; before: the words of another program instead of poise; again: the directory,
        of an earlier run to be restarted."""
        case = case or self.case
        key = json.dumps([case.settings, list(options), before, again])
        if key not in self._runs:
            self._runs[key] = self._compute(case, options, before, again)
        return self._runs[key]

    def _compute(self, case, options, before, again):
        self.count += 1
        path = os.path.join(self.folder, f"{self.count}.json")
        whole = case
        if isinstance(case.get("mesh.file"), str):
            whole = case.changed({"mesh.file": os.path.abspath(os.path.join(case.folder, case["mesh.file"]))})
        with open(path, "w", encoding="utf-8") as file:
            json.dump(whole.settings, file)
        directory = again or os.path.join(self.folder, f"{self.count}.out")
        words = [*(before or [program()]), "run", path, "--quiet", "--digest", "--output", directory, *options]
        if "--threads" not in options:
            words += ["--threads", "1"]
        started = time.monotonic()
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            return Outcome(-9, f"took more than {LONGEST} s", directory, None, LONGEST)
        digest = None                                           # of a restart the last one counts
        with contextlib.suppress(OSError), open(os.path.join(directory, "log.txt"), encoding="utf-8") as log:
            digest = (re.findall(r"^digest ([0-9a-f]+)", log.read(), re.M) or [None])[-1]
        text = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()] or [""]
        # the program names the file of the case, which nobody has
        message = text[0].replace(path + ": ", "").replace(path, "case")
        return Outcome(done.returncode, message, directory, digest, time.monotonic() - started)

    def within(self, what, value, limit):
        """Raises Wrong unless value <= limit; remembers which came closest."""
        if not value <= limit:
            raise Wrong(f"{what} {value:.3g} (limit {limit:.3g})")
        if limit > 0 and value / limit >= self.closest[0]:
            self.closest = (float(value / limit), what)


def copied(case):
    return Case(json.loads(json.dumps(case.settings)), case.folder)
