/* A step in time of two fluids, as poise bench scaling measures it: bubbles in a box. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "bench/bench.h"
#include "flow/transient.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "mesh/part.h"

enum { WARM_UP = 4, COLUMNS = N_PHASES + 1 };

static double extent(const struct mesh *m, int k, double *middle)
{
    double low = INFINITY, high = -INFINITY;
    for (int32_t v = 0; v < m->n_vertices; v++) {
        double x = m->vertex[3 * (int64_t)v + k];
        low = fmin(low, x), high = fmax(high, x);
    }
    *middle = 0.5 * (low + high);
    return high - low;
}

/* Bubbles of a tenth of the density in a row along the last direction, one for each length of the mesh in x; all
 * boundaries are walls.  Made of settings as --set has them on an empty case file. */
static bool read_case(struct case_settings *c, const struct mesh *m, struct error *e)
{
    enum { LENGTH = 160, MORE = 16 };
    const char **set, *zero = m->dim == 2 ? "" : "0, ";
    char (*text)[LENGTH];
    double middle[3], width = extent(m, 0, &middle[0]), other = extent(m, 1, &middle[1]),
           length = m->dim == 2 ? other : extent(m, 2, &middle[2]), *last = &middle[m->dim - 1];
    int n = 0, bubbles = (int)fmax(1, round(length / width));
    *last -= 0.5 * (bubbles - 1) * width;
    NEW(text, m->n_patches + MORE), NEW(set, m->n_patches + MORE);
    snprintf(text[n++], LENGTH, "mesh.box.cells=%s", m->dim == 2 ? "[1, 1]" : "[1, 1, 1]");    /* stands for any mesh */
    snprintf(text[n++], LENGTH, "fluid={density=10.0; viscosity=%.17g; gravity=[%s0, -1];}", 0.01 * width, zero);
    snprintf(text[n++], LENGTH, "second_fluid={density=1.0; viscosity=%.17g; surface_tension=%.17g;}", 0.001 * width,
             width * width);
    snprintf(text[n++], LENGTH, "shapes.bubble={type=\"sphere\"; radius=%.17g; }", 0.3 * width);
    if (m->dim == 2) snprintf(text[n++], LENGTH, "shapes.bubble.centre=[%.17g, %.17g]", middle[0], middle[1]);
    else snprintf(text[n++], LENGTH, "shapes.bubble.centre=[%.17g, %.17g, %.17g]", middle[0], middle[1], middle[2]);
    snprintf(text[n++], LENGTH, "shapes.bubble.copies=[1, %s%d]", m->dim == 2 ? "" : "1, ", bubbles);
    snprintf(text[n++], LENGTH, "shapes.bubble.spacing=[0, %s%.17g]", zero, width);
    snprintf(text[n++], LENGTH, "solver.algorithm=piso");
    snprintf(text[n++], LENGTH, "time={end=1.0; step=1.0;}");           /* what a step is follows from the mesh */
    for (int i = 0; i < m->n_patches; i++) snprintf(text[n++], LENGTH, "boundary.%s.type=wall", m->patch[i].name);
    for (int i = 0; i < n; i++) set[i] = text[i];
    bool good = case_read(c, "/dev/null", set, n, e);
    free(text), free(set);
    return good;
}

/* seconds: [COLUMNS repeat], column by column. */
static void advance(struct transient *t, int repeat, double *seconds)
{
    struct transient_report r;
    double dt = 0.5 * transient_capillary_step(t);
    for (int i = -WARM_UP; i < repeat; i++) {
        double before[N_PHASES];
        for (int k = 0; k < N_PHASES; k++) before[k] = stopwatch_seconds(&t->f.watch)[k];
        double start = device_seconds();
        transient_advance(t, dt, &r);
        double whole = device_seconds() - start;
        if (i < 0) continue;
        const double *now = stopwatch_seconds(&t->f.watch);
        for (int k = 0; k < N_PHASES; k++) seconds[(int64_t)k * repeat + i] = now[k] - before[k];
        seconds[(int64_t)N_PHASES * repeat + i] = whole;
    }
}

bool bench_step(const struct bench *b, const struct mesh *whole, double *median, struct error *e)
{
    struct case_settings c;
    struct transient t;
    struct mesh part = {0};
    bool several = ranks_count() > 1, good = read_case(&c, whole, e);
    if (!good) return false;
    c.flow.solver.accuracy = b->standard ? ACCURACY_STANDARD : ACCURACY_HIGH;
    good = ranks_agree(!several || mesh_take_part(&part, whole, INTERFACE_LAYERS, e), e);
    if (good && transient_create(&t, &c.flow, several ? &part : whole, e)) {
        double *seconds;
        NEW(seconds, (size_t)COLUMNS * (size_t)b->repeat);
        advance(&t, b->repeat, seconds);
        for (int k = 0; k < COLUMNS; k++) median[k] = bench_median(seconds + (int64_t)k * b->repeat, b->repeat);
        largest_over_ranks(median, COLUMNS);
        free(seconds);
        transient_free(&t);
    } else good = false;
    if (several) mesh_free(&part);
    case_free(&c);
    return good;
}
