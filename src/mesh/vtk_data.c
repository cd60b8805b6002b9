/* Converts the arrays of a VTK unstructured grid to elements (vtk_data.h). */
#include "mesh/vtk_data.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"

enum form { SIGNED, UNSIGNED, REAL };
static const struct { const char *name; int size; enum form form; } types[] = {
    {"Int8", 1, SIGNED}, {"UInt8", 1, UNSIGNED}, {"Int16", 2, SIGNED}, {"UInt16", 2, UNSIGNED}, {"Int32", 4, SIGNED},
    {"UInt32", 4, UNSIGNED}, {"Int64", 8, SIGNED}, {"UInt64", 8, UNSIGNED}, {"Float32", 4, REAL}, {"Float64", 8, REAL},
    {"char", 1, SIGNED}, {"unsigned_char", 1, UNSIGNED}, {"short", 2, SIGNED}, {"unsigned_short", 2, UNSIGNED},
    {"int", 4, SIGNED}, {"unsigned_int", 4, UNSIGNED}, {"long", 8, SIGNED}, {"unsigned_long", 8, UNSIGNED},
    {"vtkIdType", 4, SIGNED}, {"vtktypeint64", 8, SIGNED}, {"vtktypeint32", 4, SIGNED}, {"float", 4, REAL},
    {"double", 8, REAL}};
enum { N_TYPES = sizeof types / sizeof *types };

static int type_of(const char *name)
{
    for (int i = 0; i < N_TYPES; i++) if (!strcmp(types[i].name, name)) return i;
    return -1;
}

int vtk_type_size(const char *type, bool *whole)
{
    int i = type_of(type);
    if (whole) *whole = i >= 0 && types[i].form != REAL;
    return i < 0 ? 0 : types[i].size;
}

void vtk_numbers(const char *from, const char *type, bool big, int64_t n, double *to)
{
    const int i = type_of(type), size = types[i].size;
    for (int64_t k = 0; k < n; k++) {
        uint64_t bits = 0;
        for (int b = 0; b < size; b++)
            bits |= (uint64_t)(unsigned char)from[k * size + b] << 8 * (big ? size - 1 - b : b);
        if (types[i].form == REAL && size == 8) memcpy(&to[k], &bits, 8);
        else if (types[i].form == REAL) {
            uint32_t half = (uint32_t)bits;
            float narrow;
            memcpy(&narrow, &half, 4);
            to[k] = narrow;
        } else if (types[i].form == UNSIGNED) to[k] = (double)bits;
        else to[k] = (double)((int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size));
    }
}

