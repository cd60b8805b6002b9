/* Harness: a native mesh, up to faces and geometry. */
#include "fuzz.h"
#include "mesh/mesh.h"

void fuzz_one(uint8_t *data, size_t size)
{
    struct mesh m;
    struct error e;
    struct mesh_quality q;
    fuzz_renew_digest(data, size);
    if (!mesh_read_native(&m, fuzz_file("input.h5", data, size), &e)) return;
    if (mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e)) mesh_measure(&m, &q);
    mesh_free(&m);
}
