/* A time step of a quantity transported by the flow (equation_step.h). */
#include "flow/equation_parts.h"
#include <float.h>
#include <math.h>
#include "assembly/scalar_step.h"
#include "flow/anderson.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* capacity c (x - old) / dt + transport = corrections */
struct in_time {
    double c, dt;
    const double *old, *capacity;       /* [pitch]; capacity NULL: 1 */
};

/* x follows from w alone: x = old + (w - old) / part. */
static bool follows_w(const struct equation *q)
{
    return (!q->bounded || q->stiff) && !q->dissolved && !q->sink && !q->fixed;
}

/* In long steps the part of the diagonal that comes from time fades out of the limiter's room as 1 / Courant number^2:
 * so the steady solution is that of steady flow, whatever the step.  The weights are in k->low, which such an equation
 * does not use. */
static bool fades(const struct equation *q, const struct equation_work *k)
{
    return equation_is_limited(q) && q->stiff && follows_w(q) && k->courant > 1;
}

/* The part of the residual from which on a solve that has used up its iterations counts as unsolved; less may be
 * rounding. */
static const double unsolved = 1e-4;

/* Solves it into `to`.  corrected: with corrections, from k->w and its gradient, or those in k->correction; where w
 * alone gives a bounded x they are limited as in steady flow, by the matrix: so a step may be long, but fronts stay
 * monotone.  again: the matrix is that of the last solve. */
static struct linear_result solve_in_time(const struct equation *q, struct equation_work *k, const struct in_time *e,
                                          bool corrected, double *to, bool again)
{
    bool assembled = corrected && equation_scheme_is_assembled(q, k->s);
    struct transport t = equation_transport(q, k, 1);
    if (!corrected) t.boundary.wall = NULL;
    if (assembled) t.x = k->w;
    transport_assemble(&t, assembled ? q->convection : CONVECTION_UPWIND);
    struct transport_time_args time = {.s = *k->s, .a = k->a, .components = 1,
                                       .t = {.c = e->c / e->dt, .h1 = e->c / e->dt, .old = e->old}, .capacity = 1,
                                       .capacity_cells = e->capacity, .rhs = k->rhs};
    const bool fading = corrected && !assembled && fades(q, k);
    const double kept = 1 / fmax(1, k->courant * k->courant);
    if (fading) combine(&(struct combine_args){k->low, 1 - kept, k->a.diag, 0, k->a.diag}, k->s->n_cells);
    transport_time(&time, k->s->n_cells);
    if (fading) combine(&(struct combine_args){k->low, 1, k->low, kept, k->a.diag}, k->s->n_cells);
    if (corrected && !assembled)
        equation_add_corrections(q, k, k->w, fading ? k->low : k->a.diag, (fading ? kept : 1) * e->c / e->dt,
                                 equation_is_limited(q) && follows_w(q));
    equation_fix_cells(q, &t);
    struct linear_result r = (again ? solver_solve_again : solver_solve)(k->solver, &k->a, to, k->rhs);
    k->unsolved |= r.status == LINEAR_MAX_ITERATIONS && r.final > unsolved * r.initial;
    return r;
}

/* Tolerances of w's guess and of w, in proportion to the velocity's: what remains is too little to be seen beside the
 * error in time, and equation_conserve() makes the amount exact.  Where different materials share one norm of the
 * residual, the same residual is a larger error of x in one of them, by their contrast. */
static const double guess_tolerance = 10, final_tolerance = 0.1;

static double final_bound(const struct equation *q, const struct equation_work *k)
{
    double loose = final_tolerance * k->f->c->solver.velocity.tolerance;
    if (q->capacity) loose = q->contrast > 0 ? loose / q->contrast : 0;
    return fmax(k->tolerance, loose);
}

/* Of stiff equations; rough: another solve follows, with corrections from this one's solution. */
static const double rough_tolerance = 0.01;

