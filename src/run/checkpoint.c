/* Checkpoints: the fields needed for a restart, the multigrid structure, the settings. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/kernel.h"
#include "gpu/ranks.h"
#include "run/write.h"

/* The key of the mesh of a checkpoint: a description of the whole mesh, and a digest of all its bits, computed by rank
 * 0. */
static void mesh_key(const struct mesh *of, char *key, size_t size)
{
    const struct mesh *m = mesh_with_solids(mesh_whole(of));
    const size_t centres = (size_t)m->dim * (size_t)m->n_cells * sizeof *m->cell_centre;
    uint64_t *h;
    NEW(h, ranks_count());
    if (!ranks_own()) *h = digest_add(digest_add(DIGEST_START, m->cell_centre, centres), m->face_owner,
                                      (size_t)m->n_faces * sizeof *m->face_owner);
    ranks_agree(true, NULL);                            /* the others wait for rank 0 */
    ranks_gather(h, sizeof *h);
    const char *slash = strrchr(m->source, '/');        /* the folder is left out: the mesh may have been moved */
    snprintf(key, size, "mesh %s: %d cells, %d faces, geometry and order %016" PRIx64, slash ? slash + 1 : m->source,
             m->n_cells, m->n_faces, *h);
    free(h);
}

/* All arrays of a state; the last one is the multigrid structure. */
struct arrays { struct checkpoint_array *a; int n; };

/* The source of a field's array: its mesh, and the length of a component in the file. */
struct piece { const struct field *f; const struct mesh *m; int64_t length; };

static struct checkpoint_array *add_array(struct arrays *all, const char *name, double *value, int64_t n)
{
    RESIZE(all->a, all->n + 1);
    all->a[all->n] = (struct checkpoint_array){.name = name, .value = value, .n = n};
    return &all->a[all->n++];
}

/* Faces of a mesh that is not divided may be those of its fluid alone. */
static bool is_own_mesh(const struct field *f, const struct mesh *m) { return f->of != ITEM_CELLS && !m->part; }

/* Length of a component in the file: cells with those of solids and the padding of the last slice.  m: of the flow. */
static int64_t length_of(const struct field *f, const struct mesh *m)
{
    if (f->of == ITEM_NONE || f->number || is_own_mesh(f, m)) return f->pitch;
    if (f->of != ITEM_CELLS) return mesh_count(field_mesh(f, m), f->of);
    return (mesh_count(mesh_with_solids(m), f->of) + SLICE - 1) / SLICE * SLICE;
}

static size_t size_of(const struct field *f) { return f->single ? sizeof(float) : sizeof(double); }

/* Copies n numbers of component k from the device. */
static void download(const struct field *f, int k, int64_t n, void *to)
{
    const void *from = f->single ? (const void *)(*f->single + k * f->pitch) : *f->value + k * f->pitch;
    device_download(to, from, (size_t)n * size_of(f));
}

/* Gathers component k of all ranks on rank 0. */
static void gather(const struct piece *p, int k, void *to)
{
    const struct field *f = p->f;
    const int64_t n = mesh_count(p->m, f->of);
    double *own, *all = NULL;
    float *single;
    NEW(own, f->pitch);
    if (f->single) {
        NEW(single, f->pitch);
        download(f, k, f->pitch, single);
        for (int64_t i = 0; i < f->pitch; i++) own[i] = single[i];
        free(single);
        if (to) NEW(all, n);
    } else download(f, k, f->pitch, own);
    mesh_gather(p->m, f->of, own, f->single ? all : to);
    if (all) for (int64_t i = 0; i < n; i++) ((float *)to)[i] = (float)all[i];
    free(own), free(all);
}

static void upload(const struct field *f, int k, const double *own, int64_t n)
{
    float *single;
    if (!f->single) { device_upload(*f->value + k * f->pitch, own, (size_t)n * sizeof *own); return; }
    NEW(single, n);
    for (int64_t i = 0; i < n; i++) single[i] = (float)own[i];
    device_upload(*f->single + k * f->pitch, single, (size_t)n * sizeof *single);
    free(single);
}

/* Component by component, between the devices of all ranks and an array for all of them on the host of rank 0. */
static void *fetch(const struct checkpoint_array *a)
{
    const struct piece *p = a->of;
    const struct field *f = p->f;
    const size_t pitch = (size_t)p->length * size_of(f);
    char *host = ranks_own() ? NULL : allocate((size_t)a->n, size_of(f), f->name);
    for (int k = 0; k < f->components; k++) {
        char *to = host ? host + (size_t)k * pitch : NULL;
        if (p->m->part && f->of != ITEM_NONE) gather(p, k, to);
        else if (host) download(f, k, f->of == ITEM_CELLS ? mesh_count(p->m, f->of) : f->pitch, to);
    }
    return host;
}
/* A component in the file, from number `begin` on. */
struct component { struct checkpoint_source *from; int64_t begin; };
static bool read_range(void *component, int64_t first, int64_t n, double *to)
{
    const struct component *c = component;
    return checkpoint_range(c->from, c->begin + first, n, to);
}

