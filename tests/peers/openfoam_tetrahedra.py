#!/usr/bin/python3
"""Poise compared with OpenFOAM on Gmsh's meshes of tetrahedra: errors, iterations, seconds.

    tests/peers/openfoam_tetrahedra.py [--parts cube cube-time bend bend-time] [--sizes 0.15 0.1 0.07] [--repeat 5]
        [--cores 1] [--only NAME ...] [--work build/openfoam] [--poise build/poise]

Both programs read the same .msh file, OpenFOAM's cells in the order of renumberMesh.  Linear-upwind convection, central
diffusion with the correction for non-orthogonal faces (OpenFOAM: one corrector) and, in time, BDF2 ("backward") with
the same fixed step in both.
    cube        lid-driven, Re 100, steady: simpleFoam and SIMPLEC, both with U 0.9 and p 1, until the residuals, which
                both programs scale alike, are below 1e-6
    bend        a pipe that turns by 90 degrees, Re 50 with the mean velocity, steady
    ...-time    from rest: icoFoam and PISO, two corrections a step
Errors are 2-norms over the volume, of the cells' values.  Cube: against Poise on hexahedra (96^3 steady; 64^3 and half
the step in time), whose size at the walls is a quarter of that in the middle; "z < 0.8" is without the lid's edges,
where the pressure is infinite; "mid-lines": the largest error of u(z) and w(x).  Bend: against prisms of 0.05 swept
along the pipe (half the step in time), once each program's; "pressure" is the mean over the section z = 0.5, the
outlet's is 0.  One fit (foam.Fit) brings the reference to the cells, and to the lines and the section the cells of
either program.  "left" is what the last iterate is off that of residuals of 1e-9.  "balance": |in - out| / in, of the
fluxes of faces; "continuity": 2 sum |net flux of a cell| / sum over cells of sum |flux|.
The runs of a table take turns; seconds are medians, with the spread in brackets.  References stay in --work.
Needs OpenFOAM, Gmsh and SciPy (Debian: apt install openfoam gmsh python3-scipy), for this comparison only."""
import argparse
import os
import re
import sys

import h5py
import numpy as np

import foam

sys.path.insert(0, os.path.join(foam.TOP, 'postproc'))
from poise import Mesh as Native, Run  # noqa: E402

TOLERANCE, CONVERGED = 1e-6, 1e-9
FINEST = 0.05                           # prisms of the bend's references
GRADIENTS = ['Gauss linear', 'Gauss pointLinear', 'pointCellsLeastSquares']      # the first as in the tutorials
LINE = np.linspace(0.02, 0.98, 97)
MIDDLE = np.full_like(LINE, 0.5)
AREA = (np.arange(8) + 0.5) / 8         # of rings in the pipe, of the same area each
ROUND = np.arange(16) * np.pi / 8
SECTION = np.array([[0.48 * np.sqrt(a) * np.cos(t), 0.48 * np.sqrt(a) * np.sin(t), 0.5] for a in AREA for t in ROUND])


