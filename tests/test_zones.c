/* Forces, sinks and sources in zones of the mesh, for the velocity and for a scalar.  With the argument "digest" it
 * prints a digest of what a few iterations and steps make, the same on every number of ranks. */
#include <inttypes.h>
#include "unsteady_fixture.h"
#include "base/digest.h"
#include "flow/scalar.h"
#include "gpu/device.h"
#include "gpu/ranks.h"

enum { N_ALGORITHMS_TRIED = 5, COUPLED = 2, IN_TIME };  /* the algorithms from IN_TIME on */
static const char *const algorithms[N_ALGORITHMS_TRIED] = {"simple", "simplec", "coupled", "piso", "pimple"};

/* A box of two zones: "porous" where low < x[axis] < high, elsewhere "fluid". */
struct zones { int axis; double low, high; };

/* A flow, steady or in time, in this rank's part of the mesh. */
struct zoned { bool in_time; struct mesh whole; struct trial steady; struct unsteady unsteady; struct flow *f; };
static const struct mesh *mesh_of(const struct zoned *w) { return w->in_time ? &w->unsteady.m : &w->steady.m; }

static void mark_zones(struct mesh *m, const struct zones *z)
{
    RESIZE(m->region, 2);
    strcpy(m->region[0], "fluid"), strcpy(m->region[1], "porous");
    m->n_regions = 2;
    for (int32_t c = 0; c < m->n_cells; c++) {
        double x = 0;
        for (int64_t k = m->cell_start[c]; k < m->cell_start[c + 1]; k++)
            x += m->vertex[3 * (int64_t)m->cell_vertex[k] + z->axis];
        x /= (double)(m->cell_start[c + 1] - m->cell_start[c]);
        m->cell_region[c] = x > z->low && x < z->high;
    }
}

static void open_zoned(struct zoned *w, enum grid kind, int n, const struct zones *z, int joined, int algorithm,
                       const char *text)
{
    struct box_setting box = grid_box(kind, n, 0);
    struct error e;
    char whole[2500];
    memset(w, 0, sizeof *w);
    w->in_time = algorithm >= IN_TIME;
    grid_mesh(&w->whole, kind, &box);
    mark_zones(&w->whole, z);
    struct mesh *m = w->in_time ? &w->unsteady.m : &w->steady.m;
    if (!mesh_complete(&w->whole, ORDERING_HILBERT, (int[]){0, 1}, joined, &e)) fail_msg("%s", e.text);
    if (ranks_count() == 1) *m = w->whole, w->whole = (struct mesh){0};
    else if (!mesh_take_part(m, &w->whole, 0, &e)) fail_msg("%s", e.text);
    snprintf(whole, sizeof whole, "%ssolver = { algorithm = \"%s\"; };\n%s", text, algorithms[algorithm],
             w->in_time ? "time = { end = 100.0; step = 0.05; };\n" : "");
    if (w->in_time) start_unsteady(&w->unsteady, whole);
    else trial_start(&w->steady, whole);
    w->f = w->in_time ? &w->unsteady.t.f : w->steady.f;
}

static void close_zoned(struct zoned *w)
{
    if (w->in_time) close_unsteady(&w->unsteady);
    else trial_close(&w->steady);
    mesh_free(&w->whole);
}

static void advance(struct zoned *w, int times)
{
    struct simple_report steady;
    struct transient_report unsteady;
    for (int i = 0; i < times; i++)
        if (w->in_time) transient_advance(&w->unsteady.t, w->unsteady.c.flow.time.step, &unsteady);
        else simple_iterate(&w->steady.simple, &steady);
}

/* Gives numbers in a zone of the mesh; the array is made when it is not there. */
static void give(struct zoned *w, const char *zone, const double *number, int components, double **array)
{
    struct error e;
    if (!*array) *array = flow_cells(w->f, components, "numbers in a zone");
    const struct value_setting of[3] = {{.number = number[0]}, {.number = components > 1 ? number[1] : 0},
                                        {.number = components > 2 ? number[2] : 0}};
    struct given g = {.of = of, .components = components, .array = *array,
                      .zone = mesh_region(mesh_of(w), zone)};
    if (!given_add(&w->f->given, &g, &e)) fail_msg("%s", e.text);
}

