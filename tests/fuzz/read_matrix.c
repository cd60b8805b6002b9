/* Harness: a linear system in Poise's HDF5 format, with blocks or combined into blocks, or a vector. */
#include <stdlib.h>
#include "fuzz.h"
#include "system/matrix_file.h"

void fuzz_one(uint8_t *data, size_t size)
{
    struct linear_system s;
    struct error e;
    fuzz_renew_digest(data, size);
    const char *path = fuzz_file("input.h5", data, size);
    if (!matrix_hdf5_read(&s, path, &e)) {
        free(matrix_hdf5_read_vector(path, 4, &e));
        return;
    }
    if (s.block == 1) linear_system_regroup(&s, 1 + (int)(size % 3), &e);
    linear_system_order(&s, s.ordering, &e);
    linear_system_layout(&s);
    linear_system_free(&s);
}
