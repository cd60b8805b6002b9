/* Two-stage Gauss-Seidel and Chebyshev as smoothers of multigrid (smoother.h). */
#include "solve/smoother.h"
#include <stdlib.h>
#include "base/memory.h"
#include "solve/sweep.h"

struct level_smoother {
    struct linear_setting setting;
    struct sweeps sweeps;
    struct sweep_list list[2][2];       /* [enum smoother_half][from a guess] */
};

struct level_smoother *smoother_create(const struct level_matrix *a, const struct linear_setting *s)
{
    struct level_smoother *m;
    struct sweep_list *all[4];
    NEW(m, 1);
    m->setting = *s;
    m->setting.preconditioner =
        s->smoother == SMOOTHER_CHEBYSHEV ? PRECONDITIONER_CHEBYSHEV : PRECONDITIONER_TWO_STAGE_GS;
    m->setting.form = FORM_NON_COMPACT;         /* sweeps of the compact form do not improve a guess */
    m->sweeps = (struct sweeps){.p = a->p, .val = a->val, .diag = a->diag,
                                .single = true, .single_diag = true};
    for (int i = 0; i < 4; i++) {
        bool after = i / 2, guess = i % 2;
        all[i] = &m->list[after][guess];
        sweep_steps(&m->sweeps, all[i], &m->setting, after ? SWEEP_BACKWARD : SWEEP_FORWARD, guess);
    }
    sweeps_create(&m->sweeps, all, 4);
    return m;
}

void smoother_refresh(const struct level_smoother *m)
{
    sweeps_refresh(&m->sweeps);
    if (m->setting.smoother == SMOOTHER_CHEBYSHEV)
        for (int i = 0; i < 4; i++)
            chebyshev_weights(&m->sweeps, &m->list[i / 2][i % 2], &m->setting, i % 2 && !m->sweeps.slices);
}

void smoother_apply(const struct level_smoother *m, enum smoother_half half, const float *b, const float *guess,
                    float *x)
{
    sweeps_run(&m->sweeps, &m->list[half][guess != NULL], b, guess, x, NULL, NULL);
}

void smoother_free(struct level_smoother *m)
{
    if (!m) return;
    sweeps_free(&m->sweeps);
    for (int i = 0; i < 4; i++) sweep_list_free(&m->list[i / 2][i % 2]);
    free(m);
}
