/* format.h: what a mesh is told by its name to be. */
#ifndef POISE_FORMAT_H
#define POISE_FORMAT_H
#include <stdbool.h>

/* FORMAT_GMSH: data that Gmsh reads, without commands. */
enum mesh_format { FORMAT_NONE, FORMAT_NATIVE, FORMAT_GEO, FORMAT_GMSH, FORMAT_SU2, FORMAT_FOAM, FORMAT_VTK,
                  FORMAT_VTU };
enum mesh_format mesh_format_of(const char *path);
bool is_mesh_file(const char *path);    /* its name is one of a format */
/* For messages: behind "expected". */
#define MESH_FORMATS ".geo, .msh, .unv, .med or .cgns (read by Gmsh), .su2, .vtk, .vtu, a folder polyMesh (OpenFOAM) " \
                     "or .h5"
#endif
