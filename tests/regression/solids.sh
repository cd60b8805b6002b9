#!/usr/bin/env bash
# Results on boundaries of solids: temperatures and heat fluxes of faces of both materials agree with the exact ones and
# with heat.csv, in a fluid at rest above a plate and in the plate alone.
# POISE: the program (build/poise).
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") data=$(realpath "$(dirname "$0")/../data") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
cp "$data/plate.geo" .
# Conductivities 3 and 1, from 4 below to 0 above: the flux is 3, and the temperature between the materials 3.
cat >both.cfg <<'CASE'
mesh = { file = "plate.geo"; };
fluid = { viscosity = 1.0; heat_capacity = 1.0; conductivity = 1.0; };
solids = { plate = { density = 2.0; heat_capacity = 0.5; conductivity = 3.0; }; };
boundary = { bottom = { type = "wall"; temperature = 4.0; }; sides = { type = "wall"; };
             lid = { type = "wall"; temperature = 0.0; }; };
surfaces = { below = { boundaries = ["bottom"];
                       fields = ["temperature", "temperature-flux", "wall-distance"]; };
             sides = { boundaries = ["sides"]; fields = ["temperature", "temperature-flux"]; };
             wet   = { boundaries = ["sides"]; fields = ["temperature", "flow"]; };
             lid   = { boundaries = ["lid"]; fields = ["temperature", "temperature-flux", "flow"]; };
             plate = { boundaries = ["plate"]; fields = ["temperature", "temperature-flux"]; }; };
solver = { tolerance = 1e-12; };
CASE
water='water = { density = 1.0; heat_capacity = 1.0; conductivity = 1.0; }; };'
sed -e '/^fluid/d' -e "/^solids/s/; };\$/; $water/" -e '/ wet .*/d' -e '/ lid   =/d' \
    -e 's/ plate = { boundaries.*/ };/' both.cfg >alone.cfg

# near NAME FILE EXPECTED..: the last row of the file has these numbers after the first.
near() {
    local name=$1 file=$2
    shift 2
    result "$name" "$(tail -n 1 "$file" | awk -F, -v wanted="$*" '{
        n = split(wanted, w, " ")
        for (i = 1; i <= n; i++)
            if (($(i + 1) - w[i]) ^ 2 > 1e-18) print "column " i + 1 ": " $(i + 1) ", not " w[i] }')"
}
for case in both alone; do
    check "run_$case" "$poise" run $case.cfg
    near "below_$case" $case.out/surfaces/below.csv 1 4 4 4 3 3 3 0.0625 0.0625 0.0625
    near "sides_$case" $case.out/surfaces/sides.csv 4 2.5 0.1875 3.9375 0 0 0
    near "heat_$case" $case.out/heat.csv 3 -3 0
done
near wet both.out/surfaces/wet.csv 2 1.5 0.1875 2.8125 0
near plate both.out/surfaces/plate.csv 1 3 3 3 3 3 3
near lid both.out/surfaces/lid.csv 1 0 0 0 -3 -3 -3 0 0 0
result faces "$(awk -F, 'END { if (NR != 33) print NR " rows" }' both.out/surfaces/sides/faces.csv)"
said=$("$poise" run both.cfg --set 'surfaces.below.fields=["pressure"]' 2>&1)
wanted='"bottom" belongs to solids only; expected boundaries of the fluid, or the name of a solid for its surface, or'
result fields_of_fluid "$([[ $said == *$wanted* ]] || echo "$said")"
# At points in a solid the pressure is 0, with gravity too.
check run_heavy "$poise" run both.cfg --set 'fluid.gravity=[0.0, -9.81]' --set fluid.expansion=0.1 \
    --set 'probes.inside.at=[0.5, 0.3]' --set solver.tolerance=0.9
result pressure_inside "$(tail -n 1 both.out/probes/inside.csv | awk -F, '$4 != 0 { print "pressure " $4 }')"
# Nothing flows along a boundary of solids.
for moving in 'velocity=[1.0, 0.0]' 'rotation={ about = [0.0, 0.0]; speed = 1.0; }'; do
    said=$("$poise" run both.cfg --set "boundary.bottom.$moving" 2>&1)
    told "moving_${moving%%=*}" 1 "belongs to solids only, which do not move; remove ${moving%%=*}" $? "$said"
