#include "run/advice.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to these bounds a thing is not taken for the reason of a divergence. */
#define HIGH_DENSITY_RATIO 20
#define HIGH_PECLET 10                  /* from 2 on there may be wiggles where the flow changes from cell to cell */
#define HIGH_ANGLE 50                   /* degrees */
#define HIGH_ANGLE_STEADY 30            /* of faces, where simple and simplec go without a corrector */
#define HIGH_SKEWNESS 1
#define HIGH_ASPECT 200
#define HIGH_INFLOW 0.02
#define ROUNDING 1e-13                  /* the least tolerance that makes sense */

void advices_add(struct advices *a, double likelihood, const char *format, ...)
{
    struct advice *line = &a->line[a->n++];
    va_list values;
    va_start(values, format);
    line->likelihood = likelihood;
    vsnprintf(line->text, sizeof line->text, format, values);
    va_end(values);
}

static double density_ratio(const struct flow_setting *c)
{
    double a = c->fluid.density, b = c->second_fluid.density;
    return c->second_fluid.given ? fmax(a / b, b / a) : 1;
}

static const char *scheme_word(const struct flow_setting *c) { return convection_words[c->solver.convection]; }

/* ---------------------------------------------------------------- in time */
static void of_capillary_waves(struct advices *a, const struct situation *s)
{
    double over = s->step / s->wave_step;
    if (over > 1.2)
        advices_add(a, 4.8,
            "the step %.3g is %.3g times the limit of waves of a cell's size, %.3g: set time.capillary = 0.8", s->step,
            over, s->wave_step);
}

static void of_courant(struct advices *a, const struct situation *s)
{
    double wanted = s->c->second_fluid.given ? 0.5 : 1;
    if (s->courant > wanted)
        advices_add(a, s->courant > 2 * wanted ? 4.6 : 2.5,
            "the Courant number was %.3g before the velocity grew: set time.courant = %g", s->courant, wanted);
    else if (s->interface_courant > wanted)
        advices_add(a, 2.4, "the Courant number at the interface was %.3g: set time.interface_courant = %g",
            s->interface_courant, wanted);
}

/* One corrector is unstable on slivers in steps of viscosity step / size^2 < 1, and with two fluids where gravity and
 * surface tension move them fast (docs/numerics.md, "Flow in time"). */
static void of_correctors(struct advices *a, const struct situation *s)
{
    if (s->c->solver.correctors == 1 && (s->slivers || s->c->second_fluid.given))
        advices_add(a, 4.7, "one corrector in a step is not stable %s: set solver.correctors = 2",
                    s->slivers ? "on slivers" : "with large forces on the interface");
}

/* ---------------------------------------------------------------- convection */
static void of_density_jump(struct advices *a, const struct situation *s)
{
    enum convection scheme = s->c->solver.convection;
    double ratio = density_ratio(s->c);
    if (ratio <= HIGH_DENSITY_RATIO || (scheme != CONVECTION_LINEAR_UPWIND && scheme != CONVECTION_CENTRAL)) return;
    advices_add(a, 4, "%s convection overshoots where the density jumps by a factor of %.4g: "
        "set solver.convection = \"van-leer\"", scheme_word(s->c), ratio);
}

static void of_central(struct advices *a, const struct situation *s)
{
    double peclet = s->place.peclet;
    if (s->c->solver.convection != CONVECTION_CENTRAL || density_ratio(s->c) > HIGH_DENSITY_RATIO) return;
    if (!(peclet > HIGH_PECLET)) return;
    advices_add(a, peclet > 5 * HIGH_PECLET ? 4.2 : 2.2,
        "central convection at a cell Peclet number of %.3g at the place: set solver.convection = \"linear-upwind\"",
        peclet);
}

/* ---------------------------------------------------------------- steady */
static void of_relaxation(struct advices *a, const struct situation *s)
{
    const struct flow_setting *c = s->c;
    double velocity = c->solver.relaxation_velocity, pressure = c->solver.relaxation_pressure;
    double standard = c->solver.algorithm == ALGORITHM_SIMPLE ? 0.7 : 0.9;
    if (flow_is_transient(c) || flow_is_coupled(c)) return;
    if (c->solver.algorithm == ALGORITHM_SIMPLE && pressure + velocity > 1.2)
        advices_add(a, 4.4,
            "simple with relaxation factors of %g (velocity) and %g (pressure), whose sum should be about 1: "
            "set solver.relaxation_pressure = %.2g", velocity, pressure, fmax(1 - velocity, 0.2));
    if (velocity > standard)
        advices_add(a, 4.3,
            "solver.relaxation_velocity is %g, %g is usual: set solver.relaxation_velocity = %g", velocity,
            standard, standard);
    else if (velocity > 0.3)
        advices_add(a, 1, "solver.relaxation_velocity is %g: set solver.relaxation_velocity = %g", velocity,
            velocity > 0.5 ? 0.5 : 0.3);
}

