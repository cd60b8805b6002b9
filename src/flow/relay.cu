/* Kernels that pack and unpack numbers on their way to another mesh (relay.h). */
#include "flow/relay.h"
#include "assembly/boundary_kinds.h"

INDEX_KERNEL(relay_offer, struct relay_args)
{
    int32_t from = a->r.from[i];
    a->r.work[i] = from < 0 ? a->second[-1 - from] : a->first[from];
    if (a->rule) a->r.work[a->r.pitch + i] = from < 0 ? (double)RULE_VALUE : (double)a->rule[from];
}

INDEX_KERNEL(relay_take, struct relay_args)
{
    int32_t at = a->r.at[i];
    a->to[i] = at < 0 ? 0.0 : a->r.work[at];
    if (a->rule) a->to_rule[i] = at < 0 ? (uint8_t)RULE_VALUE : (uint8_t)a->r.work[a->r.pitch + at];
}