/* Of a pass: what a solve leaves of the residual of materials that conduct or store much is a larger error in the
 * others (see above), which acceleration takes for a step of the passes. */
static double pass_tolerance(const struct equation *q)
{
    static const double least = 1e-5;
    if (!q->capacity) return rough_tolerance;
    return q->contrast > 0 ? fmax(least, rough_tolerance / q->contrast) : least;
}

static void set_bounds(const struct equation *q, const struct equation_work *k, bool rough)
{
    double tolerance = rough ? rough_tolerance : k->enough > 0 ? k->tolerance : final_bound(q, k);
    solver_set_bounds(k->solver, tolerance, fmax(k->absolute, k->enough));
}

/* x from low and the difference of the fluxes, as limited. */
static void correct_low(const struct equation *q, const struct scalar_step_args *a, const struct limiter_args *limiter)
{
    halo_update(a->s.pattern.halo, a->low, 1);
    scalar_beyond(a, a->s.n_internal);
    scalar_beyond_boundary(a, a->s.n_boundary);
    scalar_weight(a, a->s.n_cells);
    if (equation_is_limited(q)) limit_corrections(limiter);
    sum_corrections(limiter);
    scalar_update(a, a->s.n_cells);
}

/* The gradient of w, and k->correction where the scheme is not assembled. */
static void correct_from_w(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a)
{
    const struct stencil *s = k->s;
    equation_gradient(q, s, k->w);
    if (equation_scheme_is_assembled(q, s)) return;
    equation_correct_faces(q, k, k->w);
    if (q->dissolved) scalar_near_interface(a, s->n_active);
    fill(&(struct fill_args){.x = k->correction + s->n_internal, .value = 0}, s->n_boundary);
}

/* A small part of what time adds to the residual, which bounds the error of w by that part of its change, and that of
 * the heat that enters.  A part of the first residual does not: across thin cells this may be as many times larger as
 * the diffusion number, and what is left of it may be in directions where w changes slowly. */
static double fine_bound(const struct equation_work *k, const struct in_time *e)
{
    static const double part = 1e-4;
    struct transport_change_args change = {.s = *k->s, .components = 1, .c = e->c / e->dt, .capacity = 1,
                                           .capacity_cells = e->capacity, .x = k->w, .old = e->old, .sums = k->sums,
                                           .first = SCALAR_ROUNDING};
    return part * transport_change_norm(&change);
}

/* After the solve r of a stiff equation without passes of corrections: solves on until the residual is as small. */
static void solve_finely(struct equation_work *k, const struct in_time *e, struct linear_result r)
{
    double most = fine_bound(k, e);
    if (!(r.final > most)) return;
    most = fmax(most, equation_rounding(k));
    if (!(r.final > most)) return;
    solver_set_bounds(k->solver, DBL_EPSILON, fmax(k->absolute, most));
    solver_solve_again(k->solver, &k->a, k->w, k->rhs);
}

/* Solves for w with all corrections, from the guess in w.  On irregular meshes twice, the second time with corrections
 * of diffusion from the first solution: the midpoint rule has no damping, so an error of the first guess would grow
 * from step to step. */
static void solve_corrected(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                            const struct in_time *e, bool again)
{
    const int n = equation_is_regular(k->s) ? 1 : 2;
    for (int i = 0; i < n; i++) {
        correct_from_w(q, k, a);
        if (q->stiff) set_bounds(q, k, i + 1 < n);
        struct linear_result r = solve_in_time(q, k, e, true, k->w, again || i > 0);
        if (q->stiff && !(k->enough > 0)) k->enough = final_bound(q, k) * r.initial;
        if (q->stiff && i + 1 == n) solve_finely(k, e, r);
    }
}

/* Below these Courant numbers one pass of corrections of convection from a stage's guess suffices; above them it would
 * make the two stages unstable (docs/explanation/numerics.md).  So would corrections of diffusion on irregular meshes
 * in long steps. */