static bool put_back(const struct checkpoint_array *a, struct checkpoint_source *from)
{
    const struct piece *p = a->of;
    const struct field *f = p->f;
    bool good = true;
    double *own;
    NEW(own, f->pitch);
    for (int k = 0; good && k < f->components; k++) {
        struct component c = {from, k * p->length};
        good = f->of == ITEM_NONE || is_own_mesh(f, p->m) ? read_range(&c, 0, p->length, own)
                                                          : mesh_scatter(p->m, f->of, read_range, &c, own);
        if (good) upload(f, k, own, f->of == ITEM_CELLS ? p->m->n_all : f->pitch);
    }
    free(own);
    return good;
}

static struct arrays collect(const struct fields *fields, const struct mesh *m, double *clock, bool ended)
{
    struct arrays all = {0};
    for (const struct field *f = fields->field; f < fields->field + fields->n; f++) {
        if (!(f->use & FIELD_CHECKPOINT) || (ended && f->use & FIELD_UNTIL_END)) continue;
        struct checkpoint_array *a = add_array(&all, f->name, f->number, f->components * length_of(f, m));
        a->may_lack = f->use & FIELD_MAY_LACK;
        if (f->number) continue;
        struct piece *p;
        NEW(p, 1);
        *p = (struct piece){f, field_mesh(f, m), length_of(f, m)};
        a->of = p, a->single = f->single, a->give = fetch, a->take = put_back;
    }
    add_array(&all, "clock", clock, 1);
    add_array(&all, "multigrid", NULL, 0)->integers = true;
    return all;
}

static void free_arrays(struct arrays *all)
{
    for (int i = 0; i < all->n; i++) {
        free((void *)all->a[i].of);
        if (all->a[i].integers) free(all->a[i].value);
    }
    free(all->a);
}

bool write_checkpoint(const char *path, const struct flow *f, const struct mesh *m, int64_t step, double *clock,
                      double *ended, const char *settings, struct error *e)
{
    struct arrays all = collect(&f->fields, m, clock, *ended > 0);
    char key[PATH_LENGTH + 256];
    struct checkpoint_array *structure = &all.a[all.n - 1];
    struct solver *solver = f->coupled_solver ? f->coupled_solver : f->pressure_solver;
    if (solver) structure->value = solver_structure(solver, &structure->n);
    add_array(&all, "ended", ended, 1);
    struct checkpoint_array *text = add_array(&all, "settings", NULL, (int64_t)strlen(settings));
    text->integers = text->bytes = true, text->value = strdup(settings);
    mesh_key(m, key, sizeof key);
    bool good = checkpoint_write(path, key, step, all.a, all.n, e);
    free_arrays(&all);
    return good;
}

bool read_checkpoint(const char *path, struct flow *f, const struct mesh *m, int64_t *step, double *clock,
                     struct error *e)
{
    struct arrays all = collect(&f->fields, m, clock, false);
    char key[PATH_LENGTH + 256];
    mesh_key(m, key, sizeof key);
    bool good = ranks_agree(checkpoint_read(path, key, step, all.a, all.n, e), e);
    const struct checkpoint_array *structure = &all.a[all.n - 1];
    struct solver *solver = f->coupled_solver ? f->coupled_solver : f->pressure_solver;
    if (good && solver && !solver_set_structure(solver, structure->value, structure->n))
        good = refuse(e, EXIT_INPUT, "%s: \"multigrid\" is not a structure for this mesh; run without --restart", path);
    free_arrays(&all);
    return good;
}

/* The algorithm in the settings of a checkpoint, lines "path = value"; N_ALGORITHMS: unknown. */
static enum algorithm algorithm_of(const char *settings, int64_t n)
{
    static const char key[] = "solver.algorithm = \"";
    char *text = strndup(settings, (size_t)n), *at = strstr(text, key);
    int k = 0;
    if (at) at += sizeof key - 1, at[strcspn(at, "\"")] = 0;
    while (k < N_ALGORITHMS && (!at || strcmp(at, algorithm_words[k]))) k++;
    free(text);
    return k;
}

/* Algorithms of one kind keep the same fields and write the same columns. */
static int kind_of(enum algorithm a)
{
    return a == ALGORITHM_SIMPLEC ? ALGORITHM_SIMPLE : a == ALGORITHM_PIMPLE ? ALGORITHM_PISO : (int)a;
}

bool peek_checkpoint(const char *path, const struct mesh *m, enum algorithm now, int64_t *step, double *ended,
                     char **settings, struct error *e)
{
    struct checkpoint_array a[] = {{.name = "settings", .integers = true, .bytes = true},
                                   {.name = "ended", .value = ended, .n = 1, .may_lack = true}};
    char key[PATH_LENGTH + 256];
    mesh_key(m, key, sizeof key);
    *ended = 0;
    if (!checkpoint_read(path, key, step, a, 2, e)) return false;
    const enum algorithm then = a[0].n ? algorithm_of(a[0].value, a[0].n) : N_ALGORITHMS;
    *settings = a[0].n ? strndup(a[0].value, (size_t)a[0].n) : NULL;
    free(a[0].value);
    return then == N_ALGORITHMS || kind_of(then) == kind_of(now) ||
           refuse(e, EXIT_INPUT, "%s: it is of a run with solver.algorithm = \"%s\", which \"%s\" cannot continue; set "
                  "it back, or run without --restart, in another directory (--output DIR) to keep what is here", path,
                  algorithm_words[then], algorithm_words[now]);
}