class Cube:
    geo, name = 'cube_tets', 'cube'
    text = 'fluid = { viscosity = 0.01; };\nboundary = { %s = { type = "wall"; velocity = [1.0, 0.0, 0.0]; }; %s };\n'
    poise = text % ('lid', 'walls = { type = "wall"; };')
    box = text % ('front', ' '.join(f'{side} = {{ type = "wall"; }};' for side in 'left right bottom top back'.split()))
    end, step = 1.0, 0.01
    columns = ['velocity', 'velocity, z < 0.8', 'pressure, z < 0.8', 'mid-lines']

    @staticmethod
    def foam(mesh):
        foam.field(mesh.folder, 'U', '0 1 -1', [0, 0, 0],
                   {'lid': 'type fixedValue; value uniform (1 0 0);', 'walls': 'type noSlip;'})
        foam.field(mesh.folder, 'p', '0 2 -2', 0, {'lid': 'type zeroGradient;', 'walls': 'type zeroGradient;'})

    @staticmethod
    def references(options, steady):
        """Poise on hexahedra."""
        n = 96 if steady else 64
        folder = os.path.join(options.work, f'cube-hexahedra-{n}')
        text = f'mesh = {{ box = {{ cells = [{n}, {n}, {n}]; stretch = [4.0, 4.0, 4.0]; }}; }};\n' + Cube.box
        cfg = write(folder + '.cfg', text + run_text(Cube, steady, Cube.step / 2, TOLERANCE))
        if not os.path.exists(os.path.join(folder, 'checkpoint.h5')):
            foam.must([options.poise, 'run', cfg, '--device', 'cpu', '--output', folder], options.work)
        return [Result.of(Run(folder))]

    @staticmethod
    def errors(mesh, result, references):
        finest = references[0]
        fit = mesh.kept('cells', lambda: foam.Fit(finest.centre, mesh.centre))
        low = mesh.centre[:, 2] < 0.8
        off, pressure = result.velocity - fit(finest.velocity), (result.pressure - fit(finest.pressure))[low]
        lines = np.concatenate([np.stack([MIDDLE, MIDDLE, LINE], 1), np.stack([LINE, MIDDLE, MIDDLE], 1)])
        there = mesh.kept('there', lambda: foam.Fit(finest.centre, lines)(finest.velocity))
        faces = {name: mesh.poly.face_centre[s] for name, s in mesh.poly.patches.items()}
        known = np.concatenate([mesh.centre, faces['lid'], faces['walls']])
        fit_lines = mesh.kept('lines', lambda: foam.Fit(known, lines))
        given = [np.tile([1.0, 0, 0], (len(faces['lid']), 1)), np.zeros_like(faces['walls'])]
        error = np.abs(fit_lines(np.concatenate([result.velocity] + given)) - there)
        pressure -= pressure @ mesh.volume[low] / mesh.volume[low].sum()
        return [mesh.norm(off), mesh.norm(off[low], low), mesh.norm(pressure, low),
                max(error[:len(LINE), 0].max(), error[len(LINE):, 2].max())]


class Bend:
    geo, name = 'bent_pipe', 'bend'
    poise = '''fluid = { viscosity = 0.01; };
boundary = { inlet = { type = "inlet"; velocity = [0.0, 0.0, 1.0]; profile = "paraboloid"; };
             outlet = { type = "outlet"; }; wall = { type = "wall"; }; };
'''
    end, step = 0.5, 0.005
    columns = ["velocity, off Poise's", "off OpenFOAM's", 'pressure', "off Poise's, %", "off OpenFOAM's, %", 'balance']

    @staticmethod
    def foam(mesh):
        at = mesh.poly.face_centre[mesh.poly.patches['inlet']]
        speed = 1 - 4 * (at[:, 0]**2 + at[:, 1]**2)
        inlet = foam.values(np.stack([0 * speed, 0 * speed, speed], 1))
        foam.field(mesh.folder, 'U', '0 1 -1', [0, 0, 0],
                   {'inlet': f'type fixedValue; value {inlet};', 'wall': 'type noSlip;',
                    'outlet': 'type zeroGradient;'})
        foam.field(mesh.folder, 'p', '0 2 -2', 0, {'inlet': 'type zeroGradient;', 'wall': 'type zeroGradient;',
                                                   'outlet': 'type fixedValue; value uniform 0;'})

    @staticmethod
    def references(options, steady):
        found, mesh = [], None
        for program in programs(options, steady)[0], programs(options, steady)[-1]:
            path = os.path.join(options.work, f'bend-{"steady" if steady else "time"}-{type(program).__name__}.npz')
            if not os.path.exists(path):
                mesh = mesh or Mesh(options, Bend.geo, FINEST, 3)
                command = program.start(mesh, Bend, steady, step=Bend.step / 2)
                result = program.result(mesh, foam.must(command, mesh.folder))
                np.savez(path, *vars(result).values())
            found.append(Result(*np.load(path).values()))
        return found

    @staticmethod
    def errors(mesh, result, references):
        section = foam.Fit(mesh.centre, SECTION)(result.pressure).mean()
        speed, pressure = [], []
        for k, finest in enumerate(references):
            fit = mesh.kept(k, lambda: foam.Fit(finest.centre, mesh.centre))
            speed.append(mesh.norm(result.velocity - fit(finest.velocity)))
            pressure.append(100 * (section / foam.Fit(finest.centre, SECTION)(finest.pressure).mean() - 1))
        return speed + [section] + pressure + [result.balance]


