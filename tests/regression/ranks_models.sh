#!/usr/bin/env bash
# The cases of tests/data/models on several ranks, on the CPU: the digest, the files and the restarts of one rank.
models=$(realpath "$(dirname "$0")/../data/models")
source "$(dirname "$0")/../ranks.sh"
cp "$models"/* .
for case in convection inflow law driven pressures drop drum warm dye place layers sides stiff tables; do
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
# the flow and the temperature on separate parts of the mesh, with all that reads both
cat >plume.cfg <<'CASE'
mesh = { file = "solid.geo"; scale = 0.5; };
fluid = { viscosity = "0.02*(3 - temperature)"; heat_capacity = 1.0; conductivity = 0.02; expansion = 0.1;
          gravity = [0.0, -1.0]; reference_temperature = 0.5; property_range = [-1.0, 2.0]; };
solids = { plate = { density = 2.0; heat_capacity = "0.5 + x"; conductivity = 3.0; contact_resistance = 0.1; }; };
boundary = { inlet = { type = "inlet"; velocity = [1.0, 0.0]; temperature = 0.0; }; outlet = { type = "outlet"; };
             top = { type = "wall"; }; bottom = { type = "wall"; temperature = 1.0; };
             ends = { type = "wall"; transfer = [0.3, 0.1]; }; };
sources = { core = { region = "plate"; heat = 2.0; }; };
scalars = { dye = { diffusivity = 0.01; values = { inlet = "y"; }; }; };
output = { fields = ["velocity", "pressure", "temperature", "gradient", "vorticity", "dye"]; every = 4; };
probes = { water = { at = [0.31, 0.2]; }; plate = { at = [0.5, -0.1]; }; near = { at = [0.02, 0.003]; }; };
lines = { up = { from = [0.1, -0.15]; to = [0.1, 0.4]; points = 21; }; };
planes = { cut = { point = [0.5, 0.0]; normal = [1.0, 0.2]; fields = ["temperature", "velocity", "vorticity"]; }; };
forces = { plate = { boundaries = ["plate", "top"]; }; };
surfaces = { sides = { boundaries = ["bottom", "ends", "inlet"]; fields = ["temperature", "temperature-flux"]; };
             wet = { boundaries = ["plate", "outlet"];
                     fields = ["temperature", "temperature-flux", "pressure", "shear", "flow", "dye-flux"]; }; };
CASE
cp plume.cfg rise.cfg
echo 'solver = { algorithm = "simplec"; max_iterations = 8; };' >>plume.cfg
cat >>rise.cfg <<'CASE'
solver = { algorithm = "piso"; };
time = { end = 10.0; step = 0.01; max_steps = 8; };
averages = { from = 0.03; fields = ["temperature", "velocity", "region"]; };
CASE
for case in solid warming plume rise; do same $case '2 3' $case.cfg; done
same limited '3' rise.cfg --set solver.algorithm=pimple --set solver.convection_temperature=van-leer
cp -r one start
same again '3' plume.cfg --set initial.file=start
same accelerated '3' plume.cfg --set solver.acceleration=4 --set solver.max_iterations=12
same unmixed '2' solid.cfg --set mesh.parts=metis
once few_cells 6 1 'cells of fluid are 4 slices of 512 cells, fewer than the 6 ranks' run solid.cfg
goes_on restart_solid '2 1 3' solver.max_iterations '3 6 8' solid.cfg
goes_on restart_coupled '2 1 3' solver.max_iterations '3 6 8' plume.cfg --set solver.algorithm=coupled \
    --set solver.acceleration=4
goes_on restart_rise '3 1 2' time.max_steps '3 6 8' rise.cfg
goes_on restart_wall '2 1 3' solver.max_iterations '3 6 8' wall.cfg
goes_on restart_cooling '3 1 2' time.max_steps '3 6 8' cooling.cfg
goes_on restart_convection '2 1 3' solver.max_iterations '3 6 8' convection.cfg
goes_on restart_inflow '2 1 3' time.max_steps '3 6 8' inflow.cfg
goes_on restart_dye '2 1 3' time.max_steps '3 6 8' dye.cfg
goes_on restart_drop '3 1 2' time.max_steps '3 6 8' drop.cfg
goes_on restart_sides '2 1 3' time.max_steps '3 6 10' sides.cfg
exit $failed
