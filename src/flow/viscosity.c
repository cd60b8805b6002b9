/* Viscosity that depends on the shear rate, on a transported field, or on place and time, as a model.  The former two
 * follow from the velocity and the field that the iteration or step begins with: in time those extrapolated to the time
 * of the momentum equation, so that steps keep their order. */
#include <math.h>
#include <stdlib.h>
#include "assembly/viscosity.h"
#include "base/memory.h"
#include "flow/flow.h"
#include "flow/followed.h"
#include "flow/model.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "interface/interface.h"

struct viscosity {
    struct viscosity_table law[2];
    struct field_table table[2];        /* of a viscosity that depends on a field */
    struct followed field[2];
    double *cells[2], *boundary[2];     /* of one that depends on a field, or place and time; else NULL */
    double *own;                /* of struct viscosity_args */
    struct sums largest;        /* of struct viscosity_args, with a law */
    double part;
};

static const struct viscosity_setting *of_fluid(const struct flow_setting *c, int fluid)
{
    return fluid ? &c->second_fluid.viscosity_model : &c->fluid.viscosity_model;
}

static bool given(const struct flow_setting *c) { return of_fluid(c, 0)->given || of_fluid(c, 1)->given; }

/* The first iteration or step begins with the larger one of both fluids, by the imposed velocity's change across the
 * mesh, or at shear rate 1; of a viscosity of the place its highest value. */
static double first_viscosity(const struct viscosity *v, const struct flow *f)
{
    double size = f->s.spacing * pow((double)f->s.pattern.n_global, 1.0 / f->s.dim), most = 0;
    double rate = fmax(flow_given_speed(f->c), f->b.speed) / size;
    for (int i = 0; i < (f->interface ? 2 : 1); i++) {
        const struct viscosity_setting *set = of_fluid(f->c, i);
        double low, high = f->properties.viscosity[i];
        if (set->given && set->law == VISCOSITY_OF_PLACE) given_extremes(&f->given, v->cells[i], &low, &high);
        else if (set->given) high = viscosity_at_rate(set, rate > 0 ? rate : 1);
        most = fmax(most, high);
    }
    return most;
}

static void free_state(void *state)
{
    struct viscosity *v = state;
    device_free(v->own), sums_free(&v->largest);
    for (int i = 0; i < 2; i++)
        viscosity_table_free(&v->law[i]), device_free(v->cells[i]), device_free(v->boundary[i]),
            field_table_free(&v->table[i]), followed_free(&v->field[i]);
    free(v);
}

static void make_room(struct viscosity *v, const struct flow *f, int fluid)
{
    v->cells[fluid] = flow_cells(f, 1, "viscosity");
    v->boundary[fluid] = device_alloc((size_t)f->s.n_boundary * sizeof(double), "viscosity");
}

/* Its values in all cells and at all boundary faces. */
static bool give_place(struct viscosity *v, struct flow *f, const struct mesh *m, int fluid, struct error *e)
{
    const struct value_setting *of = &of_fluid(f->c, fluid)->property.formula;
    make_room(v, f, fluid);
    bool good = given_add(&f->given, &(struct given){.of = of, .components = 1, .zone = GIVEN_EVERYWHERE,
                                                     .array = v->cells[fluid]}, e);
    for (int i = 0; good && i < m->n_patches; i++)
        good = given_add(&f->given, &(struct given){.of = of, .components = 1, .patch = &m->patch[i],
                                                    .array = v->boundary[fluid]}, e);
    return good;
}

static bool of_field(const struct flow *f, int fluid)
{
    const struct viscosity_setting *set = of_fluid(f->c, fluid);
    return set->given && set->law == VISCOSITY_OF_FIELD;
}

/* Its values at those of the field. */
static void follow_field(struct viscosity *v, struct flow *f, int fluid, const struct model_step *step)
{
    const double *x[N_PLACES];
    followed_now(&v->field[fluid], f, step, x);
    field_table_values(&(struct field_table_args){v->table[fluid], x[CELLS], v->cells[fluid]}, f->s.n_cells);
    field_table_values(&(struct field_table_args){v->table[fluid], x[BOUNDARY], v->boundary[fluid]}, f->s.n_boundary);
}

