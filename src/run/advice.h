/* advice.h: what to change in a case that has diverged: what was measured, and the key that mends it.  Only what
 * applies to the case's own mesh, schemes and steps, the likeliest first. */
#ifndef POISE_ADVICE_H
#define POISE_ADVICE_H
#include "run/place.h"

struct situation {              /* of a run that has diverged */
    const struct flow_setting *c;
    struct place place;
    const struct patch *backflow;               /* outlet that flow has come in through; NULL: none */
    double inflow;                              /* there: over what went in and out */
    int32_t slivers;            /* cells of the mesh, mesh_slivers() */
    bool refused;               /* the pressure's preconditioner could not take the matrix */
    /* in time */
    double courant, interface_courant;          /* before the velocity began to grow */
    double step, capillary_step;                /* the last one, and the limit of capillary waves (infinite: none) */
};

enum { MOST_ADVICE = 3, MOST_CANDIDATES = 16 };
struct advice { double likelihood; char text[320]; };
struct advices { int n; struct advice line[MOST_CANDIDATES]; };

/* At least one and at most MOST_ADVICE lines, the likeliest first. */
void advise(struct advices *a, const struct situation *s);
#endif
