"""Threads, lanes, ranks and the GPU: the same bits, on a finer mesh than the draw's, so that they share the work."""
import os
import shutil

import facts
from meshes import refined
from runs import NotApplicable, Wrong

ROWS = 512                                                      # of a slice: a mesh of fewer cells has a single one


def _larger(subject, slices):
    """The case on four times the cells in 2-D, or on as many slices, for few iterations or steps."""
    case, base = subject.case, subject.base
    if base.status == 1:
        raise NotApplicable(base.name)
    cells, by = len(base.run.mesh), 2
    while cells * by ** base.run.mesh.dim < (slices - 0.8) * ROWS:
        by += 1
    group = refined(case["mesh"], by)
    if group is None or cells * by ** base.run.mesh.dim > 12 * ROWS:
        raise NotApplicable("no finer mesh")
    few = {"solver.max_iterations": 3} if facts.steady(case) else {"time.max_steps": 2}
    return case.changed({"mesh": group, **few})


def _same(subject, what, slices=2, **more):
    case = _larger(subject, slices)
    a = subject.outcome(case, options=["--device", "cpu"])
    if a.status == 1:
        raise NotApplicable(a.message)
    b = subject.outcome(case, **more)
    if b.status == 1 and "fewer than the" in b.message:
        raise NotApplicable(b.message)                          # too few of fluid, or Gmsh's mesh has fewer than asked
    if a.digest is None or (a.status, a.digest) != (b.status, b.digest):
        raise Wrong(f"{what}, on a finer mesh: {b.name} with the digest {b.digest}, not {a.name} with {a.digest}"
                    + (f": {b.message}" if b.message else ""))


def threads(subject):
    """Two, three or five threads instead of one."""
    count = subject.chance.one("2", "3", "5")
    _same(subject, f"{count} threads instead of 1", options=["--threads", count])


def lanes(subject):
    """$POISE_REVERSED: a build with REVERSED=1."""
    if not os.environ.get("POISE_REVERSED"):
        raise NotApplicable("no $POISE_REVERSED")
    _same(subject, "lanes backwards", before=[os.environ["POISE_REVERSED"]])


def ranks(subject):
    """With mpirun, if it is there and the program was built with MPI ($POISE_RANKS, the most)."""
    most = int(os.environ.get("POISE_RANKS", "0"))
    if most < 2 or not shutil.which("mpirun"):
        raise NotApplicable("no $POISE_RANKS or no mpirun")
    count = subject.chance.randint(2, most)
    from poise.program import program
    _same(subject, f"{count} ranks instead of 1", slices=count,
          before=["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(count), program()])


def cuda(subject):
    """With $POISE_CUDA: a program for GPUs, and one of them."""
    if not os.environ.get("POISE_CUDA"):
        raise NotApplicable("no $POISE_CUDA")
    _same(subject, "the GPU instead of a thread", options=["--device", "cuda"])
