/* Files of fields on boundary faces and on planes (facets.h). */
#include "io/facets.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/hdf5_file.h"
#include "base/hdf5_reader.h"
#include "base/memory.h"

enum { KEY_LENGTH = 40 };
enum { XDMF_LINE = 2, XDMF_POLYGON = 3, XDMF_TRIANGLE = 4, XDMF_QUADRILATERAL = 5 };

static int corners_of(const struct facets *p, int32_t i) { return (int)(p->start[i + 1] - p->start[i]); }

/* Numbers of one facet in a Mixed stream: its type, the number of corners unless implied by the type, the corners. */
static int64_t put_facet(const struct facets *p, int32_t i, int64_t *to)
{
    int corners = corners_of(p, i), type = corners == 3 ? XDMF_TRIANGLE : corners == 4 ? XDMF_QUADRILATERAL :
                                           corners == 2 ? XDMF_LINE : XDMF_POLYGON;
    int64_t n = 0;
    to[n++] = type;
    if (type == XDMF_LINE || type == XDMF_POLYGON) to[n++] = corners;
    for (int k = 0; k < corners; k++) to[n++] = p->corner[p->start[i] + k];
    return n;
}

struct topology facets_topology(const struct facets *p)
{
    static const char *const names[] = {[2] = "Polyline", [3] = "Triangle", [4] = "Quadrilateral"};
    int corners = p->n ? corners_of(p, 0) : 3;
    struct topology t = {.n_vertices = p->n_vertices, .n = p->n, .length = p->start[p->n], .line = corners == 2,
                         .name = corners <= 4 ? names[corners] : "Mixed", .n_corners = p->start[p->n],
                         .start_array = "/start", .corner_array = "/corner"};
    for (int32_t i = 1; i < p->n; i++) if (corners_of(p, i) != corners) t.name = "Mixed";
    if (strcmp(t.name, "Mixed")) return t;
    int64_t number[64];
    t.length = 0;
    for (int32_t i = 0; i < p->n; i++) t.length += put_facet(p, i, number);
    return t;
}

static void put_arrays(const struct facets *p, hid_t file)
{
    enum { VTK_LINE = 3, VTK_TRIANGLE = 5, VTK_POLYGON = 7, VTK_QUAD = 9 };
    static const uint8_t vtk[] = {[2] = VTK_LINE, [3] = VTK_TRIANGLE, [4] = VTK_QUAD};
    uint8_t *type;
    NEW(type, p->n);
    for (int32_t i = 0; i < p->n; i++) type[i] = corners_of(p, i) <= 4 ? vtk[corners_of(p, i)] : VTK_POLYGON;
    hdf5_put(file, "/vtk/types", H5T_NATIVE_UINT8, 1, (hsize_t[]){(hsize_t)p->n}, type);
    hdf5_put(file, "/start", H5T_NATIVE_INT64, 1, (hsize_t[]){(hsize_t)p->n + 1}, p->start);
    hdf5_put(file, "/corner", H5T_NATIVE_INT32, 1, (hsize_t[]){(hsize_t)p->start[p->n]}, p->corner);
    free(type);
}

/* Identifies these facets, in words. */
static void put_key(const struct facets *p, char key[KEY_LENGTH])
{
    uint64_t h = digest_add(DIGEST_START, p->vertex, 3 * (size_t)p->n_vertices * sizeof *p->vertex);
    h = digest_add(h, p->start, ((size_t)p->n + 1) * sizeof *p->start);
    h = digest_add(h, p->corner, (size_t)p->start[p->n] * sizeof *p->corner);
    snprintf(key, KEY_LENGTH, "fnv1a %016" PRIx64, h);
}

bool facets_are_in(const struct facets *p, const char *path)
{
    struct hdf5_reader r;
    char key[KEY_LENGTH], found[KEY_LENGTH];
    put_key(p, key);
    if (!hdf5_open(&r, path)) return false;
    bool same = hdf5_text(&r, "key", found, sizeof found) && !strcmp(found, key);
    hdf5_close(&r);
    return same;
}

bool facets_write(const struct facets *p, const char *path, struct error *e)
{
    char key[KEY_LENGTH];
    struct topology t = facets_topology(p);
    bool mixed = !strcmp(t.name, "Mixed");
    hid_t file = hdf5_compose(0);
    put_key(p, key);
    hdf5_put_text(file, "format", "poise-facets"), hdf5_put_text(file, "key", key);
    hdf5_put(file, "/vertices", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){(hsize_t)p->n_vertices, 3}, p->vertex);
    hdf5_put(file, "/cell", H5T_NATIVE_INT32, 1, (hsize_t[]){(hsize_t)p->n}, p->cell);
    put_arrays(p, file);
    if (mixed) {
        int64_t *stream, at = 0;
        NEW(stream, t.length);
        for (int32_t i = 0; i < p->n; i++) at += put_facet(p, i, stream + at);
        hdf5_put(file, "/xdmf/topology", H5T_NATIVE_INT64, 1, (hsize_t[]){(hsize_t)at}, stream);
        free(stream);
    } else {
        hsize_t shape[] = {(hsize_t)p->n, (hsize_t)(p->n ? t.length / p->n : 3)};
        hdf5_put(file, "/xdmf/topology", H5T_NATIVE_INT32, 2, shape, p->corner);
    }
    return hdf5_save(file, NULL, path, e);
}

void facets_free(struct facets *p)
{
    free(p->vertex), free(p->start), free(p->corner), free(p->cell);
    *p = (struct facets){0};
}
