#!/usr/bin/env bash
# The first residuals are on the first screen of a terminal of 80 x 24, the settings in log.txt, and the end says what
# to open.
cd "$(dirname "$0")/../.." || exit 1
source tests/checks.sh
poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# screen CASE SETTINGS...
screen() {
    local name=$1 out=$folder/$1.out said row
    shift
    said=$("$poise" run "cases/$name/$name.cfg" --output "$out" --device cpu --threads 1 "${@/#/--set=}" 2>&1)
    row=$(fold -w 80 <<<"$said" | grep -nE -m 1 '^ +1 +[0-9]' | cut -d: -f1)
    result "first_row_$name" "$( (( ${row:-99} <= 24 )) ||
        echo "line ${row:-(none)} of 80 columns, expected 24 at most")"
    result "settings_$name" "$(grep -q '^settings   listed in log.txt' <<<"$said" || echo "$said" | head -20
        grep -q '^fluid = {' "$out/log.txt" || echo 'no settings in log.txt'
        ! grep -q '^fluid = {' <<<"$said" || echo 'settings on the terminal')"
    result "results_$name" "$(tail -n 3 <<<"$said" | grep -qF "$out/$name.xdmf (open it in ParaView)" ||
        tail -n 3 <<<"$said")"
}
screen cavity mesh.parameters.n=16 solver.max_iterations=3
screen cavity3d mesh.parameters.n=6 solver.max_iterations=3
screen bubble mesh.parameters.h=0.1 time.max_steps=2
exit $failed
