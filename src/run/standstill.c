/* Stagnation of residuals: when it occurs, how the velocity changes then, and why. */
#include "run/standstill.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "flow/scalar.h"
#include "gpu/device.h"
#include "gpu/sums.h"

#define ROUNDING 1e-11          /* residuals below this may be rounding */
#define FALLEN 0.9              /* a residual above this fraction of its old level has not fallen */
#define RESUMED 0.5             /* below this fraction of its level when reported, it falls again */

enum { KEPT = 3 };              /* numbers after the residuals in `kept` */

void standstill_create(struct standstill *w, struct flow *f, const struct mesh *m, double limit)
{
    memset(w, 0, sizeof *w);
    w->f = f, w->m = m, w->limit = limit, w->n_columns = fields_columns(&f->fields, FIELD_RESIDUAL);
    w->coupled = f->coupled_solver != NULL;
    w->span = w->coupled ? 100 : 300, w->look = w->coupled ? 40 : 100;
    const int64_t length = 2 * w->span * w->n_columns;
    NEW(w->kept, length + KEPT);
    w->residual = w->kept;
    fields_add(&f->fields, &(struct field){.name = "standstill", .use = FIELD_CHECKPOINT | FIELD_MAY_LACK,
                                           .components = 1, .pitch = length + KEPT, .number = w->kept});
    fields_add(&f->fields, &(struct field){.name = "standstill.start", .use = FIELD_CHECKPOINT | FIELD_MAY_LACK,
                                           .components = 1, .pitch = sizeof w->starting / sizeof(double),
                                           .number = &w->starting.samples});
}

static void end_sampling(struct standstill *w)
{
    free(w->u), free(w->low), free(w->high), free(w->path);
    w->u = w->low = w->high = w->path = NULL;
}

void standstill_free(struct standstill *w)
{
    end_sampling(w);
    free(w->kept);
    w->kept = w->residual = NULL;
}

/* ---------------------------------------------------------------- residuals */
static double worst_of(const struct standstill *w, int64_t i)
{
    double worst = 0;
    for (int k = 0; k < w->n_columns; k++) worst = fmax(worst, standstill_row(w, i)[k]);
    return worst;
}

/* The level of the worst residual in `span` iterations, starting `back` iterations before the end. */
struct level { double lowest, mean; };          /* mean: of the logarithms */

static struct level level_of(const struct standstill *w, int back)
{
    struct level l = {INFINITY, 0};
    for (int64_t i = w->n - back; i < w->n - back + w->span; i++) {
        double worst = worst_of(w, i);
        l.lowest = fmin(l.lowest, worst), l.mean += log(worst) / w->span;
    }
    return l;
}

bool standstill_now(const struct standstill *w)
{
    if (w->n < 2 * w->span) return false;
    struct level last = level_of(w, w->span), before = level_of(w, 2 * w->span);
    if (last.lowest <= w->f->c->solver.tolerance) return false;
    if (w->lowest > 0 && last.lowest > RESUMED * w->lowest) return true;
    return last.lowest >= FALLEN * before.lowest || last.mean >= before.mean + log(FALLEN);
}

bool standstill_over(const struct standstill *w)
{
    int limit = w->f->c->solver.stall_limit;
    return limit && w->lowest > 0 && w->n - w->since >= limit;
}

/* The largest speed is sampled over `look` iterations from the first stagnation on, and again while the flow starts. */
static void follow_start(struct standstill *w)
{
    const bool samples = w->starting.samples > 0;
    if (w->starting.over > 0 || w->n % (w->look / STARTING_SAMPLES)) return;
    if (!samples && (w->n % w->look || !standstill_now(w))) return;
    if (starting_add(&w->starting, flow_is_solved(w->f->c) ? flow_fastest(w->f) : 0)) w->lowest = 0, w->since = w->n;
}

void standstill_add(struct standstill *w, const struct simple_report *r)
{
    double *numbers = w->kept + 2 * w->span * w->n_columns;
    double *to = w->residual + w->n++ % (2 * w->span) * w->n_columns;
    memcpy(to, r->residual, (size_t)w->n_columns * sizeof *to);
    for (int k = w->f->s.dim + 1; k < w->n_columns && scalars_wait(w->f); k++) to[k] = 0;   /* they follow the flow */
    w->step = r->step;
    w->unsolved_now[0] += r->pressure_solve.status == LINEAR_MAX_ITERATIONS;
    w->unsolved_now[1] += r->velocity_solve.status == LINEAR_MAX_ITERATIONS;
    if (w->n % w->look == 0) {
        memcpy(w->unsolved, w->unsolved_now, sizeof w->unsolved), memset(w->unsolved_now, 0, sizeof w->unsolved_now);
        if (!standstill_now(w)) w->lowest = 0;
        else if (!(w->lowest > 0) || level_of(w, w->span).lowest <= RESUMED * w->lowest)
            w->lowest = level_of(w, w->span).lowest, w->since = w->n - w->span;
    }
    follow_start(w);
    numbers[0] = (double)w->n, numbers[1] = w->lowest, numbers[2] = (double)w->since;
}

