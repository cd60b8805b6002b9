/* The series of written fields: fields/NNNNNN.h5, one closed file per step, and NAME.xdmf or NAME.vtkhdf, which lists
 * them. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/hdf5_file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/writer.h"
#include "gpu/ranks.h"
#include "io/index.h"
#include "io/series.h"
#include "mesh/cell_shape.h"

const char *const output_format_words[] = {[OUTPUT_XDMF] = "xdmf", [OUTPUT_VTKHDF] = "vtkhdf"};

struct output {
    char directory[PATH_LENGTH], name[NAME_LENGTH];
    enum output_format format;
    struct topology shape;      /* of the mesh's cells, or of the facets */
    const int32_t *place;       /* [n] position of each cell in the file; NULL: in the same order */
    struct written_step *step;
    int n_steps;
    double *buffer;             /* [3 n] a field in the file's order */
};

static void path_of(char path[2 * PATH_LENGTH], const struct output *o, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void path_of(char path[2 * PATH_LENGTH], const struct output *o, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = snprintf(path, 2 * PATH_LENGTH, "%s/", o->directory);
    vsnprintf(path + n, (size_t)(2 * PATH_LENGTH - n), format, list);
    va_end(list);
}

static bool remove_file(const char *path, struct error *e)
{
    return !unlink(path) || errno == ENOENT || file_refuse(e, path, "an earlier run's file could not be removed");
}

/* ---------------------------------------------------------------- NAME.xdmf, NAME.vtkhdf */
static struct topology topology_of(const struct mesh *m)
{
    static const char *const names[] = {[CELL_TRIANGLE] = "Triangle", [CELL_QUADRILATERAL] = "Quadrilateral",
        [CELL_TETRAHEDRON] = "Tetrahedron", [CELL_PYRAMID] = "Pyramid", [CELL_PRISM] = "Wedge",
        [CELL_HEXAHEDRON] = "Hexahedron"};
    struct topology t = {.name = names[m->cell_type[0]], .n_vertices = m->n_vertices, .n = m->n_cells,
                         .length = m->cell_start[m->n_cells], .n_corners = m->cell_start[m->n_cells],
                         .start_array = "/cells/start", .corner_array = "/cells/vertices"};
    for (int32_t c = 1; c < m->n_cells; c++) if (m->cell_type[c] != m->cell_type[0]) t.name = "Mixed";
    if (!strcmp(t.name, "Mixed")) t.length += m->n_cells;
    return t;
}

/* Without steps there is no index. */
static bool write_index(const struct output *o, struct error *e)
{
    static bool (*const write[])(const struct index *, const char *, struct error *) = {
        [OUTPUT_XDMF] = xdmf_write, [OUTPUT_VTKHDF] = vtkhdf_write};
    const struct index x = {o->name, &o->shape, o->step, o->n_steps};
    char path[2 * PATH_LENGTH];
    path_of(path, o, "%s.%s", o->name, output_format_words[o->format]);
    return o->n_steps ? write[o->format](&x, path, e) : remove_file(path, e);
}

/* ---------------------------------------------------------------- existing files */

/* Lists the steps up to `last`.  steps: all n; the caller frees them. */
static bool list_steps(struct output *o, int64_t last, int64_t **steps, int *n, struct error *e)
{
    char path[2 * PATH_LENGTH];
    path_of(path, o, "fields");
    *n = series_steps(path, steps);
    if (*n < 0) return file_refuse(e, path, "could not be read");
    NEW(o->step, *n);
    for (int i = 0; i < *n && (*steps)[i] <= last; i++) {
        struct written_step *s = &o->step[o->n_steps++];
        s->step = (*steps)[i];
        path_of(s->path, o, "fields/%06" PRId64 ".h5", s->step);
        if (!series_read(s, "; remove it, then --restart again", e)) return false;
    }
    return true;
}

/* Drops the steps after `last`: first the index is written without them (or removed), and the index in the other format
 * is removed, then their files, so that a reader finds a complete series at every moment. */
static bool clear_after(struct output *o, int64_t last, struct error *e)
{
    char path[2 * PATH_LENGTH];
    int64_t *steps;
    int n;
    bool ok = list_steps(o, last, &steps, &n, e);
    ok = ok && write_index(o, e) && writer_wait(e);
    path_of(path, o, "%s.%s", o->name, output_format_words[o->format == OUTPUT_XDMF ? OUTPUT_VTKHDF : OUTPUT_XDMF]);
    ok = ok && remove_file(path, e);
    for (int i = o->n_steps; ok && i < n; i++) {
        path_of(path, o, "fields/%06" PRId64 ".h5", steps[i]);
        ok = remove_file(path, e);
    }
    free(steps);
    return ok;
}

/* ---------------------------------------------------------------- functions of output.h */

static struct output *new_output(const char *directory, const char *name, enum output_format format,
                                 const struct topology *shape)
{
    struct output *o;
    NEW(o, 1);
    if (!ranks_own()) NEW(o->buffer, 3 * (size_t)shape->n);
    o->shape = *shape, o->format = format;
    snprintf(o->directory, sizeof o->directory, "%s", directory);
    snprintf(o->name, sizeof o->name, "%s", name);
    return o;
}

struct output *output_open(const char *directory, const char *name, enum output_format format, const struct mesh *m,
                           bool resume, int64_t resumed_step, struct error *e)
{
    struct topology shape = topology_of(m);
    struct output *o = new_output(directory, name, format, &shape);
    char path[2 * PATH_LENGTH];
    if (ranks_own()) return o;
    o->place = m->cell_original;
    path_of(path, o, "fields");
    bool ok = directory_make(directory, e) && folder_make(path, e) && clear_after(o, resume ? resumed_step : -1, e);
    path_of(path, o, "checkpoint.h5");
    if (ok && !resume) ok = remove_file(path, e);
    path_of(path, o, "mesh.h5");
    if (ok) ok = mesh_write_native(m, path, e);         /* also when resuming: the existing file may have any content */
    if (ok) return o;
    output_close(o);
    return NULL;
}

struct output *output_open_facets(const char *directory, const char *name, enum output_format format,
                                  const struct facets *p, bool resume, int64_t resumed_step, struct error *e)
{
    struct topology shape = facets_topology(p);
    struct output *o = new_output(directory, name, format, &shape);
    char path[2 * PATH_LENGTH];
    if (ranks_own()) return o;
    path_of(path, o, "fields");
    bool ok = folder_make(directory, e) && folder_make(path, e);
    if (ok) file_remove_unfinished(path), file_remove_unfinished(directory);
    path_of(path, o, "mesh.h5");
    bool goes_on = ok && resume && facets_are_in(p, path);
    if (ok && resume && !goes_on && !access(path, F_OK))
        log_print("note       %s: starts again, because its faces differ from those of the previous run\n", directory);
    ok = ok && clear_after(o, goes_on ? resumed_step : -1, e);
    if (ok && facets_write(p, path, e)) return o;
    output_close(o);
    return NULL;
}

/* Copies a field to the file's order, vectors with three components. */
static void gather(double *to, const struct output *o, const struct output_field *f)
{
    int width = f->components == 1 ? 1 : 3;
    if (f->components < 3 && width == 3) memset(to, 0, 3 * sizeof *to * (size_t)o->shape.n);
    for (int k = 0; k < f->components; k++)
        for (int32_t c = 0; c < o->shape.n; c++)
            to[(int64_t)(o->place ? o->place[c] : c) * width + k] = f->value[k * f->stride + c];
}

bool output_write(struct output *o, int64_t step, double time, const struct output_field *field, int n_fields,
                  struct error *e)
{
    char path[2 * PATH_LENGTH];
    struct written_step s = {.step = step, .time = time, .n_fields = n_fields};
    if (ranks_own()) return true;
    if (n_fields > MOST_OUTPUT_FIELDS) die("%d fields in one step, at most %d", n_fields, MOST_OUTPUT_FIELDS);
    hid_t file = hdf5_compose(0);
    hdf5_put_number(file, "step", H5T_NATIVE_INT64, &step);
    hdf5_put_number(file, "time", H5T_NATIVE_DOUBLE, &time);
    for (int k = 0; k < n_fields; k++) {
        bool vector = field[k].components > 1;
        snprintf(s.field[k].name, NAME_LENGTH, "%s", field[k].name);
        s.field[k].components = vector ? 3 : 1;
        gather(o->buffer, o, &field[k]);
        hsize_t length[] = {(hsize_t)o->shape.n, 3};
        hdf5_put(file, field[k].name, H5T_NATIVE_DOUBLE, vector ? 2 : 1, length, o->buffer);
    }
    path_of(path, o, "fields/%06" PRId64 ".h5", step);
    if (!hdf5_save(file, NULL, path, e)) return false;
    if (!o->n_steps || o->step[o->n_steps - 1].step != step) {
        RESIZE(o->step, o->n_steps + 1);
        o->n_steps++;
    }
    o->step[o->n_steps - 1] = s;
    return write_index(o, e);
}

void output_close(struct output *o)
{
    if (!o) return;
    free(o->step), free(o->buffer);
    free(o);
}
