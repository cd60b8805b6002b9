#!/usr/bin/env bash
# poise-gmsh with the newest Gmsh from PyPI (GMSH=), installed into $B/gmsh once: results for the tests' own formats,
# and MED and CGNS, which Debian's Gmsh cannot read, with mixed elements and names.
cd "$(dirname "$0")/../.." || exit 1
source tests/checks.sh
poise=$(realpath "${POISE:-build/poise}") python=${PYTHON:-/usr/bin/python3} folder=$(mktemp -d)
build=$(dirname "$poise")
trap 'rm -rf "$folder"' EXIT
library() { find "$build/gmsh" -name 'libgmsh.so.*' 2>/dev/null | head -n 1; }
if [[ ! -e $build/libpoise.a ]] || nm "$build/libpoise.a" 2>/dev/null | grep -q __asan_init; then
    echo "ok gmsh-newest # SKIP needs a build with libpoise.a and without sanitizers"; exit 0; fi
# A partial installation, interrupted by a time limit, counts as none.
[[ $(library) ]] || { timeout 200 "$python" -m pip install -q --retries 1 --timeout 10 --no-deps --ignore-installed \
    --prefix="$folder/gmsh" gmsh >/dev/null 2>&1 && rm -rf "$build/gmsh" && mv "$folder/gmsh" "$build/gmsh"; }
if [[ ! $(library) ]]; then echo "ok gmsh-newest # SKIP Gmsh cannot be had from PyPI"; exit 0; fi
mkdir "$folder/b"
ln -s "$build/libpoise.a" "$folder/b"
cuda=$(nm "$build/libpoise.a" 2>/dev/null | grep -c ' U cudaMallocAsync')       # the library may want CUDA's
check gmsh-newest-builds make -s DEPS=0 CUDA=$((cuda > 0)) B="$folder/b" GMSH="$(dirname "$(dirname "$(library)")")" \
    -o "$folder/b/libpoise.a" "$folder/b/poise-gmsh"
export POISE_GMSH=$folder/b/poise-gmsh

# has NAME FILE TEXT...: the output of poise mesh info contains these texts, with runs of blanks as one
has() {
    local name=$1 said part
    said=$("$poise" mesh info "$2" 2>&1 | tr -s ' \n' '  ')
    shift 2
    for part; do
        [[ $said == *"$part"* ]] || { echo "not ok $name: no \"$part\": ${said:0:300}"; failed=1; return; }
    done
    echo "ok $name"
}
names=("inlet 4" "outlet 4" "walls 16" "fluid 60" "triangles 44" "quadrilaterals 16")
has gmsh-newest-med  tests/data/mixed.med  "${names[@]}"
has gmsh-newest-cgns tests/data/mixed.cgns "${names[@]}"
has gmsh-newest-unv  tests/data/mixed.unv  "${names[@]}"
for f in tests/data/strip_*.msh; do has "gmsh-newest-$(basename "$f" .msh)" "$f" "triangles 14 quadrilaterals 4"; done
has gmsh-newest-geo  cases/cavity/cavity.geo "quadrilaterals 16384" "lid 128"
said=$("$poise" run cases/cavity/cavity.cfg --set mesh.parameters.elements=1 --set mesh.parameters.n=16 --set \
    solver.tolerance=1e-3 --output "$folder/c.out" --quiet --device cpu --threads 1 2>&1)
told gmsh-newest-run 0 "" $? "$said"
exit $failed