done
# Sheared slivers: what the limit of one cell leaves to the next ones takes eight passes (equation_step.c).
top=$(cd "$data/../.." && pwd)
cp "$top/tests/physics/block.geo" "$top/tests/physics/layers.geo" .
cat >sheared.cfg <<'CASE'
mesh = { file = "block.geo";
         parameters = { L = 1.68; H = 115.0; D = 1.12; nx = 3; ny = 3; nz = 2; solid = 1; tri = 1; shear = 1.2;
                        grade = 1.05; }; };
solids = { fluid = { density = 8.49; heat_capacity = 4850.0; conductivity = "9.66*(2 + sin(1.79*x))"; }; };
boundary = { left = { type = "wall"; temperature = 0.0; };        right = { type = "wall"; transfer = [0.02, 0.65]; };
             bottom = { type = "wall"; transfer = [399.0, 0.5]; }; top = { type = "wall"; temperature = 0.9; };
             back = { type = "wall"; temperature = 0.0; };        front = { type = "wall"; transfer = [0.03, 0.0]; }; };
solver = { tolerance = 1e-9; };
CASE
cat >tall.cfg <<'CASE'
mesh = { file = "layers.geo"; parameters = { L = 0.336; hs = 12.6; hf = 16.8; ht = 12.6; nx = 7; ns = 3; nf = 4; nt = 3;
                                             tri = 0; shear = 1.1; }; };
solids = { low = { density = 1.0; heat_capacity = 1.0; conductivity = 0.0022; };
           mid = { density = 1.0; heat_capacity = 1.0; conductivity = 0.0022; };
           high = { density = 1.0; heat_capacity = 1.0; conductivity = "38.3*(1+0.206*temperature)"; }; };
boundary = { left = { type = "wall"; };                            right = { type = "wall"; temperature = 0.952; };
             bottom = { type = "wall"; temperature = 0.676; };     top = { type = "wall"; temperature = 0.236; };
             left_low = { type = "wall"; temperature = 0.453; };   right_low = { type = "wall"; temperature = 0.0; };
             left_high = { type = "wall"; temperature = 0.0; };    right_high = { type = "wall"; }; };
fluid = { property_range = [-1.94, 2.91]; };
solver = { tolerance = 1e-9; };
CASE
for case in "sheared 0.9" "tall 0.952"; do
    check "run_${case% *}" "$poise" run ${case% *}.cfg
    result "bounds_${case% *}" "$(PYTHONPATH=$top/postproc "${PYTHON:-/usr/bin/python3}" -c 'import sys
from poise import Run
run = Run(sys.argv[1] + ".out")
x = run.field("temperature", run.steps[-1])
if not (x.min() >= -1e-7 and x.max() <= float(sys.argv[2]) + 1e-9):
    print("temperatures", x.min(), "to", x.max())' $case)"
done
# Steps of 20,000 times the time in which all heat leaves oblique cells: status 0 says that its balance closes.
cat >step.cfg <<'CASE'
mesh = { file = "layers.geo"; parameters = { L = 0.239; hs = 0.0797; hf = 0.119; ht = 0.0797; nx = 6; ns = 2; nf = 3;
                                             nt = 2; tri = 1; shear = 1.1; }; };
solids = { low = { density = 7.62; heat_capacity = 258.0; conductivity = 17.2; contact_resistance = 0.0564; };
           mid = { density = 1.23; heat_capacity = 3500.0; conductivity = 17.2; };
           high = { density = 502.0; heat_capacity = 15.2; conductivity = 17.2; }; };
boundary = { left = { type = "wall"; temperature = 293.0; };       right = { type = "wall"; temperature = 293.0; };
             left_low = { type = "wall"; temperature = 293.0; };   right_low = { type = "wall"; };
             left_high = { type = "wall"; };                       right_high = { type = "wall"; temperature = 293.0; };
             bottom = { type = "wall"; }; top = { type = "wall"; transfer = [7050.0, 293.0]; }; };
time = { end = 148000.0; step = 148000.0; };
initial = { temperature = "293.0 + 0.072*(y > 0.058 ? 1 : 0)"; };
CASE
check heat_of_a_long_step "$poise" run step.cfg
# After 30 such steps the temperature is the steady one.
cat >long.cfg <<'CASE'
mesh = { file = "layers.geo"; parameters = { L = 0.01; hs = 0.0145; hf = 0.058; ht = 0.0145; nx = 6; ns = 1; nf = 4;
                                             nt = 1; tri = 1; shear = 0.94; }; };
solids = { low = { density = 7.85; heat_capacity = 7.41; conductivity = 97.5; contact_resistance = 5.43e-07; };
           mid = { density = 16.3; heat_capacity = 58.4; conductivity = 13.4; };
           high = { density = 445.0; heat_capacity = 41.9; conductivity = 97.5; }; };
