#!/usr/bin/env bash
# Advice of a run that diverges or stagnates: the measured reason comes first, with the key to change.  With that change
# the same case must no longer diverge, or must converge: so the advice is correct, and not merely present.
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") meshes=$(realpath "$(dirname "$0")/../meshes")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
run() { "$poise" run "$@" --output out --device cpu --threads 1 2>&1; }
# Once for the same arguments: what it said, and its status.  Its results may be those of a later run.
first() {
    local to
    to=first-$(md5sum <<<"$*" | cut -c1-32)
    [[ -e $to ]] || { run "$@" >"$to"; echo $? >"$to.status"; }
    cat "$to"
    return "$(<"$to.status")"
}

# diverges NAME LINE TEXT MEND ARGUMENTS...: the run ends with status 3 and prints TEXT in that line of its advice; with
# --set MEND alone (unless empty) it does not.  unwanted: texts that the advice must not contain.
diverges() {
    local name=$1 line=$2 text=$3 mend=$4 said status why="" advice lines
    shift 4
    said=$(run "$@") status=$?
    advice=$(sed -n '/What to change/,$p' <<<"$said" | grep '^  - ')
    lines=$(grep -c . <<<"$advice")
    (( status == 3 )) || why="status $status, expected 3"
    [[ $(sed -n "${line}p" <<<"$advice") == *"$text"* ]] || why+="; line $line of the advice is not \"$text\": $advice"
    (( lines >= 1 && lines <= 3 )) || why+="; $lines lines of advice"
    [[ -z $unwanted ]] || ! grep -qE "$unwanted" <<<"$advice" || why+="; advice that does not apply: $advice"
    if [[ -n $mend ]]; then
        run "$@" --set "$mend" >/dev/null
        status=$?
        (( status == 0 || status == 2 )) || why+="; with $mend the status is $status"
    fi
    result "$name" "$why"
}

# stands_still NAME TEXT MEND ARGUMENTS...: the run ends with status 2 and has reported once during the run and once at
# the end that it stagnates, with TEXT both times; with --set MEND, unless empty, it converges.
stands_still() {
    local name=$1 text=$2 mend=$3 said status why=""
    shift 3
    said=$(first "$@") status=$?
    (( status == 2 )) || why="status $status, expected 2"
    (( $(grep -c 'STAGNATION: the worst residual has not fallen' <<<"$said") == 1 )) ||
        why+="; it is not said once while it runs"
    (( $(grep -c 'It stagnates: it has not fallen' <<<"$said") == 1 )) || why+="; it is not said at the end"
    (( $(grep -cF "$text" <<<"$said") == 2 )) ||
        why+="; \"$text\" is not there twice: $(grep -A6 -iE 'stagnat' <<<"$said")"
    if [[ -n $mend ]]; then
        run "$@" --set "$mend" >/dev/null
        status=$?
        (( status == 0 )) || why+="; with $mend the status is $status"
    fi
    result "$name" "$why"
}

# unconverged NAME LINE TEXT MEND ARGUMENTS...: the run ends with status $expected (2) and prints TEXT in that line of
# its advice; with MEND it converges.  MEND "as said": the options given in the line.
expected=2
unconverged() {
    local name=$1 line=$2 text=$3 mend=$4 said status why="" advice begin=run
    shift 4
    [[ $mend != "as said" ]] && begin=first
    said=$($begin "$@") status=$?
    advice=$(sed -n '/What to change/,$p' <<<"$said" | grep '^  - ')
    (( status == expected )) || why="status $status, expected $expected"
    [[ $(sed -n "${line}p" <<<"$advice") == *"$text"* ]] || why+="; line $line of the advice is not \"$text\": $advice"
    [[ $mend != "as said" ]] || mend=$(sed -n "${line}p" <<<"$advice" | grep -o -- '--restart --set [a-z_.]*=[0-9]*')
    (( $(grep -c . <<<"$advice") <= 3 )) || why+="; more than three lines of advice: $advice"
    run "$@" $mend >/dev/null
    status=$?
    (( status == 0 )) || why+="; with $mend the status is $status"
    result "$name" "$why"
}

