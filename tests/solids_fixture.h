/* solids_fixture.h: boxes with a solid region, for tests of solids. */
#ifndef SOLIDS_FIXTURE_H
#define SOLIDS_FIXTURE_H
#include "flow_fixture.h"
#include "mesh/fluid.h"

/* Names the regions of a mesh that is not complete, "fluid" first; region_of: index of the region at a cell's middle.
 * All but the first are solids. */
static inline void mark_solids(struct mesh *m, const char *const *name, int n, int (*region_of)(const double x[3]))
{
    RESIZE(m->region, n), NEW(m->solid, n);
    m->n_regions = n;
    for (int r = 0; r < n; r++) strcpy(m->region[r], name[r]), m->solid[r] = r > 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        double x[3];
        cell_middle(m, c, x);
        m->cell_region[c] = region_of(x);
    }
}
#endif
