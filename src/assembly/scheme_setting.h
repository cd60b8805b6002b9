/* scheme_setting.h: the schemes by which equations are put together, and the words that a case has for them. */
#ifndef POISE_SCHEME_SETTING_H
#define POISE_SCHEME_SETTING_H

/* The one list of schemes of convection.  To add one: its line here, and what it adds to the upwind value in transport.cu;
 * the word of the case, the kernel and its launch are made from this list.
 *
 *     SCHEME(enum, kernel, word in the case, needs the cells' gradients on every mesh) */
#define CONVECTION_SCHEMES(SCHEME)                                                                           \
    SCHEME(UPWIND, upwind, "upwind", false)                     /* first order */                            \
    SCHEME(LINEAR_UPWIND, linear_upwind, "linear-upwind", true)                                              \
    SCHEME(CENTRAL, central, "central", false)                                                               \
    SCHEME(VAN_LEER, van_leer, "van-leer", true)                /* limited, total variation diminishing in 1-D */

#define CONVECTION_ENUM(name, kernel, word, gradient) CONVECTION_##name,
enum convection { CONVECTION_SCHEMES(CONVECTION_ENUM) N_CONVECTIONS };
enum gradient { GRADIENT_LEAST_SQUARES, GRADIENT_GREEN_GAUSS };
/* Of the velocity between the cells' centres, where the mesh is skewed or not orthogonal. */
enum accuracy { ACCURACY_HIGH, ACCURACY_STANDARD };
enum { N_GRADIENTS = 2, N_ACCURACIES = 2 };
extern const char *const convection_words[N_CONVECTIONS], *const gradient_words[N_GRADIENTS],
                  *const accuracy_words[N_ACCURACIES];
#endif
