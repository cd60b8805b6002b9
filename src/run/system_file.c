/* Writes an equation of a run as a file of a linear system. */
#include "run/system_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "system/linear_system.h"
#include "system/matrix_file.h"

/* Copies from component after component on the device to row after row. */
static double *rows_of(const double *v, const struct matrix *a)
{
    double *component, *row;
    NEW(component, a->p.n), NEW(row, (int64_t)a->block * a->p.n);
    for (int k = 0; k < a->block; k++) {
        device_download(component, v + k * a->p.pitch, (size_t)a->p.n * sizeof *component);
        for (int32_t i = 0; i < a->p.n; i++) row[(int64_t)a->block * i + k] = component[i];
    }
    free(component);
    return row;
}

bool system_file_write(const struct matrix *a, const double *rhs, double unit, const char *name,
                       const struct mesh *m, const char *path, struct error *e)
{
    struct linear_system s = {.n = a->p.n, .block = a->block, .dim = m->dim};
    struct csr rows = {.n = a->p.n, .block = a->block};
    int64_t n_centres = (int64_t)m->dim * m->n_cells;
    snprintf(s.name, sizeof s.name, "%s", name);
    matrix_download(a, &rows.start, &rows.column, &rows.value);
    for (int64_t k = a->block - 1; k < rows.start[a->p.n] * a->block * a->block; k += a->block) rows.value[k] /= unit;
    bool good = linear_system_of_rows(&s, &rows, e);
    if (good) {
        NEW(s.centre, n_centres);
        s.rhs = rows_of(rhs, a);
        memcpy(s.centre, m->cell_centre, (size_t)n_centres * sizeof *s.centre);
        good = matrix_hdf5_write(&s, path, e);
    }
    linear_system_free(&s);
    return good;
}
