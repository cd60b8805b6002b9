#!/usr/bin/env bash
# Long runs: the last row of every table belongs to the last iteration, and a restarted run writes the table of an
# uninterrupted one; balances at output times count; checkpoints by the clock, a time limit and the file control;
# neither the clock nor an invalid control file changes the results.
# POISE: the program (build/poise).
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") top=$(realpath "$(dirname "$0")/../..") folder=$(mktemp -d)
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
surfaces = { lid = { boundaries = ["top"]; }; };
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
time = { end = 0.25; step = 0.01; courant = 0.0; };
output = { report_every = 10; };
probes = { one = { at = [0.3, 0.4]; }; };
forces = { lid = { boundaries = ["top"]; }; };
CASE
time_tables="residuals.csv probes/one.csv forces/lid.csv interface.csv bubbles.csv"
steady_tables="residuals.csv probes/one.csv forces/lid.csv surfaces/lid.csv"

# ---------------------------------------------------------------- balances at output times
# One iteration for the pressure: the flow's balance is open after the first steps and closes later.
cat >open.cfg <<'CASE'
mesh = { box = { cells = [16, 8]; to = [2.0, 1.0]; }; };
fluid = { viscosity = 0.01; };
boundary = { left = { type = "inlet"; velocity = [1.0, 0.0]; }; right = { type = "outlet"; };
             bottom = { type = "wall"; }; top = { type = "wall"; }; };
solver = { algorithm = "piso"; pressure = { tolerance = 0.2; max_iterations = 1; }; };
time = { end = 0.2; step = 0.01; scheme = "euler"; };
output = { every = 1; };
CASE
opened='balance of the flow does not close at t = 0.01:'
run open whole
told balance-at-output 2 "$opened" $? "$(cat whole.txt)"
run open stopped --set time.max_steps=10
run open stopped --restart
told balance-restarted 2 "$opened" $? "$(cat stopped.txt)"
check balance-same-bits test "$(digest_of whole.txt)" = "$(digest_of stopped.txt)"
run open whole --set output.every=0
told balance-at-end 0 FINISHED $? "$(cat whole.txt)"
rm -rf whole stopped

# ---------------------------------------------------------------- last rows
run steady whole
n=$(sed -n 's/^CONVERGED in \([0-9]*\) iterations.*/\1/p' whole.txt)
check start-stages grep -Eq '^start +[0-9.]+ s: device [0-9.]+, mesh [0-9.]+, .*files [0-9.]+' whole.txt
check end-stages grep -Eq '^end +[0-9.]+ s: fields [0-9.]+, checkpoint [0-9.]+, disk [0-9.]+, digest [0-9.]+$' whole.txt
check converged test "${n:-0}" -gt 5
for table in $steady_tables; do check "last-row $table" test "$(last_row whole/$table)" = "$n"; done
run steady stopped --set solver.max_iterations=7
for table in $steady_tables; do check "last-row-stopped $table" test "$(last_row stopped/$table)" = 7; done
cp -r stopped again
run steady again --set solver.max_iterations=7 --restart         # nothing to do
for table in $steady_tables; do check "last-row-kept $table" cmp stopped/$table again/$table; done
run steady stopped --restart
for table in $steady_tables; do check "restarted $table" cmp whole/$table stopped/$table; done
# The history of the acceleration is in the checkpoint of a run that can be continued, and not in that of a converged
# run, which may still be continued to a lower tolerance.
run steady lower --set solver.acceleration=5 --set solver.max_iterations=12
check history-kept grep -aq acceleration_velocity lower/checkpoint.h5
run steady lower --set solver.acceleration=5 --restart
check history-dropped test "$(grep -ac acceleration_velocity lower/checkpoint.h5)" = 0
n=$(last_row lower/residuals.csv)
run steady lower --set solver.acceleration=5 --set solver.tolerance=1e-7 --restart
check lower-converges grep -q '^CONVERGED in ' lower.txt
check lower-goes-on test "$(last_row lower/residuals.csv)" -gt "$n"
rm -rf lower
check restarted-head grep -q '^iteration  velocity_x' stopped.txt

