/* Steady buoyant flow at rest: its disturbance, and when acceleration waits (rest.h). */
#include "flow/rest.h"
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "mesh/mesh.h"
#include "gpu/device.h"
#include "gpu/sums.h"

/* Fractions of the weight: of the velocity's terms in fluid at rest; of the disturbance; of the velocity's terms that
 * an instability has reached before acceleration may start, with the residual that it has then. */
#define AT_REST 1e-3
#define DISTURBANCE 0.01
#define DEVELOPED 0.01
#define SETTLED 1e-3

/* Forces are multiplied by 1 + DISTURBANCE times the mean of sin(2.4 pi (k + 1) x_k + k), x_k from 0 to 1 across the
 * mesh: no symmetry of a mesh is one of that.  On the host, so that all devices have the same bits. */
static void disturb(struct flow *f, const struct mesh *m)
{
    const int dim = f->s.dim;
    const size_t size = (size_t)f->s.n_faces * sizeof(double);
    double end[2 * 3], *force;
    NEW(force, f->s.n_faces);
    device_download(force, f->face_force.value, size);
    for (int i = 0; i < 2 * dim; i++) end[i] = -INFINITY;
    for (int32_t c = 0; c < f->s.n_cells; c++)
        for (int k = 0; k < dim; k++) {
            const double x = m->cell_centre[(int64_t)k * m->n_all + c];
            end[k] = fmax(end[k], x), end[dim + k] = fmax(end[dim + k], -x);
        }
    largest_over_ranks(end, 2 * dim);
    for (int32_t i = 0; i < f->s.n_faces; i++) {
        double sum = 0;
        for (int k = 0; k < dim; k++) {
            const double length = end[k] + end[dim + k], x = face_centre(m, k, i) + end[dim + k];
            if (length > 0) sum += sin(2.4 * M_PI * (k + 1) * x / length + k) / dim;
        }
        force[i] *= 1 + DISTURBANCE * sum;
    }
    device_upload(f->face_force.value, force, size);
    free(force);
}

void rest_forces(struct flow *f, const struct mesh *m, double *state)
{
    if (!flow_acting_scalar(f->c)) return;
    residual_of_forces(&f->residual, &f->s, &f->face_force);
    if (*state != REST_FOUND) return;
    disturb(f, m);
    *state = REST_DISTURBED;
}

bool rest_look(const struct flow *f, const double *residual, double *state)
{
    double worst = 0;
    if (!flow_acting_scalar(f->c)) return false;
    if (*state == 0 && f->residual.motion < AT_REST) *state = REST_FOUND;
    for (int k = 0; k < f->s.dim; k++) worst = fmax(worst, residual[k]);
    return *state > 0 && (f->residual.motion < DEVELOPED || worst > SETTLED);
}
