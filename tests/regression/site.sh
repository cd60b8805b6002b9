#!/usr/bin/env bash
# make site: every link between documents holds, and lists and tables have become lists and tables.
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
exit $failed
