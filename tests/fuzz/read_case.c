/* A case file. */
#include <stdio.h>
#include "run/case_settings.h"
#include "fuzz.h"

void fuzz_one(uint8_t *data, size_t size)
{
    struct case_settings c;
    struct error e;
    if (case_read(&c, fuzz_file("input.cfg", data, size), NULL, 0, &e)) case_free(&c);
}
