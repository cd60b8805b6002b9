#!/usr/bin/env bash
# docs/tutorials/*.md: runs their commands, each page in a folder of its own, and checks what the pages say comes out.
# A command is a line of a block marked sh, unless a comment "<!-- not run by the tests: why -->" stands above it.
# Cases that are slow here run on coarser meshes; FULL=1 runs all of them as the pages have them, and checks more.
# POISE: the program (build/poise).  PAGES: names of pages without .md (default: all).
source "$(dirname "$0")/../checks.sh"
root=$(realpath "$(dirname "$0")/../..") poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/build"
printf '#!/bin/sh\nexec %s "$@"\n' "${PYTHON:-/usr/bin/python3}" >"$folder/bin/python3"
# The program, with coarser meshes where the page's own would take long.
cat >"$folder/build/poise" <<END
#!/bin/sh
[ "\$FULL" ] || case "\$*" in
    run\ cases/cavity/*) set -- "\$@" --set mesh.parameters.n=32 ;;
    run\ cases/convection/*) set -- "\$@" --set mesh.parameters.n=32 ;;
    run\ cases/bubble/*) set -- "\$@" --set mesh.parameters.h=0.05 ;;
    mesh\ convert\ cases/cavity3d/*) set -- "\$@" --set n=16 ;;
esac
exec "$poise" "\$@"
END
chmod +x "$folder"/bin/python3 "$folder/build/poise"
export PATH=$folder/bin:$PATH MPLBACKEND=Agg

# commands PAGE: those to run.
commands() {
    awk '/^<!-- not run by the tests: / { skip = 1; next }
        /^```/ { inside = $0 == "```sh" && !skip; if ($0 == "```sh") skip = 0; next }
        inside' "$1"
}

# polymesh FOLDER: OpenFOAM's cavity, 20 x 20 cells between two empty patches, as blockMesh writes it.
polymesh() {
    python3 - "$1" <<'END'
import os
import sys

n, out = 20, sys.argv[1]
os.makedirs(out)
layer = (n + 1) ** 2
point = lambda i, j, k: i + (n + 1) * j + layer * k
across = lambda i, j: (point(i, j, 0), point(i, j + 1, 0), point(i, j + 1, 1), point(i, j, 1))
along = lambda i, j: (point(i, j, 0), point(i, j, 1), point(i + 1, j, 1), point(i + 1, j, 0))
inner, patches = [], {"movingWall": [], "fixedWalls": [], "frontAndBack": []}
for j in range(n):
    for i in range(n):
        cell = i + n * j
        if i < n - 1:
            inner.append((across(i + 1, j), cell, cell + 1))
        if j < n - 1:
            inner.append((along(i, j + 1), cell, cell + n))
        back = (point(i, j, 0), point(i, j + 1, 0), point(i + 1, j + 1, 0), point(i + 1, j, 0))
        patches["frontAndBack"] += [(back, cell), (tuple(p + layer for p in reversed(back)), cell)]
for k in range(n):
    patches["movingWall"].append((along(k, n), k + n * (n - 1)))
    patches["fixedWalls"] += [(along(k, 0)[::-1], k), (across(0, k)[::-1], n * k), (across(n, k), n * k + n - 1)]


def write(name, kind, rows):
    with open(os.path.join(out, name), "w", encoding="ascii") as file:
        file.write(f"FoamFile {{ version 2.0; format ascii; class {kind}; object {name}; }}\n{len(rows)}\n(\n")
        file.write("\n".join(rows) + "\n)\n")


border = [face for patch in patches.values() for face in patch]
write("points", "vectorField", [f"({0.1 * i / n} {0.1 * j / n} {0.01 * k})"
                                for k in (0, 1) for j in range(n + 1) for i in range(n + 1)])
write("faces", "faceList", ["4(%d %d %d %d)" % face[0] for face in inner + border])
write("owner", "labelList", [str(face[1]) for face in inner + border])
write("neighbour", "labelList", [str(face[2]) for face in inner])
start, rows = len(inner), []
for name, faces in patches.items():
    kind = "empty" if name == "frontAndBack" else "wall"
    rows.append(f"{name} {{ type {kind}; nFaces {len(faces)}; startFace {start}; }}")
    start += len(faces)
write("boundary", "polyBoundaryMesh", rows)
END
}

# run PAGE: its commands, whose output is then in said.txt of its folder, in which the shell stays.
run() {
    mkdir "$folder/$1"
    cd "$folder/$1" || exit 1
    ln -s "$root"/{postproc,cases} "$folder/build" .
    [[ $1 != coming-from-openfoam ]] || polymesh constant/polyMesh
    { echo 'set -eo pipefail'; commands "$root/docs/tutorials/$1.md"; } >commands
    bash -x commands >said.txt 2>steps.txt
    local status=$?
    result "tutorial $1" "$( (( status )) && { echo "status $status:"; tail -q -n 3 steps.txt said.txt; })"
    return $status
}

said() { check "$1" grep -q -e "$2" said.txt; }                   # said NAME PATTERN: in the output of the page
full() { [[ ! ${FULL-} ]] || said "$@"; }

for page in "$root"/docs/tutorials/*.md; do
    page=$(basename "$page" .md)
    [[ ! ${PAGES-} || " $PAGES " == *" $page "* ]] || continue
    run "$page" || continue
    case $page in
    heat)
        said heat-nusselt 'heat   hot .* Nusselt number 8\.[78]'
        said heat-losses 'heat   insulated .* out'
        full heat-iterations '^CONVERGED in 41 iterations' ;;
    cavity)
        check cavity-pictures test -s cavity.out/velocity.png -a -s cavity.out/residuals.png
        full cavity-iterations '^CONVERGED in 848 iterations'
        full cavity-deviation '^ *largest deviation | *0\.00576 | *0\.00082$'
        full cavity-coupled '^CONVERGED in 23 iterations' ;;
    bubble)
        check bubble-pictures test -s bubble.out/rise.gif -a -s pair.out/velocity.gif
        check bubble-pair test "$(tail -n 2 pair.out/bubbles.csv | cut -d, -f3 | paste -sd' ' -)" = '1 2'
        full bubble-centroid '^centroid at t = 3 .*1\.0810 | *1\.0820 *+0\.10 %'
        full bubble-speed '^largest rise velocity .*0\.2418 | *0\.2407 *-0\.45 %'
        full bubble-circularity '^smallest circularity .*0\.9012 | *0\.8958 *-0\.60 %' ;;
    your-geometry)
        said geometry-cells 'triangles *6382$'
        check geometry-reattachment test "$(grep -cE '^2\.9(006|101)' said.txt)" = 2
        said geometry-iterations '^CONVERGED in 203 iterations'
        check geometry-pictures test -s step.out/velocity.png -a -s step.out/residuals.png
        said geometry-restart ',restart,time.end,0.4,0.6$' ;;
    coming-from-openfoam)
        said openfoam-mesh 'quadrilaterals *400$'
        said openfoam-end '^FINISHED at t = 0.5 after 100 steps' ;;
    cluster)
        said cluster-parts '^parts .*METIS'
        said cluster-status '^exit status [06]$'
        check cluster-picture test -s cube.out/velocity.png ;;
    esac
done
exit $failed
