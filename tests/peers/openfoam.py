#!/usr/bin/env python3
"""Times the cavity side by side with OpenFOAM's simpleFoam: same squares, SIMPLEC, central convection, to 1e-6.

    tests/peers/openfoam.py [--cells 64 128] [--cores 1 2] [--repeat 3] [--poise build/poise]

Each repeat runs both programs one after the other; the table gives medians.  OpenFOAM (Debian: apt install openfoam) is
needed for this comparison only, never by Poise."""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HEAD = 'FoamFile {{ version 2.0; format ascii; class {}; object {}; }}\n'
FILES = {
    'system/blockMeshDict': ('dictionary', '''
convertToMeters 1;
vertices ((0 0 0) (1 0 0) (1 1 0) (0 1 0) (0 0 0.1) (1 0 0.1) (1 1 0.1) (0 1 0.1));
blocks (hex (0 1 2 3 4 5 6 7) (N N 1) simpleGrading (1 1 1));
edges ();
boundary (lid {{ type wall; faces ((3 7 6 2)); }} walls {{ type wall; faces ((0 4 7 3) (2 6 5 1) (1 5 4 0)); }}
          frontAndBack {{ type empty; faces ((0 3 2 1) (4 5 6 7)); }});
mergePatchPairs ();'''),
    'system/controlDict': ('dictionary', '''
application simpleFoam; startFrom startTime; startTime 0; stopAt endTime; endTime 20000; deltaT 1;
writeControl timeStep; writeInterval 20000; timePrecision 8; runTimeModifiable false;'''),
    'system/fvSchemes': ('dictionary', '''
ddtSchemes {{ default steadyState; }} gradSchemes {{ default Gauss linear; }}
divSchemes {{ default none; div(phi,U) Gauss linear; div((nuEff*dev2(T(grad(U))))) Gauss linear; }}
laplacianSchemes {{ default Gauss linear corrected; }} interpolationSchemes {{ default linear; }}
snGradSchemes {{ default corrected; }}'''),
    'system/fvSolution': ('dictionary', '''
solvers {{ p {{ solver GAMG; smoother GaussSeidel; tolerance 1e-12; relTol 0.1; }}
           U {{ solver smoothSolver; smoother symGaussSeidel; tolerance 1e-12; relTol 0.1; }} }}
SIMPLE {{ nNonOrthogonalCorrectors 0; consistent yes; pRefCell 0; pRefValue 0;
          residualControl {{ p 1e-6; U 1e-6; }} }}
relaxationFactors {{ equations {{ U 0.9; }} }}'''),
    'system/decomposeParDict': ('dictionary', 'numberOfSubdomains 2; method simple; '
                                              'simpleCoeffs {{ n (2 1 1); delta 0.001; }}'),
    'constant/transportProperties': ('dictionary', 'transportModel Newtonian; nu 0.001;'),
    'constant/turbulenceProperties': ('dictionary', 'simulationType laminar;'),
    '0/U': ('volVectorField', '''
dimensions [0 1 -1 0 0 0 0]; internalField uniform (0 0 0);
boundaryField {{ lid {{ type fixedValue; value uniform (1 0 0); }} walls {{ type noSlip; }}
                frontAndBack {{ type empty; }} }}'''),
    '0/p': ('volScalarField', '''
dimensions [0 2 -2 0 0 0 0]; internalField uniform 0;
boundaryField {{ lid {{ type zeroGradient; }} walls {{ type zeroGradient; }} frontAndBack {{ type empty; }} }}'''),
}


def call(command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **more).stdout


def openfoam(folder, n, cores):
    """Seconds in all, seconds an iteration, iterations."""
    for name, (kind, text) in FILES.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as out:
            out.write(HEAD.format(kind, os.path.basename(name)) + text.format().replace('N N', f'{n} {n}'))
    call(['blockMesh'], cwd=folder)
    command = ['simpleFoam']
    if cores > 1:
        call(['decomposePar'], cwd=folder)
        command = ['mpirun', '--allow-run-as-root', '-np', str(cores), 'simpleFoam', '-parallel']
    start = time.perf_counter()
    log = call(command, cwd=folder)
    wall = time.perf_counter() - start
    spent = [float(x) for x in re.findall(r'^ExecutionTime = ([\d.]+) s', log, re.M)]
    return wall, (spent[-1] - spent[0]) / (len(spent) - 1), len(spent)


CASE = '''mesh = {{ box = {{ cells = [{0}, {0}]; }}; }};
fluid = {{ viscosity = 0.001; }};
boundary = {{ top = {{ type = "wall"; velocity = [1.0, 0.0]; }};
  left = {{ type = "wall"; }}; right = {{ type = "wall"; }}; bottom = {{ type = "wall"; }}; }};
solver = {{ convection = "central"; }};
'''


def poise(folder, n, cores, program):
    with open(os.path.join(folder, 'cavity.cfg'), 'w') as out:
        out.write(CASE.format(n))
    start = time.perf_counter()
    log = call([program, 'run', 'cavity.cfg', '--device', 'cpu', '--threads', str(cores)], cwd=folder)
    wall = time.perf_counter() - start
    found = re.search(r'for (\d+) iterations: ([\d.e+-]+) s an iteration', log)
    return wall, float(found.group(2)), int(found.group(1))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--cells', type=int, nargs='+', default=[64, 128])
    p.add_argument('--cores', type=int, nargs='+', default=[1, 2])
    p.add_argument('--repeat', type=int, default=3)
    p.add_argument('--poise', default='build/poise')
    a = p.parse_args()
    if not shutil.which('simpleFoam'):
        sys.exit('simpleFoam is not on PATH: this comparison needs OpenFOAM (Debian: apt install openfoam)')
    os.environ.setdefault('WM_PROJECT_DIR', '/usr/share/openfoam')          # where Debian puts its controlDict
    program = os.path.abspath(a.poise)
    print(f'{"cavity":>8} {"cores":>5}   {"OpenFOAM: s":>11} {"iterations":>10} {"us/cell/it":>10}   '
          f'{"Poise: s":>9} {"iterations":>10} {"us/cell/it":>10}   {"per it":>7} {"wall":>6}')
    for n in a.cells:
        for cores in a.cores:
            theirs, ours = [], []
            for _ in range(a.repeat):
                with tempfile.TemporaryDirectory() as folder:
                    theirs.append(openfoam(folder, n, cores))
                    ours.append(poise(folder, n, cores, program))
            t, o = ([statistics.median(x) for x in zip(*runs)] for runs in (theirs, ours))
            print(f'{n:>6}^2 {cores:>5}   {t[0]:>11.2f} {t[2]:>10.0f} {1e6 * t[1] / n**2:>10.3f}   '
                  f'{o[0]:>9.2f} {o[2]:>10.0f} {1e6 * o[1] / n**2:>10.3f}   {o[1] / t[1]:>7.2f} {o[0] / t[0]:>6.2f}',
                  flush=True)


if __name__ == '__main__':
    main()