run time whole
run time stopped --set time.max_steps=13
for table in $time_tables; do
    check "last-row-time $table" test "$(last_row whole/$table)" = 25
    check "last-row-stopped-time $table" test "$(last_row stopped/$table)" = 13
done
run time stopped --restart
check restarted-time test "$(digest_of stopped.txt)" = "$(digest_of whole.txt)"
check restarted-time-head grep -q '^     step         time' stopped.txt
for table in $time_tables; do check "restarted-time $table" cmp whole/$table stopped/$table; done
# With error-controlled steps: the required data of earlier steps is in the checkpoint.
rm -rf whole stopped
run time whole --set time.tolerance=0.01
n=$(last_row whole/residuals.csv)
check tolerance-steps test "${n:-0}" -gt 14
run time stopped --set time.tolerance=0.01 --set time.max_steps=13
run time stopped --set time.tolerance=0.01 --restart
check restarted-tolerance test "$(digest_of stopped.txt)" = "$(digest_of whole.txt)"
for table in $time_tables; do check "restarted-tolerance $table" cmp whole/$table stopped/$table; done
cat >heat.cfg <<'CASE'
mesh = { box = { cells = [12, 12]; }; };
fluid = { viscosity = 0.01; heat_capacity = 1.0; conductivity = 0.05; };
boundary = { left = { type = "wall"; temperature = "300 + sin(9*t)"; }; right = { type = "wall"; };
             bottom = { type = "wall"; }; top = { type = "wall"; velocity = ["sin(9*t)", 0.0]; }; };
initial = { temperature = 300.0; };
solver = { algorithm = "piso"; };
time = { end = 0.5; step = 0.1; scheme = "crank-nicolson"; tolerance = 0.01; };
CASE
rm -rf whole stopped
run heat whole
run heat stopped --set time.max_steps=17
run heat stopped --restart
check restarted-heat test "$(digest_of stopped.txt)" = "$(digest_of whole.txt)"
check restarted-heat-steps cmp whole/residuals.csv stopped/residuals.csv
run time diverged --set time.step=1 --set time.end=100 --set time.courant=0 --set time.capillary=0 \
    --set second_fluid.surface_tension=100 --set output.report_every=1000
n=$(sed -n 's/^DIVERGED at step \([0-9]*\),.*/\1/p' diverged.txt)
check diverged test "${n:-0}" -gt 0
for table in residuals.csv forces/lid.csv; do
    check "last-row-diverged $table" test "$(last_row diverged/$table)" = "$n"
done
rm -rf whole stopped again diverged

# ---------------------------------------------------------------- changes since the checkpoint
run steady changed --set solver.max_iterations=7
run steady changed --set solver.max_iterations=7.0 --restart
check unchanged-log test -z "$(grep 'changed in the case' changed.txt)"
check unchanged-file test ! -e changed/changes.csv
run steady changed --restart --set solver.max_iterations=12 --set 'probes.two.at=[0.5, 0.25]' --set forces= \
    --set 'output.fields=["velocity"]'
check changed-log grep -qx '             solver.max_iterations           7.0 -> 12' changed.txt
check changed-added grep -qx '             probes.two.at                   not given -> \[0.5, 0.25\]' changed.txt
check changed-removed grep -qx '             forces.lid.boundaries           \["top"\] -> not given' changed.txt
check changed-first grep -q '^restart    after iteration 7$' changed.txt
cat >expected.csv <<'END'
iteration,by,key,before,now
7,restart,solver.max_iterations,7.0,12
7,restart,output.fields,"[""velocity"", ""pressure""]","[""velocity""]"
7,restart,forces.lid.boundaries,"[""top""]",
7,restart,probes.two.at,,"[0.5, 0.25]"
END
check changed-file test -z "$(sort expected.csv | comm -13 <(sort changed/changes.csv) -)"
check changed-defaults grep -qx '7,restart,forces.lid.scale,0.0,' changed/changes.csv
run steady changed --restart --set fluid.viscosity=0.02
check changed-twice test "$(last_row changed/changes.csv)" = 12
check changed-kept grep -q '^7,restart,solver.max_iterations,7.0,12$' changed/changes.csv
run steady changed
check changed-gone test ! -e changed/changes.csv
rm -rf changed

