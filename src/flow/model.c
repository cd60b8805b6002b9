/* The table of models, and calls of all of them. */
#include "flow/model.h"
#include "flow/flow.h"
#include "gpu/vector.h"

static const struct model *const models[MOST_MODELS + 1] = {&two_fluids_model, &viscosity_model, &drive_model,
                                                           &buoyancy_model, &sources_model};

/* For every model of a case; i: its index in the table. */
#define EACH_MODEL(i, c) for (int i = 0; models[i]; i++) if (models[i]->given(c))

bool models_check(const struct flow_setting *c, const struct mesh *m, struct error *e)
{
    bool good = true;
    struct error one;
    *e = (struct error){0};
    EACH_MODEL(i, c) if (models[i]->check) good = error_keep(models[i]->check(c, m, &one), e, &one) && good;
    return good;
}

bool models_create(struct flow *f, const struct mesh *m, struct error *e)
{
    EACH_MODEL(i, f->c) if (models[i]->create && !(f->model[i] = models[i]->create(f, m, e))) return false;
    return true;
}

void models_fields(struct flow *f)
{
    EACH_MODEL(i, f->c) if (models[i]->fields) models[i]->fields(f->model[i], f, &f->fields);
}

void models_set_properties(struct flow *f, struct model_step *step)
{
    EACH_MODEL(i, f->c) if (models[i]->before_momentum) models[i]->before_momentum(f->model[i], f, step);
}

void models_add_forces(struct flow *f, struct model_step *step)
{
    bool first = true;
    EACH_MODEL(i, f->c) {
        if (!models[i]->before_pressure || !f->face_force.acts) continue;
        if (first) fill(&(struct fill_args){f->face_force.value, 0}, f->s.n_faces);
        models[i]->before_pressure(f->model[i], f, step);
        first = false;
    }
}

void models_after_step(struct flow *f)
{
    EACH_MODEL(i, f->c) if (models[i]->after_step) models[i]->after_step(f->model[i], f);
}

void models_restored(struct flow *f)
{
    EACH_MODEL(i, f->c) if (models[i]->restored) models[i]->restored(f->model[i]);
}

void models_free(struct flow *f)
{
    EACH_MODEL(i, f->c) if (f->model[i]) models[i]->free(f->model[i]), f->model[i] = NULL;
}
