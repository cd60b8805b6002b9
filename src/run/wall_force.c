/* Force and moment of the fluid on boundaries, a row in forces/NAME.csv. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/forest.h"
#include "base/memory.h"
#include "flow/drive.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "mesh/part.h"
#include "run/boundary_faces.h"
#include "run/monitor_kernels.h"
#include "run/monitor_kind.h"

struct wall_force {
    int dim;
    int32_t n;                  /* boundary faces of this rank */
    int32_t *start;             /* [boundaries of the setting + 1] first face of each */
    int32_t *face;              /* on the device */
    double *on_device, *on_host;        /* [2 dim n] */
    double *arm;                /* [dim n] host: face centre - reference point of moments */
    double *centre;             /* [dim n] on the device: face centre */
    double *pull;               /* [dim n] host: the force of a unit of the gradient that drives the flow; or NULL */
};

static const char axis_name[] = "xyz";

/* ---------------------------------------------------------------- the share of a driving gradient */
/* The vertices of surfaces that a periodic boundary cuts, and of no others, on the side to which `direction` points:
 * [vertices of the whole mesh], the caller's to free. */
static bool *find_far_side(const struct mesh *m, const double *direction)
{
    enum { NEAR_SIDE = 1, FAR_SIDE };
    int32_t *parent;
    uint8_t *touches;
    bool *far_side;
    NEW(parent, m->n_vertices), NEW(touches, m->n_vertices), NEW(far_side, m->n_vertices);
    for (int32_t v = 0; v < m->n_vertices; v++) parent[v] = v;
    for (int32_t f = m->n_internal; f < m->n_faces; f++)
        for (int64_t k = m->face_start[f] + 1; k < m->face_start[f + 1]; k++)
            forest_join(parent, m->face_vertex[k - 1], m->face_vertex[k]);
    for (int32_t j = 0; j < m->n_joints; j++) {
        const double *shift = m->joint_shift + 3 * (int64_t)j;
        const double along = shift[0] * direction[0] + shift[1] * direction[1] + shift[2] * direction[2];
        const double length = sqrt(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]);
        for (int side = 0; side < 2 && fabs(along) > 1e-9 * length; side++) {
            const int32_t ring = side ? m->n_faces + j : m->joint_face[j];
            for (int64_t k = m->face_start[ring]; k < m->face_start[ring + 1]; k++)
                touches[forest_root(parent, m->face_vertex[k])] |= side == (along > 0) ? FAR_SIDE : NEAR_SIDE;
        }
    }
    for (int32_t v = 0; v < m->n_vertices; v++) far_side[v] = touches[forest_root(parent, v)] == FAR_SIDE;
    free(parent), free(touches);
    return far_side;
}

/* A gradient G along n is a pressure -G n.x.  A body that a periodic boundary cuts is one again when what is on the far
 * side is moved back by the period; a wall along all of the period begins where the mesh does. */
static double *pull_of(const struct wall_force *f, const struct mesh *m, const int32_t *face, const double *direction,
                       double period)
{
    const struct mesh *w = mesh_whole(m);
    bool *far_side = find_far_side(w, direction);
    double *pull;
    NEW(pull, (int64_t)f->dim * f->n);
    for (int32_t i = 0; i < f->n; i++) {
        const int32_t here = m->n_internal + face[i], there = m->part ? m->part->face[here] : here;
        double along = far_side[w->face_vertex[w->face_start[there]]] ? -period : 0;
        for (int k = 0; k < f->dim; k++) along += direction[k] * face_centre(m, k, here);
        for (int k = 0; k < f->dim; k++) pull[(int64_t)k * f->n + i] = -along * face_vector(m->face_area, m, k, here);
    }
    free(far_side);
    return pull;
}

