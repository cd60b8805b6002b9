#!/usr/bin/env bash
# Several ranks (docs/explanation/scaling.md), on the CPU, more of them than cores: the same iterations and bits as one;
# errors, reported once; behaviour when a rank dies.
source "$(dirname "$0")/../ranks.sh"

# For every method: iterations, residual and messages, and the solution's digest.
results() { awk '/^digest/ { print $2 } /^[a-z]/ && $6 ~ /e[-+]/ { print $1, $5, $7, $10, $11, $12, $13 }'; }

# same NAME COUNTS ARGUMENTS...: poise solve gives the same results on these numbers of ranks as on one.
same() {
    local name=$1 counts n one several
    counts=$(counts_of "$2")
    shift 2
    set -- solve --device cpu --threads 1 --digest "$@"
    one=$("$poise" "$@" 2>&1 | results)
    for n in $counts; do
        several=$(ranks "$n" "$@" | results)
        if [[ $one && $one == "$several" ]]; then echo "ok $name, $n ranks"
        else echo "not ok $name, $n ranks: $(diff <(echo "$one") <(echo "$several") | tr '\n' ' ')"; failed=1; fi
    done
}

same cg '1 2 3 4' --generate bubbles3d:24 --guess random \
    --preconditioner none,jacobi,ruiz,block-jacobi,jr:sweeps=3,sgs2,sgs2:form=compact:precision=single
same cg_more '2 3' --generate poisson3d:20 --rhs random \
    --preconditioner chebyshev,incomplete-poisson,neumann2,sgs2:domain=slice,jacobi:smoothing_before=3:smoothing_every=5
same block_ic '2 3' --generate bubbles3d:20 --preconditioner block-ic:block_rows=512,block-ic:block_rows=64 \
    --ordering none
same stationary '3' --generate poisson2d:70 --solver stationary --max-iterations 40 --preconditioner jacobi,two-stage-gs
same long_sums '2 3' --generate poisson3d:70 --preconditioner jacobi --max-iterations 3
same bicgstab '2 4' --generate convection3d:20 --solver bicgstab --preconditioner jacobi,gs2,block-jacobi
same gmres '2 3' --generate convection3d:20 --solver gmres --restart 7 --preconditioner none,jacobi:side=left,gs2
same fgmres '3' --generate convection3d:20 --solver fgmres --preconditioner block-jacobi:inner=cg
same blocks '2 3' --generate cavity-vorticity:40 --solver fgmres --max-iterations 60 --preconditioner none,jacobi
same blocks_bicgstab '3' --generate cavity-vorticity:40 --solver bicgstab --max-iterations 40 \
    --preconditioner none,jacobi
same multigrid '2 3 4' --generate bubbles3d:24 --guess random \
    --preconditioner multigrid,multigrid:smoother=chebyshev,multigrid:smoother=two-stage-gs:cycle=w
same multigrid_singular '3' --generate poisson3d:20 --dirichlet none --rhs random
# Shared levels: rows stay with the ranks that create them; some are moved.
same multigrid_levels '2' --generate poisson3d:32
same multigrid_jumps '2 3 4' --generate bubbles3d:40,8,1000 --rhs random
same multigrid_regrouped '2 3' --generate bubbles3d:37 --rhs random --tolerance 1e-4
same multigrid_smoothers '2' --generate bubbles3d:37 --max-iterations 4 \
    --preconditioner multigrid:smoother=chebyshev,multigrid:smoother=two-stage-gs
same multigrid_blocks '2 3' --generate cavity-coupled:60,1000 --solver fgmres --tolerance 1e-2 \
    --preconditioner multigrid,multigrid:smoother=ilu,multigrid:smoother=ilu:factor_ordering=multicolour:cycle=w
same multigrid_blocks_regrouped '2' --generate cavity-coupled:120,100 --solver fgmres --max-iterations 4
same deflation '2 3' --generate poisson3d:20 --preconditioner jacobi:deflation=stripes:deflation_vectors=30 \
    --tolerance 1e-4
same deflation_forms '3' --generate bubbles2d:64,9,1000 --tolerance 1e-3 --preconditioner \
jacobi:deflation=level-set:deflation_vectors=20,neumann2:deflation=level-set:deflation_vectors=5,\
multigrid:deflation=level-set-blocks:deflation_vectors=40:deflation_solver=cholesky
same deflation_singular '2 4' --generate bubbles3d:24,3,100 --dirichlet none --rhs random --tolerance 1e-3 \
    --preconditioner block-jacobi:deflation=level-set-blocks:deflation_vectors=64,multigrid:deflation=blocks
same deflation_found '2 3' --generate bubbles2d:64,9,100000 --tolerance 1e-3
same singular '2 4' --generate poisson3d:16 --dirichlet none --rhs random --preconditioner jacobi,two-stage-gs
same a_slice_each '5' --generate poisson2d:50 --preconditioner jacobi,two-stage-gs
same own_order '2' --generate poisson2d:60 --ordering none --preconditioner jacobi,neumann1
same metis '3' --generate poisson2d:60 --ordering metis --preconditioner jacobi

# ---- files are read and written by one rank
"$poise" solve --device cpu --generate poisson2d:40 --rhs random --write matrix.h5 --preconditioner jacobi \
    --solution one.h5 >said
