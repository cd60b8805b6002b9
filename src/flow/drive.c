/* What moves a flow besides its boundaries (drive.h). */
#include "flow/drive.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "flow/drive_kernels.h"
#include "flow/flow.h"
#include "flow/model.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "interface/forces.h"
#include "interface/interface.h"
#include "mesh/part.h"

/* ---------------------------------------------------------------- periods of the mesh */
enum { MOST_PERIODS = 8 };
#define ALONG 1e-9              /* a smaller component, relative to the vector, is a rounding error */

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static bool is_parallel(const double a[3], const double b[3])
{
    double aa = dot(a, a), bb = dot(b, b), ab = dot(a, b);
    return aa * bb - ab * ab <= 1e-12 * aa * bb;
}

/* The shifts of the periodic faces, one of each direction. */
static int find_periods(const struct mesh *part, double period[MOST_PERIODS][3])
{
    const struct mesh *m = mesh_whole(part);
    int n = 0;
    for (int32_t j = 0; j < m->n_joints && n < MOST_PERIODS; j++) {
        const double *shift = m->joint_shift + 3 * (int64_t)j;
        int i = 0;
        while (i < n && !is_parallel(period[i], shift)) i++;
        if (i == n) memcpy(period[n++], shift, 3 * sizeof *shift);
    }
    return n;
}

void drive_across(const struct mesh *m, const double v[3], double across[3])
{
    double period[MOST_PERIODS][3];
    const double size = sqrt(dot(v, v));
    int n = find_periods(m, period), used = 0;
    memcpy(across, v, 3 * sizeof *v);
    for (int i = 0; i < n; i++) {                       /* orthogonal unit vectors, in place */
        double *e = period[used], *from = period[i], left, along;
        const double length = sqrt(dot(from, from));
        if (e != from) memcpy(e, from, 3 * sizeof *e);
        for (int j = 0; j < used; j++) {
            along = dot(e, period[j]);
            for (int k = 0; k < 3; k++) e[k] -= along * period[j][k];
        }
        left = sqrt(dot(e, e));
        if (left <= 1e-6 * length) continue;
        for (int k = 0; k < 3; k++) e[k] /= left;
        used++;
        along = dot(across, e);
        if (fabs(along) > ALONG * size) for (int k = 0; k < 3; k++) across[k] -= along * e[k];
    }
}

/* "[1, 0], [0, 1]": unit vectors; "none". */
static const char *periods_text(const struct mesh *m, char *text, size_t size)
{
    double period[MOST_PERIODS][3];
    int n = find_periods(m, period);
    size_t at = (size_t)snprintf(text, size, "%s", n ? "" : "none: no boundary has type = \"periodic\"");
    for (int i = 0; i < n && at < size; i++) {
        double length = sqrt(dot(period[i], period[i]));
        at += (size_t)snprintf(text + at, size - at, "%s[", i ? ", " : "");
        for (int k = 0; k < m->dim && at < size; k++) {
            double e = period[i][k] / length;
            at += (size_t)snprintf(text + at, size - at, "%s%.4g", k ? ", " : "", fabs(e) < 1e-12 ? 0 : e);
        }
        if (at < size) at += (size_t)snprintf(text + at, size - at, "]");
    }
    return text;
}

/* The length of the period along the direction; 0: it is not periodic. */
static double period_along(const struct mesh *m, const double direction[3])
{
    double period[MOST_PERIODS][3];
    int n = find_periods(m, period);
    for (int i = 0; i < n; i++) if (is_parallel(period[i], direction)) return sqrt(dot(period[i], period[i]));
    return 0;
}

/* ---------------------------------------------------------------- the model */
static bool given(const struct flow_setting *c)
{
    return c->driven.given || c->fluid.acceleration_length > 0 || c->fluid.gravity_length > 0;
}

static bool check(const struct flow_setting *c, const struct mesh *m, struct error *e)
{
    const double *n = c->driven.direction;
    char list[400];
    if (!c->driven.given || period_along(m, n) > 0) return true;
    char third[40] = "";
    if (m->dim == 3) snprintf(third, sizeof third, ", %g", n[2]);
    return refuse(e, EXIT_INPUT, "%s: driven.direction = [%g, %g%s] is not a periodic direction of the mesh; "
                  "periodic directions: %s", case_place_text(c->driven.place), n[0], n[1], third,
                  periods_text(m, list, sizeof list));
}

static double *faces(const struct flow *f)
{
    return device_alloc((size_t)f->s.n_faces * sizeof(double), "driven flow");
}

static int response_components(const struct flow_setting *c, int dim)
{
    if (!c->driven.given || !c->driven.flow_rate_given) return 0;
    return flow_is_coupled(c) ? dim + 1 : flow_is_transient(c) ? 1 : 0;
}

static double volume_of(const struct mesh *part)
{
    const struct mesh *m = mesh_whole(part);
    double sum = 0;
    for (int32_t c = 0; c < m->n_cells; c++) sum += m->cell_volume[c];
    return sum;
}

