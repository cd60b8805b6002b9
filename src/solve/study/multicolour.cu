/* Kernels of multicolour Gauss-Seidel, in both precisions (multicolour.h). */
#include "solve/pattern_row.h"
#include "solve/study/multicolour.h"

#define BODY "solve/study/multicolour_body.h"
#include "gpu/both_precisions.h"
