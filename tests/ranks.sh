# For the scripts of tests/regression that start ranks: source "$(dirname "$0")/../ranks.sh"; includes checks.sh.
# Without MPI it prints a message and ends the script.  $folder is a temporary directory, the current one.
poise=$(realpath "${POISE:-build/poise}")
source "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
if ! command -v mpirun >/dev/null || [[ ! -e $(dirname "$poise")/libpoise-mpi.so ]]; then
    echo "ok $(basename "$0" .sh) # SKIP mpirun or libpoise-mpi.so is not there (make MPI=1)"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-10000}
export ASAN_OPTIONS=detect_leaks=0                               # MPI's own
# Where a rank ends with another status than 0, as after `max_iterations`, mpirun ends the others, which have ended.  It
# waited a second or two for that, longer than most of the runs.
export OMPI_MCA_odls_base_sigkill_timeout=${OMPI_MCA_odls_base_sigkill_timeout-0}
start=(mpirun)
mpirun --version | grep -q 'Open MPI' && start+=(--oversubscribe --bind-to none)

# ranks N ARGUMENTS...: the program as N ranks.
ranks() {
    local n=$1
    shift
    "${start[@]}" -n "$n" "$poise" "$@" </dev/null 2>&1 | tr '\r' '\n' | sed 's/.*\x1b\[K//'
    return "${PIPESTATUS[0]}"
}

# RANK_COUNTS=all (make verify PART=ranks): every number of ranks and every restart.  Otherwise the last number of each
# test, and every third restart.
counts_of() { if [[ ${RANK_COUNTS-} == all ]]; then echo "$1"; else echo "${1##* }"; fi; }
restarts=0

# once NAME RANKS STATUS TEXT ARGUMENTS...
once() {
    local name=$1 n=$2 status=$3 text=$4 said found times
    shift 4
    said=$(ranks "$n" "$@")
    found=$?
    times=$(grep -cF -- "$text" <<<"$said")
    if (( found == status && times == 1 )); then echo "ok $name"
    else
        echo "not ok $name: status $found, expected $status; said $times times: $text:" \
            "$(tail -n 5 <<<"$said" | tr '\n' ' ')"
        failed=1
    fi
}

# ---------------------------------------------------------------- poise run
options=(--device cpu --threads 1 --digest)
digest() { awk '/^digest/ { print $2 }'; }

# same NAME COUNTS ARGUMENTS...: poise run on these numbers of ranks gives the digest and the files of one rank, except
# for names of the directory and times.
same() {
    local name=$1 counts n one several differ
    counts=$(counts_of "$2")
    shift 2
    rm -rf one
    one=$("$poise" run "$@" "${options[@]}" --output one 2>&1 | digest)
    for n in $counts; do
        rm -rf several
        several=$(ranks "$n" run "$@" "${options[@]}" --output several | digest)
        differ=$(diff -rq one several | grep -v 'checkpoint.h5\|log.txt\|poise.lock')
        if [[ $one && $one == "$several" && ! $differ ]]; then echo "ok $name, $n ranks"
        else echo "not ok $name, $n ranks: digest $several, expected $one; $differ"; failed=1; fi
    done
}

# goes_on NAME COUNTS KEY VALUES ARGUMENTS...: a run on the first number of ranks ends at the first value of a limit,
# others are restarted from its checkpoint to the second, ..: digest and rows of one rank.
goes_on() {
    [[ ${RANK_COUNTS-} == all ]] || (( restarts++ % 3 == 0 )) || return
    local name=$1 key=$3 counts ends i one several table differ='' restart=()
    read -ra counts <<<"$2"; read -ra ends <<<"$4"
    shift 4
    rm -rf one several
    one=$("$poise" run "$@" "${options[@]}" --output one --set "$key=${ends[-1]}" 2>&1 | digest)
    for i in "${!counts[@]}"; do
        several=$(ranks "${counts[i]}" run "$@" "${options[@]}" --output several --set "$key=${ends[i]}" \
            "${restart[@]}" | digest)
        restart=(--restart)
    done
    for table in one/*.csv; do cmp -s "$table" "several/${table#one/}" || differ+=" ${table#one/}"; done
    if [[ $one && $one == "$several" && ! $differ ]]; then echo "ok $name, ranks ${counts[*]}"
    else echo "not ok $name, ranks ${counts[*]}: digest $several, expected $one; other rows in:$differ"; failed=1; fi
}