class Mesh:
    """For both programs; centre, volume and every Result are in the cell order of the .msh file."""

    def __init__(self, options, geo, h, elements=0):
        path = os.path.join(options.work, f'{geo}-{h:g}' + ('-swept' if elements else ''))
        self.folder, self.h, self.native, self.found = path, h, path + '.h5', {}
        if not os.path.exists(path):
            os.makedirs(path)
            foam.must(['gmsh', '-3', '-format', 'msh2', '-setnumber', 'h', f'{h:g}',
                       '-setnumber', 'elements', str(elements), '-o', path + '.msh',
                       os.path.join(foam.TOP, 'tests', 'meshes', geo + '.geo')], options.work)
            foam.must([options.poise, 'mesh', 'convert', path + '.msh', self.native], options.work)
            foam.prepare(path, path + '.msh')
        self.poly, native = foam.PolyMesh(path), Native(self.native)
        self.centre, self.volume = native.centres(), native.volumes()
        self.order = self.poly.order(self.centre) if elements == 0 else slice(None)

    def norm(self, of, cells=slice(None)):
        return float(np.sqrt((self.volume[cells] @ of**2).sum() / self.volume[cells].sum()))

    def kept(self, key, make):
        if key not in self.found:
            self.found[key] = make()
        return self.found[key]


class Result:
    def __init__(self, centre, velocity, pressure, iterations=0, balance=np.nan, continuity=np.nan):
        self.centre, self.velocity, self.pressure = centre, velocity, pressure
        self.iterations, self.balance, self.continuity = int(iterations), balance, continuity

    @staticmethod
    def of(run):
        last = run.table('residuals.csv')
        return Result(run.mesh.centres(), run.field('velocity'), run.field('pressure'), last['iteration'][-1],
                      continuity=last['continuity'][-1])


def balance(flux):
    return abs(sum(f.sum() for f in flux.values()) / flux['inlet'].sum()) if 'inlet' in flux else np.nan


def run_text(flow, steady, step, tolerance, more=''):
    if steady:
        return f'solver = {{ algorithm = "simplec"; tolerance = {tolerance}; max_iterations = 3000; {more} }};\n'
    return (f'solver = {{ algorithm = "piso"; {more} }};\n'
            f'time = {{ end = {flow.end}; step = {step}; scheme = "bdf2"; }};\n')


def write(path, text):
    with open(path, 'w', encoding='ascii') as out:
        out.write(text)
    return path


# ---------------------------------------------------------------- programs: start() a command, result() what it made
class Poise:
    def __init__(self, name, options, more=''):
        self.name, self.program, self.more = name, options.poise, more

    def start(self, mesh, flow, steady, tolerance=TOLERANCE, cores=1, step=None):
        write(os.path.join(mesh.folder, 'poise.cfg'), f'mesh = {{ file = "{mesh.native}"; }};\n' + flow.poise
              + run_text(flow, steady, step or flow.step, tolerance, self.more))
        return [self.program, 'run', 'poise.cfg', '--device', 'cpu', '--threads', str(cores)]

    def result(self, mesh, ended):
        if ended.status:
            return None
        run = Run(os.path.join(mesh.folder, 'poise.out'))
        result = Result.of(run)
        with h5py.File(run.path('checkpoint.h5')) as state, h5py.File(run.path('mesh.h5')) as file:
            names, patch = [n.decode() for n in file['boundary/names'][:]], file['boundary/patch'][:]
            flux = state['flux'][-len(patch):]                  # boundary faces are last, patch by patch
        result.balance = balance(dict(zip(names, np.split(flux, np.cumsum(np.bincount(patch))[:-1]))))
        return result


