#!/usr/bin/env bash
# docs/images/pictures.py (make pictures), on coarse meshes; every case has a picture in docs/gallery.md, none of them
# large.
cd "$(dirname "$0")/../.." || exit 1
source tests/checks.sh
poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cases=$(for c in cases/*/; do echo "gallery/$(basename "$c")"; done)
said=$(POISE=$poise "${PYTHON:-/usr/bin/python3}" docs/images/pictures.py --quick "$folder" 2>&1)
missing=$(for p in cavity cylinder step bubble $cases; do
    [[ $(stat -c %s "$folder/$p.png" 2>/dev/null) -gt 5000 ]] || echo $p; done)
result pictures "${missing:+missing: $missing: ${said: -400}}"
says pictures-nowhere 1 "none: no such folder" env POISE="$poise" "${PYTHON:-/usr/bin/python3}" \
    docs/images/pictures.py "$folder/none"
result gallery "$(for p in $cases; do
    grep -qF "(images/$p.png)" docs/gallery.md || echo "$p is not in docs/gallery.md"
    (( $(stat -c %s "docs/images/$p.png" 2>/dev/null || echo 999999) <= 150000 )) ||
        echo "docs/images/$p.png is missing or larger than 150 kB"; done)"
exit $failed