/* Measured on steady flows that diverge: upwind mends more of them than lower relaxation does. */
static void of_second_order(struct advices *a, const struct situation *s)
{
    enum convection scheme = s->c->solver.convection;
    if (flow_is_transient(s->c) || scheme == CONVECTION_UPWIND || scheme == CONVECTION_CENTRAL) return;
    if (!(s->place.peclet > HIGH_PECLET)) return;
    advices_add(a, 1.2, "%s convection at a cell Peclet number of %.3g: "
        "set solver.convection = \"upwind\" (of first order, but it damps)", scheme_word(s->c), s->place.peclet);
}

/* Measured: on sheared cells, and from rest between two outlets, where simple and simplec diverge with any relaxation
 * or take thousands of iterations, it takes tens. */
static void of_coupling(struct advices *a, const struct situation *s)
{
    if (!flow_is_transient(s->c) && !flow_is_coupled(s->c))
        advices_add(a, 1.1, "velocity and pressure are solved one after the other: set solver.algorithm = \"coupled\", "
            "and remove what the case gives of relaxation, correctors and solver.pressure");
}

/* ---------------------------------------------------------------- the mesh at the place, and outlets */
/* Measured on sheared meshes of 20 to 84 degrees, steady, and 56 to 79 in time: one corrector or three, neither none
 * nor two. */
static void of_angles(struct advices *a, const struct situation *s)
{
    double angle = s->place.mesh.non_orthogonality_max;
    int n = s->c->solver.non_orthogonal_correctors;
    if (flow_is_coupled(s->c)) return;
    if (angle <= (n == 0 && !flow_is_transient(s->c) ? HIGH_ANGLE_STEADY : HIGH_ANGLE)) return;
    if (n % 2 == 0)
        advices_add(a, 4.9,
            "faces near the place are %.3g degrees away from orthogonal, and %d correctors leave the error "
            "growing: set solver.non_orthogonal_correctors = %d", angle, n, n + 1);
    else if (angle > 75)
        advices_add(a, 2.3,
            "faces near the place are %.3g degrees away from orthogonal: make the mesh better there", angle);
}

/* Measured: distorted cells of 60 : 1, with faces over 80 degrees from orthogonal, diverge in time with accuracy
 * "high" and hold with "standard". */
static void of_accuracy(struct advices *a, const struct situation *s)
{
    double angle = s->place.mesh.non_orthogonality_max;
    if (s->c->solver.accuracy == ACCURACY_HIGH || angle <= HIGH_ANGLE) return;
    advices_add(a, 5,
        "faces near the place are %.3g degrees away from orthogonal, too far for solver.accuracy = \"standard\": "
        "set solver.accuracy = \"high\"", angle);
}

/* Measured on Gmsh's tetrahedra that are not optimised: simplec diverges or stands still, whatever its relaxation;
 * simple converges. */
static void of_slivers(struct advices *a, const struct situation *s)
{
    if (s->slivers && s->c->solver.algorithm == ALGORITHM_SIMPLEC)
        advices_add(a, 5.1, "%d cells of the mesh are slivers, in which simplec's corrections overshoot: "
            "set solver.algorithm = \"simple\"", s->slivers);
}

static void of_shapes(struct advices *a, const struct situation *s)
{
    const struct mesh_quality *q = &s->place.mesh;
    if (q->skewness_max > HIGH_SKEWNESS)
        advices_add(a, 2.1,
            "the skewness of faces near the place is %.3g (below 1 is usual): make the mesh better there",
            q->skewness_max);
    if (q->aspect_max > HIGH_ASPECT)
        advices_add(a, 1.5,
            "cells near the place are %.3g times as long as wide: make the mesh better there", q->aspect_max);
}