static const double lagged_courant = 0.75, lagged_courant_central = 0.3;

static bool has_short_courant(const struct equation *q, const struct equation_work *k)
{
    const double most = q->convection == CONVECTION_CENTRAL ? lagged_courant_central : lagged_courant;
    return q->convection == CONVECTION_UPWIND || k->courant < most;
}

static bool converges_at_once(const struct equation *q, const struct equation_work *k)
{
    return has_short_courant(q, k) && equation_is_regular(k->s);
}

/* Memory that only long steps need. */
static void accelerate(struct equation_work *k)
{
    const struct anderson_setup setup = {
        .name = "stage", .depth = 8, .endless = true, .noise = 0.03, .volume = k->s->volume, .n_slices = k->s->n_slices,
        .array = {{"w", &k->w, 1, k->s->pitch, ITEM_CELLS, false}}, .n_arrays = 1};
    if (!k->anderson) {
        k->anderson = anderson_create(&setup);
        k->tried = pattern_alloc(&k->s->pattern, 1, sizeof(double), "stages of a scalar");
        k->best = pattern_alloc(&k->s->pattern, 1, sizeof(double), "stages of a scalar");
    }
    anderson_restart(k->anderson);
}

/* A stage is done with this part of the residual at the start of the step; corrections of diffusion alone converge so
 * fast that it is made as good as independent of the order of the cells, and in long steps as small as fine_bound().
 * The passes end after MOST_PASSES, or TRIAL_PASSES that have not reduced the residual to this `slow` part, of
 * diffusion alone after fewer; every DROP_PASSES of these the history is dropped, because a limiter's kinks leave
 * steps in it that are not those of the map near w.  Then the best of all passes, if it is `sufficient_diffusion`,
 * must do, from `rough_diffusion` on with a warning.  Residuals below `noise` times what rounding leaves always do:
 * flat cells amplify it.  So do those that are small beside the corrections: near a steady state the residual at the
 * start is, too, and 1e-4 of them are what a stage after a jump is done with.  More than TOLD times the rounding is
 * not passed over in silence: in kelvin it may be a large part of small differences. */
static const double sufficient_convection = 0.01, done_diffusion = 1e-4, rough_diffusion = 1e-3, noise = 1e4,
                    sufficient_diffusion = 0.05, slow = 0.2, of_corrections = 0.1;
enum { MOST_PASSES = 200, TRIAL_PASSES = 90, DROP_PASSES = 15, MOST_OF_DIFFUSION = 96, TRIAL_OF_DIFFUSION = 24,
       TOLD = 100 };

/* After passes that have not converged: w before the best of them, whose residual this is, and its corrections. */
static void take_best(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                      const struct in_time *e)
{
    copy_array(k->w, k->best, k->s->n_cells);
    correct_from_w(q, k, a);
    solve_in_time(q, k, e, true, k->w, true);
}

/* A stage of a stiff equation, or its step by Euler's rule, with all corrections: passes, accelerated (anderson.h),
 * until the residual of the whole scheme is small enough.  False: it does not become so. */
