/* generate.h: generated linear systems: `poise solve --generate`. */
#ifndef POISE_GENERATE_H
#define POISE_GENERATE_H
#include <stdio.h>
#include "system/linear_system.h"

/* text: a generator and its arguments, "poisson3d:192", "bubbles2d:256,20,1000", "laplacian:cube.msh"
 * (generate_help()); rows in the mesh's cell order, with a right-hand side.  sides: the boundaries with fixed values,
 * "left,top", "all", "none" (a singular matrix); NULL: the generator's default.  False with a message. */
bool generate(struct linear_system *s, const char *text, const char *sides, struct error *e);
/* One line for each generator. */
void generate_help(FILE *out);
#endif
