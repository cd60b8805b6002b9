/* rest.h: steady buoyant flow that is at rest although it may be unstable, as between plates heated from below.
 *
 * Where the pressure balances the weight, rest solves the equations, whether it is stable or not, and accelerated
 * iterations find it in both cases.  So once the velocity's terms are less than a thousandth of the weight, forces are
 * disturbed for one iteration; from then on Anderson's acceleration waits until the flow is stronger than that and
 * hardly changes.  The plain iteration either amplifies the disturbance or ends at rest. */
#ifndef POISE_REST_H
#define POISE_REST_H
#include "flow/flow.h"

/* state: 0; 1: found at rest; 2: disturbed since.  A number of the checkpoint. */
enum { REST_FOUND = 1, REST_DISTURBED = 2 };

/* After models_add_forces(): the sum of forces for residuals, and the disturbance if it is due. */
void rest_forces(struct flow *f, const struct mesh *m, double *state);
/* After residual_read(): checks whether the flow is at rest.  residual: the velocity's.  True: acceleration waits. */
bool rest_look(const struct flow *f, const double *residual, double *state);
#endif
