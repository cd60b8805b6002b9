/* parts.h: the connected parts of the second fluid (bubbles, drops), on the host, of a whole mesh: of several ranks one
 * alone looks for them.
 *
 * Cells with a fraction of at least 1/2 that share a face, through periodic joints too, are one part.  From a cell
 * with less one goes uphill, to the neighbour with the largest fraction, again and again, and the cell belongs to
 * the part that is reached.  Where the way ends in a cell below 1/2 the fluid is too thin for a part: it is counted
 * as scattered. */
#ifndef POISE_PARTS_H
#define POISE_PARTS_H
#include "interface/collect.h"
#include "mesh/mesh.h"

struct part {
    int number;                 /* the caller's, from report to report; 0 after parts_find() */
    int32_t first;              /* lowest of its cells in the file's numbering: parts are in this order */
    double volume;
    double centre[3];           /* of mass, of the part put together in one piece where a joint cuts it */
    double velocity[3];         /* mean over its volume */
    double area;                /* of its interface; 2-D: length */
    double roundness;           /* 2-D: circularity 2 sqrt(pi V) / area; 3-D: sphericity pi^(1/3) (6 V)^(2/3) / area */
};

struct parts {
    const struct mesh *m;
    int64_t *start;             /* neighbours of cells: mesh_adjacency() */
    int32_t *near, *face;
    int32_t *joint;             /* [n_internal] number of the joint, -1: none; NULL: no joints */
    int32_t *label;             /* [n_cells] part, or NO_PART, as it is between calls */
    double *place;              /* [3 n_cells] what is added to the centre to have the part in one piece */
    int32_t *queue;             /* [n_cells] work */
    int n_periods;              /* different shifts of the joints, up to sign */
    double period[3][3];
    int n, room;
    struct part *part;
    double scattered;           /* volume */
};
enum { NO_PART = -1 };

void parts_create(struct parts *p, const struct mesh *m);
/* Host arrays in the solver's order: fraction, area of the interface in the cells: [n_cells]; u: component k of cell c
 * at [k * stride + c].  The fraction is 0 outside of `filled`, the area is not looked at outside of `areas`.  pieces:
 * the areas are those of pieces in cut cells; then, where a full cell touches an empty one, the face between them
 * counts as interface too. */
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
