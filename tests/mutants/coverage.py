"""Which tests execute which lines: counted once by gcov, kept in BUILD/mutants/map.json."""
import concurrent.futures
import hashlib
import json
import shutil
import subprocess
import time

from build import FOLDERS, LONGEST, SCRIPTS, TOP, run

# A test program that takes longer, in seconds of the processor, writes its counts and ends: lines that it would only
# execute later are not counted.
CUT = """#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
extern void __gcov_dump(void);
static void cut(int s) { (void)s; __gcov_dump(); _exit(3); }
__attribute__((constructor)) static void start(void)
{
    struct itimerval t = {.it_value.tv_sec = atoi(getenv("MUTANTS_CUT"))};
    signal(SIGPROF, cut);
    setitimer(ITIMER_PROF, &t, NULL);
}
"""


def digest(*files):
    h = hashlib.sha256()
    for f in files:
        h.update(f.read_bytes())
    return h.hexdigest()[:16]


def names():
    """Every test: the programs, and the scripts that run flows."""
    return [f.stem for f in sorted((TOP / "tests").glob("test_*.c"))] + list(SCRIPTS)


class Coverage:
    def __init__(self, build, jobs, cut):
        self.build, self.jobs, self.cut = build, jobs, cut
        self.at = build.at / "coverage"
        self.file = build.at / "map.json"
        self.map = json.loads(self.file.read_text()) if self.file.exists() else {}
        sources = [f for d in FOLDERS for f in sorted((TOP / "src" / d).glob("*"))]
        self.sources = digest(*sources)
        if self.map.get("sources") != self.sources:
            self.map = {"sources": self.sources, "tests": {}}

    def old(self):
        """The tests that changed since they were counted, or have not been."""
        found = []
        for t in names():
            f = TOP / ("tests/" + t + ".c" if t.startswith("test_") else "tests/regression/" + t)
            known = self.map["tests"].get(t, {})
            if known.get("digest") != digest(f) or known["cut"] < self.cut:
                found.append((t, digest(f)))
        return found

    def update(self):
        old = self.old()
        if old:
            print(f"counting the lines that {len(old)} tests execute", flush=True)
            self.compile()
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
                for t, entry in pool.map(lambda a: (a[0], self.count(*a)), old):
                    self.map["tests"][t] = entry
                    self.file.write_text(json.dumps(self.map))
                    print(f"{t:28} {entry['seconds']:7.1f} s {entry['failed'] or ''}", flush=True)
        return self.by_line()

    def compile(self):
        """A library with counters in the three folders, the other objects being those of the library."""
        b = self.build
        self.at.mkdir(exist_ok=True)
        (self.at / "cut.c").write_text(CUT)
        subprocess.run([*b.cc, "-O1", "-c", "-o", self.at / "cut.o", self.at / "cut.c"], check=True)
        own = [o for o in b.objects if o.parts[0] in FOLDERS]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(lambda o: b.once(self.at / o, b.source(o), None, ("--coverage", "-g1")), own))
        (self.at / "libpoise.a").unlink(missing_ok=True)
        subprocess.run(["ar", "rcs", self.at / "libpoise.a",
                        *(self.at / o if o in own else b.folder / o for o in b.objects)], check=True)

    def count(self, test, sum_of_file):
        """Runs a test with counters; which lines it executed, its seconds, and how it failed (then it is not used)."""
        at = self.at / "runs" / test
        shutil.rmtree(at, ignore_errors=True)
        at.mkdir(parents=True)
        program = at / ("poise" if "." in test else test)
        if not self.build.link(test, program, [self.at / "cut.o"], self.at / "libpoise.a", ["--coverage"]):
            raise SystemExit(f"{test} does not link")
        start = time.monotonic()
        cut = self.cut if test.startswith("test_") else 0
        failed = run(test, program, 3 * LONGEST, at / "log", GCOV_PREFIX=str(at), MUTANTS_CUT=str(cut))
        whole = failed != "status 3"
        entry = {"digest": sum_of_file, "seconds": time.monotonic() - start, "failed": failed if whole else None,
                 "cut": LONGEST if whole else cut, "lines": {}}
        program.unlink()
        found = {}
        for data in sorted(at.rglob("*.gcda")):
            notes = "/" / data.relative_to(at).with_suffix(".gcno")
            shutil.copy(notes, data.parent)
            said = subprocess.run(["gcov", "--json-format", "--stdout", data.name], cwd=data.parent,
                                  capture_output=True, text=True).stdout
            for f in (g for line in said.splitlines() for g in json.loads(line)["files"]):
                name = f["file"].removeprefix(f"{TOP}/")
                for line in f["lines"]:
                    at_line = found.setdefault(name, {})
                    at_line[line["line_number"]] = at_line.get(line["line_number"], 0) + line["count"]
        for name, lines in found.items():
            if name.split("/")[0] == "src" and name.split("/")[1] in FOLDERS:
                entry["lines"][name] = [sorted(k for k, n in lines.items() if n), sorted(k for k, n in lines.items()
                                                                                        if not n)]
        shutil.rmtree(at)
        return entry

    def by_line(self):
        """{(file, line): tests that execute it, quickest first}, and the executable lines that no test executes."""
        tests = self.map["tests"]
        lines, idle = {}, set()
        for t in sorted(tests, key=lambda t: tests[t]["seconds"]):
            for name, (executed, others) in tests[t]["lines"].items():
                idle.update((name, k) for k in others)
                for k in executed:
                    idle.discard((name, k))
                    if not tests[t]["failed"]:
                        lines.setdefault((name, k), []).append(t)
        return lines, idle - set(lines)
