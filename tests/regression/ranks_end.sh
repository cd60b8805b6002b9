#!/usr/bin/env bash
# One of several ranks dies, hangs, or runs out of memory: all end soon, report the reason, none remains, and the output
# directory is valid: a restart ends with the digest of an uninterrupted run.
# KILLS: number of kills at random moments (default 12; make verify: 50; make soak: 300); SEED: of those moments.
# POISE: the program (build/poise).
OMPI_MCA_odls_base_sigkill_timeout=1     # who is told to end has time to say why
source "$(dirname "$0")/../ranks.sh"
RANDOM=${SEED:-1}
cat >case.cfg <<'EOT'
mesh = { box = { cells = [60, 50]; distortion = 0.25; }; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1.0, 0.0]; }; };
solver = { max_iterations = 400; tolerance = 1e-30; };
output = { checkpoint_every = 20; };
EOT
run=(run case.cfg --device cpu --threads 1 --digest)
digest() { awk '/^digest/ { print $2 }' "$1"; }

# begin N ARGUMENTS...: that number of ranks in the background; $mpi is mpirun's process number.
begin() {
    local n=$1
    shift
    : >said                                  # at once: nobody is to read what the last one has said
    "${start[@]}" -n "$n" "$poise" "${run[@]}" "$@" </dev/null >said 2>&1 &
    mpi=$!
}

computes() {                                 # waits until the ranks compute; $processes are their numbers
    for _ in {1..1200}; do
        if grep -qa ' 10   [0-9]' said || ! kill -0 $mpi 2>/dev/null; then break; fi
        sleep 0.1
    done
    mapfile -t processes < <(pgrep -P $mpi)
}

gone() {                                     # the processes, except zombies
    for _ in {1..50}; do
        ps -o stat= -p "$(IFS=,; echo "$*")" | grep -qv '^Z' || return 0
        sleep 0.2
    done
    return 1
}

# Waits for mpirun.  Open MPI's mpirun waits for ever if a rank dies while it starts the others: once all of its ranks
# have been gone for a minute it is killed, too.
ended() {
    local alone=0
    while kill -0 $mpi 2>/dev/null; do
        if ps -o stat= --ppid $mpi | grep -qv '^Z'; then alone=0; else alone=$((alone + 1)); fi
        (( alone > 600 )) && kill -KILL $mpi
        sleep 0.1
    done
    wait $mpi
}

"$poise" "${run[@]}" --output whole.out >whole
check whole test -n "$(digest whole)"

# ---- killed
begin 3 --output killed.out --set solver.max_iterations=100000000
computes
began=$SECONDS
kill -KILL "${processes[1]}"
wait $mpi
told killed 137 'ended from outside: another rank has died' $? "$(cat said)"
check killed_where grep -Eq 'rank [02] of 3 on .*, CPU, .*, after iteration [0-9]+, .*checkpoint.*: ended' said
check killed_soon test $((SECONDS - began)) -lt 30
check killed_all gone "${processes[@]}"

# ---- stopped: it does not respond.  Without checkpoints: the others wait as long as needed for one that writes.
export POISE_PATIENCE=2
begin 3 --output stopped.out --set solver.max_iterations=100000000 --set output.checkpoint_every=0
computes
began=$SECONDS
kill -STOP "${processes[1]}"
wait $mpi
told stopped 4 'no answer for 2 s from rank 1 on ' $? "$(cat said)"
check stopped_where grep -q 'rank [02] of 3 on .*, CPU, .*, after iteration [0-9]*, .*checkpoint.*: no answer' said
check stopped_soon test $((SECONDS - began)) -lt 20
check stopped_all gone "${processes[@]}"
unset POISE_PATIENCE

# ---- stopped before MPI has started: the others wait four times as long
cat >stopped_first <<'EOT'
#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = "$hangs" ] && kill -STOP $$
exec "$poise" "$@"
EOT
chmod +x stopped_first
export poise hangs
for hangs in 0 2; do
    began=$SECONDS
    POISE_PATIENCE=0.5 "${start[@]}" -n 3 ./stopped_first "${run[@]}" --output first.out </dev/null >said 2>&1
    told "rank_${hangs}_stopped_first" 4 'MPI has not started within 2 s' $? "$(cat said)"
    check "rank_${hangs}_stopped_first_soon" test $((SECONDS - began)) -lt 20
done
check stopped_first_once test "$(grep -c 'has not started' said)" = 1

# ---- killed at random moments, from the start to the end; then continued with the same number of ranks
chance() {
    local bad=0 i n victim ms when status
    mkdir "$2" && cd "$2" && cp ../case.cfg . || return 1
    for ((i = 0; i < $1; i++)); do
        n=$((2 + RANDOM % 3)) victim=$((RANDOM % n)) ms=$((RANDOM % 1500))
        when=$((ms / 1000)).$(printf %03d $((ms % 1000)))
        rm -rf chance.out
        begin $n --output chance.out
        sleep "$when"
        mapfile -t processes < <(pgrep -P $mpi)
        (( ${#processes[@]} > victim )) && kill -KILL "${processes[victim]}" 2>/dev/null
        ended
        status=$?
        (( ${#processes[@]} )) && { gone "${processes[@]}" || { echo "# $when: a process stays"; bad=1; }; }
        [[ $status == 137 || $(digest said) == "$(digest ../whole)" ]] ||
            { echo "# $when: status $status: $(tail -n 3 said | tr '\n' ' ')"; bad=1; }
        [[ -e chance.out/checkpoint.h5 ]] || continue
        "$poise" "${run[@]}" --output chance.out --restart >again 2>&1
        [[ $(digest again) == "$(digest ../whole)" ]] || { echo "# $when: restart: $(tail -n 1 again)"; bad=1; }
        [[ ! $(find chance.out -name '*.part') ]] ||
            { echo "# $when: left: $(find chance.out -name '*.part')"; bad=1; }
    done
    return $bad
}
kills=${KILLS:-12}
(chance $((kills / 2)) first) &              # most of the time mpirun waits: two at once
one=$!
(RANDOM=$((${SEED:-1} + 1)); chance $((kills - kills / 2)) second)
other=$?
wait $one
check "kills_at_chance_$kills" test $? = 0 -a $other = 0

# ---- no memory for one rank: some allocations of rank 1 fail, one per run
preload=$(dirname "$poise")/tests/fail_allocation.so
cat >on_rank_1 <<'EOT'
#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ] && export LD_PRELOAD="$preload"
exec "$poise" "$@"
EOT
chmod +x on_rank_1
export preload poise
short=("${start[@]}" -n 2 ./on_rank_1 "${run[@]}" --output memory.out --set solver.max_iterations=12)
if [[ -e $preload ]]; then
    FAIL_COUNT=$folder/count "${short[@]}" </dev/null >said 2>&1
    usual=$(digest said) all=$(cat count) bad=0 ended=0
    for ((i = 1; i <= 8; i++)); do
        at=$((all * i / 9))
        FAIL_AT=$at "${short[@]}" </dev/null >said 2>&1
        status=$?
        times=$(grep -c 'out of memory' said)
        if (( status == 4 && times == 1 )); then ended=$((ended + 1))
        elif [[ $(digest said) != "$usual" ]]; then
            echo "# allocation $at: status $status, said $times times: $(tail -n 3 said | tr '\n' ' ')"
            bad=1
        fi
    done
    check "memory_of_one_rank_$ended" test $bad = 0 -a $ended -gt 3
else echo "ok memory_of_one_rank # SKIP built with sanitizers, which have allocations of their own"; fi
exit $failed