/* ---------------------------------------------------------------- names of boundaries and regions */
static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Are there more values than allowed names, as in a numbering of the cells? */
static bool is_numbering(const double *value, int64_t n)
{
    double *sorted;
    int64_t different = 0;
    NEW(sorted, n);
    memcpy(sorted, value, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    for (int64_t i = 0; i < n; i++) different += i == 0 || sorted[i] != sorted[i - 1];
    free(sorted);
    return different > MOST_NAMES;
}

/* The array that marks boundaries or regions, or NULL if there is none; *good false: rejected. */
static const double *marks_of(struct foreign *f, const struct vtk_data *d, bool lines, bool *good)
{
    const char *wanted = f->set->markers;
    char list[600] = "none";
    const double *found = NULL;
    int n_whole = 0;
    size_t used = 0;
    for (int i = 0; i < d->n_arrays; i++) {
        const struct vtk_array *a = &d->array[i];
        if (a->n != d->n_cells) continue;
        if (a->whole && strcmp(a->name, wanted) && is_numbering(a->value, a->n)) {
            log_print("note: the array %s of %s has over %d different numbers, so no regions are named after it\n",
                      a->name, f->m->source, MOST_NAMES);
            continue;
        }
        if (*wanted ? !strcmp(a->name, wanted) && a->whole : a->whole) found = a->value;
        n_whole += a->whole;
        if (a->whole && used < sizeof list - NAME_LENGTH - 3)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", a->name);
    }
    *good = true;
    if (*wanted && !found)
        *good = refuse(f->e, EXIT_INPUT, "%s: mesh.markers = \"%s\": there is no such integer array with one value for "
                       "each cell; available: %s", f->m->source, wanted, list);
    else if (!*wanted && n_whole > 1 && lines)
        *good = refuse(f->e, EXIT_INPUT, "%s: which of the arrays %s identifies the boundary of an outer cell?  "
                       "mesh.markers = \"NAME\" (poise mesh convert --markers NAME)", f->m->source, list);
    else if (!*wanted && n_whole > 1) found = NULL;
    return found;
}

/* Index of the name "boundary_3" or "region_3". */
static int mark_name(struct foreign *f, double mark, bool boundary)
{
    char name[NAME_LENGTH];
    bool usable = fabs(mark) < 1e15;
    snprintf(name, sizeof name, "%s_%s%.0f", boundary ? "boundary" : "region", usable && mark < 0 ? "minus" : "",
             usable ? fabs(mark) : 0);
    return foreign_name(f, name);
}

static bool check_arrays(const struct vtk_data *d, const char *path, struct error *e)
{
    double last = 0;
    if (!d->point || !d->type || !d->end || (!d->corner && d->n_corners))
        return refuse(e, EXIT_INPUT, "%s: has no %s; expected points, and cells with their types", path,
                      !d->point ? "points" : !d->type ? "types of cells" : "cells");
    for (int64_t c = 0; c < d->n_cells; c++) {
        if (!(d->end[c] >= last && d->end[c] <= (double)d->n_corners))
            return refuse(e, EXIT_INPUT, "%s: cell %lld ends at place %g of the list of corners, after %g of %lld",
                          path,
                          (long long)c, d->end[c], last, (long long)d->n_corners);
        last = d->end[c];
    }
    return true;
}

bool vtk_take(struct foreign *f, const struct vtk_data *d)
{
    int highest = 0, name = NAMELESS;
    bool lines = false, good = check_arrays(d, f->m->source, f->e);
    double *x = good ? foreign_vertices(f, d->n_points) : NULL;
    if (!x) return false;
    memcpy(x, d->point, 3 * (size_t)d->n_points * sizeof *x);
    for (int64_t c = 0; c < d->n_cells; c++) {
        if (!(d->type[c] >= 0 && d->type[c] < 256) || foreign_nodes((int)d->type[c]) < 0)
            return refuse(f->e, EXIT_INPUT, "%s: cell %lld is of VTK's type %g, which Poise does not support",
                          f->m->source,
                          (long long)c, d->type[c]);
        if (foreign_dimension((int)d->type[c]) > highest) highest = foreign_dimension((int)d->type[c]);
    }
    for (int64_t c = 0; c < d->n_cells; c++) lines = lines || foreign_dimension((int)d->type[c]) == highest - 1;
    const double *mark = marks_of(f, d, lines, &good);
    for (int64_t c = 0, from = 0; good && c < d->n_cells; c++) {
        int64_t vertex[32], n = (int64_t)d->end[c] - from;
        int type = (int)d->type[c], nodes = foreign_nodes(type);
        const bool named = mark && foreign_dimension(type) >= highest - 1;
        const bool again = named && c && d->type[c] == d->type[c - 1] && mark[c] == mark[c - 1];
        if (nodes ? n != nodes : (n = n < 5 ? n : 0, false))
            return refuse(f->e, EXIT_INPUT, "%s: cell %lld is of VTK's type %d, but has %lld corners; expected %d",
                          f->m->source, (long long)c, type, (long long)n, nodes);
        for (int64_t k = 0; k < n; k++) {
            double v = d->corner[from + k];
            vertex[k] = v >= 0 && v < INT32_MAX ? (int64_t)v : -1;
        }
        if (named && !again) name = mark_name(f, mark[c], foreign_dimension(type) < highest);
        if (named && name < 0) return false;
        foreign_element(f, type, vertex, (int)n, named ? name : NAMELESS);
        from = (int64_t)d->end[c];
    }
    return good;
}

void vtk_add_array(struct vtk_data *d, const char *name, const char *type, double *value)
{
    RESIZE(d->array, d->n_arrays + 1);
    struct vtk_array *a = &d->array[d->n_arrays++];
    *a = (struct vtk_array){.n = d->n_cells, .value = value};
    vtk_type_size(type, &a->whole);
    snprintf(a->name, NAME_LENGTH, "%.63s", name);
}

void vtk_data_free(struct vtk_data *d)
{
    for (int i = 0; i < d->n_arrays; i++) free(d->array[i].value);
    free(d->point), free(d->type), free(d->end), free(d->corner), free(d->array);
}