static void add_backflow(struct advices *a, double likelihood, const struct flow_setting *c, const char *name,
                         double inflow)
{
    const struct boundary_setting *outlet = boundary_setting_find(&c->boundary, name);
    char what[200] = "move it in the mesh to where flow only goes out";
    if (outlet && outlet->backflow == BACKFLOW_STATIC)
        snprintf(what, sizeof what, "set boundary.%s.backflow = \"total\"", name);
    advices_add(a, likelihood, "flow comes in through outlet \"%s\" (%.2g %% of what passes there): %s", name,
                100 * inflow, what);
}

static void of_backflow(struct advices *a, const struct situation *s)
{
    if (!s->backflow || s->inflow < HIGH_INFLOW) return;
    add_backflow(a, s->backflow == s->place.outlet ? 4.45 : 0.8, s->c, s->backflow->name, s->inflow);
}

/* ---------------------------------------------------------------- all of it */
static int likelier(const void *x, const void *y)
{
    double a = ((const struct advice *)x)->likelihood, b = ((const struct advice *)y)->likelihood;
    return (a < b) - (a > b);
}

/* Do both say ": set KEY = VALUE" with the same key and value? */
static bool same_mend(const struct advice *x, const struct advice *y)
{
    const char *a = strstr(x->text, ": set "), *b = strstr(y->text, ": set "), *value = a ? strstr(a, "= ") : NULL;
    size_t n = value ? (size_t)(value + 2 - a) + strcspn(value + 2, " ,") : 0;
    return b && n && !strncmp(a, b, n) && strcspn(b + n, " ,") == 0;
}

/* Each mend once, and MOST_ADVICE in all. */
static void keep_likeliest(struct advices *a)
{
    int n = 0;
    qsort(a->line, (size_t)a->n, sizeof *a->line, likelier);
    for (int i = 0, k; i < a->n && n < MOST_ADVICE; i++) {
        for (k = 0; k < n && !same_mend(&a->line[k], &a->line[i]);) k++;
        if (k == n) a->line[n++] = a->line[i];
    }
    a->n = n;
}

/* For where nothing that was measured is beyond what is usual. */
static void of_nothing(struct advices *a, const struct situation *s)
{
    if (s->courant > 0)
        advices_add(a, 0,
            "nothing measured is unusual (Courant number %.2g, faces up to %.2g degrees from orthogonal): "
            "set time.courant = %.2g", s->courant, s->place.mesh.non_orthogonality_max, s->courant / 2);
    else
        advices_add(a, 0,
            "nothing measured is unusual (faces up to %.2g degrees from orthogonal, cell Peclet number %.2g): "
            "a finer mesh there", s->place.mesh.non_orthogonality_max, s->place.peclet);
}

void advise(struct advices *a, const struct situation *s)
{
    static void (*const in_time[])(struct advices *, const struct situation *) = {of_capillary_waves, of_courant,
                                                                                  of_correctors};
    static void (*const always[])(struct advices *, const struct situation *) =
        {of_density_jump, of_central, of_relaxation, of_second_order, of_coupling, of_angles, of_accuracy, of_slivers,
         of_shapes, of_backflow};
    a->n = 0;
    if (s->refused) {
        advices_add(a, 0,
            "the %s preconditioner does not take this matrix: set solver.%s.preconditioner = \"multigrid\"",
            flow_is_coupled(s->c) ? "coupled solver's" : "pressure's", flow_is_coupled(s->c) ? "coupled" : "pressure");
        return;
    }
    for (size_t i = 0; flow_is_transient(s->c) && i < sizeof in_time / sizeof *in_time; i++) in_time[i](a, s);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) always[i](a, s);
    if (a->n == 0) of_nothing(a, s);
    keep_likeliest(a);
}

/* ---------------------------------------------------------------- not converged */
/* So many iterations more as it would take if the residual went on falling as it did, and half as many again, because
 * it mostly falls more slowly towards the end; rounded up. */
static double iterations_left(const struct unconverged *u)
{
    double needed = 1.5 * log(u->residual / u->c->solver.tolerance) / u->decay, round = needed < 1000 ? 100 : 1000;
    return round * ceil(needed / round);
}

