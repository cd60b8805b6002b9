/* Preconditioner nested-schwarz: nested restricted additive Schwarz (Yang 2015, section 4.2).  Outer: the ranks, each
 * with its rows and `overlap` layers of other ranks' rows around them (overlap.h).  Inner: METIS parts of that block,
 * with `inner_overlap` layers around each, factored by ILU(k) (ilu.c).  A row's result is taken from the part and the
 * rank that own it.  On one rank there is no outer level, and the method is ilu with parts. */
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "solve/overlap.h"
#include "solve/preconditioner.h"

struct nested_schwarz {
    struct preconditioner base;
    struct overlap *overlap;
    struct preconditioner *inner;
    double *r, *z;              /* [block pitch] of the overlapped block */
    char why[300];
};

static const char *refresh(struct preconditioner *p)
{
    struct nested_schwarz *m = (struct nested_schwarz *)p;
    overlap_refresh(m->overlap, &p->a);
    m->inner->a = *overlap_matrix(m->overlap);
    const char *why = m->inner->refresh(m->inner);
    if (!why) return NULL;
    snprintf(m->why, sizeof m->why, "in the overlapped block of rank %d, %s", ranks_own(), why);
    return m->why;
}

static void apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    const struct nested_schwarz *m = (const struct nested_schwarz *)p;
    overlap_extend(m->overlap, r, m->r);
    m->inner->apply(m->inner, m->r, norm2, m->z);
    overlap_restrict(m->overlap, m->z, z);
}

static void release(struct preconditioner *p)
{
    struct nested_schwarz *m = (struct nested_schwarz *)p;
    if (m->inner) m->inner->free(m->inner);
    device_free(m->r), device_free(m->z);
    overlap_free(m->overlap);
    free(m);
}

struct preconditioner *nested_schwarz_create(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    struct nested_schwarz *m;
    struct linear_setting inner = *s;
    inner.overlap = s->inner_overlap;
    if (ranks_count() == 1) return ilu_create(a, &inner, e);
    NEW(m, 1);
    m->overlap = overlap_create(a, s->overlap);
    overlap_refresh(m->overlap, a);
    const struct matrix *block = overlap_matrix(m->overlap);
    m->r = pattern_alloc(&block->p, block->block, sizeof *m->r, "Schwarz method");
    m->z = pattern_alloc(&block->p, block->block, sizeof *m->z, "Schwarz method");
    m->inner = ilu_create(block, &inner, e);
    m->base = (struct preconditioner){.refresh = refresh, .apply = apply, .free = release, .variable = true};
    if (m->inner) return &m->base;
    release(&m->base);
    return NULL;
}