walls='left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; }; top = { type = "wall";'
cat >lid.cfg <<CASE
mesh = { box = { cells = [24, 24]; }; };
fluid = { viscosity = 1e-4; };
boundary = { $walls velocity = [1.0, 0.0]; }; };
solver = { algorithm = "piso"; };
time = { end = 60.0; step = 1.0; };
CASE
cat >steady_lid.cfg <<CASE
mesh = { box = { cells = [24, 24]; }; };
fluid = { viscosity = 0.01; };
boundary = { $walls velocity = [1.0, 0.0]; }; };
solver = { max_iterations = 100; };
CASE
# Uniform inflow between a wall above and one below, which with_drag moves against the flow, so that flow comes in at
# the outlet.
cat >channel.cfg <<CASE
mesh = { box = { cells = [40, 24]; to = [2.0, 1.0]; }; };
fluid = { viscosity = 1e-5; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; }; right = { type = "outlet"; backflow = "static"; };
             bottom = { type = "wall"; }; top = { type = "wall"; }; };
solver = { max_iterations = 300; };
CASE
with_drag=(--set 'boundary.bottom={ type = "wall"; velocity = [-2.0, 0.0]; }')
cat >between.cfg <<CASE
mesh = { box = { cells = [64, 32]; to = [2.0, 1.0]; }; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "outlet"; pressure = 1.0; }; right = { type = "outlet"; };
             bottom = { type = "wall"; }; top = { type = "wall"; }; };
solver = { max_iterations = 100; };
CASE
cat >rise.cfg <<CASE
mesh = { box = { cells = [20, 40]; to = [1.0, 2.0]; }; };
fluid = { density = 1000.0; viscosity = 10.0; gravity = [0.0, -0.98]; };
second_fluid = { density = 1.0; viscosity = 0.1; surface_tension = 0.0; };
shapes = { bubble = { type = "sphere"; centre = [0.5, 0.5]; radius = 0.25; }; };
boundary = { $walls }; };
solver = { algorithm = "piso"; };
time = { end = 2.5; step = 0.01; courant = 0.0; };
CASE
cat >sheared.geo <<'GEO'
DefineConstant[ n = 16, shear = 3 ];
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1 + shear, 1, 0}; Point(4) = {shear, 1, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Transfinite Curve{1, 2, 3, 4} = n + 1; Transfinite Surface{1}; Recombine Surface{1};
Physical Curve("lid") = {3}; Physical Curve("walls") = {1, 2, 4}; Physical Surface("fluid") = {1};
GEO
cat >sheared.cfg <<'CASE'
mesh = { file = "sheared.geo"; };
fluid = { viscosity = 0.01; };
boundary = { lid = { type = "wall"; velocity = [1.0, 0.0]; }; walls = { type = "wall"; }; };
solver = { max_iterations = 400; };
CASE
sed 's/^solver.*/solver = { algorithm = "piso"; };\ntime = { end = 3.0; step = 0.1; courant = 1.0; };/' sheared.cfg \
    >sheared_time.cfg
cat >square.geo <<'GEO'
h = 0.1;
Point(1) = {-2, -1.5, 0, 3 * h}; Point(2) = {7, -1.5, 0, 3 * h};
Point(3) = {7, 1.6, 0, 3 * h}; Point(4) = {-2, 1.6, 0, 3 * h};
Point(5) = {-0.5, -0.5, 0, h}; Point(6) = {0.5, -0.5, 0, h}; Point(7) = {0.5, 0.5, 0, h}; Point(8) = {-0.5, 0.5, 0, h};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Line(5) = {5, 6}; Line(6) = {6, 7}; Line(7) = {7, 8}; Line(8) = {8, 5};
Curve Loop(1) = {1, 2, 3, 4}; Curve Loop(2) = {5, 6, 7, 8}; Plane Surface(1) = {1, 2};
Physical Curve("inlet") = {4}; Physical Curve("outlet") = {2}; Physical Curve("sides") = {1, 3};
Physical Curve("square") = {5, 6, 7, 8}; Physical Surface("fluid") = {1};
GEO
cat >square.cfg <<'CASE'
mesh = { file = "square.geo"; };
fluid = { viscosity = 0.005; };
boundary = { inlet = { type = "inlet"; velocity = [1.0, 0.0]; }; outlet = { type = "outlet"; };
             sides = { type = "symmetry"; }; square = { type = "wall"; }; };
solver = { max_iterations = 900; };
CASE
sed -e 's/^solver.*/solver = { algorithm = "piso"; convection = "central"; };/' \
    -e '$a time = { end = 5.0; step = 0.1; courant = 3.0; };' -e 's/0.005/1e-4/' square.cfg >square_time.cfg

# Half as high at its end as at its start.
cat >nozzle.geo <<'GEO'
DefineConstant[ h = 0.04 ];
For i In {0:20}
  Point(1 + i) = {i / 5, 0.75 + 0.25 * Cos(Pi * (i < 5 ? 0 : i > 15 ? 1 : (i - 5) / 10)), 0, h};
EndFor
Point(30) = {0, 0, 0, h}; Point(31) = {4, 0, 0, h};
Line(1) = {30, 31}; Line(2) = {31, 21}; Spline(3) = {21:1}; Line(4) = {1, 30};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Physical Curve("walls") = {1, 3}; Physical Curve("outlet") = {2}; Physical Curve("inlet") = {4};
Physical Surface("fluid") = {1};
GEO
cat >nozzle.cfg <<'CASE'
mesh = { file = "nozzle.geo"; };
fluid = { viscosity = 1e-12; };
boundary = { inlet = { type = "inlet"; flow_rate = 1.0; }; outlet = { type = "outlet"; };
             walls = { type = "slip"; }; };
CASE
cat >slivers.cfg <<CASE
mesh = { file = "$meshes/cube_tets.geo"; parameters = { h = 0.1; optimize = 0; }; };
fluid = { viscosity = 0.01; };
boundary = { lid = { type = "wall"; velocity = [1.0, 0.0, 0.0]; }; walls = { type = "wall"; }; };
solver = { algorithm = "simplec"; max_iterations = 1200; };
CASE
sed -e 's/^solver.*/solver = { algorithm = "piso"; };/' -e 's/0.01/1.0/' \
    -e '$a time = { end = 0.06; step = 0.0003; };' slivers.cfg >slivers_time.cfg

# ---- transient
cat >stream.cfg <<CASE
mesh = { box = { cells = [40, 24]; to = [2.0, 1.0]; distortion = 0.3; }; };
fluid = { viscosity = 1e-5; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; }; right = { type = "outlet"; };
             bottom = { type = "wall"; }; top = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 60.0; step = 1.0; };
