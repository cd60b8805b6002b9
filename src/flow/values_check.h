/* values_check.h: whether all values that a case gives in cells and for scalars at boundaries can be evaluated, for
 * poise check, which creates no flow.  (Those of the flow at boundaries: flow_create_boundary().) */
#ifndef POISE_VALUES_CHECK_H
#define POISE_VALUES_CHECK_H
#include "assembly/given.h"
#include "flow/flow_setting.h"

/* Evaluates them at time 0 on the list's mesh; its stencil is not used.  *e: begins as {0}; all errors. */
void values_check(const struct given_list *list, const struct flow_setting *c, struct error *e);
#endif
