#!/usr/bin/env bash
# What the documents name is there: files that they link to, rooms, functions in the call orders of
# docs/architecture.md.
cd "$(dirname "$0")/../.." || exit 1
bad=0
report() {                                              # report NAME WHAT-IS-MISSING
    if [[ $2 ]]; then echo "not ok $1: missing: $(paste -sd' ' <<<"$2")"; bad=1
    else echo "ok $1"; fi
}

links=$(for f in *.md docs/*.md cases/*/README.md; do
    grep -oE '\]\([^)#]+' "$f" | sed 's/^](//' | grep -v '^[a-z]*:' | while read -r l; do
        [[ -e $(dirname "$f")/$l ]] || echo "$f:$l"
    done
done)
report "links of documents" "$links"

rooms=$(for r in src/*/; do grep -qF "| \`${r%/}\` |" docs/architecture.md || echo "$r"; done)
report "rooms of docs/architecture.md" "$rooms"

names=$(awk '/^<!-- call order/ { next_block = 1 }
    /^```$/ { inside = next_block && !inside; if (!inside) next_block = 0 }
    inside' docs/architecture.md |
    grep -oE '\b[a-z]+(_[a-z]+)+\b' | sort -u | while read -r n; do grep -rqw "$n" src || echo "$n"; done)
report "call orders of docs/architecture.md" "$names"
exit $bad