CASE
# Steps at Courant numbers from 10 to 100, without a limit: inaccurate, which a warning reports, but none diverges.
large_steps() {
    local name=$1 said status
    shift
    said=$(run "$@") status=$?
    result "$name" "$( (( status == 0 || status == 2 )) || echo "status $status: $said"
        grep -q 'warning: the Courant number is' <<<"$said" || echo 'no warning')"
}
large_steps courant         stream.cfg
large_steps courant_central stream.cfg --set solver.convection=central --set time.scheme=crank-nicolson
large_steps courant_lid     lid.cfg --set solver.convection=central --set time.step=0.5
large_steps courant_square  square_time.cfg
# A developed flow is right in steps of any length; and a limit may make a step shorter than time.end.
sed -e '/^fluid/s/1e-5/0.01/' -e 's/velocity = \[1.0, 0.0\]/velocity = ["6*y*(1-y)", 0.0]/' -e 's/distortion = 0.3;//' \
    -e '$a initial = { velocity = ["6*y*(1-y)", 0.0]; };' stream.cfg >developed.cfg
said=$(run developed.cfg)
result developed "$(grep -q '^FINISHED' <<<"$said" && ! grep -q 'warning' <<<"$said" || echo "$said")"
said=$(run developed.cfg --set time.end=0.1 --set time.step=1.0 --set time.courant=1.0)
result step_above_end "$(grep -q '^FINISHED at t = 0.1 after' <<<"$said" || echo "$said")"
said=$(run rise.cfg --set time.end=0.01 --set time.step=1.0 --set second_fluid.surface_tension=20 \
    --set time.capillary=0.8)
result step_above_end_capillary "$(grep -q '^FINISHED at t = 0.01 after' <<<"$said" || echo "$said")"
said=$(run slivers_time.cfg --set solver.correctors=1)
result three_times "$(grep -qF 'has grown to over 3 times what conditions' <<<"$said" || echo "$said")"
said=$(run rise.cfg --set time.scheme=crank-nicolson --set second_fluid.density=0.2)
result crank_nicolson "$(grep -q '^FINISHED' <<<"$said" || echo "$said")"
unwanted='orthogonal|central|outlet|relaxation'
tension=(--set second_fluid.surface_tension=2000 --set time.step=0.1 --set time.capillary=0)
diverges capillary          1 'times the limit of waves of a cell'"'"'s size, 0.00223: set time.capillary = 0.8' \
        time.capillary=0.8 rise.cfg "${tension[@]}" --set time.end=2
