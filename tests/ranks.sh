# For the scripts of tests/regression that start ranks: source "$(dirname "$0")/../ranks.sh"; what checks.sh has, too.
# Where there is no MPI it says so and ends the script.  $folder is a temporary directory, the current one.
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
start=(mpirun)
mpirun --version | grep -q 'Open MPI' && start+=(--oversubscribe --bind-to none)

# ranks N ARGUMENTS...: the program as N ranks.
ranks() {
    local n=$1
    shift
    "${start[@]}" -n "$n" "$poise" "$@" </dev/null 2>&1 | tr '\r' '\n' | sed 's/.*\x1b\[K//'
    return "${PIPESTATUS[0]}"
}

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
