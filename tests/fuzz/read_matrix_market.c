/* Harness: a Matrix Market file, read as a matrix, combined into blocks, and as a vector. */
#include <stdlib.h>
#include "fuzz.h"
#include "system/matrix_file.h"

void fuzz_one(uint8_t *data, size_t size)
{
    struct linear_system s;
    struct error e;
    const char *path = fuzz_file("input.mtx", data, size);
    if (matrix_market_read(&s, path, &e)) {
        linear_system_regroup(&s, 1 + (int)(size % 3), &e);
        linear_system_order(&s, ORDERING_CUTHILL_MCKEE, &e);
        linear_system_layout(&s);
        linear_system_free(&s);
    } else free(matrix_market_read_vector(path, 4, &e));
}
