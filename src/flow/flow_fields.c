/* The fields common to all algorithms, and derived fields computed on demand. */
#include <math.h>
#include <stdlib.h>
#include "assembly/gradient.h"
#include "base/memory.h"
#include "flow/flow.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "interface/interface.h"
#include "mesh/mesh.h"

static double *on_host(const double *from, int64_t n)
{
    double *to;
    NEW(to, n);
    device_download(to, from, (size_t)n * sizeof *to);
    return to;
}

/* ---------------------------------------------------------------- gradients */
/* In transient flow, where no step needs them: each is computed twice, because the values extrapolated to the boundary
 * need the gradient, and the gradient needs them. */
static void follow_pressure(struct flow *f)
{
    struct boundary_args b = {.s = f->s, .b = f->b, .u = f->u, .p = f->p, .grad_p = f->grad_p}, walls = b;
    walls.force = f->face_force;
    walls.force.acts &= !f->interface;                  /* its force at walls is not known */
    fill(&(struct fill_args){f->grad_p, 0}, f->s.dim * f->s.pitch);
    stencil_update_far(&f->s, f->p, 1);
    for (int i = 0; i < 3; i++) {
        boundary_pressure(&b, f->s.n_boundary);
        wall_pressure(&walls, f->b.n_wall_cells);
        if (i < 2) gradient(&f->s, GRADIENT_GREEN_GAUSS, 1, f->p, f->b.pressure, f->grad_p, f->scratch);
    }
}

/* Steady flow has already computed the boundary's pressure and, if no force acts at faces, this very gradient. */
const double *flow_pressure_gradient(struct flow *f)
{
    if (flow_is_transient(f->c)) follow_pressure(f);
    else gradient(&f->s, GRADIENT_GREEN_GAUSS, 1, f->p, f->b.pressure, f->grad_p, f->scratch);
    return f->grad_p;
}

static const double *gradient_of_velocity(void *flow) { return flow_velocity_gradient(flow); }
static const double *gradient_of_pressure(void *flow) { return flow_pressure_gradient(flow); }

/* ---------------------------------------------------------------- output */
static void show_gradient(void *flow, const struct mesh *m, double *to)
{
    (void)m;
    struct flow *f = flow;
    device_download(to, flow_velocity_gradient(f), (size_t)(f->s.dim * f->s.dim * f->s.pitch) * sizeof *to);
}

/* Curl of the velocity: in 2-D only its third component. */
static void show_vorticity(void *flow, const struct mesh *m, double *to)
{
    struct flow *f = flow;
    int dim = f->s.dim;
    int64_t stride = f->s.pitch;
    double *gradient = on_host(flow_velocity_gradient(f), dim * dim * stride);
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++) {
        int i = dim == 2 ? 0 : (k + 1) % 3, j = dim == 2 ? 1 : (k + 2) % 3;         /* d u_j / d x_i - d u_i / d x_j */
        for (int32_t c = 0; c < m->n_cells; c++)
            to[k * stride + c] = gradient[(j * dim + i) * stride + c] - gradient[(i * dim + j) * stride + c];
    }
    free(gradient);
}

/* sqrt(2 S:S), S the symmetric part of the gradient. */
static void show_shear_rate(void *flow, const struct mesh *m, double *to)
{
    struct flow *f = flow;
    const int dim = f->s.dim;
    const int64_t stride = f->s.pitch;
    double *gradient = on_host(flow_velocity_gradient(f), dim * dim * stride);
    for (int32_t c = 0; c < m->n_cells; c++) {
        double sum = 0;
        for (int k = 0; k < dim * dim; k++) {
            double both = gradient[k * stride + c] + gradient[(k % dim * dim + k / dim) * stride + c];
            sum += both * both / 2;
        }
        to[c] = sqrt(sum);
    }
    free(gradient);
}

static void show_density(void *flow, const struct mesh *m, double *to)
{
    const struct flow *f = flow;
    if (f->properties.fraction) device_download(to, f->properties.fraction, (size_t)f->s.n_cells * sizeof *to);
    for (int32_t i = 0; i < m->n_cells; i++)
        to[i] = f->properties.fraction ? mixed_density(&f->properties, to[i]) : f->properties.density[0];
}

