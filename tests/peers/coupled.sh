#!/usr/bin/env bash
# Times the coupled algorithm beside SIMPLEC, from rest to residuals of 1e-6: the tables "The coupled algorithm on a
# GPU" and "CPU: velocity and pressure together" of docs/benchmarks.md.
#
#     tests/peers/coupled.sh FOLDER [options of poise run]
#     CASES="cavity-128 step" tests/peers/coupled.sh /tmp/coupled --device cpu --threads 1
#
# FOLDER gets the cases and their meshes; meshes that are there already are used, so that a machine without
# poise-gmsh can be given them.  In the environment: CASES, names as below (all); REPEAT, runs of the coupled
# algorithm, of which the median counts (3; 0: writes cases and meshes alone); LIMIT, seconds that a run may take
# (600); POISE, the program (build/poise).
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
poise=$(realpath "${POISE:-$top/build/poise}")
if (( $# < 1 )) || [[ $1 == -* ]]; then sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 1; fi
folder=$1
shift
mkdir -p "$folder" && cd "$folder" || exit 1
all="cavity-128 cavity-256 cavity-512 cavity-5000 cavity-10000 cylinder-quadrilaterals cylinder-triangles step
     cavity3d-32 cavity3d-64 cavity3d-128 tetrahedra-32 tetrahedra-64 step-graded span-3 channel-long
     channel-longer outlets sheared"

# Gartling's backward-facing step: a channel of 30 x 1, the upper half of its left side is the inlet.
step='DefineConstant[ nx = 1200, ny = 28 ];
Point(1) = {0, -0.5, 0}; Point(2) = {30, -0.5, 0}; Point(3) = {30, 0, 0}; Point(4) = {0, 0, 0};
Point(5) = {30, 0.5, 0}; Point(6) = {0, 0.5, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {4, 3}; Line(4) = {1, 4}; Line(5) = {3, 5}; Line(6) = {6, 5};
Line(7) = {4, 6};
Curve Loop(1) = {1, 2, -3, -4}; Plane Surface(1) = {1};
Curve Loop(2) = {3, 5, -6, -7}; Plane Surface(2) = {2};
Transfinite Curve{1, 3, 6} = nx + 1; Transfinite Curve{2, 4, 5, 7} = ny + 1;
Transfinite Surface{1, 2}; Recombine Surface{1, 2};
Physical Curve("inlet") = {7}; Physical Curve("outlet") = {2, 5}; Physical Curve("walls") = {1, 4, 6};
Physical Surface("fluid") = {1, 2};'

# The same with cells that grow along the channel.
step_graded=$(sed 's/^\(Transfinite Curve{1, 3, 6} = nx + 1\)/\1 Using Progression 1.003/; s/ny = 28/ny = 40/' \
              <<<"$step")

# ---------------------------------------------------------------- the cases
# mesh GEO [--set NAME=VALUE]...: $name.h5
mesh() { [[ -e $name.h5 ]] || "$poise" mesh convert "$1" "$name.h5" "${@:2}" >&2; }

# write MESH VISCOSITY BOUNDARIES: $name.cfg
write()
{
    cat > "$name.cfg" <<END
mesh = { $1; };
fluid = { viscosity = $2; };
boundary = { $3 };
solver = { tolerance = 1e-6; max_iterations = 7000; };
output = { fields = ["velocity"]; every = 1000000; };
END
}

wall() { local w; for w; do printf '%s = { type = "wall"; }; ' "$w"; done; }
square='top = { type = "wall"; velocity = [1.0, 0.0]; };'
cube='{ type = "wall"; velocity = [1.0, 0.0, 0.0]; };'
cavity() { write "box = { cells = [$1, $1]; stretch = [$2, $2]; }" "$3" "$square $(wall left right bottom)"; }
cavity3d() { write "box = { cells = [$1, $1, $1]; }" 0.001 "top = $cube $(wall left right bottom back front)"; }
tetrahedra()
{
    mesh "$top/cases/cavity3d/cavity3d.geo" --set elements=1 --set "n=$1"
    write "file = \"$name.h5\"" 0.001 "lid = $cube $(wall walls)"
}
channel()       # VISCOSITY VELOCITY WALL...
{
    write "file = \"$name.h5\"" "$1" "outlet = { type = \"outlet\"; };
  inlet = { type = \"inlet\"; velocity = [$2, 0.0]; profile = \"parabolic\"; }; $(wall "${@:3}")"
}
cylinder()
{
    mesh "$top/cases/cylinder/cylinder.geo" --set "elements=$1"
    channel 0.001 0.3 walls cylinder
}

make_case()
{
    local name=$1
    case $name in
        cavity-128) cavity 128 6.0 0.001 ;;
        cavity-256) cavity 256 1.0 0.001 ;;
        cavity-512) cavity 512 1.0 0.001 ;;
        cavity-5000) cavity 256 6.0 0.0002 ;;
        cavity-10000) cavity 256 6.0 0.0001 ;;
        cylinder-quadrilaterals) cylinder 0 ;;
        cylinder-triangles) cylinder 1 ;;
        step) echo "$step" > step.geo && mesh step.geo && channel 0.00125 1.5 walls ;;
        cavity3d-32 | cavity3d-64 | cavity3d-128) cavity3d "${name#*-}" ;;
        tetrahedra-32 | tetrahedra-64) tetrahedra "${name#*-}" ;;
        step-graded) echo "$step_graded" > step_graded.geo && mesh step_graded.geo && channel 0.00125 1.5 walls ;;
        span-3) write "box = { cells = [96, 96, 192]; to = [1.0, 1.0, 3.0]; stretch = [4.0, 4.0, 4.0]; }" 0.001 \
                      "top = $cube $(wall left right bottom back front)" ;;
        channel-long | channel-longer)
            local n=$(( ${#name} > 12 ? 1600 : 800 ))
            write "box = { cells = [$n, $(( n / 8 ))]; to = [100.0, 1.0]; }" 0.01 \
                      "left = { type = \"inlet\"; velocity = [1.0, 0.0]; }; right = { type = \"outlet\"; };
                       $(wall top bottom)" ;;
        outlets) write "box = { cells = [512, 256]; to = [2.0, 1.0]; }" 0.01 \
                      "left = { type = \"outlet\"; pressure = 1.6; }; right = { type = \"outlet\"; };
                       $(wall top bottom)" ;;
        sheared) mesh "$top/tests/meshes/sheared.geo" --set n=64 && channel 0.01 1.5 walls ;;
        *) echo "no case $name; expected some of: "$all >&2; exit 1 ;;
    esac
}

