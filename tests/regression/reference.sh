#!/usr/bin/env bash
# The generated pages of docs/reference are what the program and the Python package say today.
cd "$(dirname "$0")/../.." || exit 1
source tests/checks.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export POISE=${POISE:-build/poise}
said=$("${PYTHON:-/usr/bin/python3}" docs/reference/generate.py "$folder" 2>&1)
result reference_generated "$( (( $? )) && echo "$said")"
for page in case commands formats exit-statuses python; do
    result "reference_$page" "$(diff -u "docs/reference/$page.md" "$folder/$page.md" 2>&1 | grep -m 3 '^[-+][^-+]' &&
        echo "expected: POISE=build/poise python3 docs/reference/generate.py, and a commit of what it writes")"
done
# Every key of the case file is in a table of case.md, in the section of its group.
keys=$("$POISE" help case | awk '/^[a-z].* = \{ \.\.\. \}   / { group = $1; next }
    /^  [a-z_]+ / && !/^  for studies:/ && group != "" { print group, $1 }')
missing=$(while read -r group key; do
    awk -v group="## $group" -v key="| \`$key\` |" '/^## / { inside = $0 == group }
        inside && index($0, key) == 1 { found = 1 }
        END { exit !found }' docs/reference/case.md || echo "$group.$key"; done <<<"$keys")
result reference_of_every_key "$missing$([[ $(wc -l <<<"$keys") -gt 150 ]] || echo "only $(wc -l <<<"$keys") keys")"
exit $failed