/* With a viscosity that grows as s^a an iteration multiplies the error of the shear rate s by -a: the viscosity is
 * under-relaxed so that this becomes -a / (2 + a).  Steps in time have that part of the viscous terms implicit instead
 * (flow/transient.c). */
static void *create(struct flow *f, const struct mesh *m, struct error *e)
{
    struct properties *p = &f->properties;
    struct viscosity *v;
    NEW(v, 1);
    flow_use_viscosity(f);
    p->viscosity_cells = flow_cells(f, 1, "viscosity");
    if (!f->interface)
        p->transposed = device_alloc((size_t)f->s.dim * (size_t)f->s.n_faces * sizeof(double), "transposed stress");
    if (f->interface) {
        p->viscosity_fluids = flow_cells(f, 2, "viscosity");
        f->interface->viscosity = v->own = device_alloc(2 * (size_t)f->s.n_faces * sizeof(double), "viscosity");
    }
    for (int i = 0; i < 2; i++) {
        double steepest = 0;
        const struct viscosity_setting *set = of_fluid(f->c, i);
        if (!set->given) continue;
        if (set->law == VISCOSITY_OF_PLACE) {
            if (!give_place(v, f, m, i, e)) return free_state(v), NULL;
        } else if (set->law == VISCOSITY_OF_FIELD) {
            make_room(v, f, i);
            followed_create(&v->field[i], f, set->property.field);
            v->table[i] = field_table_create(&set->property, 1, 0);
        } else {
            v->law[i] = viscosity_table_create(set, &steepest);
            p->of_shear |= fabs(viscosity_at_rate(set, 1e-3) / viscosity_at_rate(set, 1e3) - 1) > 1e-9;
        }
        p->steepest = fmax(p->steepest, steepest);
    }
    if (v->law[0].cubic || v->law[1].cubic) v->largest = sums_create(1, f->s.n_slices, "largest shear rate");
    v->part = flow_is_transient(f->c) ? 1 : 2 / (2 + p->steepest);
    const double first = first_viscosity(v, f);
    fill(&(struct fill_args){p->viscosity_faces, first}, f->s.n_faces);
    fill(&(struct fill_args){p->viscosity_cells, first}, f->s.n_padded);
    return v;
}

static void fields(void *state, const struct flow *f, struct fields *all)
{
    struct flow *own = (struct flow *)f;
    struct properties *p = &own->properties;
    struct viscosity *v = state;
    static const char *const names[2][N_PLACES] = {{"viscosity.old", "viscosity.boundary"},
                                                   {"second_viscosity.old", "second_viscosity.boundary"}};
    for (int i = 0; i < 2; i++)
        if (of_field(f, i)) followed_fields(v ? &v->field[i] : NULL, f, names[i], all);
    const struct field list[] = {
        {.name = "viscosity", .use = FIELD_OUTPUT | FIELD_SAMPLE, .components = 1, .pitch = f->s.pitch,
         .value = &p->viscosity_cells},
        {.name = "viscosity.cells", .use = FIELD_CHECKPOINT | FIELD_MAY_LACK, .components = 1, .pitch = f->s.pitch,
         .value = &p->viscosity_cells},
        {.name = "viscosity.faces", .use = FIELD_CHECKPOINT | FIELD_MAY_LACK, .components = 1, .pitch = f->s.n_faces,
         .of = ITEM_FACES, .value = &p->viscosity_faces}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) fields_add(all, &list[i]);
}

static void before_momentum(void *state, struct flow *f, struct model_step *step)
{
    struct viscosity *v = state;
    const struct reconstruction *r = &f->reconstruction;
    for (int i = 0; i < 2; i++) if (of_field(f, i)) follow_field(v, f, i, step);
    struct viscosity_args a = {.s = f->s, .b = f->b, .properties = f->properties, .law = {v->law[0], v->law[1]},
                               .cells = {v->cells[0], v->cells[1]}, .boundary = {v->boundary[0], v->boundary[1]},
                               .own = v->own, .part = v->part, .u = f->u, .grad_u = f->grad_u,
                               .second = r->quadratic ? r->second : NULL, .wall = r->wall, .largest = v->largest};
    viscosity_update(&a);
}

const struct model viscosity_model = {.given = given, .create = create, .fields = fields,
    .before_momentum = before_momentum, .free = free_state};
