#include "solve/preconditioner.h"

/* NULL: part of conjugate gradients' own kernels. */
static preconditioner_creator *const creators[N_PRECONDITIONERS] = {
    [PRECONDITIONER_NONE] = NULL,
};

struct preconditioner *preconditioner_create(const struct mod_sell *a, const struct linear_setting *s, bool singular,
                                             struct error *e)
{
    return creators[s->preconditioner] ? creators[s->preconditioner](a, s, singular, e) : NULL;
}
