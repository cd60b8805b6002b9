/* Lists of sweeps over a matrix, and the engine that runs them (sweep.h). */
#include "solve/sweep.h"
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/stale.h"
#include "solve/multigrid_kernels.h"
#include "solve/sweep_kernels.h"

/* ---------------------------------------------------------------- lists */
struct sweep_step sweep_begin(enum sweep_part part, struct scaled_vector x, double product)
{
    return (struct sweep_step){.part = part, .x = x.buffer, .y = SWEEP_ABSENT, .y2 = SWEEP_ABSENT,
                               .weight.product = product * x.scale};
}

void sweep_term(struct sweep_step *s, struct scaled_vector v, double factor)
{
    factor *= v.scale;
    if (v.buffer == s->x) s->weight.own += factor;
    else if (v.buffer == SWEEP_SCALED) s->right = true, s->weight.right += factor;
    else if (s->y == SWEEP_ABSENT || v.buffer == s->y) s->y = v.buffer, s->weight.y += factor;
    else s->y2 = v.buffer, s->weight.y2 += factor;
}

void sweep_add(struct sweep_list *l, struct sweep_step s, int out)
{
    s.out = out;
    RESIZE(l->step, l->n + 1);
    l->step[l->n++] = s;
}

int sweep_free_buffer(int a, int b, int c)
{
    for (int i = SWEEP_OWN;; i++) if (i != a && i != b && i != c) return i;
}

void sweep_list_free(struct sweep_list *l)
{
    free(l->step);
    device_free(l->step_there), device_free(l->weight);
}

/* ---------------------------------------------------------------- the engine */
static size_t size_of(const struct sweeps *s) { return s->single ? sizeof(float) : sizeof(double); }
static void *room(int64_t n, size_t size) { return device_alloc((size_t)n * size, "sweeps over the matrix"); }
/* For a single rank's domain: with zeros for all rows of other ranks, permanently. */
static void *vector(const struct sweeps *s)
{
    return s->alone ? room(s->p.pitch, size_of(s)) : pattern_alloc(&s->p, 1, size_of(s), "sweeps over the matrix");
}

/* Copies the list to the device, and allocates the buffers that it uses. */
static void take_list(struct sweeps *s, struct sweep_list *l)
{
    struct sweep_weights *weight;
    NEW(weight, l->n);
    for (int k = 0; k < l->n; k++) {
        void **out = &s->buffer[l->step[k].out];
        if (!s->slices && l->step[k].out >= SWEEP_OWN && !*out) *out = vector(s);
        weight[k] = l->step[k].weight;
    }
    l->weight = room(l->n, sizeof *weight);
    device_upload(l->weight, weight, (size_t)l->n * sizeof *weight);
    l->step_there = room(l->n, sizeof *l->step);
    device_upload(l->step_there, l->step, (size_t)l->n * sizeof *l->step);
    free(weight);
}

void sweeps_create(struct sweeps *s, struct sweep_list *const *lists, int n_lists)
{
    int64_t n_warps = (int64_t)s->p.n_slices * WARPS;
    s->lower_end = room(n_warps, sizeof *s->lower_end), s->upper_begin = room(n_warps, sizeof *s->upper_begin);
    struct sweep_split_args split = {s->p, s->lower_end, s->upper_begin};
    sweep_split(&split, n_warps);
    s->inverse = vector(s);
    s->sums = (s->p.halo ? sums_create : sums_create_own)(1, s->p.n_slices, "sweeps over the matrix");
    if (s->slices && s->outer > 1) s->buffer[SWEEP_OWN] = vector(s);
    if (s->alone) s->zeros = room(s->p.pitch - s->p.n_padded, size_of(s));
    for (int i = 0; i < n_lists; i++) take_list(s, lists[i]);
}

static void update_halo(const struct sweeps *s, const void *x)
{
    if (s->alone) return;
    if (s->single) halo_update_single(s->p.halo, x, 1);
    else halo_update(s->p.halo, x, 1);
}

