/* The Ruiz scaling: the host's side (ruiz.h). */
#include "solve/ruiz.h"
#include <stdbool.h>
#include "gpu/vector.h"

void ruiz_weight(const struct matrix *a, double *weight, double *scratch)
{
    struct fill_args ones = {scratch, 1.0};
    fill(&ones, a->p.n_padded);
    for (int sweep = 0; sweep < RUIZ_SWEEPS; sweep++) {
        bool even = sweep % 2 == 0;
        struct ruiz_args args = {*a, even ? scratch : weight, even ? weight : scratch};
        halo_update(a->p.halo, args.inverse, 1);
        ruiz_sweep(&args, a->p.n_slices);
    }
    struct ruiz_args finish = {*a, scratch, weight};
    ruiz_finish(&finish, a->p.n_padded);
}
