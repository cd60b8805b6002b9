#!/usr/bin/env bash
# kill -9 at many moments of a run: the files in its directory are always readable, and after repeated kills and
# restarts the run ends with the same digest, fields and tables as an uninterrupted one.  The same holds for SIGTERM,
# which it answers with a checkpoint.
# KILLS: number of further kills of each kind of run at random moments (default 0; make soak: 300), from beginning to
# end, also of restarts, each followed by the same checks; SEED: of those moments.
# POISE: the program (build/poise).  PYTHON: with h5py and numpy (/usr/bin/python3).
cd "$(dirname "$0")/../.." || exit 1
source tests/checks.sh
poise=${POISE:-build/poise} python=${PYTHON:-/usr/bin/python3} folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

start() {                                                        # start NAME [OPTION...]: into folder/NAME.out
    local name=$1
    shift
    exec "$poise" run "${case[@]}" --set output.checkpoint_every=5 --set "output.directory=\"$folder/$name.out\"" \
        --digest "$@" \
        >"$folder/$name.txt" 2>&1
}

# readable DIRECTORY: reads everything named in the .xdmf and the .vtkhdf, also of surfaces, and the checkpoint.
# Missing files named in a .vtkhdf would be read as nan.
readable() {
    "$python" - "$1" <<'PYTHON'
import glob, os, sys
import xml.etree.ElementTree as tree
import h5py
import numpy as np
def found(pattern):
    return glob.glob(os.path.join(sys.argv[1], "**", pattern), recursive=True)
for path in found("*.xdmf"):
    for item in tree.parse(path).iter("DataItem"):
        file, name = item.text.split(":")
        with h5py.File(os.path.join(os.path.dirname(path), file)) as h5:
            shape = tuple(int(n) for n in item.get("Dimensions").split())
            assert h5[name].shape == shape, f"{item.text}: {h5[name].shape} instead of {shape}"
            assert np.isfinite(h5[name][:]).all(), f"{item.text} is not finite"
for path in found("*.vtkhdf"):
    with h5py.File(path) as h5:
        root, steps = h5["VTKHDF"], h5["VTKHDF/Steps"].attrs["NSteps"][()]
        cells = root["NumberOfCells"][0]
        assert (np.diff(root["Steps/Values"][:]) > 0).all() and len(root["Steps/Values"]) == steps > 0, path
        assert len(root["Types"]) == cells and len(root["Connectivity"]) == root["Offsets"][cells] > 0, path
        assert np.isfinite(root["Points"][:]).all() and (root["Types"][:] > 0).all(), path
        for name, data in root["CellData"].items():
            assert len(data) == steps * cells and np.isfinite(data[:]).all(), f"{path}: {name}"
for path in found("*.h5"):
    with h5py.File(path) as h5:
        h5.visititems(lambda name, item: item[:] if isinstance(item, h5py.Dataset) else None)
PYTHON
}

