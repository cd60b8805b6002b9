/* parts.h: the connected parts of the second fluid (bubbles, drops), on the host, for a whole mesh; with several ranks
 * only one of them computes them.
 *
 * Cells with a fraction of at least 1/2 that share a face, including periodic ones, form one part.  From other cells a
 * path of steepest ascent is followed, always to the neighbour with the largest fraction, and the cell belongs to the
 * part that is reached.  If the path ends in a cell below 1/2 the fluid is too thin for a part: it counts as debris
 * (`scattered`). */
#ifndef POISE_PARTS_H
#define POISE_PARTS_H
#include "interface/collect.h"
#include "mesh/mesh.h"

struct part {
    int number;                 /* for the caller, to identify parts between reports; 0 after parts_find() */
    int32_t first;              /* lowest of its cells in the file's numbering: parts are in this order */
    double volume;
    double centre[3];           /* centre of mass, with parts cut by periodic faces joined */
    double velocity[3];         /* mean over its volume */
    double area;                /* of its interface; 2-D: length */
    double roundness;           /* 2-D: circularity 2 sqrt(pi V) / area; 3-D: sphericity pi^(1/3) (6 V)^(2/3) / area */
};

struct parts {
    const struct mesh *m;
    int64_t *start;             /* neighbours of cells, from mesh_adjacency() */
    int32_t *near, *face;
    int32_t *joint;             /* [n_internal] number of the periodic face, -1: not periodic; NULL: no periodic
                                   faces */
    int32_t *label;             /* [n_cells] part, or NO_PART (always between calls) */
    double *place;              /* [3 n_cells] shift of the centre that joins the part across periodic faces */
    int32_t *queue;             /* [n_cells] work */
    int n_periods;              /* different shifts of the periodic faces, up to sign */
    double period[3][3];
    int n, room;
    struct part *part;
    double scattered;           /* volume */
};
enum { NO_PART = -1 };

void parts_create(struct parts *p, const struct mesh *m);
/* Host arrays in the solver's order: fraction, area of the interface in the cells: [n_cells]; u: component k of cell c
 * at [k * stride + c].  The fraction is 0 outside of `filled`; the area is only used in `areas`.  pieces: areas of the
 * facets in cut cells; then faces between a full and an empty cell are added as interface. */
struct parts_input {
    struct cell_list filled, areas;
    const double *fraction, *area, *u;
    int64_t stride;
    bool pieces;
};
void parts_find(struct parts *p, const struct parts_input *in);
double part_roundness(int dim, double volume, double area);
void parts_free(struct parts *p);
#endif
