#!/usr/bin/env bash
# Forces in a driven periodic flow contain the share of the driving gradient: on all walls together they are the
# gradient times the volume between the periodic boundaries, bodies included; those of an acceleration are the weight
# of the fluid.  A body that a periodic boundary cuts has the force of a whole one.
# POISE: the program (build/poise).
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
cat >body.geo <<'EOT'
// A period of a channel, 2 long and 1 high, around a cylinder at X.
DefineConstant[ X = 0.9, quads = 0 ];
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 2, 1}; Disk(2) = {X, 0.45, 0, 0.2}; Disk(3) = {X + 2, 0.45, 0, 0.2};
BooleanDifference(4) = { Surface{1}; Delete; }{ Surface{2, 3}; Delete; };
Mesh.MeshSizeMax = 0.1; Mesh.MeshSizeMin = 0.1; e = 1e-6;
If (quads) Recombine Surface{4}; EndIf
l() = Curve In BoundingBox {-e, -e, -e, e, 1 + e, e}; r() = Curve In BoundingBox {2 - e, -e, -e, 2 + e, 1 + e, e};
w() = Curve In BoundingBox {-e, -e, -e, 2 + e, e, e}; w() += Curve In BoundingBox {-e, 1 - e, -e, 2 + e, 1 + e, e};
c() = Curve{:}; c() -= {l(), r(), w()};
Periodic Curve {r()} = {l()} Translate {2, 0, 0};
Physical Surface("fluid") = {4}; Physical Curve("left") = l(); Physical Curve("right") = r();
Physical Curve("body") = c(); Physical Curve("walls") = w();
EOT
cat >ball.geo <<'EOT'
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 2, 1, 1}; Sphere(2) = {0.9, 0.45, 0.5, 0.25};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Mesh.MeshSizeMax = 0.16; e = 1e-3;
l() = Surface In BoundingBox {-e, -e, -e, e, 1 + e, 1 + e};
r() = Surface In BoundingBox {2 - e, -e, -e, 2 + e, 1 + e, 1 + e};
c() = Surface In BoundingBox {0.5, 0.1, 0.1, 1.3, 0.9, 0.9}; w() = Surface{:}; w() -= {l(), r(), c()};
Periodic Surface {r()} = {l()} Translate {2, 0, 0};
Physical Volume("fluid") = {3}; Physical Surface("left") = l(); Physical Surface("right") = r();
Physical Surface("body") = c(); Physical Surface("walls") = w();
EOT
cat >body.cfg <<'CASE'
mesh = { file = "body.geo"; };
fluid = { density = 1.0; viscosity = 0.1; };
boundary = { left = { type = "periodic"; with = "right"; }; right = { type = "periodic"; };
             walls = { type = "wall"; }; body = { type = "wall"; }; };
driven = { direction = [1.0, 0.0]; flow_rate = 1.0; };
forces = { body = { boundaries = ["body"]; about = [0.9, 0.45]; }; all = { boundaries = ["body", "walls"]; };
           origin = { boundaries = ["body"]; }; };
solver = { algorithm = "coupled"; };
CASE

# last FILE COLUMN: of the last row.
last() {
    awk -F, -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i } END { print $at }' "$1"
}
# near FOUND EXPECTED PART: nothing, or what is wrong.
near() {
    awk -v a="$1" -v b="$2" -v part="$3" 'BEGIN { if (!((a / b - 1) ^ 2 < part ^ 2)) print a ", expected " b }'
}
# balanced NAME PART EXPECTED OPTIONS...: the force on all walls along x, within this part; expected: with G the
# gradient.
balanced() {
    local name=$1 part=$2 expected=$3 said
    shift 3
    if ! said=$("$poise" run body.cfg --output "$name" "$@" 2>&1); then
        result "$name" "$(tail -n 3 <<<"$said")"
        return
    fi
    [[ $expected == *G* ]] &&
        expected=$(awk -v G="$(last "$name/driven.csv" pressure_gradient)" "BEGIN { print $expected }")
    result "$name" "$(near "$(last "$name/forces/all.csv" force_x)" "$expected" "$part")"
}
balanced triangles 0.025 '2*G'
balanced squares 0.025 '2*G' --set mesh.parameters.quads=1
balanced cut 0.025 '2*G' --set mesh.parameters.X=0
result cut_body "$(near "$(last cut/forces/body.csv force_x)" "$(last triangles/forces/body.csv force_x)" 0.02)"
balanced tetrahedra 0.015 '2*G' --set mesh.file=ball.geo --set 'driven.direction=[1.0,0.0,0.0]' \
    --set 'forces.body.about='
balanced in_time 0.025 '2*G' --set solver.algorithm=piso --set 'time={ end = 1.0; step = 0.02; scheme = "bdf2"; }'
result same_in_time "$(near "$(last in_time/forces/body.csv force_x)" "$(last triangles/forces/body.csv force_x)" 1e-3)"
# the fluid's volume is 1.879
balanced accelerated 0.025 11.275 --set driven= --set 'fluid.acceleration=[6.0,0.0]'
balanced falling 0.025 '2*G + 11.275' --set driven.flow_rate= --set driven.pressure_gradient=-12.0 \
    --set 'fluid.gravity=[6.0,-10.0]'
result buoyancy "$(near "$(last falling/forces/all.csv force_y)" -18.79 0.002)"
moved=$(awk -v m="$(last triangles/forces/body.csv moment_z)" -v x="$(last triangles/forces/body.csv force_x)" \
            -v y="$(last triangles/forces/body.csv force_y)" 'BEGIN { print m + 0.9 * y - 0.45 * x }')
result moment "$(near "$(last triangles/forces/origin.csv moment_z)" "$moved" 1e-4)"
# the share acts on the body's area, at its centre: the moment about that is of the same size as without it
result moment_at_centre "$(awk -v m="$(last triangles/forces/body.csv moment_z)" 'BEGIN { if (m ^ 2 > 0.01) print m }')"
exit $failed
