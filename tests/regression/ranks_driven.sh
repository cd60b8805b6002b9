#!/usr/bin/env bash
# Driven flows (docs/how-to/driven-flows.md) on several ranks, on the CPU: the digest, the files and the restarts of one
# rank.
source "$(dirname "$0")/../ranks.sh"

walls='bottom = { type = "wall"; }; top = { type = "wall"; };'
periodic='left = { type = "periodic"; with = "right"; }; right = { type = "periodic"; };'
cat >steady.cfg <<EOT
mesh = { box = { cells = [40, 60]; distortion = 0.2; }; };
fluid = { viscosity = 0.01; acceleration = [0.2, -0.5]; };
boundary = { $periodic $walls };
driven = { direction = [1.0, 0.0]; flow_rate = 1.5; };
probes = { p = { at = [0.5, 0.5]; }; };
solver = { algorithm = "simplec"; max_iterations = 14; non_orthogonal_correctors = 1; };
EOT
cat >coupled.cfg <<EOT
mesh = { box = { cells = [14, 12, 13]; distortion = 0.15; }; };
fluid = { viscosity = 0.02; };
boundary = { $periodic $walls back = { type = "wall"; }; front = { type = "wall"; velocity = [0.0, 0.5, 0.0]; }; };
driven = { direction = [1.0, 0.0, 0.0]; flow_rate = 1.0; };
solver = { algorithm = "coupled"; max_iterations = 9; };
EOT
cat >in_time.cfg <<EOT
mesh = { box = { cells = [40, 40]; distortion = 0.2; }; };
fluid = { density = 2.0; viscosity = 0.01; gravity = [0.3, -1.0]; };
boundary = { $periodic bottom = { type = "wall"; }; top = { type = "wall"; velocity = ["sin(40*t)", 0]; }; };
driven = { direction = [1.0, 0.0]; flow_rate = 1.0; };
solver = { algorithm = "pimple"; non_orthogonal_correctors = 1; };
time = { end = 1.0; step = 0.01; scheme = "crank-nicolson"; max_steps = 9; };
EOT
cat >bubble.cfg <<EOT
mesh = { box = { cells = [40, 41]; }; };
fluid = { density = 10.0; viscosity = 0.02; gravity = [-1.0, 0.2]; };
second_fluid = { density = 0.1; viscosity = 0.001; surface_tension = 0.2; };
shapes = { bubble = { type = "sphere"; centre = [0.9, 0.45]; radius = 0.22; }; };
boundary = { $periodic $walls };
driven = { direction = [1.0, 0.0]; flow_rate = 0.1; };
solver = { algorithm = "piso"; };
time = { end = 1.0; step = 0.01; max_steps = 8; };
EOT
same steady '2 3' steady.cfg
same coupled '2 3' coupled.cfg
same in_time '2 3' in_time.cfg
same bubble '2 3' bubble.cfg
goes_on restart_steady '2 1 3' solver.max_iterations '7 10 14' steady.cfg
goes_on restart_coupled '1 2 3' solver.max_iterations '3 6 9' coupled.cfg
goes_on restart_in_time '3 1 2' time.max_steps '3 6 9' in_time.cfg
goes_on restart_adaptive '2 1 2' time.max_steps '3 6 9' in_time.cfg --set time.tolerance=1e-3
goes_on restart_bubble '2 1 3' time.max_steps '3 5 8' bubble.cfg
exit $failed
