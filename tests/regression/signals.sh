#!/usr/bin/env bash
# Effects of signals and descriptors on a run: a hang-up, a time limit and a closed pipe stop it with a checkpoint, USR1
# writes one and continues, a file size limit gives a message; with closed descriptors no output goes to the wrong file;
# output that cannot be printed is not a success.
# POISE: the program (build/poise).
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

digest_of() { sed -n 's/^digest //p' "$1" | tail -n 1; }
rows() { [ -e "$1" ] && wc -l <"$1" || echo 0; }
wait_for_rows() { while kill -0 $pid 2>/dev/null && (( $(rows "$1") < $2 )); do sleep 0.005; done; }

cat >steady.cfg <<'CASE'
mesh = { box = { cells = [32, 32]; }; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1.0, 0.0]; }; };
solver = { tolerance = 1e-300; stall_limit = 0; };
CASE
cat >time.cfg <<'CASE'
@include "fluid.cfg"
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1.0, 0.0]; }; };
CASE
cat >fluid.cfg <<'CASE'
mesh = { box = { cells = [32, 32]; }; };
fluid = { viscosity = 0.01; };
solver = { algorithm = "piso"; };
time = { end = 1e6; step = 0.002; };
output = { report_every = 1; };
CASE

start() { default_signals "$poise" run $what.cfg --digest --output $1 "${@:2}" >$1.txt 2>&1; }
# Runs have no end of their own until they are given one, so that a late signal still arrives in time.
until_step() { start $1 --set $steps=$2 "${@:3}"; }
last_step() { tail -n 1 $1/residuals.csv | cut -d, -f1; }
is_whole() {                                                     # is_whole NAME FOLDER: like an uninterrupted run
    (until_step whole $(last_step $2))
    check $1-digest test "$(digest_of $2.txt)" = "$(digest_of whole.txt)" -a -n "$(digest_of whole.txt)"
    check $1-rows cmp whole/residuals.csv $2/residuals.csv
    rm -rf whole $2
}
stop_with() {                                                    # stop_with NUMBER TIMES
    (until_step stop 100000000) &
    pid=$!
    wait_for_rows stop/residuals.csv 20
    for (( k = 0; k < $2; k++ )); do kill -$1 $pid 2>/dev/null; done
    wait $pid
    told $what-stop-$1 6 "STOPPED by signal $1 (SIG" $? "$(<stop.txt)"
    (until_step stop $(( $(last_step stop) + 100 )) --restart)
    is_whole $what-stop-$1 stop
}
for what in steady time; do
    steps=solver.max_iterations
    [ $what = time ] && steps=time.max_steps
    stop_with 1 1
    stop_with 1 2                                                # terminal and shell may both send it
    stop_with 24 1                                               # the time limit of ulimit -t
    (until_step asked 100000000) &
    pid=$!
    wait_for_rows asked/residuals.csv 20
    kill -USR1 $pid
    while kill -0 $pid 2>/dev/null && ! [ -e asked/checkpoint.h5 ]; do sleep 0.005; done
    check $what-checkpoint-while-it-runs kill -0 $pid
    kill -TERM $pid
    wait $pid
    check $what-checkpoint-says grep -q 'writing a checkpoint, requested by signal 10' asked.txt
    is_whole $what-checkpoint asked
done

# A closed pipe: a run stops with its checkpoint, other commands end like other programs, both without a message.
into_closed_pipe() { (sleep 0.3; default_signals "$@") 2>pipe.err | true; status=${PIPESTATUS[0]}; }
into_closed_pipe "$poise" run steady.cfg --output pipe
check pipe-status test $status = 6
check pipe-silent test ! -s pipe.err
check pipe-log grep -q 'STOPPED by signal 13 ' pipe/log.txt
check pipe-checkpoint test -s pipe/checkpoint.h5
for words in 'help case' 'check steady.cfg' version 'solve --generate laplace2d:16' \
    'run steady.cfg --output short --set boundary.top.velocity=[0.0,0.0]'; do
    into_closed_pipe "$poise" $words
    check "pipe-status ${words%% *}" test $status = 141
    check "pipe-silent ${words%% *}" test ! -s pipe.err
done
check pipe-result grep -q '^CONVERGED' short/log.txt

# A limit on the size of files.
(ulimit -f 40; exec "$poise" run steady.cfg --output limit >limit.txt 2>&1)
told file-limit 4 'File too large; free some space there' $? "$(<limit.txt)"

# Closed descriptors.
"$poise" run steady.cfg --output open --set solver.max_iterations=60 >open.txt 2>&1
for closed in '0<&-' '1>&-' '2>&-' '0<&- 1>&- 2>&-'; do
    eval "$poise run steady.cfg --output closed --set solver.max_iterations=60 $closed" >/dev/null 2>&1
    check "closed-status $closed" test $? = 2
    check "closed-rows $closed" cmp open/residuals.csv closed/residuals.csv
    check "closed-log $closed" test \
            "$(wc -l <open/log.txt) $(grep -c 'NOT CONVERGED' closed/log.txt)" = "$(wc -l <closed/log.txt) 1"
    rm -rf closed
done

# Output that cannot be printed.
for words in 'solve --generate laplace2d:16' 'run steady.cfg --output full --set solver.tolerance=0.1' 'help run' \
    'check steady.cfg' version; do
    "$poise" $words >/dev/full 2>full.txt
    told "full ${words%% *}" 4 'the standard output could not be written: No space left on device' $? "$(<full.txt)"
done
exit $failed
