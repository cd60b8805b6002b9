#!/usr/bin/env bash
# Names in the documents exist: linked files and headings, folders of src, functions in the call orders of
# docs/architecture.md.
cd "$(dirname "$0")/../.." || exit 1
bad=0
report() {                                              # report NAME WHAT-IS-MISSING
    if [[ $2 ]]; then echo "not ok $1: missing: $(paste -sd' ' <<<"$2")"; bad=1
    else echo "ok $1"; fi
}

# Files and headings that links lead to; headings have the anchors that forges give them.
links=$("${PYTHON:-/usr/bin/python3}" - <<'PYTHON'
import glob, os, re

def text(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)

def anchors(path):
    found = set()
    for heading in re.findall(r"^#+ +(.*?) *#*$", text(path), re.M):
        heading = re.sub(r"\]\([^)]*\)", "]", heading).lower()
        one = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        n = sum(bool(re.fullmatch(re.escape(one) + r"(-\d+)?", a)) for a in found)
        found.add(f"{one}-{n}" if one in found else one)
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]*)\"", text(path)))

patterns = "*.md", "docs/**/*.md", "cases/**/*.md", "packaging/*.md", "postproc/*.md", ".github/**/*.md"
pages = [p for pattern in patterns
         for p in glob.glob(pattern, recursive=True) if ".out/" not in p]
for page in sorted(pages):
    for link in re.findall(r"\]\(([^)\s]+)\)|^\[[^\]]+\]: +(\S+)", re.sub(r"`[^`\n]*`", "", text(page)), re.M):
        path, _, anchor = "".join(link).partition("#")
        to = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if re.match(r"[a-z]+:", path):
            continue
        if not os.path.exists(to):
            print(f"{page}:{path}")
        elif anchor and to.endswith(".md") and anchor not in anchors(to):
            print(f"{page}:{path}#{anchor}")
PYTHON
)
(( $? )) && links="the check of links failed"
report "links of documents" "$links"

# What Poise has, beside its peers, is shown by a test; what it lacks has an alternative.
shown=$(awk -F ' [|] ' '/^[|]/ && !/^[|](-| feature | licence)/ { print $2 }' docs/reference/comparison.md | sort -u |
    while read -r has; do
        [[ $has =~ ^yes:\ \`(tests/[^\`]*)\`$ && -f ${BASH_REMATCH[1]} ]] || [[ $has == "no: "?* ]] || echo "\"$has\""
    done)
report "evidence of docs/reference/comparison.md" "$shown"

rooms=$(for r in src/*/; do grep -qF "| \`${r%/}\` |" docs/architecture.md || echo "$r"; done)
report "rooms of docs/architecture.md" "$rooms"

names=$(awk '/^<!-- call order/ { next_block = 1 }
    /^```$/ { inside = next_block && !inside; if (!inside) next_block = 0 }
    inside' docs/architecture.md |
    grep -oE '\b[a-z]+(_[a-z]+)+\b' | sort -u | while read -r n; do grep -rqw "$n" src || echo "$n"; done)
report "call orders of docs/architecture.md" "$names"
exit $bad
