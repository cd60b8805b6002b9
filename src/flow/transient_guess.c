/* The guess of a step's velocity and flux (transient_parts.h). */
#include "assembly/mixture.h"
#include "assembly/transport.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"

bool transient_convects(const struct flow_setting *c)
{
    return flow_is_solved(c) && !c->second_fluid.given && c->solver.convection != CONVECTION_UPWIND &&
           c->time.scheme != TIME_EULER;
}

static void swap(double **a, double **b) { double *x = *a; *a = *b, *b = x; }

/* x = a x + b y + c z */
static void combine_three(double *x, double a, double b, const double *y, double c, const double *z, int64_t n)
{
    struct combine_args first = {x, a, x, b, y}, second = {x, 1, x, c, z};
    combine(&first, n), combine(&second, n);
}

/* For struct guess_args, by normal_modes.py (docs/explanation/numerics.md, "Waves, streams and walls"); calm: the
 * squares of 0.5 and 0.2, with central convection 0. */
static const struct { double viscous, calm; } GUESS = {6, 0.25}, GUESS_CRANK_NICOLSON = {4, 0.04};

/* Extrapolates velocity and flux to the time of w from the last steps, as the first guess.
 *     One fluid: BDF2 from the last two velocities, Crank-Nicolson from the last two w, which lie between two
 *     velocities.  From its velocities themselves the guess would have an oscillation from step to step that the scheme
 *     does not damp, and that explicit terms amplify.  For convection the velocity is extrapolated as far as that is
 *     stable, which depends on the Courant number.  All else takes the whole of it, so that a flow that is the same
 *     everywhere along its direction is the same in a frame that moves along it. */
static void guess_one_fluid(struct transient *t, double dt)
{
    const struct stencil *s = &t->f.s;
    bool central = t->f.c->solver.convection == CONVECTION_CENTRAL;
    struct guess_args g = {.s = *s, .old = t->u_old, .older = t->u_older, .now = {1}, .dt = dt,
                           .viscous = GUESS.viscous, .calm = central ? 0 : GUESS.calm, .rate = t->rate, .u = t->f.u};
    double r = t->steps > 0 ? dt / t->step : 0;
    if (step_scheme(t) == TIME_CRANK_NICOLSON) {
        double part = t->part, rest = 1 - part;
        g.viscous = GUESS_CRANK_NICOLSON.viscous, g.calm = central ? 0 : GUESS_CRANK_NICOLSON.calm;
        r = (rest * t->step + part * dt) / (part * t->step + rest * t->older_step);
        g.now[0] = part, g.now[1] = rest;
        g.ahead[0] = r * part, g.ahead[1] = r * (rest - part), g.ahead[2] = -r * rest;
    } else if (t->f.c->time.scheme != TIME_EULER)
        g.ahead[0] = r, g.ahead[1] = -r;
    double courant = t->courant * dt;
    t->convected = g.ahead[0] != 0 && transient_convects(t->f.c) && courant * courant > g.calm ? t->hat : NULL;
    g.convected = t->convected;
    guess_velocity(&g, s->n_cells);
    const double *n = g.now, *a = g.ahead;
    combine_three(t->f.flux, n[2] + a[2], n[1] + a[1], t->flux_older, n[0] + a[0], t->flux_old, s->n_faces);
}

/* Two fluids: the flux also moves the interface.  Flux and velocity are those of the middle of the step (BDF2), or of
 * the start, so that interface and velocity are advanced alternately.  With the velocity at the end of the step the
 * explicit part of convection makes waves on the interface grow. */
static void guess_two_fluids(struct transient *t, double dt)
{
    const struct stencil *s = &t->f.s;
    double ahead = t->f.c->time.scheme == TIME_BDF2 && t->steps > 0 ? 0.5 * dt / t->step : 0;
    struct combine_args u = {t->f.u, 1 + ahead, t->u_old, -ahead, t->u_older};
    struct combine_args flux = {t->f.flux, 1 + ahead, t->flux_old, -ahead, t->flux_older};
    combine(&u, s->dim * s->pitch), combine(&flux, s->n_faces);
}

/* See struct history_args.  Called after the guess, whose flux must stay divergence-free. */
static void limit_history(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    const double *density = t->f.properties.density;
    struct history_args a = {.s = *s, .density = {density[0], density[1]},
                             .fraction = t->f.interface->fraction, .fraction_old = t->f.interface->fraction_old,
                             .old = t->u_old, .older = t->u_older, .removed = t->hat, .flux_older = t->flux_older};
    halo_update_together(s->pattern.halo, {t->u_old, s->dim}, {t->u_older, s->dim},
                         {t->f.interface->fraction_old, 1});
    mixture_history(&a, s->n_cells);
    halo_update(s->pattern.halo, t->hat, s->dim);
    mixture_face_history(&a, s->n_faces);
    mixture_older(&a, s->n_cells);
}

void transient_start(struct transient *t, double dt)
{
    /* The solver keeps a recording for each of the three arrays used for the velocity (solve/batch.h). */
    swap(&t->u_older, &t->u_old), swap(&t->u_old, &t->f.u);
    swap(&t->flux_older, &t->flux_old), swap(&t->flux_old, &t->f.flux);
    (t->f.interface ? guess_two_fluids : guess_one_fluid)(t, dt);
    if (t->f.interface && step_scheme(t) == TIME_BDF2 && t->steps > 0) limit_history(t);
}