void standstill_restored(struct standstill *w)
{
    const double *numbers = w->kept + 2 * w->span * w->n_columns;
    bool sound = numbers[0] >= 0 && numbers[0] < 1e15 && numbers[2] >= 0 && numbers[2] <= numbers[0];
    for (int i = 0; i < 2 * w->span * w->n_columns; i++) sound = sound && w->residual[i] >= 0;
    if (sound) w->n = (int64_t)numbers[0], w->lowest = numbers[1], w->since = (int64_t)numbers[2];
    if (standstill_over(w)) w->n = w->since = 0, w->lowest = 0;
    if (w->n == 0) w->starting = (struct starting){0};
}

/* ---------------------------------------------------------------- changes of the velocity */
static void start_sampling(struct standstill *w)
{
    int64_t n = w->f->s.dim * w->f->s.pitch;
    NEW(w->u, n), NEW(w->low, n), NEW(w->high, n), NEW(w->path, w->f->s.n_cells);
    for (int64_t i = 0; i < n; i++) w->low[i] = INFINITY, w->high[i] = -INFINITY;
    w->samples = 0;
}

static double top_speed(const struct standstill *w)
{
    const struct flow *f = w->f;
    double most = 0;
    for (int32_t c = 0; c < f->s.n_cells; c++) {
        double square = 0;
        for (int k = 0; k < f->s.dim; k++) square += w->u[k * f->s.pitch + c] * w->u[k * f->s.pitch + c];
        most = fmax(most, sqrt(square));
    }
    largest_over_ranks(&most, 1);
    return most;
}

static void sample(struct standstill *w)
{
    int64_t stride = w->f->s.pitch, n = w->f->s.dim * stride;
    double *now;
    NEW(now, n);
    device_download(now, w->f->u, (size_t)n * sizeof *now);
    for (int64_t i = 0; i < n; i++) w->low[i] = fmin(w->low[i], now[i]), w->high[i] = fmax(w->high[i], now[i]);
    for (int32_t c = 0; c < w->f->s.n_cells && w->samples > 0; c++) {
        double square = 0;
        for (int64_t i = c; i < n; i += stride) square += (now[i] - w->u[i]) * (now[i] - w->u[i]);
        w->path[c] += sqrt(square);
    }
    free(w->u);
    w->u = now;
    w->samples++;
}

/* The swing of a cell: the distance between the extremes of its velocity while it was sampled. */
static double swing_of(const struct standstill *w, int32_t cell)
{
    double square = 0;
    for (int k = 0; k < w->f->s.dim; k++) {
        int64_t i = k * w->f->s.pitch + cell;
        square += (w->high[i] - w->low[i]) * (w->high[i] - w->low[i]);
    }
    return sqrt(square);
}

static void conclude(struct standstill *w)
{
    const struct flow *f = w->f;
    double volume[2] = {0};                             /* of cells with changes; of all */
    int32_t cell = 0;
    w->swing = 0, w->speed = top_speed(w);
    for (int32_t c = 0; c < f->s.n_cells; c++) {
        double swing = swing_of(w, c);
        if (swing > w->swing) w->swing = swing, cell = c;
    }
    int rank = place_rank(w->swing);
    double there[3] = {(double)(f->s.pattern.first + cell), w->path[cell], 0};  /* row, path, speed^2 at largest
                                                                                   swing */
    for (int k = 0; k < f->s.dim; k++) there[2] += w->u[k * f->s.pitch + cell] * w->u[k * f->s.pitch + cell];
    sums_of_rank(there, 3, rank);
    largest_over_ranks(&w->swing, 1);
    for (int32_t c = 0; c < f->s.n_cells; c++) {
        volume[1] += w->m->cell_volume[c];
        if (swing_of(w, c) >= 0.1 * w->swing) volume[0] += w->m->cell_volume[c];
    }
    sums_over_ranks(volume, 2);
    w->share = volume[0] / volume[1];
    w->to_and_fro = there[1] > 1.3 * w->swing;
    place_at(&w->place, f, w->m, (int32_t)there[0], sqrt(there[2]), w->limit);
    w->sampled = true;
    end_sampling(w);
}

/* Checks every `look` iterations whether the run stagnates.  The velocity is sampled over `look` iterations at the
 * first stagnation, again while it starts, and over the last `look` iterations of the run. */