boundary = { left = { type = "wall"; temperature = 0.0; };         right = { type = "wall"; };
             left_low = { type = "wall"; transfer = [5810.0, 0.0]; };  right_low = { type = "wall"; };
             left_high = { type = "wall"; temperature = 0.0; };    right_high = { type = "wall"; temperature = 0.0; };
             bottom = { type = "wall"; };                          top = { type = "wall"; temperature = 11.052; }; };
initial = { temperature = 0.0; };
CASE
check steady "$poise" run long.cfg --output steady --set solver.tolerance=1e-9
check long_steps "$poise" run long.cfg --set 'time={ end = 1659; step = 55.3; scheme = "euler"; }'
result long_steps_are_steady "$(PYTHONPATH=$top/postproc "${PYTHON:-/usr/bin/python3}" -c 'from poise import Run
end = [run.field("temperature", run.steps[-1]) for run in map(Run, ("long.out", "steady"))]
if not abs(end[0] - end[1]).max() <= 1e-5*11: print("off by", abs(end[0] - end[1]).max())')"
# Passes of corrections that do not converge are told also where the level is 20,000 times the differences: this run
# ends 0.8 of them from that in another order of the cells.
cat >level.cfg <<'CASE'
mesh = { file = "layers.geo"; ordering = "none";
         parameters = { L = 0.0463; hs = 0.127; hf = 0.127; ht = 0.0636; nx = 5; ns = 2; nf = 2; nt = 1; tri = 1;
                        shear = 2.4; }; };
solids = { low = { density = 3.0; heat_capacity = 6.29; conductivity = "241.0*(2 + sin(64.8*x))"; };
           mid = { density = 1030.0; heat_capacity = 41.0; conductivity = 1.47; contact_resistance = 0.36; };
           high = { density = 116.0; heat_capacity = 8420.0; conductivity = "241.0*(2 + sin(64.8*x))"; }; };
boundary = { left = { type = "wall"; temperature = 293.011; };     right = { type = "wall"; temperature = 293.0; };
             bottom = { type = "wall"; transfer = [238.0, 293.006]; };           top = { type = "wall"; };
             left_low = { type = "wall"; temperature = 293.008; }; right_low = { type = "wall"; };
             right_high = { type = "wall"; temperature = 293.011; }; left_high = { type = "wall"; }; };
initial = { temperature = "293.0 + 0.015*(y > 0.0618617 ? 1 : 0)"; };
time = { end = 55080.0; step = 9180.0; scheme = "euler"; };
CASE
says level_told 2 'corrections of conduction through oblique cells did not converge' "$poise" run level.cfg
# A fluid that stores 1/8000 of the heat of a solid: with solves of passes that ended at a part of a residual which is
# that of the solid the fluid differed by 1.6e-3 of the range with the order of the cells.
cat >passes.cfg <<'CASE'
mesh = { file = "layers.geo"; parameters = { L = 0.782; hs = 0.0333; hf = 0.133; ht = 0.0999; nx = 3; ns = 1; nf = 4;
                                             nt = 3; tri = 1; nz = 1; D = 0.782; tets = 1; shear = 0.61; }; };
fluid = { density = 1.0; viscosity = 0.0321; heat_capacity = 1.82; conductivity = 2.64; };
solids = { low = { density = 27.1; heat_capacity = 1.82; conductivity = 0.049; };
           high = { density = 8060.0; heat_capacity = 1.82; conductivity = 142.0; contact_resistance = 0.0607; }; };
boundary = { left = { type = "inlet"; velocity = [0.0357, 0.0, 0.0]; temperature = 0.0; };
             right = { type = "outlet"; };                            bottom = { type = "wall"; };
             top = { type = "wall"; }; back = { type = "wall"; };     front = { type = "wall"; };
             left_low = { type = "wall"; transfer = [763.0, 0.0]; };  right_low = { type = "wall"; temperature = 0.0; };
             left_high = { type = "wall"; temperature = 0.698; };     right_high = { type = "wall"; }; };
time = { end = 0.545; step = 0.0545; scheme = "crank-nicolson"; };
solver = { algorithm = "pimple"; convection_temperature = "upwind"; };
initial = { temperature = 1.0; velocity = [0.0357, 0.0, 0.0]; };
probes = { a = { at = [0.813, 0.125, 0.1955]; }; b = { at = [0.547, 0.116, 0.5865]; }; };
CASE
for order in hilbert none; do
    check "passes_$order" "$poise" run passes.cfg --output $order --set mesh.ordering=$order