static bool solve_stage(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                        const struct in_time *e, bool again)
{
    if (converges_at_once(q, k)) {
        solve_corrected(q, k, a, e, again);
        return true;
    }
    const bool diffusion = has_short_courant(q, k);
    const double sufficient = diffusion ? sufficient_diffusion : sufficient_convection;
    const double done = diffusion ? done_diffusion : sufficient_convection;
    const int most = diffusion ? MOST_OF_DIFFUSION : MOST_PASSES;
    const int trial = diffusion ? TRIAL_OF_DIFFUSION : TRIAL_PASSES;
    const double rough = diffusion ? pass_tolerance(q) : rough_tolerance;
    double mark = 0, last = INFINITY, bound = done * k->first, rounding = 0;
    bool good = false;
    accelerate(k);
    for (int i = 0, since = 0; !good && i <= most && i - since <= trial; i++) {
        correct_from_w(q, k, a);
        solver_set_bounds(k->solver, rough, fmax(k->absolute, bound));
        if (i < most) anderson_begin(k->anderson);
        copy_array(k->tried, k->w, k->s->n_cells);
        struct linear_result r = solve_in_time(q, k, e, true, k->w, again || i > 0);
        if (i == 0) rounding = equation_rounding(k);
        if (!(k->first > 0)) {
            k->first = fmax(r.initial, rounding / done), bound = done * k->first;
            k->enough = final_bound(q, k) * r.initial;
        }
        if (i == 0) mark = k->first;
        if (r.initial < slow * mark) mark = r.initial, since = i;
        good = r.iterations == 0 || !(r.initial > 0);
        if (!(r.initial >= last)) {
            double *tried = k->tried;
            k->tried = k->best, k->best = tried, last = r.initial;
        }
        if (good && diffusion && bound > rounding) {
            const double fine = fmax(fine_bound(k, e), rounding);
            if (fine < bound) good = false, bound = fine;
        }
        if (i > since && (i - since) % DROP_PASSES == 0) anderson_restart(k->anderson);
        if (!good && r.iterations > 0 && i < most) anderson_end(k->anderson);
    }
    const double least = good ? 0 : noise * rounding;
    const bool none = good || equation_scheme_is_assembled(q, k->s);
    const double corrections = none ? 0 : of_corrections * sqrt(reduce(REDUCE_DOT, k->sum, k->sum, k->s->n_padded));
    const double size = diffusion ? fmax(k->first, corrections) : k->first;
    if (!good && !(last <= fmax(sufficient * size, least))) {
        k->coarse = !(last <= sufficient * fmax(size, corrections));
        return false;
    }
    k->oblique |= diffusion && !good && last > fmax(rough_diffusion * size, TOLD * rounding);
    set_bounds(q, k, false);
    if (!good) take_best(q, k, a, e);
    solver_solve_again(k->solver, &k->a, k->w, k->rhs);
    return true;
}

/* Whether it is those of diffusion that do not converge: a pass of them may grow from step to step. */
static bool leaves_out(const struct equation *q, const struct equation_work *k)
{
    return has_short_courant(q, k) && !equation_is_regular(k->s);
}

/* Without any corrections: within the extremes on every mesh, but inaccurate on this one. */
static void solve_plain(const struct equation *q, struct equation_work *k, const struct in_time *e)
{
    fill(&(struct fill_args){.x = q->wall, .value = 0}, k->s->n_boundary);
    set_bounds(q, k, false);
    solve_finely(k, e, solve_in_time(q, k, e, false, k->w, false));
    k->oblique = true;
}

/* A step of a stiff equation has two stages of implicit Runge-Kutta (Alexander 1977), of second order and L-stable,
 * each with part = 1 - 1/sqrt(2) of the step: x1 = old + part dt F(x1), x = old + dt F(w), w = (1 - part) x1 + part x.
 * So w is the solution of (w - stage) / (part dt) = F(w), stage = (1 - part) x1 + part old, with the first's matrix.  F
 * has the values given at part of the step in the first stage, and in the second their mean with those at the end, as
 * w is a mean. */
static const double stage_part = EQUATION_STAGE;

/* The capacity after this part of the step. */
static const double *capacity_at(const struct equation *q, struct equation_work *k, double part)
{
    struct combine_args within = {.x = k->between, .a = 1 - part, .y = q->capacity_old, .b = part, .z = q->capacity};
    if (q->capacity == q->capacity_old || part == 0) return q->capacity_old;
    combine(&within, k->s->n_cells);
    return k->between;
}