bool standstill_watch(struct standstill *w, int64_t left, bool last)
{
    const int limit = w->f->c->solver.stall_limit;
    if (limit && w->lowest > 0 && w->since + limit - w->n < left) left = w->since + limit - w->n;
    bool wanted = (!w->told && w->n % w->look == 0) || left == w->look;
    if (!w->u && wanted && standstill_now(w)) start_sampling(w);
    if (!w->u || (w->n % (w->look / STARTING_SAMPLES) && !last)) return false;
    sample(w);
    if (w->samples <= STARTING_SAMPLES && !last) return false;
    conclude(w);
    if (!w->told && !(w->starting.over > 0) && !last) return false;
    bool first = !w->told && standstill_now(w);
    w->told = true;
    return first;
}

/* ---------------------------------------------------------------- reports */
/* The last `span` iterations: the worst residual, its extremes, and how often it crosses their mean. */
struct course { int which, crossings; double low, high; };

static struct course course_of(const struct standstill *w)
{
    struct course c = {0, 0, INFINITY, 0};
    double most = 0;
    for (int k = 0; k < w->n_columns; k++) {
        double low = INFINITY;
        for (int64_t i = w->n - w->span; i < w->n; i++) low = fmin(low, standstill_row(w, i)[k]);
        if (low > most) most = low, c.which = k;
    }
    for (int64_t i = w->n - w->span; i < w->n; i++)
        c.low = fmin(c.low, standstill_row(w, i)[c.which]), c.high = fmax(c.high, standstill_row(w, i)[c.which]);
    double mean = sqrt(c.low * c.high);
    for (int64_t i = w->n - w->span + 1; i < w->n; i++)
        c.crossings += (standstill_row(w, i - 1)[c.which] < mean) != (standstill_row(w, i)[c.which] < mean);
    return c;
}

static void report_course(const struct standstill *w, const struct course *c, const char *front)
{
    char name[2 * NAME_LENGTH];
    fields_column(&w->f->fields, FIELD_RESIDUAL, c->which, name, sizeof name);
    log_print("%sThe residual of %s stays between %.2e and %.2e", front, name, c->low, c->high);
    if (c->high > 1.2 * c->low && c->high > ROUNDING && c->crossings > 1)
        log_print(", oscillating with a period of about %d iterations", 2 * w->span / c->crossings);
    log_print(".\n");
}

/* ---------------------------------------------------------------- causes of stagnation */
static bool is_central(const struct standstill *w)
{
    return w->f->c->solver.convection == CONVECTION_CENTRAL && w->place.peclet > 10;
}

static void add_unsolved(struct advices *a, const struct standstill *w)
{
    const struct solver_setting *s = &w->f->c->solver;
    const bool velocity = w->unsolved[1] > w->unsolved[0];
    const struct linear_setting *l = w->coupled ? &s->coupled : velocity ? &s->velocity : &s->pressure;
    const char *name = w->coupled ? "coupled" : velocity ? "velocity" : "pressure";
    char mend[80];
    if (w->coupled && l->smoother == SMOOTHER_BLOCK_JACOBI) snprintf(mend, sizeof mend, "smoother = \"auto\"");
    else if (w->coupled && l->restart < 30) snprintf(mend, sizeof mend, "restart = 30");
    else snprintf(mend, sizeof mend, "max_iterations = %d", 4 * l->max_iterations);
    advices_add(a, 9, "the linear solver of %s used up its %d iterations in most steps: set solver.%s.%s",
                w->coupled ? "velocity and pressure" : name, l->max_iterations, name, mend);
}

/* None of the measured quantities distinguishes an unsteady flow from an iteration that does not settle.  The coupled
 * algorithm settled all tested flows in which SIMPLEC kept changing, also those that are unstable in time. */
static void add_unsteady(struct advices *a, const struct standstill *w)
{
    ADVISE(is_central(w), 9.2, "central convection at a cell Peclet number of %.3g there may be the cause: "
           "set solver.convection = \"linear-upwind\"", w->place.peclet);
    ADVISE(!w->coupled, 9.1, "the iteration has not settled: " SET_COUPLED);
    advices_add(a, w->coupled ? 9 : 6.5, "or the flow itself is unsteady: set solver.algorithm = \"pimple\" and "
                "time = { end = ..; step = %.2g; courant = 1; }, and remove the settings for steady flow",
                w->place.size / w->speed);
}

static void add_relaxation(struct advices *a, const struct solver_setting *set)
{
    const double relaxation = set->relaxation_velocity;
    if (set->acceleration == 0)
        advices_add(a, 9, "the iteration oscillates around a steady flow: set solver.acceleration = 10");
    else
        advices_add(a, 9, "the iteration oscillates around a steady flow: "
                    "set solver.relaxation_velocity = %.2g (now %g)",
                    relaxation > 0.5 ? relaxation - 0.2 : 0.5 * relaxation, relaxation);
}