void sweeps_refresh(const struct sweeps *s)
{
    struct sweep_invert_args args = {0};
    if (s->single_diag) args.diag_single = s->diag;
    else args.diag = s->diag;
    if (s->single) args.inverse_single = s->inverse;
    else args.inverse = s->inverse;
    sweep_invert(&args, s->p.n_padded);
    update_halo(s, s->inverse);
}

static void launch(const struct sweeps *s, const struct sweep_step *step, const struct sweep_args *args)
{
    static void (*const kernels[2][2][4])(const struct sweep_args *, int64_t) = {
        {{sweep_all_double, sweep_lower_double, sweep_upper_double, sweep_all_double},
         {sweep_scaled_all_double, sweep_scaled_lower_double, sweep_scaled_upper_double, sweep_scaled_all_double}},
        {{sweep_all_float, sweep_lower_float, sweep_upper_float, sweep_all_float},
         {sweep_scaled_all_float, sweep_scaled_lower_float, sweep_scaled_upper_float, sweep_scaled_all_float}}};
    kernels[s->single][step->x == SWEEP_SCALED][step->part](args, s->p.n_slices);
}

static void run_in_slices(const struct sweeps *s, const struct sweep_list *l, const void *b, const void *x,
                          void *result, double *z, const double *norm2)
{
    for (int k = 1; k <= s->outer; k++) {
        void *out = (s->outer - k) % 2 ? s->buffer[SWEEP_OWN] : result;
        struct sweep_slices_args args = {
            s->p, s->lower_end, s->upper_begin, s->val, s->inverse, b, x, out,
            k == s->outer ? z : NULL, norm2, l->step_there, l->weight, l->n};
        if (x) update_halo(s, x);
        (s->single ? sweep_slices_float : sweep_slices_double)(&args, s->p.n_slices);
        x = out;
    }
}

/* Sets the ghosts in a vector of the caller's, which may have been fetched, to 0. */
static void without_others(const struct sweeps *s, const void *x)
{
    const size_t own = (size_t)s->p.n_padded * size_of(s), all = (size_t)s->p.pitch * size_of(s);
    if (GHOSTS_NAN) stale_forget(x, all);
    device_copy((char *)x + own, s->zeros, all - own);
}

void sweeps_run(const struct sweeps *s, const struct sweep_list *l, const void *b, const void *guess, void *result,
                double *z, const double *norm2)
{
    if (s->slices) return run_in_slices(s, l, b, guess, result, z, norm2);
    const void *from[SWEEP_BUFFERS];
    if (s->alone) without_others(s, result), without_others(s, b);
    for (int i = 0; i < SWEEP_BUFFERS; i++) from[i] = s->buffer[i];
    from[SWEEP_SCALED] = b, from[SWEEP_GUESS] = guess, from[SWEEP_RESULT] = result;
    for (int k = 0; k < l->n; k++) {
        const struct sweep_step *step = &l->step[k];
        bool lower = step->part == SWEEP_LOWER, upper = step->part == SWEEP_UPPER, none = step->part == SWEEP_NONE;
        struct sweep_args args = {
            .p = s->p, .first = upper ? s->upper_begin : s->p.warp_start,
            .end = none ? s->p.warp_start : lower ? s->lower_end : s->p.warp_start + 1,
            .val = s->val, .inverse = s->inverse, .b = step->right ? b : NULL, .x = from[step->x],
            .y = step->y == SWEEP_ABSENT ? NULL : from[step->y], .y2 = step->y2 == SWEEP_ABSENT ? NULL : from[step->y2],
            .out = step->out == SWEEP_RESULT ? result : s->buffer[step->out], .z = k == l->n - 1 ? z : NULL,
            .norm2 = norm2, .weight = l->weight + k};
        update_halo(s, args.x);
        launch(s, step, &args);
    }
}

void sweeps_free(struct sweeps *s)
{
    device_free(s->lower_end), device_free(s->upper_begin), device_free(s->inverse), sums_free(&s->sums);
    for (int i = SWEEP_OWN; i < SWEEP_BUFFERS; i++) device_free(s->buffer[i]);
    device_free(s->zeros);
}

