#include "flow/write.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "interface/forces.h"
#include "interface/interface.h"

static double *download(const double *from, int64_t n)
{
    double *to;
    NEW(to, n);
    device_download(to, from, (size_t)n * sizeof *to);
    return to;
}

/* Curl of the velocity: in 2-D its third component alone. */
static double *vorticity(const double *gradient, int dim, int64_t stride, int32_t n)
{
    double *curl;
    NEW(curl, (dim == 2 ? 1 : 3) * stride);
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++) {
        int i = dim == 2 ? 0 : (k + 1) % 3, j = dim == 2 ? 1 : (k + 2) % 3;         /* d u_j / d x_i - d u_i / d x_j */
        for (int32_t c = 0; c < n; c++)
            curl[k * stride + c] = gradient[(j * dim + i) * stride + c] - gradient[(i * dim + j) * stride + c];
    }
    return curl;
}

static double *density(const struct flow *f)
{
    const struct case_settings *c = f->c;
    double *rho;
    if (f->interface) rho = download(f->interface->fraction, f->s.n_padded);
    else NEW(rho, f->s.n_padded);
    for (int32_t i = 0; i < f->s.n_cells; i++) rho[i] = c->density + (c->second_fluid.density - c->density) * rho[i];
    return rho;
}

/* From the pressure that is solved for: + density gravity . x. */
static double *pressure(const struct flow *f, const struct mesh *m)
{
    double *p = download(f->p, f->s.n_padded);
    if (!f->c->gravity_length) return p;
    double *rho = density(f);
    for (int32_t i = 0; i < f->s.n_cells; i++) {
        double depth = 0;
        for (int k = 0; k < f->s.dim; k++) depth += f->c->gravity[k] * m->cell_centre[(int64_t)k * m->n_cells + i];
        p[i] += rho[i] * depth;
    }
    free(rho);
    return p;
}

enum { MOST_ARRAYS = 16 };
struct fields { struct output_field field[MOST_ARRAYS]; double *array[MOST_ARRAYS]; int n, n_arrays; };

/* A field of its own array. */
static void add_field(struct fields *all, const char *name, int components, double *value, int64_t stride)
{
    all->field[all->n++] = (struct output_field){name, components, value, stride};
    all->array[all->n_arrays++] = value;
}

static void add_gradient(struct fields *all, const double *gradient, int dim, int64_t stride)
{
    static const char *const name[] = {"gradient_velocity_x", "gradient_velocity_y", "gradient_velocity_z"};
    for (int k = 0; k < dim; k++) all->field[all->n++] = (struct output_field){name[k], dim, gradient + k * dim * stride, stride};
}

static void add_interface_field(struct fields *all, struct interface *i, const char *name, int64_t stride)
{
    const struct { const char *name; const double *value; } known[] = {
        {"fraction", i->fraction}, {"distance", i->distance}, {"curvature", i->curvature}};
    if (!strcmp(name, "curvature")) interface_forces(i);        /* of the interface as it is now */
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (!strcmp(name, known[k].name)) add_field(all, name, 1, download(known[k].value, stride), stride);
}

bool write_fields(struct output *o, struct flow *f, const struct mesh *m, int64_t step, double time, struct error *e)
{
    struct fields all = {.n = 0};
    double *gradient = NULL;
    int dim = f->s.dim;
    int64_t stride = f->s.n_padded;
    for (int i = 0; i < f->c->n_fields; i++) {
        const char *name = f->c->field[i];
        bool of_gradient = !strcmp(name, "gradient") || !strcmp(name, "vorticity");
        if (of_gradient && !gradient)
            gradient = all.array[all.n_arrays++] = download(flow_velocity_gradient(f), dim * dim * stride);
        if (!strcmp(name, "velocity")) add_field(&all, name, dim, download(f->u, dim * stride), stride);
        else if (!strcmp(name, "reduced-pressure")) add_field(&all, name, 1, download(f->p, stride), stride);
        else if (!strcmp(name, "pressure")) add_field(&all, name, 1, pressure(f, m), stride);
        else if (!strcmp(name, "density")) add_field(&all, name, 1, density(f), stride);
        else if (!strcmp(name, "vorticity"))
            add_field(&all, name, dim == 2 ? 1 : 3, vorticity(gradient, dim, stride, f->s.n_cells), stride);
        else if (!strcmp(name, "gradient")) add_gradient(&all, gradient, dim, stride);
        else add_interface_field(&all, f->interface, name, stride);
    }
    bool good = output_write(o, step, time, all.field, all.n, e);
    while (all.n_arrays) free(all.array[--all.n_arrays]);
    return good;
}

