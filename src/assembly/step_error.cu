/* Kernels that estimate the errors of a time step (step_error.h). */
#include "assembly/step_error.h"

/* The time error of one number; stores its second difference for the next step. */
ON_DEVICE double error_of_time(const struct step_times *t, double x, double old, double older, double *bend)
{
    double now = ((x - old) / t->step - (old - older) / t->old) / (t->step + t->old);
    double error = fma(t->second, now, t->third * (now - *bend));
    *bend = now;
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
            double u = CELL_VALUE(a->s, a->u, k, row), error = 0;
            if (a->bend)
                error = error_of_time(&a->times, u, CELL_VALUE(a->s, a->old, k, row),
                                      CELL_VALUE(a->s, a->older, k, row), &CELL_VALUE(a->s, a->bend, k, row));
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
    for (int k = 0; k < a->s.dim; k++) {
        SLICE_VAR(double, momentum);
        PHASE(w) LANES(t) {
            int64_t row = ROW(b, w, t);
            double mass = row < a->s.n_cells ? time_density_in(&a->properties, row) * a->s.volume[row] : 0.0;
            IN_SLICE(momentum) = mass > 0 ? mass * CELL_VALUE(a->s, a->u, k, row) : 0.0;
        }
        SUM_OF_SLICE(a->sums, ERROR_MOMENTUM + k, b, momentum)
    }
}

SLICE_KERNEL(pass_change, struct pass_change_args)
{
    SLICE_VAR(double, all);
    SLICE_VAR(double, square);
    SLICE_VAR(double, change);
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        double v = row < a->s.n_cells ? a->s.volume[row] : 0, sum[2] = {0};
        for (int k = 0; k < a->s.dim && v > 0; k++) {
            double u = CELL_VALUE(a->s, a->u, k, row), d = u - CELL_VALUE(a->s, a->before, k, row);
            sum[0] = fma(u, u, sum[0]), sum[1] = fma(d, d, sum[1]);
        }
        IN_SLICE(all) = v, IN_SLICE(square) = v * sum[0], IN_SLICE(change) = v * sum[1];
    }
    SUM_OF_SLICE(a->sums, PASS_VOLUME, b, all)
    SUM_OF_SLICE(a->sums, PASS_SQUARE, b, square)
    SUM_OF_SLICE(a->sums, PASS_CHANGE, b, change)
    for (int k = 0; k < a->s.dim; k++) {
        SLICE_VAR(double, velocity);
        PHASE(w) LANES(t) {
            int64_t row = ROW(b, w, t);
            IN_SLICE(velocity) = row < a->s.n_cells ? a->s.volume[row] * CELL_VALUE(a->s, a->u, k, row) : 0.0;
        }
        SUM_OF_SLICE(a->sums, PASS_VELOCITY + k, b, velocity)
    }
}

SLICE_KERNEL(value_error, struct value_error_args)
{
    SLICE_VAR(double, weight);
    SLICE_VAR(double, amount);
    SLICE_VAR(double, spread);
    SLICE_VAR(double, time);
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        double v = row < a->s.n_cells ? a->s.volume[row] : 0, x = 0, from = 0, error = 0;
        if (a->capacity && v > 0) v *= a->capacity[row];
        if (v > 0) {
            x = a->x[row], from = x - a->reference;
            if (a->times.old > 0) error = error_of_time(&a->times, x, a->old[row], a->older[row], &a->bend[row]);
        }
        IN_SLICE(weight) = v, IN_SLICE(amount) = v * x;
        IN_SLICE(spread) = v * from * from, IN_SLICE(time) = v * error * error;
    }
    SUM_OF_SLICE(a->sums, VALUE_WEIGHT, b, weight)
    SUM_OF_SLICE(a->sums, VALUE_AMOUNT, b, amount)
    SUM_OF_SLICE(a->sums, VALUE_SPREAD, b, spread)
    SUM_OF_SLICE(a->sums, VALUE_ERROR, b, time)
}
