/* outlet_head.h: outlets with total_pressure P: the static pressure is uniform, p = P - h with the mean dynamic
 * pressure h of the outflow,
 *
 *     h = sum F q / sum F over faces with F > 0,   q = 1/2 rho |u|^2
 *
 * so that the mean of p + q, weighted by the flow, is P.  With P - q face by face a faster stream would have a lower
 * pressure and be faster still: flows with several solutions (docs/explanation/numerics.md).  Fluid that enters has
 * the total pressure P - h. */
#ifndef POISE_OUTLET_HEAD_H
#define POISE_OUTLET_HEAD_H
#include "assembly/boundary.h"
#include "gpu/sums.h"

struct outlet_head {
    double *row;                /* [2 n_mean pitch] per cell: F q and F of outlet k, at 2 k and 2 k + 1; NULL: no such
                                   outlet */
    struct sums sums;           /* of these */
};

struct outlet_head_args {
    struct stencil s;
    struct boundary b;
    struct outlet_head h;
    const double *flux;         /* [n_faces] F */
    const double *mass;         /* [n_faces] rho F of a mixture, or NULL */
    double density;             /* of one fluid */
};
KERNEL(outlet_head_rows, struct outlet_head_args)       /* over boundary cells: row, which was 0 */
#endif
