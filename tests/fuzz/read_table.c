/* Harness: a table in a CSV file, and its interpolation. */
#include "base/table.h"
#include "fuzz.h"

void fuzz_one(uint8_t *data, size_t size)
{
    struct table t;
    struct error e;
    if (table_read(&t, fuzz_file("input.csv", data, size), NULL, 0, &e)) table_free(&t);
}
