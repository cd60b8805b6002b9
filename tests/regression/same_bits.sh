#!/usr/bin/env bash
# The digest of a run is the same on 1, 2 and 3 threads and, if a CUDA device responds, on it; POISE_DEVICE=cuda makes
# the device required.  POISE: the program (default build/poise).
cd "$(dirname "$0")/../.." || exit 1
poise=$(realpath "${POISE:-build/poise}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/walls.cfg" <<'CASE'
mesh     = { box = { cells = [24, 24]; }; };
fluid    = { viscosity = 0.005; };
boundary = { top = { type = "wall"; velocity = [1.0, 0.0]; }; left = { type = "wall"; }; right = { type = "wall"; };
             bottom = { type = "wall"; }; };
solver   = { max_iterations = 40; };
CASE
cat >"$work/duct.cfg" <<'CASE'
mesh     = { box = { cells = [20, 12, 10]; distortion = 0.25; }; };
fluid    = { viscosity = 0.02; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0, 0.0]; profile = "parabolic"; };
             right = { type = "outlet"; };
             bottom = { type = "wall"; }; top = { type = "symmetry"; };
             back = { type = "periodic"; with = "front"; }; front = { type = "periodic"; with = "back"; }; };
solver   = { max_iterations = 25; non_orthogonal_correctors = 1; };
CASE
sed "s|plate.geo|$PWD/cases/plate/plate.geo|" cases/plate/plate.cfg >"$work/plate.cfg"

digest() { "$poise" run "$@" --digest --output "$work/out" 2>"$work/error" | sed -n 's/^digest //p'; }

cuda=()
if [ "${POISE_DEVICE:-auto}" = cuda ] || "$poise" run "$work/walls.cfg" --device cuda --output "$work/out" \
        --set solver.max_iterations=1 2>&1 >/dev/null | wc -c | grep -qx 0; then cuda=(cuda); fi
failed=0
for variant in walls.cfg duct.cfg "duct.cfg --set solver.gradient=green-gauss --set solver.convection=van-leer" \
               "walls.cfg --set solver.pressure.preconditioner=block-jacobi" "walls.cfg --set solver.acceleration=8" \
               "duct.cfg --set solver.acceleration=8" \
               "plate.cfg --set mesh.parameters.n=24 --set solver.max_iterations=8"; do
    # shellcheck disable=SC2086 # the variant's words are arguments
    set -- $variant
    case=$work/$1
    shift
    first=$(digest "$case" "$@" --device cpu --threads 1)
    for how in "cpu --threads 2" "cpu --threads 3" "${cuda[@]}"; do
        # shellcheck disable=SC2086
        other=$(digest "$case" "$@" --device $how)
        name="$variant on $how"
        if [ -n "$first" ] && [ "$first" = "$other" ]; then echo "ok $name"
        else
            echo "not ok $name: digest ${other:-missing}, on one thread ${first:-missing} $(cat "$work/error")"
            failed=1
        fi
    done
    [ ${#cuda[@]} -gt 0 ] || echo "ok $variant on cuda # SKIP no CUDA device answers"
done

# Every linear method (except async-block-jacobi, which is documented as not reproducible), on numbers and on blocks:
# solutions are bitwise equal.
solution() { "$poise" solve --preconditioner "$1" --generate $2 --device $3 --solution "$work/x.mtx" \
        >/dev/null 2>"$work/error" && tail -n +3 "$work/x.mtx"; rm -f "$work/x.mtx"; }
compare() {
    first=$(solution "$1" "$2" "cpu --threads 1")
    for how in "cpu --threads 3" "${cuda[@]}"; do
        if [ -n "$first" ] && [ "$first" = "$(solution "$1" "$2" "$how")" ]; then echo "ok solve, $1 on $how"
        else echo "not ok solve, $1 on $how: not the solution of one thread $(cat "$work/error")"; failed=1; fi
    done
}
for method in none jacobi ruiz block-jacobi block-jacobi:inner=gauss-seidel block-jacobi:inner=cg multigrid \
    multigrid:cycle=w \
        multigrid:cycle=v multigrid:smoother=chebyshev multigrid:smoother=two-stage-gs jr:sweeps=3 sgs multicolour-gs \
        multicolour-gs:precision=single sgs2 sgs2:precision=single sgs2:form=compact sgs2:domain=slice chebyshev \
        chebyshev:precision=single ic0 ic0:triangular=fixed-point ic0:triangular=isai ic0:factor_ordering=multicolour \
        block-ic \
        block-jacobi:method=bicgstab multigrid:method=bicgstab sgs2:precision=single:method=bicgstab \
        incomplete-poisson neumann1 neumann2 deflated-jacobi deflated-neumann2 deflated-multigrid deflated-block-ic; do
    compare "$method" "stretched:16 --rhs random"
done
for method in multigrid multigrid:pairings=3:cycle=w:smoothings=1:smoothing_damping=0.9 multigrid:smoother=ilu \
        multigrid:smoother=ilu:factor_ordering=multicolour; do
    compare "$method:method=fgmres" "cavity-coupled:40 --rhs random"
done
exit $failed
