/* Words of the discretisation schemes in case files (scheme_setting.h). */
#include "assembly/scheme_setting.h"

#define WORD_AT(name, kernel, word, gradient) [CONVECTION_##name] = word,
const char *const convection_words[N_CONVECTION] = {CONVECTION_SCHEMES(WORD_AT)};
const char *const gradient_words[N_GRADIENTS] = {
    [GRADIENT_LEAST_SQUARES] = "least-squares", [GRADIENT_GREEN_GAUSS] = "green-gauss"};
const char *const accuracy_words[N_ACCURACIES] = {[ACCURACY_HIGH] = "high", [ACCURACY_STANDARD] = "standard"};
