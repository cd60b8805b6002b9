/* Rules of advice, a list for each kind of failure: condition, likelihood, what was measured, the setting to change. */
#include "run/advice.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "run/standstill.h"

/* Values up to these bounds are not considered as the cause of a divergence. */
#define HIGH_PECLET 10                  /* from 2 on oscillations are possible where the flow varies */
#define HIGH_ANGLE 50                   /* degrees */
#define HIGH_ANGLE_STEADY 30            /* of faces, for simple and simplec without a corrector */
#define HIGH_SKEWNESS 1
#define HIGH_ASPECT 200
#define HIGH_INFLOW 0.02
#define HIGH_PECLET_FROM_REST 1000
#define FIRST_ITERATIONS 100
#define ROUNDING 1e-13                  /* the smallest sensible tolerance */

void advices_add(struct advices *a, double likelihood, const char *format, ...)
{
    struct advice *line = &a->line[a->n++];
    va_list values;
    va_start(values, format);
    line->likelihood = likelihood;
    vsnprintf(line->text, sizeof line->text, format, values);
    va_end(values);
}

/* The settings that the rules depend on. */
struct method { bool in_time, coupled, segregated, simple; enum convection scheme; const char *scheme_word; };

static struct method method_of(const struct flow_setting *c)
{
    struct method m = {.in_time = flow_is_transient(c), .coupled = flow_is_coupled(c),
                       .simple = c->solver.algorithm == ALGORITHM_SIMPLE, .scheme = c->solver.convection,
                       .scheme_word = convection_words[c->solver.convection]};
    m.segregated = !m.in_time && !m.coupled && !flow_is_absent(c);
    return m;
}

static double usual_relaxation(const struct method *m) { return m->simple ? 0.7 : 0.9; }

/* ---------------------------------------------------------------- diverged, in time */
static void in_time(struct advices *a, const struct situation *s)
{
    const bool two_fluids = s->c->second_fluid.given;
    const double over = s->step / s->wave_step, wanted = two_fluids ? 0.5 : 1;
    ADVISE(over > 1.2, 4.8, "the step %.3g is %.3g times the limit of waves of a cell's size, %.3g: "
           "set time.capillary = 0.8", s->step, over, s->wave_step);
    ADVISE(s->courant > wanted, s->courant > 2 * wanted ? 4.6 : 2.5,
           "the Courant number was %.3g before the velocity grew: set time.courant = %g", s->courant, wanted);
    ADVISE(!(s->courant > wanted) && s->interface_courant > wanted, 2.4,
           "the Courant number at the interface was %.3g: set time.interface_courant = %g", s->interface_courant,
           wanted);
    /* One is unstable on slivers in steps of viscosity step / size^2 < 1, and with two fluids where gravity and surface
     * tension move them fast (docs/explanation/numerics.md, "Flow in time"). */
    ADVISE(s->c->solver.correctors == 1 && (s->slivers || two_fluids), 4.7,
           "one corrector per step is unstable %s: set solver.correctors = 2",
           s->slivers ? "on slivers" : "with large forces on the interface");
}

/* ---------------------------------------------------------------- diverged, convection and relaxation */
static void of_schemes(struct advices *a, const struct situation *s, const struct method *m)
{
    const double ratio = flow_density_ratio(s->c), peclet = s->place.peclet;
    const bool central = m->scheme == CONVECTION_CENTRAL, jump = ratio > HIGH_DENSITY_RATIO;
    ADVISE(jump && (central || m->scheme == CONVECTION_LINEAR_UPWIND), 4,
           "%s convection overshoots where the density jumps by a factor of %.4g: "
           "set solver.convection = \"van-leer\"", m->scheme_word, ratio);
    ADVISE(central && !jump && peclet > HIGH_PECLET, peclet > 5 * HIGH_PECLET ? 4.2 : 2.2,
           "central convection at a cell Peclet number of %.3g in that cell: "
           "set solver.convection = \"linear-upwind\"", peclet);
    /* Measured on steady flows that diverge: upwind stabilises more of them than lower relaxation does. */
    ADVISE(!m->in_time && !central && m->scheme != CONVECTION_UPWIND && peclet > HIGH_PECLET, 1.2,
           "%s convection at a cell Peclet number of %.3g: "
           "set solver.convection = \"upwind\" (of first order, but damping)", m->scheme_word, peclet);
}

