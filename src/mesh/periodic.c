/* Joins periodic patches.  The shift between them may be any translation; a face of one patch matches the face of the
 * other whose centre is its own centre, shifted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/dense.h"
#include "base/memory.h"
#include "mesh/cells.h"

static const double TOLERANCE = 1e-3;                   /* relative to the face's size, for centres and areas */
/* Faces are sorted along this direction, which is unlikely to be aligned with grid lines. */
static const double DIRECTION[3] = {0.8017837, 0.5345225, 0.2672612};

struct rim_face { double along, size, magnitude, centre[3], area[3]; int32_t half; };
struct rim { struct rim_face *face; int32_t n; double middle[3]; };

static int compare_along(const void *p, const void *q)
{
    const struct rim_face *a = p, *b = q;
    if (a->along != b->along) return a->along < b->along ? -1 : 1;
    return (a->half > b->half) - (a->half < b->half);
}

static void find_rim(struct rim *r, const struct mesh *m, const struct halves *h, const int32_t *mate, int patch)
{
    *r = (struct rim){0};
    for (int32_t i = 0; i < h->n; i++) r->n += mate[i] == MATE_OF_PATCH(patch);
    NEW(r->face, r->n);
    struct rim_face *f = r->face;
    for (int32_t i = 0; i < h->n; i++) {
        if (mate[i] != MATE_OF_PATCH(patch)) continue;
        const struct ring ring = {h->vertex + h->start[i], (int)(h->start[i + 1] - h->start[i]), 0, 1};
        face_measure(m, &ring, f->area, f->centre);
        f->magnitude = sqrt(dot(f->area, f->area));
        f->size = m->dim == 2 ? f->magnitude : sqrt(f->magnitude);
        f->half = i;
        for (int k = 0; k < 3; k++) r->middle[k] += f->centre[k] / r->n;
        f++;
    }
}

/* The face of patch b that matches face f of patch a after the shift; NULL if there is none within the tolerance. */
static const struct rim_face *find_partner(const struct rim_face *f, const struct rim *b, const double shift[3])
{
    double at[3], along = 0, room = TOLERANCE * f->size, best = room;
    for (int k = 0; k < 3; k++) at[k] = f->centre[k] + shift[k], along += at[k] * DIRECTION[k];
    int32_t low = 0, high = b->n;
    while (low < high) {
        int32_t half = low + (high - low) / 2;
        if (b->face[half].along < along - room) low = half + 1;
        else high = half;
    }
    const struct rim_face *found = NULL;
    for (; low < b->n && b->face[low].along <= along + room; low++) {
        double arm[3], distance = difference(b->face[low].centre, at, arm);
        if (distance <= best) best = distance, found = &b->face[low];
    }
    if (!found) return NULL;
    for (int k = 0; k < 3; k++)
        if (fabs(found->area[k] + f->area[k]) > 10 * TOLERANCE * f->magnitude) return NULL;
    return found;
}

static bool mismatch(const struct mesh *m, const struct patch *a, const struct patch *b, const double shift[3],
                     struct error *e, const char *what)
{
    char by[100];
    const char *kind = m->dim == 2 ? "Curve" : "Surface";
    snprintf(by, sizeof by, "{%.6g, %.6g, %.6g}", shift[0], shift[1], shift[2]);
    refuse(e, EXIT_INPUT, "%s: periodic boundaries \"%s\" and \"%s\" do not match: %s", m->source, a->name,
           b->name, what);
    return mesh_advise(m, e, "their meshes must be equal but for the shift", "their meshes must be equal but for the "
                       "shift; in the .geo say so, for example Periodic %s {2} = {4} Translate %s;  where 2 is of "
                       "\"%s\" and 4 of \"%s\"", kind, by, b->name, a->name);
}

static bool join(struct mesh *m, const struct halves *h, int32_t *mate, const struct patch *pa, const struct patch *pb,
                 const struct rim *a, struct rim *b, struct error *e)
{
    double shift[3];
    char what[300], at[100];
    for (int k = 0; k < 3; k++) shift[k] = b->middle[k] - a->middle[k];
    snprintf(what, sizeof what, "%d faces and %d", a->n, b->n);
    if (a->n != b->n) return mismatch(m, pa, pb, shift, e, what);
    for (int32_t i = 0; i < b->n; i++) {
        b->face[i].along = 0;
        for (int k = 0; k < 3; k++) b->face[i].along += b->face[i].centre[k] * DIRECTION[k];
    }
    qsort(b->face, (size_t)b->n, sizeof *b->face, compare_along);
    RESIZE(m->joint_face, m->n_joints + a->n), RESIZE(m->joint_shift, 3 * (m->n_joints + a->n));
    for (int32_t i = 0; i < a->n; i++) {
        const struct rim_face *f = &a->face[i], *g = find_partner(f, b, shift);
        snprintf(what, sizeof what, "the face of \"%s\" at %s has no counterpart in \"%s\"", pa->name,
                 point_text(m, f->centre, at), pb->name);
        if (!g || mate[g->half] >= 0) return mismatch(m, pa, pb, shift, e, what);
        int32_t c = h->cell[f->half], d = h->cell[g->half];
        if (c == d)
            return refuse(e, EXIT_INPUT, "%s: periodic boundaries \"%s\" and \"%s\" would make a cell its own "
                          "neighbour: %s has a face in both\n  there must be at least 2 cells between them", m->source,
                          pa->name, pb->name, cell_text(m, c, what));
        mate[f->half] = g->half, mate[g->half] = f->half;
        m->joint_face[m->n_joints] = c < d ? f->half : g->half;
        for (int k = 0; k < 3; k++) m->joint_shift[3 * m->n_joints + k] = c < d ? shift[k] : -shift[k];
        m->n_joints++;
    }
    return true;
}

bool periodic_join(struct mesh *m, const struct halves *h, int32_t *mate, const int *periodic, int n_periodic,
                   struct error *e)
{
    bool ok = true;
    for (int i = 0; i < 2 * n_periodic && ok; i++)
        for (int j = 0; j < i && ok; j++)
            if (periodic[i] == periodic[j])
                ok = refuse(e, EXIT_INPUT, "%s: boundary \"%s\" occurs twice among the periodic ones; it needs "
                            "exactly one partner, another boundary", m->source, m->patch[periodic[i]].name);
    for (int k = 0; k < n_periodic && ok; k++) {
        struct rim a, b;
        find_rim(&a, m, h, mate, periodic[2 * k]);
        find_rim(&b, m, h, mate, periodic[2 * k + 1]);
        ok = join(m, h, mate, &m->patch[periodic[2 * k]], &m->patch[periodic[2 * k + 1]], &a, &b, e);
        free(a.face), free(b.face);
    }
    return ok;
}
