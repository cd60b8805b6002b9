#!/usr/bin/python3
"""A drop of 1000 times the density of what is around it falls into a pool, in Gmsh's tetrahedra: Poise and interFoam.

    tests/peers/openfoam_drop.py [--sizes 0.1] [--step 0.005] [--repeat 3] [--work build/openfoam]
        [--poise build/poise]

The flow is "fall" of tests/verify/meshes.py in the tank of tests/meshes; the same fixed step, one core.  Poise as it
comes; interFoam as in its tutorial damBreak: Euler, three corrections, no predictor, GAMG, one non-orthogonal
corrector, linear-upwind; from the fractions that Poise starts from.  Until t = 0.9 the drop falls freely but for the
light fluid, a thousandth of its weight:
    centre      of what is heavy above z = 0.4 at t = 0.9, less that of free fall, in radii: upwards and sideways
    kept        the volume of that, of the drop's
    smeared     the volume of cells there with fractions of 0.01 ... 0.99, of the drop's
    speed       the largest, at any tenth of a second to 0.9; what falls has 0.9
    volume      relative error of all that is heavy, at the end, t = 1.3; fractions: the least and 1 less the largest"""
import argparse
import os
import sys

import numpy as np

import foam
from openfoam_tetrahedra import Mesh, Run, write

sys.path.insert(0, os.path.join(foam.TOP, 'tests', 'verify'))
from meshes import FLOWS  # noqa: E402

END, LOOK, FLOOR, RADIUS, HEAVY = 1.3, 0.9, 0.4, 0.2, 4 / 3 * np.pi * 0.2**3
CENTRE = np.array([0.45, 0.5, 1.1 - LOOK**2 / 2])


class Poise:
    name = 'Poise'

    def start(self, mesh, options):
        write(os.path.join(mesh.folder, 'poise.cfg'), f'mesh = {{ file = "{mesh.native}"; }};\n' + FLOWS['fall']
              + f'solver = {{ algorithm = "piso"; }};\ntime = {{ end = {END}; step = {options.step}; }};\n'
              + 'output = { interval = 0.1; fields = ["velocity", "pressure", "fraction"]; };\n')
        return [options.poise, 'run', 'poise.cfg', '--device', 'cpu', '--threads', '1']

    def fields(self, mesh):
        """(time, velocity, fraction) of what has been written."""
        run = Run(os.path.join(mesh.folder, 'poise.out'))
        return [(run.time(step), run.field('velocity', step), run.field('fraction', step)) for step in run.steps]


class InterFoam:
    def __init__(self, gradient):
        self.name, self.gradient = 'interFoam, ' + gradient, gradient

    def start(self, mesh, options):
        foam.clear(mesh.folder)
        foam.schemes(mesh.folder, 'interFoam', END=END, STEP=options.step, TIME='Euler', GRADIENT=self.gradient,
                     CORRECTORS=1, WRITE=0.1)
        foam.write(mesh.folder, 'constant/g', 'uniformDimensionedVectorField',
                   'dimensions [0 1 -2 0 0 0 0]; value (0 0 -1);')
        foam.write(mesh.folder, 'constant/transportProperties', 'dictionary', '''phases (heavy light); sigma 0.1;
heavy { transportModel Newtonian; nu 1e-5; rho 1000; } light { transportModel Newtonian; nu 1e-4; rho 1; }''')
        start = np.empty(len(mesh.centre))
        start[mesh.order] = Poise().fields(mesh)[0][2]
        foam.field(mesh.folder, 'U', '0 1 -1', [0, 0, 0], {'walls': 'type noSlip;'})
        foam.field(mesh.folder, 'p_rgh', '1 -1 -2', 0, {'walls': 'type fixedFluxPressure; value uniform 0;'})
        foam.field(mesh.folder, 'alpha.heavy', '0 0 0', start, {'walls': 'type zeroGradient;'})
        return ['interFoam']

    def fields(self, mesh):
        """Without the start, whose velocity is uniform."""
        times = sorted((d for d in os.listdir(mesh.folder) if d[0].isdigit() and float(d) > 0), key=float)
        read = lambda t, name: foam.internal(mesh.folder, t, name)[mesh.order]
        return [(float(t), read(t, 'U'), read(t, 'alpha.heavy')) for t in times]


def measures(mesh, fields, start):
    speed = max(np.linalg.norm(u, axis=1).max() for t, u, _ in fields if t < LOOK + 1e-6)
    fraction = next(f for t, _, f in fields if abs(t - LOOK) < 1e-6)
    heavy = mesh.volume * fraction * (mesh.centre[:, 2] > FLOOR)
    off = (heavy @ mesh.centre / heavy.sum() - CENTRE) / RADIUS
    smeared = mesh.volume @ ((fraction > 0.01) & (fraction < 0.99) & (mesh.centre[:, 2] > FLOOR))
    last = fields[-1][2]
    return [off[2], np.hypot(off[0], off[1]), heavy.sum() / HEAVY, smeared / HEAVY, speed,
            mesh.volume @ last / (mesh.volume @ start) - 1, last.min(), 1 - last.max()]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--sizes', type=float, nargs='+', default=[0.1])
    p.add_argument('--step', type=float, default=0.005)
    p.add_argument('--repeat', type=int, default=3)
    p.add_argument('--work', default='build/openfoam')
    p.add_argument('--poise', default=os.path.join(foam.TOP, 'build', 'poise'))
    options = p.parse_args()
    options.poise, options.work = os.path.abspath(options.poise), os.path.abspath(options.work)
    foam.find('interFoam', 'gmsh')
    print('| h | cells | program | centre, up | sideways | kept | smeared | speed | volume | least | 1 - largest | s '
          '| processor s |\n' + '|---' * 13 + '|', flush=True)
    for h in options.sizes:
        mesh = Mesh(options, 'tank', h)
        runs = [Poise(), InterFoam('Gauss linear'), InterFoam('pointCellsLeastSquares')]
        times, told, start = {r: [] for r in runs}, {}, None
        for _ in range(options.repeat):
            for r in runs:
                ended = foam.Ended(r.start(mesh, options), mesh.folder)
                times[r].append((ended.wall, ended.cpu))
                if r not in told and ended.status == 0:
                    fields = r.fields(mesh)
                    start = fields[0][2] if start is None else start
                    told[r] = [f'{m:.3g}' for m in measures(mesh, fields, start)]
        for r in runs:
            row = [f'{h:g}', str(len(mesh.centre)), r.name] + told.get(r, ['did not hold'] + ['-'] * 7)
            print('| ' + ' | '.join(row + foam.seconds(times[r])) + ' |', flush=True)


if __name__ == '__main__':
    main()