# ---------------------------------------------------------------- the clock
long="--set output.report_every=1 --set mesh.box.cells=[32,32] --set solver.tolerance=1e-300 --set solver.stall_limit=0"
run steady limited $long --set solver.max_iterations=1000000 --time-limit 0:02
check limit-status test $? = 6
n=$(sed -n 's/^STOPPED before the time limit after \([0-9]*\) iterations.*/\1/p' limited.txt)
check limit-says test "${n:-0}" -gt 0
check limit-checkpoint test -s limited/checkpoint.h5
long="$long --set solver.max_iterations=$((${n:-0} + 500))"
run steady whole $long
digest=$(digest_of whole.txt)
run steady limited $long --restart
check limit-digest test "$(digest_of limited.txt)" = "$digest"
check limit-rows cmp whole/residuals.csv limited/residuals.csv
run time limited --time-limit 0:01
check limit-time grep -q '^STOPPED before the time limit at t = 0.01 after 1 steps' limited.txt
for text in 90 '' : 0:00 1:60x -1:00 1:-2 1-2:3 1:2:3:4 11.5:00 999999999:00:00 1--1:1:1; do
    says "limit-refused '$text'" 1 "--time-limit $text: expected [[days-]hours:]minutes:seconds" \
        "$poise" run steady.cfg --time-limit "$text"
done
# The job of docs/explanation/reliability.md, which submits itself again: it continues until the iterations are used
# up, and stops then.
job=$(sed -n '/^    #SBATCH/,/sbatch job.sh$/s/^    //p' "$top/docs/explanation/reliability.md")
poise() { "$poise" "$@" --output case.out --device cpu --threads 1 $long --set solver.max_iterations=$most; }
squeue() { echo 0:02; }
sbatch() { again=1; }
cp steady.cfg case.cfg
most=1000000 jobs=0 again=1
while (( again && jobs < 6 )); do
    again=0 jobs=$((jobs + 1))
    eval "$job" >>job.txt 2>&1
    (( jobs == 2 )) && most=$(( $(tail -n 1 case.out/residuals.csv | cut -d, -f1) + 50 ))
done
check job-goes-on test $jobs = 3
check job-ends grep -q '^NOT CONVERGED: after '$most' iterations' job.txt
rm -rf case.out
unset -f poise
run steady limited --time-limit 1-00:00:00
check limit-day test $? = 0

# Runs that receive requests have no end of their own, so that a late request still arrives in time; they are stopped.
put() { printf '%s\n' "${@:2}" >"$1/control.new"; mv "$1/control.new" "$1/control"; }
until_() { while kill -0 $pid 2>/dev/null && ! "$@"; do sleep 0.005; done; }     # until_ COMMAND... succeeds
endless="$long --set solver.max_iterations=100000000"
stopped_as_whole() {                                             # stopped_as_whole NAME FOLDER
    put "$2" stop
    wait $pid
    run steady whole $long --set solver.max_iterations="$(last_row "$2/residuals.csv")"
    check "$1-digest" test "$(digest_of "$2.txt")" = "$(digest_of whole.txt)" -a -n "$(digest_of whole.txt)"
}
run steady minutes $endless --set output.checkpoint_minutes=0.001 &
pid=$!
until_ test -e minutes/checkpoint.h5
check minutes-checkpoint-while-it-runs kill -0 $pid
stopped_as_whole minutes minutes

for bad in checkpoint_minutes=-1 checkpoint_minutes=soon control_every=-1 control_every=1.5; do
    says "refused $bad" 1 "--set output.$bad: output.${bad%=*} = " \
        "$poise" run steady.cfg --set "output.$bad"
done

# ---------------------------------------------------------------- the file control
rows() { [ -e "$1" ] && wc -l <"$1" || echo 0; }
has_rows() { (( $(rows "$1/residuals.csv") >= $2 )); }
begin() {                                                        # begin CASE FOLDER OPTIONS...
    rm -rf "$2"
    run "$@" &
    pid=$!
    until_ has_rows "$2" 20
}
taken() { until_ test ! -e "$1/control"; }
begin steady asked $endless
: >asked/control                                                 # empty: being written
until_ has_rows asked $(( $(rows asked/residuals.csv) + 20 ))
check control-empty test -e asked/control
put asked 'Stop' 'solver.max_iterations = 3' 'solver.max_iterations = 1e3x' 'solver.tolerance = -1;' 'time.end = 3' \
    'fluid.viscosity=1' 'solver.max_iteration = 5' '# a comment' '' '= 3' 'solver.max_iterations=' \
    "$(printf '\033[2J')"
