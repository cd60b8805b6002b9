#!/usr/bin/env python3
"""Times the last pressure system of a SIMPLE run on a lid-driven cavity, on CPU cores, side by side: Poise's
multigrid-CG, OpenFOAM's GAMG (alone or within PCG), hypre's PCG with BoomerAMG.

    tests/peers/pressure.py [--cells 128x128 64x64x64] [--cores 1 2] [--tolerances 1e-8 0.05] [--repeat 5] ...

Each repeat runs the programs one after the other; the table gives medians of seconds:
    once        what the first solve on a mesh pays before it iterates (hypre: nothing that it could keep)
    each        what every solve with new values pays: Poise: refresh and solve; OpenFOAM: refresh of its cached
                agglomeration and solve; hypre: set-up and solve
    reached     |b - A x| / |b|, 2-norms.
Of hypre's settings (hypre.c) and OpenFOAM's the best is taken for each tolerance, by a scan before.

The system is that of poise run --write-pressure.  Poise and hypre read it (hypre's two processes take the rows by
halves of the Hilbert curve).  OpenFOAM assembles the same matrix itself, by laplacianFoam on the same mesh: a
diffusivity in the cells whose means at the faces are the matrix's coefficients, no flux through the walls, and, in
place of a right-hand side, the start T = -x of the known solution x: the residual that it starts from is b.  One cell
is held (without a reference, as its pressure equations have one, GAMG drifts away).  It does the fewest cycles that
reach the tolerance.  Its times are from its own profiling: set-up and refresh of solves that have nothing to do, a
cycle's of a solve of 20 and more.

Needs OpenFOAM and hypre (Debian: apt install openfoam libhypre-dev), for this comparison only."""
import argparse
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
MANY = 20                               # cycles of OpenFOAM, to time one
FOAM = {f'GAMG, {smoother}': f'solver GAMG; smoother {smoother};' for smoother in ('GaussSeidel', 'DICGaussSeidel')}
FOAM['PCG with GAMG, GaussSeidel'] = 'solver PCG; preconditioner { preconditioner GAMG; smoother GaussSeidel; }'
HEAD = 'FoamFile {{ version 2.0; format ascii; class {}; object {}; }}\n'