/* The transported quantity with this residual if its own diffusivity depends on it, or NULL. */
static const struct scalar_setting *own_law(const struct standstill *w, int column)
{
    const struct flow_setting *c = w->f->c;
    const int i = column - (flow_is_solved(c) ? w->f->s.dim + 1 : 0);
    const struct scalar_setting *s = i >= 0 && i < c->scalars.n ? &c->scalars.item[i] : NULL;
    return s && s->law.given && !strcmp(s->law.field, s->name) ? s : NULL;
}

/* The first cause that applies, judged from the measurements. */
void standstill_advise(const struct standstill *w, struct advices *a)
{
    if (!w->sampled) return;
    const struct solver_setting *set = &w->f->c->solver;
    const struct course c = course_of(w);
    const struct place *p = &w->place;
    const int correctors = set->non_orthogonal_correctors;
    const struct scalar_setting *steep = own_law(w, c.which);
    if (steep && c.high > 1.2 * c.low && c.crossings > 1 && c.high >= ROUNDING)
        advices_add(a, 9, "the %s of %s, by an expression of it, jumps or is too steep: spread the jump "
                    "over a tenth of the values, like 1 + 99/(1 + exp(-40*(x - 0.5)))",
                    steep->capacity > 0 ? "conductivity" : "diffusivity", steep->name);
    else if (!flow_is_solved(w->f->c) && c.high >= ROUNDING)
        advices_add(a, 9, "properties vary too much with the temperature: start from an initial.temperature nearer to "
                    "the result");
    else if (flow_is_solved(w->f->c) && !(w->speed > 0))
        advices_add(a, 9, "the velocity is zero, or so small that its square is: choose units in which it is near 1");
    else if (c.high < ROUNDING)
        advices_add(a, 9, "that is rounding: set solver.tolerance = %.0e", 10 * c.high);
    else if (2 * (w->unsolved[0] > w->unsolved[1] ? w->unsolved[0] : w->unsolved[1]) > w->look) add_unsolved(a, w);
    else if (w->f->s.n_slivers && set->algorithm == ALGORITHM_SIMPLEC)
        advices_add(a, 9, SLIVERS_TEXT, w->f->s.n_slivers);
    else if (!w->coupled && !w->to_and_fro && flow_is_thinning(w->f->c))
        advices_add(a, 9, "the velocity still changes steadily in one direction, as relaxation holds fluid of high "
                    "viscosity: " SET_COUPLED);
    else if (w->swing > 0.01 * w->speed) add_unsteady(a, w);
    else if (set->convection == CONVECTION_VAN_LEER)
        advices_add(a, 9, "van-leer's limiter keeps switching there: "
                    "set solver.convection = \"linear-upwind\", which has none");
    else if (is_central(w))
        advices_add(a, 9, "central convection at a cell Peclet number of %.3g there: "
                    "set solver.convection = \"linear-upwind\"", p->peclet);
    else if (!w->coupled && p->mesh.non_orthogonality_max > (correctors ? 50 : 30) && correctors % 2 == 0)
        advices_add(a, 9, "faces there are %.3g degrees from orthogonal: "
                    "set solver.non_orthogonal_correctors = %d", p->mesh.non_orthogonality_max, correctors + 1);
    else if (!w->to_and_fro)
        advices_add(a, 9, "it changes slowly in one direction: continue with --restart --set "
                    "solver.max_iterations=%.0f", fmin(2.0 * set->max_iterations, INT_MAX));
    else if (w->coupled)
        advices_add(a, 9, "the iteration oscillates around a steady flow: set solver.algorithm = \"simplec\"");
    else add_relaxation(a, set);
}

void standstill_report(const struct standstill *w, const char *front)
{
    struct course c = course_of(w);
    char where[120];
    report_course(w, &c, front);
    if (!w->sampled || !flow_is_solved(w->f->c)) return;
    place_name(&w->place, where, sizeof where);
    if (!(w->speed > 0)) {
        log_print("%sThe velocity is zero, or so small that its square is.\n", front);
        return;
    }
    log_print("%sIn %d iterations the velocity changes by up to %.2g %% of its maximum%s, most in %s;\n"
              "%sit changes by at least a tenth of that in %.2g %% of the volume.\n", front, w->look,
              100 * w->swing / w->speed, w->to_and_fro ? ", oscillating" : "", where, front, 100 * w->share);
}

double standstill_decay(const struct standstill *w)
{
    enum { LEAST = 20, MOST = 100 };
    int half = (int)(w->n < 2 * MOST ? w->n / 2 : MOST);
    double mean[2] = {0};                               /* of the logarithms, in the last `half` and the one before */
    if (w->n < LEAST) return NAN;
    for (int64_t i = w->n - 2 * half; i < w->n; i++) mean[i < w->n - half] += log(worst_of(w, i)) / half;
    return (mean[1] - mean[0]) / half;
}
