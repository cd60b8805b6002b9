#!/usr/bin/env bash
# Subjects of new commits have at most 72 characters and no "wip", and no new commit is a merge (CONTRIBUTING.md).
# New are those since BASE, where it is set and known, else since the commit that brought this script.
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C.UTF-8

# complaints: of lines "HASH<tab>PARENTS<tab>SUBJECT" on the standard input
complaints() {
    local hash parents subject
    while IFS=$'\t' read -r hash parents subject; do
        if [[ $parents == *' '* ]]; then echo "$hash is a merge; expected: git rebase"; continue; fi
        (( ${#subject} <= 72 )) || echo "$hash has a subject of ${#subject} characters, expected at most 72: $subject"
        shopt -s nocasematch
        [[ ! $subject =~ ^(fixup|squash)!|(^|[^a-z])wip($|[^a-z]) ]] || echo "$hash is unfinished work: $subject"
        shopt -u nocasematch
    done
}

long=$(printf 'x%.0s' {1..66})
said=$(printf '%s\t%s\t%s\n' a 1 'area: what, with é' b 1 "area: $long" c 1 'WIP: area' d '1 2' merge \
    e 1 "area: é$long" f 1 'fixup! area: what' g 1 'docs: swiping and wipers' | complaints)
if [[ $(cut -c1 <<<"$said" | tr -d '\n') == cdef ]]; then echo "ok commits_are_judged"
else echo "not ok commits_are_judged: found ${said//$'\n'/; }"; exit 1; fi

if ! top=$(git rev-parse --show-toplevel 2>/dev/null) || [[ ! $top -ef . ]]; then
    echo "ok commits # SKIP these files are no clone of git"
    exit 0
fi
start=${BASE-}
if ! git merge-base --is-ancestor "${start:-none}" HEAD 2>/dev/null; then
    start=$(git log --diff-filter=A --format=%H HEAD -- tests/commits.sh | tail -n 1)
fi
found=$(git log --format='%h%x09%p%x09%s' "${start:-HEAD}..HEAD" | complaints)
if [[ $found ]]; then echo "not ok commits: $(paste -sd';' <<<"$found")"; exit 1; fi
echo "ok commits"
