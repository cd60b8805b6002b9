/* geo.h: what Poise reads out of a .geo file itself: the names in its DefineConstant[ ... ] and the files that it takes
 * in with Include and Merge.  All else is Gmsh's. */
#ifndef POISE_GEO_H
#define POISE_GEO_H
#include "base/error.h"

struct geo {
    char **name;                /* [n_names] parameters, in the order in which they stand there */
    int n_names;
    char **file;                /* [n_files] the file itself, then every file that it takes in, each once */
    int n_files;
};

/* False: the file itself cannot be read.  A file that it takes in but that is not there (or whose name is computed) is
 * left out: Gmsh will complain of it.  A mesh is listed, not looked into.  geo_free() is due in either case. */
bool geo_scan(struct geo *g, const char *path, struct error *e);
void geo_free(struct geo *g);
#endif
