/* Incomplete Cholesky factorisations: host code (incomplete_cholesky.h). */
#include "solve/study/incomplete_cholesky.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"

struct incomplete_cholesky {
    struct matrix a;            /* as of the last factor */
    struct ic_layout f;
    struct ic_plan plan;
    int factor_sweeps, triangular_sweeps;       /* SWEEPS, else 0 */
    bool isai;
    struct ic_triangle inverse[2];              /* isai: V, V^T */
    double *y[3];               /* [n_padded] for the solve; the last two only for SWEEPS, which read one and write the
                                   other */
    double *other_value, *other_inverse;        /* SWEEPS: a second factor: a sweep reads one and writes the other */
    char why[160];
};

static double *array(int64_t n) { return device_alloc((size_t)n * sizeof(double), "incomplete Cholesky"); }

static void prepare_sweeps(struct incomplete_cholesky *f, const struct lower_rows *l, const struct linear_setting *s)
{
    f->factor_sweeps = s->factor_sweeps;
    f->triangular_sweeps = s->triangular_sweeps;
    f->y[1] = array(f->plan.n_padded), f->y[2] = array(f->plan.n_padded);
    f->other_inverse = array(f->plan.n_padded);
    f->other_value = array(f->f.lower.n_stored);
    f->isai = s->triangular == TRIANGULAR_ISAI;
    if (!f->isai) return;
    struct lower_rows power = lower_rows_power(l, s->isai_power), pattern = power;
    pattern.place = NULL;
    ic_triangles_create(&f->inverse[0], &f->inverse[1], &f->plan, &pattern);
    if (s->isai_power > 1) lower_rows_free(&power);
}

struct incomplete_cholesky *incomplete_cholesky_create(const struct matrix *a, int32_t block_rows,
                                                       enum ic_schedule schedule, const struct linear_setting *s,
                                                       struct error *e)
{
    struct incomplete_cholesky *f;
    struct lower_rows l;
    NEW(f, 1);
    lower_rows_create(&l, a, block_rows, s->factor_ordering);
    bool good = ic_layout_create(&f->f, &f->plan, &l, block_rows, schedule, e);
    if (good) f->y[0] = array(f->plan.n_padded);
    if (good && schedule == IC_SWEEPS) prepare_sweeps(f, &l, s);
    lower_rows_free(&l);
    if (!good) free(f);
    return good ? f : NULL;
}

void incomplete_cholesky_free(struct incomplete_cholesky *f)
{
    ic_layout_free(&f->f, &f->plan);
    ic_triangles_free(&f->inverse[0], &f->inverse[1]);
    device_free(f->other_inverse), device_free(f->other_value);
    for (int i = 0; i < 3; i++) device_free(f->y[i]);
    free(f);
}

const struct ic_plan *incomplete_cholesky_plan(const struct incomplete_cholesky *f) { return &f->plan; }

/* ---------------------------------------------------------------- the factor */
/* NULL, or a message about the first bad pivot in the order of elimination: later ones may be bad because of it. */
static const char *check_pivots(struct incomplete_cholesky *f)
{
    const struct ic_plan *p = &f->plan;
    struct ic_check_args args = {f->f, f->a.diag, f->y[0]};
    ic_check(&args, p->n_positions);
    if (reduce_own(REDUCE_ABS_MAX, f->y[0], NULL, p->n_padded) == 0) return NULL;
    double *bad, inverse;
    int32_t i = 0, row;
    NEW(bad, p->n_positions);
    device_download(bad, f->y[0], (size_t)p->n_positions * sizeof *bad);
    while (bad[p->place[i]] == 0) i++;
    device_download(&inverse, f->f.inverse + p->place[i], sizeof inverse);
    device_download(&row, f->f.row + p->place[i], sizeof row);
    snprintf(f->why, sizeof f->why, IC_PIVOT_MESSAGE, (long long)(f->a.p.first + row + 1),
             (long long)f->a.p.n_global, 1 / inverse);
    free(bad);
    return f->why;
}