static void of_relaxation(struct advices *a, const struct situation *s, const struct method *m)
{
    const double velocity = s->c->solver.relaxation_velocity, pressure = s->c->solver.relaxation_pressure;
    const double usual = usual_relaxation(m);
    if (!m->segregated) return;
    ADVISE(m->simple && pressure + velocity > 1.2, 4.4,
           "simple with relaxation factors of %g (velocity) and %g (pressure), whose sum should be about 1: "
           "set solver.relaxation_pressure = %.2g", velocity, pressure, fmax(1 - velocity, 0.2));
    ADVISE(velocity > usual, 4.3, "solver.relaxation_velocity is %g, %g is usual: set solver.relaxation_velocity = %g",
           velocity, usual, usual);
    ADVISE(velocity <= usual && velocity > 0.3, 1, "solver.relaxation_velocity is %g: "
           "set solver.relaxation_velocity = %g", velocity, velocity > 0.5 ? 0.5 : 0.3);
    /* Measured: on sheared cells, and from rest between two outlets, simple and simplec diverge with any relaxation or
     * take thousands of iterations; coupled takes tens. */
    ADVISE(true, 1.1, "velocity and pressure are solved one after the other: " SET_COUPLED);
}

/* At rest a cell's share of the first pressure correction depends on its shape and size, as only the viscosity is in
 * the matrix: on triangles the first velocity is uneven.  Where it happens to be nearly 0, so are SIMPLEC's
 * coefficients of the velocity, and its corrections have no bound.  Measured on triangles in a nozzle: from rest 11 of
 * 12 runs diverge within 40 iterations, from potential flow none. */
static void of_start(struct advices *a, const struct situation *s)
{
    const struct initial_setting *start = &s->c->initial;
    bool inlet = false;
    for (int i = 0; i < s->c->boundary.n; i++) inlet |= boundary_gives_flux(s->c->boundary.item[i].type);
    ADVISE(inlet && s->c->solver.algorithm == ALGORITHM_SIMPLEC && s->steps < FIRST_ITERATIONS &&
           start->field == INITIAL_UNIFORM && !start->velocity_length && !start->file[0] &&
           s->place.peclet > HIGH_PECLET_FROM_REST, 4.1, "the flow starts from rest at a cell Peclet number of %.3g: "
           "set initial.field = \"potential\"", s->place.peclet);
}

/* ---------------------------------------------------------------- the mesh at the location, and outlets */
static void of_mesh(struct advices *a, const struct situation *s, const struct method *m)
{
    const struct mesh_quality *q = &s->place.mesh;
    const double angle = q->non_orthogonality_max;
    const int n = s->c->solver.non_orthogonal_correctors;
    const bool steep = !m->coupled && angle > (n == 0 && !m->in_time ? HIGH_ANGLE_STEADY : HIGH_ANGLE);
    /* Measured on sheared meshes of 20 to 84 degrees, steady, and 56 to 79 in time: one corrector or three are stable,
     * none or two are not. */
    ADVISE(steep && n % 2 == 0, 4.9, "faces near that cell are %.3g degrees from orthogonal, and %d correctors "
           "leave the error growing: set solver.non_orthogonal_correctors = %d", angle, n, n + 1);
    ADVISE(steep && n % 2 && angle > 75, 2.3,
           "faces near that cell are %.3g degrees from orthogonal: improve the mesh there", angle);
    /* Measured: distorted cells of 60 : 1, with faces over 80 degrees from orthogonal, diverge in transient runs with
     * accuracy "standard" and are stable with "high". */
    ADVISE(s->c->solver.accuracy != ACCURACY_HIGH && angle > HIGH_ANGLE, 5,
           "faces near that cell are %.3g degrees from orthogonal, too many for solver.accuracy = \"standard\": "
           "set solver.accuracy = \"high\"", angle);
    /* Measured on unoptimised tetrahedra of Gmsh: simplec diverges or stagnates, whatever its relaxation; simple
     * converges. */
    ADVISE(s->slivers && s->c->solver.algorithm == ALGORITHM_SIMPLEC, 5.1, SLIVERS_TEXT, s->slivers);
    ADVISE(q->skewness_max > HIGH_SKEWNESS, 2.1,
           "the skewness of faces near that cell is %.3g (below 1 is usual): improve the mesh there",
           q->skewness_max);
    ADVISE(q->aspect_max > HIGH_ASPECT, 1.5,
           "cells around it are %.3g times as long as wide: improve the mesh there", q->aspect_max);
}