/* ---------------------------------------------------------------- the monitor */
static bool create(struct monitor *o, struct error *e)
{
    struct wall_force *f = o->own;
    const struct force_setting *set = o->set;
    const struct mesh *m = o->x->m;
    const double *direction;
    double *centre, period;
    f->dim = m->dim;
    NEW(f->start, set->n_boundaries + 1);
    int32_t *face = boundary_faces(m, set->boundary, set->n_boundaries, &f->n, f->start, case_place_text(set->place),
                                   "forces", set->name, e);
    if (!face) return false;
    NEW(f->arm, (int64_t)m->dim * f->n);
    NEW(centre, (int64_t)m->dim * f->n);
    NEW(f->on_host, 2 * (int64_t)m->dim * f->n);
    for (int32_t i = 0; i < f->n; i++)
        for (int k = 0; k < m->dim; k++) {
            double middle = face_centre(m, k, m->n_internal + face[i]);
            centre[(int64_t)k * f->n + i] = middle;
            f->arm[(int64_t)k * f->n + i] = middle - set->about[k];
        }
    if (o->x->f->drive && o->x->f->c->driven.given) {
        drive_gradient(o->x->f, &direction, &period);
        f->pull = pull_of(f, m, face, direction, period);
    }
    f->face = device_copy_of(face, (size_t)f->n * sizeof *face, "force faces");
    f->centre = device_copy_of(centre, (size_t)m->dim * (size_t)f->n * sizeof *centre, "force faces");
    f->on_device = device_alloc(2 * (size_t)m->dim * (size_t)f->n * sizeof(double), "forces");
    free(face), free(centre);
    return true;
}

static void columns(const void *setting, const struct fields *all, int dim, struct watch *w)
{
    const struct force_setting *set = setting;
    (void)all;
    for (int k = 0; k < dim; k++) watch_add(w, "force_%c", axis_name[k]);
    for (int k = 0; k < dim; k++) watch_add(w, "viscous_%c", axis_name[k]);
    for (int k = dim == 2 ? 2 : 0; k < 3; k++) watch_add(w, "moment_%c", axis_name[k]);
    if (set->scale > 0) for (int k = 0; k < dim; k++) watch_add(w, "coefficient_%c", axis_name[k]);
}

/* total: force, its viscous part and moment, [3] each. */
static void add_face(const struct wall_force *f, int32_t i, double gradient, double total[9])
{
    double at[3] = {0}, on[3] = {0};
    for (int k = 0; k < f->dim; k++) {
        double shear = f->on_host[(int64_t)(f->dim + k) * f->n + i];
        at[k] = f->arm[(int64_t)k * f->n + i];
        on[k] = f->on_host[(int64_t)k * f->n + i] + shear;
        if (f->pull) on[k] += gradient * f->pull[(int64_t)k * f->n + i];
        total[k] += on[k], total[3 + k] += shear;
    }
    for (int k = 0; k < 3; k++)
        total[6 + k] += at[(k + 1) % 3] * on[(k + 2) % 3] - at[(k + 2) % 3] * on[(k + 1) % 3];
}

void wall_force_of_faces(const struct flow *flow, const int32_t *face, const double *centre, int32_t n, double *force,
                         double *host)
{
    struct force_args a = {.s = flow->s, .b = flow->b, .fluids = fluids_of(flow), .face = face, .point = centre,
                           .u = flow->u, .grad_u = flow->grad_u,
                           .wall = flow->reconstruction.wall, .n = n, .force = force};
    wall_forces(&a, n);
    device_download(host, force, 2 * (size_t)flow->s.dim * (size_t)n * sizeof(double));
}

static void read_force(struct monitor *o, const struct flow *flow)
{
    const struct wall_force *f = o->own;
    const struct force_setting *set = o->set;
    const double *direction;
    int dim = f->dim;
    double period, gradient = f->pull ? drive_gradient(flow, &direction, &period) : 0;
    wall_force_of_faces(flow, f->face, f->centre, f->n, f->on_device, f->on_host);
    double total[9] = {0};
    for (int k = 0; k < set->n_boundaries; k++)      /* rank by rank, the order of a single rank */
        for (int rank = 0; rank < ranks_count(); rank++) {
            for (int32_t i = f->start[k]; rank == ranks_own() && i < f->start[k + 1]; i++)
                add_face(f, i, gradient, total);
            sums_of_rank(total, 9, rank);
        }
    double *value = o->row->value;
    for (int k = 0; k < dim; k++) *value++ = total[k];
    for (int k = 0; k < dim; k++) *value++ = total[3 + k];
    for (int k = dim == 2 ? 2 : 0; k < 3; k++) *value++ = total[6 + k];
    if (set->scale > 0) for (int k = 0; k < dim; k++) *value++ = total[k] / set->scale;
}

static void free_force(void *own)
{
    struct wall_force *f = own;
    device_free(f->face), device_free(f->centre), device_free(f->on_device);
    free(f->on_host), free(f->arm), free(f->start), free(f->pull);
}

const struct monitor_kind forces_kind = {
    .section = "forces", .word = "force", .list = offsetof(struct case_settings, forces),
    .element = sizeof(struct force_setting), .looks = true, .size = sizeof(struct wall_force),
    .columns = columns, .create = create, .read = read_force, .free = free_force};
