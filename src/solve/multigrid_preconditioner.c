/* Preconditioner multigrid: a cycle, and a structure that is rebuilt when iteration counts grow. */
#include <stdlib.h>
#include "base/memory.h"
#include "solve/multigrid.h"
#include "solve/preconditioner.h"
#include "solve/rebuild.h"

struct cycles {
    struct preconditioner base;         /* base.multigrid is the multigrid */
    struct rebuild rebuild;
    char note[160], choice[160];
};

static const char *refresh(struct preconditioner *p)
{
    struct cycles *c = (struct cycles *)p;
    multigrid_set_matrix(p->multigrid, &p->a);
    if (rebuild_if_due(&c->rebuild, p->multigrid, c->note, sizeof c->note)) p->news = c->note;
    multigrid_refresh(p->multigrid);
    return NULL;
}

static void apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    multigrid_apply(p->multigrid, r, norm2, z);
}

static bool due(const struct preconditioner *p)
{
    return rebuild_due(&((const struct cycles *)p)->rebuild, p->multigrid);
}

static void solved(struct preconditioner *p, int iterations)
{
    rebuild_watch(&((struct cycles *)p)->rebuild, iterations);
}

static int32_t *structure(const struct preconditioner *p, int64_t *n)
{
    return rebuild_state(&((const struct cycles *)p)->rebuild, p->multigrid, n);
}

static bool set_structure(struct preconditioner *p, const int32_t *state, int64_t n)
{
    return rebuild_restore(&((struct cycles *)p)->rebuild, p->multigrid, state, n);
}

static void release(struct preconditioner *p)
{
    multigrid_free(p->multigrid);
    free(p);
}

struct preconditioner *multigrid_preconditioner(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    struct cycles *c;
    bool factors = s->smoother == SMOOTHER_ILU || s->smoother == SMOOTHER_ISAI;
    bool of_blocks = factors || s->smoother == SMOOTHER_AUTO;
    if (a->block > 1 ? s->smoother != SMOOTHER_BLOCK_JACOBI && !of_blocks : of_blocks)
        return refuse(e, EXIT_INPUT, "multigrid on %s matrices does not support smoother \"%s\"; expected "
                                     "block-jacobi%s",
                      a->block > 1 ? "block" : "scalar", smoother_words[s->smoother],
                      a->block > 1 ? ", ilu, block-isai or auto" : ", two-stage-gs or chebyshev"), NULL;
    const bool numbers = a->block == 1, nonsymmetric = numbers && s->nonsymmetric;
    if (nonsymmetric && s->smoother == SMOOTHER_CHEBYSHEV)
        return refuse(e, EXIT_INPUT, "multigrid's smoother \"chebyshev\" needs a symmetric matrix; expected "
                      "block-jacobi or two-stage-gs"), NULL;
    /* BiCGStab takes ten times the iterations if M depends on r, as the K-cycle does (measured). */
    struct linear_setting set = *s;
    if (nonsymmetric && s->method == METHOD_BICGSTAB && s->cycle == CYCLE_K) set.cycle = CYCLE_V;
    NEW(c, 1);
    c->base = (struct preconditioner){
        .refresh = refresh, .apply = apply, .free = release, .variable = true, .form = FORM_CYCLE,
        .multigrid = multigrid_create(a, &set, s->singular)};
    if (!nonsymmetric) {        /* else the structure stays: a checkpoint has that of one solver, the pressure's */
        c->base.due = due, c->base.solved = solved;
        c->base.structure = structure, c->base.set_structure = set_structure;
    }
    multigrid_describe(c->base.multigrid, c->choice, sizeof c->choice);
    c->base.choice = c->choice;
    return &c->base;
}
