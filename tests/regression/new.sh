#!/usr/bin/env bash
# poise new: the case written for a mesh passes poise check, contains its boundaries by name, and runs.
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") cases=$(realpath "$(dirname "$0")/../../cases")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
# makes NAME TEXT ARGUMENTS...: poise new NAME ARGUMENTS writes a case that passes poise check and has a line with TEXT
makes() {
    local name=$1 text=$2 said why=""
    shift 2
    said=$("$poise" new "$name" "$@" 2>&1) || why="new: $said"
    said=$("$poise" check "$name.cfg" 2>&1) || why+="; check: $said"
    grep -qF "$text" "$name.cfg" || why+="; \"$text\" is not in: $(grep type "$name.cfg")"
    result "new_$name" "$why"
}
cp "$cases"/{channel/channel,cavity3d/cavity3d}.geo .
sed 's/"walls"/"a_walls"/' "$cases"/cylinder/cylinder.geo >cylinder.geo
sed 's/"sides"/"a_walls"/' "$cases"/../tests/meshes/sphere.geo >sphere.geo
sed 's/"inlet"/"inflow"/; s/"outlet"/"far"/' channel.geo >blind.geo
sed 's/"walls"/"symmetry_lines"/' channel.geo >symmetric.geo
makes square    'top    = { type = "wall"; };    # LOOK'
makes cube      'cells = [4,4,4]'                                               box:4,4,4
makes channel   'inlet  = { type = "inlet"; velocity = [1.0, 0.0]; };    # LOOK' channel.geo
makes in_time   'time = { end = 10; step = '                                    channel.geo --transient
makes blind     'inflow = { type = "inlet"; velocity = [1.0, 0.0]; };    # LOOK' blind.geo
makes blind2    'far    = { type = "outlet"; pressure = 0.0; };    # LOOK: no boundary is named an outlet' blind.geo
makes body      '# forces = { on = { boundaries = ["cylinder"]; }; };'          cylinder.geo
makes body_3d   '# forces = { on = { boundaries = ["sphere"]; }; };'            sphere.geo
makes heat      '# and to warm or cold walls:  cylinder = { ...; temperature = 1.0; };'  cylinder.geo
makes by_path   'parameters = { n = 4; length = 2; };'                 channel.geo --set mesh.parameters.n=4 \
    --set length=2
makes symmetric 'symmetry_lines = { type = "symmetry"; };    # LOOK'            symmetric.geo
makes cavity    'parameters = { elements'                                       cavity3d.geo
data=$(realpath "$(dirname "$cases")/tests/data")
makes coarse    'parameters = { n = 4; length = 2; };'                 channel.geo --set n=4 --set length=2
makes corners   'strip2.unv"; curved = "straight"; };'                 "$data/strip2.unv" --straight
"$poise" mesh convert channel.geo native.h5 --set mesh.parameters.n=4 >/dev/null
said=$("$poise" mesh info native.h5)
result new_convert_by_path "$(grep -q 'cells  *64$' <<<"$said" || echo "$said")"
sed 's/"inlet"/"inflow"/; s/Physical Curve("outlet").*//; s/Physical Curve("walls") = {/&2, /' channel.geo >sealed.geo
"$poise" new sealed sealed.geo >/dev/null
result new_inlet_stays "$(grep -q 'inflow .*type = "inlet".*none resembles one, but one is needed' sealed.cfg ||
    cat sealed.cfg)"
mkdir below
makes below/native "file = \"$folder/native.h5\""                               native.h5
said=$("$poise" run below/native.cfg --set solver.tolerance=1e-3 --set solver.max_iterations=200 --quiet --device cpu \
    --threads 1 2>&1)
result new_runs "$( (( $? )) && echo "$said")"
cp square.cfg before.cfg
said=$("$poise" new square.cfg channel.geo 2>&1)
[[ $? == 1 && $said == *"exists already"* ]] && cmp -s square.cfg before.cfg && said=""
result new_overwrites_nothing "$said"
said=$("$poise" new other none.geo 2>&1)
result new_without_mesh "$( (( $? == 1 )) && [[ $said == *"none.geo"* && ! -e other.cfg ]] || echo "$said")"
for name in "" folder/; do
    said=$("$poise" new "$name" box:4,4 2>&1)
    result "new_no_name_${name%/}" \
        "$( (( $? == 1 )) && [[ $said == *"expected a file name"* && ! -e ${name}.cfg ]] || echo "$said")"
done
said=$("$poise" new other "$data/strip2.unv" --markers a 2>&1)
[[ $? == 1 && $said == "--markers is for .vtk and .vtu"* ]] && said=""
result new_options_that_do_not_suit "$said"
exit $failed
