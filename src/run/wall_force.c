#include "run/wall_force.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "run/monitor_kernels.h"

static const char axis_name[] = "xyz";

/* This rank's faces of the setting's boundaries, those of boundary i up to end[i]; the caller frees them.  NULL with a
 * message. */
static int32_t *faces_of(const struct force_setting *set, const struct mesh *m, int32_t *n, int32_t *end,
                         const char *place, struct error *e)
{
    int32_t *face;
    NEW(face, m->n_faces - m->n_internal);
    for (int i = 0; i < set->n_boundaries; i++) {
        int p = 0;
        while (p < m->n_patches && strcmp(m->patch[p].name, set->boundary[i])) p++;
        if (p == m->n_patches) {
            const char **names;
            NEW(names, m->n_patches);
            for (int k = 0; k < m->n_patches; k++) names[k] = m->patch[k].name;
            const char *near = nearest_name(set->boundary[i], names, m->n_patches);
            free(names), free(face);
            refuse(e, EXIT_INPUT, "%s: forces.%s: boundary \"%s\" is not in the mesh%s%s%s", place, set->name,
                   set->boundary[i], near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
            return NULL;
        }
        for (int32_t k = 0; k < m->patch[p].count; k++) face[(*n)++] = m->patch[p].first + k - m->n_internal;
        end[i] = *n;
    }
    return face;
}

bool wall_force_create(struct wall_force *f, const struct force_setting *set, const struct mesh *m, const char *place,
                       struct error *e)
{
    double *centre;
    f->set = set, f->dim = m->dim;
    NEW(f->end, set->n_boundaries);
    int32_t *face = faces_of(set, m, &f->n, f->end, place, e);
    if (!face) return false;
    NEW(f->arm, (int64_t)m->dim * f->n);
    NEW(centre, (int64_t)m->dim * f->n);
    NEW(f->on_host, 2 * (int64_t)m->dim * f->n);
    for (int32_t i = 0; i < f->n; i++)
        for (int k = 0; k < m->dim; k++) {
            int32_t at = m->n_internal + face[i];
            double x = m->cell_centre[(int64_t)k * m->n_all + m->face_owner[at]]
                + m->face_r[(int64_t)k * m->n_faces + at];
            centre[(int64_t)k * f->n + i] = x;
            f->arm[(int64_t)k * f->n + i] = x - set->about[k];
        }
    f->face = device_copy_of(face, (size_t)f->n * sizeof *face, "force faces");
    f->centre = device_copy_of(centre, (size_t)m->dim * (size_t)f->n * sizeof *centre, "force faces");
    f->on_device = device_alloc(2 * (size_t)m->dim * (size_t)f->n * sizeof(double), "forces");
    free(face), free(centre);
    f->watch.name = set->name;
    wall_force_columns(set, m->dim, &f->watch);
    return true;
}

void wall_force_columns(const struct force_setting *set, int dim, struct watch *w)
{
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

void wall_force_read(struct wall_force *f, const struct flow *flow)
{
    int dim = f->dim;
    struct boundary b = flow->b;
    b.pressure = (double *)flow_boundary_pressure(flow);        /* it is only read */
    struct force_args a = {.s = flow->s, .b = b, .fluids = fluids_of(flow), .face = f->face, .point = f->centre,
                           .u = flow->u, .grad_u = flow->grad_u ? flow->grad_u : flow->shown_grad_u,
                           .wall = flow->reconstruction.wall, .n = f->n, .force = f->on_device};
    wall_forces(&a, f->n);
    device_download(f->on_host, f->on_device, 2 * (size_t)dim * (size_t)f->n * sizeof(double));
    double total[9] = {0};
    for (int k = 0; k < f->set->n_boundaries; k++)      /* rank after rank, which is the order of one */
        for (int rank = 0; rank < ranks_count(); rank++) {
            for (int32_t i = k ? f->end[k - 1] : 0; rank == ranks_own() && i < f->end[k]; i++) add_face(f, i, total);
            sums_of_rank(total, 9, rank);
        }
    double *value = f->watch.value;
    for (int k = 0; k < dim; k++) *value++ = total[k];
    for (int k = 0; k < dim; k++) *value++ = total[3 + k];
    for (int k = dim == 2 ? 2 : 0; k < 3; k++) *value++ = total[6 + k];
    if (f->set->scale > 0) for (int k = 0; k < dim; k++) *value++ = total[k] / f->set->scale;
}

void wall_force_free(struct wall_force *f)
{
    watch_free(&f->watch);
    device_free(f->face), device_free(f->centre), device_free(f->on_device);
    free(f->on_host), free(f->arm), free(f->end);
}
