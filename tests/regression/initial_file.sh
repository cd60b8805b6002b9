#!/usr/bin/env bash
# initial.file: the fields of another run as the start: the same bits on the same mesh, interpolated on others, steady
# to transient, two fluids with their volume, errors of the file.
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") data=$(realpath "$(dirname "$0")/../data")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
cp "$data"/gmsh_triangles.msh .
# run NAME ARGUMENTS...: quiet, and its directory is NAME.out.
run() { "$poise" run "$1.cfg" --device cpu --threads 1 "${@:2}" 2>&1; }
iterations() { sed -n 's/^CONVERGED in \([0-9]*\) .*/\1/p'; }

cat >coarse.cfg <<'CASE'
mesh = { box = { cells = [20, 20]; }; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1.0, 0.0]; }; };
scalars = { dye = { diffusivity = 0.01; values = { top = 1.0; bottom = 0.0; }; }; };
CASE
run coarse >coarse.txt
first=$(iterations <coarse.txt)

# ---------------------------------------------------------------- the same mesh
sed '$a solver = { algorithm = "piso"; }; time = { end = 0.1; step = 0.01; }; output = { every = 1; };' coarse.cfg |
    sed '$a initial = { file = "coarse.out"; };' >piso.cfg
check piso_check "$poise" check piso.cfg
said=$(run piso)
[[ $said == *"initial    coarse.out/fields/"*": velocity, pressure, dye; the meshes are the same"* ]] && said=""
result piso_says "$said"
result piso_same_bits "$("$poise" diff piso.out coarse.out --step 0,"$first" 2>&1 | grep beyond)"
result piso_stays "$("$poise" diff piso.out coarse.out --step 10,"$first" --fields velocity,dye --tolerance 2e-3 2>&1 |
    grep beyond)"
# other orders of cells have the same values in the file
run piso --set mesh.ordering=cuthill-mckee --output ordered >/dev/null
result ordered_same_bits "$("$poise" diff ordered coarse.out --step 0,"$first" 2>&1 | grep beyond)"
sed '$a initial = { file = "coarse.out"; };' coarse.cfg >again.cfg
again=$(run again | iterations)
result again_is_short "$( ((again > 0 && 2 * again < first)) || echo "$again iterations, at first $first")"
result again_same "$("$poise" diff again.out coarse.out --tolerance 1e-4 2>&1 | grep beyond)"
for algorithm in simple coupled; do
    result "again_$algorithm" "$(run again --set solver.algorithm=$algorithm --output "$algorithm" | iterations |
        awk '{ n = $1 } END { if (!n || n > 200) print n " iterations" }')"
done
# an earlier step, as a number and as a file
run coarse --set output.every=10 --output steps >/dev/null
for at in "initial.file=steps --set initial.step=20" initial.file=steps/fields/000020.h5; do
    # shellcheck disable=SC2086
    said=$(run again --set $at --set solver.max_iterations=1 --output one)
    [[ $said == *"initial    steps/fields/000020.h5: velocity"* ]] && said=""
    result "step of $at" "$said"
done

# ---------------------------------------------------------------- other meshes
# measured: 40 x 40 cells from rest 166 iterations, from 20 x 20 cells 120
sed 's/20, 20/40, 40/' coarse.cfg >fine.cfg
sed '$a initial = { file = "coarse.out"; };' fine.cfg >finer.cfg
rest=$(run fine | iterations) start=$(run finer | iterations)
result finer_is_shorter "$( ((start > 0 && 10 * start < 9 * rest)) || echo "$start iterations, from rest $rest")"
result finer_same "$("$poise" diff finer.out fine.out --tolerance 1e-3 2>&1 | grep beyond)"
awk '/^mesh/ { print "mesh = { file = \"gmsh_triangles.msh\"; };"; next } 1' finer.cfg >triangles.cfg
names=$("$poise" mesh info gmsh_triangles.msh |
    awk '/^boundaries/ { on = 1; next } /^regions/ { on = 0 } on { print $1 }')
sed -i '/^boundary/,/^scalars/d' triangles.cfg
{ echo 'boundary = {'; for name in $names; do echo "$name = { type = \"wall\"; };"; done; echo '};'; } >>triangles.cfg
said=$(run triangles --set solver.max_iterations=2)
[[ $said == *"velocity, pressure; interpolated from 400 cells"* ]] && said=""
result triangles "$said"
sed 's/cells = \[40, 40\];/cells = [40, 40]; to = [2.0, 1.0];/' finer.cfg >longer.cfg
said=$(run longer --set solver.max_iterations=2)
[[ $said == *" cells are farther than a cell's size outside its mesh and have the values of the nearest"* ]] &&
    said=""
