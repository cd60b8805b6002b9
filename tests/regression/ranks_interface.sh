#!/usr/bin/env bash
# poise run with two fluids on several ranks (docs/explanation/scaling.md), on the CPU, more of them than cores: the
# digest and the files of one; restarts on fewer and fewer ranks; errors.  The bubbles cross the parts.
meshes=$(realpath "$(dirname "$0")/../meshes")
source "$(dirname "$0")/../ranks.sh"

second='second_fluid = { density = 0.1; viscosity = 0.001; surface_tension = 0.2; };
bubbles = { every = 2; };
output = { fields = ["velocity", "pressure", "fraction", "distance", "curvature", "density"]; report_every = 1; };'
flow="fluid = { density = 10.0; viscosity = 0.02; gravity = [0.0, -1.0]; };
time = { end = 1.0; step = 0.01; courant = 0.5; capillary = 0.5; max_steps = 4; };
$second"
flow_3d=${flow/-1.0]/-1.0, 0.0]}
carried="fluid = { density = 10.0; viscosity = 0.02; };
time = { end = 1.0; step = 0.05; courant = 0.5; max_steps = 4; };
$second"
walls() { for name in "$@"; do echo -n "$name = { type = \"wall\"; contact_angle = 60.0; }; "; done; }

cat >vortex.cfg <<EOT
mesh = { box = { cells = [48, 48]; distortion = 0.2; }; };
$carried
shapes = { disc = { type = "sphere"; centre = [0.5, 0.75]; radius = 0.15; }; };
boundary = { $(walls left right bottom top) };
solver = { algorithm = "advection"; };
prescribed = { field = "vortex"; period = 2.0; };
EOT
cat >shear.cfg <<EOT
mesh = { box = { cells = [13, 14, 15]; }; };
$carried
shapes = { ball = { type = "sphere"; centre = [0.35, 0.5, 0.5]; radius = 0.3; }; };
boundary = { $(walls left right bottom top back front) };
solver = { algorithm = "advection"; };
prescribed = { field = "shear"; };
EOT
cat >bubble.cfg <<EOT
mesh = { box = { cells = [50, 41]; distortion = 0.2; }; };
$flow
shapes = { bubble = { type = "sphere"; centre = [0.3, 0.35]; radius = 0.22; };
           at_wall = { type = "sphere"; centre = [0.3, 0.95]; radius = 0.2; }; };
boundary = { $(walls left right bottom top) };
solver = { algorithm = "piso"; };
EOT
sed "s|^mesh.*|mesh = { file = '$meshes/tank.geo'; parameters = { dim = 2; h = 0.045; }; };|; s|'|\"|g
     s|^boundary.*|boundary = { $(walls walls) };|" bubble.cfg >triangles.cfg
cat >tetrahedra.cfg <<EOT
mesh = { file = "$meshes/tank.geo"; parameters = { h = 0.17; }; };
$flow_3d
shapes = { drop = { type = "sphere"; centre = [0.5, 0.5, 0.75]; radius = 0.35; };
           pool = { type = "half-space"; point = [0.0, 0.0, 0.2]; normal = [0.0, 0.0, 1.0]; }; };
boundary = { $(walls walls) };
solver = { algorithm = "pimple"; };
scalars = { salt = { diffusivity = 0.01; initial = 1.0; fluid = "first"; }; };
EOT
cat >swarm.cfg <<EOT
mesh = { box = { cells = [13, 13, 13]; }; };
$flow_3d
shapes = { bubble = { type = "sphere"; centre = [0.25, 0.25, 0.25]; radius = 0.2;
                      copies = [2, 2, 2]; spacing = [0.5, 0.5, 0.5]; }; };
boundary = { $(walls bottom top)
             left = { type = "periodic"; with = "right"; }; right = { type = "periodic"; with = "left"; };
             back = { type = "periodic"; with = "front"; }; front = { type = "periodic"; with = "back"; }; };
solver = { algorithm = "piso"; };
scalars = { gas = { diffusivity = 0.01; initial = 1.0; fluid = "second"; }; };
averages = { from = 0.001; fields = ["velocity", "fraction"]; };
probes = { p = { at = [0.5, 0.5, 0.5]; }; q = { at = [0.01, 0.3, 0.2]; }; };
surfaces = { rim = { boundaries = ["top", "bottom"]; fields = ["pressure", "fraction"]; }; };
planes = { cut = { point = [0.4, 0.4, 0.4]; normal = [1.0, 0.6, 0.1]; every = 2; fields = ["fraction"]; }; };
EOT
cat >through.cfg <<EOT
mesh = { box = { cells = [60, 40]; to = [1.5, 1.0]; distortion = 0.1; }; };
$flow
shapes = { leaves = { type = "sphere"; centre = [1.45, 0.5]; radius = 0.2; };
           enters = { type = "sphere"; centre = [0.0, 0.5]; radius = 0.2; }; };
boundary = { bottom = { type = "wall"; }; top = { type = "symmetry"; };
             left = { type = "inlet"; velocity = [1.0, 0.0]; fraction = 0.3; }; right = { type = "outlet"; }; };
initial = { velocity = [1.0, 0.0]; };
solver = { algorithm = "piso"; };
EOT
same advection         '2 4' vortex.cfg
same advection_3d        '3' shear.cfg
same bubble            '2 4' bubble.cfg
same deflation           '3' bubble.cfg --set time.scheme=euler \
    --set solver.pressure.deflation=level-set
same triangles           '3' triangles.cfg --set solver.non_orthogonal_correctors=1
same tetrahedra          '2' tetrahedra.cfg
same tolerance           '3' triangles.cfg --set time.step=1.0 --set time.tolerance=0.02 --set time.courant=0 \
    --set time.max_steps=15
same periodic          '2 4' swarm.cfg
same through             '3' through.cfg --set time.scheme=bdf2

goes_on restart '4 3 1' time.max_steps '2 4 6' through.cfg
goes_on restart_periodic '3 1 2' time.max_steps '1 3 4' swarm.cfg

once outside 3 1 'shapes.disc (centre (2, 0.75)) lies outside the mesh' run vortex.cfg \
    --set shapes.disc.centre=[2.0,0.75] --output refused
once nothing 2 1 'the shapes leave nothing of the second fluid' run vortex.cfg --set shapes.disc.remove=1 \
    --output refused
exit $failed
