/* Packs discs or spheres into a box, and computes the coefficients there (spheres.h). */
#include "system/spheres.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/memory.h"
#include "base/random.h"

static bool is_apart(const double *at, const double *others, int n_others, double distance)
{
    for (int i = 0; i < n_others; i++) {
        double d2 = 0;
        for (int k = 0; k < 3; k++) d2 += (at[k] - others[3 * i + k]) * (at[k] - others[3 * i + k]);
        if (d2 < distance * distance) return false;
    }
    return true;
}

/* Places the centres at random, one after the other in free space; if there is none, starts again with other random
 * numbers. */
static double *place(int dim, int n, int count, double radius)
{
    enum { PATIENCE = 1000 };
    double *centre;
    uint64_t tried = 0;
    NEW(centre, 3 * (int64_t)count);
    for (int i = 0, failed = 0; i < count; tried++) {
        double *at = centre + 3 * (int64_t)i, reach = count == 1 ? 0 : 0.5 * n - 1.5 * radius;
        for (int k = 0; k < dim; k++) at[k] = 0.5 * n + reach * random_number(3 * tried + (uint64_t)k);
        if (is_apart(at, centre, i, 2.5 * radius)) i++, failed = 0;
        else if (++failed == PATIENCE) i = 0, failed = 0;
    }
    return centre;
}

/* Sets the coefficient of the cells whose centres are closer than `radius` to `at`. */
static void fill(double *coefficient, int dim, int n, const double at[3], double radius, double contrast)
{
    int low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = k < dim ? (int)fmax(0, floor(at[k] - radius)) : 0;
        high[k] = k < dim ? (int)fmin(n - 1, floor(at[k] + radius)) : 0;
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                double x = i + 0.5 - at[0], y = j + 0.5 - at[1], z = dim == 3 ? k + 0.5 - at[2] : 0;
                if (x * x + y * y + z * z < radius * radius) coefficient[((int64_t)k * n + j) * n + i] = contrast;
            }
}

double *spheres_coefficient(int dim, int n, int count, double contrast, struct error *e)
{
    double radius = 0.25 * n / pow(count, 1.0 / dim), *coefficient, *centre;
    int64_t cells = dim == 3 ? (int64_t)n * n * n : (int64_t)n * n;
    if (radius < 1.5) {
        refuse(e, EXIT_INPUT, "--generate bubbles%dd:%d,%d: a bubble has a radius of %.2f cells; expected at least "
               "1.5: more cells, or fewer bubbles", dim, n, count, radius);
        return NULL;
    }
    NEW(coefficient, cells);
    for (int64_t i = 0; i < cells; i++) coefficient[i] = 1;
    centre = place(dim, n, count, radius);
    for (int i = 0; i < count; i++) fill(coefficient, dim, n, centre + 3 * (int64_t)i, radius, contrast);
    free(centre);
    return coefficient;
}