static void show_region(void *flow, const struct mesh *m, double *to)
{
    (void)flow;
    for (int32_t i = 0; i < m->n_cells; i++) to[i] = m->cell_region[i];
}

void flow_add_hydrostatic(struct flow *f, const struct mesh *m, double sign, double *p)
{
    double *density, first = f->properties.density[0], bottom = f->interface ? f->interface->bottom : 0;
    NEW(density, m->n_cells);
    show_density(f, m, density);
    for (int32_t i = 0; i < f->s.n_cells; i++) {
        double depth = 0;
        for (int k = 0; k < m->dim; k++) depth += f->gravity[k] * m->cell_centre[(int64_t)k * m->n_all + i];
        p[i] += sign * (density[i] * depth - (density[i] - first) * bottom);
    }
    free(density);
}

/* The pressure in output files with gravity. */
static void show_pressure(void *flow, const struct mesh *m, double *to)
{
    const struct flow *f = flow;
    device_download(to, f->p, (size_t)f->s.n_cells * sizeof *to);
    flow_add_hydrostatic(flow, m, 1, to);
}

/* ---------------------------------------------------------------- the list */
void flow_fields(struct flow *f)
{
    enum { EVERYTHING = FIELD_OUTPUT | FIELD_CHECKPOINT | FIELD_SAMPLE | FIELD_DIGEST | FIELD_RESIDUAL };
    int dim = f->s.dim;
    const struct field all[] = {
        {.name = "velocity", .use = EVERYTHING, .components = dim, .pitch = f->s.pitch, .value = &f->u,
         .make_gradient = gradient_of_velocity, .boundary = &f->b.velocity,
         .rule = (const uint8_t *const *)&f->b.velocity_rule},
        {.name = "pressure", .use = EVERYTHING, .components = 1, .pitch = f->s.pitch, .value = &f->p, .falls = true,
         .show = f->c->fluid.gravity_length ? show_pressure : NULL, .make_gradient = gradient_of_pressure,
         .boundary = &f->b.pressure, .rule = (const uint8_t *const *)&f->b.pressure_rule},
        {.name = "gradient", .use = FIELD_OUTPUT, .components = dim * dim, .pitch = f->s.pitch,
         .show = show_gradient, .rows = "gradient_velocity"},
        {.name = "vorticity", .use = FIELD_OUTPUT, .components = dim == 2 ? 1 : 3, .pitch = f->s.pitch,
         .show = show_vorticity},
        {.name = "shear-rate", .use = FIELD_OUTPUT, .components = 1, .pitch = f->s.pitch, .show = show_shear_rate},
        {.name = "reduced-pressure", .use = FIELD_OUTPUT, .components = 1, .pitch = f->s.pitch, .value = &f->p},
        {.name = "volume_flux", .use = FIELD_CHECKPOINT, .components = 1, .pitch = f->s.n_faces, .of = ITEM_FACES,
         .value = &f->flux},
        {.name = "boundary_velocity", .use = FIELD_CHECKPOINT, .components = dim, .pitch = f->s.n_boundary,
         .of = ITEM_BOUNDARY, .value = &f->b.velocity},
        {.name = "density", .use = FIELD_OUTPUT, .components = 1, .pitch = f->s.pitch, .show = show_density}};
    int n = sizeof all / sizeof *all - !f->c->second_fluid.given;        /* the density of one fluid is constant */
    for (int i = 0; i < n && !flow_is_absent(f->c); i++) {
        struct field field = all[i];
        field.owner = f;
        fields_add(&f->fields, &field);
    }
    if (flow_has_gates(f->c))
        fields_add(&f->fields, &(struct field){.name = "outlet_shut", .use = FIELD_CHECKPOINT, .components = 1,
                                               .pitch = f->s.n_boundary, .of = ITEM_BOUNDARY, .value = &f->b.shut,
                                               .owner = f});
    const struct mesh *m = f->given.m;                  /* NULL: only names are needed */
    struct field region = {.name = "region", .use = FIELD_OUTPUT | FIELD_ALWAYS, .components = 1,
                           .pitch = m ? mesh_with_solids(m)->n_all : 0, .owner = f, .with_solids = true,
                           .show = show_region};
    if (f->c->solids.n) fields_add(&f->fields, &region);
    models_fields(f);
}
