#!/usr/bin/env bash
# Poise installed into an empty folder and run from there; its manual, completion, documents; packaging/deps.
cd "$(dirname "$0")/../.." || exit 1
source tests/checks.sh
poise=$(realpath "${POISE:-build/poise}")
[[ ${TMPDIR-} == *[[:space:]]* ]] && export TMPDIR=/tmp          # make does not support names with blanks
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# contains TEXT PART...: prints the parts that are missing in the text
contains() {
    local text=$1
    shift
    for part; do [[ $text == *"$part"* ]] || echo "\"$part\" is not in: ${text:0:600}"; done
}
make_here() {
    make -s --no-print-directory DEPS=0 CUDA=0 B="$(dirname "$poise")" DESTDIR="$folder/root" PREFIX=/opt/it "$@"
}
at=$folder/root/opt/it

# ---- install
said=$(make_here install 2>&1)
result install "$( (( $? )) && echo "$said")"
mkdir "$folder/work" && cd "$folder/work" || exit 1
said=$(env -u POISE_GMSH PATH=/usr/bin:/bin "$at/bin/poise" run "$at/share/poise/cases/cavity/cavity.cfg" \
    --set mesh.parameters.n=8 --set solver.tolerance=1e-3 --device cpu --threads 1 2>&1)
result installed_runs "$( (( $? )) && echo "$said")"
result installed_writes_here \
    "$([[ -e cavity.out/cavity.xdmf && ! -e $at/share/poise/cases/cavity/cavity.out ]] || ls "$folder/work")"
said=$("${PYTHON:-/usr/bin/python3}" "$at/share/poise/postproc/field.py" cavity.out pressure 2>&1)
result installed_postproc "$( (( $? )) && echo "$said")"         # matplotlib may print messages about fonts and folders
result installed_package "$(cd "$folder/work" && POISE= PYTHONPATH=$at/share/poise/postproc \
    "${PYTHON:-/usr/bin/python3}" -c 'import poise.program, sys; sys.exit(poise.program.program() != sys.argv[1])' \
    "$at/bin/poise" 2>&1 || echo "another program")"
links=$(cd "$at/share/doc/poise" && grep -oE '\]\([A-Za-z][^):#]+' README.md | sed 's/^](//' | sort -u |
    while read -r l; do [[ -e $l ]] || echo "$l"; done)
result installed_documents "$links"

# ---- manual
if command -v groff >/dev/null; then
    result manual_is_roff "$(groff -man -Tutf8 -ww "$at/share/man/man1/poise.1" 2>&1 >/dev/null)"
    text=$(groff -man -Tutf8 -P-cbou -rLL=200n "$at/share/man/man1/poise.1" 2>/dev/null)
    result manual_has_all "$(contains "$text" "poise run CASE" "--write-pressure FILE.h5" "relaxation_velocity" \
        "lines/NAME.csv" "--preconditioner LIST" "poise bench SUBJECT" "mesh.box = { ... }" "residual: |b - A x|" "'s")"
else echo "ok manual # SKIP groff is not there"; fi

# ---- completion
complete_of() {                                                  # complete_of LINE: completions offered by bash
    PATH=$at/bin:$PATH bash -c \
        'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _poise 2>/dev/null; echo "${COMPREPLY[@]}"' _ \
        "$at/share/bash-completion/completions/poise" "$1"
}
offers() {                                                       # offers NAME LINE EXPECTED
    local found
    found=$(complete_of "$2")
    result "$1" "$([[ $found == "$3" ]] || echo "of \"$2\": \"$found\", expected \"$3\"")"
}
offers complete_command  "poise ru"                                  "run"
offers complete_topic    "poise help form"                           "formats"
offers complete_group    "poise help case second"                    "second_fluid second_fluid.viscosity_model"
offers complete_option   "poise run x.cfg --write-pr"                "--write-pressure"
offers complete_word     "poise run --device "                       "auto cpu cuda"
offers complete_key      "poise run x.cfg --set fluid.pro"           "fluid.property_range="
offers complete_number   "poise run x.cfg --set boundary.NAME.fra"   "boundary.NAME.fraction="
offers complete_value    "poise run x.cfg --set solver.algorithm=pi" "piso pimple"
offers complete_file     "poise run cav"                             "cavity.out"

# ---- help lists every option, so that completion offers it too
cd - >/dev/null || exit 1
for topic in run check new diff mesh solve bench; do
    source=src/command/$topic.c
    [[ $topic == bench ]] && source=src/bench/bench.c
    [[ $topic == solve ]] && source=src/command/solve_options.c
    [[ $topic == mesh || $topic == new ]] && source+=" src/command/mesh_options.h"
    help=$("$poise" help $topic)
    missing=$(grep -ohE '\{"[a-z-]+", (required|no)_argument' $source | cut -d'"' -f2 | sort -u | while read -r o; do
        [[ $o == help ]] || grep -qE -- "--$o([^a-z-]|$)" <<<"$help" || echo "--$o"; done)
    result "help_of_options_$topic" "$missing$(grep -q _argument $source || echo "no options in $source")"
done

# ---- uninstall
make_here uninstall >/dev/null 2>&1
result uninstall "$(find "$folder/root" ! -type d)"
result nothing_to_install "$(contains "$(make_here install B="$folder/none" 2>&1)" "to install; first: make")"

# ---- packages have this version
version=$(sed -n 's/.*POISE_VERSION "\(.*\)"/\1/p' src/base/version.h)
result packages_of_this_version "$(contains "$(head -1 packaging/debian/changelog)" "($version)"
    contains "$(cat packaging/conda/meta.yaml)" "version = \"$version\""
    contains "$(cat postproc/poise/__init__.py)" "__version__ = \"$version\""
    contains "$(cat CITATION.cff)" "version: \"$version\""
    contains "$(grep -m 1 "^## [0-9]" CHANGES.md)" "## $version ")"

result packages_are_python "$("${PYTHON:-/usr/bin/python3}" -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' \
    packaging/spack/spack_repo/poise/packages/poise/package.py 2>&1)"

# ---- missing packages
result deps_named "$(contains "$(make --no-print-directory CUDA=0 B="$folder/none" CC='gcc -nostdinc' 2>&1)" \
    "Poise cannot be built yet; missing: " HDF5 METIS)"
for system in fedora:hdf5-devel arch:hdf5 opensuse:libconfig-devel "macos:brew install"; do
    said=$(POISE_SYSTEM=${system%%:*} CC='gcc -nostdinc' packaging/deps check 2>&1)
    result "deps_${system%%:*}" "$(contains "$said" "${system#*:}")"
done
exit $failed
