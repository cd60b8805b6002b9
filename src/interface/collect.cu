/* Kernels that list the cells with second fluid and pack their values (collect.h). */
#include "interface/collect.h"

INDEX_KERNEL(mark_filled, struct collect_args) { a->place[i] = a->fraction[i] != 0; }
INDEX_KERNEL(list_filled, struct collect_args)
{
    if (a->place[i + 1] > a->place[i]) a->cell[a->place[i]] = (int32_t)i;
}
INDEX_KERNEL(gather_cells, struct gather_args) { a->to[i] = a->from[a->cell[i]]; }
