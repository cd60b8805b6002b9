/* scheme_setting.h: discretisation schemes, and their names in a case. */
#ifndef POISE_SCHEME_SETTING_H
#define POISE_SCHEME_SETTING_H
#include "assembly/convection.h"

enum gradient { GRADIENT_LEAST_SQUARES, GRADIENT_GREEN_GAUSS };
/* Accuracy of the reconstructed velocity, on skewed or non-orthogonal meshes. */
enum accuracy { ACCURACY_HIGH, ACCURACY_STANDARD };
enum { N_GRADIENTS = 2, N_ACCURACIES = 2 };
extern const char *const convection_words[N_CONVECTION], *const gradient_words[N_GRADIENTS],
                  *const accuracy_words[N_ACCURACIES];
#endif
