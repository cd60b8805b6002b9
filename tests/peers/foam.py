"""Shared by the comparisons with OpenFOAM on Gmsh's meshes: cases of OpenFOAM 1912 and its results (ASCII), timed runs,
and one interpolation for the results of every program."""
import os
import re
import shutil
import subprocess
import tempfile
import time

import numpy as np
from scipy.spatial import cKDTree

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = 'FoamFile { version 2.0; format ascii; class %s; object %s; }\n'
LIMIT = 1800                            # seconds of a run
NEAREST = 40                            # values that a fit of 10 coefficients is made from

DICTIONARIES = {
    'system/controlDict': '''
application @APPLICATION; startFrom startTime; startTime 0; stopAt endTime; endTime @END; deltaT @STEP;
writeControl runTime; writeInterval @WRITE; writePrecision 12; timePrecision 8; runTimeModifiable false;
adjustTimeStep no; maxCo 1; maxAlphaCo 1; maxDeltaT 1;''',
    'system/fvSchemes': '''
ddtSchemes { default @TIME; } gradSchemes { default @GRADIENT; }
divSchemes { default none; div(phi,U) @BOUNDED Gauss linearUpwind grad(U); div(rhoPhi,U) Gauss linearUpwind grad(U);
             div(phi,alpha) Gauss vanLeer; div(phirb,alpha) Gauss linear;
             div((nuEff*dev2(T(grad(U))))) Gauss linear; div(((rho*nuEff)*dev2(T(grad(U))))) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; } interpolationSchemes { default linear; }
snGradSchemes { default corrected; }''',
    'system/decomposeParDict': 'numberOfSubdomains 2; method simple; simpleCoeffs { n (2 1 1); delta 0.001; }',
    'constant/turbulenceProperties': 'simulationType laminar;',
}
PRESSURE = 'solver GAMG; smoother GaussSeidel; tolerance %s; relTol %s;'
VELOCITY = 'solver smoothSolver; smoother symGaussSeidel; tolerance %s; relTol %s;'
SOLUTION = {                            # of simpleFoam, icoFoam and interFoam, as their tutorials have it
    'simpleFoam': f'''
solvers {{ p {{ {PRESSURE % ('1e-12', 0.1)} }} U {{ {VELOCITY % ('1e-12', 0.1)} }} }}
SIMPLE {{ nNonOrthogonalCorrectors @CORRECTORS; consistent yes; pRefCell 0; pRefValue 0;
          residualControl {{ p @TOLERANCE; U @TOLERANCE; }} }}
relaxationFactors {{ equations {{ U 0.9; }} }}''',
    'icoFoam': f'''
solvers {{ p {{ {PRESSURE % ('1e-6', 0.05)} }} pFinal {{ {PRESSURE % ('1e-6', 0)} }} U {{ {VELOCITY % ('1e-5', 0)} }} }}
PISO {{ nCorrectors 2; nNonOrthogonalCorrectors @CORRECTORS; pRefCell 0; pRefValue 0; }}''',
    'interFoam': f'''
solvers {{ "alpha.*" {{ nAlphaCorr 2; nAlphaSubCycles 1; cAlpha 1; MULESCorr yes; nLimiterIter 5; solver smoothSolver;
                        smoother symGaussSeidel; tolerance 1e-8; relTol 0; }}
           "pcorr.*" {{ {PRESSURE % ('1e-5', 0)} }} p_rgh {{ {PRESSURE % ('1e-7', 0.05)} }}
           p_rghFinal {{ {PRESSURE % ('1e-7', 0)} }} U {{ {VELOCITY % ('1e-6', 0)} }} }}
PIMPLE {{ momentumPredictor no; nOuterCorrectors 1; nCorrectors 3; nNonOrthogonalCorrectors @CORRECTORS;
          pRefCell 0; pRefValue 0; }}
relaxationFactors {{ equations {{ ".*" 1; }} }}''',
}


class Ended:
    """A finished command: wall-clock and processor seconds, status, output."""

    def __init__(self, command, folder):
        start = time.perf_counter()
        with tempfile.TemporaryFile('w+') as log:
            child = subprocess.Popen(['timeout', str(LIMIT)] + command, cwd=folder, stdout=log,
                                     stderr=subprocess.STDOUT)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.wall, self.cpu = time.perf_counter() - start, used.ru_utime + used.ru_stime
            log.seek(0)
            self.status, self.log = child.returncode, log.read()


