#!/usr/bin/env bash
# Values by expressions and tables (docs/how-to/user-data.md) on several ranks, on the CPU: the digest, the files and
# the restarts of one rank.
source "$(dirname "$0")/../ranks.sh"

awk 'BEGIN { print "y,t,velocity_x"
             for (t = 0; t <= 4; t++) for (y = 0; y <= 8; y++)
                 print y / 8 "," t / 8 "," y / 8 * (1 - y / 8) * (1 + t) }' >inflow.csv
cat >in_time.cfg <<EOT
mesh = { box = { cells = [40, 32]; distortion = 0.2; }; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "inlet"; table = "$PWD/inflow.csv"; }; top = { type = "wall"; };
             right = { type = "outlet"; pressure = "0.01*sin(t)*y"; };
             bottom = { type = "wall"; velocity = ["cos(t)*y", "0"]; }; };
scalars = { c = { diffusivity = 0.01; initial = "x*y"; values = { left = "y*t"; top = "x"; };
                  coefficients = { top = "1 + t"; }; fluxes = { bottom = "x"; }; }; };
initial = { velocity = ["y*(1-y)*(1 + 0.1*sin(x))", "0"]; };
solver = { algorithm = "piso"; };
time = { end = 0.5; step = 0.05; max_steps = 9; };
EOT
cat >wave.cfg <<EOT
mesh = { box = { cells = [14, 12, 13]; distortion = 0.15; }; };
fluid = { viscosity = 0.02; gravity = [0.0, -1.0, 0.0]; };
second_fluid = { density = 0.1; viscosity = 0.001; };
shapes = { air = { type = "level"; function = "0.5 - y + 0.05*cos(2*pi*x)*cos(2*pi*z)"; }; };
boundary = { left = { type = "inlet"; velocity = ["y*(1-y)*z*(1-z)*sin(t)", "0", "0"]; fraction = "y > 0.5 ? 1 : 0"; };
             right = { type = "outlet"; }; bottom = { type = "wall"; }; top = { type = "wall"; };
             back = { type = "wall"; }; front = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 1.0; step = 0.01; max_steps = 6; };
EOT
cat >parallel.cfg <<'EOT'
mesh = { box = { cells = [128, 16]; to = [8.0, 1.0]; }; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; top = { type = "outlet"; };
             bottom = { type = "inlet"; velocity = [1.0, 0.0]; }; };
EOT
once parallel_inlet 4 1 'the velocity of inlet "bottom" is parallel to the boundary' run parallel.cfg --device cpu
same in_time '2 3' in_time.cfg
same wave '2 3' wave.cfg
goes_on restart_in_time '3 1 2' time.max_steps '3 6 9' in_time.cfg
exit $failed
