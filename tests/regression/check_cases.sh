#!/usr/bin/env bash
# `poise check` accepts every case in cases/, including those that no other test runs.
cd "$(dirname "$0")/../.." || exit 1
poise=$(realpath "${POISE:-build/poise}") top=$PWD folder=$(mktemp -d) out=$folder/said
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1                                          # cases write into the current folder
for case in "$top"/cases/*/*.cfg; do
    name=$(basename "$case" .cfg)
    if "$poise" check "$case" >"$out" 2>&1; then echo "ok check-$name"
    else echo "not ok check-$name: $(head -1 "$out")"; fi
done
