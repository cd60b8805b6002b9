/* algebraic_kernels.h: private to algebraic.c and algebraic.cu. */
#ifndef POISE_ALGEBRAIC_KERNELS_H
#define POISE_ALGEBRAIC_KERNELS_H
#include "interface/algebraic.h"
#include "interface/geometry.h"

struct algebraic_args {
    struct geometry g;
    struct algebraic w;
    const double *flux, *u, *fraction, *inflow_fraction;
    double *carried;
    double dt;
};
KERNEL(carry_upwind, struct algebraic_args)             /* over faces: carried; at boundaries also `boundary` */
KERNEL(predict_fraction, struct algebraic_args)         /* over cells: predicted, from carried */
KERNEL(find_surplus, struct algebraic_args)             /* over internal faces */
KERNEL(limit_surplus, struct algebraic_args)            /* over cells: gain, loss */
KERNEL(carry_surplus, struct algebraic_args)            /* over internal faces: carried, surplus */
#endif