void sweep_steps(struct sweeps *s, struct sweep_list *l, const struct linear_setting *set, enum sweep_half half,
                 bool guess)
{
    struct linear_setting one = *set;
    bool chebyshev = set->preconditioner == PRECONDITIONER_CHEBYSHEV;
    s->slices = set->domain == DOMAIN_SLICE;
    s->alone = set->domain == DOMAIN_RANK && s->p.halo;
    s->outer = chebyshev ? 1 : set->sweeps;
    if (s->slices) one.sweeps = 1, guess = false;
    if (chebyshev) chebyshev_steps(l, set->degree, guess);
    else if (set->preconditioner == PRECONDITIONER_TWO_STAGE_GS) two_stage_steps(l, &one, half, guess);
    else if (set->preconditioner == PRECONDITIONER_NEUMANN) neumann_steps(l, set->terms);
    else if (set->preconditioner == PRECONDITIONER_INCOMPLETE_POISSON) incomplete_poisson_steps(l);
    else jacobi_richardson_steps(l, one.sweeps * one.local_sweeps, set->damping, guess);
}

/* ---------------------------------------------------------------- as a preconditioner */
struct sweep_preconditioner {
    struct preconditioner base;
    struct linear_setting setting;
    struct sweeps sweeps;
    struct sweep_list list;
    float *val, *b, *result;    /* single precision: the matrix, r over its norm, memory for the steps */
};

static const char *refresh(struct preconditioner *base)
{
    struct sweep_preconditioner *p = (struct sweep_preconditioner *)base;
    if (p->val) {
        struct to_single_args entries = {p->base.a.val, p->val};
        multigrid_to_single(&entries, p->base.a.p.n_stored);
    }
    else p->sweeps.val = base->a.val;
    p->sweeps.diag = base->a.diag;
    sweeps_refresh(&p->sweeps);
    if (p->setting.preconditioner == PRECONDITIONER_CHEBYSHEV)
        chebyshev_weights(&p->sweeps, &p->list, &p->setting, false);
    return NULL;
}

static void apply(struct preconditioner *base, const double *r, const double *norm2, double *z)
{
    const struct sweep_preconditioner *p = (struct sweep_preconditioner *)base;
    if (!p->val) {
        sweeps_run(&p->sweeps, &p->list, r, NULL, z, NULL, NULL);
        return;
    }
    struct sweep_over_norm_args start = {r, norm2, p->b};
    sweep_over_norm(&start, p->base.a.p.n_slices);
    sweeps_run(&p->sweeps, &p->list, p->b, NULL, p->result, z, norm2);
}

static void free_preconditioner(struct preconditioner *base)
{
    struct sweep_preconditioner *p = (struct sweep_preconditioner *)base;
    sweeps_free(&p->sweeps);
    sweep_list_free(&p->list);
    device_free(p->val), device_free(p->b), device_free(p->result);
    free(p);
}

struct preconditioner *sweep_preconditioner(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    struct sweep_preconditioner *p;
    struct sweep_list *list;
    (void)e;
    NEW(p, 1);
    list = &p->list;
    p->setting = *s;
    if (s->precision == PRECISION_SINGLE) {
        p->val = room(a->p.n_stored, sizeof *p->val);
        p->b = pattern_alloc(&a->p, 1, sizeof *p->b, "sweeps over the matrix");
        p->result = pattern_alloc(&a->p, 1, sizeof *p->result, "sweeps over the matrix");
    }
    p->sweeps = (struct sweeps){.p = a->p, .val = p->val ? (void *)p->val : a->val,
                                .diag = a->diag, .single = p->val};
    sweep_steps(&p->sweeps, list, s, s->direction == DIRECTION_FORWARD ? SWEEP_FORWARD : SWEEP_SYMMETRIC, false);
    sweeps_create(&p->sweeps, &list, 1);
    p->base = (struct preconditioner){
        .refresh = refresh, .apply = apply, .free = free_preconditioner,
        .variable = s->preconditioner == PRECONDITIONER_TWO_STAGE_GS && s->direction == DIRECTION_FORWARD};
    return &p->base;
}