ranks 3 solve --device cpu --threads 1 matrix.h5 --preconditioner jacobi --solution three.h5 --history three.csv >said
check solution cmp one.h5 three.h5
"$poise" solve --device cpu --generate bubbles2d:50,4,100 --write phases.mtx --max-iterations 1 >said
same deflation_jumps '3' phases.mtx --ordering none --preconditioner jacobi:deflation=level-set
check history test "$(wc -l <three.csv)" -gt 20

# ---- errors, each reported once, with the status of one rank
small=(solve --generate poisson2d:50 --preconditioner)
once too_many      4 1 'fewer than the 4 ranks; expected at most 2 ranks' solve --generate poisson2d:30
once no_ic0        2 1 'preconditioner "ic0" does not suit several ranks; expected one' "${small[@]}" ic0
once no_block_ic   2 1 'expected block_rows that divides 512' "${small[@]}" block-ic:block_rows=500
once no_deflation  2 1 'deflation "metis" works on one rank only' "${small[@]}" jacobi:deflation=metis
once unknown       3 1 'unknown option --foo' solve --generate poisson2d:50 --foo
once no_file       3 1 'missing.mtx: No such file' solve missing.mtx
{
    echo '%%MatrixMarket matrix coordinate real general'
    echo '1600 1600 3199'
    for ((i = 1; i <= 1600; i++)); do
        echo "$i $i $((i == 1261 ? 0 : 2))"
        ((i == 1)) || echo "$i $((i - 1)) 1"
    done
} >zero.mtx
once zero_diagonal 3 1 'row 1261 of 1600' solve zero.mtx --ordering none --solver gmres --preconditioner jacobi
once cannot_write  2 4 'could not be written' "${small[@]}" jacobi --solution nowhere/x.h5
once bench         2 1 'poise bench cg: started as 2 ranks, but it runs on one' bench cg
once scaling       2 0 'strong: poisson3d:16,16,16, 4096 rows; at most 2048 a rank' bench scaling --device cpu \
    --threads 1 --mesh box:16,16,16 --repeat 1
once scaling_two_fluids 2 0 'weak: a time step of two fluids, bubbles in a box of 2048 cells' bench scaling \
    --device cpu --threads 1 --mesh box:32,32 --repeat 1
once scaling_only_hec 3 0 "HEC's product differs from mod.SELL's by at most 0.0e+00" bench scaling --device cpu \
    --threads 1 --mesh box:40,50 --repeat 1 --only solve,strong
once scaling_only_weak 2 0 'weak: a SIMPLEC iteration, cavity of 2048 cells' bench scaling --device cpu --threads 1 \
    --mesh box:32,32 --repeat 1 --only simplec,weak
once scaling_no_weak 2 1 '--only weak: of the same size a rank there are only boxes' bench scaling --device cpu \
    --generate bubbles2d:50 --only weak
once few_scaling   4 1 'fewer than the 4 ranks; expected at most 2 ranks' bench scaling --device cpu --mesh box:10,10,10
once check         2 1 'poise check: started as 2 ranks, but it runs on one' check case.cfg
once help          2 0 'Exit status: 0 converged' help run
once version       3 0 'poise ' version
mkdir -p alone && cp "$poise" alone/poise
poise=$folder/alone/poise once no_library 2 4 '2 ranks, but MPI is not available' solve --generate poisson2d:50

# ---- nested Schwarz depends on the ranks.  With overlap it takes fewer iterations than without; if the overlap covers
# all rows and the factors are exact, one; for blocks, then, about as many as one rank.
iterations() { awk '/^nested/ && $6 ~ /e[-+]/ { print $5 }'; }
nested=(solve --device cpu --threads 1 --solver gmres --restart 20 --ordering none --generate)
with() { ranks "$1" "${nested[@]}" $2 --preconditioner "nested-schwarz:$3" | iterations; }
check nested_overlap test "$(with 3 convection3d:20 inner=4:overlap=2:side=left)" -lt \
    "$(with 3 convection3d:20 inner=4:overlap=0:side=left)"
check nested_whole test "$(with 2 poisson3d:9 overlap=10:level=20)" = 1
check nested_blocks test "$(with 2 'convection3d:18,9,9 --block 2' overlap=10:level=1)" -le \
    $(($(with 1 'convection3d:18,9,9 --block 2' level=1) + 1))
# ---- sweeps inside a rank: as many iterations as over all rows with one rank, more with two
sweeps() {
    ranks "$1" solve --device cpu --threads 1 --generate poisson3d:20 --rhs random --solver gmres \
        --preconditioner "$2" | awk '$1 ~ /^(jr|sgs2):/ && $6 ~ /e[-+]/ { print $5, $7 }'
}
check rank_alone test "$(sweeps 1 jr:domain=rank:local_sweeps=4)" = "$(sweeps 1 jr:sweeps=4)"
all=$(sweeps 2 jr:sweeps=4) inside=$(sweeps 2 jr:domain=rank:local_sweeps=4)
check rank_inside test "${inside% *}" -gt "${all% *}"
inside=$(sweeps 2 sgs2:domain=rank:precision=single:local_sweeps=2)
check rank_inside_single test "${inside% *}" -lt 100
once nested_pivot 3 1 'in the overlapped block of rank 2, row' solve zero.mtx --ordering none --solver gmres \
    --preconditioner nested-schwarz
exit $failed
