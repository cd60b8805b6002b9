/* Condition numbers from the tridiagonal matrix of conjugate gradients (condition.h). */
#include "solve/condition.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"

/* The next pivot of T - x, bounded away from zero, because the following one is divided by it. */
static double pivot(double diagonal, double off_diagonal, double before, double x)
{
    double d = diagonal - x - off_diagonal * (off_diagonal / before);
    return fabs(d) < DBL_MIN ? -DBL_MIN : d;
}

static int eigenvalues_below(const double *diagonal, const double *off_diagonal, int n, double x)
{
    int negative = 0;
    double d = 1;
    for (int i = 0; i < n; i++) {
        d = pivot(diagonal[i], i ? off_diagonal[i - 1] : 0, d, x);
        negative += d < 0;
    }
    return negative;
}

double tridiagonal_eigenvalue(const double *diagonal, const double *off_diagonal, int n, int which)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < n; i++) {                                       /* Gershgorin's bounds */
        double radius = (i ? fabs(off_diagonal[i - 1]) : 0) + (i < n - 1 ? fabs(off_diagonal[i]) : 0);
        low = fmin(low, diagonal[i] - radius);
        high = fmax(high, diagonal[i] + radius);
    }
    for (;;) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) return middle;
        if (eigenvalues_below(diagonal, off_diagonal, n, middle) > which) high = middle;
        else low = middle;
    }
}

struct condition condition_from_cg(const struct linear_history *h, int n)
{
    struct condition c = {0};
    double *diagonal, *off_diagonal;
    if (n < 1) return c;
    NEW(diagonal, n), NEW(off_diagonal, n);
    for (int i = 0; i < n; i++) {
        diagonal[i] = 1 / h[i + 1].alpha + (i ? h[i].beta / h[i].alpha : 0);
        off_diagonal[i] = sqrt(h[i + 1].beta) / h[i + 1].alpha;
    }
    c.least = tridiagonal_eigenvalue(diagonal, off_diagonal, n, 0);
    c.most = tridiagonal_eigenvalue(diagonal, off_diagonal, n, n - 1);
    free(diagonal), free(off_diagonal);
    return c;
}
