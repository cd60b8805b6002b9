#include "system/matrix_hdf5.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/hdf5_file.h"
#include "base/memory.h"

enum { VERSION = 1 };

/* ---------------------------------------------------------------- reading */
/* The file, when it is of the given format; else negative, with a message. */
static hid_t open_file(const char *path, const char *wanted, struct error *e)
{
    if (access(path, R_OK)) return refuse(e, EXIT_INPUT, "%s: %s", path, strerror(errno)), -1;
    hid_t file = hdf5_open(path);
    if (file < 0) return refuse(e, EXIT_INPUT, "%s: is no HDF5 file, or a part of one", path), -1;
    char *format = hdf5_get_text(file, "format");
    int32_t version = 0;
    bool good = format && !strcmp(format, wanted);
    if (!good)
        refuse(e, EXIT_INPUT, "%s: its attribute \"format\" is \"%s\"; expected \"%s\"", path, format ? format : "",
               wanted);
    else if (!hdf5_get_number(file, "version", H5T_NATIVE_INT32, &version) || version != VERSION)
        good = refuse(e, EXIT_INPUT, "%s: its version is %d; this program reads version %d", path, version, VERSION);
    free(format);
    if (!good) H5Fclose(file), file = -1;
    return file;
}

/* An array of `rows` rows (-1: any number, which is returned) and `columns` columns (1: rank 1).  NULL with a message.
 */
static void *read_array(hid_t file, const char *path, const char *name, hid_t type, int64_t rows, int columns,
                        int64_t *found, struct error *e)
{
    hsize_t length[8] = {0};
    int rank = hdf5_shape(file, name, length);
    bool good = rank == (columns == 1 ? 1 : 2) && (columns == 1 || length[1] == (hsize_t)columns) &&
                (rows < 0 || length[0] == (hsize_t)rows);
    if (!good) {
        char wanted[40] = "", shape[40] = "nothing of this kind";
        if (rows >= 0) snprintf(wanted, sizeof wanted, " and %lld rows", (long long)rows);
        if (rank > 0) snprintf(shape, sizeof shape, "%d-D, %llu rows", rank, (unsigned long long)length[0]);
        refuse(e, EXIT_INPUT, "%s: found for the array \"%s\": %s; expected %d column(s)%s", path, name, shape, columns,
               wanted);
        return NULL;
    }
    void *data = allocate((size_t)(length[0] * (hsize_t)columns), H5Tget_size(type), name);
    if (found) *found = (int64_t)length[0];
    if (length[0] == 0 || hdf5_get(file, name, type, data)) return data;
    refuse(e, EXIT_INPUT, "%s: the array \"%s\" cannot be read; expected numbers", path, name);
    free(data);
    return NULL;
}

static bool read_rows(hid_t file, const char *path, struct csr *a, struct error *e)
{
    int64_t n;
    a->start = read_array(file, path, "row_start", H5T_NATIVE_INT64, -1, 1, &n, e);
    if (!a->start) return false;
    if (n < 2 || n - 1 >= INT32_MAX)
        return refuse(e, EXIT_INPUT, "%s: row_start has %lld numbers; expected one more than rows, between 2 and "
                      "2^31 - 1", path, (long long)n);
    a->n = (int32_t)n - 1;
    for (int32_t i = 0; i < a->n; i++)
        if (a->start[0] != 0 || a->start[i + 1] < a->start[i])
            return refuse(e, EXIT_INPUT, "%s: row_start must begin with 0 and not decrease; found %lld, %lld at row %d",
                          path, (long long)a->start[i], (long long)a->start[i + 1], i);
    a->column = read_array(file, path, "column", H5T_NATIVE_INT32, a->start[a->n], 1, NULL, e);
    if (!a->column) return false;
    for (int32_t i = 0; i < a->n; i++)
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
            if (a->column[k] < 0 || a->column[k] >= a->n)
                return refuse(e, EXIT_INPUT, "%s: row %d has column %d; expected one from 0 to %d", path, i,
                              a->column[k], a->n - 1);
    return (a->value = read_array(file, path, "value", H5T_NATIVE_DOUBLE, a->start[a->n], 1, NULL, e)) != NULL;
}

