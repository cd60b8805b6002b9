#!/usr/bin/env bash
# The cases of tests/data/models on several ranks, on the CPU: the digest, the files and the restarts of one rank.
# Solids are rejected there.
models=$(realpath "$(dirname "$0")/../data/models")
source "$(dirname "$0")/../ranks.sh"
cp "$models"/* .
for case in convection inflow law driven pressures drop drum warm dye place layers sides; do
    same $case '2 3' $case.cfg
done
goes_on restart_convection '2 1 3' solver.max_iterations '3 6 8' convection.cfg
goes_on restart_inflow '2 1 3' time.max_steps '3 6 8' inflow.cfg
goes_on restart_dye '2 1 3' time.max_steps '3 6 8' dye.cfg
goes_on restart_drop '3 1 2' time.max_steps '3 6 8' drop.cfg
goes_on restart_sides '2 1 3' time.max_steps '3 6 10' sides.cfg
exit $failed
