/* Force and moment of the fluid on boundaries, a row in forces/NAME.csv. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
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
};

static const char axis_name[] = "xyz";

static bool create(struct monitor *o, struct error *e)
{
    struct wall_force *f = o->own;
    const struct force_setting *set = o->set;
    const struct mesh *m = o->x->m;
    double *centre;
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
static void add_face(const struct wall_force *f, int32_t i, double total[9])
{
    double at[3] = {0}, on[3] = {0};
    for (int k = 0; k < f->dim; k++) {
        double shear = f->on_host[(int64_t)(f->dim + k) * f->n + i];
        at[k] = f->arm[(int64_t)k * f->n + i];
        on[k] = f->on_host[(int64_t)k * f->n + i] + shear;
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
    int dim = f->dim;
    wall_force_of_faces(flow, f->face, f->centre, f->n, f->on_device, f->on_host);
    double total[9] = {0};
    for (int k = 0; k < set->n_boundaries; k++)      /* rank by rank, the order of a single rank */
        for (int rank = 0; rank < ranks_count(); rank++) {
            for (int32_t i = f->start[k]; rank == ranks_own() && i < f->start[k + 1]; i++) add_face(f, i, total);
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
    free(f->on_host), free(f->arm), free(f->start);
}

const struct monitor_kind forces_kind = {
    .section = "forces", .word = "force", .list = offsetof(struct case_settings, forces),
    .element = sizeof(struct force_setting), .looks = true, .size = sizeof(struct wall_force),
    .columns = columns, .create = create, .read = read_force, .free = free_force};
