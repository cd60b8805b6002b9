/* The cases that poise bench measures, made of settings as with --set on an empty case file: all other keys have their
 * defaults. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "bench/bench.h"

enum { LENGTH = 160 };
struct settings { char (*text)[LENGTH]; int n; };

__attribute__((format(printf, 2, 3)))
static void set(struct settings *s, const char *format, ...)
{
    va_list list;
    RESIZE(s->text, s->n + 1);
    va_start(list, format);
    vsnprintf(s->text[s->n++], LENGTH, format, list);
    va_end(list);
}

/* Common to all cases: a mesh, represented by a single box, and walls. */
static struct settings begin(const struct mesh *m)
{
    struct settings s = {0};
    set(&s, "mesh.box.cells=%s", m->dim == 2 ? "[1, 1]" : "[1, 1, 1]");
    for (int i = 0; i < m->n_patches; i++) set(&s, "boundary.%s.type=wall", m->patch[i].name);
    return s;
}

static bool read(struct case_settings *c, const struct mesh *m, struct settings *s, struct error *e)
{
    const char **texts;
    NEW(texts, s->n);
    for (int i = 0; i < s->n; i++) texts[i] = s->text[i];
    bool good = case_read(c, "/dev/null", texts, s->n, e);
    if (good) snprintf(c->source->path, sizeof c->source->path, "%s", m->source);
    free(texts), free(s->text);
    return good;
}

/* The mesh's length along direction k. */
static double extent(const struct mesh *m, int k, double *middle)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t v = 0; v < m->n_vertices; v++)
        low = fmin(low, m->vertex[3 * v + k]), high = fmax(high, m->vertex[3 * v + k]);
    *middle = 0.5 * (low + high);
    return high - low;
}

static const char *lid_of(const struct mesh *m)
{
    for (int i = 0; i < m->n_patches; i++)
        if (!strcmp(m->patch[i].name, "top") || !strcmp(m->patch[i].name, "lid")) return m->patch[i].name;
    return NULL;
}

bool bench_cavity(struct case_settings *c, const struct mesh *m, struct error *e)
{
    const char *lid = lid_of(m);
    double middle;
    if (!lid)
        return refuse(e, EXIT_INPUT, "%s: no boundary is named \"lid\" or \"top\"; the flow needs one of them, which "
                      "moves along x, and all others are walls at rest", m->source);
    struct settings s = begin(m);
    set(&s, "fluid.viscosity=%.17g", extent(m, 0, &middle) / 1000);
    set(&s, "boundary.%s.velocity=%s", lid, m->dim == 2 ? "[1, 0]" : "[1, 0, 0]");
    return read(c, m, &s, e);
}

bool bench_bubbles(struct case_settings *c, const struct mesh *m, struct error *e)
{
    const char *zero = m->dim == 2 ? "" : "0, ";
    double middle[3] = {0}, length[3] = {0};
    for (int k = 0; k < m->dim; k++) length[k] = extent(m, k, &middle[k]);
    const double width = length[0];
    const int last = m->dim - 1, bubbles = (int)fmax(1, round(length[last] / width));
    middle[last] -= 0.5 * (bubbles - 1) * width;
    struct settings s = begin(m);
    set(&s, "fluid={density=10.0; viscosity=%.17g; gravity=[%s0, -1];}", 0.01 * width, zero);
    set(&s, "second_fluid={density=1.0; viscosity=%.17g; surface_tension=%.17g;}", 0.001 * width, width * width);
    set(&s, "shapes.bubble={type=\"sphere\"; radius=%.17g; }", 0.3 * width);
    if (m->dim == 2) set(&s, "shapes.bubble.centre=[%.17g, %.17g]", middle[0], middle[1]);
    else set(&s, "shapes.bubble.centre=[%.17g, %.17g, %.17g]", middle[0], middle[1], middle[2]);
    set(&s, "shapes.bubble.copies=[1, %s%d]", m->dim == 2 ? "" : "1, ", bubbles);
    set(&s, "shapes.bubble.spacing=[0, %s%.17g]", zero, width);
    set(&s, "solver.algorithm=piso");
    set(&s, "time={end=1.0; step=1.0;}");               /* the steps are set from the mesh */
    return read(c, m, &s, e);
}
