/* convection.h: the one list of schemes of convection.  To add one: a line here, and its correction to the upwind value
 * in assembly/transport.cu; the word in the case, the kernel and its launch are generated from this list.
 *
 *     SCHEME(enum, kernel, word in the case, needs the cells' gradients on every mesh) */
#ifndef POISE_CONVECTION_H
#define POISE_CONVECTION_H

#define CONVECTION_SCHEMES(SCHEME)                                                                           \
    SCHEME(UPWIND, upwind, "upwind", false)                     /* first order */                            \
    SCHEME(LINEAR_UPWIND, linear_upwind, "linear-upwind", true)                                              \
    SCHEME(CENTRAL, central, "central", false)                                                               \
    SCHEME(VAN_LEER, van_leer, "van-leer", true)                /* limited, total variation diminishing in 1-D */

#define CONVECTION_ENUM(name, kernel, word, gradient) CONVECTION_##name,
enum convection { CONVECTION_SCHEMES(CONVECTION_ENUM) N_CONVECTION };
#endif
