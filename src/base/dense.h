/* dense.h: small dense algebra on the host: vectors of three components, small symmetric matrices. */
#ifndef POISE_DENSE_H
#define POISE_DENSE_H
#include <math.h>
#include <stdbool.h>

static inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

/* The cofactors of a; returns its determinant. */
static inline double cofactors(double a[3][3], double c[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            c[i][j] = a[p][r] * a[q][s] - a[p][s] * a[q][r];
        }
    return a[0][0] * c[0][0] + a[0][1] * c[0][1] + a[0][2] * c[0][2];
}

/* Cholesky factor of the symmetric n x n matrix a (row pitch `stride`), in its lower triangle, in place.  False if
 * elimination leaves no more than this fraction of a diagonal entry. */
static inline bool cholesky(double *a, int stride, int n, double part)
{
    for (int j = 0; j < n; j++) {
        double *row = a + j * stride, whole = row[j];
        for (int k = 0; k < j; k++) row[j] -= row[k] * row[k];
        if (!(row[j] > part * whole)) return false;
        row[j] = sqrt(row[j]);
        for (int i = j + 1; i < n; i++) {
            double *below = a + i * stride;
            for (int k = 0; k < j; k++) below[j] -= below[k] * row[k];
            below[j] /= row[j];
        }
    }
    return true;
}
#endif