digest_of() { sed -n '$s/^digest //p' "$1"; }
rows() { [ -e "$1" ] && wc -l <"$1" || echo 0; }
# Until the table has so many rows, or process $pid has ended; starts no process, which would take a core.
exec {never}<> <(:)
wait_for_rows() {                                                # wait_for_rows TABLE ROWS
    local lines=()
    while kill -0 $pid 2>/dev/null && (( ${#lines[@]} < $2 )); do
        read -rt 0.001 -u $never
        [ -e "$1" ] && mapfile -t lines <"$1"
    done
}

whole() {                                                        # the uninterrupted run
    (start whole)
    whole=$(digest_of "$folder/whole.txt") all=$(rows "$folder/whole.out/residuals.csv")
    check "$what-whole" test -n "$whole"
}

# A run killed after its last checkpoint, or finished, is started again: only the log changes.
done_again() {
    cp -r "$folder/whole.out" "$folder/kept.out"
    (start whole --restart)
    check "$what-done-status" test $? = 0
    check "$what-done-digest" test "$(digest_of "$folder/whole.txt")" = "$whole"
    check "$what-done-files" diff -r -x log.txt -x poise.lock "$folder/kept.out" "$folder/whole.out"
    rm -rf "$folder/kept.out"
}

# On a busy machine a signal may arrive after the run's end.  Such a run is repeated from its previous state.
TRIES=10
keep() { rm -rf "$folder/kept"; if [ -e "$1" ]; then cp -r "$1" "$folder/kept"; fi; }
put_back() { rm -rf "$1"; if [ -e "$folder/kept" ]; then mv "$folder/kept" "$1"; fi; }

# Asked to stop (Ctrl-C is the same, but a shell's background jobs ignore it): the run ends with a checkpoint.
stopped() {
    local csv=$folder/stopped.out/residuals.csv pid status try
    for (( try = 0; try < TRIES; try++ )); do
        rm -rf "$folder/stopped.out"
        (start stopped) &
        pid=$!
        wait_for_rows "$csv" 20
        kill -TERM $pid 2>/dev/null
        wait $pid
        status=$?
        (( $(rows "$csv") < all )) && break
    done
    check "$what-stop-status" test $status = 6
    check "$what-stop-says" grep -q '^STOPPED by signal 15 ' "$folder/stopped.txt"
    check "$what-stop-readable" readable "$folder/stopped.out"
    (start stopped --restart)
    check "$what-stop-digest" test "$(digest_of "$folder/stopped.txt")" = "$whole"
    check "$what-stop-residuals" cmp "$folder/whole.out/residuals.csv" "$csv"
}

# killed ROWS...: of residuals.csv after which it is killed
killed() {
    local csv=$folder/killed.out/residuals.csv in_time=0 moment restart pid table try
    for moment in "$@"; do
        keep "$folder/killed.out"
        for (( try = 0; try < TRIES; try++ )); do
            (( try )) && put_back "$folder/killed.out" && keep "$folder/killed.out"
            restart=
            [ -e "$folder/killed.out/checkpoint.h5" ] && restart=--restart
            (start killed $restart) &
            pid=$!
            wait_for_rows "$csv" "$moment"
            kill -9 $pid 2>/dev/null
            wait $pid 2>/dev/null
            (( $(rows "$csv") < all )) && break
        done
        check "$what-readable-$moment" readable "$folder/killed.out"
        (( $(rows "$csv") < all )) && in_time=$((in_time + 1))
    done
    check "$what-in-time" test "$in_time" = $#
    (start killed --restart)
    check "$what-digest" test "$(digest_of "$folder/killed.txt")" = "$whole"
    check "$what-fields" diff -r "$folder/whole.out/fields" "$folder/killed.out/fields"
    for table in "$folder"/whole.out/*.csv; do
        check "$what-$(basename "$table" .csv)" cmp "$table" "$folder/killed.out/$(basename "$table")"
    done
}

# Duration of a whole run in seconds, for random moments.
seconds_of() {
    local from=$EPOCHREALTIME
    (start timed)
    awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
}

# Is the checkpoint that of the run's end?
at_end() {
    "$python" -c 'import h5py, sys
step = [h5py.File(name).attrs["step"] for name in sys.argv[1:3]]
sys.exit(int(step[0] != step[1]))' \
        "$folder/$1.out/checkpoint.h5" "$folder/whole.out/checkpoint.h5" 2>/dev/null
}

# series_of NAME: times and fields of every .vtkhdf
series_of() {
    "$python" - "$folder/$1.out" <<'PYTHON'
import glob, hashlib, os, sys
import h5py
for path in sorted(glob.glob(os.path.join(sys.argv[1], "**", "*.vtkhdf"), recursive=True)):
    with h5py.File(path) as h5:
        def told(name, item):
            if isinstance(item, h5py.Dataset):
                print(os.path.basename(path), name, hashlib.md5(item[()].tobytes()).hexdigest())
        h5.visititems(told)
PYTHON
}

# After a restart the .xdmf lists the files in another order; the checkpoint contains the elapsed time.
same_as_whole() {
    diff -r -x log.txt -x poise.lock -x checkpoint.h5 -x '*.xdmf' -x '*.vtkhdf' "$folder/whole.out" "$folder/$1.out"
}

# After every kill all files are readable; if the run reaches its end, they equal those of the uninterrupted run.
soaked() {
    local kills=${KILLS:-0} seconds restart pid k killed=0 ends=0 broken=0 lost=0
    (( kills )) || return 0
    RANDOM=${SEED:-1}
    seconds=$(seconds_of)
    for (( k = 1; killed < kills && k < 10 * kills; k++ )); do
        restart=
        [ -e "$folder/soaked.out/checkpoint.h5" ] && restart=--restart
        (start soaked $restart) &
        pid=$!
        sleep "$(awk -v r=$RANDOM -v s="$seconds" 'BEGIN { print s * r / 32767 }')"
        kill -9 $pid 2>/dev/null
        wait $pid 2>/dev/null
        (( $? == 137 )) && killed=$((killed + 1))
        readable "$folder/soaked.out" || broken=$((broken + 1))
        at_end soaked || continue
        ends=$((ends + 1))
        (start soaked --restart)
        [ "$(digest_of "$folder/soaked.txt")" = "$whole" ] && same_as_whole soaked || lost=$((lost + 1))
        rm -rf "$folder/soaked.out"
    done
    echo "# $what: $killed kills at moments of chance, $ends ends, $broken directories that could not be read," \
        "$lost other results"
    check "$what-soak" test "$killed $broken $lost" = "$kills 0 0" -a $ends -gt $((kills / 50))
}

what=kill case=(cases/cavity/cavity.cfg --set mesh.parameters.n=32 --set output.every=7)
whole && done_again && killed 2 9 30 31 47 90 120 200 && stopped && soaked

# VTK's own format, of the volume and of a surface.
rm -rf "$folder"/*
what=kill-vtkhdf case=(cases/cavity/cavity.cfg --set mesh.parameters.n=32 --set output.every=2
    --set output.format=vtkhdf --set 'surfaces={ lid = { boundaries = ["lid"]; every = 3; }; }')
whole && done_again && killed 2 9 30 47 90 120 && soaked
check kill-vtkhdf-series diff <(series_of whole) <(series_of killed)
check kill-vtkhdf-there test -e "$folder/whole.out/surfaces/lid/lid.vtkhdf" -a -e "$folder/whole.out/cavity.vtkhdf"

# Transient, with two fluids.
rm -rf "$folder"/*
what=kill-transient case=(cases/dambreak/dambreak.cfg --set "mesh.box.cells=[32,20]" --set time.end=0.08 \
    --set output.interval=0.007
    --set output.report_every=1 --set bubbles.every=3)
whole && done_again && killed 2 9 30 31 47 && stopped && soaked
exit $failed
