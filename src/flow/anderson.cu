/* Kernels of Anderson acceleration: scalar products of the steps, and mixing (anderson_kernels.h). */
#include "flow/anderson_kernels.h"

SLICE_KERNEL(anderson_change, struct anderson_change_args)
{
    const int64_t slot = a->components * a->pitch;
    float *step = a->change + (a->newest < 0 ? 0 : a->newest) * slot;
    SLICE_VAR(double, square);
    PHASE(w) LANES(t) IN_SLICE(square) = 0;
    for (int c = 0; c < a->components; c++)
        PHASE(w) LANES(t) {
            int64_t row = ROW(b, w, t), k = c * a->pitch + row;
            double f = a->u[k] - a->before[k];
            if (a->newest >= 0) step[k] = (float)(f - a->last[k]);
            a->last[k] = f;
            IN_SLICE(square) = fma(a->volume[row] * f, f, IN_SLICE(square));
        }
    SUM_OF_SLICE(a->sums, 0, b, square)
    for (int j = 0; j < a->slots; j++) {
        SLICE_VAR(double, with_step);
        SLICE_VAR(double, with_change);
        const float *other = a->change + j * slot;
        PHASE(w) LANES(t) IN_SLICE(with_step) = 0, IN_SLICE(with_change) = 0;
        for (int c = 0; c < a->components; c++)
            PHASE(w) LANES(t) {
                int64_t row = ROW(b, w, t), k = c * a->pitch + row;
                double weighted = a->volume[row] * other[k];
                IN_SLICE(with_step) = fma(weighted, (double)step[k], IN_SLICE(with_step));
                IN_SLICE(with_change) = fma(weighted, a->last[k], IN_SLICE(with_change));
            }
        SUM_OF_SLICE(a->sums, 1 + 2 * j, b, with_step)
        SUM_OF_SLICE(a->sums, 2 + 2 * j, b, with_change)
    }
}

SLICE_KERNEL(anderson_step, struct anderson_change_args)
{
    SLICE_VAR(double, step);
    SLICE_VAR(double, size);
    PHASE(w) LANES(t) IN_SLICE(step) = 0, IN_SLICE(size) = 0;
    for (int c = 0; c < a->components; c++)
        PHASE(w) LANES(t) {
            int64_t row = ROW(b, w, t), k = c * a->pitch + row;
            double d = a->u[k] - a->before[k];
            IN_SLICE(step) = fma(a->volume[row] * d, d, IN_SLICE(step));
            IN_SLICE(size) = fma(a->volume[row] * a->u[k], a->u[k], IN_SLICE(size));
        }
    SUM_OF_SLICE(a->sums, 0, b, step)
    SUM_OF_SLICE(a->sums, 1, b, size)
}

INDEX_KERNEL(anderson_mix, struct anderson_mix_args)
{
    double now = a->x[i], mixed = now;
    if (a->newest >= 0) a->history[a->newest * a->length + i] = (float)(now - a->last[i]);
    a->last[i] = now;
    for (int j = 0; j < a->slots; j++) mixed = fma(-a->gamma[j], (double)a->history[j * a->length + i], mixed);
    a->x[i] = mixed;
}
