/* spheres.h: discs or spheres that do not touch, in a box of cells of width 1. */
#ifndef POISE_SPHERES_H
#define POISE_SPHERES_H
#include "base/error.h"

/* Coefficient of every cell, row by row: `contrast` if the cell's centre is in a bubble, 1 elsewhere; n cells per side.
 * A single bubble has the radius n / 4 and is in the middle; several have the same total volume, equal radii and
 * pseudo-random positions (reproducible), at least half a radius from each other and from the walls.  The caller frees
 * it; NULL with a message: too many for the grid. */
double *spheres_coefficient(int dim, int n, int count, double contrast, struct error *e);
#endif