/* Sets k->stage and the first guess of w, which is in the middle of the step. */
void equation_first_stage(const struct equation *q, struct equation_work *k, double dt)
{
    const struct scalar_step_args a = {.s = *k->s, .dt = dt, .old = k->old, .capacity_old = q->capacity_old,
                                       .given_lowest = q->given_lowest, .given_highest = q->given_highest,
                                       .sums = k->sums};
    const struct in_time e = {1 / stage_part, dt, k->old, capacity_at(q, k, stage_part)};
    int32_t n = k->s->n_cells;
    double guess = 0.5 / stage_part;
    equation_follow_flux(q, k->s);
    copy_array(k->old, q->x, n), copy_array(k->w, q->x, n);
    if (q->walled) equation_find_extremes(&a);
    k->enough = k->first = 0;
    k->failed = !solve_stage(q, k, &a, &e, false);
    combine(&(struct combine_args){.x = k->stage, .a = 1 - stage_part, .y = k->w, .b = stage_part, .z = k->old}, n);
    combine(&(struct combine_args){.x = k->w, .a = guess, .y = k->w, .b = 1 - guess, .z = k->old}, n);
}

/* The guess of w is the solution with upwind convection and the corrections of diffusion of `old`, which is in w: with
 * those of the whole scheme steps of Courant numbers above 2 were unstable, and without any a steady temperature on
 * triangles depended on the step.  Of a stiff equation it is `old`, so that a steady temperature remains as it is. */
static void guess(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                  const struct in_time *e)
{
    double loose = q->capacity ? k->tolerance : guess_tolerance * k->f->c->solver.velocity.tolerance;
    struct equation upwind = *q;
    upwind.convection = CONVECTION_UPWIND;
    if (!equation_is_regular(k->s)) correct_from_w(&upwind, k, a);
    solver_set_bounds(k->solver, fmax(k->tolerance, loose), k->absolute);
    struct linear_result r = solve_in_time(&upwind, k, e, !equation_is_regular(k->s), k->w, false);
    solver_set_bounds(k->solver, k->tolerance, fmax(k->absolute, final_bound(q, k) * r.initial));
}

/* w from its guess; again: with the matrix of the last solve.  e: in: of w's equation, out: of its last stage.
 * stages: the first one has been made. */
static void find_w(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                   struct in_time *e, bool stages, bool again)
{
    if (stages) e->old = k->stage;
    else k->enough = k->first = 0;
    if (q->stiff && !k->failed) k->failed = !solve_stage(q, k, a, e, again);
    else if (k->failed && leaves_out(q, k)) solve_plain(q, k, e);
    else solve_corrected(q, k, a, e, again);
    halo_update(k->s->pattern.halo, k->w, 1);
}

/* x from w alone; of a stiff equation with bounds x is cut off at them, and equation_conserve() restores the amount. */
static void advance_by_w(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                         struct in_time e, bool stages)
{
    int32_t n = k->s->n_cells;
    if (!stages) copy_array(k->w, k->old, n), solver_set_bounds(k->solver, k->tolerance, k->absolute);
    if (!q->stiff) guess(q, k, a, &e);
    const bool same = !q->varies_within && q->capacity == q->capacity_old;      /* both stages' matrices */
    find_w(q, k, a, &e, stages, stages ? same : !q->stiff);
    combine(&(struct combine_args){.x = q->x, .a = e.c, .y = k->w, .b = 1 - e.c, .z = e.old}, n);
    if (stages) {
        combine(&(struct combine_args){.x = k->stage, .a = 1, .y = k->old, .b = -1, .z = k->stage}, n);
        combine(&(struct combine_args){.x = q->x, .a = 1, .y = q->x, .b = 1, .z = k->stage}, n);
    }
    struct scalar_step_args cut = *a;
    cut.low = q->x;
    if (a->bounded) equation_keep_extremes(&cut);
    scalar_beyond_boundary(a, k->s->n_boundary);        /* for equation_conserve() */
}