unwanted='central|outlet|relaxation|Courant'
diverges angles_in_time     1 'faces near that cell are 71.6 degrees from orthogonal' \
        solver.non_orthogonal_correctors=1 sheared_time.cfg \
        --set solver.non_orthogonal_correctors=0
diverges even_in_time       1 'and 2 correctors leave the error growing: set solver.non_orthogonal_correctors = 3' \
        solver.non_orthogonal_correctors=3 sheared_time.cfg \
        --set solver.non_orthogonal_correctors=2
unwanted='central|outlet|relaxation|capillary'
diverges correctors         1 'one corrector per step is unstable on slivers: set solver.correctors = 2' \
        solver.correctors=2 slivers_time.cfg --set solver.correctors=1

# ---- steady
unwanted='Courant|orthogonal|outlet'
diverges central            1 'in that cell: set solver.convection = "linear-upwind"'  solver.convection=linear-upwind \
        channel.cfg --set solver.convection=central --set mesh.box.cells=[60,36] --set mesh.box.distortion=0.43 \
        --set solver.non_orthogonal_correctors=1
unwanted='Courant|orthogonal|outlet|central'
diverges relaxation         1 'set solver.relaxation_velocity = 0.9'  solver.relaxation_velocity=0.9 \
        steady_lid.cfg --set solver.relaxation_velocity=1
diverges relaxation_pressure 1 'set solver.relaxation_pressure = 0.3'  solver.relaxation_pressure=0.3 \
        steady_lid.cfg --set solver.algorithm=simple --set solver.relaxation_velocity=0.7 \
        --set solver.relaxation_pressure=1
unwanted='Courant|outlet|central'
diverges slivers            1 'set solver.algorithm = "simple"'  '' slivers.cfg         # slivers_by_default converges
unwanted='Courant|central|outlet'
diverges angles             1 'set solver.non_orthogonal_correctors = 1'  solver.non_orthogonal_correctors=1 \
        sheared.cfg --set solver.non_orthogonal_correctors=0
unwanted='Courant|orthogonal|central'
diverges outlet             1 'set boundary.right.backflow = "total"'  boundary.right.backflow=total \
        channel.cfg "${with_drag[@]}"
diverges upwind             1 'set solver.convection = "upwind"' \
        solver.convection=upwind channel.cfg "${with_drag[@]/-2.0/-1.8}" \
        --set fluid.viscosity=1e-4
diverges from_rest          1 'set initial.field = "potential"'  initial.field=potential nozzle.cfg
diverges from_rest_head     1 'set initial.field = "potential"'  initial.field=potential nozzle.cfg \
        --set 'boundary.outlet={ type = "outlet"; total_pressure = 0.0; }' --set mesh.parameters.h=0.05
diverges together           1 'set solver.algorithm = "coupled"'  solver.algorithm=coupled between.cfg

# ---- defaults that depend on the mesh
follows() {
    local name=$1 text=$2
    shift 2
    said=$("$poise" check "$@" 2>&1)
    grep -qF "$text" <<<"$said" && result "$name" "" || result "$name" "\"$text\" is not told: $said"
}
sed 's/algorithm = "simplec"; //' slivers.cfg >raw.cfg
follows slivers_are_told    'cells are slivers: solver.algorithm = "simple", as the case gives none'   raw.cfg
said=$(run raw.cfg)
result slivers_by_default   "$(grep -q 'CONVERGED in' <<<"$said" || echo "not converged: $(tail -n 3 <<<"$said")")"
follows steep_in_time       '72 degrees from orthogonal: solver.non_orthogonal_correctors = 1, as the case gives none' \
        sheared_time.cfg
run sheared_time.cfg >/dev/null
result steep_by_default     "$( (( $? )) && echo 'it does not hold')"
# Steady flow on quadrilaterals that are sheared by 45 degrees diverged without a corrector.
follows sheared_steady      '45 degrees from orthogonal: solver.non_orthogonal_correctors = 1, as the case gives none' \
        sheared.cfg --set mesh.parameters.shear=1
