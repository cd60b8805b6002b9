/* Reads and writes linear systems as HDF5 files (matrix_file.h). */
#include "system/matrix_file.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/hdf5_file.h"
#include "base/hdf5_reader.h"
#include "base/memory.h"

enum { VERSION = 1 };

/* ---------------------------------------------------------------- reading */
static bool refused(const struct hdf5_reader *r, const char *path, struct error *e)
{
    return refuse(e, r->status, "%s: %s", path, r->why);
}

/* False, with a message, if the file does not have the given format. */
static bool open_file(struct hdf5_reader *r, const char *path, const char *wanted, struct error *e)
{
    char format[64];
    int64_t version;
    if (access(path, R_OK)) return refuse(e, EXIT_INPUT, "%s: %s", path, strerror(errno));
    if (!hdf5_open(r, path)) return refused(r, path, e);
    bool good = hdf5_text(r, "format", format, sizeof format) || refused(r, path, e);
    if (good && strcmp(format, wanted))
        good = refuse(e, EXIT_INPUT, "%s: its attribute \"format\" is \"%s\"; expected \"%s\"", path, format, wanted);
    good = good && (hdf5_integer(r, "version", VERSION, VERSION, &version) || refused(r, path, e));
    if (!good) hdf5_close(r);
    return good;
}

/* hdf5_array(), with a message on failure. */
static void *read_array(struct hdf5_reader *r, const char *path, const char *name, enum hdf5_kind kind, int64_t rows,
                        int columns, int64_t *found, struct error *e)
{
    void *data = hdf5_array(r, name, kind, rows, columns, found);
    if (!data) refused(r, path, e);
    return data;
}

/* Shape of the array, if it exists.  Failures are not reported here, but by the next read. */
static bool has(struct hdf5_reader *r, const char *name, int64_t length[2])
{
    return hdf5_shape(r, name, length) >= 0 || *r->why;
}

/* An array of entries with rows of numbers holds blocks. */
static bool read_block(struct hdf5_reader *file, const char *path, struct csr *a, struct error *e)
{
    int64_t length[2], block = 1;
    if (hdf5_shape(file, "value", length) == 2 && !hdf5_integer(file, "block", 2, MOST_BLOCK, &block))
        return refused(file, path, e);
    a->block = (int)block;
    return true;
}

static bool read_rows(struct hdf5_reader *file, const char *path, struct csr *a, struct error *e)
{
    int64_t n;
    a->start = read_array(file, path, "row_start", HDF5_INT64, -1, 1, &n, e);
    if (!a->start) return false;
    if (n < 2 || n - 1 >= INT32_MAX)
        return refuse(e, EXIT_INPUT, "%s: row_start has %lld numbers; expected one more than rows, between 2 and "
                      "2^31 - 1", path, (long long)n);
    a->n = (int32_t)n - 1;
    for (int32_t i = 0; i < a->n; i++)
        if (a->start[0] != 0 || a->start[i + 1] < a->start[i])
            return refuse(e, EXIT_INPUT, "%s: row_start must begin with 0 and not decrease; found %lld, %lld at row %d",
                          path, (long long)a->start[i], (long long)a->start[i + 1], i);
    a->column = read_array(file, path, "column", HDF5_INT32, a->start[a->n], 1, NULL, e);
    if (!a->column) return false;
    for (int32_t i = 0; i < a->n; i++)
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
            if (a->column[k] < 0 || a->column[k] >= a->n)
                return refuse(e, EXIT_INPUT, "%s: row %d has column %d; expected one from 0 to %d", path, i,
                              a->column[k], a->n - 1);
    return read_block(file, path, a, e) &&
           (a->value = read_array(file, path, "value", HDF5_DOUBLE, a->start[a->n], csr_square(a), NULL, e)) != NULL;
}

/* The same, checked to be finite. */
static double *read_numbers(struct hdf5_reader *file, const char *path, const char *name, int64_t rows, int columns,
                            struct error *e)
{
    double *v = read_array(file, path, name, HDF5_DOUBLE, rows, columns, NULL, e);
    for (int64_t i = 0; v && i < rows * columns; i++)
        if (!isfinite(v[i])) {
            refuse(e, EXIT_INPUT, "%s: row %lld of the array \"%s\" holds %g; expected finite numbers", path,
                   (long long)(i / columns), name, v[i]);
            free(v);
            v = NULL;
        }
    return v;
}