/* low, then x from it and from w's fluxes, as limited. */
static void advance_from_low(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                             struct in_time e, bool stages)
{
    int32_t n = k->s->n_cells;
    double late = q->stiff ? 0 : 1 / e.c;
    struct limiter_args limiter = equation_limiter(q, k, k->low, k->w);
    copy_array(k->low, k->old, n);
    /* With a sink or fixed cells equation_conserve() does not restore the amount. */
    solver_set_bounds(k->solver, q->sink || q->fixed ? k->tolerance : final_bound(q, k), k->absolute);
    solve_in_time(q, k, &(struct in_time){1, e.dt, k->old, q->capacity_old}, false, k->low, false);
    solver_set_bounds(k->solver, final_bound(q, k), k->absolute);
    equation_keep_extremes(a);
    if (!stages) combine(&(struct combine_args){.x = k->w, .a = 1 - late, .y = k->old, .b = late, .z = k->low}, n);
    find_w(q, k, a, &e, stages, false);
    correct_low(q, a, &limiter);
}

/* False: the corrections do not converge, or what has been cut off at the bounds could not be conserved. */
static bool advance(const struct equation *q, struct equation_work *k, struct scalar_step_args *a, struct in_time e,
                    bool stages)
{
    const bool by_w = follows_w(q), known = !q->sink && !q->fixed;      /* known: the change of the amount */
    (by_w ? advance_by_w : advance_from_low)(q, k, a, e, stages);
    a->w_per_x = by_w ? 1 / e.c : 0;
    if (known) equation_conserve(a);
    return !k->failed && !(a->bounded && by_w && e.c > 1 && !equation_is_conserved(a));
}

/* The step once more, by Euler's rule, which is monotone where its corrections converge.  lagged: they do not; with one
 * pass of those of convection it is stable, too. */
static bool advance_by_euler(const struct equation *q, struct equation_work *k, struct scalar_step_args *a, bool lagged)
{
    k->failed = lagged;
    copy_array(q->x, k->old, k->s->n_cells);
    return advance(q, k, a, (struct in_time){1, a->dt, k->old, q->capacity_old}, false);
}

/* x at the end of the step, from w at a time within it. */
void equation_advance(const struct equation *q, struct equation_work *k, double dt, bool midpoint)
{
    const struct stencil *s = k->s;
    bool by_w = follows_w(q), known = !q->sink && !q->fixed;    /* known: the change of the amount */
    bool stages = midpoint && q->stiff;
    double part = stages ? stage_part : midpoint ? 0.5 : 1;     /* of the step, until w's time */
    struct scalar_step_args a = {.s = *s, .boundary = equation_at_boundary(q), .diffusivity = q->diffusivity,
                                 .diffusivity_faces = q->diffusivity_faces, .flux = q->flux, .w = k->w,
                                 .old = k->old, .low = by_w ? k->w : k->low, .x = q->x, .capacity = q->capacity,
                                 .capacity_old = q->capacity_old, .heat = q->heat, .volume_flux = q->volume_flux,
                                 .reference = q->reference,
                                 .correction = k->correction, .sum = k->sum, .decrease = k->highest, .dt = dt,
                                 .source = q->source,
                                 .bounded = equation_is_limited(q) && known ? q->sides : 0,
                                 .given_lowest = q->given_lowest, .given_highest = q->given_highest,
                                 .fixed = q->fixed, .weight = k->w, .inflow = q->inflow, .sums = k->sums};
    copy_array(k->old, q->x, s->n_cells);
    const struct in_time e = {1 / part, dt, k->old, capacity_at(q, k, midpoint ? 0.5 : 0)};
    if (q->walled) equation_find_extremes(&a);
    if (!stages) k->failed = k->coarse = false;
    if (!k->failed && advance(q, k, &a, e, stages)) return;
    if (stages && advance_by_euler(q, k, &a, false)) return;
    k->lagged |= k->coarse && !leaves_out(q, k);
    advance_by_euler(q, k, &a, true);
}
