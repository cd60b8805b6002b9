/* passing.h: what passes through the boundaries of a flow, and the part of it that is missing. */
#ifndef POISE_PASSING_H
#define POISE_PASSING_H
#include "assembly/boundary.h"
#include "assembly/stencil.h"
#include "gpu/sums.h"

/* Per cell and summed: the net flux, the sum of |flux|, and the area of the faces where the pressure is given. */
enum { PASSING_NET, PASSING_GROSS, PASSING_AREA, N_PASSING };
struct passing_sums {
    double *row;                /* [N_PASSING pitch], 0 in cells without boundary faces; NULL: no pressure is given */
    struct sums sums;
    /* Of transient algorithms: the largest flow so far, half of the gross sum; the net flux at the end of the last
     * step. */
    double last[2];
};
enum { PASSING_MOST, PASSING_LEFT };

struct passing_args {
    struct stencil s;
    struct boundary b;
    const double *flux;         /* [n_faces] */
    double *row;
};
KERNEL(passing_rows, struct passing_args)       /* over boundary cells */
#endif
