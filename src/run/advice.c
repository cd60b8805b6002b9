#include "run/advice.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Up to these bounds a thing is not taken for the reason of a divergence. */
#define HIGH_DENSITY_RATIO 20           /* run_transient.c warns of ringing above it */
#define HIGH_PECLET 10                  /* from 2 on there may be wiggles where the flow changes from cell to cell */
#define HIGH_ANGLE 50                   /* degrees */
#define HIGH_SKEWNESS 1
#define HIGH_ASPECT 200
#define HIGH_INFLOW 0.02
#define HIGH_DIFFUSION 0.2              /* viscosity step / size^2 that piso takes on tetrahedra (triangles: 1.5) */

__attribute__((format(printf, 3, 4)))
static void add(struct advices *a, double likelihood, const char *format, ...)
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
static void of_time_scheme(struct advices *a, const struct situation *s)
{
    double ratio = density_ratio(s->c);
    if (s->c->time.scheme != TIME_CRANK_NICOLSON || ratio <= HIGH_DENSITY_RATIO) return;
    add(a, 5, "Crank-Nicolson damps nothing, and the densities differ by a factor of %.4g: "
        "set time.scheme = \"bdf2\"", ratio);
}

static void of_capillary_waves(struct advices *a, const struct situation *s)
{
    double over = s->step / s->capillary_step;
    if (over > 1.2)
        add(a, 4.8, "the step %.3g is %.3g times the capillary limit %.3g: set time.capillary = 0.8", s->step, over,
            s->capillary_step);
}

static void of_courant(struct advices *a, const struct situation *s)
{
    double wanted = s->c->second_fluid.given ? 0.5 : 1;
    if (s->courant > wanted)
        add(a, s->courant > 2 * wanted ? 4.6 : 2.5,
            "the Courant number was %.3g before the velocity grew: set time.courant = %g", s->courant, wanted);
    else if (s->interface_courant > wanted)
        add(a, 2.4, "the Courant number at the interface was %.3g: set time.interface_courant = %g",
            s->interface_courant, wanted);
}

/* Measured in a cavity whose steps diverge: with BDF2 or Euler's scheme the same steps stay bounded. */
static void of_undamped_steps(struct advices *a, const struct situation *s)
{
    if (s->c->time.scheme == TIME_CRANK_NICOLSON && s->courant > 5 && density_ratio(s->c) <= HIGH_DENSITY_RATIO)
        add(a, 4.1, "Crank-Nicolson damps nothing at a Courant number of %.3g: "
            "if the steps must stay large, set time.scheme = \"bdf2\"", s->courant);
}

/* In each of PISO's correctors the viscous part of the neighbours is that of the corrector before, so large viscous
 * steps do not settle in a few correctors. */
static void of_diffusion(struct advices *a, const struct situation *s)
{
    double limit = s->place.size * s->place.size / s->place.viscosity, over = s->step / limit;
    if (over > HIGH_DIFFUSION && s->place.mesh.non_orthogonality_max > 1)
        add(a, over > 1 ? 4.5 : 2.3, "the viscosity is too high for the step: it is %.3g times size^2 / viscosity of "
            "the cell, and piso holds up to %g on tetrahedra: set time.step = %.2g", over, HIGH_DIFFUSION,
            0.75 * HIGH_DIFFUSION * limit);
}

/* ---------------------------------------------------------------- convection */
static void of_density_jump(struct advices *a, const struct situation *s)
{
    enum convection scheme = s->c->solver.convection;
    double ratio = density_ratio(s->c);
    if (ratio <= HIGH_DENSITY_RATIO || (scheme != CONVECTION_LINEAR_UPWIND && scheme != CONVECTION_CENTRAL)) return;
    add(a, 4, "%s convection overshoots where the density jumps by a factor of %.4g: "
        "set solver.convection = \"van-leer\"", scheme_word(s->c), ratio);
}

