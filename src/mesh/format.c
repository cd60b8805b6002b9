/* Determines the format of a mesh from its file name (format.h). */
#include "mesh/format.h"
#include <stddef.h>
#include <string.h>
#include "base/file.h"

enum mesh_format mesh_format_of(const char *path)
{
    static const struct { const char *end; enum mesh_format format; } known[] = {
        {".h5", FORMAT_NATIVE}, {".geo", FORMAT_GEO}, {".msh", FORMAT_GMSH}, {".unv", FORMAT_GMSH},
        {".med", FORMAT_GMSH}, {".cgns", FORMAT_GMSH}, {".su2", FORMAT_SU2}, {"/polyMesh", FORMAT_FOAM},
        {"/polyMesh/", FORMAT_FOAM}, {".vtk", FORMAT_VTK}, {".vtu", FORMAT_VTU}};
    if (!strcmp(path, "polyMesh") || !strcmp(path, "polyMesh/")) return FORMAT_FOAM;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (file_ends_in(path, known[i].end)) return known[i].format;
    return FORMAT_NONE;
}

bool is_mesh_file(const char *path) { return mesh_format_of(path) != FORMAT_NONE; }