done
result order_of_passes "$(for at in a b; do paste -d, hilbert/probes/$at.csv none/probes/$at.csv; done | awk -F, '
    ($7 - $14) ^ 2 > 4e-8 { print "at " $2 ": " $7 " and " $14 }')"
# In long steps passes of a limiter converge late: after 12 in vain eight steps ended with corrections of a single one.
cat >late.cfg <<'CASE'
mesh = { file = "layers.geo"; parameters = { L = 0.0177; hs = 0.0059; hf = 0.0059; ht = 0.0059; nx = 6; ns = 2; nf = 2;
                                             nt = 2; tri = 1; }; };
fluid = { density = 1.0; viscosity = 4.42e-6; heat_capacity = 9710.0; conductivity = 5.81e-5; };
solids = { low = { density = 6700.0; heat_capacity = 9710.0; conductivity = 2.53e-6; };
           high = { density = 338.0; heat_capacity = 9710.0; conductivity = 1.34e-3; contact_resistance = 1.99; }; };
boundary = { left = { type = "inlet"; velocity = [0.0131, 0.0]; temperature = 1000.0; }; low = { type = "slip"; };
             right = { type = "outlet"; temperature = 1000.0; };                         high = { type = "slip"; };
             bottom = { type = "wall"; transfer = [4.86e-6, 1000.52]; }; top = { type = "wall"; temperature = 1000.0; };
             left_low = { type = "wall"; transfer = [0.62, 1000.41]; };
             right_low = { type = "wall"; heat_flux = 0.0148; }; left_high = { type = "wall"; temperature = 1000.26; };
             right_high = { type = "wall"; transfer = [5.84e-4, 1000.0]; }; };
time = { end = 21.6; step = 2.7; };
solver = { algorithm = "pimple"; non_orthogonal_correctors = 3; convection_temperature = "van-leer"; };
initial = { temperature = 1000.61; velocity = [0.0131, 0.0]; };
CASE
check late_passes "$poise" run late.cfg
# Six steps across a sheared block: with a history that is never dropped one or two of them were given up.
for order in hilbert cuthill-mckee; do
    cat >kinks.cfg <<CASE
mesh = { file = "block.geo"; ordering = "$order";
         parameters = { L = 0.19; H = 0.19; D = 0.19; nx = 3; ny = 3; nz = 3; solid = 2; tri = 2; shear = 0.52; }; };
fluid = { viscosity = 0.0119; };
boundary = { left = { type = "inlet"; velocity = [0.83, 0.0, 0.0]; }; right = { type = "outlet"; };
             bottom = { type = "slip"; }; top = { type = "slip"; }; back = { type = "slip"; };
             front = { type = "slip"; }; };
scalars = { dye = { diffusivity = 5.61e-5; convection = "van-leer"; values = { left = 0.0; bottom = 1.0; }; }; };
time = { end = 0.2538; step = 0.0423; scheme = "euler"; };
solver = { algorithm = "pimple"; };
CASE
    check "kinks_$order" "$poise" run kinks.cfg
done
# Faces at 89 degrees from orthogonal beside metal: passes do not converge, and with those of a single one temperatures
# differ by their range with the order of the cells.
cat >lagged.cfg <<'CASE'
mesh = { file = "layers.geo"; ordering = "none";
         parameters = { L = 1.16; hs = 22.5; hf = 33.7; ht = 11.2; nx = 9; ns = 2; nf = 3; nt = 1;
                                             tri = 1; shear = 0.82; }; };
fluid = { density = 482.0; viscosity = 112.0; heat_capacity = 96.5; conductivity = 844.0; };
solids = { low = { density = 18.3; heat_capacity = 96.5; conductivity = 5.98e7; };
           high = { density = 20.3; heat_capacity = 96.5; conductivity = 5.98e7; }; };
boundary = { left = { type = "inlet"; velocity = [7.61, 0.0]; temperature = 293.015; };
             right = { type = "outlet"; pressure = 252.0; };
             bottom = { type = "wall"; temperature = 293.0; };     top = { type = "wall"; transfer = [79.3, 293.008]; };
             left_low = { type = "wall"; temperature = 293.0; };
             left_high = { type = "wall"; temperature = 293.013; };
             right_low = { type = "wall"; transfer = [2.06, 293.0]; };
             right_high = { type = "wall"; temperature = 293.013; }; };
