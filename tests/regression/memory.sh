#!/usr/bin/env bash
# Exhausted memory: every EVERY-th allocation of a run, Poise's own or a library's, fails once.  The run ends with
# status 4 and a message that blames no file; or the failure has no effect, and it ends normally, with the same digest.
# From a checkpoint --restart continues to the same digest.
# EVERY: 0 (the default) for about 120 allocations per case; 1 for all (make soak).  POISE: the program (build/poise).
cd "$(dirname "$0")/../.." || exit 1
poise=$(realpath "${POISE:-build/poise}") every=${EVERY:-0} folder=$(mktemp -d) failed=0
preload=$(dirname "$poise")/tests/fail_allocation.so
trap 'rm -rf "$folder"' EXIT
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-10000}                   # else the program restarts itself and counts again

cd "$folder" || exit 1
walls='left = { type = "wall"; }; right = { type = "wall"; }; bottom = { type = "wall"; };'
cat >fluid.cfg <<'CASE'
fluid = { viscosity = 0.01; };
CASE
cat >steady.cfg <<CASE
@include "fluid.cfg"
mesh = { box = { cells = [8, 8]; }; };
boundary = { $walls top = { type = "wall"; velocity = [1.0, 0.0]; }; };
solver = { max_iterations = 6; };
output = { checkpoint_every = 3; };
probes = { centre = { at = [0.5, 0.5]; }; };
lines = { middle = { from = [0.5, 0.0]; to = [0.5, 1.0]; points = 9; }; };
forces = { lid = { boundaries = ["top"]; }; };
CASE
cat >bubble.cfg <<CASE
mesh = { box = { cells = [8, 8]; }; };
fluid = { density = 1000.0; viscosity = 10.0; gravity = [0.0, -0.98]; };
second_fluid = { density = 100.0; viscosity = 1.0; surface_tension = 24.5; };
boundary = { $walls top = { type = "wall"; }; };
shapes = { bubble = { type = "sphere"; centre = [0.5, 0.5]; radius = 0.25; }; };
solver = { algorithm = "piso"; };
time = { end = 0.02; step = 0.005; };
output = { checkpoint_every = 2; };
bubbles = { every = 1; };
CASE

cat >square.geo <<'GEO'
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 1, 0}; Point(4) = {0, 1, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1:4}; Plane Surface(1) = {1}; MeshSize{:} = 0.2;
Physical Surface("fluid") = {1};
Physical Curve("bottom") = {1}; Physical Curve("right") = {2};
Physical Curve("top") = {3}; Physical Curve("left") = {4};
GEO
sed 's/^mesh = .*/mesh = { file = "square.h5"; };/' steady.cfg >restart.cfg

digest_of() { sed -n 's/^digest //p' "$1" | tail -n 1; }
compute() { "$poise" run $case.cfg --output $case.out --threads 2 --device cpu --digest "$@"; }

fail() { echo "# $case, allocation $1: $2: $(tail -n 2 said.txt | cut -c 1-300 | tr '\n' ' ')"; bad=$((bad + 1)); }

# The output directory as it is before the run: missing, or the one to restart in.
prepare() { rm -rf $case.out; if [ -e $case.start ]; then cp -r $case.start $case.out; fi; }

# The run with allocation $1 failing.
try() {
    local status
    prepare
    LD_PRELOAD=$preload FAIL_AT=$1 compute $again >told.txt 2>said.txt
    status=$?
    if (( status == usual )); then
        [ "$(digest_of told.txt)" = "$whole" ] || fail $1 "status $status with another digest"
        unharmed=$((unharmed + 1))
        return
    fi
    if (( status != 4 )); then fail $1 "status $status"
    elif ! [ -s said.txt ]; then fail $1 "no message"
    elif grep -qiE 'damaged|remove it|not a valid mesh|internal error|syntax' said.txt; then
        fail $1 "it blames something else"
    else told=$((told + 1)); fi
    [ -e $case.out/checkpoint.h5 ] || return
    compute --restart >told.txt 2>said.txt
    [ "$(digest_of told.txt)" = "$whole" ] || fail $1 "the restart after it has another digest"
}

# sweep CASE [--restart]: every allocation of that run, also in the process that reads HDF5 files.
sweep() {
    case=$1 again=$2 bad=0 told=0 unharmed=0
    prepare
    compute $again >told.txt 2>said.txt
    usual=$? whole=$(digest_of told.txt)
    prepare
    LD_PRELOAD=$preload FAIL_COUNT=$folder/count compute $again >told.txt 2>said.txt
    all=$(cat count) step=$every
    (( step )) || step=$((all / 120 + 1))
    for (( at = 1; at <= all; at += step )); do try $at; done
    if (( bad || told < 10 )) || [ -z "$whole" ]; then
        echo "not ok memory-$case: of $all allocations $told ended the run with status 4 and a message," \
            "$unharmed did no harm, $bad were told wrongly"
        failed=1
    else
        echo "ok memory-$case ($all allocations, every ${step}th: $told ended the run with status 4 and a message," \
            "$unharmed did no harm)"
    fi
}
if [ -e "$preload" ]; then
    sweep steady
    sweep bubble
    "$poise" mesh convert square.geo square.h5 >convert.txt 2>&1 || cat convert.txt
    case=restart && compute --set solver.max_iterations=3 >told.txt 2>said.txt
    mv restart.out restart.start
    sweep restart --restart
else echo "ok memory # SKIP built with sanitizers, which have allocations of their own"; fi

says() {                                                         # says NAME STATUS TEXT COMMAND...
    local name=$1 status=$2 text=$3 said found
    shift 3
    said=$("$@" 2>&1) found=$?
    if (( found == status )) && grep -qF -- "$text" <<<"$said"; then echo "ok $name"
    else
        echo "not ok $name: status $found, expected $status with \"$text\": $(tail -n 3 <<<"$said" | tr '\n' ' ')"
        failed=1
    fi
}
says memory-threads 1 '--threads 100000: expected at most 4096 threads' "$poise" run steady.cfg --threads 100000
says memory-threads-solve 1 '--threads 100000: expected at most 4096 threads' \
        "$poise" solve --generate laplace2d:8 --threads 100000
says memory-threads-environment 1 'OMP_NUM_THREADS=100000: expected at most 4096 threads' \
        env OMP_NUM_THREADS=100000 "$poise" run steady.cfg
# A memory limit too small for a mesh of this size.
limited() { (ulimit -v 300000; exec "$poise" "$@"); }
if [ -e "$preload" ]; then
    says memory-limit 4 'out of memory' \
            limited run steady.cfg --threads 1 --set mesh.box.cells=[1000,1000] --output limited.out
    says memory-limit-threads 4 'CPU threads could be started' limited run steady.cfg --threads 200 --output limited.out
fi
exit $failed
