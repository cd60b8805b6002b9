/* body.h: volumes of simplices cut by spheres, boxes and half-spaces; private to shapes.c and body.c. */
#ifndef POISE_BODY_H
#define POISE_BODY_H
#include <math.h>
#include "base/dense.h"
#include "interface/shape_setting.h"
#include "mesh/mesh.h"

enum where { OUTSIDE, CUT, INSIDE };

/* One copy of a shape.  a: centre of a sphere, `from` of a box, point of a half-space; b: `to` of a box, unit normal
 * of a half-space. */
struct body { enum shape_type type; bool remove; double a[3], b[3], radius; };
struct cutter { int dim; double tolerance; };           /* lengths below the tolerance count as zero */
struct simplex { double x[4][3]; };                     /* dim + 1 corners */

/* The signed volume, positive for positively oriented corners. */
double simplex_volume(const struct simplex *t, int dim);
/* Divides the cell into simplices around its middle, in the same way as mesh/geometry.c, so that their volumes sum to
 * the cell's.  Returns their number; the caller frees them. */
int cell_simplices(const struct mesh *m, int32_t cell, struct simplex **simplex);
/* Signed distance of x from plane i of a box or half-space, positive outside; false: there is no plane i. */
bool out_of_plane(const struct body *b, int dim, int i, const double x[3], double *out);
enum where body_where(const struct cutter *k, const struct body *b, const struct simplex *t);
/* Signed volume, in the simplex, of the union of all bodies minus those that remove. */
double second_fluid(const struct cutter *k, const struct simplex *t, const struct body *const *body, int n);
#endif
