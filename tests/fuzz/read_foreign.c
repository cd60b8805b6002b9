/* Harness: meshes of other programs, up to their faces.  The beginning of an input tells whether it is a VTK file, text
 * or XML, an SU2 file, or the five files of OpenFOAM, one after the other, each after a line "==== NAME". */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/log.h"
#include "fuzz.h"
#include "mesh/mesh.h"

/* The files of OpenFOAM in the folder of all inputs; polyMesh is a link to it. */
static const char *write_folder(const uint8_t *data, size_t size)
{
    static const char *const name[] = {"points", "faces", "owner", "neighbour", "boundary"};
    static char folder[80];
    for (int i = 0; i < 5; i++) {
        char line[32];
        int n = snprintf(line, sizeof line, "==== %s\n", name[i]);
        const uint8_t *from = memmem(data, size, line, (size_t)n), *end = data + size, *next = from;
        if (from) from += n, next = memmem(from, (size_t)(end - from), "\n==== ", 6);
        const char *path = fuzz_file(name[i], from, from ? (size_t)((next ? next : end) - from) : 0);
        snprintf(folder, sizeof folder, "%.*s/polyMesh", (int)(strrchr(path, '/') - path), path);
    }
    if (symlink(".", folder)) {}                                /* there already */
    return folder;
}

void fuzz_one(uint8_t *data, size_t size)
{
    struct mesh m;
    struct error e;
    bool vtk = size > 5 && !memcmp(data, "# vtk", 5);
    const char *path = size > 5 && !memcmp(data, "==== ", 5) ? write_folder(data, size)
                     : fuzz_file(vtk ? "input.vtk" : size && data[0] == '<' ? "input.vtu" : "input.su2", data, size);
    log_set_rank(1, "");                                        /* tells nothing */
    if (mesh_open(&m, path, ORDERING_NONE, &e)) mesh_free(&m);
}