/* What the mesh is, in words and to the bit: a checkpoint belongs to it. */
static void mesh_key(const struct mesh *m, char *key, size_t size)
{
    uint64_t h = digest_add(DIGEST_START, m->cell_centre, (size_t)m->dim * (size_t)m->n_cells * sizeof *m->cell_centre);
    h = digest_add(h, m->face_owner, (size_t)m->n_faces * sizeof *m->face_owner);
    const char *slash = strrchr(m->source, '/');        /* the same mesh from another folder is the same */
    snprintf(key, size, "mesh %s: %d cells, %d faces, geometry and order %016" PRIx64, slash ? slash + 1 : m->source, m->n_cells,
             m->n_faces, h);
}

enum { N_ARRAYS = MOST_STATE + 3 };
struct arrays {
    struct checkpoint_array a[N_ARRAYS];        /* what is on the machine with room on the host; multigrid's structure last */
    double *on_device[N_ARRAYS];                /* where each lives; NULL: on the host already */
    int n;
};

static void add_array(struct arrays *all, const char *name, double *value, int64_t n, bool on_host)
{
    double *host = value;
    if (!on_host) NEW(host, n);
    all->a[all->n] = (struct checkpoint_array){name, host, n, false};
    all->on_device[all->n++] = on_host ? NULL : value;
}

static void collect(struct arrays *all, const struct state *state, int n, struct monitors *w, double *clock)
{
    int64_t length;
    double *history = monitors_history(w, &length);
    all->n = 0;
    for (int i = 0; i < n; i++) add_array(all, state[i].name, state[i].value, state[i].n, state[i].on_host);
    add_array(all, "history", history, length, true);
    add_array(all, "clock", clock, 1, true);
    all->a[all->n] = (struct checkpoint_array){.name = "multigrid", .integers = true}, all->on_device[all->n++] = NULL;
}

static void free_arrays(struct arrays *all)
{
    for (int i = 0; i < all->n; i++) if (all->on_device[i] || all->a[i].integers) free(all->a[i].value);
}

bool write_checkpoint(const char *path, const struct flow *f, const struct state *state, int n, struct monitors *w, const struct mesh *m,
                      int64_t step, double *clock, struct error *e)
{
    struct arrays all;
    char key[PATH_LENGTH + 256];
    collect(&all, state, n, w, clock);
    for (int i = 0; i < all.n; i++)
        if (all.on_device[i]) device_download(all.a[i].value, all.on_device[i], (size_t)all.a[i].n * sizeof(double));
    struct checkpoint_array *structure = &all.a[all.n - 1];
    if (f->pressure_solver) structure->value = solver_structure(f->pressure_solver, &structure->n);
    mesh_key(m, key, sizeof key);
    bool good = checkpoint_write(path, key, step, all.a, all.n, e);
    free_arrays(&all);
    return good;
}

bool read_checkpoint(const char *path, struct flow *f, const struct state *state, int n, struct monitors *w, const struct mesh *m,
                     int64_t *step, double *clock, struct error *e)
{
    struct arrays all;
    char key[PATH_LENGTH + 256];
    collect(&all, state, n, w, clock);
    mesh_key(m, key, sizeof key);
    bool good = checkpoint_read(path, key, step, all.a, all.n, e);
    const struct checkpoint_array *structure = &all.a[all.n - 1];
    if (good && !monitors_history_fits(w, *step))
        good = refuse(e, EXIT_INPUT, "%s: \"history\" is not one of %" PRId64 " steps; run without --restart", path, *step);
    if (good && f->pressure_solver && !solver_set_structure(f->pressure_solver, structure->value, structure->n))
        good = refuse(e, EXIT_INPUT, "%s: \"multigrid\" is not a structure for this mesh; run without --restart", path);
    for (int i = 0; i < all.n && good; i++)
        if (all.on_device[i]) device_upload(all.on_device[i], all.a[i].value, (size_t)all.a[i].n * sizeof(double));
    free_arrays(&all);
    return good;
}

bool peek_checkpoint(const char *path, const struct mesh *m, int64_t *step, struct error *e)
{
    char key[PATH_LENGTH + 256];
    mesh_key(m, key, sizeof key);
    return checkpoint_read(path, key, step, NULL, 0, e);
}

uint64_t fields_digest(const struct flow *f, const struct mesh *m)
{
    int dim = f->s.dim, n = dim + 1 + (f->interface != NULL);
    double *u = download(f->u, dim * f->s.n_padded), *p = download(f->p, f->s.n_padded), *row;
    double *fraction = f->interface ? download(f->interface->fraction, f->s.n_padded) : NULL;
    NEW(row, (int64_t)n * m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) {
        double *at = row + (int64_t)n * m->cell_original[c];
        for (int k = 0; k < dim; k++) at[k] = u[k * f->s.n_padded + c];
        at[dim] = p[c];
        if (fraction) at[dim + 1] = fraction[c];
    }
    uint64_t h = digest_add(DIGEST_START, row, (size_t)n * (size_t)m->n_cells * sizeof *row);
    free(u), free(p), free(fraction), free(row);
    return h;
}
