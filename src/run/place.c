/* Measures a location in the flow: the fastest cell of all ranks, and the mesh around a cell. */
#include "run/place.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "interface/interface.h"

static double speed_of(const struct flow *f, const double *u, int32_t cell)
{
    double square = 0;
    for (int k = 0; k < f->s.dim; k++) square += u[k * f->s.pitch + cell] * u[k * f->s.pitch + cell];
    return sqrt(square);
}

int place_rank(double number)
{
    double largest = number, first = -INFINITY;
    largest_over_ranks(&largest, 1);
    if (number == largest) first = -ranks_own();
    largest_over_ranks(&first, 1);
    return (int)-first;
}

/* The fastest cell of this rank, or its first one that is not finite; then the speed is infinite. */
static int32_t fastest_here(const struct flow *f, const double *u, double *most)
{
    int32_t found = 0;
    *most = -1;
    for (int32_t c = 0; c < f->s.n_cells; c++) {
        double speed = speed_of(f, u, c);
        if (!isfinite(speed)) return *most = INFINITY, c;
        if (speed > *most) *most = speed, found = c;
    }
    return found;
}

/* The fastest cell of all ranks, in the whole mesh. */
static int32_t fastest(const struct flow *f, const double *u, double *most)
{
    double cell = (double)(f->s.pattern.first + fastest_here(f, u, most));
    sums_of_rank(&cell, 1, place_rank(*most));
    largest_over_ranks(most, 1);
    return (int32_t)cell;
}

/* [n_cells] 3 in the cell, 2 in its neighbours, 1 in theirs, 0 elsewhere.  The caller frees it. */
static uint8_t *cells_near(const struct mesh *m, int32_t cell)
{
    uint8_t *near;
    NEW(near, m->n_cells);
    near[cell] = 3;
    for (uint8_t ring = 3; ring > 1; ring--)
        for (int32_t f = 0; f < m->n_internal; f++) {
            int32_t o = m->face_owner[f], n = m->face_neighbour[f];
            if (near[o] == ring && !near[n]) near[n] = ring - 1;
            else if (near[n] == ring && !near[o]) near[o] = ring - 1;
        }
    return near;
}

bool place_is_outlet(const struct flow_setting *c, const struct patch *p)
{
    const struct boundary_setting *b = boundary_setting_find(&c->boundary, p->name);
    return b && boundary_gives_pressure(b->type) && !boundary_feeds(b->type);
}

static const struct patch *outlet_near(const struct flow *f, const struct mesh *m, const uint8_t *near)
{
    for (int i = 0; i < m->n_patches; i++) {
        const struct patch *p = &m->patch[i];
        if (!place_is_outlet(f->c, p)) continue;
        for (int32_t face = p->first; face < p->first + p->count; face++) if (near[m->face_owner[face]]) return p;
    }
    return NULL;
}

/* The entry of an array over cells for a cell of the whole mesh; all ranks together. */
static double entry_of(const struct flow *f, const double *array, int32_t cell)
{
    double a = -INFINITY;
    int64_t here = cell - f->s.pattern.first;
    if (here >= 0 && here < f->s.n_cells) device_download(&a, array + here, sizeof a);
    largest_over_ranks(&a, 1);
    return a;
}

static double kinematic_viscosity(const struct flow *f, int32_t cell)
{
    struct properties p = f->properties;
    double fraction = p.fraction ? entry_of(f, p.fraction, cell) : 0;
    double viscosity = p.viscosity_cells ? entry_of(f, p.viscosity_cells, cell) : 0;
    fraction = fmin(fmax(fraction, 0), 1);                      /* a NaN becomes 0 */
    if (p.fraction) p.fraction = &fraction;
    if (p.viscosity_cells) p.viscosity_cells = &viscosity;
    return viscosity_in(&p, 0) / density_in(&p, 0);
}

static void measure(struct place *p, const struct flow *f, double limit)
{
    const struct mesh *m = p->m;
    uint8_t *near = cells_near(m, p->cell);
    mesh_measure_near(m, near, &p->mesh);
    p->size = mesh_edge(m->cell_volume[p->cell], m->dim);
    double speed = limit > 0 ? fmin(p->speed, limit) : p->speed;        /* a NaN becomes the limit */
    p->viscosity = kinematic_viscosity(f, p->cell);
    p->peclet = speed * p->size / p->viscosity;
    p->outlet = outlet_near(f, m, near);
    free(near);
}

void place_at(struct place *p, const struct flow *f, const struct mesh *m, int32_t cell, double speed, double limit)
{
    *p = (struct place){.m = mesh_whole(m), .cell = cell, .speed = speed};
    measure(p, f, limit);
}

void place_of_fastest(struct place *p, const struct flow *f, const struct mesh *m, const double *const *velocity, int n,
                      double limit)
{
    double *u, speed = INFINITY;
    int32_t newest = 0;
    *p = (struct place){.m = mesh_whole(m), .speed = NAN};
    NEW(u, f->s.dim * f->s.pitch);
    for (int i = 0; i < n && !isfinite(speed); i++) {
        device_download(u, velocity[i], (size_t)(f->s.dim * f->s.pitch) * sizeof *u);
        p->cell = fastest(f, u, &speed), p->age = i;
        if (i == 0) newest = p->cell;
    }
    if (isfinite(speed)) p->speed = speed;
    else p->cell = newest;
    measure(p, f, limit);
    free(u);
}

void place_name(const struct place *p, char *text, size_t size)
{
    const struct mesh *m = p->m;
    const int32_t cell = mesh_with_solids(m)->cell_original[p->cell];
    int n = snprintf(text, size, "cell %d at (%.6g", cell, m->cell_centre[p->cell]);
    for (int k = 1; k < m->dim; k++)
        n += snprintf(text + n, size - (size_t)n, ", %.6g", m->cell_centre[(int64_t)k * m->n_all + p->cell]);
    snprintf(text + n, size - (size_t)n, ")");
}
