/* Passes the regions of the two fluids to the pressure solver as deflation subdomains (phases.h). */
#include "flow/phases.h"
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"

/* 1 in cells filled mostly by the second fluid; the caller frees it. */
static int32_t *phases(const struct flow *f, const double *fraction)
{
    double *on_host;
    int32_t *phase;
    NEW(on_host, f->s.n_cells), NEW(phase, f->s.n_cells);
    device_download(on_host, fraction, (size_t)f->s.n_cells * sizeof *on_host);
    for (int32_t c = 0; c < f->s.n_cells; c++) phase[c] = on_host[c] >= 0.5;
    free(on_host);
    return phase;
}

bool phases_create_solver(struct flow *f, const double *fraction, struct error *e)
{
    int32_t *phase = phases(f, fraction);
    struct solver_setup setup = {.singular = f->b.closed, .values_follow = true, .phase = phase};
    f->pressure_solver = solver_create(&f->pressure, &f->c->solver.pressure, &setup, e);
    free(phase);
    return f->pressure_solver;
}

const char *phases_follow(struct flow *f, const double *fraction)
{
    static struct error e;
    enum deflation_kind kind = f->c->solver.pressure.deflation;
    if (kind != DEFLATION_LEVEL_SET && kind != DEFLATION_LEVEL_SET_BLOCKS) return NULL;
    int32_t *phase = phases(f, fraction);
    bool good = solver_set_phase(f->pressure_solver, phase, &e);
    free(phase);
    return good ? NULL : e.text;
}
