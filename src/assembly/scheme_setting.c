#include "assembly/scheme_setting.h"

const char *const convection_words[N_CONVECTIONS] = {
    [CONVECTION_UPWIND] = "upwind", [CONVECTION_LINEAR_UPWIND] = "linear-upwind", [CONVECTION_CENTRAL] = "central",
    [CONVECTION_VAN_LEER] = "van-leer"};
const char *const gradient_words[N_GRADIENTS] = {
    [GRADIENT_LEAST_SQUARES] = "least-squares", [GRADIENT_GREEN_GAUSS] = "green-gauss"};
const char *const accuracy_words[N_ACCURACIES] = {[ACCURACY_HIGH] = "high", [ACCURACY_STANDARD] = "standard"};
