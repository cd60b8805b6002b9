#!/usr/bin/env bash
# docs/tutorial.md: its commands, in their order; the flow touches the floor where the document says.
# POISE: the program (build/poise).
source "$(dirname "$0")/../checks.sh"
root=$(realpath "$(dirname "$0")/../..") build=$(dirname "$(realpath "${POISE:-build/poise}")") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir bin
ln -s "$build" build
ln -s "$root/postproc" postproc
printf '#!/bin/sh\nexec %s "$@"\n' "${PYTHON:-/usr/bin/python3}" >bin/python3
chmod +x bin/python3
{ echo 'set -eo pipefail'; sed -n '/^```sh$/,/^```$/{ /^```/!p }' "$root/docs/tutorial.md"; } >commands
check commands test "$(wc -l <commands)" -gt 40
PATH=$folder/bin:$PATH bash -x commands >said.txt 2>steps.txt
status=$?
[[ $status == 0 ]] && echo "ok tutorial" ||
    { echo "not ok tutorial: status $status: $(tail -n 3 steps.txt | tr '\n' ' ')"; failed=1; }
check touches-down test "$(grep -c '^2\.9[01]' said.txt)" = 2
check iterations grep -q '^CONVERGED in 182 iterations' said.txt
check pictures test -s step.out/velocity.png -a -s step.out/residuals.png
check goes-on grep -q ',restart,time.end,0.4,0.6$' said.txt
exit $failed
