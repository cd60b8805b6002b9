/* Reads and writes the native mesh file (layout: docs/architecture.md). */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/hdf5_file.h"
#include "base/hdf5_reader.h"
#include "base/memory.h"
#include "mesh/cell_shape.h"
#include "mesh/cells.h"

enum { VERSION = 2 };

/* ---------------------------------------------------------------- reading */
struct reader { struct hdf5_reader *file; const char *path; struct error *e; int64_t version; };

static bool damaged(const struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool damaged(const struct reader *r, const char *format, ...)
{
    char what[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return refuse(r->e, EXIT_INPUT, "%s: not a valid mesh: %s\n  convert it again from its source: "
                  "poise mesh convert SOURCE.msh %s", r->path, what, r->path);
}

/* Passes on the reader's message. */
static bool refused(const struct reader *r)
{
    if (r->file->status == EXIT_RESOURCE) return refuse(r->e, r->file->status, "%s: %s", r->path, r->file->why);
    return damaged(r, "%s", r->file->why);
}

/* An array of `columns` columns (1: rank 1) and `wanted` rows (-1: any number that an int32 holds), allocated here. */
static bool read_rows(const struct reader *r, const char *name, enum hdf5_kind kind, int columns, int64_t wanted,
                      void **data, int32_t *rows)
{
    int64_t n = 0;
    *data = hdf5_array(r->file, name, kind, wanted, columns, &n);
    if (!*data) return refused(r);
    if (rows && n > INT32_MAX) return damaged(r, "%s has %lld rows, more than %d", name, (long long)n, INT32_MAX);
    if (rows) *rows = (int32_t)n;
    return true;
}

static bool read_names(const struct reader *r, const char *name, int64_t wanted, char (**text)[NAME_LENGTH], int32_t *n)
{
    return read_rows(r, name, HDF5_TEXT, 1, wanted, (void **)text, n);
}

static bool read_head(struct reader *r, struct mesh *m)
{
    char format[32];
    int64_t dim;
    if (!hdf5_text(r->file, "format", format, sizeof format)) return refused(r);
    if (strcmp(format, "poise-mesh")) return damaged(r, "its format is \"%s\", not \"poise-mesh\"", format);
    if (!hdf5_integer(r->file, "version", 1, VERSION, &r->version) || !hdf5_integer(r->file, "dim", 2, 3, &dim) ||
        !hdf5_text(r->file, "source", m->source, sizeof m->source) ||
        !hdf5_text(r->file, "key", m->key, sizeof m->key)) return refused(r);
    m->dim = (int)dim;
    return true;
}

static bool read_cells(const struct reader *r, struct mesh *m)
{
    int64_t length;
    if (!read_rows(r, "/vertices", HDF5_DOUBLE, 3, -1, (void **)&m->vertex, &m->n_vertices) ||
        !read_rows(r, "/cells/type", HDF5_UINT8, 1, -1, (void **)&m->cell_type, &m->n_cells) ||
        !read_rows(r, "/cells/start", HDF5_INT64, 1, m->n_cells + (int64_t)1, (void **)&m->cell_start, NULL) ||
        !read_rows(r, "/cells/region", HDF5_INT32, 1, m->n_cells, (void **)&m->cell_region, NULL) ||
        !read_names(r, "/regions/names", -1, &m->region, &m->n_regions)) return false;
    m->cell_vertex = hdf5_array(r->file, "/cells/vertices", HDF5_INT32, -1, 1, &length);
    if (!m->cell_vertex) return refused(r);
    if (m->n_cells == 0) return damaged(r, "it has no cells");
    for (int32_t c = 0; c < m->n_cells; c++) {
        int type = m->cell_type[c];
        if (type >= 10 || cell_shape[type].dim != m->dim)
            return damaged(r, "cell %d is of type %d, unknown in %d-D", c, type, m->dim);
        if (m->cell_start[0] != 0 || m->cell_start[c + 1] != m->cell_start[c] + cell_shape[type].n_vertices)
            return damaged(r, "cell %d is a %s, but does not have %d vertices in /cells/start", c,
                           cell_shape[type].name, cell_shape[type].n_vertices);
        if (m->cell_region[c] < 0 || m->cell_region[c] >= m->n_regions)
            return damaged(r, "cell %d is in region %d, of %d", c, m->cell_region[c], m->n_regions);
    }
    if (m->cell_start[m->n_cells] != length)
        return damaged(r, "/cells/vertices has %lld entries, not the %lld of /cells/start", (long long)length,
                       (long long)m->cell_start[m->n_cells]);
    for (int64_t k = 0; k < length; k++)
        if (m->cell_vertex[k] < 0 || m->cell_vertex[k] >= m->n_vertices)
            return damaged(r, "/cells/vertices names vertex %d, of %d", m->cell_vertex[k], m->n_vertices);
    return true;
}

static bool read_patches(const struct reader *r, struct mesh *m, char (**name)[NAME_LENGTH],
                         char (**partner)[NAME_LENGTH])
{
    int32_t n_partners;
    if (!read_names(r, "/boundary/names", -1, name, &m->n_patches) ||
        !read_names(r, "/boundary/partners", m->n_patches, partner, &n_partners)) return false;
    NEW(m->patch, m->n_patches);
    for (int p = 0; p < m->n_patches; p++) {
        int same = 0, partners = 0;
        memcpy(m->patch[p].name, (*name)[p], NAME_LENGTH);
        memcpy(m->patch[p].partner, (*partner)[p], NAME_LENGTH);
        for (int q = 0; q < m->n_patches; q++)
            same += !strcmp((*name)[q], (*name)[p]), partners += !strcmp((*name)[q], (*partner)[p]);
        if (!m->patch[p].name[0] || same > 1)
            return damaged(r, "boundary %d has no name of its own: \"%s\"", p, m->patch[p].name);
        if (m->patch[p].partner[0] && !partners)
            return damaged(r, "the partner \"%s\" of boundary \"%s\" is not there", (*partner)[p], (*name)[p]);
    }
    return true;
}

/* Reads the faces in the file, each with its vertices, and which of them are boundary faces. */
struct faces { int64_t *start; int32_t *vertex, *boundary, n, n_boundary; bool *marked; };

/* Version 1: rows of 4 vertices, padded with -1; all are boundary faces. */
static bool read_rows_of_faces(const struct reader *r, struct faces *f)
{
    int64_t length = 0;
    if (!read_rows(r, "/boundary/faces", HDF5_INT32, 4, -1, (void **)&f->vertex, &f->n)) return false;
    f->n_boundary = f->n;
    NEW(f->start, f->n + (int64_t)1), NEW(f->boundary, f->n);
    for (int32_t k = 0; k < f->n; k++) {
        int n = 0;
        for (int i = 0; i < 4; i++) {
            const int32_t v = f->vertex[4 * (int64_t)k + i];
            if (v == -1) continue;
            if (n++ < i) return damaged(r, "face %d names vertex %d after the end of its row", k, v);
            f->vertex[length++] = v;
        }
        f->start[k + 1] = length, f->boundary[k] = k;
    }
    return true;
}

static bool read_lists_of_faces(const struct reader *r, struct faces *f)
{
    int64_t length;
    int32_t rows;
    if (!read_rows(r, "/faces/start", HDF5_INT64, 1, -1, (void **)&f->start, &rows) ||
        !read_rows(r, "/boundary/face", HDF5_INT32, 1, -1, (void **)&f->boundary, &f->n_boundary)) return false;
    f->vertex = hdf5_array(r->file, "/faces/vertices", HDF5_INT32, -1, 1, &length);
    if (!f->vertex) return refused(r);
    if (rows == 0 || f->start[0] != 0) return damaged(r, "/faces/start does not begin with 0");
    f->n = rows - 1;
    for (int32_t k = 0; k < f->n; k++)
        if (f->start[k + 1] < f->start[k] || f->start[k + 1] - f->start[k] > INT32_MAX)
            return damaged(r, "face %d has %lld vertices", k, (long long)(f->start[k + 1] - f->start[k]));
    if (f->start[f->n] != length)
        return damaged(r, "/faces/vertices has %lld entries, not the %lld of /faces/start", (long long)length,
                       (long long)f->start[f->n]);
    return true;
}

/* Marks the boundary faces; patch: [faces]. */
static bool mark_faces(const struct reader *r, struct mesh *m, struct faces *f, const int32_t *patch)
{
    for (int32_t k = 0; k < f->n; k++) {
        const int64_t n = f->start[k + 1] - f->start[k];
        for (int64_t i = f->start[k]; i < f->start[k + 1]; i++)
            if (f->vertex[i] < 0 || f->vertex[i] >= m->n_vertices)
                return damaged(r, "face %d names vertex %d, of %d", k, f->vertex[i], m->n_vertices);
        if (m->dim == 2 ? n != 2 : n < 3)
            return damaged(r, "face %d has %lld vertices in %d-D", k, (long long)n, m->dim);
    }
    NEW(f->marked, f->n);
    for (int32_t k = 0; k < f->n_boundary; k++) {
        const int32_t face = f->boundary[k];
        if (face < 0 || face >= f->n) return damaged(r, "boundary face %d is face %d, of %d", k, face, f->n);
        if (f->marked[face]) return damaged(r, "face %d is two boundary faces", face);
        f->marked[face] = true;
        if (patch[k] < 0 || patch[k] >= m->n_patches)
            return damaged(r, "boundary face %d is in boundary %d, of %d", k, patch[k], m->n_patches);
        mesh_mark(m, patch[k], f->vertex + f->start[face], (int)(f->start[face + 1] - f->start[face]));
    }
    return true;
}

static bool read_faces(const struct reader *r, struct mesh *m)
{
    struct faces f = {0};
    int32_t *patch = NULL;
    bool ok = (r->version == 1 ? read_rows_of_faces : read_lists_of_faces)(r, &f) &&
              read_rows(r, "/boundary/patch", HDF5_INT32, 1, f.n_boundary, (void **)&patch, NULL) &&
              mark_faces(r, m, &f, patch);
    free(f.start), free(f.vertex), free(f.boundary), free(f.marked), free(patch);
    return ok;
}

static bool read_boundary(const struct reader *r, struct mesh *m)
{
    char (*name)[NAME_LENGTH] = NULL, (*partner)[NAME_LENGTH] = NULL;
    bool ok = read_patches(r, m, &name, &partner);
    free(name), free(partner);
    return ok && read_faces(r, m);
}

bool mesh_read_native(struct mesh *m, const char *path, struct error *e)
{
    struct hdf5_reader file;
    struct reader r = {&file, path, e, 0};
    *m = (struct mesh){0};
    if (access(path, R_OK)) return refuse(e, EXIT_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (!hdf5_open(&file, path)) return refused(&r);
    bool ok = read_head(&r, m) && read_cells(&r, m) && read_boundary(&r, m);
    hdf5_close(&file);
    if (!ok) mesh_free(m);
    return ok;
}

/* ---------------------------------------------------------------- writing */
static void write_array(hid_t file, const char *name, hid_t type, int64_t rows, int columns, const void *data)
{
    hsize_t length[2] = {(hsize_t)rows, (hsize_t)columns};
    hdf5_put(file, name, type, columns == 1 ? 1 : 2, length, data);
}

static hid_t string_type(size_t length)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0 || H5Tset_size(type, length) < 0) die("HDF5 gives no string type");
    return type;
}

static void write_names(hid_t file, const char *name, const void *text, int64_t n)
{
    hid_t type = string_type(NAME_LENGTH);
    write_array(file, name, type, n, 1, text);
    H5Tclose(type);
}

/* The topology used by .xdmf files: one row per cell, or the Mixed stream of type codes and vertices. */
static void write_topology(hid_t file, int32_t n, const uint8_t *type, const int64_t *start, const int32_t *vertex)
{
    bool mixed = false;
    for (int32_t c = 1; c < n; c++) mixed |= type[c] != type[0];
    if (!mixed) {
        write_array(file, "/xdmf/topology", H5T_NATIVE_INT32, n, cell_shape[type[0]].n_vertices, vertex);
        return;
    }
    int64_t *stream, at = 0;
    NEW(stream, start[n] + n);
    for (int32_t c = 0; c < n; c++) {
        stream[at++] = type[c];
        for (int64_t k = start[c]; k < start[c + 1]; k++) stream[at++] = vertex[k];
    }
    write_array(file, "/xdmf/topology", H5T_NATIVE_INT64, at, 1, stream);
    free(stream);
}

/* Used by .vtkhdf files, with /cells/start and /cells/vertices: VTK's type numbers. */
static void write_vtk_types(hid_t file, int32_t n, const uint8_t *type)
{
    static const uint8_t vtk[] = {[CELL_TRIANGLE] = 5, [CELL_QUADRILATERAL] = 9, [CELL_TETRAHEDRON] = 10,
                                  [CELL_PYRAMID] = 14, [CELL_PRISM] = 13, [CELL_HEXAHEDRON] = 12};
    uint8_t *number;
    NEW(number, n);
    for (int32_t c = 0; c < n; c++) number[c] = vtk[type[c]];
    write_array(file, "/vtk/types", H5T_NATIVE_UINT8, n, 1, number);
    free(number);
}

/* Restores the file's numbering of the cells. */
static void write_cells(hid_t file, const struct mesh *m)
{
    int32_t n = m->n_cells, *place, *vertex, *region;
    int64_t *start;
    uint8_t *type;
    NEW(place, n), NEW(start, n + 1), NEW(type, n), NEW(region, n), NEW(vertex, m->cell_start[n]);
    for (int32_t c = 0; c < n; c++) place[m->cell_original ? m->cell_original[c] : c] = c;
    for (int32_t k = 0; k < n; k++) {
        int32_t c = place[k];
        int64_t length = m->cell_start[c + 1] - m->cell_start[c];
        start[k + 1] = start[k] + length, type[k] = m->cell_type[c], region[k] = m->cell_region[c];
        memcpy(vertex + start[k], m->cell_vertex + m->cell_start[c], (size_t)length * sizeof *vertex);
    }
    write_array(file, "/cells/type", H5T_NATIVE_UINT8, n, 1, type);
    write_array(file, "/cells/start", H5T_NATIVE_INT64, n + (int64_t)1, 1, start);
    write_array(file, "/cells/vertices", H5T_NATIVE_INT32, start[n], 1, vertex);
    write_array(file, "/cells/region", H5T_NATIVE_INT32, n, 1, region);
    write_topology(file, n, type, start, vertex);
    write_vtk_types(file, n, type);
    free(place), free(start), free(type), free(region), free(vertex);
}

static void write_boundary(hid_t file, const struct mesh *m)
{
    char (*name)[NAME_LENGTH], (*partner)[NAME_LENGTH];
    int32_t *cell, *face;
    const int64_t none = 0;
    NEW(name, m->n_patches), NEW(partner, m->n_patches);
    for (int p = 0; p < m->n_patches; p++) {
        memcpy(name[p], m->patch[p].name, NAME_LENGTH);
        memcpy(partner[p], m->patch[p].partner, NAME_LENGTH);
    }
    write_names(file, "/boundary/names", name, m->n_patches);
    write_names(file, "/boundary/partners", partner, m->n_patches);
    NEW(face, m->n_marked);
    for (int32_t k = 0; k < m->n_marked; k++) face[k] = k;
    write_array(file, "/faces/start", H5T_NATIVE_INT64, m->n_marked + (int64_t)1, 1,
                m->n_marked ? m->marked_start : &none);
    write_array(file, "/faces/vertices", H5T_NATIVE_INT32, m->n_marked ? m->marked_start[m->n_marked] : 0, 1,
                m->marked_vertex);
    write_array(file, "/boundary/face", H5T_NATIVE_INT32, m->n_marked, 1, face);
    write_array(file, "/boundary/patch", H5T_NATIVE_INT32, m->n_marked, 1, m->marked_patch);
    NEW(cell, m->n_marked);
    for (int32_t k = 0; m->marked_cell && k < m->n_marked; k++) cell[k] = m->cell_original[m->marked_cell[k]];
    if (m->marked_cell) write_array(file, "/boundary/cell", H5T_NATIVE_INT32, m->n_marked, 1, cell);
    free(name), free(partner), free(cell), free(face);
}

bool mesh_write_native(const struct mesh *m, const char *path, struct error *e)
{
    int32_t version = VERSION, dim = m->dim;
    hid_t file = hdf5_compose(HDF5_FRONT);
    hdf5_put_text(file, "format", "poise-mesh");
    hdf5_put_number(file, "version", H5T_NATIVE_INT32, &version);
    hdf5_put_number(file, "dim", H5T_NATIVE_INT32, &dim);
    hdf5_put_text(file, "source", m->source);
    hdf5_put_text(file, "key", m->key);
    write_array(file, "/vertices", H5T_NATIVE_DOUBLE, m->n_vertices, 3, m->vertex);
    write_names(file, "/regions/names", m->region, m->n_regions);
    write_cells(file, m);
    write_boundary(file, m);
    return hdf5_save(file, "mesh", path, e);
}
