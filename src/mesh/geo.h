/* geo.h: what Poise itself reads from a .geo file: the names in its DefineConstant[ ... ] and the files that it reads
 * with Include and Merge.  Gmsh does the rest. */
#ifndef POISE_GEO_H
#define POISE_GEO_H
#include "base/error.h"

struct geo {
    char **name;                /* [n_names] parameters, in the order of the file */
    int n_names;
    char **file;                /* [n_files] the file itself, then every included file, each once */
    int n_files;
};

/* False: the file itself cannot be read.  Included files that do not exist (or whose name is computed) are skipped:
 * Gmsh will report them.  A merged mesh is listed but not scanned.  Call geo_free() in either case. */
bool geo_scan(struct geo *g, const char *path, struct error *e);
void geo_free(struct geo *g);
#endif
