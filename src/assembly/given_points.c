/* Where the values of an entry are evaluated, and their evaluation (given_points.h). */
#include "assembly/given_points.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include "assembly/face_points.h"
#include "assembly/table_map.h"
#include "base/expression.h"
#include "base/memory.h"
#include "case/section.h"
#include "gpu/device.h"
#include "gpu/team.h"
#include "mesh/cells.h"

int32_t given_places(const struct given *g, const struct mesh *m)
{
    return g->patch ? g->patch->count + g->patch->copies : m->n_cells;
}

bool given_refuse_at(const struct given *g, const struct mesh *m, int k, double t, int32_t i, const char *what,
                      struct error *e)
{
    const struct value_setting *v = &g->of[k];
    double x[3] = {0};
    char at[100], of[NAME_LENGTH + 20] = "", when[40] = "", mark[300] = "";
    for (int j = 0; j < m->dim; j++)
        x[j] = g->patch ? face_centre(m, j, g->patch->first + i) : m->cell_centre[(int64_t)j * m->n_all + i];
    if (g->patch) snprintf(of, sizeof of, " of boundary \"%s\"", g->patch->name);
    if (v->in_time && !isnan(t)) snprintf(when, sizeof when, " at t = %.9g", t);
    if (v->text) snprintf(mark, sizeof mark, ":\n    %.250s", v->text);
    return refuse(e, EXIT_INPUT, "%s: %s %s in the %s around %s%s%s%s", case_place_text(v->place),
                  v->path ? v->path : "a value", what, g->patch ? "face" : "cell", point_text(m, x, at), of, when,
                  mark);
}

/* ---------------------------------------------------------------- points */
static void make_points(struct given *g, const struct mesh *m)
{
    const int32_t n = given_places(g, m), first = g->patch ? g->patch->first : 0;
    const int pieces = g->pieces > 0 ? g->pieces : 1;
    struct given_points *p;
    NEW(p, 1);
    g->points = p, p->n = n;
    if (g->patch && g->mean) {
        NEW(p->start, n + 1);
        for (int32_t i = 0; i < n; i++) p->start[i + 1] = p->start[i] + face_points_count(m, first + i, pieces);
        p->n = p->start[n];
        NEW(p->weight, p->n), NEW(p->value, p->n);
    }
    if (!g->patch && g->zone != GIVEN_EVERYWHERE) {
        NEW(p->cell, n);
        p->n = 0;
        for (int32_t c = 0; c < n; c++) if (m->cell_region[c] == g->zone) p->cell[p->n++] = c;
        NEW(p->value, p->n);
    }
    NEW(p->x, m->dim * p->n);
    for (int32_t i = 0; p->start && i < n; i++)
        face_points(m, first + i, pieces, p->x + p->start[i], p->n, p->weight + p->start[i]);
    for (int k = 0; k < m->dim && !p->start; k++)
        for (int64_t i = 0; i < p->n; i++)
            p->x[k * p->n + i] = g->patch ? face_centre(m, k, first + (int32_t)i)
                                          : m->cell_centre[(int64_t)k * m->n_all + (p->cell ? p->cell[i] : i)];
}

void given_points_free(struct given *g)
{
    if (g->points)
        free(g->points->x), free(g->points->start), free(g->points->weight), free(g->points->cell),
            free(g->points->value);
    free(g->points);
    g->points = NULL;
    for (int k = 0; k < g->components; k++) {
        for (int j = k + 1; j < g->components; j++) if (g->map[j] == g->map[k]) g->map[j] = NULL;
        if (g->map[k]) table_map_free(g->map[k]);
        free(g->map[k]);
        g->map[k] = NULL;
    }
}

/* The place of point i. */
static int32_t place_of_point(const struct given *g, int64_t i)
{
    const struct given_points *p = g->points;
    int32_t place = 0;
    if (!p->start) return p->cell ? p->cell[i] : (int32_t)i;
    while (p->start[place + 1] <= i) place++;
    return place;
}

