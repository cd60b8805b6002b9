/* gmsh_program.h: runs the program poise-gmsh, which converts a file that Gmsh reads to a native mesh. */
#ifndef POISE_GMSH_PROGRAM_H
#define POISE_GMSH_PROGRAM_H
#include "mesh/mesh_setting.h"
#include "base/error.h"

/* Creates the native mesh `out` from the setting's file; key: identifies the mesh's source, stored in it.  temporary:
 * `out` is in a folder of its own, and both are removed if the program fails.
 * Signals that would end this program end poise-gmsh, too.  False: its message, or how it ended, worded for the
 * user. */
bool gmsh_program_run(const struct mesh_setting *s, const char *out, const char *key, bool temporary, struct error *e);
/* Prints the version of poise-gmsh's Gmsh library as a line of `poise version`. */
void gmsh_program_version(void);
/* Is the file a native mesh with this key? */
bool native_mesh_has(const char *path, const char *key);
#endif
