/* multicolour.h: private to multicolour.c, multicolour.cu, colouring.c.  Rows of one colour have no entries between
 * them.
 *
 * A second copy of the matrix has its rows sorted by colour, every colour padded to whole slices; a warp's entries to
 * earlier colours are stored before those to later ones, so that either part can be read alone. */
#ifndef POISE_MULTICOLOUR_H
#define POISE_MULTICOLOUR_H
#include <stdbool.h>
#include "solve/matrix.h"

enum { NO_SLOT = 65535 };

struct colour_pattern {
    int n_colours;
    int32_t *first_slice;       /* [n_colours + 1] on the host */
    int64_t n_rows, n_stored;   /* rows and entries, with padding */
    int32_t *row;               /* this and the rest on the device.  [n_rows] row of the matrix, -1: padding */
    int64_t *warp_start;        /* [n_rows / WARP + 1] */
    int64_t *middle;            /* [n_rows / WARP] where the entries to later colours begin */
    int32_t *col;               /* [n_stored] position in this order; padding: 0, of value 0 */
    uint16_t *slot;             /* [n_stored] which entry of its row in the matrix; NO_SLOT: padding */
};
/* Greedy: in the order of the rows, each gets the first colour that none of its neighbours has.  False if a row has too
 * many entries. */
bool colour_pattern(struct colour_pattern *p, const struct matrix *a);
void colour_pattern_free(struct colour_pattern *p);

struct colour_args {
    struct colour_pattern p;
    const void *val, *inverse;  /* double or float, according to the kernel's name */
    void *x;
    int32_t first;              /* slice */
    int32_t lower, upper;       /* does the sum include the entries to earlier colours, those to later ones? */
    double own, right, product; /* x = own x + right D^-1 r - product D^-1 (sum) */
    const double *r;
    const double *norm2;        /* NULL, or r is divided by sqrt(*norm2) and z multiplied by it */
    double *z;                  /* or NULL: rows as in the matrix */
};
struct colour_values_args { struct colour_pattern p; struct matrix a; void *val, *inverse; };
#define COLOUR_KERNELS(real)                                                                                 \
    KERNEL(multicolour_sweep_##real, struct colour_args)     /* over the slices of a colour */               \
    KERNEL(multicolour_values_##real, struct colour_values_args) /* over all slices of the pattern */
COLOUR_KERNELS(double)
COLOUR_KERNELS(float)
#endif
