#!/usr/bin/env bash
# The output directory belongs to Poise and to one run at a time: files from elsewhere are left unchanged, a second run
# is rejected, and nothing is written through links placed by somebody else.  check writes nothing at all.
# PAIRS: number of pairs of runs that are started in one directory (make soak: 100).
# POISE: the program (build/poise).
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") cases=$(realpath "$(dirname "$0")/../../cases") pairs=${PAIRS:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

state_of() { (cd "$1" && find . -type f | sort | xargs -r sha256sum); }
lid() { "$poise" "$1" lid.cfg --set "output.directory=\"$2\"" "${@:3}"; }

cat >lid.cfg <<'CASE'
mesh = { box = { cells = [16, 16]; }; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1.0, 0.0]; }; };
solver = { max_iterations = 10; };
CASE

# A directory with files from elsewhere.
mkdir -p mine/fields
echo year >mine/fields/2024.h5
echo kept >mine/residuals.csv
before=$(state_of mine)
says foreign-run    1 'mine: is not empty and was not created by Poise' lid run mine
says foreign-check  1 'mine: is not empty and was not created by Poise' lid check mine
check foreign-kept test "$(state_of mine)" = "$before"
mkdir old
echo 'Poise 0.3' >old/log.txt
says old-run 2 'NOT CONVERGED' lid run old
check old-claimed test -e old/poise.lock
says foreign-not-a-directory 4 'Not a directory' lid run mine/residuals.csv
mkdir empty
says empty-run 2 'NOT CONVERGED' lid run empty
echo year >empty/fields/2024.h5
says own-again 2 'NOT CONVERGED' lid run empty
check own-again-keeps test -e empty/fields/2024.h5

# check and mesh info leave no files, whether the mesh is a box or from Gmsh.
says check-box 0 'in order' lid check new.out
cp -r "$cases/cavity" .
says check-geo 0 'in order' "$poise" check cavity/cavity.cfg --set mesh.parameters.n=8
says info-geo 0 '64' "$poise" mesh info cavity/cavity.cfg
check check-writes-nothing test ! -e new.out -a ! -e cavity.out

# A file at mesh.h5 that is not a mesh: a restarted run replaces it, since the .xdmf refers to it.
for what in box geo; do
    case=lid.cfg
    [ $what = geo ] && case=cavity/cavity.cfg
    goes_on() { "$poise" run $case --set output.directory='"on"' --set mesh.ordering='"none"' \
        --set output.checkpoint_every=2 --set solver.max_iterations=$1 "${@:2}"; }
    [ $what = geo ] && goes_on() { "$poise" run $case --set output.directory='"on"' --set mesh.parameters.n=8 \
        --set solver.max_iterations=$1 "${@:2}"; }
    rm -rf on
    goes_on 4 >/dev/null
    cp on/mesh.h5 mesh.h5
    echo junk >on/mesh.h5
    says restart-junk-$what 2 'NOT CONVERGED' goes_on 6 --restart
    check restart-junk-$what-mesh cmp mesh.h5 on/mesh.h5
done

# Links at the names of temporary files, and files of killed runs.
echo precious >target
says links-first 2 'NOT CONVERGED' lid run links
for name in checkpoint.h5 lid.xdmf mesh.h5 fields/000010.h5; do ln -s "$folder/target" "links/$name.part"; done
echo torn >links/checkpoint.h5.99999-0.part
echo torn >links/fields/000010.h5.99999-7.part
echo mine >links/thesis.part
says links-again 2 'NOT CONVERGED' lid run links
check links-target test "$(cat target)" = precious
check unfinished-gone test ! -e links/checkpoint.h5.99999-0.part -a ! -e links/fields/000010.h5.99999-7.part
check unfinished-others test -e links/thesis.part
rm -f links/poise.lock
ln -s "$folder/target" links/poise.lock
says links-lock 4 'poise.lock' lid run links
check links-lock-target test "$(cat target)" = precious

# Links and pipes at the names of growing files, of folders, and of the files that they contain.
cat >watched.cfg <<'CASE'
@include "lid.cfg"
probes = { centre = { at = [0.5, 0.5]; }; };
forces = { lid = { boundaries = ["top"]; }; };
lines = { middle = { from = [0.5, 0.0]; to = [0.5, 1.0]; points = 3; }; };
CASE
watched() { "$poise" run watched.cfg --output watched "$@"; }
says watched-first 2 'NOT CONVERGED' watched
mkdir elsewhere
for name in 000010.h5 middle.csv centre.csv lid.csv 000010.h5.99999-7.part; do echo precious >elsewhere/$name; done
before=$(state_of elsewhere)
for name in log.txt residuals.csv probes/centre.csv forces/lid.csv fields lines probes forces; do
    for kind in link pipe; do
        rm -rf kept
        mv watched/$name kept
        if [ $kind = pipe ]; then mkfifo watched/$name
        elif [ -d kept ]; then ln -s "$folder/elsewhere" watched/$name
        else ln -s "$folder/target" watched/$name; fi
        text="watched/$name: this is a symbolic link; Poise does not write through links inside an output directory: "
        text+="remove it"
        [ $kind = pipe ] && text="watched/$name: "
        says "$kind-at-$name" 4 "$text" timeout 10 "$poise" run watched.cfg --output watched
        rm watched/$name
        mv kept watched/$name
    done
done
check links-tables-target test "$(cat target)" = precious
check links-folders-target test "$(state_of elsewhere)" = "$before"
ln -s watched linked
says linked-directory 2 'NOT CONVERGED' "$poise" run watched.cfg --output linked

# Two runs in one directory.  Whenever the first one is interrupted, it has not converged, and neither has its restart.
refused=0
for (( k = 0; k < pairs; k++ )); do
    (exec "$poise" run lid.cfg --output pair --set solver.max_iterations=100000000 --set solver.tolerance=1e-300 \
        --set solver.stall_limit=0 --set output.checkpoint_every=1 --quiet >first.txt 2>&1) &
    first=$!
    while kill -0 $first 2>/dev/null && ! [ -s pair/residuals.csv -a -e pair/checkpoint.h5 ]; do sleep 0.01; done
    option=
    (( k % 2 )) && option=--restart
    said=$(timeout 20 "$poise" run lid.cfg --output pair --quiet $option 2>&1)
    if (( $? == 4 )) && grep -qF "pair: another run writes here: process $first on " <<<"$said"; then
        refused=$((refused + 1))
    else echo "# pair $k: $said"; fi
    kill -9 $first
    wait $first 2>/dev/null
    says pair-$k-left-whole 2 'NOT CONVERGED' \
            lid run pair --restart --set solver.tolerance=1e-300 --set solver.stall_limit=0 \
            --set solver.max_iterations=$(( $(tail -n 1 pair/residuals.csv | cut -d, -f1) + 5 ))
    rm -f pair/checkpoint.h5 pair/residuals.csv
done
check pairs-second-refused test $refused = $pairs
exit $failed