def must(command, folder):
    done = Ended(command, folder)
    if done.status:
        raise SystemExit(f'{" ".join(command)} in {folder} ended with status {done.status}:\n'
                         + '\n'.join(done.log.splitlines()[-15:]))
    return done


def write(folder, name, kind, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='ascii') as out:
        out.write(HEAD % (kind, os.path.basename(name)) + text)


def field(folder, name, dimensions, internal, boundary):
    """A file in 0/: internal a number, a triple or an array of cells; boundary: patch -> its entries."""
    kind = 'volVectorField' if np.shape(internal) == (3,) else 'volScalarField'
    write(folder, '0/' + name, kind,
          f'dimensions [{dimensions} 0 0 0 0];\ninternalField {values(internal)};\nboundaryField {{\n'
          + ''.join(f'{patch} {{ {text} }}\n' for patch, text in boundary.items()) + '}\n')


def values(of):
    """In OpenFOAM's syntax: uniform, or nonuniform if `of` has more than one."""
    of, word = np.asarray(of, float), lambda v: f'({v[0]:.14g} {v[1]:.14g} {v[2]:.14g})' if np.ndim(v) else f'{v:.14g}'
    if of.size in (1, 3):
        return 'uniform ' + word(of)
    kind = 'vector' if of.ndim == 2 else 'scalar'
    return f'nonuniform List<{kind}>\n{len(of)}\n(\n' + '\n'.join(map(word, of)) + '\n)\n'


def prepare(folder, msh):
    """The mesh of a case, its cells in the order that renumberMesh gives them."""
    for name, text in DICTIONARIES.items():
        write(folder, name, 'dictionary', text)
    schemes(folder, 'icoFoam', END=1, STEP=1, TIME='Euler', GRADIENT='Gauss linear', CORRECTORS=0)
    must(['gmshToFoam', os.path.abspath(msh)], folder)
    must(['renumberMesh', '-overwrite'], folder)
    return PolyMesh(folder)


def fill(text, **by):
    for key, value in by.items():
        text = text.replace('@' + key, str(value))
    return text


def schemes(folder, application, **by):
    """Parameters of a run: END, STEP, TIME, GRADIENT, CORRECTORS, TOLERANCE."""
    steady = application == 'simpleFoam'
    by = {'APPLICATION': application, 'BOUNDED': 'bounded' if steady else '', 'TOLERANCE': 0, 'WRITE': by['END']} | by
    for name in ('system/controlDict', 'system/fvSchemes'):
        write(folder, name, 'dictionary', fill(DICTIONARIES[name], **by))
    write(folder, 'system/fvSolution', 'dictionary', fill(SOLUTION[application], **by))


def clear(folder):
    """Removes the results of an earlier run."""
    for old in os.listdir(folder):
        if re.fullmatch(r'[\d.e-]+|processor\d+', old):
            shutil.rmtree(os.path.join(folder, old))


def on_cores(application, folder, cores):
    """The command of a run."""
    if cores == 1:
        return [application]
    must(['decomposePar', '-force'], folder)
    return ['mpirun', '--allow-run-as-root', '-np', str(cores), application, '-parallel']


def entry(text):
    """The first list in a text: N ( ... ), of numbers or of triples."""
    found = re.search(r'\n\s*(\d+)\s*\n\(\n(.*?)\n\)', text, re.S)
    return np.array(found[2].replace('(', ' ').replace(')', ' ').split(), float).reshape(int(found[1]), -1).squeeze()


def read(folder, *path):
    with open(os.path.join(folder, *path), encoding='ascii') as file:
        return file.read()


def internal(folder, when, name):
    return entry(read(folder, when, name).split('boundaryField')[0])


def on_patch(folder, when, name, patch):
    """The values of a patch: a list, or a number for all of it."""
    boundary = read(folder, when, name).split('boundaryField')[1]
    text = re.search(r'\n\s*' + patch + r'\s*\{(.*?)\n\s*\}', boundary, re.S)[1]
    alone = re.search(r'value\s+uniform\s+([^;]+);', text)
    return float(alone[1]) if alone else entry(text)


