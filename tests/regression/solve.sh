#!/usr/bin/env bash
# poise solve: every generator, every kind of file, output and exit status.
poise=$(realpath "${POISE:-build/poise}")
python=${PYTHON:-/usr/bin/python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

# check NAME STATUS TEXT ARGUMENTS...: poise solve ARGUMENTS ends with the status and prints TEXT (on stdout or stderr)
check() {
    local name=$1 status=$2 text=$3 said found
    shift 3
    said=$("$poise" solve --device cpu "$@" 2>&1)
    found=$?
    if ((found != status)); then echo "not ok $name: status $found, expected $status: $said" | tr '\n' ' '; echo
    elif [[ $said != *"$text"* ]]; then echo "not ok $name: expected \"$text\", found: $said" | tr '\n' ' '; echo
    else echo "ok $name"; fi
}

# ---- generators
check poisson2d     0 '300 rows, 1430 entries'      --generate poisson2d:20,15 --preconditioner jacobi,multigrid
check poisson3d     0 '512 rows, 3200 entries'      --generate poisson3d:8 --preconditioner none,block-jacobi
check layers        0 'as in the file'              --generate layers:16 --preconditioner jacobi --condition
check bubbles2d     0 'hilbert'                     --generate bubbles2d:48,3 --preconditioner jacobi
check bubbles3d     0 '1728 rows'                   --generate bubbles3d:12 --preconditioner jacobi
check stretched     0 '1000 rows'                   --generate stretched:10 --preconditioner jacobi
check stretched2d   0 '100 rows'                    --generate stretched2d:10,5 --preconditioner jacobi
check laplace2d     0 '400 rows, 1920 entries'      --generate laplace2d:20 --preconditioner jacobi --repeat 3
check laplacian     0 '25 rows'                     --generate laplacian:distorted:5,5 --preconditioner jacobi
check singular      0 'its mean, 1, is subtracted'  --generate poisson2d:8 --dirichlet none --preconditioner jacobi
check no_condition  0 'condition number unknown: too few iterations' \
        --generate poisson2d:8 --dirichlet none --preconditioner jacobi --condition
check orderings     0 'metis'                       --generate poisson2d:40 --ordering metis --preconditioner jacobi
check deflated      0 '20 deflation vectors' \
        --generate layers:20 --preconditioner deflated-neumann2:deflation_vectors=20
check stationary    0 'jacobi'                      --generate poisson2d:4 --solver stationary --preconditioner jacobi
check bicgstab      0 'multigrid'  --generate poisson2d:9 --rhs random --solver bicgstab --preconditioner multigrid
check gmres         0 ' restart' \
        --generate poisson2d:9 --rhs random --solver gmres --restart 12 --preconditioner jacobi --history gmres.csv
check gmres_left    0 'jacobi'  --generate poisson2d:9 --rhs random --solver gmres --preconditioner jacobi:side=left
check fgmres        0 'multigrid'  --generate poisson2d:9 --rhs random --solver fgmres --preconditioner multigrid
check gmres_fixed   1 'because the operator depends on r (use fgmres)' \
        --generate poisson2d:9 --solver gmres --preconditioner multigrid
check cg_restart    1 'restart does not apply to method "cg"; remove it' \
        --generate poisson2d:9 --preconditioner jacobi:restart=20
check no_deflation  1 \
    'method "bicgstab" does not support deflation; expected deflation = "none", or method cg, stationary' \
    --generate poisson2d:9 --solver bicgstab --preconditioner deflated-jacobi
check bicg_history  0 'jacobi'  --generate poisson2d:9 --solver bicgstab --preconditioner jacobi --history bicgstab.csv
check random_guess  0 'jacobi'  --generate poisson2d:9 --guess random --rhs random --preconditioner jacobi

# ---- files
"$poise" solve --generate poisson2d:9 --write p.mtx --preconditioner jacobi >/dev/null
"$poise" solve --generate bubbles2d:12 --write p.h5 --preconditioner jacobi >/dev/null
gzip -k p.mtx
mkdir folder.csv
check mtx           0 '81 rows, 369 entries'  p.mtx --rhs 1 --preconditioner jacobi --solution x.mtx --tolerance 1e-12
check mtx_gz        0 '81 rows, 369 entries' \
        p.mtx.gz --rhs ones --preconditioner jacobi --ordering cuthill-mckee --solution y.mtx --tolerance 1e-12
check hdf5          0 '144 rows'                    p.h5 --preconditioner jacobi --solution x.h5 --history h.csv
check rhs_mtx       0 'jacobi'                      p.mtx --rhs x.mtx --preconditioner jacobi
check rhs_h5        0 'jacobi'                      p.h5 --rhs x.h5 --preconditioner none,jacobi --history two.csv
paste x.mtx y.mtx | awk 'NR > 2 && ($1 - $2) ^ 2 > 1e-16 * $1 ^ 2 { bad = 1 } END { exit bad || NR != 83 }' &&
    echo "ok solution_in_order" || echo "not ok solution_in_order: --ordering changed the order of the solution"
[[ $(head -1 two.csv) == iteration,none,jacobi && $(sed -n 2p two.csv) == 0,1.000000e+00,1.000000e+00 ]] &&
    echo "ok history" || echo "not ok history: $(head -2 two.csv)"
wrong="not ok hdf5_by_python: the solution is not that of the file's system"
"$python" - <<'END' && echo "ok hdf5_by_python" || echo "$wrong"
import h5py, numpy
f, x = h5py.File("p.h5"), h5py.File("x.h5")["value"][:]
start, column, value = f["row_start"][:], f["column"][:], f["value"][:]
row = numpy.repeat(numpy.arange(len(start) - 1), numpy.diff(start))
r = f["rhs"][:] - numpy.bincount(row, value * x[column])
assert numpy.linalg.norm(r) < 1e-7 * numpy.linalg.norm(f["rhs"][:])
assert f["centre"].shape == (144, 2) and set(f["phase"][:]) == {0, 1}
END

# ---- exit status
check not_converged 2 'not converged'               --generate poisson2d:30 --max-iterations 3 --preconditioner jacobi
printf '%%%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 1\n' >indefinite.mtx
check breakdown     3 'is not positive definite'    indefinite.mtx --rhs random --preconditioner jacobi
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 -1\n2 2 2\n' >general.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 -1\n2 1 2\n' >zero.mtx
check asymmetric    1 'not symmetric: row 1, column 2 holds -1, row 2, column 1 nothing' general.mtx
check asymmetric_cg 1 'method "cg" needs a symmetric matrix; expected bicgstab, gmres, fgmres' general.mtx --solver cg
check asymmetric_cg_ic 1 \
        'method "cg" needs a symmetric matrix; expected bicgstab, gmres, fgmres, and as preconditioner' \
        general.mtx --solver cg --preconditioner ic0
check asymmetric_ic 1 \
        'preconditioner "ic0" does not suit nonsymmetric matrices; expected one of none, jacobi' \
        general.mtx --solver gmres --preconditioner ic0
check general       0 'jacobi'  general.mtx --solver gmres --preconditioner jacobi --solution g.mtx --rhs ones
check general_zero  1 'has 0 on the diagonal'       zero.mtx --solver gmres --preconditioner jacobi
check zero          0 'none'                        zero.mtx --solver gmres --preconditioner none
check general_block 0 '1 rows of blocks of 2 x 2, 1 entries' \
        general.mtx --block 2 --solver gmres --preconditioner jacobi --write g.h5
check block_h5      0 '1 rows of blocks of 2 x 2' \
        g.h5 --solver bicgstab --preconditioner jacobi --solution g2.mtx --rhs ones
cmp -s <(sed 's/\(.\{14\}\).*/\1/' g.mtx) <(sed 's/\(.\{14\}\).*/\1/' g2.mtx) && echo "ok block_solution" ||
    echo "not ok block_solution: $(cat g.mtx g2.mtx | tr '\n' ' ')"
check block_cg      1 'method "cg" needs a symmetric matrix' g.h5
check block_odd     1 '81 rows are not a multiple of the block size 2' p.mtx --block 2
check block_most    1 '--block 6: expected a whole number from 1 to 5' p.mtx --block 6
printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -3\n' >skew.mtx
printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 3 8' '1 1 1' '1 2 1' '2 1 1' '2 2 1' '2 3 1' '3 1 .5' \
    '3 2 1' '3 3 1' >pivot.mtx
check pivot         1 'rejected: row 2 of 3 (from 1, as the solver orders them): the pivot of incomplete LU is zero' \
        pivot.mtx --solver gmres --ordering none --preconditioner ilu:factor_ordering=matrix
check pivot_isai    1 'rejected: row 2 of 3' \
        pivot.mtx --solver gmres --ordering none --preconditioner block-isai:factor_ordering=matrix
check pivot_none    0 'none'                        pivot.mtx --solver gmres --preconditioner none
check skew          0 '2 rows, 4 entries (2.00 a row), not symmetric: row 1, column 2 holds 3, row 2, column 1 -3' \
        skew.mtx --solver gmres --preconditioner none
check skew_jacobi   1 'row 1 of 2 (from 1, as the solver orders them) has 0 on the diagonal' \
        skew.mtx --solver gmres --preconditioner jacobi
check applications  0 ' 7 x M s '                   general.mtx --solver gmres --preconditioner jacobi --applications 7
check random_other  0 'jacobi'                      --generate poisson2d:9 --rhs random:3 --preconditioner jacobi
check random_wrong  1 '--rhs random:K x: expected a whole number >= 0' \
        --generate poisson2d:9 --rhs random:x --preconditioner jacobi
check stratified    0 '64 rows of blocks of 4 x 4, 352 entries' \
        --generate stratified3d:16,4,4 --block 4 --solver gmres --preconditioner ilu,block-isai
check convection    0 '1000 rows, 6400 entries' \
        --generate convection3d:10 --solver bicgstab --preconditioner jr:sweeps=2,multicolour-gs,sgs2
check cavity        0 '400 rows of blocks of 3 x 3, 1920 entries' \
        --generate cavity-vorticity:20 --solver gmres --preconditioner jacobi --tolerance 1e-4
check coupled       0 'singular: the last unknown' --generate cavity-coupled:20 --solver fgmres --write c.h5
check coupled_h5    0 'singular: the last unknown' c.h5 --solver fgmres --preconditioner multigrid:pairings=2
check coupled_gmres 1 'preconditioner "multigrid" does not suit gmres' c.h5 --solver gmres
check no_file       1 'none.mtx: No such file'      none.mtx
check other_file    1 'ends in .mtx, .mtx.gz or .h5' matrix.txt
printf '%%%%MatrixMarket matrix array real general\n2 1\n1\n1\n' >short.mtx
check rhs_length    1 'short.mtx:2: found "2 1"; the matrix has 81 rows: expected a vector of 81 rows' \
        p.mtx --rhs short.mtx
check nothing       1 'expected either a file'
check both          1 'expected either a file'      p.mtx --generate poisson2d:4
check words         1 'one argument too many'           p.mtx p.mtx
check option        1 'unknown option --presision (did you mean --precision?)' p.mtx --presision single
check tolerance     1 '--tolerance 2: expected a number in (0, 1)' p.mtx --tolerance 2
check no_precision  1 'none of the methods has a precision' p.mtx --precision single --preconditioner jacobi
check dirichlet     1 '--dirichlet requires --generate' p.mtx --dirichlet left
check hilbert       1 'has no cell centres'         p.mtx --ordering hilbert
check solutions     1 'expected one method, found 2' p.mtx --solution z.mtx --preconditioner none,jacobi
check write         1 'expected a name that ends in .mtx or .h5' p.mtx --write p.txt
check method        1 '(did you mean "multigrid"?)' p.mtx --preconditioner multigird
check generator     1 '(did you mean poisson2d?)'   --generate posson2d:4
check full          4 'could not be written'        p.mtx --preconditioner jacobi --solution /dev/full/x.mtx
check no_folder     4 'nowhere/x.mtx: could not be written: No such file' \
        p.mtx --preconditioner jacobi --solution nowhere/x.mtx
check a_folder      4 'could not be written: Is a directory' p.mtx --preconditioner jacobi --history folder.csv
check own_matrix    1 '--write ./p.mtx: this file is read' p.mtx --preconditioner jacobi --write ./p.mtx
check twice         1 '--write x.mtx: this file is written by --solution too' \
        p.mtx --preconditioner jacobi --solution ./x.mtx --write x.mtx
check own_rhs       1 '--solution x.mtx: this file is read' p.mtx --preconditioner jacobi --rhs x.mtx --solution x.mtx
check history_name  1 'expected a name that ends in .csv' p.mtx --preconditioner jacobi --history h.txt
check unknown_key   1 \
        'unknown key "deegree" (did you mean "degree"?); expected here: preconditioner, method, restart, side' \
        p.mtx --preconditioner chebyshev:deegree=2
check key_value     1 'sweeps = 0: expected a whole number in [1, 100]' p.mtx --preconditioner sgs2:sweeps=0
check other_key     1 'sweeps does not apply to preconditioner "jacobi"; remove it' \
        p.mtx --preconditioner jacobi:sweeps=2
check repeat        1 '--repeat 0: expected a whole number >= 1' p.mtx --repeat 0
check condition     1 \
        '--condition requires conjugate gradients; remove it, or from jacobi: the method stationary' \
        p.mtx --condition --solver stationary --preconditioner jacobi
check condition_cg  1 'or from jacobi:smoothing_every=5: smoothing_before and smoothing_every' \
        p.mtx --condition --preconditioner jacobi:smoothing_every=5
check rounding      2 'rounding keeps the true residual above' \
        p.mtx --rhs random --preconditioner jacobi --tolerance 1e-30
head -c 300 p.mtx.gz >cut.mtx.gz
head -c 3000 p.h5 >cut.h5
: >empty.mtx
: >empty.h5
check cut_gz        1 'cut.mtx.gz: ' cut.mtx.gz
check cut_h5        1 'cut.h5: it is damaged: its contents do not match its checksum' cut.h5
check empty_mtx     1 'empty.mtx:1: the file ends here' empty.mtx
check empty_h5      1 'empty.h5: it is not an HDF5 file' empty.h5
check help          0 '--generate G'                --help
