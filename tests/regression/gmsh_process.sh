#!/usr/bin/env bash
# poise-gmsh never outlives the poise that started it, however that ends, and leaves no file; when poise is asked to
# stop while Gmsh works, it passes the signal on and reports it.
# POISE: the program (build/poise).
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}")
[[ -x $(dirname "$poise")/poise-gmsh ]] || { echo "ok gmsh_process # SKIP poise-gmsh is not built"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir tmp
export TMPDIR=$folder/tmp

# The process started by process $1 (field 4 of stat is the parent).
child_of() {
    awk -v parent="$1" '{ sub(/.*\) /, ""); if ($2 == parent) { split(FILENAME, part, "/"); print part[3] } }' \
        /proc/[0-9]*/stat 2>/dev/null
}
# Ends soon: within seconds where it still loads Gmsh's library from a slow disk; one that nobody has waited for yet (Z)
# has ended.
gone() {
    for (( k = 0; k < 6000; k++ )); do
        grep -qE '\) [^Z]' /proc/$1/stat 2>/dev/null || return 0
        sleep 0.01
    done
    kill -9 "$1"
    return 1
}

printf 'For k In {0:1000000000000}\n  x = k;\nEndFor\n' >endless.geo
cat >endless.cfg <<'CASE'
mesh = { file = "endless.geo"; };
fluid = { viscosity = 0.01; };
boundary = { walls = { type = "wall"; }; };
CASE
for words in 'run endless.cfg --output out' 'mesh info endless.geo' 'check endless.cfg' \
    'mesh convert endless.geo made.h5'; do
    for signal in KILL TERM INT HUP XCPU; do
        (default_signals "$poise" $words) >said.txt 2>&1 &
        pid=$! child=
        for (( k = 0; k < 1000; k++ )); do
            child=$(child_of $pid)
            [ -n "$child" ] && [ "$(cat /proc/$child/comm 2>/dev/null)" = poise-gmsh ] && break
            sleep 0.01
        done
        sleep 0.3                                                # it has started to read the geometry
        kill -$signal $pid
        wait $pid 2>/dev/null
        status=$?
        check "$signal-$words-gone" gone "$child"
        check "$signal-$words-nothing-left" test -z "$(ls tmp)" -a -z "$(find . -name '*.part' -o -name made.h5)"
        [ $signal = KILL ] && continue
        check "$signal-$words-says" grep -q 'meshing endless.geo was stopped (signal' said.txt
        check "$signal-$words-status" test $status = 4
    done
done 2>/dev/null
# The time limit applies to each process: Gmsh reaches it first.
said=$(ulimit -St 1; "$poise" check endless.cfg 2>&1)
told time-limit 4 'meshing endless.geo was stopped (signal 24)' $? "$said"
exit $failed