def last_time(folder):
    return max((d for d in os.listdir(folder) if re.fullmatch(r'\d[\d.e-]*', d)), key=float)


def find(*needed):
    """Ends the script where a program of OpenFOAM or Gmsh is missing."""
    for name in needed:
        if not shutil.which(name):
            raise SystemExit(f'{name} is not on PATH: this comparison needs OpenFOAM and Gmsh '
                             '(Debian: apt install openfoam gmsh)')
    os.environ.setdefault('WM_PROJECT_DIR', '/usr/share/openfoam')              # where Debian puts its controlDict


def seconds(times):
    """Medians of pairs, each with the spread in brackets."""
    return [f'{np.median(t):.3g} ({100 * np.ptp(t) / np.median(t):.0f} %)' for t in zip(*times)]


class PolyMesh:
    """constant/polyMesh: centres of cells and of faces, as the means of their corners; faces of patches."""

    def __init__(self, folder):
        poly = lambda name: read(folder, 'constant', 'polyMesh', name)
        points = entry(poly('points'))
        faces = re.findall(r'\n(\d)\(([^)]*)\)', poly('faces'))
        count = np.array([int(n) for n, _ in faces])
        corner, face = np.array(' '.join(c for _, c in faces).split(), int), np.repeat(np.arange(len(faces)), count)
        owner, neighbour = [entry(poly(name)).astype(int) for name in ('owner', 'neighbour')]
        self.owner, self.neighbour = owner, neighbour
        inner = face < len(neighbour)
        pairs = np.unique(np.concatenate([np.stack([owner[face], corner], 1),
                                          np.stack([neighbour[face[inner]], corner[inner]], 1)]), axis=0)
        mean = lambda of, at: np.array([np.bincount(of, x) for x in points[at].T]).T / np.bincount(of)[:, None]
        self.face_centre, self.centre = mean(face, corner), mean(*pairs.T)
        patches = re.findall(r'\n\s*(\w+)\s*\{[^}]*nFaces\s+(\d+);\s*startFace\s+(\d+);', poly('boundary'))
        self.patches = {name: slice(int(start), int(start) + int(n)) for name, n, start in patches if int(n)}

    def order(self, centres):
        """The number in this mesh of each cell whose centre is given."""
        distance, number = cKDTree(self.centre).query(centres)
        if distance.max() > 1e-7 or len(np.unique(number)) != len(self.centre):
            raise SystemExit('the two programs have different cells')
        return number


def continuity(poly, folder, when):
    """2 sum |net flux of a cell| / sum over cells of sum |flux|, as Poise's residuals.csv has it."""
    flux = np.zeros(len(poly.owner))
    flux[:len(poly.neighbour)] = internal(folder, when, 'phi')
    for name, faces in poly.patches.items():
        flux[faces] = on_patch(folder, when, 'phi', name)
    sides = [(poly.owner, flux), (poly.neighbour, -flux[:len(poly.neighbour)])]
    net, gross = (sum(np.bincount(cell, how(f), len(poly.centre)) for cell, f in sides) for how in (np.array, np.abs))
    return 2 * np.abs(net).sum() / gross.sum()


class Fit:
    """Values at points interpolated by a quadratic through the NEAREST of them, least squares, nearer ones heavier."""

    def __init__(self, points, at):
        self.near = []
        tree = cKDTree(points)
        for first in range(0, len(at), 4096):
            some = at[first:first + 4096]
            distance, near = tree.query(some, NEAREST)
            size = distance[:, -1:]
            r = (points[near] - some[:, None]) / size[..., None]
            basis = np.concatenate([np.ones_like(r[..., :1]), r, r**2, r * np.roll(r, 1, axis=2)], axis=2)
            weight = 1 / (distance / size + 0.1)
            pseudo = np.linalg.pinv(basis * weight[..., None], rcond=1e-10)
            self.near.append((near, pseudo[:, 0] * weight))

    def __call__(self, of):
        return np.concatenate([np.einsum('ij,ij...->i...', weight, of[near]) for near, weight in self.near])