static void of_central(struct advices *a, const struct situation *s)
{
    double peclet = s->place.peclet;
    if (s->c->solver.convection != CONVECTION_CENTRAL || density_ratio(s->c) > HIGH_DENSITY_RATIO) return;
    if (!(peclet > HIGH_PECLET)) return;
    add(a, peclet > 5 * HIGH_PECLET ? 4.2 : 2.2,
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
        add(a, 4.4, "simple with relaxation factors of %g (velocity) and %g (pressure), whose sum should be about 1: "
            "set solver.relaxation_pressure = %.2g", velocity, pressure, fmax(1 - velocity, 0.2));
    if (velocity > standard)
        add(a, 4.3, "solver.relaxation_velocity is %g, %g is usual: set solver.relaxation_velocity = %g", velocity,
            standard, standard);
    else if (velocity > 0.3)
        add(a, 1, "solver.relaxation_velocity is %g: set solver.relaxation_velocity = %g", velocity,
            velocity > 0.5 ? 0.5 : 0.3);
}

/* Measured on steady flows that diverge: upwind mends more of them than lower relaxation does. */
static void of_second_order(struct advices *a, const struct situation *s)
{
    enum convection scheme = s->c->solver.convection;
    if (flow_is_transient(s->c) || scheme == CONVECTION_UPWIND || scheme == CONVECTION_CENTRAL) return;
    if (!(s->place.peclet > HIGH_PECLET)) return;
    add(a, 1.2, "%s convection at a cell Peclet number of %.3g: "
        "set solver.convection = \"upwind\" (of first order, but it damps)", scheme_word(s->c), s->place.peclet);
}

/* ---------------------------------------------------------------- the mesh at the place, and outlets */
/* Measured on sheared meshes of 56 to 79 degrees, steady and in time: one corrector or three, neither none nor two. */
static void of_angles(struct advices *a, const struct situation *s)
{
    double angle = s->place.mesh.non_orthogonality_max;
    int n = s->c->solver.non_orthogonal_correctors;
    if (angle <= HIGH_ANGLE) return;
    if (n % 2 == 0)
        add(a, 4.9, "faces near the place are %.3g degrees away from orthogonal, and %d correctors leave the error "
            "growing: set solver.non_orthogonal_correctors = %d", angle, n, n + 1);
    else if (angle > 75)
        add(a, 2.3, "faces near the place are %.3g degrees away from orthogonal: make the mesh better there", angle);
}

/* Measured: distorted cells of 60 : 1, with faces over 80 degrees from orthogonal, diverge in time with accuracy
 * "high" and hold with "standard". */
static void of_accuracy(struct advices *a, const struct situation *s)
{
    double angle = s->place.mesh.non_orthogonality_max;
    if (s->c->solver.accuracy == ACCURACY_HIGH || angle <= HIGH_ANGLE) return;
    add(a, 5, "faces near the place are %.3g degrees away from orthogonal, too far for solver.accuracy = \"standard\": "
        "set solver.accuracy = \"high\"", angle);
}

/* Measured on Gmsh's tetrahedra that are not optimised: simplec diverges or stands still, whatever its relaxation;
 * simple converges. */
static void of_slivers(struct advices *a, const struct situation *s)
{
    if (s->slivers && s->c->solver.algorithm == ALGORITHM_SIMPLEC)
        add(a, 5.1, "%d cells of the mesh are slivers, in which simplec's corrections overshoot: "
            "set solver.algorithm = \"simple\"", s->slivers);
}

static void of_shapes(struct advices *a, const struct situation *s)
{
    const struct mesh_quality *q = &s->place.mesh;
    if (q->skewness_max > HIGH_SKEWNESS)
        add(a, 2.1, "the skewness of faces near the place is %.3g (below 1 is usual): make the mesh better there",
            q->skewness_max);
    if (q->aspect_max > HIGH_ASPECT)
        add(a, 1.5, "cells near the place are %.3g times as long as wide: make the mesh better there", q->aspect_max);
}

static void of_backflow(struct advices *a, const struct situation *s)
{
    if (!s->backflow || s->inflow < HIGH_INFLOW) return;
    add(a, s->backflow == s->place.outlet ? 4.45 : 0.8,
        "flow comes in through outlet \"%s\" (%.2g %% of what passes there): "
        "move it in the mesh to where flow only goes out", s->backflow->name, 100 * s->inflow);
}

/* ---------------------------------------------------------------- all of it */
static int likelier(const void *x, const void *y)
{
    double a = ((const struct advice *)x)->likelihood, b = ((const struct advice *)y)->likelihood;
    return (a < b) - (a > b);
}

/* For where nothing that was measured is beyond what is usual. */
static void of_nothing(struct advices *a, const struct situation *s)
{
    if (s->courant > 0)
        add(a, 0, "nothing measured is unusual (Courant number %.2g, faces up to %.2g degrees from orthogonal): "
            "set time.courant = %.2g", s->courant, s->place.mesh.non_orthogonality_max, s->courant / 2);
    else
        add(a, 0, "nothing measured is unusual (faces up to %.2g degrees from orthogonal, cell Peclet number %.2g): "
            "a finer mesh there", s->place.mesh.non_orthogonality_max, s->place.peclet);
}

void advise(struct advices *a, const struct situation *s)
{
    static void (*const in_time[])(struct advices *, const struct situation *) = {of_time_scheme, of_capillary_waves,
                                                                                  of_courant, of_undamped_steps,
                                                                                  of_diffusion};
    static void (*const always[])(struct advices *, const struct situation *) =
        {of_density_jump, of_central, of_relaxation, of_second_order, of_angles, of_accuracy, of_slivers, of_shapes,
         of_backflow};
    a->n = 0;
    if (s->refused) {
        add(a, 0, "the %s preconditioner does not take this matrix: set solver.%s.preconditioner = \"multigrid\"",
            flow_is_coupled(s->c) ? "coupled solver's" : "pressure's", flow_is_coupled(s->c) ? "coupled" : "pressure");
        return;
    }
    for (size_t i = 0; flow_is_transient(s->c) && i < sizeof in_time / sizeof *in_time; i++) in_time[i](a, s);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) always[i](a, s);
    if (a->n == 0) of_nothing(a, s);
    qsort(a->line, (size_t)a->n, sizeof *a->line, likelier);
    if (a->n > MOST_ADVICE) a->n = MOST_ADVICE;
}
