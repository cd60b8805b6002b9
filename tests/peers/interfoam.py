#!/usr/bin/env python3
"""Times the rising bubble of Hysing et al., case 1, side by side with OpenFOAM's interFoam: same squares, same time
step.

    tests/peers/interfoam.py [--cells 80] [--step 0.001] [--steps 200] [--cores 1 2] [--repeat 3] [--poise build/poise]
    tests/peers/interfoam.py --steps 3000 --repeat 1          to t = 3: results as well

--cells: across the width; twice as many up.  interFoam: Euler, 3 pressure corrections, no momentum predictor, as in its
tutorial damBreak; --pressure PCG or GAMG (last corrector to 1e-7 as there), or loose: GAMG to a tenth, the quickest.
--theirs: only interFoam.  Each repeat runs the programs one after the other; the table gives medians, and the load of
the machine before.  OpenFOAM (Debian: apt install openfoam) is needed for this comparison only, never by Poise."""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = 'FoamFile { version 2.0; format ascii; class %s; object %s; }\n'
PRESSURE = {
    'PCG': 'solver PCG; preconditioner DIC; tolerance 1e-7; relTol 0.05;',
    'GAMG': 'solver GAMG; smoother GaussSeidel; tolerance 1e-7; relTol 0.05;',
    'loose': 'solver GAMG; smoother GaussSeidel; tolerance 1e-7; relTol 0.1;',
}
FILES = {
    'system/blockMeshDict': ('dictionary', '''
convertToMeters 1;
vertices ((0 0 0) (1 0 0) (1 2 0) (0 2 0) (0 0 0.1) (1 0 0.1) (1 2 0.1) (0 2 0.1));
blocks (hex (0 1 2 3 4 5 6 7) (@NX @NY 1) simpleGrading (1 1 1));
edges ();
boundary (ends { type wall; faces ((3 7 6 2) (1 5 4 0)); } sides { type patch; faces ((0 4 7 3) (2 6 5 1)); }
          frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); });
mergePatchPairs ();'''),
    'system/controlDict': ('dictionary', '''
application interFoam; startFrom startTime; startTime 0; stopAt endTime; endTime @END; deltaT @STEP;
writeControl runTime; writeInterval @WRITE; writePrecision 10; timePrecision 8; runTimeModifiable false;
adjustTimeStep no; maxCo 1; maxAlphaCo 1; maxDeltaT 1;'''),
    'system/fvSchemes': ('dictionary', '''
ddtSchemes { default Euler; } gradSchemes { default Gauss linear; }
divSchemes { default none; div(rhoPhi,U) Gauss linearUpwind grad(U); div(phi,alpha) Gauss vanLeer;
             div(phirb,alpha) Gauss linear; div(((rho*nuEff)*dev2(T(grad(U))))) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; } interpolationSchemes { default linear; }
snGradSchemes { default corrected; }'''),
    'system/fvSolution': ('dictionary', '''
solvers { "alpha.*" { nAlphaCorr 2; nAlphaSubCycles 1; cAlpha 1; MULESCorr yes; nLimiterIter 5; solver smoothSolver;
                      smoother symGaussSeidel; tolerance 1e-8; relTol 0; }
          "pcorr.*" { solver PCG; preconditioner DIC; tolerance 1e-5; relTol 0; }
          p_rgh { @PRESSURE } p_rghFinal { @PRESSURE @FINAL }
          U { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-6; relTol 0; } }
PIMPLE { momentumPredictor no; nOuterCorrectors 1; nCorrectors 3; nNonOrthogonalCorrectors 0; pRefCell 0; pRefValue 0; }
relaxationFactors { equations { ".*" 1; } }'''),
    'system/decomposeParDict': ('dictionary', 'numberOfSubdomains 2; method simple; '
                                              'simpleCoeffs { n (1 2 1); delta 0.001; }'),
    'constant/g': ('uniformDimensionedVectorField', 'dimensions [0 1 -2 0 0 0 0]; value (0 -0.98 0);'),
    'constant/turbulenceProperties': ('dictionary', 'simulationType laminar;'),
    'constant/transportProperties': ('dictionary', '''
phases (liquid bubble); sigma 24.5;
liquid { transportModel Newtonian; nu 0.01; rho 1000; } bubble { transportModel Newtonian; nu 0.01; rho 100; }'''),
    '0/U': ('volVectorField', '''
dimensions [0 1 -1 0 0 0 0]; internalField uniform (0 0 0);
boundaryField { ends { type noSlip; } sides { type slip; } frontAndBack { type empty; } }'''),
    '0/p_rgh': ('volScalarField', '''
dimensions [1 -1 -2 0 0 0 0]; internalField uniform 0;
boundaryField { ends { type fixedFluxPressure; value uniform 0; } sides { type fixedFluxPressure; value uniform 0; }
                frontAndBack { type empty; } }'''),
    '0/alpha.liquid': ('volScalarField', '''
dimensions [0 0 0 0 0 0 0]; internalField nonuniform List<scalar>
@LIQUID;
boundaryField { ends { type zeroGradient; } sides { type zeroGradient; } frontAndBack { type empty; } }'''),
}


