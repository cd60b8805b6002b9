#!/usr/bin/env bash
# initial.file on several ranks: rank 0 reads and interpolates, every rank gets its part; the bits of one rank.
source "$(dirname "$0")/../ranks.sh"
cat >flow.cfg <<'CASE'
mesh = { box = { cells = [60, 50]; distortion = 0.2; }; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1.0, 0.0]; }; };
scalars = { dye = { diffusivity = 0.01; values = { top = 1.0; bottom = 0.0; }; }; };
solver = { max_iterations = 20; };
CASE
sed '/^solver/d' flow.cfg >drop.cfg
cat >>drop.cfg <<'CASE'
second_fluid = { density = 10.0; viscosity = 0.1; surface_tension = 0.1; };
shapes = { drop = { type = "sphere"; centre = [0.5, 0.6]; radius = 0.2; }; };
solver = { algorithm = "piso"; };
time = { end = 0.01; step = 0.005; };
CASE
for case in flow drop; do
    "$poise" run $case.cfg "${options[@]}" >/dev/null 2>&1
    sed '/^shapes/d' $case.cfg >same.cfg
    echo "initial = { file = \"$case.out\"; };" >>same.cfg
    sed 's/60, 50/70, 45/' same.cfg >other.cfg
    same "$case, the same mesh" "2 3" same.cfg
    same "$case, another mesh" "2 3" other.cfg
done
once refused 3 1 'initial.file: flow.out: step 3 was not written' run other.cfg --set initial.file=flow.out \
    --set initial.step=3
[[ ! $(find . -name '*.part') ]] && echo "ok no_files_left" || echo "not ok no_files_left: $(find . -name '*.part')"
exit $failed
