/* solids_fixture.h: boxes with solid regions, and heat in them, for tests of solids. */
#ifndef SOLIDS_FIXTURE_H
#define SOLIDS_FIXTURE_H
#include "unsteady_fixture.h"
#include "mesh/fluid.h"

/* Names the regions of a mesh that is not complete, "fluid" first; region_of: index of the region at a cell's middle.
 * All but the first are solids. */
static inline void mark_solids(struct mesh *m, const char *const *name, int n, int (*region_of)(const double x[3]))
{
    RESIZE(m->region, n), NEW(m->solid, n);
    m->n_regions = n;
    for (int r = 0; r < n; r++) strcpy(m->region[r], name[r]), m->solid[r] = r > 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        double x[3];
        cell_middle(m, c, x);
        m->cell_region[c] = region_of(x);
    }
}
/* Regions on both sides of the plane x = 1/2; whole: all of them, and the mesh of the flow, if any, in one of the
 * trials. */
struct beside { bool in_time; struct mesh whole; struct trial steady; struct unsteady unsteady; struct flow *f; };

/* The vertices between the regions, in that plane. */
static inline void flatten(struct mesh *m, const struct box_setting *box)
{
    const int32_t row = box->cells[0] + 1, all = row * (box->cells[1] + 1) * (m->dim == 3 ? box->cells[2] + 1 : 1);
    for (int32_t v = 0; v < all; v++) if (v % row == box->cells[0] / 2) m->vertex[3 * (int64_t)v] = 0.5;
}

/* text: the case without its mesh. */
static inline void open_solids_in(struct beside *w, enum grid kind, const struct box_setting *box,
                                  const char *const *name, int n_names, int (*region_of)(const double x[3]),
                                  bool in_time, const char *text)
{
    struct error e;
    memset(w, 0, sizeof *w);
    w->in_time = in_time;
    grid_mesh(&w->whole, kind, box);
    if (box->distortion > 0) flatten(&w->whole, box);
    mark_solids(&w->whole, name, n_names, region_of);
    struct mesh *m = in_time ? &w->unsteady.m : &w->steady.m;
    if (!mesh_complete(&w->whole, ORDERING_HILBERT, NULL, 0, &e) || !mesh_take_fluid(m, &w->whole, &e))
        fail_msg("%s", e.text);
    if (in_time) start_unsteady(&w->unsteady, text);
    else trial_start(&w->steady, text);
    w->f = in_time ? &w->unsteady.t.f : w->steady.f;
}

/* In the unit box, with n cells along each side. */
static inline void open_solids(struct beside *w, enum grid kind, int n, double distortion, const char *const *name,
                               int n_names, int (*region_of)(const double x[3]), bool in_time, const char *text)
{
    const struct box_setting box = grid_box(kind, n, distortion);
    open_solids_in(w, kind, &box, name, n_names, region_of, in_time, text);
}

static inline void close_solids(struct beside *w)
{
    if (w->in_time) close_unsteady(&w->unsteady);
    else trial_close(&w->steady);
    mesh_free(&w->whole);
}

static inline const struct field *temperature(const struct flow *f)
{
    return fields_find(&f->fields, "temperature", FIELD_OUTPUT);
}

/* Heat that enters the flow's mesh through a boundary, by name. */
static inline double heat_through(const struct beside *w, const char *name)
{
    const struct field *t = temperature(w->f);
    const struct mesh *m = w->in_time ? &w->unsteady.m : &w->steady.m;
    double sum = 0;
    t->make_gradient(t->owner);
    double *through = FROM_DEVICE((double *)t->make_flux(t->owner), w->f->s.n_boundary);
    for (const struct patch *p = m->patch; p < m->patch + m->n_patches; p++)
        for (int32_t k = 0; !strcmp(p->name, name) && k < p->count; k++) sum += through[p->first - m->n_internal + k];
    free(through);
    return sum;
}
#endif
