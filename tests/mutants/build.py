"""Objects and programs of mutants, with the compiler and the flags of the Makefile, below BUILD/mutants."""
import os
import pathlib
import resource
import shlex
import signal
import subprocess
import threading

TOP = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("assembly", "flow", "interface")
# Which of the scripts of `make test` run flows; the others try files, messages and programs.
SCRIPTS = ("normal_modes.py", "stability.py", "viscous_steps.py", "solids.sh", "driven_forces.sh", "initial_file.sh",
           "same_bits.sh", "same_bits_models.sh", "same_bits_transient.sh", "bad_input.sh", "messages.sh",
           "new_keys.sh", "cases.py", "cases_transient.py", "ranks_models.sh", "ranks_flow.sh", "ranks_interface.sh",
           "ranks_driven.sh", "ranks_given.sh")
LONGEST = 600           # seconds, as in tests/run


def make(*arguments):
    return subprocess.run(["make", "-s", "--no-print-directory", "DEPS=0", *arguments], cwd=TOP, check=True,
                          capture_output=True, text=True).stdout


class Build:
    """The compiler, its flags, and the library as the Makefile has them; objects of tests are compiled once."""

    def __init__(self, folder, jobs):
        self.folder = folder.resolve()
        self.at = self.folder / "mutants"
        self.at.mkdir(parents=True, exist_ok=True)
        make(f"-j{jobs}", f"B={folder}", "all")
        names = ("CC", "C_FLAGS", "C_LIBS", "OBJECTS")
        shown = ";".join(f'printf "%s\\n" \'$({n})\'' for n in names)
        said = make(f"B={folder}", f"--eval=mutants-flags:;@{shown}", "mutants-flags").splitlines()
        self.cc, self.flags, self.libraries = (shlex.split(s) for s in said[:3])
        self.objects = [(TOP / o).relative_to(self.folder) for o in said[3].split()]
        self.flags = [f for f in self.flags if f[:2] not in ("-O", "-g") and f[:2] != "-W" and f != "-Isrc"] + ["-w"]
        self.users = self.read_users()
        self.lock = threading.Lock()
        self.locks = {}

    def read_users(self):
        """{file of src: objects that are compiled from it}, by the compiler's own lists."""
        users = {}
        for o in self.objects:
            listed = (self.folder / o).with_suffix(".d").read_text().replace("\\\n", " ").split("\n")[0]
            for f in listed.split()[1:]:
                if f.startswith("src/"):
                    users.setdefault(f, []).append(o)
        return users

    def source(self, o):
        name = str(o)
        return "src/" + (name[:-6] + ".cu" if name.endswith(".cpu.o") else name[:-2] + ".c")

    def compile(self, source, to, overlay, extra=(), level="-O1"):
        """Compiles a source of the overlay, a folder with changed files, or the tree's; returns if that succeeded."""
        to.parent.mkdir(parents=True, exist_ok=True)
        at = overlay if overlay and (overlay / source).exists() else TOP
        first = [f"-I{overlay}/src"] if overlay else []
        kind = ["-x", "c"] if source.endswith(".cu") else []
        return subprocess.run([*self.cc, *self.flags, level, *extra, *first, f"-I{TOP}/src", *kind, "-c", "-o", str(to),
                               source], cwd=at, capture_output=True, text=True).returncode == 0

    def once(self, to, *arguments, **named):
        """The same, where it has not been done since the source changed."""
        with self.lock:
            lock = self.locks.setdefault(to, threading.Lock())
        with lock:
            newest = max(f.stat().st_mtime for f in self.parts_of(arguments[0]))
            if not to.exists() or to.stat().st_mtime < newest:
                if not self.compile(arguments[0], to, *arguments[1:], **named):
                    raise SystemExit(f"{arguments[0]} does not compile")
        return to

    def parts_of(self, source):
        """The files whose change makes objects of the source old: it, the library, and headers of tests."""
        return [TOP / source, self.folder / "libpoise.a",
                *((TOP / "tests").glob("*.h") if source.startswith("tests/") else [])]

    def link(self, test, to, objects=(), archive=None, extra=(), overlay=None):
        """Links a test's program, or the program itself for scripts; objects come before those of the library.
        overlay: a folder with changed headers, which tests include, too."""
        if test.startswith("test_"):
            source, more = f"tests/{test}.c", ["-lcmocka"]
            if overlay:
                main = [to.parent / f"{test}.o"]
                self.compile(source, main[0], overlay, ("-Itests",))
            else:
                main = [self.once(self.at / "tests" / f"{test}.o", source, None, ("-Itests",))]
        else:
            main, more = [self.folder / "main.o", self.folder / "command/version.o"], []
            for own in ("poise-gmsh", "libpoise-mpi.so", "tests"):
                if (self.folder / own).exists() and not (to.parent / own).exists():
                    (to.parent / own).symlink_to(self.folder / own)
        to.unlink(missing_ok=True)
        done = subprocess.run([*self.cc, "-fopenmp", *extra, "-o", str(to), *map(str, main), *map(str, objects),
                               str(archive or self.folder / "libpoise.a"), *more, *self.libraries],
                              capture_output=True, text=True)
        return done.returncode == 0


def run(test, program, seconds, log, **environment):
    """Runs a test with a program; returns None if it passes, or how it failed."""
    standard = {"PYTHON": "/usr/bin/python3", "POISE_THREADS": "1"} | os.environ
    if test.startswith("test_"):
        command = [str(program)]
    else:
        script = f"tests/regression/{test}"
        command = ["bash" if test.endswith(".sh") else standard["PYTHON"], script]
    own = dict(standard, LC_ALL="C", CMOCKA_MESSAGE_OUTPUT="TAP", CMOCKA_TEST_ABORT="1", POISE=str(program),
               **environment)
    with open(log, "w+", encoding="utf-8", errors="replace") as out:
        p = subprocess.Popen(command, cwd=TOP, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=own,
                             start_new_session=True,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        try:
            status = wait(p, out.name, seconds)
        finally:
            try:
                os.killpg(p.pid, signal.SIGKILL)        # of the group: what a script has started
            except ProcessLookupError:
                pass
            p.wait()
    return status


def wait(p, log, seconds):
    """Waits for a test, at most this long, and no longer than its first line "not ok"."""
    left = seconds
    while True:
        try:
            p.wait(min(2, left))
        except subprocess.TimeoutExpired:
            pass
        left -= 2
        with open(log, encoding="utf-8", errors="replace") as out:
            for line in out:
                if line.startswith("not ok") and "# TODO" not in line and "# SKIP" not in line:
                    return line.strip()
        if p.returncode is not None:
            return None if p.returncode == 0 else f"status {p.returncode}"
        if left <= 0:
            return f"more than {seconds:.0f} s"
