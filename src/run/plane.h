/* plane.h: planes through the mesh, and the facets in which they cut cells. */
#ifndef POISE_PLANE_H
#define POISE_PLANE_H
#include "run/columns.h"
#include "run/monitor_kind.h"
#include "run/sample.h"

struct plane {
    struct facets facets;       /* until the series is open */
    struct output *series;
    int32_t *cell;              /* [columns.n] the cell of each facet, in the order of the whole mesh's solver */
    struct sample sample;
    double *sampled;            /* [columns of FIELD_SAMPLE, columns.n] */
    struct columns columns;     /* of the last read_plane() */
};

/* The facets of the plane through the point with this normal, in the order of their cells in the mesh file.  A cell
 * that it touches without cutting it has none; if the common face of two cells is in the plane, one of them has it.
 * centre: [3 n], cell: [n] in the solver's order; the caller frees them. */
void plane_cut(const struct mesh *m, const double point[3], const double normal[3], struct facets *p, double **centre,
               int32_t **cell);
#endif