def call(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        sys.exit(f'{" ".join(command)}: exit status {done.returncode}\n{done.stdout}')
    return done.stdout


def on_cores(command, cores):
    return command if cores == 1 else ['mpirun', '--allow-run-as-root', '-np', str(cores)] + command


# ---------------------------------------------------------------- the system
CASE = '''mesh = {{ box = {{ cells = [{cells}]; stretch = [{stretch}]; }}; }};
fluid = {{ viscosity = {viscosity}; }};
boundary = {{ top = {{ type = "wall"; velocity = [{lid}]; }}; left = {{ type = "wall"; }}; right = {{ type = "wall"; }};
  bottom = {{ type = "wall"; }}; {more} }};
solver = {{ convection = "central"; max_iterations = {iterations}; }};
'''


def widths(n, stretch):
    """Of cells that grow by a constant factor from both walls to the middle of a side of length 1."""
    half = stretch ** (np.arange(n // 2) / max(n // 2 - 1, 1))
    return np.concatenate([half, half[::-1]]) / (2 * half.sum())


class System:
    """Matrix in CSR, right-hand side, and where each row lies in the box (x fastest)."""

    def __init__(self, folder, cells, a):
        dim, path = len(cells), os.path.join(folder, 'pressure.h5')
        with open(os.path.join(folder, 'cavity.cfg'), 'w') as out:
            out.write(CASE.format(cells=', '.join(map(str, cells)), stretch=', '.join([f'{a.stretch:.17g}'] * dim),
                                  viscosity=0.001, lid=', '.join(['1.0', '0.0', '0.0'][:dim]), iterations=a.iterations,
                                  more='' if dim == 2 else 'back = { type = "wall"; }; front = { type = "wall"; };'))
        done = subprocess.run([a.poise, 'run', 'cavity.cfg', '--device', 'cpu', '--quiet', '--write-pressure', path],
                              cwd=folder)
        if done.returncode not in (0, 2):               # 2: not converged within the iterations
            sys.exit(f'poise run: exit status {done.returncode}')
        with h5py.File(path) as f:
            self.start, self.column = f['row_start'][:], f['column'][:]
            self.value, self.rhs, centre = f['value'][:], f['rhs'][:], f['centre'][:]
        self.path, self.cells, self.stretch, self.n = path, cells, a.stretch, len(self.rhs)
        self.row = np.repeat(np.arange(self.n), np.diff(self.start))
        where, step = np.zeros(self.n, np.int64), 1
        for k in range(dim):
            lines = np.unique(np.round(centre[:, k], 10))
            where += step * np.searchsorted(lines, np.round(centre[:, k], 10))
            step *= len(lines)
        self.where = where

    def size(self, x):
        """|A x| / |b|"""
        product = np.bincount(self.row, self.value * x[self.column], self.n)
        return float(np.linalg.norm(product) / np.linalg.norm(self.rhs))

    def diffusivity(self):
        """In the cells of the box: interpolated linearly, it gives the matrix's coefficients at the faces.  Marched
        away from a corner; any start there does, what it adds alternates from cell to cell and is nothing at the
        faces."""
        dim, width, faces = len(self.cells), [widths(n, self.stretch) for n in self.cells], []
        along = lambda v, k: np.reshape(v, [-1 if m == k else 1 for m in range(dim)])
        for k in range(dim):
            on = self.where[self.column] - self.where[self.row] == math.prod(self.cells[:k])
            c = np.zeros(self.n)
            c[self.where[self.row[on]]] = -self.value[on]
            c = np.delete(c.reshape(self.cells, order='F'), -1, axis=k)
            area = math.prod(along(width[m], m) for m in range(dim) if m != k)
            gap = 0.5 * (width[k][1:] + width[k][:-1])
            faces.append((c * along(gap, k) / area, 0.5 * width[k][1:] / gap))
        d = np.zeros(self.cells)
        d.flat[0] = faces[0][0].flat[0]
        for k, (mean, weight) in enumerate(faces):
            for i, w in enumerate(weight):
                here, there = ((slice(None),) * k + (n,) + (0,) * (dim - 1 - k) for n in (i, i + 1))
                d[there] = (mean[here] - w * d[here]) / (1 - w)
        for k, (mean, weight) in enumerate(faces):
            again = along(weight, k) * np.delete(d, -1, axis=k) + along(1 - weight, k) * np.delete(d, 0, axis=k)
            if np.abs(again / mean - 1).max() > 1e-8:
                left = np.abs(again / mean - 1).max()
                sys.exit(f'no diffusivity of the cells gives the coefficients: {left:.1e} is left')
        return d.ravel(order='F')

    def write_binary(self, path):
        with open(path, 'wb') as out:
            for part in (np.array([self.n, len(self.value)], np.int64), self.start, self.column, self.value, self.rhs):
                part.tofile(out)


# ---------------------------------------------------------------- Poise
class Poise:
    name = 'Poise'

    def __init__(self, system, cores, a):
        self.command = [a.poise, 'solve', system.path, '--device', 'cpu', '--threads', str(cores), '--repeat', '3',
                        '--preconditioner', a.preconditioner]

    def scan(self, tolerance):
        return self.command[-1]

    def measure(self, tolerance, setting):
        log = call(self.command + ['--tolerance', str(tolerance)])
        line = log[log.index('\nmethod '):].splitlines()[2]
        once, _, each, iterations, _, reached = line[len(setting):].split()[:6]
        return float(once), float(each), int(iterations), float(reached)


# ---------------------------------------------------------------- hypre
class Hypre:
    name = 'hypre'

    def __init__(self, system, cores, a):
        self.binary, self.cores = os.path.join(a.folder, 'system.bin'), cores
        self.program = os.path.join(a.folder, 'hypre')
        if not os.path.exists(self.program):
            call(['mpicc', '-O2', '-I/usr/include/hypre', os.path.join(HERE, 'hypre.c'), '-o', self.program, '-lHYPRE',
                  '-lm'])
        system.write_binary(self.binary)
        self.all = {}

    def run(self, setting, tolerances, solution='-', repeat='1'):
        """(tolerance, setting, name) -> once, each, iterations, reached"""
        log = call(on_cores([self.program, self.binary, solution, repeat, str(setting), '1']
                            + [str(t) for t in tolerances], self.cores))
        found = {}
        for line in log.splitlines():
            k, name, tolerance, iterations, setup, solve, reached = line.split(';')
            found[float(tolerance), int(k), name] = 0.0, float(setup) + float(solve), int(iterations), float(reached)
        return found

    def scan(self, tolerance):
        if not self.all:
            self.all = self.run(-1, TOLERANCES)
        fit = {k: v for k, v in self.all.items() if k[0] == tolerance and v[3] <= 1.01 * tolerance}
        return min(fit, key=lambda k: fit[k][1])[1:]

    def measure(self, tolerance, setting):
        return next(iter(self.run(setting[0], [tolerance], repeat='3').values()))


# ---------------------------------------------------------------- OpenFOAM
def numbers(path, kind):
    """The list in a file of OpenFOAM: N ( ... )"""
    with open(path) as file:
        return np.array(re.search(r'\n\d+\s*\(([^()]*)\)', file.read()).group(1).split(), kind)


class OpenFoam:
    name = 'OpenFOAM'

    def __init__(self, system, cores, a):
        self.system, self.cores, self.folder = system, cores, os.path.join(a.folder, f'foam{cores}')
        self.fewest = {}                                # tolerance, setting -> cycles, what they reach
        solution = os.path.join(a.folder, 'x.bin')
        if not os.path.exists(solution):
            Hypre(system, 1, a).run(0, [1e-13], solution)
        self.write_time(1)
        self.write_case(-np.fromfile(solution))
        call(['blockMesh'], cwd=self.folder)
        if cores > 1:
            call(['decomposePar'], cwd=self.folder)
        first, third = self.set_up(1), self.set_up(3)
        self.once, self.again = first, (third - first) / 2
        self.write_time(1)

    def write(self, name, kind, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as out:
            out.write(HEAD.format(kind, os.path.basename(name)) + text)

    def write_field(self, name, dimensions, rows):
        v = np.empty(self.system.n)
        v[self.system.where] = rows
        self.write('0/' + name, 'volScalarField',
                   f'dimensions [{dimensions}]; internalField nonuniform List<scalar>\n{len(v)}\n(\n'
                   + '\n'.join(map(repr, v.tolist()))
                   + '\n);\nboundaryField { walls { type zeroGradient; } sides { type '
                   + ('empty; } }' if len(self.system.cells) == 2 else 'zeroGradient; } }'))

    def write_time(self, steps):
        self.write('system/controlDict', 'dictionary', f'''application laplacianFoam; startFrom startTime; startTime 0;
stopAt endTime; endTime {steps}; deltaT 1; writeControl timeStep; writeInterval {steps};
writePrecision 16; timePrecision 8;
runTimeModifiable false; profiling {{ active true; cpuInfo false; memInfo false; sysInfo false; }}''')

    def write_case(self, start):
        s, dim = self.system, len(self.system.cells)
        half = f'((0.5 0.5 {s.stretch:.17g}) (0.5 0.5 {1 / s.stretch:.17g}))'
        cells = ' '.join(map(str, list(s.cells) + [1] * (3 - dim)))
        self.write('system/blockMeshDict', 'dictionary', f'''scale 1;
vertices ((0 0 0) (1 0 0) (1 1 0) (0 1 0) (0 0 1) (1 0 1) (1 1 1) (0 1 1));
blocks (hex (0 1 2 3 4 5 6 7) ({cells}) simpleGrading ({half} {half} {half if dim == 3 else 1}));
edges ();
boundary (walls {{ type wall; faces ((3 7 6 2) (0 4 7 3) (2 6 5 1) (1 5 4 0)); }}
          sides {{ type {'empty' if dim == 2 else 'wall'}; faces ((0 3 2 1) (4 5 6 7)); }});
mergePatchPairs ();''')
        self.write('system/fvSchemes', 'dictionary', '''ddtSchemes { default steadyState; }
gradSchemes { default Gauss linear; }
divSchemes { default none; } laplacianSchemes { default Gauss linear uncorrected; }
interpolationSchemes { default linear; } snGradSchemes { default uncorrected; }''')
        self.write('system/decomposeParDict', 'dictionary',
                   f'numberOfSubdomains {self.cores}; method simple; '
                   f'simpleCoeffs {{ n ({self.cores} 1 1); delta 0.001; }}')
        self.write('constant/transportProperties', 'dictionary', 'DT [0 2 -1 0 0 0 0] 1;')
        corner = ' '.join(f'{widths(n, s.stretch)[0] / 2:.17g}' for n in s.cells) + (' 0.5' if dim == 2 else '')
        self.write('system/fvOptions', 'dictionary', f'''reference {{ type scalarFixedValueConstraint; active yes;
selectionMode points; points (({corner})); fieldValues {{ T 0; }} }}''')
        self.write_field('T', '0 0 0 1 0 0 0', start - start[s.where == 0])
        self.write_field('DT', '0 2 -1 0 0 0 0', s.diffusivity()[s.where])

    def solve(self, setting, control):
        """Seconds in fvMatrix::solve, and T by rows."""
        self.write('system/fvSolution', 'dictionary', f'''solvers {{ T {{ {FOAM[setting]} {control}; relTol 0; }} }}
SIMPLE {{ nNonOrthogonalCorrectors 0; }}''')
        parts = [self.folder] if self.cores == 1 else [f'{self.folder}/processor{i}' for i in range(self.cores)]
        command = on_cores(['laplacianFoam'], self.cores) + (['-parallel'] if self.cores > 1 else [])
        call(command, cwd=self.folder)
        end = max((d for d in os.listdir(parts[0]) if re.fullmatch('[0-9]+', d)), key=int)
        with open(f'{parts[0]}/{end}/uniform/profiling') as file:
            seconds = float(re.search(r'"fvMatrix::solve.T";\s+calls\s+\d+;\s+totalTime\s+([^;]+);',
                                      file.read()).group(1))
        x = np.empty(self.system.n)
        for part in parts:
            place = (np.arange(self.system.n) if self.cores == 1
                     else numbers(f'{part}/constant/polyMesh/cellProcAddressing', int))
            x[place] = numbers(f'{part}/{end}/T', float)
            shutil.rmtree(f'{part}/{end}')
        return seconds, x[self.system.where]

    def set_up(self, steps):
        """Seconds of so many steps whose solves have nothing to do; the later ones only refresh."""
        self.write_time(steps)
        return statistics.median(self.solve(next(iter(FOAM)), 'tolerance 10')[0] for _ in range(3))

    def reach(self, tolerance, setting):
        """The fewest cycles that reach the tolerance in the 2-norm, and what they reach."""
        # `few` do not suffice, `enough` do.
        reached, few, enough, cycles = {}, 0, math.inf, round(-2.5 * math.log10(tolerance))
        while enough - few > 1:
            x = self.solve(setting, f'maxIter {cycles}; tolerance 0')[1]
            reached[cycles] = self.system.size(x)               # T goes to 0
            if reached[cycles] > tolerance:
                few = cycles
            else:
                enough = cycles
            if few > 1000:
                sys.exit(f'{setting} does not reach {tolerance:g} in {few} cycles')
            fit = round(cycles * math.log(tolerance) / math.log(min(reached[cycles], 0.99)))
            cycles = min(max(fit, few + 1), enough - 1, 3 * cycles)
        return enough, reached[enough]

    def scan(self, tolerance):
        return min(FOAM, key=lambda s: self.measure(tolerance, s)[1])

    def measure(self, tolerance, setting):
        """A few cycles take less than set-up differs from run to run: their time is taken from a solve of many."""
        if (tolerance, setting) not in self.fewest:
            self.fewest[tolerance, setting] = self.reach(tolerance, setting)
        cycles, reached = self.fewest[tolerance, setting]
        many = max(cycles, MANY)
        seconds = self.solve(setting, f'maxIter {many}; tolerance 0')[0]
        return self.once, self.again + (seconds - self.once) * cycles / many, cycles, reached


# ---------------------------------------------------------------- the table
TOLERANCES = []


def label(setting):
    return setting if isinstance(setting, str) else setting[1]


def compare(system, cores, a):
    solvers = [kind(system, cores, a) for kind in (Poise, OpenFoam, Hypre) if kind.name.lower() not in a.without]
    for tolerance in TOLERANCES:
        settings = [s.scan(tolerance) for s in solvers]
        runs = [[] for _ in solvers]
        for _ in range(a.repeat):
            for s, setting, run in zip(solvers, settings, runs):
                run.append(s.measure(tolerance, setting))
        median = [[statistics.median(x) for x in zip(*run)] for run in runs]
        for s, setting, (once, each, iterations, reached) in zip(solvers, settings, median):
            print(f'{"x".join(map(str, system.cells)):>10} {cores:>5} {tolerance:>9g}  {s.name:<9} '
                  f'{label(setting):<36} {once:>9.4f} '
                  f'{each:>9.4f} {iterations:>10.0f} {reached:>9.1e} {each / median[0][1]:>9.2f}', flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--cells', nargs='+', default=['128x128', '512x512', '64x64x64'],
                   help='NXxNY or NXxNYxNZ, even numbers')
    p.add_argument('--cores', type=int, nargs='+', default=[1, 2])
    p.add_argument('--tolerances', type=float, nargs='+', default=[1e-8, 0.01, 0.05])
    p.add_argument('--repeat', type=int, default=5)
    p.add_argument('--stretch', type=float, default=1, help='widest over narrowest cell')
    p.add_argument('--iterations', type=int, default=100, help='of SIMPLE, in front of the system')
    p.add_argument('--without', nargs='+', default=[], choices=['poise', 'openfoam', 'hypre'])
    p.add_argument('--preconditioner', default='multigrid', help="Poise's")
    p.add_argument('--poise', default='build/poise')
    a = p.parse_args()
    for program, package in (('laplacianFoam', 'openfoam'), ('mpicc', 'libhypre-dev')):
        if not shutil.which(program):
            sys.exit(f'{program} is not on PATH: this comparison needs it (Debian: apt install {package})')
    os.environ.setdefault('WM_PROJECT_DIR', '/usr/share/openfoam')          # where Debian puts its controlDict
    a.poise = os.path.abspath(a.poise)
    TOLERANCES.extend(a.tolerances)
    print(f'{"cells":>10} {"cores":>5} {"tolerance":>9}  {"":<9} {"setting":<36} '
          f'{"once":>9} {"each":>9} {"iterations":>10} '
          f'{"reached":>9} {"of first":>9}')
    for text in a.cells:
        with tempfile.TemporaryDirectory() as a.folder:
            system = System(a.folder, [int(n) for n in text.split('x')], a)
            for cores in a.cores:
                compare(system, cores, a)


if __name__ == '__main__':
    main()