static void of_going_on(struct advices *a, const struct unconverged *u)
{
    double left = iterations_left(u);
    if (u->c->solver.tolerance < ROUNDING)
        advices_add(a, 8.5, "solver.tolerance = %g is below what rounding leaves: set solver.tolerance = 1e-10",
                    u->c->solver.tolerance);
    if (u->stands) return;
    if (u->residual < u->c->solver.tolerance && u->moving)
        advices_add(a, 8, "the residuals have converged, convergence.%s has not: go on with --restart "
                    "--set solver.max_iterations=%.0f", u->moving, 2 * (double)u->steps);
    else if (u->decay > 0 && left < 1e6)
        advices_add(a, left < 4 * (double)u->steps ? 8 : 4, "it falls to a tenth in about %.0f iterations: go on with "
                    "--restart --set solver.max_iterations=%.0f", ceil(log(10) / u->decay), (double)u->steps + left);
    else
        advices_add(a, u->steps < 100 ? 8 : 2, "too few iterations to see whether it falls: go on with --restart "
                    "--set solver.max_iterations=%.0f", fmax(2 * (double)u->steps, (double)u->steps + 600));
}

/* Measured: docs/numerics.md, "Acceleration" and "Velocity and pressure together".  Of five cases that stood still (an
 * unsteady wake, backflow, slivers, van Leer's limiter, central convection) acceleration made four converge, and the
 * coupled algorithm four; less relaxation one, upwind two. */
static void of_other_iterations(struct advices *a, const struct unconverged *u)
{
    const struct solver_setting *s = &u->c->solver;
    double standard = s->algorithm == ALGORITHM_SIMPLE ? 0.7 : 0.9;
    if (flow_is_coupled(u->c)) return;
    if (s->relaxation_velocity < standard - 0.1 && !u->stands)
        advices_add(a, 6, "solver.relaxation_velocity is %g, %g is usual and faster: "
                    "set solver.relaxation_velocity = %g", s->relaxation_velocity, standard, standard);
    if (s->acceleration == 0)
        advices_add(a, u->stands ? 7 : 5, "acceleration mostly takes %s: set solver.acceleration = 10",
                    u->stands ? "what goes to and fro to a steady flow" : "a third to two thirds of the iterations");
    if (s->algorithm == ALGORITHM_SIMPLE && !u->slivers)
        advices_add(a, 4.5, "simple takes more iterations than simplec: set solver.algorithm = \"simplec\", and "
                    "remove what is given for relaxation");
    advices_add(a, u->stands ? 6 : 4.2, "velocity and pressure together take tens of iterations: set "
                "solver.algorithm = \"coupled\", and remove what the case gives of relaxation, correctors and "
                "solver.pressure");
}

static void of_unconverged_mesh(struct advices *a, const struct unconverged *u)
{
    int n = u->c->solver.non_orthogonal_correctors;
    if (u->slivers && u->c->solver.algorithm == ALGORITHM_SIMPLEC && !u->stands)
        advices_add(a, 7, "%d cells of the mesh are slivers, in which simplec's corrections overshoot: "
                    "set solver.algorithm = \"simple\"", u->slivers);
    if (u->angle > HIGH_ANGLE && n % 2 == 0 && !flow_is_coupled(u->c))
        advices_add(a, 4.1, "faces are up to %.3g degrees away from orthogonal: "
                    "set solver.non_orthogonal_correctors = %d", u->angle, n + 1);
    if (u->angle > 80)
        advices_add(a, 3, "faces are up to %.3g degrees away from orthogonal: a better mesh (poise mesh info)",
                    u->angle);
    if (u->backflow && u->inflow > HIGH_INFLOW)
        add_backflow(a, 7.5, u->c, u->backflow->name, u->inflow);
}

/* For what stands still although each of the above is as it should be. */
static void of_damping(struct advices *a, const struct unconverged *u)
{
    if (!u->stands) return;
    if (u->c->solver.convection != CONVECTION_UPWIND && u->peclet > HIGH_PECLET)
        advices_add(a, 3.2, "%s convection at a cell Peclet number of %.3g: set solver.convection = \"upwind\" (of "
                    "first order, but it damps), to see whether that is why", scheme_word(u->c), u->peclet);
    if (!flow_is_coupled(u->c) && u->c->solver.relaxation_velocity > 0.5)
        advices_add(a, 2.8, "smaller steps: set solver.relaxation_velocity = %.2g",
                    u->c->solver.relaxation_velocity - 0.2);
    if (u->residual < 1e-3)
        advices_add(a, 2.5, "the residual is small: if forces and probes no longer change, "
                    "set solver.tolerance = %.0e", 2 * u->residual);
}

void advise_unconverged(struct advices *a, const struct unconverged *u)
{
    of_going_on(a, u), of_other_iterations(a, u), of_unconverged_mesh(a, u), of_damping(a, u);
    keep_likeliest(a);
}
