#include "flow/write.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/memory.h"
#include "gpu/device.h"

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

bool write_fields(struct output *o, struct flow *f, int64_t step, double time, struct error *e)
{
    static const char *const gradient_name[] = {"gradient_velocity_x", "gradient_velocity_y", "gradient_velocity_z"};
    struct output_field field[8] = {{0}};
    double *array[8], *gradient = NULL;
    int dim = f->s.dim, n = 0, n_arrays = 0;
    int64_t stride = f->s.n_padded;
    for (int i = 0; i < f->c->n_fields; i++) {
        const char *name = f->c->field[i];
        bool of_gradient = !strcmp(name, "gradient") || !strcmp(name, "vorticity");
        if (of_gradient && !gradient)
            gradient = array[n_arrays++] = download(flow_velocity_gradient(f), dim * dim * stride);
        if (!strcmp(name, "velocity"))
            field[n++] = (struct output_field){"velocity", dim, array[n_arrays++] = download(f->u, dim * stride), stride};
        else if (!strcmp(name, "pressure"))
            field[n++] = (struct output_field){"pressure", 1, array[n_arrays++] = download(f->p, stride), stride};
        else if (!strcmp(name, "vorticity"))
            field[n++] = (struct output_field){"vorticity", dim == 2 ? 1 : 3,
                                               array[n_arrays++] = vorticity(gradient, dim, stride, f->s.n_cells), stride};
        else
            for (int k = 0; k < dim; k++)
                field[n++] = (struct output_field){gradient_name[k], dim, gradient + k * dim * stride, stride};
    }
    bool good = output_write(o, step, time, field, n, e);
    while (n_arrays) free(array[--n_arrays]);
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
    if (f->pressure_solver) structure->value = cg_structure(f->pressure_solver, &structure->n);
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
    if (good && f->pressure_solver && !cg_set_structure(f->pressure_solver, structure->value, structure->n))
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
    int dim = f->s.dim;
    double *u = download(f->u, dim * f->s.n_padded), *p = download(f->p, f->s.n_padded), *row;
    NEW(row, (int64_t)(dim + 1) * m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) {
        double *at = row + (int64_t)(dim + 1) * m->cell_original[c];
        for (int k = 0; k < dim; k++) at[k] = u[k * f->s.n_padded + c];
        at[dim] = p[c];
    }
    uint64_t h = digest_add(DIGEST_START, row, (size_t)(dim + 1) * (size_t)m->n_cells * sizeof *row);
    free(u), free(p), free(row);
    return h;
}