def call(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f'{command[0]} ended with status {done.returncode}:\n' + '\n'.join(done.stdout.splitlines()[-15:]))
    return done.stdout


def fractions(n):
    """Of the bubble, radius 0.25 about (0.5, 0.5), in n x 2n squares, row by row; from 64 points a side of a cut
    square."""
    point = (np.arange(64) + 0.5) / (64 * n)
    x = (np.arange(n) / n)[:, None] + point - 0.5
    y = (np.arange(2 * n) / n)[:, None] + point - 0.5
    return np.array([[np.mean(a[:, None] ** 2 + b ** 2 < 0.0625) for a in x] for b in y]).ravel()


def internal(path):
    """The numbers of a field file's cells, [n] or [n, 3]."""
    with open(path, encoding='ascii') as file:
        text = file.read()
    body = re.search(r'internalField\s+nonuniform List<\w+>\s*\d+\s*\((.*?)\n\)\s*;', text, re.S)
    return np.array([[float(v) for v in line.strip('()').split()] for line in body[1].strip().splitlines()]).squeeze()


def outcome(folder, n):
    """Centroid at the end and largest rise velocity with its time, from the written fields."""
    y = np.repeat((np.arange(2 * n) + 0.5) / n, n)
    found = []
    for name in sorted((d for d in os.listdir(folder) if re.fullmatch(r'[\d.]+', d) and d != '0'), key=float):
        bubble = 1 - internal(os.path.join(folder, name, 'alpha.liquid'))
        rise = internal(os.path.join(folder, name, 'U'))[:, 1]
        found.append((float(name), (bubble @ y) / bubble.sum(), (bubble @ rise) / bubble.sum()))
    top = max(found, key=lambda row: row[2])
    return f'y_c({found[-1][0]:g}) = {found[-1][1]:.4f}, largest rise velocity {top[2]:.4f} at {top[0]:g}'


