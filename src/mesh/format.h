/* format.h: formats of mesh files, determined by the file name. */
#ifndef POISE_FORMAT_H
#define POISE_FORMAT_H
#include <stdbool.h>

/* FORMAT_GMSH: data files read by Gmsh, without commands. */
enum mesh_format { FORMAT_NONE, FORMAT_NATIVE, FORMAT_GEO, FORMAT_GMSH, FORMAT_SU2, FORMAT_FOAM, FORMAT_VTK,
                  FORMAT_VTU };
enum mesh_format mesh_format_of(const char *path);
bool is_mesh_file(const char *path);    /* is the name that of a mesh file? */
/* For messages, after "expected". */
#define MESH_FORMATS ".geo, .msh, .unv, .med or .cgns (read by Gmsh), .su2, .vtk, .vtu, a folder polyMesh (OpenFOAM) " \
                     "or .h5"
#endif
