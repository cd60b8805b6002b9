#!/usr/bin/env bash
# Natural convection at Ra 10^6 (cases/convection) beside OpenFOAM's buoyantBoussinesqSimpleFoam, on 80 x 80 graded
# quadrilaterals and one core: time to convergence, and the Nusselt number of the hot wall.  The relaxation factors are
# the fastest of four sets that were tried: 1000 iterations, others 2300 to 5200.
#   tests/peers/convection.sh [REPEAT]        POISE: the program (build/poise)
set -e
cd "$(dirname "$0")/../.."
top=$PWD poise=$(realpath "${POISE:-build/poise}") repeat=${1:-3} work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC1091
. /usr/share/openfoam/etc/bashrc >/dev/null 2>&1 || true
export WM_PROJECT_DIR=${WM_PROJECT_DIR:-/usr/share/openfoam}
mkdir -p "$work"/{0,constant,system}
cd "$work"
cat >system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
scale 1;
vertices ((0 0 0)(1 0 0)(1 1 0)(0 1 0)(0 0 0.1)(1 0 0.1)(1 1 0.1)(0 1 0.1));
blocks (hex (0 1 2 3 4 5 6 7) (80 80 1) simpleGrading (((0.5 0.5 6)(0.5 0.5 0.166666667)) ((0.5 0.5 6)(0.5 0.5
0.166666667)) 1));
edges ();
boundary ( hot {type wall; faces ((0 4 7 3));} cold {type wall; faces ((1 2 6 5));} sides {type wall; faces
((0 1 5 4)(3 7 6 2));} frontAndBack {type empty; faces ((0 3 2 1)(4 5 6 7));} );
END
cat >system/controlDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object controlDict; }
application buoyantBoussinesqSimpleFoam; startFrom startTime; startTime 0; stopAt endTime; endTime 8000;
deltaT 1; writeControl timeStep; writeInterval 5000; purgeWrite 0; writeFormat ascii; writePrecision 10;
timeFormat general; runTimeModifiable false;
END
cat >system/fvSchemes <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object fvSchemes; }
ddtSchemes { default steadyState; } gradSchemes { default Gauss linear; }
divSchemes { default none; div(phi,U) bounded Gauss linear; div(phi,T) bounded Gauss linear;
div((nuEff*dev2(T(grad(U))))) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; } interpolationSchemes { default linear; } snGradSchemes {
default corrected; }
END
cat >system/fvSolution <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object fvSolution; }
solvers { p_rgh { solver GAMG; smoother DICGaussSeidel; tolerance 1e-10; relTol 0.05; } "(U|T)" { solver
PBiCGStab; preconditioner DILU; tolerance 1e-11; relTol 0.1; } }
SIMPLE { nNonOrthogonalCorrectors 0; consistent no; pRefCell 0; pRefValue 0; residualControl { p_rgh 1e-7; U
1e-7; T 1e-7; } }
relaxationFactors { fields { p_rgh 0.3; } equations { U 0.5; T 0.9; } }
END
cat >constant/g <<'END'
FoamFile { version 2.0; format ascii; class uniformDimensionedVectorField; object g; }
dimensions [0 1 -2 0 0 0 0]; value (0 -1 0);
END
cat >constant/transportProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object transportProperties; }
transportModel Newtonian; nu 8.4261498e-4; beta 1; TRef 0.5; Pr 0.71; Prt 0.85;
END
cat >constant/turbulenceProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }
simulationType laminar;
END
cat >0/T <<'END'
FoamFile { version 2.0; format ascii; class volScalarField; object T; }
dimensions [0 0 0 1 0 0 0]; internalField uniform 0.5;
boundaryField { hot { type fixedValue; value uniform 1; } cold { type fixedValue; value uniform 0; } sides {
type zeroGradient; } frontAndBack { type empty; } }
END
cat >0/U <<'END'
FoamFile { version 2.0; format ascii; class volVectorField; object U; }
dimensions [0 1 -1 0 0 0 0]; internalField uniform (0 0 0);
boundaryField { hot { type noSlip; } cold { type noSlip; } sides { type noSlip; } frontAndBack { type empty; } }
END
cat >0/alphat <<'END'
FoamFile { version 2.0; format ascii; class volScalarField; object alphat; }
dimensions [0 2 -1 0 0 0 0]; internalField uniform 0;
boundaryField { hot { type calculated; value uniform 0; } cold { type calculated; value uniform 0; } sides {
type calculated; value uniform 0; } frontAndBack { type empty; } }
END
cat >0/p <<'END'
FoamFile { version 2.0; format ascii; class volScalarField; object p; }
dimensions [0 2 -2 0 0 0 0]; internalField uniform 0;
boundaryField { hot { type calculated; value uniform 0; } cold { type calculated; value uniform 0; } sides {
type calculated; value uniform 0; } frontAndBack { type empty; } }
END
cat >0/p_rgh <<'END'
FoamFile { version 2.0; format ascii; class volScalarField; object p_rgh; }
dimensions [0 2 -2 0 0 0 0]; internalField uniform 0;
boundaryField { hot { type fixedFluxPressure; rho rhok; value uniform 0; } cold { type fixedFluxPressure; rho
rhok; value uniform 0; } sides { type fixedFluxPressure; rho rhok; value uniform 0; } frontAndBack { type
empty; } }
END
blockMesh >/dev/null
for ((i = 0; i < repeat; i++)); do
    rm -rf [1-9]*
    buoyantBoussinesqSimpleFoam >log
    echo "OpenFOAM: $(grep -c '^Time = ' log) iterations, $(grep ExecutionTime log | tail -1)"
    "$poise" run "$top/cases/convection/convection.cfg" --device cpu --threads 1 --output "$work/poise.out" |
        grep -E '^CONVERGED|^time|heat   hot'
done
"${PYTHON:-/usr/bin/python3}" - [1-9]* <<'END'
import sys

import numpy as np

n, q = 80, 6 ** (1 / 39)
half = q ** np.arange(n // 2)
width = np.concatenate([half, half[::-1]]) / (2 * half.sum())
with open(sys.argv[1] + "/T", encoding="ascii") as file:
    cells = np.array(file.read().split("(")[1].split(")")[0].split(), float).reshape(n, n)
print("OpenFOAM: Nusselt number", ((1 - cells[:, 0]) / (width[0] / 2) * width).sum())
END