result longer "$said"
sed 's/dye/salt/' again.cfg >salt.cfg
said=$(run salt --set solver.max_iterations=2)
[[ $said == *"not from there: salt"* ]] && said=""
result other_scalar "$said"
sed 's/20, 20/6, 5, 4/; s/\[1.0, 0.0\]/[1.0, 0.0, 0.0]/; /scalars/d
     s/left =/back = { type = "wall"; }; front = { type = "wall"; }; left =/' coarse.cfg >cube.cfg
run cube >/dev/null
sed 's/6, 5, 4/8, 7, 9/; $a initial = { file = "cube.out"; };' cube.cfg >cube2.cfg
said=$(run cube2)
[[ $said == *"velocity, pressure; interpolated from 120 cells"*CONVERGED* ]] && said=""
result cube "$said"

# ---------------------------------------------------------------- two fluids
cat >drop.cfg <<'CASE'
mesh = { box = { cells = [24, 24]; distortion = 0.2; }; };
fluid = { density = 1.0; viscosity = 0.01; gravity = [0.0, -1.0]; };
second_fluid = { density = 10.0; viscosity = 0.1; surface_tension = 0.1; };
shapes = { drop = { type = "sphere"; centre = [0.5, 0.6]; radius = 0.2; }; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 0.05; step = 0.01; };
output = { every = 1; };
CASE
run drop >/dev/null
last=$(ls drop.out/fields | tail -n 1) last=$((10#${last%.h5}))
sed '/^shapes/d; $a initial = { file = "drop.out"; };' drop.cfg >drop2.cfg
check drop_check "$poise" check drop2.cfg
said=$(run drop2 | grep 'volume of the second')
result drop_volume "$([[ $said == *'0.125664, as in the file' ]] || echo "$said")"
result drop_same_bits "$("$poise" diff drop2.out drop.out --step 0,$last --fields velocity,fraction 2>&1 | grep beyond)"
for n in 16 40; do
    said=$(run drop2 --set "mesh.box.cells=[$n,$n]" --output "drop$n" | grep 'volume of the second')
    result "drop_on_$n" "$([[ $said == *'0.125664, as in the file' ]] || echo "$said")"
done
said=$(run drop2 --set 'mesh.box.to=[1.5,1]' --output wider | sed -n 's/.*second fluid 0[.0-9]*, \(.*\) % .*/\1/p')
result drop_in_a_wider_box "$(awk -v e="${said:-99}" 'BEGIN { if (e > 1) print e " %" }')"
sed 's/^initial.*/initial = { file = "coarse.out"; };/
     $a shapes = { d = { type = "sphere"; centre = [0.5, 0.5]; radius = 0.2; }; };' drop2.cfg >later.cfg
said=$(run later)
[[ $said == *"velocity, pressure; interpolated"*"not from there: fraction"*FINISHED* ]] && said=""
result shapes_in_a_flow "$said"

# ---------------------------------------------------------------- heat
cat >heat.cfg <<'CASE'
mesh = { box = { cells = [16, 16]; }; };
fluid = { viscosity = 0.01; heat_capacity = 1.0; conductivity = 0.01; expansion = 0.1; gravity = [0.0, -1.0]; };
boundary = { left = { type = "wall"; temperature = 1.0; }; right = { type = "wall"; temperature = 0.0; };
             bottom = { type = "wall"; }; top = { type = "wall"; }; };
CASE
cold=$(run heat | iterations)
sed '$a initial = { file = "heat.out"; };' heat.cfg >warm.cfg
said=$(run warm)
again=$(iterations <<<"$said")
result warm "$( ((again > 0 && 2 * again < cold)) || echo "$again iterations, at first $cold")"
result warm_fields "$([[ $said == *": velocity, pressure, temperature; the meshes are the same"* ]] || echo "$said")"
sed '$a solver = { algorithm = "piso"; }; time = { end = 0.02; step = 0.01; }; output = { every = 1; };' \
    warm.cfg >warmer.cfg
run warmer >/dev/null
result warm_same_bits "$("$poise" diff warmer.out heat.out --step 0,"$cold" --fields velocity,temperature 2>&1 |
    grep beyond)"
sed 's/^fluid.*/fluid = { density = 1.0; viscosity = 0.01; heat_capacity = 1.0; conductivity = 0.01; };/
     s/surface_tension = 0.1;/surface_tension = 0.1; heat_capacity = 2.0; conductivity = 0.1;/
     s/left = { type = "wall"; }/left = { type = "wall"; temperature = 1.0; }/
     s/top = { type = "wall"; }/top = { type = "wall"; temperature = 0.0; }/' drop.cfg >hot.cfg
run hot >/dev/null
last=$(ls hot.out/fields | tail -n 1) last=$((10#${last%.h5}))
sed '/^shapes/d; $a initial = { file = "hot.out"; };' hot.cfg >hot2.cfg
run hot2 >/dev/null
result hot_same_bits "$("$poise" diff hot2.out hot.out --step 0,$last --fields velocity,fraction,temperature 2>&1 |
    grep beyond)"
result hot_has_temperature "$(grep -q 'velocity, pressure, fraction, temperature; ' hot2.out/log.txt || echo no)"

# ---------------------------------------------------------------- solids
cp "$data/plate.geo" .
cat >plate.cfg <<'CASE'
mesh = { file = "plate.geo"; };
fluid = { viscosity = 0.02; heat_capacity = 1.0; conductivity = 0.05; };
solids = { plate = { density = 2.0; heat_capacity = 0.5; conductivity = 1.0; }; };
boundary = { bottom = { type = "wall"; temperature = 1.0; }; sides = { type = "wall"; };
             lid = { type = "wall"; velocity = [1.0, 0.0]; temperature = 0.0; }; };
CASE
cold=$(run plate | iterations)
sed '$a initial = { file = "plate.out"; };' plate.cfg >plate2.cfg
check plate_check "$poise" check plate2.cfg
again=$(run plate2 | iterations)
result plate_again "$( ((again > 0 && 2 * again < cold)) || echo "$again iterations, at first $cold")"
sed '$a solver = { algorithm = "piso"; }; time = { end = 0.02; step = 0.01; }; output = { every = 1; };' \
    plate2.cfg >plate3.cfg
run plate3 >/dev/null
result plate_same_bits "$("$poise" diff plate3.out plate.out --step 0,"$cold" \
    --fields velocity,pressure,temperature 2>&1 | grep beyond)"
for case in plate plate2; do run $case --set mesh.parameters.n=16 --output ${case}_fine >/dev/null; done
result plate_finer "$("$poise" diff plate2_fine plate_fine --tolerance 1e-3 2>&1 | grep beyond)"

# ---------------------------------------------------------------- restart
run piso --set time.max_steps=4 --output half >/dev/null
run piso --restart --output half >/dev/null
result restart_wins "$("$poise" diff half piso.out 2>&1 | grep beyond)"

# ---------------------------------------------------------------- errors
refused() {                                                      # refused NAME TEXT CASE ARGUMENTS...
    says "refused_$1" 1 "$2" "$poise" check "${@:3}"
    says "refused_$1_run" 1 "$2" "$poise" run "${@:3}" --device cpu --output "refused_$1"
}
at="again.cfg (--set): initial.file:"
refused missing "$at corse.out: No such file or directory; output directories in this folder:" again.cfg \
    --set initial.file=corse.out
mkdir bare
refused empty_folder "$at bare/fields: No such file or directory; expected the output directory of a run, NAME.out" \
    again.cfg --set initial.file=bare
refused checkpoint "$at coarse.out/checkpoint.h5: expected the output directory of a run, NAME.out, or one of its" \
    again.cfg --set initial.file=coarse.out/checkpoint.h5
refused no_step "$at coarse.out: step 3 was not written; available: $first" again.cfg --set initial.file=coarse.out \
    --set initial.step=3
refused other_dimension "cube.out is 3-D, but the mesh of this case is 2-D" again.cfg --set initial.file=cube.out
run coarse --set 'output.fields=["pressure"]' --output pressure --set solver.max_iterations=2 >/dev/null
refused no_velocity 'has no field "velocity"; it has: pressure' again.cfg --set initial.file=pressure
refused no_fraction 'has no field "fraction"; it has:' drop2.cfg --set initial.file=coarse.out
refused velocity_twice "initial.velocity does not apply to a case with initial.file, which has the velocity; remove" \
    again.cfg --set 'initial.velocity=[1,0]'
refused step_alone "initial.step does not apply to a case without initial.file; remove it" coarse.cfg \
    --set initial.step=3
says refused_own 1 "is the output directory of this run, which it would overwrite: continue with --restart" \
    "$poise" run again.cfg --output coarse.out
cp -r coarse.out broken
file=broken/fields/$(printf %06d "$first").h5
head -c 3000 coarse.out/fields/*.h5 >"$file"
refused truncated "$at $file: not a field file of Poise, or damaged" again.cfg --set initial.file=broken
cp coarse.out/fields/*.h5 broken/fields
printf 'x' | dd of=broken/mesh.h5 bs=1 seek=900 conv=notrunc 2>/dev/null
refused mesh_damaged "its contents do not match its checksum" again.cfg --set initial.file=broken
exit $failed
