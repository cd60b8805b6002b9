#include "run/pressure_system.h"
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "system/linear_system.h"
#include "system/matrix_hdf5.h"

bool pressure_system_write(const struct flow *f, const double *rhs, const char *name, const struct mesh *m,
                           const char *path, struct error *e)
{
    struct linear_system s = {.n = f->pressure.p.n, .dim = m->dim};
    struct csr rows = {.n = f->pressure.p.n};
    int64_t n_centres = (int64_t)m->dim * m->n_cells;
    snprintf(s.name, sizeof s.name, "%s", name);
    matrix_download(&f->pressure, &rows.start, &rows.column, &rows.value);
    bool good = linear_system_of_rows(&s, &rows, e);
    if (good) {
        NEW(s.rhs, s.n), NEW(s.centre, n_centres);
        device_download(s.rhs, rhs, (size_t)s.n * sizeof *s.rhs);
        memcpy(s.centre, m->cell_centre, (size_t)n_centres * sizeof *s.centre);
        good = matrix_hdf5_write(&s, path, e);
    }
    linear_system_free(&s);
    return good;
}
