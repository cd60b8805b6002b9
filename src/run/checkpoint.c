/* Checkpoints: the fields that a restart needs, the monitors' history, multigrid's structure, the settings. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "run/write.h"

/* The key of the mesh that a checkpoint belongs to: what the mesh is in words, and a digest of all its bits. */
static void mesh_key(const struct mesh *m, char *key, size_t size)
{
    uint64_t h = digest_add(DIGEST_START, m->cell_centre, (size_t)m->dim * (size_t)m->n_cells * sizeof *m->cell_centre);
    h = digest_add(h, m->face_owner, (size_t)m->n_faces * sizeof *m->face_owner);
    const char *slash = strrchr(m->source, '/');        /* the folder is left out: the mesh may have been moved */
    snprintf(key, size, "mesh %s: %d cells, %d faces, geometry and order %016" PRIx64, slash ? slash + 1 : m->source,
             m->n_cells, m->n_faces, h);
}

struct arrays {
    struct checkpoint_array *a; /* all arrays, with room on the host for those of the machine; the last two: multigrid's
                                   structure, settings */
    const struct field **field; /* which one each is the host's copy of; NULL: it is on the host already */
    int n;
};

static void add_array(struct arrays *all, const char *name, double *value, int64_t n, const struct field *f)
{
    if (f) NEW(value, n);
    RESIZE(all->a, all->n + 1), RESIZE(all->field, all->n + 1);
    all->a[all->n] = (struct checkpoint_array){.name = name, .value = value, .n = n};
    all->field[all->n++] = f;
}

/* Component by component, without what is between them in memory. */
static int64_t length_of(const struct field *f) { return f->length ? f->length : f->pitch; }
static void fetch(const struct field *f, double *host)
{
    int64_t n = length_of(f);
    float *single = NULL;
    if (f->single) NEW(single, n);
    for (int k = 0; k < f->components; k++) {
        if (!single) device_download(host + k * n, *f->value + k * f->pitch, (size_t)n * sizeof *host);
        else device_download(single, *f->single + k * f->pitch, (size_t)n * sizeof *single);
        for (int64_t i = 0; single && i < n; i++) host[k * n + i] = single[i];
    }
    free(single);
}
static void put_back(const struct field *f, const double *host)
{
    int64_t n = length_of(f);
    float *single = NULL;
    if (f->single) NEW(single, n);
    for (int k = 0; k < f->components; k++) {
        for (int64_t i = 0; single && i < n; i++) single[i] = (float)host[k * n + i];
        if (!single) device_upload(*f->value + k * f->pitch, host + k * n, (size_t)n * sizeof *host);
        else device_upload(*f->single + k * f->pitch, single, (size_t)n * sizeof *single);
    }
    free(single);
}

static struct arrays collect(const struct fields *fields, struct monitors *w, double *clock)
{
    struct arrays all = {0};
    int64_t length;
    double *history = monitors_history(w, &length);
    for (const struct field *f = fields->field; f < fields->field + fields->n; f++)
        if (f->use & FIELD_CHECKPOINT) {
            add_array(&all, f->name, f->number, f->components * length_of(f), f->number ? NULL : f);
            all.a[all.n - 1].may_lack = f->use & FIELD_MAY_LACK;
        }
    add_array(&all, "history", history, length, NULL);
    add_array(&all, "clock", clock, 1, NULL);
    add_array(&all, "multigrid", NULL, 0, NULL);
    all.a[all.n - 1].integers = true;
    add_array(&all, "settings", NULL, 0, NULL);
    all.a[all.n - 1].integers = all.a[all.n - 1].bytes = true;
    return all;
}

static void free_arrays(struct arrays *all)
{
    for (int i = 0; i < all->n; i++) if (all->field[i] || all->a[i].integers) free(all->a[i].value);
    free(all->a), free(all->field);
}

bool write_checkpoint(const char *path, const struct flow *f, struct monitors *w, const struct mesh *m, int64_t step,
                      double *clock, const char *settings, struct error *e)
{
    struct arrays all = collect(&f->fields, w, clock);
    char key[PATH_LENGTH + 256];
    for (int i = 0; i < all.n; i++)
        if (all.field[i]) fetch(all.field[i], all.a[i].value);
    struct checkpoint_array *structure = &all.a[all.n - 2], *text = &all.a[all.n - 1];
    struct solver *solver = f->coupled_solver ? f->coupled_solver : f->pressure_solver;
    text->value = strdup(settings), text->n = (int64_t)strlen(settings);
    if (solver) structure->value = solver_structure(solver, &structure->n);
    mesh_key(m, key, sizeof key);
    bool good = checkpoint_write(path, key, step, all.a, all.n, e);
    free_arrays(&all);
    return good;
}

bool read_checkpoint(const char *path, struct flow *f, struct monitors *w, const struct mesh *m, int64_t *step,
                     double *clock, char **settings, struct error *e)
{
    struct arrays all = collect(&f->fields, w, clock);
    char key[PATH_LENGTH + 256];
    mesh_key(m, key, sizeof key);
    bool good = checkpoint_read(path, key, step, all.a, all.n, e);
    const struct checkpoint_array *structure = &all.a[all.n - 2], *text = &all.a[all.n - 1];
    *settings = good && text->n ? strndup(text->value, (size_t)text->n) : NULL;
    if (good && !monitors_history_fits(w, *step))
        good = refuse(e, EXIT_INPUT, "%s: \"history\" is not one of %" PRId64 " steps; run without --restart", path,
                      *step);
    struct solver *solver = f->coupled_solver ? f->coupled_solver : f->pressure_solver;
    if (good && solver && !solver_set_structure(solver, structure->value, structure->n))
        good = refuse(e, EXIT_INPUT, "%s: \"multigrid\" is not a structure for this mesh; run without --restart", path);
    for (int i = 0; i < all.n && good; i++)
        if (all.field[i] && all.a[i].n) put_back(all.field[i], all.a[i].value);
    free_arrays(&all);
    return good;
}

bool peek_checkpoint(const char *path, const struct mesh *m, int64_t *step, struct error *e)
{
    char key[PATH_LENGTH + 256];
    mesh_key(m, key, sizeof key);
    return checkpoint_read(path, key, step, NULL, 0, e);
}
