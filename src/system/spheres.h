/* spheres.h: discs or spheres that do not touch, in a box of cells of width 1. */
#ifndef POISE_SPHERES_H
#define POISE_SPHERES_H
#include "base/error.h"

/* Coefficient of every cell, row by row: `contrast` where the cell's centre lies in a bubble, 1 elsewhere; n cells a
 * side.  One bubble has the radius n / 4 and stands in the middle; many have as much volume together, the same radius,
 * and stand at random, always the same for the same numbers, half a radius or more from each other and from the walls.
 * The caller frees it; NULL with a message: too many for the grid. */
double *spheres_coefficient(int dim, int n, int count, double contrast, struct error *e);
#endif
