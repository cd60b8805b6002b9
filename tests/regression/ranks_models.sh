#!/usr/bin/env bash
# The cases of tests/data/models on several ranks, on the CPU: the digest, the files and the restarts of one rank.
# Solids beside a fluid are rejected there.
models=$(realpath "$(dirname "$0")/../data/models")
source "$(dirname "$0")/../ranks.sh"
cp "$models"/* .
for case in convection inflow law driven pressures drop drum warm dye place layers sides tables; do
    same $case '2 3' $case.cfg
done
sed -i 's/= 0.15/= 0.05/' solid.geo                              # 6 slices
cat >brick.cfg <<'CASE'
mesh = { box = { cells = [12, 14, 13]; distortion = 0.25; }; };
solids = { fluid = { density = 8.0; heat_capacity = 5.0; conductivity = 1.5; }; };
boundary = { left = { type = "wall"; temperature = 3.0; }; right = { type = "wall"; temperature = 1.0; };
             bottom = { type = "wall"; }; top = { type = "wall"; heat_flux = 2.0; };
             back = { type = "wall"; transfer = [2.0, 1.0]; }; front = { type = "wall"; }; };
solver = { max_iterations = 5; };
CASE
cat >strips.cfg <<'CASE'
mesh = { file = "strips.geo"; };
solids = { a = { density = 2.0; heat_capacity = 0.5; conductivity = 0.3; };
           b = { density = 1.0; heat_capacity = 0.5; conductivity = 7.0; contact_resistance = 0.02; }; };
boundary = { all = { type = "wall"; temperature = "x + y"; }; };
initial = { temperature = 0.5; };
solver = { max_iterations = 5; };
CASE
cat >strips.geo <<'GEO'
SetFactory("OpenCASCADE");
For i In {0:19}
    Rectangle(i + 1) = {0.05 * i, 0, 0, 0.05, 1};                // surfaces of solids between the ranks too
EndFor
Coherence;
MeshSize{:} = 0.035;
Physical Surface("a") = {1:20:2}; Physical Surface("b") = {2:20:2};
all() = Abs(CombinedBoundary{ Surface{:}; }); Physical Curve("all") = {all()};
GEO
cat >>cooling.cfg <<'CASE'
output = { fields = ["temperature", "region"]; every = 4; };
probes = { water = { at = [0.31, 0.2]; }; plate = { at = [0.5, -0.1]; }; };
lines = { up = { from = [0.1, -0.15]; to = [0.1, 0.4]; points = 21; }; };
surfaces = { sides = { boundaries = ["bottom", "inlet"]; fields = ["temperature", "temperature-flux"]; }; };
averages = { from = 0.04; fields = ["temperature"]; };
CASE
for case in wall cooling strips brick; do same $case '2 3' $case.cfg; done
once metis 2 2 'parts by METIS' run wall.cfg --set mesh.parts=metis
once beside_a_fluid 2 1 'solids beside a fluid work on one rank only' run solid.cfg
goes_on restart_wall '2 1 3' solver.max_iterations '3 6 8' wall.cfg
goes_on restart_cooling '3 1 2' time.max_steps '3 6 8' cooling.cfg
goes_on restart_convection '2 1 3' solver.max_iterations '3 6 8' convection.cfg
goes_on restart_inflow '2 1 3' time.max_steps '3 6 8' inflow.cfg
goes_on restart_dye '2 1 3' time.max_steps '3 6 8' dye.cfg
goes_on restart_drop '3 1 2' time.max_steps '3 6 8' drop.cfg
goes_on restart_sides '2 1 3' time.max_steps '3 6 10' sides.cfg
exit $failed
