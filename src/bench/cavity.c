/* The settings of a lid-driven cavity on any box mesh, for poise bench. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "bench/bench.h"

static const char *lid_of(const struct mesh *m)
{
    for (int i = 0; i < m->n_patches; i++)
        if (!strcmp(m->patch[i].name, "top") || !strcmp(m->patch[i].name, "lid")) return m->patch[i].name;
    return NULL;
}

static double width(const struct mesh *m)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t v = 0; v < m->n_vertices; v++) low = fmin(low, m->vertex[3 * v]), high = fmax(high, m->vertex[3 * v]);
    return high - low;
}

/* The case is made of settings as --set has them on an empty case file, so every other key has its default. */
bool bench_cavity(struct case_settings *c, const struct mesh *m, struct error *e)
{
    enum { LENGTH = 160 };
    const char *lid = lid_of(m), **set;
    char (*text)[LENGTH];
    int n = 0;
    if (!lid)
        return refuse(e, EXIT_INPUT, "%s: no boundary is named \"lid\" or \"top\"; the flow needs one of them, which "
                      "moves along x, and all others are walls at rest", m->source);
    NEW(text, m->n_patches + 3), NEW(set, m->n_patches + 3);
    snprintf(text[n++], LENGTH, "mesh.box.cells=%s", m->dim == 2 ? "[1, 1]" : "[1, 1, 1]");    /* stands for any mesh */
    snprintf(text[n++], LENGTH, "fluid.viscosity=%.17g", width(m) / 1000);
    for (int i = 0; i < m->n_patches; i++) snprintf(text[n++], LENGTH, "boundary.%s.type=wall", m->patch[i].name);
    snprintf(text[n++], LENGTH, "boundary.%s.velocity=%s", lid, m->dim == 2 ? "[1, 0]" : "[1, 0, 0]");
    for (int i = 0; i < n; i++) set[i] = text[i];
    bool good = case_read(c, "/dev/null", set, n, e);
    if (good) snprintf(c->source->path, sizeof c->source->path, "%s", m->source);
    free(text), free(set);
    return good;
}
