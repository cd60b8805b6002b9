#!/usr/bin/env bash
# Runs that live long: the last row of every table is the last iteration's, and a run that goes on from there makes the
# table of a run that was never stopped.
# POISE: the program (build/poise).
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

digest_of() { sed -n 's/^digest //p' "$1" | tail -n 1; }
last_row() { tail -n 1 "$1" | cut -d, -f1; }
run() { "$poise" run "$1.cfg" --digest --output "$2" "${@:3}" >"$2.txt" 2>&1; }

cat >steady.cfg <<'CASE'
mesh = { box = { cells = [16, 16]; }; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; velocity = [1.0, 0.0]; }; };
solver = { tolerance = 1e-5; };
output = { report_every = 100; };
probes = { one = { at = [0.3, 0.4]; }; };
forces = { lid = { boundaries = ["top"]; }; };
CASE
cat >time.cfg <<'CASE'
mesh = { box = { cells = [16, 16]; }; };
fluid = { density = 10.0; viscosity = 0.1; gravity = [0.0, -1.0]; };
second_fluid = { density = 1.0; viscosity = 0.01; surface_tension = 0.1; };
shapes = { bubble = { type = "sphere"; centre = [0.5, 0.4]; radius = 0.2; }; };
bubbles = { every = 5; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };
             top = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 0.25; step = 0.01; };
output = { report_every = 10; };
probes = { one = { at = [0.3, 0.4]; }; };
forces = { lid = { boundaries = ["top"]; }; };
CASE
steady_tables="residuals.csv probes/one.csv forces/lid.csv"
time_tables="$steady_tables interface.csv bubbles.csv"

# ---------------------------------------------------------------- last rows
run steady whole
n=$(sed -n 's/^CONVERGED in \([0-9]*\) iterations.*/\1/p' whole.txt)
check converged test "${n:-0}" -gt 5
for table in $steady_tables; do check "last-row $table" test "$(last_row whole/$table)" = "$n"; done
run steady stopped --set solver.max_iterations=7
for table in $steady_tables; do check "last-row-stopped $table" test "$(last_row stopped/$table)" = 7; done
cp -r stopped again
run steady again --set solver.max_iterations=7 --restart         # nothing to do
for table in $steady_tables; do check "last-row-kept $table" cmp stopped/$table again/$table; done
run steady stopped --restart
for table in $steady_tables; do check "restarted $table" cmp whole/$table stopped/$table; done

run time whole
run time stopped --set time.max_steps=13
for table in $time_tables; do
    check "last-row-time $table" test "$(last_row whole/$table)" = 25
    check "last-row-stopped-time $table" test "$(last_row stopped/$table)" = 13
done
run time stopped --restart
check restarted-time test "$(digest_of stopped.txt)" = "$(digest_of whole.txt)"
for table in $time_tables; do check "restarted-time $table" cmp whole/$table stopped/$table; done
run time diverged --set time.step=5 --set time.end=500 --set output.report_every=1000
n=$(sed -n 's/^DIVERGED at step \([0-9]*\),.*/\1/p' diverged.txt)
check diverged test "${n:-0}" -gt 0
for table in $steady_tables; do check "last-row-diverged $table" test "$(last_row diverged/$table)" = "$n"; done
rm -rf whole stopped again diverged
exit $failed