static void of_backflow(struct advices *a, double likelihood, const struct flow_setting *c, const struct inflow *in)
{
    if (!in->through) return;
    const char *name = in->through->name;
    const struct boundary_setting *outlet = boundary_setting_find(&c->boundary, name);
    char what[200] = "move it in the mesh to where there is only outflow";
    if (outlet && outlet->backflow == BACKFLOW_STATIC)
        snprintf(what, sizeof what, "set boundary.%s.backflow = \"total\"", name);
    ADVISE(in->share >= HIGH_INFLOW, likelihood,
           "inflow through outlet \"%s\" (%.2g %% of the flow there): %s", name, 100 * in->share, what);
}

/* ---------------------------------------------------------------- all of it */
static int likelier(const void *x, const void *y)
{
    double a = ((const struct advice *)x)->likelihood, b = ((const struct advice *)y)->likelihood;
    return (a < b) - (a > b);
}

/* Whether both say ": set KEY = VALUE" with the same key and value. */
static bool same_mend(const struct advice *x, const struct advice *y)
{
    const char *a = strstr(x->text, ": set "), *b = strstr(y->text, ": set "), *value = a ? strstr(a, "= ") : NULL;
    size_t n = value ? (size_t)(value + 2 - a) + strcspn(value + 2, " ,") : 0;
    return b && n && !strncmp(a, b, n) && strcspn(b + n, " ,") == 0;
}

/* Each setting once, and MOST_ADVICE in all. */
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

/* The flow is not to blame. */
static void of_transported(struct advices *a, const struct situation *s)
{
    const bool heat = !strcmp(s->beyond, "temperature"), flows = flow_is_solved(s->c);
    char key[2 * NAME_LENGTH];
    snprintf(key, sizeof key, heat ? "solver.convection_temperature" : "scalars.%s.convection", s->beyond);
    ADVISE(!flows, 0, "corrections of conduction through cells this oblique do not converge: a mesh of less oblique "
           "cells");
    ADVISE(flows && !s->beyond_bounded, 0, "its scheme of convection can lead to values beyond those at the "
           "boundaries: set %s = \"bounded\"", key);
    ADVISE(flows && s->beyond_bounded && s->courant > 0, 0, "its scheme is bounded, so that a linear solver must have "
           "failed: set time.step = %.2g", s->step / 2);
    ADVISE(a->n == 0, 0, "its scheme is bounded, so that a linear solver must have failed: a finer or less distorted "
           "mesh");
}

void advise(struct advices *a, const struct situation *s)
{
    const struct method m = method_of(s->c);
    const double courant = s->courant, angle = s->place.mesh.non_orthogonality_max;
    a->n = 0;
    ADVISE(s->refused, 0,
           "the %s preconditioner cannot handle this matrix: set solver.%s.preconditioner = \"multigrid\"",
           m.coupled ? "coupled solver's" : "pressure's", m.coupled ? "coupled" : "pressure");
    if (s->refused) return;
    if (s->beyond) {
        of_transported(a, s);
        return;
    }
    if (m.in_time) in_time(a, s);
    of_schemes(a, s, &m), of_relaxation(a, s, &m), of_start(a, s), of_mesh(a, s, &m);
    of_backflow(a, s->inflow.through == s->place.outlet ? 4.45 : 0.8, s->c, &s->inflow);
    const bool nothing = a->n == 0;
    ADVISE(nothing && courant > 0, 0, "nothing measured is unusual (Courant number %.2g, faces up to %.2g degrees from "
           "orthogonal): set time.courant = %.2g", courant, angle, courant / 2);
    ADVISE(nothing && !(courant > 0), 0, "nothing measured is unusual (faces up to %.2g degrees from orthogonal, cell "
           "Peclet number %.2g): a finer mesh there", angle, s->place.peclet);
    keep_likeliest(a);
}

/* ---------------------------------------------------------------- not converged */
/* Twice the number of further iterations needed if the residual kept falling at its rate, because it mostly falls
 * more slowly towards the end; rounded up. */
static double iterations_left(const struct situation *u)
{
    double needed = 2 * log(u->residual / standstill_wanted(u->c, u->decay)) / u->decay;
    double round = needed < 1000 ? 100 : 1000;
    return round * ceil(needed / round);
}

