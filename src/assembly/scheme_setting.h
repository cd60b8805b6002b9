/* scheme_setting.h: the schemes by which equations are put together, and the words that a case has for them. */
#ifndef POISE_SCHEME_SETTING_H
#define POISE_SCHEME_SETTING_H
#include "assembly/convection.h"

enum gradient { GRADIENT_LEAST_SQUARES, GRADIENT_GREEN_GAUSS };
/* Of the velocity between the cells' centres, where the mesh is skewed or not orthogonal. */
enum accuracy { ACCURACY_HIGH, ACCURACY_STANDARD };
enum { N_GRADIENTS = 2, N_ACCURACIES = 2 };
extern const char *const convection_words[N_CONVECTION], *const gradient_words[N_GRADIENTS],
                  *const accuracy_words[N_ACCURACIES];
#endif