/* The same, of finite numbers. */
static double *read_numbers(hid_t file, const char *path, const char *name, int64_t rows, int columns, struct error *e)
{
    double *v = read_array(file, path, name, H5T_NATIVE_DOUBLE, rows, columns, NULL, e);
    for (int64_t i = 0; v && i < rows * columns; i++)
        if (!isfinite(v[i])) {
            refuse(e, EXIT_INPUT, "%s: row %lld of the array \"%s\" holds %g; expected finite numbers", path,
                   (long long)(i / columns), name, v[i]);
            free(v);
            v = NULL;
        }
    return v;
}

/* What the file may lack. */
static bool read_more(hid_t file, struct linear_system *s, struct error *e)
{
    hsize_t length[8] = {0};
    double *centre;
    if (hdf5_shape(file, "rhs", length) >= 0 && !(s->rhs = read_numbers(file, s->name, "rhs", s->n, 1, e)))
        return false;
    if (hdf5_shape(file, "phase", length) >= 0 &&
        !(s->phase = read_array(file, s->name, "phase", H5T_NATIVE_INT32, s->n, 1, NULL, e))) return false;
    if (hdf5_shape(file, "centre", length) < 0) return true;
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
    struct csr a = {0};
    *s = (struct linear_system){0};
    snprintf(s->name, sizeof s->name, "%s", path);
    hid_t file = open_file(path, "poise-matrix", e);
    if (file < 0) return false;
    bool good = read_rows(file, path, &a, e);
    if (!good) free(a.start), free(a.column);
    good = good && linear_system_of_rows(s, &a, e) && read_more(file, s, e);
    if (!good) linear_system_free(s);
    s->ordering = s->centre ? ORDERING_HILBERT : ORDERING_METIS;
    H5Fclose(file);
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
    hid_t file = hdf5_compose(0);
    hdf5_put_text(file, "format", format);
    hdf5_put_number(file, "version", H5T_NATIVE_INT32, &version);
    return file;
}

bool matrix_hdf5_write(const struct linear_system *s, const char *path, struct error *e)
{
    hid_t file = compose("poise-matrix");
    double *centre = NULL;
    hdf5_put_text(file, "source", s->name);
    put(file, "row_start", H5T_NATIVE_INT64, s->n + (int64_t)1, 1, s->start);
    put(file, "column", H5T_NATIVE_INT32, s->start[s->n], 1, s->column);
    put(file, "value", H5T_NATIVE_DOUBLE, s->start[s->n], 1, s->value);
    put(file, "rhs", H5T_NATIVE_DOUBLE, s->n, 1, s->rhs);
    put(file, "phase", H5T_NATIVE_INT32, s->n, 1, s->phase);
    if (s->centre) {
        NEW(centre, (int64_t)s->dim * s->n);
        for (int32_t i = 0; i < s->n; i++)
            for (int k = 0; k < s->dim; k++) centre[(int64_t)i * s->dim + k] = s->centre[(int64_t)k * s->n + i];
        put(file, "centre", H5T_NATIVE_DOUBLE, s->n, s->dim, centre);
        free(centre);
    }
    return hdf5_save(file, path, e);
}

double *matrix_hdf5_read_vector(const char *path, int32_t n, struct error *e)
{
    hid_t file = open_file(path, "poise-vector", e);
    if (file < 0) return NULL;
    double *v = read_numbers(file, path, "value", n, 1, e);
    H5Fclose(file);
    return v;
}

bool matrix_hdf5_write_vector(const double *v, int32_t n, const char *path, struct error *e)
{
    hid_t file = compose("poise-vector");
    put(file, "value", H5T_NATIVE_DOUBLE, n, 1, v);
    return hdf5_save(file, path, e);
}
