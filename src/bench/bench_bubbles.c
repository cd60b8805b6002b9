/* A step in time of two fluids, as poise bench scaling measures it: bubbles in a box. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "bench/bench.h"
#include "flow/transient.h"

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

/* Made of settings as --set has them on an empty case file. */
bool bench_bubbles(struct case_settings *c, const struct mesh *m, struct error *e)
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

struct stepping { struct transient t; double dt; };
static void advance(void *context)
{
    struct stepping *s = context;
    struct transient_report r;
    transient_advance(&s->t, s->dt, &r);
}

bool bench_step(const struct bench *b, const struct case_settings *c, const struct mesh *m, double *median,
                struct error *e)
{
    enum { WARM_UP = 4 };
    struct stepping s;
    if (!transient_create(&s.t, &c->flow, m, e)) return false;
    s.dt = 0.5 * transient_wave_step(&s.t);
    bench_phases(&s.t.f.watch, WARM_UP, b->repeat, advance, &s, median);
    transient_free(&s.t);
    return true;
}
