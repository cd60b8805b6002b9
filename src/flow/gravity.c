/* Gravity, as a model.  On fluid of one density it makes no force: the pressure is solved for without its hydrostatic
 * part, which is added for output (flow_fields.c); for two fluids see interface/forces.h. */
#include <math.h>
#include "flow/flow.h"
#include "flow/model.h"

static bool given(const struct flow_setting *c) { return c->fluid.gravity_length > 0; }

/* Along a periodic direction no pressure balances gravity: one fluid would accelerate forever, two would fall, and the
 * pressure without its hydrostatic part would jump. */
static bool check(const struct flow_setting *c, const struct mesh *m, struct error *e)
{
    const double *g = c->fluid.gravity;
    struct case_place whole = {c->boundary.item->place.source, LINE_OF_WHOLE};
    for (int32_t j = 0; j < m->n_joints; j++) {
        const double *shift = m->joint_shift + 3 * (int64_t)j;
        double along = 0, length = 0, strength = 0;
        for (int k = 0; k < 3; k++) along += g[k] * shift[k], length += shift[k] * shift[k], strength += g[k] * g[k];
        if (fabs(along) > 1e-9 * sqrt(length * strength))
            return refuse(e, EXIT_INPUT, "%s: fluid.gravity = [%g, %g, %g] has a component along a periodic direction "
                          "of the mesh, where %s: turn gravity, or make these boundaries walls",
                          case_place_text(whole), g[0], g[1], g[2],
                          c->second_fluid.given ? "two fluids would fall forever"
                                                : "nothing would balance it (Poise has no driven flows yet)");
    }
    return true;
}

const struct model gravity_model = {.given = given, .check = check};
