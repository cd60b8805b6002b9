/* A case file, as poise check reads it: on behind errors; where its mesh is a box, against the box's boundaries too. */
#include <stdio.h>
#include "run/case_settings.h"
#include "fuzz.h"

void fuzz_one(uint8_t *data, size_t size)
{
    struct case_settings c;
    struct error e = {0};
    case_read_kept(&c, fuzz_file("input.cfg", data, size), NULL, 0, &e);
    if (!c.source) return;
    if (c.mesh.box.dim) case_check_names(&c, &e);
    case_free(&c);
}
