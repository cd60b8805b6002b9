/* body.h: one sphere, box or half-space, and simplices that they cut: private to shapes.c and body.c. */
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

/* The signed volume, positive where the corners are in the order of positive orientation. */
double simplex_volume(const struct simplex *t, int dim);
/* Divides the cell into simplices about its middle, as mesh/geometry.c measures it, so that their volumes sum up to the
 * cell's.  Returns how many there are; the caller frees them. */
int cell_simplices(const struct mesh *m, int32_t cell, struct simplex **simplex);
/* Distance of x out of plane i of a box or a half-space; false where it has no more planes. */
bool out_of_plane(const struct body *b, int dim, int i, const double x[3], double *out);
enum where body_where(const struct cutter *k, const struct body *b, const struct simplex *t);
/* Signed volume, in the simplex, of the union of all bodies less those that remove. */
double second_fluid(const struct cutter *k, const struct simplex *t, const struct body *const *body, int n);
#endif
