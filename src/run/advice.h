/* advice.h: what to change in a case that has diverged or not converged: the measurement and the setting to change.
 * Only what applies to the case's own mesh, schemes and steps, the likeliest first. */
#ifndef POISE_ADVICE_H
#define POISE_ADVICE_H
#include "run/place.h"

struct situation {              /* of a run that has diverged, or of a steady one that has used up its iterations */
    const struct flow_setting *c;
    struct place place;         /* of the fastest cell */
    struct inflow inflow;
    int32_t slivers;            /* slivers in the mesh, mesh_slivers() */
    const char *beyond;         /* the temperature or scalar that has left its values, or NULL */
    bool beyond_bounded;        /* its scheme is bounded */
    bool refused;               /* the preconditioner of the pressure could not handle the matrix */
    /* runs in time */
    double courant, interface_courant;          /* before the velocity began to grow */
    double step, wave_step;     /* the last step, and the limit of waves (infinite: none) */
    int64_t steps;              /* steady: iterations so far */
    /* iterations used up */
    double residual, decay;     /* the worst; decrease of its logarithm per iteration (standstill_decay()) */
    const char *moving;         /* the quantity of `convergence` that changes most; NULL: none */
    bool stands;                /* stagnation; the list may already have its causes (standstill_advise()) */
    double angle;               /* largest non-orthogonality of the mesh, degrees */
};

enum { MOST_ADVICE = 3, MOST_CANDIDATES = 16 };
struct advice { double likelihood; char text[320]; };
struct advices { int n; struct advice line[MOST_CANDIDATES]; };

void advices_add(struct advices *a, double likelihood, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A rule, in a function that has `struct advices *a`: if the condition holds, adds likelihood and text, printf style.
 * A text that names a key ends with ": set KEY = VALUE". */
#define ADVISE(condition, ...) do { if (condition) advices_add(a, __VA_ARGS__); } while (0)
#define SET_COUPLED "set solver.algorithm = \"coupled\", and remove the settings of relaxation, correctors " \
                    "and solver.pressure"
#define SLIVERS_TEXT "%d cells of the mesh are slivers, in which simplec's corrections overshoot: " \
                     "set solver.algorithm = \"simple\""
/* After a divergence: at least one and at most MOST_ADVICE lines, the likeliest first. */
void advise(struct advices *a, const struct situation *s);

/* Not converged: adds to the list, and keeps at most MOST_ADVICE lines, the likeliest first. */
void advise_unconverged(struct advices *a, const struct situation *u);
#endif