/* ---------------------------------------------------------------- along a porous layer */
/* Between slip walls at y = 0 and y = 1 a force 1 drives a flow along a layer y > 1/2 with a sink: u'' - k^2 u + 1 = 0
 * there, u'' + 1 = 0 below.  A scalar with as much diffusivity, source and sink has the same profile. */
static const double K = 4, force[3] = {1, 0, 0}, sink = 16, one = 1;
static double layer(double y)
{
    double rate = 1 / (2 * K * sinh(K / 2));
    return y > 0.5 ? 1 / (K * K) + rate * cosh(K * (1 - y)) : 1 / (K * K) + rate * cosh(K / 2) + (0.25 - y * y) / 2;
}

static void open_layer(struct zoned *w, enum grid kind, int n, int algorithm)
{
    bool solid = grid_dim(kind) == 3;
    char text[1500];
    snprintf(text, sizeof text, "fluid = { viscosity = 1.0; };\nboundary = { left = { type = \"periodic\"; "
             "with = \"right\"; }; right = { type = \"periodic\"; };\nbottom = { type = \"symmetry\"; }; "
             "top = { type = \"symmetry\"; };%s };\nscalars = { t = { diffusivity = 1.0; convection = "
             "\"linear-upwind\"; values = { bottom = %.17g; }; }; };\n",
             solid ? " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };" : "", layer(0));
    open_zoned(w, kind, n, &(struct zones){1, 0.5, 2}, 1, algorithm, text);
    struct scalar *t = ((struct scalars *)w->f->equation[0])->item;
    give(w, "fluid", force, w->f->s.dim, &w->f->source), give(w, "porous", force, w->f->s.dim, &w->f->source);
    give(w, "porous", &sink, 1, &w->f->sink);
    give(w, "fluid", &one, 1, &t->source), give(w, "porous", &one, 1, &t->source);
    give(w, "porous", &sink, 1, &t->sink);
}

/* The largest errors of velocity and scalar, relative to the largest of the profile. */
struct errors { double velocity, scalar; };
static struct errors errors_of_layer(enum grid kind, int n, int algorithm)
{
    struct zoned w;
    struct errors r = {0, 0};
    open_layer(&w, kind, n, algorithm);
    advance(&w, w.in_time ? 80 : algorithm == COUPLED ? 60 : algorithm ? 300 : 800);
    const struct mesh *m = mesh_of(&w);
    double *u = FROM_DEVICE(w.f->u, w.f->s.dim * w.f->s.pitch);
    double *t = FROM_DEVICE(((struct scalars *)w.f->equation[0])->item->x, w.f->s.pitch);
    for (int32_t c = 0; c < m->n_cells; c++) {
        double exact = layer(m->cell_centre[m->n_all + c]);
        for (int k = 0; k < m->dim; k++)
            r.velocity = fmax(r.velocity, fabs(u[k * w.f->s.pitch + c] - (k ? 0 : exact)) / layer(0));
        r.scalar = fmax(r.scalar, fabs(t[c] - exact) / layer(0));
    }
    free(u), free(t);
    close_zoned(&w);
    return r;
}

static void flow_along_a_porous_layer(void **state)
{
    (void)state;
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int i = 0; i < N_ALGORITHMS_TRIED; i++) {
            if (!full_size() && (kind + i) % 3) continue;           /* each algorithm, and each kind of cells */
            const bool solid = grid_dim((enum grid)kind) == 3;
            struct errors r = errors_of_layer((enum grid)kind, solid ? 6 : 8, i);
            if (!(r.velocity < (solid ? 0.06 : 0.03) && r.scalar < (solid ? 0.06 : 0.03)))
                fail_msg("%s, %s: %g, scalar %g", grid_name[kind], algorithms[i], r.velocity, r.scalar);
        }
}

static void it_is_of_second_order(void **state)
{
    (void)state;
    for (int kind = GRID_QUADS; kind <= GRID_TRIANGLES; kind++) {
        struct errors coarse = errors_of_layer((enum grid)kind, 8, COUPLED),
                      fine = errors_of_layer((enum grid)kind, 16, COUPLED);
        if (!(fine.velocity < 0.35 * coarse.velocity && fine.scalar < 0.35 * coarse.scalar))
            fail_msg("%s: %g, then %g; scalar %g, then %g", grid_name[kind], coarse.velocity, fine.velocity,
                     coarse.scalar, fine.scalar);
    }
}

