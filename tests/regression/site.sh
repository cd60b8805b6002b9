#!/usr/bin/env bash
# make site: every link between documents works, lists and tables are converted, every page is in the navigation
# and in the search, and nothing is loaded from another server.
cd "$(dirname "$0")/../.." || exit 1
source tests/checks.sh
python=${PYTHON:-/usr/bin/python3} build=$(dirname "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! PYTHONPATH=$build/mkdocs "$python" -m mkdocs --version >/dev/null 2>&1 &&
    ! timeout 120 "$python" -m pip install -q --retries 1 --timeout 10 --target="$folder/mkdocs" 'mkdocs>=1.6,<2' \
        >/dev/null 2>&1
then echo "ok site # SKIP mkdocs is neither there nor to be had"; exit 0; fi
[[ -d $build/mkdocs && ! -d $folder/mkdocs ]] && ln -s "$(realpath "$build/mkdocs")" "$folder/mkdocs"
check site make -s site DEPS=0 CUDA=0 PYTHON="$python" B="$folder"
check site-lists "$python" - "$folder/site" <<'PYTHON'
import glob, os, re, sys
for path in glob.glob(os.path.join(sys.argv[1], "**", "*.html"), recursive=True):
    text = re.sub(r"<(pre|code)>.*?</\1>", "", open(path).read(), flags=re.S)
    left = re.search(r"\n(- |\d+\. |\|).*|\*\*.*|`.*", text)
    assert not left, f"{path}: {left.group(0)[:60]}"
PYTHON
check site-navigation "$python" - "$folder/site" <<'PYTHON'
import glob, os, re, sys
site = sys.argv[1]
with open(os.path.join(site, "index.html"), encoding="utf-8") as file:
    linked = set(re.findall(r'<a class="[^"]*" href="([^"#]*)"', file.read()))
with open(os.path.join(site, "search", "index.js"), encoding="utf-8") as file:
    search = file.read()
pages = glob.glob("*.md") + glob.glob("docs/*.md") + glob.glob("docs/*/*.md") + glob.glob("cases/*/README.md")
for page in pages:
    to = re.sub(r"(README)?[.]md$", lambda m: "index.html" if m[1] else ".html", page)
    assert page == "README.md" or to in linked, f"{to} is not in the navigation"
    assert f'"location": "{to}#' in search, f"{to} is not in the search"
PYTHON
loaded=$(grep -rnoE '(src|<link[^>]* href)="?(https?:)?//[^">]*|(url\(|@import )["'\'']?(https?:)?//[^)]*' \
    --include='*.html' --include='*.css' --include='*.js' "$folder/site" | grep -v 'rel="canonical"' | head -3)
result site-loads-nothing "$loaded"
exit $failed
