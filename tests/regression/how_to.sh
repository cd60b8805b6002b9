#!/usr/bin/env bash
# docs/how-to/*.md: whole cases in them pass `poise check`, groups of cases are syntax that a case takes, geometries are
# meshed, Python compiles.
# POISE: the program (build/poise).
source "$(dirname "$0")/../checks.sh"
root=$(realpath "$(dirname "$0")/../..") poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
# PAGE_K.cfg: a whole case; .geo: a geometry; .py: Python; .part: groups of a case.
for page in "$root"/docs/how-to/*.md; do
    awk -v name="$(basename "$page" .md)" '
        /^```/ && !inside { inside = 1; kind = $0; text = ""; next }
        /^```/ {
            inside = 0
            if (kind == "```python") type = "py"
            else if (kind != "```") next
            else if (text ~ /Physical Volume/) type = "geo"
            else if (text ~ /\nmesh = / && text ~ /\nboundary = /) type = "cfg"
            else if (text ~ /\n[a-z_]+ *= \{/ && text !~ /\n *\.\.\.\n/) type = "part"
            else next
            printf "%s", substr(text, 2) > name "_" ++count "." type
            next
        }
        inside { text = (text == "" ? "\n" : text) $0 "\n" }' "$page"
done
# A cube of 10 in 12 facets.
python=${PYTHON:-/usr/bin/python3}
"$python" - <<'END'
corner = [(x, y, z) for x in (0, 10) for y in (0, 10) for z in (0, 10)]
with open("part.stl", "w", encoding="ascii") as file:
    print("solid part", file=file)
    for a, b, c, d in (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3):
        for facet in (a, b, c), (a, c, d):
            print("facet normal 0 0 0\nouter loop", file=file)
            for v in facet:
                print("vertex %d %d %d" % corner[v], file=file)
            print("endloop\nendfacet", file=file)
    print("endsolid part", file=file)
END

for case in *.cfg; do check "case ${case%.cfg}" "$poise" check "$case"; done
for geometry in *.geo; do check "geometry ${geometry%.geo}" "$poise" mesh info "$geometry"; done
for code in *.py; do check "python ${code%.py}" "$python" -m py_compile "$code"; done
# Groups: a word that no case has is named; boundaries of other meshes, and keys that are missing, are not this page's.
for part in *.part; do
    { grep -q '^mesh = ' "$part" || echo 'mesh = { box = { cells = [4, 4]; }; };'; cat "$part"; } >part.cfg
    result "groups ${part%.part}" \
        "$("$poise" check part.cfg 2>&1 | grep -E 'unknown|syntax|expected (a |an |one|names)|duplicate' |
        grep -v 'is missing')"
done
exit $failed
