/* mesh_setting.h: which mesh a case asks for. */
#ifndef POISE_MESH_SETTING_H
#define POISE_MESH_SETTING_H
#include <stdbool.h>
#include "base/order.h"
#include "case/case.h"

struct box_setting {            /* mesh = { box = { ... }; } : boundaries left right bottom top (back front) */
    bool given;
    int dim;                    /* 2 or 3: length of cells */
    int cells[3];
    double from[3], to[3];
    double stretch[3];          /* largest over smallest cell width, graded towards both ends; 1 = uniform */
    double distortion;          /* random shift of inner vertices, in local cell widths, 0 <= d < 0.5 */
};

/* The faces of all its cells, those inside counted from both sides, and those of its boundaries once more: Poise counts
 * them with 32 bits, so a box has at most INT32_MAX. */
static inline double box_faces(const struct box_setting *b)
{
    double x = b->cells[0], y = b->cells[1], z = b->cells[2];
    return b->dim == 2 ? 4 * x * y + 2 * (x + y) : 6 * x * y * z + 2 * (x * y + y * z + z * x);
}

enum curved { CURVED_REFUSE, CURVED_STRAIGHT };         /* straight: their corners alone are taken */

enum parts_by { PARTS_BY_HILBERT, PARTS_BY_METIS };     /* of several ranks */

struct mesh_setting {
    char file[PATH_LENGTH];     /* format.h, made relative to the working directory; "" when box is given */
    struct case_place place;
    struct parameter *parameter;        /* of a .geo file: DefineConstant / -setnumber */
    int n_parameters;
    enum curved curved;         /* elements of higher order */
    char markers[NAME_LENGTH];  /* of .vtk and .vtu: the array of cells that names boundaries and regions; "": the only
                                   one of whole numbers */
    struct box_setting box;
    enum ordering ordering;
    enum parts_by parts;
};

/* What defaults of other settings may depend on, once the mesh is there: case_known(). */
struct mesh_facts {
    bool slivers;               /* more than 1 cell of 1000 is one, mesh_slivers() */
    /* by how much a face's normal differs at most from the line between its cells' centres: */
    bool sheared;               /* 45 to 85 degrees; at other cells than triangles and tetrahedra 30 to 85, and 20 to 85
                                   where the mean is over 8 */
    bool steep;                 /* 70 to 85 degrees */
    bool viscous;               /* viscosity step / size^2 is 100 at least in cells of the mean volume */
};

struct case_reader;
extern const struct section mesh_section, box_section;
void mesh_setting_check(struct case_reader *r, struct mesh_setting *m);
#endif
