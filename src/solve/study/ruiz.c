/* Preconditioner ruiz: division by the weight of the Ruiz scaling (ruiz.h). */
#include "solve/study/ruiz.h"
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/preconditioner.h"

void ruiz_weight(const struct matrix *a, double *weight, double *scratch)
{
    fill(&(struct fill_args){scratch, 1}, a->p.n_padded);
    for (int sweep = 0; sweep < RUIZ_SWEEPS; sweep++) {
        bool even = sweep % 2 == 0;
        struct ruiz_args args = {*a, even ? scratch : weight, even ? weight : scratch};
        halo_update(a->p.halo, args.inverse, 1);
        ruiz_sweep(&args, a->p.n_slices);
    }
    struct ruiz_args finish = {*a, scratch, weight};
    ruiz_finish(&finish, a->p.n_padded);
}

struct ruiz { struct preconditioner base; double *weight, *scratch; };

static const char *refresh(struct preconditioner *p)
{
    struct ruiz *m = (struct ruiz *)p;
    ruiz_weight(&p->a, m->weight, m->scratch);
    p->weight = m->weight;
    return NULL;
}

static void apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    struct divide_args args = {r, p->weight, z};
    (void)norm2;
    divide(&args, p->a.p.n_padded);
}

static void release(struct preconditioner *p)
{
    struct ruiz *m = (struct ruiz *)p;
    device_free(m->weight), device_free(m->scratch);
    free(m);
}

struct preconditioner *ruiz_create(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    struct ruiz *m;
    (void)s, (void)e;
    NEW(m, 1);
    m->weight = pattern_alloc(&a->p, 1, sizeof *m->weight, "Ruiz preconditioner");
    m->scratch = pattern_alloc(&a->p, 1, sizeof *m->scratch, "Ruiz preconditioner");
    m->base = (struct preconditioner){.refresh = refresh, .apply = apply, .free = release, .form = FORM_DIAGONAL};
    return &m->base;
}