def interfoam(folder, n, cores, options):
    """Milliseconds a step from the first to the last step, seconds in all."""
    end = options.steps * options.step
    bubble = fractions(n)
    values = {'@NX': n, '@NY': 2 * n, '@END': f'{end:.10g}', '@STEP': options.step,
              '@WRITE': f'{end if options.steps < 1000 else end / 100:.10g}',
              '@PRESSURE': PRESSURE[options.pressure], '@FINAL': '' if options.pressure == 'loose' else 'relTol 0;',
              '@LIQUID': f'{len(bubble)}\n(\n' + '\n'.join(f'{1 - a:.10g}' for a in bubble) + '\n)'}
    for name, (kind, text) in FILES.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        for key, value in values.items():
            text = text.replace(key, str(value))
        with open(path, 'w', encoding='ascii') as out:
            out.write(HEAD % (kind, os.path.basename(name)) + text)
    call(['blockMesh'], cwd=folder)
    command = ['interFoam']
    if cores > 1:
        call(['decomposePar'], cwd=folder)
        command = ['mpirun', '--allow-run-as-root', '-np', str(cores), 'interFoam', '-parallel']
    start = time.perf_counter()
    log = call(command, cwd=folder)
    wall = time.perf_counter() - start
    spent = [float(x) for x in re.findall(r'^ExecutionTime = ([\d.]+) s', log, re.M)]
    iterations = sum(int(x) for x in re.findall(r'Solving for p_rgh.*No Iterations (\d+)', log))
    result = ''
    if options.steps >= 1000:
        if cores > 1:
            call(['reconstructPar'], cwd=folder)
        result = outcome(folder, n)
    processor = 1000 * (spent[-1] - spent[0]) / (len(spent) - 1)
    told = f'{processor:.1f} ms of its first core; {iterations / len(spent):.1f} pressure iterations'
    return 1000 * wall / len(spent), wall, told, result


def poise(folder, n, cores, options):
    output = os.path.join(folder, 'bubble.out')
    command = [os.path.abspath(options.poise), 'run', os.path.join(TOP, 'cases', 'bubble', 'bubble.cfg'), '--device',
               'cpu', '--threads', str(cores), '--output', output]
    for key, value in {'mesh.parameters.h': 1 / n, 'time.end': options.steps * options.step, 'time.step': options.step,
                       'time.scheme': '"euler"', 'output.every': 0, 'output.interval': options.steps * options.step,
                       'solver.correctors': 3}.items():
        command += ['--set', f'{key}={value}']
    call(command + ['--set', 'time.end=' + str(options.step)])               # makes the mesh, which is not measured
    start = time.perf_counter()
    call(command)
    wall = time.perf_counter() - start
    return 1000 * wall / options.steps, wall, '', ''


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--cells', type=int, nargs='+', default=[80])
    p.add_argument('--step', type=float, default=0.001)
    p.add_argument('--steps', type=int, default=200)
    p.add_argument('--cores', type=int, nargs='+', default=[1, 2])
    p.add_argument('--repeat', type=int, default=3)
    p.add_argument('--pressure', choices=PRESSURE, default='loose')
    p.add_argument('--poise', default=os.path.join(TOP, 'build', 'poise'))
    p.add_argument('--theirs', action='store_true')
    options = p.parse_args()
    if not shutil.which('interFoam'):
        sys.exit('interFoam is not on PATH: this comparison needs OpenFOAM (Debian: apt install openfoam)')
    os.environ.setdefault('WM_PROJECT_DIR', '/usr/share/openfoam')          # where Debian puts its controlDict
    programs = [interfoam] if options.theirs else [interfoam, poise]
    print(f'{"cells":>10} {"cores":>5} {"program":>10} {"ms a step":>9} {"s":>8} {"load":>5}')
    for n in options.cells:
        for cores in options.cores:
            medians = []
            runs = {program: [] for program in programs}
            load = os.getloadavg()[0]
            for _ in range(options.repeat):
                for program in programs:
                    with tempfile.TemporaryDirectory() as folder:
                        runs[program].append(program(folder, n, cores, options))
            for program, found in runs.items():
                step, wall = (statistics.median(r[k] for r in found) for k in (0, 1))
                medians.append(step)
                print(f'{f"{n}x{2 * n}":>10} {cores:>5} {program.__name__:>10} '
                      f'{step:>9.2f} {wall:>8.2f} {load:>5.1f}   '
                      + '; '.join(t for t in found[0][2:] if t), flush=True)
            if len(medians) == 2:
                print(f'{"":>10} Poise / interFoam: {medians[1] / medians[0]:.2f}', flush=True)


if __name__ == '__main__':
    main()
