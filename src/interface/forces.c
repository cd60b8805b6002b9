/* Computes the curvature by the chosen method and the face forces of the interface (forces.h). */
#include "interface/forces.h"
#include <math.h>
#include "gpu/device.h"
#include "gpu/vector.h"
#include "interface/interface.h"

/* gravity . x at the mesh's lowest point, where it is largest; over all ranks. */
static double find_bottom(const struct mesh *m, const double gravity[3])
{
    double bottom = -INFINITY;
    for (int32_t v = 0; v < m->n_vertices; v++) {
        double depth = 0;
        for (int k = 0; k < m->dim; k++) depth += gravity[k] * m->vertex[3 * (int64_t)v + k];
        bottom = fmax(bottom, depth);
    }
    largest_over_ranks(&bottom, 1);
    return bottom;
}

void forces_create(struct interface *i, const struct mesh *m)
{
    curvature_create(&i->fit, &i->g, i->in.boundary, m);
    i->curvature = pattern_alloc(&i->g.s.pattern, 1, sizeof *i->curvature, "curvature");
    zero_sum_create(&i->zero_sum, &i->g, m);
    const struct second_fluid_setting *second = i->in.second_fluid;
    if (second && second->tension_law.given) i->tension_law = field_table_create(&second->tension_law, 1, 0);
    if (second && tension_varies(second))
        i->pull = pattern_alloc(&i->g.s.pattern, m->dim, sizeof *i->pull, "stress along the interface"),
        i->pull_gradient = pattern_alloc(&i->g.s.pattern, m->dim, sizeof *i->pull, "stress along the interface");
    i->bottom = i->in.gravity ? find_bottom(m, i->in.gravity) : 0;
}

void forces_free(struct interface *i)
{
    curvature_free(&i->fit);
    field_table_free(&i->tension_law);
    zero_sum_free(&i->zero_sum);
    device_free(i->curvature), device_free(i->pull), device_free(i->pull_gradient);
    i->pull = i->pull_gradient = NULL;
}

struct pieces interface_pieces(const struct interface *i)
{
    return (struct pieces){i->g, i->n_cut, i->cell, i->fraction, i->normal, i->offset, i->area, i->centroid, i->moment};
}

static struct forces_args arguments(const struct interface *i, double *force)
{
    const struct second_fluid_setting *second = i->in.second_fluid;
    double density_step = second->density - i->in.fluid->density;
    struct forces_args a = {.p = interface_pieces(i), .band = i->band, .mark = i->mark, .curvature = i->curvature,
                            .force = force, .tension = interface_tension(i), .bottom = density_step * i->bottom};
    if (a.tension.temperature) a.pull = i->pull;
    for (int k = 0; k < i->g.s.dim; k++) a.jump[k] = density_step * i->in.gravity[k];
    return a;
}

static bool has_curvature(const struct interface *i)
{
    return i->in.second_fluid->surface_tension != 0 && !i->in.interface->curvature_given;
}

void interface_curvature(struct interface *i)
{
    const struct interface_setting *set = i->in.interface;
    if (!i->in.second_fluid) return;
    struct forces_args a = arguments(i, NULL);
    bool given = set->curvature_given;
    fill(&(struct fill_args){i->curvature, given ? set->given_curvature : 0}, i->g.s.n_padded);
    if (has_curvature(i)) {
        curvature_compute(&i->fit, &a.p, i->curvature);
        halo_update(i->g.around, i->curvature, 1);
        spread_curvature(&a, i->n_band);
    }
    halo_update(i->g.s.pattern.halo, i->curvature, 1);
}

void interface_forces(struct interface *i, double *force)
{
    interface_curvature(i);
    if (!i->in.second_fluid) return;
    struct forces_args a = arguments(i, force);
    marangoni_make(i);
    if (has_curvature(i)) {
        zero_sum_make(&i->zero_sum, &a, i->band_mark, i->fit.boundary_row, i->n_band, i->far);
        a.number = i->zero_sum.number, a.tilt = i->zero_sum.tilt;
    }
    interface_face_forces(&a, i->g.s.n_active);
}