/* ---------------------------------------------------------------- through a porous plug */
/* A stream of speed 1 through a plug 1/4 < x < 3/4 with a sink of 20, which a force of -5 in the plug helps: the
 * pressure falls by (20 + 5) / 2 in it, and the velocity stays. */
static void flow_through_a_porous_plug(void **state)
{
    static const double plug = 20, against[3] = {-5, 0, 0}, fall = 12.5;
    (void)state;
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int i = 0; i < N_ALGORITHMS_TRIED; i++) {
            if (!full_size() && (kind + i) % 3 != 1) continue;      /* other pairs than along the layer */
            struct zoned w;
            bool solid = grid_dim((enum grid)kind) == 3;
            double worst = 0, mean = 0, volume = 0;
            char text[1500];
            snprintf(text, sizeof text, "fluid = { density = 2.0; viscosity = 0.2; };\nboundary = { left = { type = "
                     "\"inlet\"; velocity = [1, 0%s]; }; right = { type = \"outlet\"; };\n"
                     "bottom = { type = \"symmetry\"; }; top = { type = \"symmetry\"; };%s };\n"
                     "initial = { velocity = [1, 0%s]; };\n",
                     solid ? ", 0" : "", solid ? " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };"
                     : "", solid ? ", 0" : "");
            open_zoned(&w, (enum grid)kind, solid ? 8 : 16, &(struct zones){0, 0.25, 0.75}, 0, i, text);
            give(&w, "porous", &plug, 1, &w.f->sink), give(&w, "porous", against, w.f->s.dim, &w.f->source);
            advance(&w, w.in_time || i == COUPLED ? 60 : 150);
            const struct mesh *m = mesh_of(&w);
            double *u = FROM_DEVICE(w.f->u, w.f->s.dim * w.f->s.pitch), *p = FROM_DEVICE(w.f->p, w.f->s.pitch);
            for (int32_t c = 0; c < m->n_cells; c++) {
                double x = m->cell_centre[c], error = 0;
                for (int k = 0; k < m->dim; k++) error += pow(u[k * w.f->s.pitch + c] - !k, 2);
                mean += error * m->cell_volume[c], volume += m->cell_volume[c];
                if (x < 0.125) worst = fmax(worst, fabs(p[c] - fall));
                if (x > 0.875) worst = fmax(worst, fabs(p[c]));
            }
            mean = sqrt(mean / volume);
            if (!(worst < (solid ? 0.06 : 0.02) * fall && mean < (solid ? 0.1 : 0.03)))
                fail_msg("%s, %s: pressure off by %g, velocity by %g", grid_name[kind], algorithms[i], worst, mean);
            free(u), free(p);
            close_zoned(&w);
        }
}

/* ---------------------------------------------------------------- several ranks */
static uint64_t add_field(uint64_t digest, const struct zoned *w, const char *name)
{
    const struct field *x = fields_find(&w->f->fields, name, FIELD_OUTPUT);
    const int64_t n = mesh_count(mesh_of(w), ITEM_CELLS);
    double *own = FROM_DEVICE(*x->value, x->components * x->pitch), *all;
    NEW(all, n);
    for (int k = 0; k < x->components; k++) {
        mesh_gather(mesh_of(w), ITEM_CELLS, own + k * x->pitch, all);
        if (!ranks_own()) digest = digest_add(digest, all, (size_t)n * sizeof *all);
    }
    free(own), free(all);
    return digest;
}

static int print_digest(void)
{
    static const enum grid kinds[] = {GRID_TRIANGLES, GRID_TETRAHEDRA};
    struct error e;
    uint64_t digest = DIGEST_START;
    if (!ranks_open(&e)) return fprintf(stderr, "%s\n", e.text), 1;
    open_device();
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N_ALGORITHMS_TRIED; i++) {
            struct zoned w;
            open_layer(&w, kinds[k], k ? 8 : 36, i);
            advance(&w, 4);
            digest = add_field(add_field(add_field(digest, &w, "velocity"), &w, "pressure"), &w, "t");
            close_zoned(&w);
        }
    device_close();
    if (!ranks_own()) printf("digest %016" PRIx64 "\n", digest);
    ranks_close();
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flow_along_a_porous_layer),
                                       cmocka_unit_test(it_is_of_second_order),
                                       cmocka_unit_test(flow_through_a_porous_plug)};
    return argc > 1 && !strcmp(argv[1], "digest") ? print_digest() : RUN_TESTS("zones", tests);
}