/* Reads the optional parts of the file. */
static bool read_more(struct hdf5_reader *file, struct linear_system *s, struct error *e)
{
    int64_t length[2] = {0};
    double *centre;
    if (has(file, "rhs", length) && !(s->rhs = read_numbers(file, s->name, "rhs", s->n, s->block, e)))
        return false;
    if (has(file, "phase", length) &&
        !(s->phase = read_array(file, s->name, "phase", HDF5_INT32, s->n, 1, NULL, e))) return false;
    if (!has(file, "centre", length)) return true;
    s->dim = length[1] == 3 ? 3 : 2;
    if (!(centre = read_numbers(file, s->name, "centre", s->n, s->dim, e))) return false;
    NEW(s->centre, (int64_t)s->dim * s->n);
    for (int32_t i = 0; i < s->n; i++)
        for (int k = 0; k < s->dim; k++) s->centre[(int64_t)k * s->n + i] = centre[(int64_t)i * s->dim + k];
    free(centre);
    return true;
}

bool matrix_hdf5_read(struct linear_system *s, const char *path, struct error *e)
{
    struct hdf5_reader file;
    struct csr a = {0};
    *s = (struct linear_system){0};
    snprintf(s->name, sizeof s->name, "%s", path);
    if (!open_file(&file, path, "poise-matrix", e)) return false;
    bool good = read_rows(&file, path, &a, e);
    if (!good) free(a.start), free(a.column);
    good = good && linear_system_of_rows(s, &a, e) && read_more(&file, s, e);
    if (!good) linear_system_free(s);
    s->ordering = s->centre ? ORDERING_HILBERT : ORDERING_METIS;
    hdf5_close(&file);
    return good;
}

/* ---------------------------------------------------------------- writing */
static void put(hid_t file, const char *name, hid_t type, int64_t rows, int columns, const void *data)
{
    hsize_t length[2] = {(hsize_t)rows, (hsize_t)columns};
    if (data) hdf5_put(file, name, type, columns == 1 ? 1 : 2, length, data);
}

static hid_t compose(const char *format)
{
    int32_t version = VERSION;
    hid_t file = hdf5_compose(HDF5_FRONT);
    hdf5_put_text(file, "format", format);
    hdf5_put_number(file, "version", H5T_NATIVE_INT32, &version);
    return file;
}

bool matrix_hdf5_write(const struct linear_system *s, const char *path, struct error *e)
{
    hid_t file = compose("poise-matrix");
    double *centre = NULL;
    int32_t block = s->block;
    hdf5_put_text(file, "source", s->name);
    put(file, "row_start", H5T_NATIVE_INT64, s->n + (int64_t)1, 1, s->start);
    put(file, "column", H5T_NATIVE_INT32, s->start[s->n], 1, s->column);
    if (s->block > 1) hdf5_put_number(file, "block", H5T_NATIVE_INT32, &block);
    put(file, "value", H5T_NATIVE_DOUBLE, s->start[s->n], s->block * s->block, s->value);
    put(file, "rhs", H5T_NATIVE_DOUBLE, s->n, s->block, s->rhs);
    put(file, "phase", H5T_NATIVE_INT32, s->n, 1, s->phase);
    if (s->centre) {
        NEW(centre, (int64_t)s->dim * s->n);
        for (int32_t i = 0; i < s->n; i++)
            for (int k = 0; k < s->dim; k++) centre[(int64_t)i * s->dim + k] = s->centre[(int64_t)k * s->n + i];
        put(file, "centre", H5T_NATIVE_DOUBLE, s->n, s->dim, centre);
        free(centre);
    }
    return hdf5_save(file, "matrix", path, e);
}

double *matrix_hdf5_read_vector(const char *path, int32_t n, struct error *e)
{
    struct hdf5_reader file;
    if (!open_file(&file, path, "poise-vector", e)) return NULL;
    double *v = read_numbers(&file, path, "value", n, 1, e);
    hdf5_close(&file);
    return v;
}

bool matrix_hdf5_write_vector(const double *v, int32_t n, const char *path, struct error *e)
{
    hid_t file = compose("poise-vector");
    put(file, "value", H5T_NATIVE_DOUBLE, n, 1, v);
    return hdf5_save(file, "vector", path, e);
}
