#!/usr/bin/env bash
# Ghosts are updated whenever they are read: with a program in which outdated ghosts are NaN (poise-ghosts,
# gpu/stale.h), runs and solves on several ranks have the digest of one.  On the CPU, more ranks than cores.
POISE=$(dirname "$(realpath "${POISE:-build/poise}")")/poise-ghosts
if [[ ! -x $POISE ]]; then echo "ok ranks_ghosts # SKIP $POISE is not there (make build-tests)"; exit 0; fi
meshes=$(realpath "$(dirname "$0")/../meshes") models=$(realpath "$(dirname "$0")/../data/models")
source "$(dirname "$0")/../ranks.sh"

channel='mesh = { box = { cells = [48, 44]; distortion = 0.25; }; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; profile = "parabolic"; }; right = { type = "outlet"; };
             bottom = { type = "wall"; }; top = { type = "symmetry"; }; };'
cat >steady.cfg <<<"$channel"'
fluid = { viscosity = 0.01; };
scalars = { dye = { diffusivity = 0.003; values = { left = 1.0; }; }; };
solver = { max_iterations = 5; };
probes = { p = { at = [0.5, 0.5]; }; };
lines = { across = { from = [0.4, 0.0]; to = [0.4, 1.0]; points = 9; }; };
output = { fields = ["velocity", "pressure", "gradient", "vorticity", "dye"]; };'
cat >pimple.cfg <<<"$channel"'
fluid = { viscosity = 0.01; };
scalars = { heat = { diffusivity = 0.01; convection = "van-leer"; values = { left = 0.0; };
                     fluxes = { bottom = 0.3; }; }; };
solver = { algorithm = "pimple"; outer_correctors = 2; non_orthogonal_correctors = 1; };
time = { end = 1.0; step = 0.02; scheme = "bdf2"; max_steps = 3; };'
cat >layer.cfg <<'EOT'
mesh = { box = { cells = [14, 12, 10]; distortion = 0.2; }; };
fluid = { viscosity = 0.02; };
boundary = { left = { type = "periodic"; with = "right"; }; right = { type = "periodic"; with = "left"; };
             back = { type = "periodic"; with = "front"; }; front = { type = "periodic"; with = "back"; };
             bottom = { type = "wall"; }; top = { type = "wall"; velocity = [1.0, 0.0, 0.5]; }; };
solver = { max_iterations = 4; };
EOT
cat >bubble.cfg <<<"$channel"'
fluid = { density = 10.0; viscosity = 0.02; gravity = [0.0, -1.0]; };
second_fluid = { density = 0.1; viscosity = 0.001; surface_tension = 0.2; };
shapes = { bubble = { type = "sphere"; centre = [0.3, 0.35]; radius = 0.22; };
           at_wall = { type = "sphere"; centre = [0.6, 0.0]; radius = 0.2; }; };
solver = { algorithm = "piso"; };
time = { end = 1.0; step = 0.01; courant = 0.5; capillary = 0.5; max_steps = 3; };
bubbles = { every = 2; };
output = { fields = ["velocity", "pressure", "fraction", "distance", "curvature", "density"]; };'
cat >drop.cfg <<EOT
mesh = { file = "$meshes/tank.geo"; parameters = { h = 0.2; }; };
fluid = { density = 10.0; viscosity = 0.02; gravity = [0.0, -1.0, 0.0]; };
second_fluid = { density = 0.1; viscosity = 0.001; surface_tension = 0.2; };
shapes = { drop = { type = "sphere"; centre = [0.5, 0.5, 0.75]; radius = 0.35; }; };
boundary = { walls = { type = "wall"; contact_angle = 60.0; }; };
solver = { algorithm = "pimple"; };
time = { end = 1.0; step = 0.01; courant = 0.5; capillary = 0.5; max_steps = 3; };
scalars = { salt = { diffusivity = 0.01; initial = 1.0; fluid = "first"; }; };
EOT
cp "$models"/{solid.geo,solid.cfg,cooling.cfg,warming.cfg} .
sed -i 's/= 0.15/= 0.05/' solid.geo
same steady '3' steady.cfg
same cooling '3' cooling.cfg
same solid '3' solid.cfg
same warming '3' warming.cfg
same green_gauss '3' steady.cfg --set solver.gradient=green-gauss --set solver.convection=van-leer
same accelerated '2' steady.cfg --set solver.algorithm=simple --set solver.acceleration=4 \
    --set solver.pressure.preconditioner=two-stage-gs --set solver.velocity.preconditioner=two-stage-gs
same coupled '3' steady.cfg --set solver.algorithm=coupled --set solver.max_iterations=3
same pimple '3' pimple.cfg
same periodic '2' layer.cfg
same bubble '3' bubble.cfg
same tetrahedra '2' drop.cfg

# solves: the digest of one rank
solve() {
    ranks "$1" solve --device cpu --threads 1 --generate stretched:14 --rhs random --digest --preconditioner "$2"
}
for method in jacobi block-jacobi multigrid multigrid:smoother=chebyshev jr:sweeps=3 sgs2 sgs2:precision=single \
        chebyshev block-ic neumann2 incomplete-poisson deflated-jacobi multigrid:method=bicgstab jacobi:method=gmres; do
    one=$(solve 1 "$method" | digest) several=$(solve 3 "$method" | digest)
    result "solve_$method" "$([[ $one && $one == "$several" ]] || echo "digest $several, expected $one")"
done
# sweeps inside a rank, which treat other ranks' rows as 0
for method in jr:domain=rank:local_sweeps=4:method=gmres sgs2:domain=rank:precision=single:method=gmres; do
    check "alone_$method" solve 2 "$method"
done
exit $failed