said=$(run sheared.cfg --set mesh.parameters.shear=1)
result sheared_by_default   "$(grep -q 'CONVERGED in' <<<"$said" || echo "not converged: $(tail -n 3 <<<"$said")")"
said=$("$poise" check sheared.cfg --set mesh.parameters.shear=1 --set solver.algorithm=coupled 2>&1)
result coupled_needs_none   "$(grep "as the case gives none" <<<"$said")"
# Beyond 85 degrees a corrector makes transient flow worse: the speed in this box rose to four times the lid's.
cat >flat.cfg <<'CASE'
mesh = { box = { cells = [40, 40]; stretch = [60.0, 60.0]; distortion = 0.3; }; };
fluid = { viscosity = 0.01; };
boundary = { top = { type = "wall"; velocity = [1.0, 0.0]; }; left = { type = "wall"; }; right = { type = "wall"; };
             bottom = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 0.5; step = 0.02; courant = 0.5; max_steps = 2500; };
CASE
said=$("$poise" check flat.cfg 2>&1)
result no_corrector_on_flat "$(grep -q "is in order" <<<"$said" && ! grep "as the case gives none" <<<"$said" ||
    echo "$said")"
said=$("$poise" check raw.cfg --set solver.relaxation_velocity=0.9 2>&1)
result relaxation_is_kept   "$(grep 'solver.algorithm = ' <<<"$said")"

# ---- steady, without convergence
sed 's/{7, -1.5/{10, -1.5/; s/{7, 1.6/{10, 1.6/' square.geo >long.geo && sed 's/square.geo/long.geo/' square.cfg \
    >long.cfg
stands_still unsteady       'set solver.algorithm = "pimple"'                               ''              long.cfg
stands_still limiter \
    'van-leer'"'"'s limiter keeps switching there: set solver.convection = "linear-upwind"' \
    solver.convection=linear-upwind \
        channel.cfg --set solver.convection=van-leer --set mesh.box.distortion=0.45 --set fluid.viscosity=1e-5 \
        --set solver.max_iterations=900
stands_still central_stands 'there may be the cause: set solver.convection = "linear-upwind"' \
    solver.convection=linear-upwind \
        channel.cfg --set solver.convection=central --set mesh.box.distortion=0.4 --set fluid.viscosity=2.5e-4 \
        --set solver.max_iterations=1200
stands_still slivers \
    'are slivers, in which simplec'"'"'s corrections overshoot: set solver.algorithm = "simple"' \
    solver.algorithm=simple \
        slivers.cfg --set mesh.parameters.h=0.25 --set solver.non_orthogonal_correctors=1
stands_still rounding       'that is rounding: set solver.tolerance = '                     solver.tolerance=1e-13 \
        steady_lid.cfg --set solver.tolerance=1e-20 \
        --set solver.max_iterations=1100
unconverged unsteady_accelerated 2 'stops oscillations around a steady flow: set solver.acceleration = 10' \
        '--set solver.acceleration=10' long.cfg
unconverged unsteady_coupled 1 'set solver.algorithm = "coupled"'  '--set solver.algorithm=coupled' long.cfg
unconverged slivers_accelerated 2 'set solver.acceleration = 10'  '--set solver.acceleration=10' slivers.cfg \
        --set mesh.parameters.h=0.25 --set solver.non_orthogonal_correctors=1
expected=5
unconverged coupled_stands 1 'there may be the cause: set solver.convection = "linear-upwind"' \
        '--set solver.convection=linear-upwind'  channel.cfg --set solver.algorithm=coupled \
        --set solver.convection=central --set mesh.box.distortion=0.4 --set fluid.viscosity=2e-4 \
        --set solver.max_iterations=1200
expected=2
stalled=(channel.cfg --set solver.algorithm=coupled --set solver.convection=central --set mesh.box.distortion=0.4
    --set fluid.viscosity=2e-4 --set solver.max_iterations=1200)
