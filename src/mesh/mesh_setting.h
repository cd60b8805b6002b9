/* mesh_setting.h: the mesh that a case asks for. */
#ifndef POISE_MESH_SETTING_H
#define POISE_MESH_SETTING_H
#include <stdbool.h>
#include "base/order.h"
#include "case/case.h"

struct box_setting {            /* mesh = { box = { ... }; } : boundaries left right bottom top (back front) */
    bool given;
    int dim;                    /* 2 or 3: number of entries of cells */
    int cells[3];
    double from[3], to[3];
    double stretch[3];          /* largest over smallest cell width, graded towards both ends; 1 = uniform */
    double distortion;          /* random shift of inner vertices, in local cell widths, 0 <= d < 0.5 */
};

/* The number of faces of all its cells, counting inner ones from both sides and boundary faces twice: Poise counts them
 * in 32 bits, so a box has at most INT32_MAX. */
static inline double box_faces(const struct box_setting *b)
{
    double x = b->cells[0], y = b->cells[1], z = b->cells[2];
    return b->dim == 2 ? 4 * x * y + 2 * (x + y) : 6 * x * y * z + 2 * (x * y + y * z + z * x);
}

enum curved { CURVED_REFUSE, CURVED_STRAIGHT };         /* straight: replaced by their corners */

enum parts_by { PARTS_BY_HILBERT, PARTS_BY_METIS };     /* division among several ranks */

/* A change of the mesh after it is read, in this order.  n_...: how many numbers are given, 0: none. */
struct transform_setting {
    double scale[4], rotate[4], translate[3];   /* scale: one for all directions, or one for each; rotate: degrees about
                                                   the origin in 2-D; x, y, z of an axis through the origin and degrees
                                                   in 3-D */
    int n_scale, n_rotate, n_translate;
    struct case_place place[3];         /* of scale, rotate, translate; without source: from the command line */
};
static inline bool transform_given(const struct transform_setting *t)
{
    return t->n_scale || t->n_rotate || t->n_translate;
}
/* What is wrong with a transform of a mesh of dimension dim (0: not known yet), in text; returns which of its keys it
 * is, counted from 0, or -1 if nothing is. */
int transform_fault(const struct transform_setting *t, int dim, char text[200]);

struct mesh_setting {
    char file[PATH_LENGTH];     /* format.h, made relative to the working directory; "" when box is given */
    struct case_place place;
    struct parameter *parameter;        /* of a .geo file: DefineConstant / -setnumber */
    int n_parameters;
    enum curved curved;         /* elements of higher order */
    char markers[NAME_LENGTH];  /* for .vtk and .vtu: the cell array that names boundaries and regions; "": the only
                                   integer one */
    struct transform_setting transform;
    struct box_setting box;
    enum ordering ordering;
    enum parts_by parts;
};

/* Properties of the mesh on which defaults of other settings may depend: case_known(). */
struct mesh_facts {
    bool slivers;               /* more than 1 cell in 1000 is a sliver, mesh_slivers() */
    /* largest non-orthogonality of a face: */
    bool sheared;               /* 45 to 85 degrees; with cells other than triangles and tetrahedra 30 to 85, and 20 to
                                   85 if the mean exceeds 8 */
    bool steep;                 /* 70 to 85 degrees */
    bool viscous;               /* viscosity step / size^2 is at least 100 in cells of mean volume */
};

struct case_reader;
extern const struct section mesh_section, box_section;
void mesh_setting_check(struct case_reader *r, struct mesh_setting *m);
#endif
