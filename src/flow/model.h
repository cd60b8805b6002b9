/* model.h: everything that acts on the flow: a table of models, which all algorithms call at the same points, before
 * they assemble the momentum equation of an iteration or a step.  A model is one line in the table of model.c. */
#ifndef POISE_MODEL_H
#define POISE_MODEL_H
#include "assembly/field.h"
#include "base/error.h"

struct flow;
struct flow_setting;
struct mesh;

struct model_step {             /* an iteration, with dt = 0, or a time step */
    double dt;
    double part;                /* time in the step at which the momentum equation holds: 1 at its end */
    double ahead;               /* distance of that time from the end of the last step, over that step; 0: no last
                                   step */
    int outer;                  /* index of the outer iteration of the step, which is repeated with all but the first */
    const double *flux_old;     /* [n_faces] volume flux at the start of the step; f->flux is that for this step */
    double *mass_flux;          /* [n_faces] out, by a model that changes the density */
    const char *note;           /* out: for the report of the pressure's solver, or NULL */
};

struct model {                  /* all but `given` may be NULL */
    bool (*given)(const struct flow_setting *c);                /* whether the case has it */
    /* Checks that it fits the mesh.  Takes no flow, because poise check has none. */
    bool (*check)(const struct flow_setting *c, const struct mesh *m, struct error *e);
    /* Creates the state, at the end of flow_create(); NULL with a message on failure. */
    void *(*create)(struct flow *f, const struct mesh *m, struct error *e);
    /* Adds its fields; state NULL: only names are needed. */
    void (*fields)(void *state, const struct flow *f, struct fields *all);
    /* Sets its properties, such as density and viscosity, for this iteration or step, after flow_reconstruct(). */
    void (*before_momentum)(void *state, struct flow *f, struct model_step *step);
    /* Adds its force to f->face_force, allocated by flow_use_face_force(); in time all properties are set by then, in
     * steady flow those of the last iteration. */
    void (*before_pressure)(void *state, struct flow *f, struct model_step *step);
    void (*after_step)(void *state, struct flow *f);            /* after an iteration, or an accepted step */
    void (*restored)(void *state);                              /* the fields have been read from a checkpoint */
    void (*free)(void *state);
};

enum { MOST_MODELS = 8 };
/* The same for all models of the case, in the order of the table; their states are in f->model. */
bool models_check(const struct flow_setting *c, const struct mesh *m, struct error *e);
bool models_create(struct flow *f, const struct mesh *m, struct error *e);
void models_fields(struct flow *f);
void models_set_properties(struct flow *f, struct model_step *step);
/* f->face_force is recomputed. */
void models_add_forces(struct flow *f, struct model_step *step);
void models_after_step(struct flow *f);
void models_restored(struct flow *f);
void models_free(struct flow *f);

extern const struct model two_fluids_model, viscosity_model, drive_model, buoyancy_model, sources_model;
#endif
