#!/usr/bin/env bash
# Like same_bits.sh, for transient flow and two fluids: the digest of a run is the same on 1, 2 and 3 threads and, if a
# CUDA device responds, on it; POISE_DEVICE=cuda makes the device required.
# POISE: the program (default build/poise).  REVERSED: a program with reversed lanes, also compared (unset: none).
# TRIANGLES: a mesh of triangles of the unit square with the boundary "walls" (default: made from cases/droplet).
cd "$(dirname "$0")/../.." || exit 1
poise=$(realpath "${POISE:-build/poise}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
triangles=${TRIANGLES:-$work/triangles.h5}
[ -n "${TRIANGLES:-}" ] || "$poise" mesh convert cases/droplet/droplet.geo "$triangles" --set elements=1 --set h=0.05 \
    >/dev/null || exit 1

# settings MESH DIMENSIONS: a bubble that rises near a wall
settings() {
    local centre='[0.3, 0.35]' gravity='[0.0, -1.0]'
    [ "$2" = 3 ] && centre='[0.3, 0.35, 0.5]' gravity='[0.0, -1.0, 0.0]'
    cat <<CASE
mesh         = { $1 };
fluid        = { density = 10.0; viscosity = 0.02; gravity = $gravity; };
second_fluid = { density = 0.1; viscosity = 0.001; surface_tension = 0.2; };
shapes       = { bubble = { type = "sphere"; centre = $centre; radius = 0.22; };
                 at_wall = { type = "sphere"; centre = ${centre/0.35/0.95}; radius = 0.2; }; };
solver       = { algorithm = "piso"; };
time         = { end = 1.0; step = 0.01; courant = 0.5; capillary = 0.5; max_steps = 12; };
output       = { report_every = 4; };
CASE
}
walls() { for name in "$@"; do echo "$name = { type = \"wall\"; contact_angle = 60.0; };"; done; }
{ settings 'box = { cells = [20, 24]; distortion = 0.2; };' 2
  echo "boundary = { $(walls left right bottom top) };"; } >"$work/quads.cfg"
{ settings "file = \"$triangles\";" 2; echo "boundary = { $(walls walls) };"; } >"$work/triangles.cfg"
{ settings 'box = { cells = [10, 11, 9]; distortion = 0.2; };' 3; echo "boundary = { $(walls bottom top)
    left = { type = \"inlet\"; velocity = [0.3, 0.0, 0.0]; }; right = { type = \"outlet\"; };
    back = { type = \"periodic\"; with = \"front\"; };
    front = { type = \"periodic\"; with = \"back\"; }; };"; } >"$work/hexahedra.cfg"
cat >"$work/one_fluid.cfg" <<'CASE'
mesh     = { box = { cells = [20, 16]; distortion = 0.2; }; };
fluid    = { viscosity = 0.01; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; profile = "parabolic"; }; right = { type = "outlet"; };
             bottom = { type = "wall"; }; top = { type = "symmetry"; }; };
solver   = { algorithm = "piso"; non_orthogonal_correctors = 1; };
time     = { end = 1.0; step = 0.05; courant = 0.5; max_steps = 12; };
CASE
cat >"$work/carried.cfg" <<'CASE'
mesh         = { box = { cells = [24, 24]; distortion = 0.2; }; };
fluid        = { viscosity = 0.01; };
second_fluid = { density = 2.0; viscosity = 0.02; };
shapes       = { disc = { type = "sphere"; centre = [0.5, 0.75]; radius = 0.15; }; };
boundary     = { left = { type = "wall"; }; right = { type = "wall"; };
                 bottom = { type = "wall"; }; top = { type = "wall"; }; };
solver       = { algorithm = "advection"; };
prescribed   = { field = "vortex"; period = 2.0; };
time         = { end = 2.0; step = 0.05; courant = 0.5; max_steps = 20; };
CASE

digest() {                                                       # digest PROGRAM CASE [OPTION...]
    local program=$1
    shift
    rm -rf "$work/out"
    "$program" run "$@" --digest --output "$work/out" 2>"$work/error" | sed -n 's/^digest //p'
}

cuda=()
"$poise" run "$work/one_fluid.cfg" --device cuda --output "$work/out" --set time.max_steps=1 >/dev/null 2>&1
status=$?
if [ "${POISE_DEVICE:-auto}" = cuda ] || [ $status -ne 4 ]; then cuda=(cuda); fi
failed=0
# compare NAME DIGEST COMMAND...: COMMAND prints the same digest
compare() {
    local name=$1 first=$2 other
    shift 2
    other=$("$@")
    if [ -n "$first" ] && [ "$first" = "$other" ]; then echo "ok $name"
    else
        echo "not ok $name: digest ${other:-missing}, on one thread ${first:-missing} $(cat "$work/error")"
        failed=1
    fi
}

while read -r name options; do
    read -ra set <<<"$options"
    case=$work/$name.cfg
    first=$(digest "$poise" "$case" "${set[@]}" --device cpu --threads 1)
    for threads in 2 3; do
        compare "$name${options:+ $options} on $threads threads" "$first" digest "$poise" "$case" "${set[@]}" \
            --device cpu --threads $threads
    done
    if [ -n "${REVERSED:-}" ]; then
        compare "$name${options:+ $options}, lanes backwards" "$first" digest "$REVERSED" "$case" "${set[@]}" \
            --device cpu --threads 2
    fi
    [ ${#cuda[@]} -eq 0 ] ||
        compare "$name${options:+ $options} on cuda" "$first" digest "$poise" "$case" "${set[@]}" --device cuda
done <<'VARIANTS'
quads
quads --set time.scheme="euler"
quads --set time.scheme="bdf2" --set solver.convection="van-leer"
quads --set solver.algorithm=pimple --set solver.pressure={preconditioner="neumann";deflation="level-set";}
quads --set solver.pressure.deflation="level-set" --set solver.pressure.deflation_solver="cholesky"
triangles
triangles --set time.scheme="bdf2" --set solver.non_orthogonal_correctors=1
triangles --set time.scheme="euler" --set solver.gradient="green-gauss"
hexahedra
hexahedra --set time.scheme="bdf2" --set solver.pressure.deflation="level-set"
hexahedra --set solver.algorithm="pimple"
triangles --set time.step=1.0 --set time.tolerance=0.02 --set time.courant=0 --set time.max_steps=25
one_fluid
one_fluid --set time.tolerance=0.02 --set time.scheme="crank-nicolson" --set time.max_steps=25
one_fluid --set time.scheme="euler" --set solver.algorithm="pimple"
one_fluid --set time.scheme="bdf2" --set solver.convection="central"
carried
VARIANTS
[ ${#cuda[@]} -gt 0 ] || echo "ok all of these on cuda # SKIP no CUDA device answers"
exit $failed
