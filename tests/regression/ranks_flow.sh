#!/usr/bin/env bash
# poise run on several ranks (docs/explanation/scaling.md), on the CPU, more of them than cores: the digest and the
# files of one; restarts on other numbers of ranks; errors.
cases=$(realpath "$(dirname "$0")/../../cases") meshes=$(realpath "$(dirname "$0")/../meshes")
source "$(dirname "$0")/../ranks.sh"

channel='fluid = { viscosity = 0.01; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; profile = "parabolic"; }; right = { type = "outlet"; };
             bottom = { type = "wall"; }; top = { type = "symmetry"; }; };
scalars = { dye = { diffusivity = 0.003; values = { left = 1.0; }; };
            heat = { diffusivity = 0.01; convection = "van-leer"; values = { left = 0.0; };
                     fluxes = { bottom = 0.3; }; }; };
mesh = { box = { cells = [60, 50]; distortion = 0.25; }; };
forces = { floor = { boundaries = ["bottom", "top"]; scale = 1.0; }; };
probes = { p = { at = [0.5, 0.5]; }; q = { at = [0.01, 0.9]; }; };
lines = { across = { from = [0.4, 0.0]; to = [0.4, 1.0]; points = 20; }; };
surfaces = { rim = { boundaries = ["top", "bottom", "right"];
                     fields = ["pressure", "shear", "flow", "heat", "heat-flux"]; }; };
planes = { cut = { point = [0.4, 0.4]; normal = [1.0, 0.6]; every = 3;
                   fields = ["velocity", "vorticity", "heat"]; }; };'
cat >steady.cfg <<<"$channel"'
solver = { max_iterations = 8; non_orthogonal_correctors = 1; };
output = { fields = ["velocity", "pressure", "gradient", "vorticity", "dye"]; };'
cat >pimple.cfg <<<"$channel"'
solver = { algorithm = "pimple"; outer_correctors = 2; non_orthogonal_correctors = 1; };
time = { end = 1.0; step = 0.02; courant = 0.6; max_steps = 4; };
averages = { from = 0.01; fields = ["velocity", "vorticity"]; };'
cat >cube.cfg <<EOT
mesh = { file = "$meshes/cube_tets.geo"; parameters = { h = 0.15; }; };
fluid = { viscosity = 0.01; };
boundary = { lid = { type = "wall"; velocity = [1.0, 0.0, 0.0]; }; walls = { type = "wall"; }; };
solver = { max_iterations = 4; };
EOT
cat >pipe.cfg <<EOT
mesh = { file = "$meshes/bent_pipe.geo"; parameters = { h = 0.25; elements = 2; }; };
fluid = { viscosity = 0.01; };
boundary = { inlet = { type = "inlet"; velocity = [0.0, 0.0, 1.0]; }; outlet = { type = "outlet"; };
             wall = { type = "wall"; }; };
solver = { max_iterations = 4; algorithm = "simple"; acceleration = 3; };
EOT
cat >layer.cfg <<'EOT'
mesh = { box = { cells = [16, 12, 13]; distortion = 0.2; }; };
fluid = { viscosity = 0.02; };
boundary = { left = { type = "periodic"; with = "right"; }; right = { type = "periodic"; with = "left"; };
             back = { type = "periodic"; with = "front"; }; front = { type = "periodic"; with = "back"; };
             bottom = { type = "wall"; }; top = { type = "wall"; velocity = [1.0, 0.0, 0.5]; }; };
solver = { algorithm = "piso"; };
time = { end = 1.0; step = 0.02; courant = 0.6; max_steps = 3; scheme = "bdf2"; };
EOT
cat >zones.cfg <<EOT
mesh = { file = "$meshes/zones.geo"; parameters = { h = 0.07; }; };
fluid = { viscosity = 0.05; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; profile = "parabolic"; scalars = { heat = 1.0; }; };
             right = { type = "outlet"; }; walls = { type = "wall"; }; };
scalars = { heat = { diffusivity = 0.02; initial = 0.5; initials = { heater = 2.0; };
                     sources = { heater = 3.0; fluid = -0.5; }; }; };
surfaces = { rim = { boundaries = ["left", "right", "walls"]; fields = ["heat", "heat-flux"]; }; };
solver = { max_iterations = 9; };
EOT
solid=(--set mesh.parameters.solid=1 --set 'boundary.left.velocity=[1, 0, 0]' --set 'boundary.left.profile=uniform'
       --set 'boundary.sides={ type = "slip"; }' --set solver.algorithm=piso --set solver.max_iterations=
       --set 'time={ end = 1.0; step = 0.01; max_steps = 6; }')
same steady '2 4' steady.cfg
same pimple '3' pimple.cfg
same tetrahedra "2" cube.cfg --set solver.pressure.preconditioner=two-stage-gs
same mixed_cells '3' pipe.cfg
same periodic '2 4' layer.cfg
same zones '2' zones.cfg
same zones_in_space '3' zones.cfg "${solid[@]}"
# two circuits at pressures of their own, with a start of its own in each
cat >circuits.geo <<'EOT'
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 2, 1}; Rectangle(2) = {0, 2, 0, 2, 1};
Physical Surface("fluid") = {1, 2}; Mesh.MeshSizeMax = 0.06;
Physical Curve("left") = {4}; Physical Curve("right") = {2}; Physical Curve("left2") = {8};
Physical Curve("right2") = {6}; Physical Curve("walls") = {1, 3, 5, 7};
EOT
cat >circuits.cfg <<'EOT'
mesh = { file = "circuits.geo"; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; }; right = { type = "outlet"; pressure = "1e3 + y"; };
             left2 = { type = "inlet"; total_pressure = 1e5; }; right2 = { type = "outlet"; pressure = 99999.0; };
             walls = { type = "wall"; }; };