said=$(first "${stalled[@]}")
grep -q '^STALLED: after .* solver.tolerance is' <<<"$said" && grep -q 'as solver.stall_limit allows' <<<"$said"
result stalled_is_told "$( (( $? )) && echo "$said" | tail -n 20)"
cat >tiny.cfg <<'CASE'
mesh = { box = { cells = [8, 8]; }; };
fluid = { viscosity = 1.0; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1e-200, 0.0]; }; };
solver = { algorithm = "simplec"; tolerance = 1e-12; stall_limit = 100; };
CASE
said=$(run tiny.cfg)
grep -q 'The velocity is zero, or so small that its square is' <<<"$said" && ! grep -qi nan <<<"$said"
result no_share_of_no_velocity "$( (( $? )) && echo "$said" | tail -n 20)"
said=$(run "${stalled[@]}" --set solver.stall_limit=0)
grep -q '^NOT CONVERGED: after 1200 iterations' <<<"$said"
result no_stall_limit "$( (( $? )) && echo "$said" | tail -n 20)"
# ---- converged, with backflow through the outlet
cat >backflow.cfg <<'CASE'
mesh = { box = { cells = [24, 12]; to = [3.0, 1.0]; }; };
fluid = { viscosity = 0.05; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; }; right = { type = "outlet"; backflow = "static"; };
             top = { type = "wall"; velocity = [-8.0, 0.0]; }; bottom = { type = "wall"; velocity = [5.0, 0.0]; }; };
CASE
said=$(run backflow.cfg)
grep -q '^  flow   right           1 out: 2.3[0-9]* out, 1.3[0-9]* in$' <<<"$said" &&
    grep -q '^warning    36 % of the flow through outlet "right" is backflow' <<<"$said"
result backflow_is_told "$( (( $? )) && grep -E 'flow|warning' <<<"$said")"
said=$(run backflow.cfg --set boundary.top.velocity= --set boundary.bottom.velocity=)
result no_backflow "$(grep -E "warning|: .* in$" <<<"$said"
    grep -q 'flow   right           1 out$' <<<"$said" || echo "$said")"

# Steps whose linear solvers use up their iterations: a warning at the first one, and a summary at the end.  The run
# ends with status 2 if the last step was one of them.
few_steps=(lid.cfg --set time.step=0.01 --set time.end=0.04)
for solver in velocity pressure; do
    said=$(run "${few_steps[@]}" --set solver.$solver.max_iterations=1 --set solver.$solver.tolerance=1e-9)
    status=$?
    result unsolved_$solver "$( (( status == 2 )) || echo "status $status"
        grep -q "^ *1   warning: the linear solver of the $solver used up its 1 iterations and left" <<<"$said" &&
            grep -q "^warning    the linear solver of the $solver used up its 1 iterations in 4 of 4" <<<"$said" &&
            (( $(grep -c "raise solver.$solver.max_iterations" <<<"$said") == 2 )) || echo "$said")"
done
# The same for an `absolute` tolerance that ends them early, and for steps so long that velocity and pressure disagree.
for solver in velocity pressure; do
    said=$(run "${few_steps[@]}" --set solver.$solver.absolute=1.0)
    status=$?
    result early_$solver "$( (( status == 2 )) || echo "status $status"
        grep -q "^ *[1-4]   warning: solver.$solver.absolute = 1 ends the linear solver while" <<<"$said" &&
            grep -q "^warning    solver.$solver.absolute = 1 ended the linear solver in" <<<"$said" || echo "$said")"
done
cat >long_steps.cfg <<'CASE'
mesh = { box = { cells = [24, 16]; to = [3.0, 1.0]; }; };
fluid = { viscosity = 1.0; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; }; right = { type = "outlet"; };
             top = { type = "wall"; }; bottom = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 20.0; step = 4.0; };
CASE
said=$(run long_steps.cfg)
status=$?
result long_steps "$( (( status == 2 )) || echo "status $status"
    grep -q '^warning    in the last step velocity and pressure do not agree' <<<"$said" || echo "$said")"
said=$(run long_steps.cfg --set time.tolerance=1e-2)
status=$?
result steps_by_tolerance "$( (( status == 0 )) || echo "status $status"; grep 'do not agree' <<<"$said")"
said=$(run "${few_steps[@]}") status=$?
result all_solved "$( (( status == 0 )) || echo "status $status"; grep 'used up' <<<"$said")"

cat >watched.cfg <<'CASE'
@include "steady_lid.cfg"
probes = { one = { at = [0.3, 0.4]; }; };
convergence = { u = { of = "one"; quantity = "velocity_x"; tolerance = 1e-7; over = 50; }; };
CASE
unconverged watched      1 'the residuals have converged, convergence.u has not: continue with --restart'  'as said' \
        watched.cfg --set solver.max_iterations=130
few=(steady_lid.cfg --set fluid.viscosity=0.001 --set solver.max_iterations=210)
unconverged falls        1 'iterations: continue with --restart --set solver.max_iterations='  'as said'  "${few[@]}"
unconverged accelerated  2 'a third to two thirds of the iterations: set solver.acceleration = 10' \
        '--set solver.acceleration=10'  "${few[@]}"