class OpenFoam:
    def __init__(self, name, gradient, correctors):
        self.name, self.gradient, self.correctors = name, gradient, correctors

    def start(self, mesh, flow, steady, tolerance=TOLERANCE, cores=1, step=None):
        application = 'simpleFoam' if steady else 'icoFoam'
        foam.clear(mesh.folder)
        foam.write(mesh.folder, 'constant/transportProperties', 'dictionary', 'transportModel Newtonian; nu 0.01;')
        foam.schemes(mesh.folder, application, END=3000 if steady else flow.end,
                     STEP=1 if steady else step or flow.step, TIME='steadyState' if steady else 'backward',
                     GRADIENT=self.gradient, CORRECTORS=self.correctors, TOLERANCE=tolerance)
        flow.foam(mesh)
        return foam.on_cores(application, mesh.folder, cores)

    def result(self, mesh, ended):
        steady = 'SIMPLE' in ended.log
        if ended.status or steady and 'converged in' not in ended.log:
            return None
        when = foam.last_time(mesh.folder)
        velocity, pressure = (foam.internal(mesh.folder, when, name)[mesh.order] for name in 'Up')
        patches = ['inlet', 'outlet'] if 'inlet' in mesh.poly.patches else []
        if not np.isfinite(velocity).all() or np.abs(velocity).max() > 10:
            return None
        return Result(mesh.poly.centre[mesh.order], velocity, pressure, len(re.findall(r'^Time = ', ended.log, re.M)),
                      balance({p: foam.on_patch(mesh.folder, when, 'phi', p) for p in patches}),
                      foam.continuity(mesh.poly, mesh.folder, when))


def programs(options, steady):
    """Poise with either accuracy, in time with about the continuity of OpenFOAM too; OpenFOAM with three kinds of
    gradient."""
    loose = [] if steady else [Poise('Poise, pressure to 1e-3', options, 'pressure = { tolerance = 1e-3; };')]
    standard = [Poise('Poise, standard', options, 'accuracy = "standard";')]
    return [Poise('Poise', options)] + standard + loose + [OpenFoam('OpenFOAM, ' + name, name, 1) for name in GRADIENTS]


# ---------------------------------------------------------------- tables
def compare(options, flow, steady, sizes):
    """A table: every program on every mesh."""
    references = flow.references(options, steady)
    last = ['continuity'] + (['left'] if steady else [])
    what = 'steady' if steady else f'in time to {flow.end:g}, step {flow.step:g}'
    print(f'\n{flow.name}, {what}; cores: {options.cores}; '
          f'medians of {options.repeat}')
    head = ['h', 'cells', 'program', 'iterations' if steady else 'steps'] + flow.columns + last + ['s', 'processor s']
    print('| ' + ' | '.join(head) + ' |')
    print('|' + '---|' * (6 + len(flow.columns + last)), flush=True)
    for h in sizes:
        mesh = Mesh(options, flow.geo, h)
        runs = [p for p in programs(options, steady) if not options.only or p.name in options.only]
        times, results = {p: [] for p in runs}, {}
        for _ in range(options.repeat):
            for program in runs:
                ended = foam.Ended(program.start(mesh, flow, steady, cores=options.cores), mesh.folder)
                times[program].append((ended.wall, ended.cpu))
                if program not in results and options.cores == 1:
                    results[program] = program.result(mesh, ended)
        for program in runs:
            result = results.get(program)
            told = ['-'] * (1 + len(flow.columns + last))
            if result:
                errors = flow.errors(mesh, result, references) + [result.continuity]
                told = [str(result.iterations)] + [f'{e:.3g}' for e in errors]
            elif options.cores == 1:
                told[0] = 'did not hold'
            if result and steady:
                end = program.result(mesh, foam.Ended(program.start(mesh, flow, steady, CONVERGED), mesh.folder))
                told.append(f'{mesh.norm(result.velocity - end.velocity):.2g}' if end else '-')
            row = [f'{h:g}', str(len(mesh.centre)), program.name] + told + foam.seconds(times[program])
            print('| ' + ' | '.join(row) + ' |', flush=True)


PARTS = {'cube': (Cube, True), 'cube-time': (Cube, False), 'bend': (Bend, True), 'bend-time': (Bend, False)}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--parts', nargs='+', choices=PARTS, default=list(PARTS))
    p.add_argument('--sizes', type=float, nargs='+', default=[0.15, 0.1, 0.07])
    p.add_argument('--repeat', type=int, default=5)
    p.add_argument('--cores', type=int, default=1, help='over 1: times alone')
    p.add_argument('--only', nargs='+', metavar='NAME', help='programs, as the tables name them')
    p.add_argument('--work', default='build/openfoam')
    p.add_argument('--poise', default=os.path.join(foam.TOP, 'build', 'poise'))
    options = p.parse_args()
    options.poise, options.work = os.path.abspath(options.poise), os.path.abspath(options.work)
    foam.find('simpleFoam', 'gmsh')
    os.makedirs(options.work, exist_ok=True)
    for part in options.parts:
        compare(options, *PARTS[part], options.sizes)


if __name__ == '__main__':
    main()