/* False with a message: a point is outside its table. */
static bool map_tables(struct given *g, const struct mesh *m, struct error *e)
{
    for (int k = 0; k < g->components; k++) {
        const struct value_setting *v = &g->of[k];
        for (int j = 0; j < k && v->table; j++) if (g->of[j].table == v->table) g->map[k] = g->map[j];
        if (!v->table || g->map[k]) continue;
        NEW(g->map[k], 1);
        int64_t far = table_map_create(g->map[k], v->table, m->dim, g->points->n, g->points->x);
        if (far < 0) continue;
        return given_refuse_at(g, m, k, NAN, place_of_point(g, far), "is not covered by the points of its table", e);
    }
    return true;
}

/* The variables of component k at the points, the time at *t. */
static void find_inputs(const struct given *g, const struct mesh *m, int k, const double *t,
                        struct expression_input at[N_VALUE_VARIABLES])
{
    static const double zero = 0;
    const struct given_points *p = g->points;
    struct expression_input all[N_VALUE_VARIABLES] = {{&zero, 0}, {&zero, 0}, {&zero, 0}, [VALUE_T] = {t, 0}};
    for (int j = 0; j < m->dim; j++) all[j] = (struct expression_input){p->x + j * p->n, 1};
    for (int j = 0; j < g->of[k].n_variables; j++)
        at[j] = all[case_find_name(g->of[k].variable[j], value_variables, N_VALUE_VARIABLES)];
}

bool given_points_create(struct given *g, const struct mesh *m, struct error *e)
{
    make_points(g, m);
    return map_tables(g, m, e);
}

/* ---------------------------------------------------------------- values */
struct job { struct expression *x; const struct expression_input *at; int64_t n; double *to; };
enum { PIECES = 32, LEAST_FOR_THREADS = 4000, FEW_THREADS = 4 };

static void evaluate_pieces(const void *args, int64_t first, int64_t last, int64_t n)
{
    const struct job *j = args;
    (void)n;
    for (int64_t i = first; i < last; i++) expression_evaluate_piece(j->x, (int)i, PIECES, j->at, j->n, j->to);
}

/* By the device's threads; with a GPU by those of OpenMP, which nothing else uses then; aside: by a few. */
static void evaluate(struct expression *x, const struct expression_input *at, int64_t n, double *to, bool aside)
{
    const struct job j = {x, at, n, to};
    if (n < LEAST_FOR_THREADS) {
        expression_evaluate(x, at, n, to);
        return;
    }
    expression_share(x, PIECES);
    if (!aside && device_kind() == DEVICE_CPU) {
        team_run(evaluate_pieces, &j, PIECES, 1);
        return;
    }
    #pragma omp parallel for schedule(dynamic, 1) num_threads(aside ? FEW_THREADS : omp_get_max_threads())
    for (int i = 0; i < PIECES; i++) evaluate_pieces(&j, i, i + 1, PIECES);
}

/* Component k at time t at all places.  False: the time is outside its table. */
bool given_value_at(const struct given *g, const struct mesh *m, int k, double t, double *to)
{
    const int32_t n = given_places(g, m);
    const struct given_points *p = g->points;
    struct expression_input at[N_VALUE_VARIABLES];
    bool good = true;
    if (!g->expression[k] && !g->map[k]) {
        for (int32_t i = 0; i < n; i++) to[i] = g->of[k].number;
        return true;
    }
    double *value = p->value ? p->value : to;
    if (g->map[k]) good = table_map_values(g->map[k], g->of[k].column, t, value);
    else find_inputs(g, m, k, &t, at), evaluate(g->expression[k], at, p->n, value, g->aside);
    for (int64_t i = 0; p->cell && i < p->n; i++) to[p->cell[i]] = value[i];
    for (int32_t i = 0; p->start && i < n; i++) {
        double sum = 0, low = INFINITY, high = -INFINITY;
        for (int64_t j = p->start[i]; j < p->start[i + 1]; j++) {
            sum += p->weight[j] * value[j];
            low = value[j] < low ? value[j] : low, high = value[j] > high ? value[j] : high;
        }
        to[i] = sum < low ? low : sum > high ? high : sum;      /* rounding must not leave the key's range */
    }
    return good;
}