static void create_gradient(struct drive *d, struct flow *f, const struct mesh *m)
{
    const struct driven_setting *set = &f->c->driven;
    const double length = sqrt(dot(set->direction, set->direction));
    for (int k = 0; k < 3; k++) d->direction[k] = set->direction[k] / length;
    d->period = period_along(m, set->direction);
    d->volume = volume_of(m);
    d->holds_rate = set->flow_rate_given;
    d->pull = faces(f), d->flux = faces(f);
    if (flow_is_coupled(f->c)) d->trial = faces(f);
    d->sums = sums_create(2, f->s.n_slices, "flow rate");
    const int components = response_components(f->c, f->s.dim);
    if (components) {
        d->response = flow_cells(f, components, "driven flow");
        d->rhs = flow_cells(f, components, "driven flow");
    }
    struct drive_flux_args pull = {.s = f->s, .flux = d->pull};
    memcpy(pull.direction, d->direction, sizeof pull.direction);
    drive_pull(&pull, f->s.n_faces);
}

bool drive_acts(const struct flow *f)
{
    return f->drive && (f->drive->accelerates || f->c->driven.given);
}

double drive_gradient(const struct flow *f, const double **direction, double *period)
{
    const struct drive *d = f->drive;
    double gradient = 0;
    if (!d || !d->pull) return 0;
    *direction = d->direction, *period = d->period;
    device_download(&gradient, d->number + DRIVE_GRADIENT, sizeof gradient);
    return gradient;
}

/* Gravity along periodic directions, or an acceleration of its own. */
static bool is_accelerated(const struct flow *f)
{
    const struct fluid_setting *fluid = &f->c->fluid;
    bool any = false;
    for (int k = 0; k < 3; k++)
        any |= fluid->gravity[k] != f->gravity[k] || fluid->acceleration[k].text || fluid->acceleration[k].number != 0;
    return any;
}

static void free_state(void *state)
{
    struct drive *d = state;
    double *const arrays[] = {d->number, d->pull, d->response, d->flux, d->trial, d->rhs};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    if (d->pull) sums_free(&d->sums);
    drive_values_free(d);
    free(d);
}

static void *create(struct flow *f, const struct mesh *m, struct error *e)
{
    struct drive *d;
    NEW(d, 1);
    d->accelerates = is_accelerated(f);
    if (f->c->driven.given) create_gradient(d, f, m);
    if (d->accelerates || d->pull) {
        d->number = device_alloc(N_DRIVE_NUMBERS * sizeof *d->number, "driven flow");
        flow_use_face_force(f);
    }
    if (!drive_values_create(d, f, e)) return free_state(d), NULL;
    drive_values_start(d);
    return f->drive = d;
}

static void fields(void *state, const struct flow *f, struct fields *all)
{
    static struct drive none;
    struct drive *d = state ? state : &none;
    const struct field own[] = {
        {.name = "driven.gradient", .use = FIELD_CHECKPOINT, .components = 1, .pitch = 1, .of = ITEM_NONE,
         .value = &d->number},
        {.name = "driven.response", .use = FIELD_CHECKPOINT, .components = response_components(f->c, f->s.dim),
         .pitch = f->s.pitch, .value = &d->response},
        {.name = "driven.known", .use = FIELD_CHECKPOINT, .components = 1, .pitch = 2, .of = ITEM_NONE,
         .number = d->known}};
    const bool holds = f->c->driven.given && f->c->driven.flow_rate_given;
    for (int i = 0; i < (!holds ? 0 : response_components(f->c, f->s.dim) ? 3 : 1); i++) fields_add(all, &own[i]);
}

/* With two fluids the matrix of the pressure changes in every step. */
static void before_momentum(void *state, struct flow *f, struct model_step *step)
{
    struct drive *d = state;
    if (f->interface) d->known[0] = 0;
    drive_values_act(d, step->part);
}

static void add(double *x, const double *y, const double *number, double factor, int64_t n)
{
    drive_add(&(struct drive_add_args){.x = x, .y = y, .number = number, .factor = factor}, n);
}

static void before_pressure(void *state, struct flow *f, struct model_step *step)
{
    struct drive *d = state;
    (void)step;
    if (!d->number) return;
    struct drive_force_args weight = {.s = f->s, .properties = f->properties, .vector = d->number + DRIVE_GIVEN,
                                      .force = f->face_force.value};
    if (f->interface) weight.pieces = interface_pieces(f->interface);
    if (d->accelerates) drive_weight(&weight, f->s.n_faces);
    if (d->pull) add(f->face_force.value, d->pull, d->number + DRIVE_GRADIENT, 1, f->s.n_faces);
}

const struct model drive_model = {.given = given, .check = check, .create = create, .fields = fields,
    .before_momentum = before_momentum, .before_pressure = before_pressure, .free = free_state};
