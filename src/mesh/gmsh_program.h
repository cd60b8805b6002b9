/* gmsh_program.h: the program poise-gmsh, which is started where a .geo or .msh is to become a native mesh. */
#ifndef POISE_GMSH_PROGRAM_H
#define POISE_GMSH_PROGRAM_H
#include "case/case.h"
#include "base/error.h"

/* The file `in`, with values for n parameters, becomes the native mesh `out` with this key (what it depends on).
 * temporary: `out` stands in a folder of its own, and both go where the program does not come to its end.  Signals that
 * would end this program end that one, too.  False: what it said, or how it ended, in the user's words. */
bool gmsh_program_run(const char *in, const char *out, const char *key, const struct parameter *p, int n,
                      bool temporary, struct error *e);
/* Is there a native mesh of this key? */
bool native_mesh_has(const char *path, const char *key);
#endif
