/* Harness: a case file, read like poise check does, past errors; if its mesh is a box, checked with the box's
 * boundaries. */
#include "run/case_settings.h"
#include "run/monitor.h"
#include "fuzz.h"

/* It lists the fields of a flow, which the fuzzers are not linked with. */
void monitors_check_mesh(const struct case_settings *c, struct findings *f) { (void)c, (void)f; }

void fuzz_one(uint8_t *data, size_t size)
{
    struct case_settings c;
    struct error e = {0};
    case_read_kept(&c, fuzz_file("input.cfg", data, size), NULL, 0, &e);
    if (!c.source) return;
    if (c.mesh.box.dim) case_check_names(&c, &e);
    case_free(&c);
}
