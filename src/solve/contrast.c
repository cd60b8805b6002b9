/* The jumps of a matrix's coefficients: host code (contrast.h). */
#include "solve/contrast.h"
#include "gpu/device.h"

double matrix_contrast(const struct matrix *a)
{
    double contrast;
    struct contrast_args c = {.a = *a, .largest = pattern_alloc(&a->p, 1, sizeof(double), "contrast"),
                              .sums = sums_create(1, a->p.n_slices, "contrast")};
    contrast_largest(&c, a->p.n_slices);
    halo_update(a->p.halo, c.largest, 1);
    contrast_ratio(&c, a->p.n_slices);
    sums_finish_largest(&c.sums, 0, 1);
    sums_download(&c.sums, 0, 1, &contrast);
    device_free(c.largest), sums_free(&c.sums);
    return contrast;
}
