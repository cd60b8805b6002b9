#!/usr/bin/env bash
# Invalid input on the command line: messages and exit status.
data=$(realpath "$(dirname "$0")/../data")
poise=$(realpath "${POISE:-build/poise}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$data"/*.cfg "$data"/square.geo "$folder" && cd "$folder" || exit 1

# check NAME STATUS TEXT ARGUMENTS...: poise ARGUMENTS ends with the status and says TEXT (in a line, on stdout or
# stderr)
check() {
    local name=$1 status=$2 text=$3 said found
    shift 3
    said=$("$poise" "$@" 2>&1)
    found=$?
    if ((found != status)); then echo "not ok $name: status $found, expected $status: $said" | tr '\n' ' '; echo
    elif [[ $said != *"$text"* ]]; then echo "not ok $name: expected \"$text\", found: $said" | tr '\n' ' '; echo
    else echo "ok $name"; fi
}

{ cat square.cfg; echo 'probes = { far = { at = [7.0, 7.0]; }; };'; } >probes.cfg
cat >faults.cfg <<'CASE'
mesh = { file = "square.geo"; };
fluid = { viscosty = 1; viscosity = -1; };
boundary = { lidd = { type = "wal"; }; walls = { type = "wall"; velocity = [1.0, 0.0, 0.0]; }; };
CASE
cat >places.cfg <<'CASE'
mesh = { file = "square.geo"; };
fluid = { viscosity = 1; };
boundary = { lidd = { type = "wall"; }; walls = { type = "wall"; }; };
probes = { far = { at = [7.0, 7.0]; }; };
output = { fields = ["velocity", "presure"]; directory = "."; };
CASE

# ---- the command line itself
check no_command            1 "poise run CASE"
check unknown_command       1 'unknown command "rnu" (did you mean run?)'       rnu
check unknown_option        1 'unknown option --devcie (did you mean --device?)'  run square.cfg --devcie cpu
check option_without_value  1 '--set needs a value'                             run square.cfg --set
check no_case               1 'too few arguments; expected: poise run CASE'         run
check two_cases             1 '"b.cfg" is one argument too many'                    run square.cfg b.cfg
check bad_threads           1 '--threads many: expected a whole number'         run square.cfg --threads many
check unknown_device        1 '--device "cup" is not known; expected auto, cpu or cuda (did you mean cpu?)' \
        run square.cfg --device cup
check unknown_topic         1 \
        'expected run, check, new, diff, mesh, solve, bench, case or formats (did you mean case?)' \
        help cases
check help_of_a_group       1 'poise help: "boundary" is a group or a key of a case file: poise help case boundary' \
        help boundary
check help_of_a_key         1 'poise help case time.step'                       help time.step
check unknown_mesh_command  1 '"inof" is not known; expected convert or info (did you mean info?)'  mesh inof x.msh
check help                  0 'Exit status: 0 converged'                        help
check help_of_a_command     0 '--restart'                                       run --help
check help_case             0 'viscosity                 a number > 0 or an expression, in quotes'  help case
check version               0 'poise '                                          version
check short_version         0 'poise '                                          -V
check nothing_near          1 'unknown command "frobnicate"; see: poise help'   frobnicate
check case_for_a_command    1 'poise: "square.cfg" is a case, not a command; expected: poise run square.cfg' square.cfg
check option_in_front       1 'options come after the command: poise run CASE --set'  --set a=1 run square.cfg
check mesh_for_a_case       1 'poise run: square.geo is a mesh; expected a case file'   run square.geo
check mesh_to_be_checked    1 'to write one for it: poise new NAME square.geo'    check square.geo
check device_gpu            1 'expected auto, cpu or cuda (did you mean cuda?)'  run square.cfg --device gpu
check no_subject            1 'poise bench: expected one subject: formats, cg'  bench
check moved_subject         1 'smoothers are measured by poise solve: --generate laplacian:MESH' bench smoothers
check long_version          0 'HDF5       '                                     --version
check version_of_gmsh       0 'Gmsh       '                                     version
check help_group            0 'solver.velocity = { ... }'                       help case solver
check help_key              0 'the step; with one of the limits'                help case time.step
check help_keys             0 'second_fluid = { ... }'                          help case viscosity
check help_no_group         1 'no group and no key "solvr" (did you mean "solver"?); expected mesh, mesh.box' \
        help case solvr
check help_bench            0 'poise bench'                                     help bench

# ---- the case file
check in_order              0 'square.cfg is in order:'                         check square.cfg
check missing_file          1 'sqare.cfg: No such file or directory; case files in this folder:'  check sqare.cfg
check nearest_file          1 '(did you mean "square.cfg"?)'                    run sqare.cfg
check misspelt_key          1 'misspelt.cfg:3: unknown key "fluid.viscosty" (did you mean "viscosity"?)' \
        run misspelt.cfg
check negative_viscosity    1 'negative.cfg:3: fluid.viscosity = -0.001: expected a number > 0'  run negative.cfg
check syntax_error          1 'syntax.cfg:4: syntax error; write words in quotes'  run syntax.cfg
check set_unknown_key       1 '--set fluid.viscosty=1: unknown key "fluid.viscosty"' \
        run square.cfg --set fluid.viscosty=1
check set_without_value     1 '--set fluid.viscosity: expected key=value'       run square.cfg --set fluid.viscosity
check set_wrong_word        1 'piso, pimple, advection, conduction or transient-conduction (did you mean "simple"?)' \
        check square.cfg --set solver.algorithm=simpel
check unset_required        1 'square.cfg:3: fluid.viscosity is missing'        check square.cfg --set fluid.viscosity=
check probe_inside          0 'pressure; 1 probe'                        check probes.cfg --set probes.far.at=[0.5,0.5]
check unset_group           0 'probes.cfg is in order:'                         check probes.cfg --set probes=
check unset_nothing         1 '--set probs=: the case has no "probs" to unset (did you mean "probes"?' \
        check probes.cfg --set probs=
check in_order_with_set     0 'viscosity 0.5'  check square.cfg --set fluid.viscosity=0.5

# ---- all errors at once
# check_all NAME TEXT... -- ARGUMENTS...: poise check ARGUMENTS ends with status 1 and says every TEXT
check_all() {
    local name=$1 said status missing="" texts=()
    shift
    while [[ $1 != -- ]]; do texts+=("$1"); shift; done
    shift
    said=$("$poise" check "$@" 2>&1)
    status=$?
    for text in "${texts[@]}"; do [[ $said == *"$text"* ]] || missing+=" \"$text\""; done
    if [[ $status == 1 && -z $missing ]]; then echo "ok $name"
    else echo "not ok $name: status $status, missing$missing: $said" | tr '\n' ' '; echo; fi
}
check_all all_of_a_file 'faults.cfg:2: unknown key "fluid.viscosty"' 'faults.cfg:2: fluid.viscosity = -1' \
        'faults.cfg:3: boundary.lidd.type = "wal"' '--set a=1: unknown key "a"' '--set b: expected key=value' \
        'faults.cfg:3: boundary "lidd" is not in square.geo; it has: lid, walls (did you mean "lid"?)' \
        'boundary "lid" of square.geo has no condition' \
        'faults.cfg:3: boundary.walls.velocity has 3 numbers, but square.geo is 2-D' -- faults.cfg --set a=1 --set b
check_all all_on_the_mesh 'boundary "lidd" is not in square.geo' 'boundary "lid" of square.geo has no condition' \
        'there is no field "presure" in this case' 'places.cfg:4: probes.far: the point (7, 7) is outside the mesh' \
        'is not empty and was not created by Poise' -- places.cfg

cat >outlet.cfg <<'CASE'
mesh = { file = "square.geo"; };
fluid = { viscosity = 1.0; };
boundary = { lid = { type = "inlet"; velocity = [0.0, -1.0, 0.0]; }; walls = { type = "wall"; }; };
probes = { far = { at = [7.0, 7.0]; }; };
CASE
check_all no_outlet_beside_a_long_vector 'outlet.cfg:3: boundary.lid.velocity has 3 numbers, but square.geo is 2-D' \
        'outlet.cfg: no boundary is an outlet, yet the inlets give a net volume flow of 1' \
        'outlet.cfg:4: probes.far: the point (7, 7) is outside the mesh' -- outlet.cfg

# ---- the case and its mesh
check unknown_boundary      1 \
        'unknown_boundary.cfg:4: boundary "lidd" is not in square.geo; it has: lid, walls (did you mean "lid"?)' \
        check unknown_boundary.cfg
check no_condition          1 'boundary "lid" of square.geo has no condition; add to boundary' \
        check unknown_boundary.cfg
check wrong_dimension       1 \
        'square.cfg (--set): boundary.lid.velocity has 3 numbers, but square.geo is 2-D: expected 2' \
        check square.cfg --set 'boundary.lid={ type = "wall"; velocity = [1, 0, 0]; }'
check mesh_missing          1 'meshes in this folder: square.geo (did you mean "square.geo"?)' \
        check square.cfg --set mesh.file=sqare.geo
check mesh_format           1 'mesh.file = "square.h6": expected the name of a mesh: .geo' \
        check square.cfg --set mesh.file=square.h6
said=$("$poise" check square.cfg --set mesh.file=square.h6 2>&1)
[[ $(wc -l <<<"$said") == 1 ]] && echo "ok mesh_format_once" || echo "not ok mesh_format_once: $said"
check mesh_parameter        1 'has no parameter "m"'  check square.cfg --set mesh.parameters.m=4
check mesh_parameter_wrong  1 'expected elements 0, 1 or 2 (found 3)' \
        mesh convert "$data/../../cases/cavity/cavity.geo" x.h5 --set elements=3
check probe_outside         1 'square.cfg (--set): probes.far: the point (7, 7) is outside the mesh' \
        check square.cfg --set 'probes.far.at=[7, 7]'
cat >faults.cfg <<'CASE'
mesh = { box = { cells = [4, 4]; }; };
fluid = { density = 1.0; viscosity = 1.0; };
boundary = { left = { type = "inlet"; velocity = [0.0, 1.0]; }; right = { type = "outlet"; };
    bottom = { type = "wall"; velocity = [1.0, 1.0]; };
    top = { type = "wall"; }; };
second_fluid = { density = 1.0; viscosity = 1.0; };
shapes = { b = { type = "sphere"; centre = [7.0, 7.0]; radius = 0.1; }; };
solver = { algorithm = "piso"; }; time = { end = 1.0; step = 0.1; };
probes = { p = { at = [8.0, 8.0]; }; q = { at = [9.0, 9.0]; }; };
CASE
for line in 'faults.cfg:3: the velocity of inlet "left" is parallel to the boundary' \
    'faults.cfg:4: the velocity of wall "bottom" points through' \
            'faults.cfg:7: shapes.b' 'faults.cfg:9: probes.p: the point (8, 8)' \
            'faults.cfg:9: probes.q: the point (9, 9)'; do
    check "all_faults_$((++faults))" 1 "$line"                                  check faults.cfg
done
check empty_output          1 'poise run: --output "": expected a directory'  run square.cfg --output ''
check surface_field         1 'square.cfg (--set): surfaces.s.fields: faces have no "shaer": expected some of' \
        check square.cfg --set 'surfaces.s={ boundaries = ["walls"]; fields = ["shaer"]; }'
check surface_near          1 'pressure, shear, wall-distance or flow (did you mean "shear"?)' \
        run square.cfg --set 'surfaces.s={ boundaries = ["walls"]; fields = ["shaer"]; }'
check average_field         1 'square.cfg (--set): averages.fields: there is no average of "velcity": expected' \
        check square.cfg --set 'averages={ fields = ["velcity"]; }'
check average_gradient      1 'there is no average of "gradient"' \
        run square.cfg --set 'averages={ fields = ["gradient"]; }'
check plane_field           1 'planes.p.fields: there is no "shear" on planes: expected some of velocity, pressure' \
        check square.cfg --set 'planes.p={ point = [0.5, 0.5]; normal = [1, 0]; fields = ["shear"]; }'
check plane_outside         1 'planes.p: the plane goes through no cell; move its point into the mesh' \
        run square.cfg --set 'planes.p={ point = [7.5, 0.5]; normal = [1, 0]; }'
check plane_outside_check   1 'planes.p: the plane goes through no cell' \
        check square.cfg --set 'planes.p={ point = [7.5, 0.5]; normal = [1, 0]; }'
check plane_dimension       1 'planes.p.point has 3 numbers, but square.geo is 2-D: expected 2' \
        check square.cfg --set 'planes.p={ point = [0.5, 0.5, 0]; normal = [1, 0, 0]; }'
check surface_no_faces      1 'surfaces.s.boundaries is missing' check square.cfg --set 'surfaces.s={ }'
check surface_flux          1 'faces have no "heat-flx": expected some of velocity, pressure, heat, heat-flux, shear' \
        check square.cfg --set 'scalars.heat={ diffusivity = 1; values = { lid = 1; walls = 0; }; }' \
        --set 'surfaces.s={ boundaries = ["walls"]; fields = ["heat-flx"]; }'
check scalar_second_value   1 \
        'boundary.lid.scalars.heat is given a second time, by scalars.heat.values.lid in square.cfg (--set); remove' \
        check square.cfg \
        --set 'scalars.heat={ diffusivity = 1; values = { lid = 1; walls = 0; }; }' --set boundary.lid.scalars.heat=2
check scalar_not_there      1 'boundary.lid.scalars.haet: scalar "haet" is not in the case (did you mean "heat"?)' \
        check square.cfg --set 'scalars.heat={ diffusivity = 1; values = { walls = 0; }; }' \
        --set boundary.lid.scalars.haet=2
check zone_not_there        1 \
        'scalars.heat.sources: zone "fluidd" is not in square.geo; it has: fluid (did you mean "fluid"?)' \
        check square.cfg --set 'scalars.heat={ diffusivity = 1; values = { walls = 0; }; sources = { fluidd = 1; }; }'
check zone_initial          1 'scalars.heat.initials: zone "hot" is not in square.geo; it has: fluid' \
        check square.cfg --set 'scalars.heat={ diffusivity = 1; values = { walls = 0; }; initials = { hot = 1; }; }'
check zone_no_number        1 'scalars.heat.sources.fluid: there is no variable "hot"; expected x, y, z or t' \
        check square.cfg --set 'scalars.heat={ diffusivity = 1; values = { walls = 0; }; }' \
        --set 'scalars.heat.sources={ fluid = "hot"; }'
check zone_no_group         1 'scalars.heat.sources = 3: expected a group of numbers' \
        check square.cfg --set 'scalars.heat={ diffusivity = 1; values = { walls = 0; }; sources = 3; }'
check average_near          1 '(did you mean "velocity"?)'  check square.cfg --set 'averages={ fields = ["velcity"]; }'
check plane_near            1 '(did you mean "pressure"?)' \
        check square.cfg --set 'planes.p={ point = [0.5, 0.5]; normal = [1, 0]; fields = ["presure"]; }'
# key of the case | the nearest valid one
while IFS='|' read -r key near; do
    check "near_$key" 1 "(did you mean \"$near\"?)" check square.cfg --set "$key=1"
done <<'END'
surfaces.s.feilds|fields
planes.p.nomal|normal
averages.form|from
output.checkpoint_minute|checkpoint_minutes
output.control_evry|control_every
output.tmes|times
output.fromat|format
mesh.curvd|curved
mesh.scal|scale
mesh.rotat|rotate
mesh.translte|translate
mesh.marker|markers
END
# key of the case | message about the requested feature
while IFS='|' read -r key text; do
    check "missing_$key" 1 "unknown key \"$key\": Poise does not support $text" check square.cfg --set "$key=1"
done <<'END'
boundary.lid.omega|this key; a wall rotates by rotation = {
END
dots='keys with dots are for --set; in a file groups are nested'
printf 'mesh = { file = "square.geo"; };\n  fluid.viscosity = 0.1;\n' >dotted.cfg
check dotted_key            1 "dotted.cfg:2: syntax error; $dots: fluid = { viscosity"  check dotted.cfg
printf 'mesh = { file = "square.geo"; };\nsolver.pressure.tolerance : 0.1;\n' >dotted.cfg
check dotted_key_of_three   1 "dotted.cfg:2: syntax error; $dots"  check dotted.cfg
echo '{ "fluid.viscosity": 0.1 }' >dotted.json
check dotted_json           1 "dotted.json:1: syntax error; $dots: \"fluid\": {"  check dotted.json
printf 'fluid = { viscosity = 1.0.1; };\n' >dotted.cfg
said=$("$poise" check dotted.cfg 2>&1)
[[ $said != *"$dots"* ]] && echo "ok dots_of_a_number" || echo "not ok dots_of_a_number: $said"
echo '{ "mesh": { "file": "square.geo" }, "fluid": { "viscosty": 1 }, "boundary": {} }' >near.json
check json_near             1 'near.json:1: unknown key "fluid.viscosty" (did you mean "viscosity"?)'  check near.json
sed -i 's/"viscosty": 1/"viscosity": "thick", "density": -1/' near.json
check json_type             1 'near.json:1: fluid.viscosity: there is no variable "thick"' check near.json
check json_range            1 'near.json:1: fluid.density = -1: expected a number > 0'  check near.json
check moved_through_wall    1 'square.cfg (--set): the velocity of wall "walls" points through the wall' \
        check square.cfg --set 'boundary.walls={ type = "wall"; velocity = [1, 0]; }'
check inlet_along_itself    1 'square.cfg (--set): the velocity of inlet "lid" is parallel to the boundary, so' \
        check square.cfg --set 'boundary.lid={ type = "inlet"; velocity = [1, 0]; }'
check inlet_turned_round    1 'square.cfg (--set): the velocity of inlet "lid" points out of the domain' \
        check square.cfg \
        --set 'boundary={ lid = { type = "inlet"; velocity = [0, 1]; }; walls = { type = "outlet"; }; }'
cat >branch.cfg <<'CASE'
mesh = { box = { cells = [4, 4]; }; };
fluid = { viscosity = 1.0; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; }; right = { type = "outlet"; };
             bottom = { type = "wall"; }; top = { type = "inlet"; velocity = [0.0, 0.5]; }; };
solver = { max_iterations = 2; };
CASE
out='branch.cfg:4: the velocity of inlet "top" points out of the domain everywhere, so it lets fluid out'
check all_at_rest           0 '  warning     nothing in the case moves the fluid' \
        check square.cfg --set boundary.lid.velocity=
check all_at_rest_run       0 'warning    nothing in the case moves the fluid' \
        run square.cfg --set boundary.lid.velocity=
check inlet_lets_out        0 "  warning     $out"                              check branch.cfg
check inlet_lets_out_run    2 "warning    $out"                                 run branch.cfg --device cpu
said=$("$poise" check branch.cfg --set boundary.top.velocity=[0,-0.5])
[[ $said == *'in order'* && $said != *warning* ]] && echo "ok inlet_lets_in" || echo "not ok inlet_lets_in: $said"
check path_of_4096_letters  1 'ppp: the path is too long' \
        mesh convert "$(printf 'p%.0s' {1..4096})" x.h5
check mesh_info             0 'quadrilaterals             64'                   mesh info square.geo
check mesh_info_missing     1 \
        'sqare.geo: cannot be read: No such file or directory; meshes in this folder: square.geo' \
        mesh info sqare.geo
check mesh_convert          0 'square.h5 written'  mesh convert square.geo square.h5 --set n=4
check mesh_converted        0 'quadrilaterals             16'                   mesh info square.h5
check mesh_convert_set      1 '--set n: expected name=number'                   mesh convert square.geo x.h5 --set n
check not_a_mesh            1 'square.cfg'                                      mesh convert square.cfg x.h5

# ---- a .geo that does more than meshing
{ echo 'SystemCall "touch trace";'; cat square.geo; } >stranger.geo
check geo_command           1 'stranger.geo:1: the geometry asks to run the command "touch trace"' \
        check square.cfg --set mesh.file=stranger.geo
check geo_command_run       1 'use the option --trust-geo'  run square.cfg --set mesh.file=stranger.geo --device cpu
check geo_command_info      1 'use the option --trust-geo'                     mesh info stranger.geo
check geo_command_convert   1 'use the option --trust-geo'                     mesh convert stranger.geo x.h5
check trust_is_no_key       1 'unknown key "mesh.trust_geo"'                    check square.cfg --set mesh.trust_geo=1
if [[ -e trace ]]; then echo "not ok geo_command_not_run: trace is there"; else echo "ok geo_command_not_run"; fi
check geo_trusted           0 'is in order'  check square.cfg --set mesh.file=stranger.geo --trust-geo
if [[ -e trace ]]; then echo "ok geo_command_run_when_trusted"
else echo "not ok geo_command_run_when_trusted: no trace"; fi

# ---- cases that would take very long: 6 s of processor time are enough, more with sanitizers
{ echo 'mesh = { box = { cells = [4, 4]; }; }; fluid = { viscosity = 1; }; boundary = {'
  seq -f 'b%.0f = { type = "wall"; };' 9000; echo '};'; } >many.cfg
mkfifo pipe
{ cat square.cfg; echo '@include "pipe"'; } >piped.cfg
cat >twins.cfg <<'CASE'
mesh = { box = { cells = [24, 24, 24]; }; };
fluid = { density = 1.0; viscosity = 1.0; }; second_fluid = { density = 1.0; viscosity = 1.0; };
shapes = { a = { type = "sphere"; centre = [0.5, 0.5, 0.5]; radius = 0.3; };
           b = { type = "sphere"; centre = [0.5001, 0.5, 0.5]; radius = 0.3; }; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; }; front = { type = "wall"; }; back = { type = "wall"; }; };
solver = { algorithm = "piso"; }; time = { end = 1.0; step = 0.1; };
CASE
soon() { (ulimit -t $([[ $poise == *sanitize* ]] && echo 60 || echo 6); check "$@"); }
soon many_boundaries        1 'many.cfg:2: boundary "b1" is not in box'         check many.cfg
soon include_of_a_pipe      1 \
        'piped.cfg:5: @include "pipe": this is a pipe, a socket or a device, not a file; save its output in a file' \
        check piped.cfg
soon twin_spheres           0 'twins.cfg is in order'                           check twins.cfg

check unknown_format        1 'output.format = "vtk": expected xdmf or vtkhdf (did you mean "vtkhdf"?)' \
        check square.cfg --set output.format=vtk

# ---- exit status of a run
check converged             0 ''                                                run square.cfg --device cpu --quiet
check not_converged         2 ''  run square.cfg --device cpu --quiet --set solver.max_iterations=2
check diverged              3 'DIVERGED' \
        run square.cfg --device cpu --set fluid.viscosity=1e-7 --set solver.algorithm=simple \
    --set solver.relaxation_velocity=1 --set solver.relaxation_pressure=1 --set solver.convection=central
touch occupied
check resource              4 'occupied'  run square.cfg --device cpu --quiet --output occupied/x
check pressure_written      2 '' \
        run square.cfg --device cpu --quiet --set solver.max_iterations=2 --write-pressure p.h5
check pressure_solved       0 'singular'                                        solve p.h5 --device cpu
check pressure_unwritable   4 'occupied/p.h5' \
        run square.cfg --device cpu --quiet --set solver.max_iterations=2 --write-pressure occupied/p.h5
# Output files are checked before the computation, and must not be inputs.
long="--quiet --set solver.max_iterations=1000000 --set solver.tolerance=1e-300 --set solver.stall_limit=0"
cp square.h5 mine.h5
cp mine.h5 kept.h5
ln mine.h5 hard.h5
check pressure_is_the_mesh  1 '--write-pressure mine.h5: this file is read' \
        run square.cfg $long --set mesh='{ file = "mine.h5"; }' --write-pressure mine.h5
check pressure_is_a_link    1 '--write-pressure hard.h5: this file is read' \
        run square.cfg $long --set mesh='{ file = "mine.h5"; }' --write-pressure hard.h5
check pressure_is_output    1 \
        '--write-pressure square.out/../square.out/checkpoint.h5: this file is written by output.directory: too' \
        run square.cfg $long --write-pressure square.out/../square.out/checkpoint.h5
check pressure_no_folder    4 'nowhere/p.h5: could not be written'  run square.cfg $long --write-pressure nowhere/p.h5
check pressure_name_long    4 'File name too long'  run square.cfg $long --write-pressure $(printf 'p%.0s' {1..250}).h5
cp mine.h5 square.out/mesh.h5
check output_is_the_mesh    1 'output.directory: square.out/mesh.h5: this file is read' \
        run square.cfg $long --set mesh='{ file = "square.out/mesh.h5"; }'
cmp -s mine.h5 kept.h5 && cmp -s square.out/mesh.h5 kept.h5 && echo "ok meshes_untouched" ||
    echo "not ok meshes_untouched"
ls | grep -q '\.part$' && echo "not ok no_trial_left: $(ls)" || echo "ok no_trial_left"
check convert_no_folder     4 'nowhere/x.h5: could not be written' \
        mesh convert "$data/../../cases/cavity3d/cavity3d.geo" nowhere/x.h5
check bench_on_a_generator  1 'uses a mesh; remove --generate'              bench simple --generate poisson2d:9
check bench_only_a_word     1 'expected solve, simplec, bubbles, strong, weak'    bench scaling --only solve,all
check bench_only_a_mesh     1 'work on a mesh; remove --generate' \
        bench scaling --generate poisson2d:9 --only bubbles
check bench_only_of_scaling 1 'has no parts; remove --only'            bench simple --only simplec
check bench_on_a_matrix     1 'uses a mesh'                                 bench simple --matrix p.h5

# ---- as small as a case can be
check one_closed_cell       0 'CONVERGED' \
        run square.cfg --device cpu --set 'mesh={ box = { cells = [1, 1]; }; }' \
        --set 'boundary={ left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
               top = { type = "wall"; velocity = [1, 0]; }; }'
check one_cell_of_two       2 ''  run bubble.cfg --device cpu --quiet --set mesh.box.cells=[1,1] --set time.max_steps=2
check no_bubble             2 '' \
        run bubble.cfg --device cpu --quiet --set mesh.box.cells=[2,2] --set shapes.bubble.radius=0.01 \
        --set time.max_steps=2

# ---- time and two fluids
check bubble_in_order       0 'second fluid: density 1, viscosity 0.01, surface tension 0.1, in 1 shape' \
        check bubble.cfg
check bubble_outside        1 'bubble.cfg (--set): shapes.other (centre (3, 0.5)) lies outside the mesh' \
        check bubble.cfg --set 'shapes.other={ type = "sphere"; centre = [3, 0.5]; radius = 0.1; }'
check negative_tension      1 'surface_tension = -1: expected a number >= 0' \
        check bubble.cfg --set second_fluid.surface_tension=-1
check density_zero          1 'second_fluid.density = 0: expected a number > 0' \
        check bubble.cfg --set second_fluid.density=0
check gravity_along_z       1 'fluid.gravity has 3 numbers, but box is 2-D: expected 2' \
        check bubble.cfg --set fluid.gravity=[0,0,-1]
check courant_negative      1 'time.courant = -1: expected a number >= 0'       check bubble.cfg --set time.courant=-1
check step_zero             1 'time.step = 0: expected a number > 0'            check bubble.cfg --set time.step=0
check time_of_a_steady_flow 1 'time does not apply to algorithm "simplec"; remove it' \
        check bubble.cfg --set solver.algorithm=simplec
check key_of_a_steady_flow  1 'solver.tolerance does not apply to algorithm "piso"' \
        check bubble.cfg --set solver.tolerance=1e-5
check tension_misspelt      1 'unknown key "second_fluid.sigma"'  check bubble.cfg --set second_fluid.sigma=1
check wrong_shape           1 'expected sphere, box, half-space or level (did you mean "sphere"?)' \
        check bubble.cfg --set shapes.bubble.type=spere
check no_velocity_given     1 'prescribed = { ... } is missing: algorithm "advection" needs a velocity' \
        check bubble.cfg --set solver.algorithm=advection
check box_empty             1 'shapes.other: to must be greater than from in each direction; found 0.2 and 0.5' \
        check bubble.cfg --set 'shapes.other={ type = "box"; from = [0.5, 0.5]; to = [0.2, 0.7]; }'
check box_of_a_cube         1 'shapes.other.from has 3 numbers, but box is 2-D: expected 2' \
        check bubble.cfg --set 'shapes.other={ type = "box"; from = [0.5, 0.5, 0]; to = [0.7, 0.7, 0.7]; }'
check no_radius             1 'shapes.bubble.radius = 0: expected a number > 0' \
        check bubble.cfg --set shapes.bubble.radius=0
check no_normal             1 'shapes.other.normal is zero' \
        check bubble.cfg --set 'shapes.other={ type = "half-space"; point = [0.5, 0.5]; normal = [0, 0]; }'
check no_spacing            1 'shapes.bubble.spacing is missing: copies need it' \
        check bubble.cfg --set shapes.bubble.copies=[2,1]
check copy_outside          1 'copy 3 1 1 of shapes.bubble (centre (1.3, 0.5)) lies outside the mesh' \
        check bubble.cfg --set shapes.bubble.copies=[3,1] --set shapes.bubble.spacing=[0.4,0]
check too_many_copies       1 'shapes.bubble: 8.79609e+12 copies are too many' \
        check bubble.cfg --set shapes.bubble.copies=[4194304,2097152] --set shapes.bubble.spacing=[0.4,0.4]
check too_many_cells        1 'mesh.box.cells: too many'  check bubble.cfg --set mesh.box.cells=[100000,100000]
check too_large_a_box       1 'box:100000,100000: too many cells'               mesh info box:100000,100000
check copied_half_space     1 'shapes.other.copies does not apply to type "half-space"' \
        check bubble.cfg --set 'shapes.other={ type = "half-space"; point = [0.5, 0.5]; normal = [0, 1];
                                copies = [2, 1]; spacing = [0.1, 0]; }'
check nothing_left          1 'the shapes leave nothing of the second fluid' \
        check bubble.cfg --set shapes.bubble.remove=1
check algebraic_advection   1 '("algebraic" was removed in 1.0); remove the key' \
        check bubble.cfg --set 'interface={ advection = "algebraic"; }'
check level_set_curvature   1 '("level-set" was removed in 1.0); remove the key' \
        check bubble.cfg --set 'interface={ curvature = "level-set"; }'
check bubbles_never         1 'bubbles.every = 0: expected a whole number >= 1' \
        check bubble.cfg --set 'bubbles={ every = 0; }'
check outer_loops_of_piso   1 'solver.outer_correctors does not apply to algorithm "piso"' \
        check bubble.cfg --set solver.outer_correctors=2
cat >falling.cfg <<'CASE'
mesh = { box = { cells = [4, 4]; }; };
fluid = { density = 1000.0; viscosity = 1.0; gravity = [0.5, -1.0]; };
second_fluid = { density = 1.0; viscosity = 0.01; };
shapes = { bubble = { type = "sphere"; centre = [0.5, 0.5]; radius = 0.2; }; };
boundary = { left = { type = "periodic"; with = "right"; }; right = { type = "periodic"; with = "left"; };
             bottom = { type = "wall"; }; top = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 1.0; step = 0.01; };
CASE
grep -v 'second_fluid\|shapes\|solver\|time' falling.cfg >falling1.cfg
check fall_along_periods    0 'falling.cfg is in order'                         check falling.cfg
check driven_across         1 '[0, 2] is not a periodic direction of the mesh; periodic directions: [1, 0]' \
        check falling.cfg --set 'driven={ direction = [0, 2]; flow_rate = 1.0; }'
check driven_between_walls  1 'periodic directions: none' \
        check square.cfg --set 'driven={ direction = [1, 0]; flow_rate = 1.0; }'
check driven_in_3d          1 'driven.direction has 3 numbers, but box is 2-D' \
        run falling.cfg --output falling.out --set 'driven={ direction = [1, 0, 0]; flow_rate = 1.0; }'
check driven_steady_by_time 1 'driven.flow_rate = "sin(t)" depends on t, but steady flow has no time' \
        run falling1.cfg --output falling.out --set 'driven={ direction = [1, 0]; flow_rate = "sin(t)"; }'
check driven_beyond_numbers 1 'fluid.acceleration is infinite at t = 0.03:' run falling.cfg --output falling.out \
        --set 'fluid.acceleration=["1/(t - 0.03)", 0]'
check acceleration_of_place 1 'fluid.acceleration'                              check falling.cfg \
        --set 'fluid.acceleration=["sin(x)", 0]'
check acceleration_in_3d    1 'fluid.acceleration has 3 numbers, but box is 2-D' \
        run falling.cfg --output falling.out --set fluid.acceleration=[1,0,0]
check disc_in_order         0 'disc.cfg is in order:'                           check disc.cfg
check velocity_of_a_cube    1 'prescribed.field = "shear" is a velocity in 3-D, but the mesh is 2-D' \
        check disc.cfg --set prescribed.field=shear
check rotation_in_no_time   1 'prescribed.period is missing: field "rotation" makes one turn in it' \
        check disc.cfg --set 'prescribed={ field = "rotation"; }'
check field_misspelt        1 'expected vortex, rotation, shear or deformation (did you mean "vortex"?)' \
        check disc.cfg --set prescribed.field=vortx
check driven_without_flow   1 'driven does not apply to algorithm "advection"' \
        check disc.cfg --set 'driven={ direction = [1, 0]; flow_rate = 1.0; }'
check acceleration_alone    1 'fluid.acceleration does not apply to algorithm "advection"' \
        check disc.cfg --set fluid.acceleration=[0,1]
check gravity_without_flow  1 'fluid.gravity does not apply to algorithm "advection"' \
        check disc.cfg --set fluid.gravity=[0,-1]

# ---- a checkpoint of another algorithm: what the algorithms keep differs, so that a run in time cannot go on from a
# steady one
check steady_checkpoint     2 'NOT CONVERGED'                                   run square.cfg --output mixed.out \
        --set solver.max_iterations=2
in_time=(--set 'solver.algorithm=piso' --set 'time={ end = 0.02; step = 0.01; }' --output mixed.out)
check steady_to_piso        1 'solver.algorithm = "simplec", which "piso" cannot continue; set it back' \
        run square.cfg --restart "${in_time[@]}"
check steady_to_coupled     1 '"coupled" cannot continue; set it back'          run square.cfg --output mixed.out \
        --restart --set solver.algorithm=coupled
check steady_to_simple      2 'NOT CONVERGED'                                   run square.cfg --output mixed.out \
        --restart --set solver.algorithm=simple --set solver.max_iterations=4
check in_time_from_rest     0 'FINISHED'                                        run square.cfg "${in_time[@]}"
check piso_to_steady        1 'solver.algorithm = "piso", which "simplec" cannot continue; set it back' \
        run square.cfg --output mixed.out --restart
