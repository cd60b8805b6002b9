#!/usr/bin/env bash
# tests/verify/run: which parts run, the counts, the exit status; with fake test programs.
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/build/tests"
printf '#!/bin/sh\necho "ok 1 - first $*"\necho "ok 2 - second"\necho "ok 3 - third # SKIP not here"\n'\
'echo "not ok 4 - fourth"\nexit 1\n' \
    >"$folder/build/tests/test_mms"
printf '#!/bin/sh\necho "sgs 0 0 0 1108"\necho "sgs2 0 0 0 1279"\n'\
'echo "sgs2:precision=single 0 0 0 1279"\necho "multicolour-gs 0 0 0 1627"\n' \
    >"$folder/build/poise"
printf '#!/bin/sh\nkill $$\n' >"$folder/killed"
chmod +x "$folder"/build/tests/test_mms "$folder"/build/poise "$folder"/killed
verify() { "$top/tests/verify/run" "$folder/build" "$folder/none" "$@" 2>&1; }

# check NAME STATUS PATTERN COMMAND...: ends with the status and says a text that matches the extended regular
# expression
check() {
    local name=$1 status=$2 pattern=$3 said found
    shift 3
    said=$("$@")
    found=$?
    said=$(tr '\n' '|' <<<"$said")
    if (( found == status )) && [[ $said =~ $pattern ]]; then echo "ok $name"
    else echo "not ok $name: status $found, expected $status and \"$pattern\": $said"; fi
}
nightly() { SIZE=nightly verify "$@"; }
wrong_size() { SIZE=small verify mms; }
killed() { cp "$folder/killed" "$folder/build/tests/test_mms"; verify mms; }

check part_passes       0 'two-stage: 4 passed, 0 failed, in [0-9]+ s[|]4 passed, 0 failed[|]$'  verify two-stage
check part_fails        1 'first --full.*mms: 2 passed, 1 failed, in [0-9]+ s[|]2 passed, 1 failed[|]$'    verify mms
check parts_in_order    1 'mms: 2 passed, 1 failed.*two-stage: 4 passed, 0 failed.*[|]6 passed, 1 failed[|]$' \
        verify mms two-stage
check nightly_is_less   1 'first --half'                                                                nightly mms
check unknown_part      1 'there is no part "mmms"; expected: cases transient stability mms'               verify mmms
check unknown_size      1 'SIZE is "small": expected full or nightly'                                      wrong_size
check part_that_dies    1 'not ok mms: ended with status 143.*mms: 0 passed, 1 failed'                      killed
