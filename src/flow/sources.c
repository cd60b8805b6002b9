/* Forces and resistance in the volume, as a model: it fills f->source and f->sink, which every algorithm reads.  (Heat:
 * heat_setting.c.) */
#include "flow/flow.h"
#include "flow/model.h"

static bool gives_force(const struct source_setting *s) { return s->force_length > 0; }
static bool gives_resistance(const struct source_setting *s) { return s->resistance_given; }

static bool given(const struct flow_setting *c)
{
    return source_setting_next(&c->sources, 0, gives_force) || source_setting_next(&c->sources, 0, gives_resistance);
}

static bool give(struct flow *f, const struct mesh *m, const struct source_setting *s, const struct value_setting *of,
                 int components, double **array, struct error *e)
{
    if (!*array) *array = flow_cells(f, components, "forces in the volume");
    const struct given g = {.of = of, .components = components, .array = *array,
                            .zone = *s->region ? mesh_region(m, s->region) : GIVEN_EVERYWHERE};
    return given_add(&f->given, &g, e);
}

static void *create(struct flow *f, const struct mesh *m, struct error *e)
{
    const struct source_settings *all = &f->c->sources;
    const struct source_setting *s;
    for (int i = 0; (s = source_setting_next(all, i, gives_force)); i++)
        if (!give(f, m, s, s->force, f->s.dim, &f->source, e)) return NULL;
    for (int i = 0; (s = source_setting_next(all, i, gives_resistance)); i++)
        if (!give(f, m, s, &s->resistance, 1, &f->sink, e)) return NULL;
    return f;
}

static void free_state(void *state) { (void)state; }    /* flow_free() frees the arrays */

const struct model sources_model = {.given = given, .create = create, .free = free_state};
