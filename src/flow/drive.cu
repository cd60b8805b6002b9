/* Kernels of driven flows: forces at faces, the response to a mean gradient, flow rates (drive.h). */
#include "flow/drive.h"
#include "flow/drive_kernels.h"
#include "interface/forces.h"
#include "solve/pattern_row.h"

/* ---------------------------------------------------------------- forces */
ON_DEVICE double along_d(const struct stencil *s, const double *vector, int64_t f)
{
    double sum = 0;
    for (int k = 0; k < s->dim; k++) sum = fma(vector[k], FACE_VECTOR(*s, d, k, f), sum);
    return sum;
}

INDEX_KERNEL(drive_pull, struct drive_flux_args) { a->flux[i] = a->s.g[i] * along_d(&a->s, a->direction, i); }

INDEX_KERNEL(drive_weight, struct drive_force_args)
{
    const struct stencil *s = &a->s;
    int32_t P = s->owner[i], N = i < s->n_internal ? s->neighbour[i] : P;
    double own = density_in(&a->properties, P), other = density_in(&a->properties, N);
    double along = along_d(s, a->vector, i), x[3], weight = own * along;
    if (N != P && own != other) {
        double to_interface = 0;
        interface_at_face(&a->pieces, i, x);
        for (int k = 0; k < s->dim; k++) to_interface = fma(a->vector[k], x[k], to_interface);
        weight = fma(other, along - to_interface, own * to_interface);
    }
    a->force[i] = fma(s->g[i], weight, a->force[i]);
}

/* ---------------------------------------------------------------- responses */
ON_DEVICE double along_area(const struct stencil *s, const double vector[3], int64_t f)
{
    double sum = 0;
    for (int k = 0; k < s->dim; k++) sum = fma(vector[k], FACE_VECTOR(*s, area, k, f), sum);
    return sum;
}

INDEX_KERNEL(drive_predicted_flux, struct drive_flux_args)
{
    a->flux[i] = face_value(&a->s, a->correct, 0, i) * along_area(&a->s, a->direction, i);
}

INDEX_KERNEL(drive_predicted_boundary_flux, struct drive_flux_args)
{
    int64_t f = a->s.n_internal + i;
    int is_free = a->b.flux_rule[i] == FLUX_FREE;
    a->flux[f] = is_free ? a->correct[a->s.owner[f]] * along_area(&a->s, a->direction, f) : 0.0;
}

INDEX_KERNEL(drive_pressure_flux, struct drive_flux_args)
{
    double step = a->response ? a->response[a->s.neighbour[i]] - a->response[a->s.owner[i]] : 0.0;
    a->flux[i] = a->coefficient[i] * (along_d(&a->s, a->direction, i) - step);
}

INDEX_KERNEL(drive_pressure_boundary_flux, struct drive_flux_args)
{
    int64_t f = a->s.n_internal + i;
    double step = a->response ? -a->response[a->s.owner[f]] : 0.0;
    a->flux[f] = a->coefficient[f] * (along_d(&a->s, a->direction, f) - step);
}

INDEX_KERNEL(drive_unit, struct drive_unit_args)
{
    for (int k = 0; k < a->s.dim; k++) CELL_VALUE(a->s, a->rhs, k, i) = a->s.volume[i] * a->direction[k];
    CELL_VALUE(a->s, a->rhs, a->s.dim, i) = 0;
}

/* ---------------------------------------------------------------- rates */
SLICE_KERNEL(drive_rates, struct drive_rate_args)
{
    SLICE_VAR(double, rate);
    SLICE_VAR(double, response);
    PHASE(w) {
        WARP_VAR(double, of_flux);
        WARP_VAR(double, of_response);
        LANES(t) IN_WARP(of_flux) = IN_WARP(of_response) = 0;
        ENTRIES(a->s.pattern, b, w, e)
            LANES(t) {
                int32_t code = a->s.face[e + t], f = FACE_OF(code);
                double half = code ? 0.5 : 0.0, along = 0, flux = a->flux[f];
                for (int k = 0; k < a->s.dim; k++) along = fma(a->direction[k], FACE_VECTOR(a->s, d, k, f), along);
                if (a->change) {
                    double step = a->change[a->s.neighbour[f]] - a->change[a->s.owner[f]];
                    flux -= a->coefficient[f] * step / a->c;
                }
                IN_WARP(of_flux) = fma(half * along, flux, IN_WARP(of_flux));
                IN_WARP(of_response) = fma(half * along, a->response[f], IN_WARP(of_response));
            }
        LANES(t) IN_SLICE(rate) = IN_WARP(of_flux), IN_SLICE(response) = IN_WARP(of_response);
    }
    SUM_OF_SLICE(a->sums, 0, b, rate)
    SUM_OF_SLICE(a->sums, 1, b, response)
}

INDEX_KERNEL(drive_step, struct drive_step_args)
{
    double old = a->part < 1 ? (1 - a->part) * a->number[DRIVE_OLD_RATE] : 0.0;
    double goal = fma(a->part, a->number[DRIVE_GIVEN + DRIVE_CAUSE], old);
    double of_unit = a->scale * a->sum[1];
    a->number[DRIVE_STEP + i] = of_unit > 0 ? (goal - a->sum[0]) / of_unit : 0.0;
}

INDEX_KERNEL(drive_add, struct drive_add_args) { a->x[i] = fma(a->factor * a->number[0], a->y[i], a->x[i]); }