# ---------------------------------------------------------------- the runs
# one NAME ALGORITHM [options]: "iterations cycles seconds bytes-a-cell"; dashes where it has not converged
one()
{
    local out=$1.out log=$1.$2.log
    if ! timeout "${LIMIT:-600}" "$poise" run "$1.cfg" --output "$out" --set "solver.algorithm=$2" "${@:3}" \
            > "$log" 2>&1; then
        echo "$1, $2: not converged, or failed: $folder/$log" >&2
        echo - - - -
        return
    fi
    awk -F, '{ cycles += $NF } END { printf "%d %d ", $1, cycles }' "$out/residuals.csv"
    sed -n 's/^time  *\([0-9.]*\) s.*/\1/p; s/^memory .* at most .*(\([0-9]*\) bytes a cell).*/\1/p' "$log" | xargs
    rm -rf "$out"
}

# The median of runs by their seconds.
median() { sort -n -k3,3 | sed -n "$(( (repeat + 1) / 2 ))p"; }

repeat=${REPEAT:-3}
(( repeat )) && cat <<'END'
| case | SIMPLEC: iterations | s | bytes a cell | coupled: iterations | cycles | s | bytes a cell | ratio of s |
|---|---|---|---|---|---|---|---|---|
END
for name in ${CASES:-$all}; do
    make_case "$name" || exit 1
    (( repeat )) || continue
    read -r iterations _ simplec bytes < <(one "$name" simplec "$@")
    echo -n "| $name | $iterations | $simplec | $bytes "
    read -r iterations cycles coupled bytes < <(for (( k = 0; k < repeat; k++ )); do one "$name" coupled "$@"; done |
                                                median)
    ratio=$(awk -v a="$coupled" -v b="$simplec" 'BEGIN { if (a > 0 && b > 0) printf "%.3f", a / b }')
    echo "| $iterations | $cycles | $coupled | $bytes | $ratio |"
done
