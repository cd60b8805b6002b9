/* gmsh_program.h: the program poise-gmsh, which is started where a file that Gmsh reads is to become a native mesh. */
#ifndef POISE_GMSH_PROGRAM_H
#define POISE_GMSH_PROGRAM_H
#include "mesh/mesh_setting.h"
#include "base/error.h"

/* Makes the native mesh `out` from the setting's file; key: what the mesh depends on, stored in it.  temporary: `out`
 * stands in a folder of its own, and both are removed where the program does not come to its end.
 * Signals that would end this program end that one, too.  False: what it said, or how it ended, in the user's words. */
bool gmsh_program_run(const struct mesh_setting *s, const char *out, const char *key, bool temporary, struct error *e);
/* Prints the version of the Gmsh library that poise-gmsh runs with, as a line of `poise version`. */
void gmsh_program_version(void);
/* Is the file a native mesh with this key? */
bool native_mesh_has(const char *path, const char *key);
#endif