initial = { field = "potential"; };
solver = { max_iterations = 8; };
EOT
same circuits '2 3' circuits.cfg
same circuits_from_far '3' circuits.cfg --set initial.pressure=5.0 --set solver.algorithm=coupled
# A force, sinks and sources in zones that no case can give yet.
cp "$(dirname "$poise")"/{tests/test_zones,libpoise-mpi.so} .
in_zones=$(POISE_THREADS=1 ./test_zones digest)
check zones_of_forces test "$(POISE_THREADS=1 "${start[@]}" -n 3 ./test_zones digest)" = "${in_zones:-nothing}"
same vortices '2' "$cases/taylor-green/taylor-green.cfg" --set time.max_steps=3
same triangles '3' "$cases/cylinder-unsteady/cylinder-unsteady.cfg" --set mesh.parameters.h=0.007 \
    --set time.max_steps=3
same coupled '3' "$cases/cavity/cavity.cfg" --set solver.algorithm=coupled --set solver.max_iterations=3 \
    --set mesh.parameters.n=44
same stretched '5' "$cases/cavity/cavity.cfg" --set solver.max_iterations=6 --set mesh.parameters.n=52 \
    --set lines=     --set mesh.ordering=metis

# ---- a checkpoint of three ranks is continued on one, and that one's on two
goes_on restart '3 1 2' solver.max_iterations '3 5 8' steady.cfg
goes_on restart_in_time '3 1 2' time.max_steps '1 2 4' pimple.cfg
goes_on restart_zones '2 1 2' solver.max_iterations '3 5 9' zones.cfg
goes_on restart_zones_in_time '3 1 2' time.max_steps '1 3 6' zones.cfg "${solid[@]}"

# ---- what is generated in zones leaves through the boundary: 3 - 0.5 per unit of time through an area of 6
"$poise" run zones.cfg "${options[@]}" --set solver.max_iterations=400 --set solver.tolerance=1e-9 \
    --output balance >said
check zones_balance awk -F, 'END { exit !($6 * $2 > -2.5 - 1e-7 && $6 * $2 < -2.5 + 1e-7) }' balance/surfaces/rim.csv

# ---- parts reported by poise mesh info equal those of the ranks
most=$("$poise" mesh info box:60,50 --parts 3 | sed '1,/^parts/d' | awk 'NF == 7 && $3 > m { m = $3 } END { print m }')
check mesh_info_parts grep -q "at most $most ghosts in the first layer" <<<"$(ranks 3 run steady.cfg \
    --set mesh.box.distortion=0.0 --set solver.max_iterations=1 --output parts)"
says mesh_info_most 1 '--parts 7: the mesh has 6 slices of 512 cells; expected at most 6 parts' \
    "$poise" mesh info box:60,50 --parts 7

# ---- METIS's parts: the results of one rank except for the last digits, as reported in the log
cat >converged.cfg <<'EOT'
mesh = { box = { cells = [40, 40]; distortion = 0.2; }; parts = "metis"; };
fluid = { viscosity = 0.05; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1.0, 0.0]; }; };
solver = { tolerance = 1e-9; };
EOT
"$poise" run converged.cfg "${options[@]}" --output one >said 2>&1
once metis_said 3 0 'parts by METIS: results on these 3 ranks agree' run converged.cfg \
    "${options[@]}" --output several
check metis_parts "$poise" diff one several --step "$(ls one/fields | tail -1 | sed 's/^0*//; s/.h5//'),$(
    ls several/fields | tail -1 | sed 's/^0*//; s/.h5//')" --tolerance 1e-6
check metis_one test "$(digest <said)" = \
    "$("$poise" run converged.cfg "${options[@]}" --set mesh.parts=hilbert --output one | digest)"
once metis_restart 2 1 'it was written with other settings' run converged.cfg --output several --restart

# ---- errors, each reported once, with the status of one rank
refused=(--output refused)
once system       2 1 '--write-pressure works on one rank only' run steady.cfg --write-pressure x.h5
once few_slices   4 1 'fewer than the 4 ranks; expected at most 2 ranks' run steady.cfg --set mesh.box.cells=[30,30]
once outside      3 1 'probes.p: the point (9, 9) is outside the mesh' run steady.cfg --set probes.p.at=[9.0,9.0] \
    "${refused[@]}"
once through_wall 3 1 'the velocity of wall "bottom" points through the wall' run steady.cfg \
    --set boundary.bottom.velocity=[0.0,1.0] "${refused[@]}"
once no_restart   2 1 'there is no checkpoint to restart from' run steady.cfg --restart "${refused[@]}"
once not_ours     2 1 'is not empty and was not created by Poise' run steady.cfg --output "$cases"
exit $failed
