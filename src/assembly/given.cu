/* Kernel that copies given values to the cells of one zone (given.h). */
#include "assembly/given.h"

INDEX_KERNEL(given_in_zone, struct given_zone_args)
{
    if (a->zone == GIVEN_EVERYWHERE || a->zone_of[i] == a->zone) a->to[i] = a->from[i];
}
