/* Kernels that carry numbers between the faces of the flow and those of a mesh with solids (solids.h). */
#include "flow/solids.h"
#include "assembly/boundary_kinds.h"

INDEX_KERNEL(solids_flux, struct solids_carry_args) { a->flux[i] = a->from[i] < 0 ? 0.0 : a->of_flow[a->from[i]]; }

INDEX_KERNEL(solids_boundary, struct solids_boundary_args)
{
    int32_t at = a->to_boundary[i];
    a->to[i] = at < 0 ? a->contact[-1 - at] : a->value[at];
    if (a->rule) a->to_rule[i] = at < 0 ? (uint8_t)RULE_VALUE : a->rule[at];
}
