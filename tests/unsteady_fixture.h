/* unsteady_fixture.h: transient flow in the boxes of flow_fixture.h. */
#ifndef UNSTEADY_FIXTURE_H
#define UNSTEADY_FIXTURE_H
#include "flow_fixture.h"
#include "flow/transient.h"

struct unsteady { struct case_settings c; struct mesh m; struct transient t; };

/* A flow in the mesh w->m, which is complete.  text: the case without its mesh. */
static inline void start_unsteady(struct unsteady *w, const char *text)
{
    char whole[4096];
    struct error e;
    snprintf(whole, sizeof whole, "mesh = { box = { cells = [1, 1]; }; };\n%s", text);
    case_of_text(&w->c, whole);
    if (!transient_create(&w->t, &w->c.flow, &w->m, &e)) fail_msg("%s", e.text);
}

/* joined: how many of the pairs left-right, bottom-top, back-front are periodic. */
static inline void open_unsteady(struct unsteady *w, enum grid kind, const struct box_setting *box, int joined,
                                 const char *text)
{
    struct error e;
    memset(&w->m, 0, sizeof w->m);
    grid_mesh(&w->m, kind, box);
    if (!mesh_complete(&w->m, ORDERING_HILBERT, (int[]){0, 1, 2, 3, 4, 5}, joined, &e)) fail_msg("%s", e.text);
    start_unsteady(w, text);
}

static inline void close_unsteady(struct unsteady *w)
{
    transient_free(&w->t);
    mesh_free(&w->m);
    case_free(&w->c);
}

static inline struct transient_report advance_to_end(struct unsteady *w)
{
    struct transient_report r;
    double end = w->c.flow.time.end;
    while (w->t.time < end * (1 - 1e-12)) transient_advance(&w->t, transient_choose_step(&w->t, end), &r);
    return r;
}

/* The velocity at the end of a flow with two periodic pairs in 2-D, [*n], freed by the caller. */
static inline double *velocity_at_end(enum grid kind, const struct box_setting *box, const char *text, int64_t *n)
{
    struct unsteady w;
    open_unsteady(&w, kind, box, 2, text);
    advance_to_end(&w);
    *n = 2 * w.t.f.s.pitch;
    double *u = FROM_DEVICE(w.t.f.u, *n);
    close_unsteady(&w);
    return u;
}

/* The 2-norm of a - b, without padding, which may be NaN. */
static inline double distance(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) if (a[i] == a[i]) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}
#endif