static void of_going_on(struct advices *a, const struct situation *u)
{
    const double left = iterations_left(u), tolerance = u->c->solver.tolerance, steps = (double)u->steps;
    const bool moves = u->residual < tolerance && u->moving, falls = u->decay > 0 && left < 1e6;
    ADVISE(tolerance < ROUNDING, 8.5,
           "solver.tolerance = %g is below what rounding leaves: set solver.tolerance = 1e-10", tolerance);
    if (u->stands) return;
    ADVISE(moves, 8, "the residuals have converged, convergence.%s has not: continue with --restart "
           "--set solver.max_iterations=%.0f", u->moving, 2 * steps);
    ADVISE(!moves && falls, left < 6 * steps ? 8 : 4, "it falls to a tenth in about %.0f iterations: continue with "
           "--restart --set solver.max_iterations=%.0f", ceil(log(10) / u->decay), steps + left);
    ADVISE(!moves && !falls, steps < 100 ? 8 : 2, "too few iterations to judge the residual: continue with --restart "
           "--set solver.max_iterations=%.0f", fmax(2 * steps, steps + 600));
}

/* Measured: docs/explanation/numerics.md, "Acceleration" and "Velocity and pressure together".  Of five cases that
 * stalled (an unsteady wake, backflow, slivers, van Leer's limiter, central convection) acceleration made four
 * converge, the coupled algorithm four, less relaxation one, upwind two. */
static void of_other_iterations(struct advices *a, const struct situation *u, const struct method *m)
{
    const struct solver_setting *s = &u->c->solver;
    const double usual = usual_relaxation(m);
    if (!m->segregated) return;
    ADVISE(s->relaxation_velocity < usual - 0.1 && !u->stands, 6, "solver.relaxation_velocity is %g, %g is usual and "
           "faster: set solver.relaxation_velocity = %g", s->relaxation_velocity, usual, usual);
    ADVISE(s->acceleration == 0, u->stands ? 7 : 5, "acceleration mostly %s: set solver.acceleration = 10",
           u->stands ? "stops oscillations around a steady flow" : "needs a third to two thirds of the iterations");
    ADVISE(m->simple && !u->slivers, 4.5, "simple takes more iterations than simplec: "
           "set solver.algorithm = \"simplec\", and remove the settings of relaxation");
    ADVISE(true, u->stands ? 6 : 4.2, "solving velocity and pressure together takes tens of iterations: " SET_COUPLED);
}

static void of_unconverged_mesh(struct advices *a, const struct situation *u, const struct method *m)
{
    const int n = u->c->solver.non_orthogonal_correctors;
    ADVISE(u->slivers && u->c->solver.algorithm == ALGORITHM_SIMPLEC && !u->stands, 7, SLIVERS_TEXT, u->slivers);
    ADVISE(u->angle > HIGH_ANGLE && n % 2 == 0 && m->segregated, 4.1, "faces are up to %.3g degrees from "
           "orthogonal: set solver.non_orthogonal_correctors = %d", u->angle, n + 1);
    ADVISE(u->angle > 80, 3, "faces are up to %.3g degrees from orthogonal: improve the mesh (poise mesh info)",
           u->angle);
    of_backflow(a, 7.5, u->c, &u->inflow);
}

/* For a stagnation although none of the above applies. */
static void of_damping(struct advices *a, const struct situation *u, const struct method *m)
{
    const double relaxation = u->c->solver.relaxation_velocity;
    if (!u->stands) return;
    ADVISE(m->scheme != CONVECTION_UPWIND && u->place.peclet > HIGH_PECLET, 3.2,
           "%s convection at a cell Peclet number of %.3g: set solver.convection = \"upwind\" (of first order, but "
           "damping), to see whether that is the cause",
           m->scheme_word, u->place.peclet);
    ADVISE(m->segregated && relaxation > 0.5, 2.8, "smaller steps: set solver.relaxation_velocity = %.2g",
           relaxation - 0.2);
    ADVISE(u->residual < 1e-3, 2.5, "the residual is small: if forces and probes no longer change, "
           "set solver.tolerance = %.0e", 2 * u->residual);
}

void advise_unconverged(struct advices *a, const struct situation *u)
{
    const struct method m = method_of(u->c);
    of_going_on(a, u), of_other_iterations(a, u, &m), of_unconverged_mesh(a, u, &m), of_damping(a, u, &m);
    keep_likeliest(a);
}