time = { end = 2.199; step = 0.733; };
solver = { algorithm = "pimple"; convection = "upwind"; };
initial = { temperature = 293.0; velocity = [7.61, 0.0]; };
CASE
says lagged_told 2 'corrections of convection and conduction did not converge' "$poise" run lagged.cfg
# A solid that exchanges far less heat than the others: with one residual of all materials it was wrong by 29 times the
# tolerance, a part of the range.
cat >regions.cfg <<'CASE'
mesh = { file = "layers.geo"; parameters = { L = 0.679; hs = 0.17; hf = 0.34; ht = 0.509; nx = 4; ns = 1; nf = 2;
                                             nt = 3; tri = 2; }; };
fluid = { density = 0.0313; viscosity = 0.00145; heat_capacity = 10.2; conductivity = 4.1e-05; };
solids = { low = { density = 249.0; heat_capacity = 10.2; conductivity = 1.21; };
           high = { density = 115.0; heat_capacity = 10.2; conductivity = 1.21; contact_resistance = 42.9; }; };
boundary = { left = { type = "inlet"; velocity = [0.0939, 0.0]; temperature = 2.0; };
             right = { type = "outlet"; temperature = 0.0; };         bottom = { type = "wall"; };
             top = { type = "wall"; temperature = 0.0; };             low = { type = "slip"; };
             high = { type = "slip"; };                               left_low = { type = "wall"; };
             left_high = { type = "wall"; temperature = 1.0; };       right_low = { type = "wall"; };
             right_high = { type = "wall"; temperature = 0.0; }; };
solver = { algorithm = "coupled"; tolerance = 1e-5; convection_temperature = "van-leer"; acceleration = 10; };
CASE
check regions "$poise" run regions.cfg
check regions_finely "$poise" run regions.cfg --output fine --set solver.tolerance=1e-9
check error_of_regions "$poise" diff fine regions.out --fields temperature --tolerance 1e-4
# Oblique cells of a fluid that conducts 17 times better than the solids beside it: at their surfaces the limiter let
# more heat out of it than it held, and temperatures were 1.4e-3 of the range below all that are given.
cat >better.cfg <<'CASE'
mesh = { file = "layers.geo"; parameters = { L = 2.76; hs = 29.6; hf = 44.4; ht = 14.8; nx = 6; ns = 2; nf = 3; nt = 1;
                                             tri = 0; shear = 1.0; }; };
fluid = { viscosity = 44.4; heat_capacity = 436.0; conductivity = 1.0; };
solids = { low = { density = 14.0; heat_capacity = 436.0; conductivity = 0.0587; };
           high = { density = 1920.0; heat_capacity = 436.0; conductivity = 0.0587; contact_resistance = 0.00792; }; };
boundary = { left = { type = "inlet"; velocity = [1.33e-4, 0.0]; temperature = 0.0; }; right = { type = "outlet"; };
             bottom = { type = "wall"; temperature = 0.0; }; top = { type = "wall"; transfer = [4.95, 0.652]; };
             left_low = { type = "wall"; temperature = 0.0; }; right_low = { type = "wall"; temperature = 0.593; };
             left_high = { type = "wall"; temperature = 0.0; };
             right_high = { type = "wall"; transfer = [1.05, 0.605]; }; };
solver = { algorithm = "coupled"; convection = "upwind"; };
CASE
check better_conductor "$poise" run better.cfg
result bounds_of_better_conductor "$(PYTHONPATH=$top/postproc "${PYTHON:-/usr/bin/python3}" -c 'from poise import Run
lowest = Run("better.out").field("temperature").min()
if not lowest >= -1e-6*0.652: print("down to", lowest)')"
# A slow mode of accelerated iterations, in a corner of an outlet and walls: steps of 1.8 times the tolerance were a
# seventh of what was left.
cat >slow.cfg <<'CASE'
mesh = { file = "block.geo";
         parameters = { L = 9.39; H = 9.39; D = 6.26; nx = 3; ny = 3; nz = 2; solid = 3; tri = 0; }; };
fluid = { viscosity = 1220.0; };
boundary = { left = { type = "outlet"; pressure = 13.4; }; right = { type = "outlet"; }; bottom = { type = "slip"; };
             top = { type = "wall"; }; back = { type = "wall"; }; front = { type = "wall"; }; };
solver = { algorithm = "coupled"; convection = "central"; tolerance = 1e-8; };
CASE
check slow "$poise" run slow.cfg
check slow_finely "$poise" run slow.cfg --output slow_fine --set solver.tolerance=1e-10
check error_of_slow "$poise" diff slow_fine slow.out --fields velocity,pressure --tolerance 1e-7
exit $failed