/* One pass over all rows: computes those of `out` from those of `in`, which may be the same. */
static void factor_rows(const struct incomplete_cholesky *f, const struct ic_layout *out, const struct ic_layout *in)
{
    for (int i = 0; i < f->plan.n_launches; i++) {
        int32_t first = f->plan.launch_block[i];
        struct ic_factor_args args = {*out, f->a.val, f->a.diag, in->lower.value, in->inverse, first};
        ic_factor(&args, f->plan.launch_block[i + 1] - first);
    }
}

/* Fixed-point sweeps between two factors, starting so that the last sweep writes the one that the solve reads. */
static void factor_by_sweeps(const struct incomplete_cholesky *f)
{
    struct ic_layout turn[2] = {f->f, f->f};
    turn[1].lower.value = f->other_value;
    turn[1].inverse = f->other_inverse;
    struct ic_begin_args begin = {turn[f->factor_sweeps % 2], f->a.val, f->a.diag};
    ic_begin(&begin, f->f.lower.n_stored);
    ic_begin_pivots(&begin, f->plan.n_positions);
    for (int s = f->factor_sweeps; s > 0; s--) factor_rows(f, &turn[(s - 1) % 2], &turn[s % 2]);
}

const char *incomplete_cholesky_factor(struct incomplete_cholesky *f, const struct matrix *a)
{
    f->a = *a;
    struct ic_isai_args isai = {f->f, f->inverse[0], f->inverse[1]};
    if (f->other_value) factor_by_sweeps(f);
    else factor_rows(f, &f->f, &f->f);
    if (f->isai) ic_isai(&isai, f->plan.n_positions);
    else ic_mirror(&f->f, f->f.upper.n_stored);
    return check_pivots(f);
}

/* ---------------------------------------------------------------- its triangles */
typedef void solve_kernel(const struct ic_solve_args *, int64_t);

static void launch(const struct incomplete_cholesky *f, int i, struct ic_solve_args args, solve_kernel *kernel)
{
    args.first_block = f->plan.launch_block[i];
    kernel(&args, f->plan.launch_block[i + 1] - args.first_block);
}

static void solve_by_levels(const struct incomplete_cholesky *f, const double *r, double *z)
{
    double *y = f->y[0];
    struct ic_solve_args forward = {f->f, r, y, y, NULL, 0}, backward = {f->f, y, y, y, z, 0};
    for (int i = 0; i < f->plan.n_launches; i++) launch(f, i, forward, ic_forward);
    for (int i = f->plan.n_launches; i-- > 0;) launch(f, i, backward, ic_backward);
}

static void swap(double **x, double **y)
{
    double *was = *x;
    *x = *y;
    *y = was;
}

static void solve_by_sweeps(const struct incomplete_cholesky *f, const double *r, double *z)
{
    double *y = f->y[0], *in = f->y[1], *out = f->y[2];
    int sweeps = f->triangular_sweeps;
    for (int s = 0; s < sweeps; s++, swap(&y, &out))
        launch(f, 0, (struct ic_solve_args){f->f, r, y, out, NULL, 0}, ic_forward);
    for (int s = 1; s <= sweeps; s++, swap(&in, &out))
        launch(f, 0, (struct ic_solve_args){f->f, y, s == 1 ? y : in, out, s == sweeps ? z : NULL, 0}, ic_backward);
}

/* z = D^-1 P^T D P D^-1 r.  Both products are launches of the backward kernel, with V or V^T instead of the upper
 * triangle. */
static void solve_by_inverses(const struct incomplete_cholesky *f, double *z)
{
    struct ic_layout turn[2] = {f->f, f->f};
    for (int i = 0; i < 2; i++) turn[i].upper = f->inverse[i];
    launch(f, 0, (struct ic_solve_args){turn[0], f->y[0], f->y[0], f->y[1], NULL, 0}, ic_backward);
    launch(f, 0, (struct ic_solve_args){turn[1], f->y[1], f->y[1], f->y[2], z, 0}, ic_backward);
}

void incomplete_cholesky_solve(const struct incomplete_cholesky *f, const double *r, double *z)
{
    struct ic_solve_args scale = {f->f, r, NULL, f->y[0], NULL, 0};
    if (!f->other_value) {
        solve_by_levels(f, r, z);
        return;
    }
    ic_scale(&scale, f->plan.n_positions);
    if (f->isai) solve_by_inverses(f, z);
    else solve_by_sweeps(f, r, z);
}
