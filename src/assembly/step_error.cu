/* Kernel that estimates the error of a time step (step_error.h). */
#include "assembly/step_error.h"

/* The time error in component k of a cell; stores the second difference for the next step. */
ON_DEVICE double error_of_time(const struct step_error_args *a, int k, int64_t row)
{
    double old = CELL_VALUE(a->s, a->old, k, row), older = CELL_VALUE(a->s, a->older, k, row);
    double bend = ((CELL_VALUE(a->s, a->u, k, row) - old) / a->step - (old - older) / a->step_old) /
                  (a->step + a->step_old);
    double error = fma(a->second, bend, a->third * (bend - CELL_VALUE(a->s, a->bend, k, row)));
    CELL_VALUE(a->s, a->bend, k, row) = bend;
    return error;
}

SLICE_KERNEL(step_error, struct step_error_args)
{
    SLICE_VAR(double, all);
    SLICE_VAR(double, velocity);
    SLICE_VAR(double, time);
    SLICE_VAR(double, change);
    SLICE_VAR(double, splitting);
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        double v = row < a->s.n_cells ? a->s.volume[row] : 0, sum[4] = {0};
        double mass = time_density_in(&a->properties, row) * v;
        for (int k = 0; k < a->s.dim && v > 0; k++) {
            double u = CELL_VALUE(a->s, a->u, k, row), error = a->bend ? error_of_time(a, k, row) : 0.0;
            double d = CELL_VALUE(a->s, a->change, k, row);
            double rest = CELL_VALUE(a->s, a->product, k, row) / (a->c * mass) - d;
            sum[0] = fma(u, u, sum[0]), sum[1] = fma(error, error, sum[1]);
            sum[2] = fma(d, d, sum[2]), sum[3] = fma(rest, rest, sum[3]);
        }
        IN_SLICE(all) = mass, IN_SLICE(velocity) = mass * sum[0], IN_SLICE(time) = mass * sum[1];
        IN_SLICE(change) = mass * sum[2], IN_SLICE(splitting) = mass * sum[3];
    }
    SUM_OF_SLICE(a->sums, ERROR_MASS, b, all)
    SUM_OF_SLICE(a->sums, ERROR_VELOCITY, b, velocity)
    SUM_OF_SLICE(a->sums, ERROR_TIME, b, time)
    SUM_OF_SLICE(a->sums, ERROR_CHANGE, b, change)
    SUM_OF_SLICE(a->sums, ERROR_SPLITTING, b, splitting)
}
