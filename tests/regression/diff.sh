#!/usr/bin/env bash
# poise diff: bitwise comparison on one mesh; on different meshes exact for linear fields, in 2-D and 3-D; its exit
# status.
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") top=$(realpath "$(dirname "$0")/../..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
# differs NAME STATUS TEXT ARGUMENTS...: poise diff ARGUMENTS ends with the status and prints TEXT
differs() {
    local name=$1 status=$2 text=$3 said found
    shift 3
    said=$("$poise" diff "$@" 2>&1)
    found=$?
    [[ $found == "$status" && $said == *"$text"* ]] && said=""
    result "diff_$name" "${said:+status $found, expected $status, \"$text\": $said}"
}
# One iteration each, for mesh and files; then linear fields are written into them.
run() {                                                          # run DIRECTORY CASE ARGUMENTS...
    "$poise" run "$2" --output "$1" --quiet --device cpu --threads 1 --set solver.max_iterations=1 "${@:3}" \
        >/dev/null 2>&1
    [[ -e $1/fields/000001.h5 ]] || result "diff_prepare_$1" "no fields"
}
cat >box.cfg <<'CASE'
mesh = { box = { cells = [9, 7]; }; };
fluid = { viscosity = 0.1; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1.0, 0.0]; }; };
CASE
sed 's/9, 7/5, 4, 6/; s/\[1.0, 0.0\]/[1.0, 0.0, 0.0]/
     s/left =/back = { type = "wall"; }; front = { type = "wall"; }; left =/' box.cfg >box3.cfg
cat >tets.cfg <<'CASE'
mesh = { file = "cube.geo"; };
fluid = { viscosity = 0.1; };
boundary = { lid = { type = "wall"; velocity = [1.0, 0.0, 0.0]; }; walls = { type = "wall"; }; };
CASE
cat >cube.geo <<'GEO'
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Mesh.MeshSizeMax = 0.3;
Physical Surface("lid") = {6}; Physical Surface("walls") = {1, 2, 3, 4, 5}; Physical Volume("fluid") = {1};
GEO
cavity=$top/cases/cavity/cavity.cfg
run square box.cfg
run again box.cfg
run triangles "$cavity" --set mesh.parameters.n=8 --set mesh.parameters.elements=1
run wide box.cfg --set 'mesh.box.to=[2.0, 1.0]'
run cube box3.cfg
run tets tets.cfg
differs same         0 'velocity                        0            0            0            0'  square again
differs between      1 'the meshes differ'  square triangles
differs dimension    1 'square is 2-D, cube 3-D'  square cube
differs no_field     1 'has no field "velocty"'  square again --fields velocty
differs no_step      1 'step 7 was not written; available: 1'  square again --step 7
differs no_run       1 'expected the output directory of a run'  square nothing
differs bad_norm     1 '--norm l3: expected l1, l2 or max'  square again --norm l3
differs bad_tolerance 1 '--tolerance -1: expected a number >= 0'  square again --tolerance -1
change() {                                                       # change CODE: with f, the fields of every run, and x
    PYTHONPATH=$top/postproc "${PYTHON:-/usr/bin/python3}" - "$1" <<'CODE'
import sys, h5py, numpy as np
from poise import Mesh
for run in ("square", "again", "triangles", "wide", "cube", "tets"):
    x = Mesh(run + "/mesh.h5").centres()
    with h5py.File(run + "/fields/000001.h5", "r+") as f:
        exec(sys.argv[1])
CODE
}
change 'f["pressure"][:] = 3 + x @ [1, -2, 0.5]; f["velocity"][:] = x @ np.array([[1, 2, 0], [3, -1, 0], [0, 0, 1]])'
differs linear_2d    0 'the meshes differ'  square triangles --tolerance 1e-8
differs linear_back  0 'the meshes differ'  triangles square --tolerance 1e-8
differs linear_3d    0 'the meshes differ'  cube tets --tolerance 1e-7
differs linear_tets  0 'the meshes differ'  tets cube --tolerance 1e-7
differs outside      0 'lie outside the second'  wide square --tolerance 1e-8
change 'if run == "again": f["pressure"][10] += 0.25; f["velocity"][3] += [3, 4, 0]'
differs norms        1 'velocity                 0.079365      0.62994            5'  square again --norm l2
differs where        1 'pressure                0.0039683     0.031497         0.25'  square again
differs tolerance    0 'pressure '  square again --fields pressure --tolerance 0.1
differs beyond       1 'pressure '  square again --fields pressure --tolerance 0.05
change 'if run == "again": f["pressure"][10] = np.nan'
differs no_number    1 'inf'  square again --tolerance 1e300
differs no_names     1 '--fields ",": expected comma-separated names'  square again --fields ,
differs empty_names  1 '--fields "": expected comma-separated names'  square again --fields ""
exit $failed