taken asked
put asked write
taken asked
until_ test -e asked/checkpoint.h5
check control-write-while-it-runs kill -0 $pid
check control-write-fields test "$(ls asked/fields | wc -l)" = 1
mkdir asked/control                                              # neither a folder nor an over-long file ends the run
until_ grep -q 'control cannot be read: Is a directory' asked.txt
rmdir asked/control
head -c 70000 /dev/zero | tr '\0' x >asked/control.new
mv asked/control.new asked/control
until_ grep -q 'control cannot be read: File too large' asked.txt
check control-unread-while-it-runs kill -0 $pid
stopped_as_whole control asked
expected='expected stop, write, or KEY = VALUE with solver.max_iterations, solver.tolerance'
while IFS='|' read -r name text; do check "control-says $name" grep -qF -- "$text" asked.txt; done <<END
case|control, line 1: "Stop": $expected (did you mean "stop"?)
passed|control, line 2: solver.max_iterations = 3: the run has made
number|control, line 3: solver.max_iterations = 1e3x: expected a whole number >= 1
range|control, line 4: solver.tolerance = -1: expected a number in (0, 1)
steady|control, line 5: "time.end": $expected
key|control, line 6: "fluid.viscosity": $expected
near|control, line 7: "solver.max_iteration": $expected (did you mean "solver.max_iterations"?)
no name|control, line 10: "": $expected
no value|control, line 11: solver.max_iterations = : expected a whole number
write|control: writing fields and a checkpoint
folder|control cannot be read: Is a directory
long|control cannot be read: File too large
END
check control-printable test -z "$(tr -d '\n -~' <asked.txt)"
begin steady asked $endless
put asked 'solver.max_iterations = 100000001; # later' stop
wait $pid
told control-stop 6 'STOPPED by the control file after' $? "$(<asked.txt)"
check control-change grep -q 'control: solver.max_iterations = 100000001 (was 100000000)' asked.txt
check control-changes grep -q '^[0-9]*,control,solver.max_iterations,100000000,100000001$' asked/changes.csv
echo stop >asked/control
run steady asked $long --restart                                 # it is not meant for this run
check control-changed-back grep -q 'solver.max_iterations *100000001 -> ' asked.txt
check control-old grep -q '^N' asked.txt                         # nothing to do, or not converged: not stopped
check control-old-says grep -q 'asked/control is older than this run and is removed' asked.txt
begin time asked --set time.end=1e4 --set output.report_every=1
put asked 'time.courant = 0.05' 'time.step = 0.5' 'time.end = 1e-3' 'time.capillary = 0.1' 'time.max_steps=4'
until_ grep -q 'control: time.courant = 0.05' asked.txt
step=$(sed -n 's/^ *\([0-9]*\)   control: time.courant = 0.05$/\1/p' asked.txt)
check control-courant test "${step:-0}" -gt 0
check control-end grep -q 'control, line 3: time.end = 0.001: the run is at t = .* already; stop ends it' asked.txt
check control-steps grep -q 'control, line 5: time.max_steps = 4: the run has made .* already; stop ends it' asked.txt
until_ has_rows asked $(( ${step:-0} + 10 ))
for (( ahead = 1; ahead < 1000; ahead *= 2 )); do                # continues if the run has already passed it
    put asked "time.end = $(tail -n 1 asked/residuals.csv | awk -F, -v ahead=$ahead '{ print $2 + ahead }')"
    taken asked
    grep -q 'control: time.end = ' asked.txt && break
done
wait $pid
check control-time test $? = 0
check control-new-key grep -q '^[0-9]*,control,time.courant,0\(.0\)\?,0.05$' asked/changes.csv
check control-courant-held awk -F, -v step="$step" 'NR > 1 && $1 > step && $4 > 0.0501 { exit 1 }' asked/residuals.csv
begin steady asked $long --set output.control_every=0
put asked stop
wait $pid
check control-never test -e asked/control
exit $failed
