#!/usr/bin/env bash
# docs/images/pictures.py (make pictures), on coarse meshes.
cd "$(dirname "$0")/../.." || exit 1
poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
said=$(POISE=$poise "${PYTHON:-/usr/bin/python3}" docs/images/pictures.py --quick "$folder" 2>&1)
missing=$(for p in cavity cylinder step bubble; do
    [[ $(stat -c %s "$folder/$p.png" 2>/dev/null) -gt 10000 ]] || echo $p; done)
if [[ -z $missing ]]; then echo "ok pictures"
else echo "not ok pictures: missing: $missing: ${said: -400}" | tr '\n' ' '; echo; exit 1; fi
said=$(POISE=$poise "${PYTHON:-/usr/bin/python3}" docs/images/pictures.py "$folder/none" 2>&1) &&
    { echo "not ok pictures-nowhere: $said"; exit 1; }
[[ $said == *"none: no such folder" ]] || { echo "not ok pictures-nowhere: $said"; exit 1; }
echo "ok pictures-nowhere"