unconverged coupled      3 'takes tens of iterations: set solver.algorithm = "coupled"' \
        '--set solver.algorithm=coupled'  "${few[@]}"
unconverged relaxed      1 '0.9 is usual and faster: set solver.relaxation_velocity = 0.9' \
        '--set solver.relaxation_velocity=0.9'  steady_lid.cfg --set solver.relaxation_velocity=0.1 \
        --set solver.max_iterations=300
unconverged with_simple  3 'set solver.algorithm = "simplec"'  '--set solver.algorithm=simplec' \
        "${few[@]}" --set mesh.box.cells=[48,48] --set solver.max_iterations=500 --set solver.algorithm=simple
unconverged below_rounding 1 'is below what rounding leaves: set solver.tolerance = 1e-10' \
        '--set solver.tolerance=1e-10'  steady_lid.cfg --set solver.tolerance=1e-20 --set solver.max_iterations=300
unconverged too_few      1 'too few iterations to judge the residual: continue with --restart'  'as said' \
        steady_lid.cfg --set solver.max_iterations=5
said=$(run steady_lid.cfg --set solver.max_iterations=900 --set solver.relaxation_velocity=0.05)
result falls_slowly "$(grep -i 'stagnat' <<<"$said")"

# A scheme without bounds may overshoot, with a warning; by more than half of what is given the results are wrong.
cat >over.cfg <<'CASE'
mesh = { box = { cells = [6, 2]; to = [1.0, 0.3]; }; };
fluid = { viscosity = 1.0; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; }; right = { type = "outlet"; };
             bottom = { type = "slip"; }; top = { type = "slip"; }; };
initial = { velocity = [1.0, 0.0]; };
scalars = { dye = { diffusivity = 1e-6; initial = "x < 0.5 ? 1 : 0"; values = { left = 0.0; };
                    convection = "central"; }; };
solver = { algorithm = "pimple"; };
time = { end = 0.3; step = 0.3; };
CASE
said=$(run over.cfg) status=$?
result overshoots "$( (( status == 0 )) && grep -q 'its scheme is not bounded; "bounded" is$' <<<"$said" ||
    echo "status $status: $said")"
said=$(run over.cfg --set time.end=1.2) status=$?
result overshoots_by_half "$( (( status == 2 )) && grep -q '"bounded" is. The results are wrong' <<<"$said" ||
    echo "status $status: $said")"
# ---------------------------------------------------------------- energy of two fluids
# A drop in steps beyond the limit of waves: its velocity grows to that of the largest waves, and no further.
cat >waves.cfg <<'EOT'
mesh = { box = { cells = [32, 32]; }; };
fluid = { viscosity = 1e-4; };
second_fluid = { density = 1.0; viscosity = 1e-4; surface_tension = 1.0; };
shapes = { drop = { type = "sphere"; centre = [0.5, 0.5]; radius = 0.3; }; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 0.5; step = 0.015; capillary = 0.0; };
EOT
says energy_from_nowhere 2 'that nothing had put in' "$poise" run waves.cfg --output waves
says energy_after_a_restart 2 'that nothing had put in' "$poise" run waves.cfg --output waves --restart \
    --set time.end=0.51 --set time.step=0.001
says energy_of_shorter_steps 0 FINISHED "$poise" run waves.cfg --output waves --set time.step=0.004
says energy_of_a_changed_case 0 FINISHED "$poise" run waves.cfg --output waves --restart --set time.step=0.001 \
    --set time.end=0.6 --set second_fluid.surface_tension=8
# ---------------------------------------------------------------- passes of two fluids that do not agree
# Viscosities of 1e4 : 1 on distorted cells, from rest in a step 25600 times the viscous time of a cell.
cat >stress.cfg <<'EOT'
mesh = { box = { cells = [16, 16]; distortion = 0.3; }; };
fluid = { density = 1.0; viscosity = 0.1; };
second_fluid = { density = 1.0; viscosity = 1e3; };
shapes = { drop = { type = "sphere"; centre = [0.5, 0.5]; radius = 0.25; }; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1.0, 0.0]; }; };
solver = { algorithm = "piso"; };
time = { end = 0.1; step = 0.1; };
EOT
says stress_does_not_agree 2 'in 1 of 1 steps velocity and viscous stress do not agree' "$poise" run stress.cfg \
    --output stress
exit $failed
