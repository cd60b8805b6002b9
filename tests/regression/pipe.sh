#!/usr/bin/env bash
# Developed flow in a round pipe: radius 1, mean velocity 1, viscosity 0.1.  Wall shear 4 mu U/R = 0.4, pressure drop 8
# mu U/R^2 = 0.8 per length; inflow equals outflow.
cd "$(dirname "$0")/../.." || exit 1
source tests/checks.sh
poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
cat >pipe.geo <<'END_OF_GEO'
SetFactory("OpenCASCADE");
Disk(1) = {0, 0, 0, 1};
Mesh.MeshSizeMin = 1 / 6; Mesh.MeshSizeMax = 1 / 6;
out[] = Extrude {0, 0, 2} { Surface{1}; Layers{6}; Recombine; };
Physical Surface("inlet") = {1};
Physical Surface("outlet") = {out[0]};
Physical Surface("wall") = {out[2]};
Physical Volume("fluid") = {out[1]};
END_OF_GEO
cat >pipe.cfg <<'END_OF_CASE'
mesh = { file = "pipe.geo"; };
fluid = { density = 1.0; viscosity = 0.1; };
boundary = { inlet = { type = "inlet"; velocity = [0.0, 0.0, 2.0]; profile = "paraboloid"; };
             outlet = { type = "outlet"; }; wall = { type = "wall"; }; };
solver = { algorithm = "coupled"; tolerance = 1e-6; };
surfaces = { wall = { boundaries = ["wall"]; };
             ends = { boundaries = ["inlet", "outlet"]; fields = ["flow"]; }; };
END_OF_CASE
check pipe-converges "$poise" run pipe.cfg --quiet --device cpu --threads 1
near() {                                                         # near TABLE COLUMN EXPECTED TOLERANCE
    awk -F, -v name="$2" -v expected="$3" -v tolerance="$4" '
        NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k }
        END { off = $at - expected; print name " is " $at ", expected " expected
              exit !(at && off <= tolerance && off >= -tolerance) }' "pipe.out/surfaces/$1.csv"
}
check pipe-shear         near wall shear_z     0.4 0.008
check pipe-shear-least   near wall shear_z_min 0.4 0.02
check pipe-shear-most    near wall shear_z_max 0.4 0.02
check pipe-shear-across  near wall shear_x     0   0.001
check pipe-pressure      near wall pressure    0.8 0.016
check pipe-pressure-most near wall pressure_max 1.5 0.05             # a half of a cell, 1/6, behind the inlet
check pipe-balance       near ends flow        0   1e-5
exit $failed
