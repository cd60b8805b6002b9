#!/usr/bin/env bash
# Heat, a chimney, solids, laws of viscosity, driven flows, moving and rotating walls, outlets that shut, expressions
# and tables: the digest is the same on 1, 2 and 3 threads, after a restart (heat.csv too), and on a CUDA device if one
# responds (POISE_DEVICE=cuda: required).
# POISE: the program (default build/poise).
cd "$(dirname "$0")/../.." || exit 1
poise=$(realpath "${POISE:-build/poise}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp tests/data/models/* "$work"
cd "$work" || exit 1

digest() { "$poise" run "$@" --digest --output out 2>error | sed -n 's/^digest //p'; }

cuda=()
if [ "${POISE_DEVICE:-auto}" = cuda ] || "$poise" run pressures.cfg --device cuda --output out \
        --set solver.max_iterations=1 2>&1 >/dev/null | wc -c | grep -qx 0; then cuda=(cuda); fi
failed=0
compare() {                                                      # compare NAME EXPECTED FOUND
    if [ -n "$2" ] && [ "$2" = "$3" ]; then echo "ok $1"
    else echo "not ok $1: digest ${3:-missing}, on one thread ${2:-missing} $(cat error)"; failed=1; fi
}
for variant in convection.cfg "convection.cfg --set solver.algorithm=simplec" inflow.cfg law.cfg driven.cfg \
               pressures.cfg drop.cfg solid.cfg warming.cfg wall.cfg cooling.cfg drum.cfg warm.cfg dye.cfg place.cfg \
               layers.cfg sides.cfg stiff.cfg long.cfg tables.cfg chimney.cfg; do
    # shellcheck disable=SC2086 # the variant's words are arguments
    set -- $variant
    first=$(digest "$@" --device cpu --threads 1)
    for how in "cpu --threads 2" "cpu --threads 3" "${cuda[@]}"; do
        # shellcheck disable=SC2086
        compare "$variant on $how" "$first" "$(digest "$@" --device $how)"
    done
    [ ${#cuda[@]} -gt 0 ] || echo "ok $variant on cuda # SKIP no CUDA device answers"
    key=solver.max_iterations
    grep -q max_steps "$1" && key=time.max_steps
    heat=$(sha256sum < out/heat.csv 2>/dev/null)
    digest "$@" --device cpu --set $key=3 >/dev/null
    compare "$variant after a restart" "$first" "$(digest "$@" --device cpu --restart)"
    [ "$heat" = "$(sha256sum < out/heat.csv 2>/dev/null)" ] ||
        { echo "not ok $variant after a restart: heat.csv has other bits"; failed=1; }
done
first=$(digest leaving.cfg --device cpu)
digest leaving.cfg --device cpu --set time.max_steps=59 >/dev/null
compare "leaving.cfg after a late restart" "$first" "$(digest leaving.cfg --device cpu --restart)"
exit $failed
