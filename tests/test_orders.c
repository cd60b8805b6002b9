/* Orders of accuracy in addition to those of test_mms.c, by the error's decrease with the mesh: in time, on Gmsh's
 * meshes, of PISO's steady state compared with SIMPLEC's, of the wall shear.  Lines to walls are only reported.
 * test_orders: two coarse levels of each.  test_orders --half: one level more, and more schemes and meshes.
 * test_orders --full: the finest levels.  A bound applies to the order between the two finest levels of a run. */
#include "mms_fixture.h"
#include "unsteady_fixture.h"
#include "gmsh_fixture.h"
#include "run/monitor_kernels.h"
#include "run/sample.h"

static enum { QUICK, HALF, FULL } size;

/* ---------------------------------------------------------------- levels and their orders */
enum { MOST_ERRORS = 5, MOST_LEVELS = 5 };
struct level { double h, error[MOST_ERRORS]; };
/* For one error: the minimum order, 0: only reported; rising: the minimum order if it was lower on the level before;
 * coarse: for all but --full, whose meshes are too coarse for the asymptotic order.  0 for these two: as `order`. */
struct promise { const char *name; double order, rising, coarse; };

static double order_of(const struct level *coarse, int k)
{
    return log(coarse[0].error[k] / coarse[1].error[k]) / log(coarse[0].h / coarse[1].h);
}

/* A line with the errors of a level and, after the first, their orders. */
static void tell_level(const char *title, const struct level *all, int n, const struct promise *p, int n_promises)
{
    char line[400];
    int length = snprintf(line, sizeof line, "# %s: h %.4f", title, all[n].h);
    for (int k = 0; k < n_promises; k++) {
        length += snprintf(line + length, sizeof line - (size_t)length, "  %s %.3e", p[k].name, all[n].error[k]);
        if (n > 0 && all[n].error[k] > 0)
            length += snprintf(line + length, sizeof line - (size_t)length, " (%.2f)", order_of(&all[n - 1], k));
    }
    print_message("%s\n", line);
}

static void judge(const char *title, const struct level *all, int n, const struct promise *p, int n_promises)
{
    char text[400] = "";
    for (int k = 0; k < n_promises; k++) {
        double last = order_of(&all[n - 2], k), before = n > 2 ? order_of(&all[n - 3], k) : last;
        double least = size != FULL && p[k].coarse > 0 ? p[k].coarse : p[k].order;
        bool good = last >= least || (p[k].rising > 0 && last >= p[k].rising && last > before);
        if (p[k].order > 0 && !good)
            snprintf(text + strlen(text), sizeof text - strlen(text), " order of %s %.2f (%g)", p[k].name, last, least);
    }
    if (*text) fail_msg("%s:%s", title, text);
}

/* ---------------------------------------------------------------- in time: the Taylor-Green vortex to t = 1
 * The explicit part of the viscosity limits nu dt / h^2 in simplices (about 0.3 in triangles, 0.05 in tetrahedra, h a
 * side of the box's cell), so nu is small enough for steps in proportion to h. */
static const double vortex_nu = 0.02;
/* step: times cells per side. */
struct vortex { enum grid kind; double distortion; const char *scheme; double step; int coarse, levels[3]; };

static void run_vortex(struct unsteady *w, const struct vortex *v, int n)
{
    struct box_setting box = grid_box(v->kind, n, v->distortion);
    char text[1000];
    int dim = grid_dim(v->kind);
    box.to[0] = box.to[1] = 2 * M_PI, box.to[2] = M_PI / 2, box.cells[2] = n / 4;
    snprintf(text, sizeof text, "fluid = { density = 1.3; viscosity = %.17g; };\n"
             "boundary = { left = { type = \"periodic\"; }; right = { type = \"periodic\"; "
             "};bottom = { type = \"periodic\"; }; top = { type = \"periodic\"; };%s };\n"
             "initial = { field = \"taylor-green\"; };\ntime = { end = 1.0; step = %.17g; scheme = \"%s\"; };\n"
             "solver = { algorithm = \"piso\"; convection = \"central\"; pressure = { tolerance = 1e-7; }; "
             "velocity = { tolerance = 1e-7; }; };\n", 1.3 * vortex_nu,
             dim == 3 ? " back = { type = \"periodic\"; }; front = { type = \"periodic\"; };" : "", v->step / n,
             v->scheme);
    open_unsteady(w, v->kind, &box, dim, text);
    advance_to_end(w);
}

/* Crank-Nicolson's pressure is that of the middle of the step. */
static void vortex_errors(const struct vortex *v, int n, double *velocity, double *pressure)
{
    struct unsteady w;
    run_vortex(&w, v, n);
    const struct mesh *m = &w.m;
    int64_t stride = w.t.f.s.pitch;
    double *u = FROM_DEVICE(w.t.f.u, m->dim * stride), *p = FROM_DEVICE(w.t.f.p, stride);
    double decay = exp(-2 * vortex_nu),
           late = exp(-4 * vortex_nu * (1 - (strcmp(v->scheme, "crank-nicolson") ? 0 : w.t.step / 2)));
    double volume = 0, square = 0, first = 0, second = 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        double x[3], off[3] = {0}, V = m->cell_volume[c];
        mms_cell(m, c, x);
        for (int k = 0; k < m->dim; k++) off[k] = u[k * stride + c];
        off[0] += cos(x[0]) * sin(x[1]) * decay, off[1] -= sin(x[0]) * cos(x[1]) * decay;
        double miss = p[c] + 1.3 / 4 * (cos(2 * x[0]) + cos(2 * x[1])) * late;
        square += V * (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
        volume += V, first += V * miss, second += V * miss * miss;
    }
    free(u), free(p);
    close_unsteady(&w);
    *velocity = sqrt(square / volume), *pressure = sqrt(second / volume - first / volume * (first / volume));
}

static const struct vortex vortices[] = {
#define CN "crank-nicolson"
    {GRID_TRIANGLES, 0.2, CN, 1.6, 16, {3, 3, 4}}, {GRID_TRIANGLES, 0.2, "bdf2", 1.6, 16, {3, 3, 4}},
    {GRID_QUADS, 0.25, CN, 1.6, 16, {0, 4, 5}}, {GRID_QUADS, 0.25, "bdf2", 1.6, 16, {3, 4, 5}},
    {GRID_TETRAHEDRA, 0.1, CN, 0.8, 12, {2, 2, 3}}, {GRID_TETRAHEDRA, 0.1, "bdf2", 0.8, 12, {0, 2, 3}},
    {GRID_HEXAHEDRA, 0.2, CN, 1.6, 12, {2, 2, 4}}, {GRID_HEXAHEDRA, 0.2, "bdf2", 1.6, 12, {0, 2, 5}},
};

static void order_in_time(void **state)
{
    static const struct promise promised[] = {{"velocity", 1.9, 0, 0}, {"pressure", 1.8, 1.7, 1.65}};
    const struct vortex *v = *state;
    struct level all[MOST_LEVELS] = {{0}};
    char title[100];
    snprintf(title, sizeof title, "vortex, %s %g, %s", grid_name[v->kind], v->distortion, v->scheme);
    for (int i = 0; i < v->levels[size]; i++) {
        all[i].h = 1.0 / (v->coarse << i);
        vortex_errors(v, v->coarse << i, &all[i].error[0], &all[i].error[1]);
        tell_level(title, all, i, promised, 2);
    }
    judge(title, all, v->levels[size], promised, 2);
}

/* ---------------------------------------------------------------- steady: the closed manufactured solution */
struct steady {
    const char *name;
    enum grid kind;             /* of a box, if there is no file */
    double distortion;
    const char *file;           /* for Gmsh, with the parameters h and algorithm */
    int algorithm;
    const char *convection;
    double coarse;              /* h at the first level */
    int levels[3];
    struct promise promised[MOST_ERRORS];
};

static const char *walls_of(const struct steady *s, int dim)
{
    if (s->file) return "lid = { type = \"wall\"; }; walls = { type = \"wall\"; };";
    return dim == 2 ? "left = { type = \"wall\"; }; right = { type = \"wall\"; }; "
                      "bottom = { type = \"wall\"; }; top = { type = \"wall\"; };"
                    : "left = { type = \"wall\"; }; right = { type = \"wall\"; }; "
                      "bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; "
                      "back = { type = \"wall\"; }; front = { type = \"wall\"; };";
}

static void mesh_for(struct mesh *m, const struct steady *s, double h)
{
    struct box_setting box = grid_box(s->kind, (int)lrint(1 / h), s->distortion);
    struct parameter p[] = {{"h", h}, {"algorithm", s->algorithm}};
    memset(m, 0, sizeof *m);
    if (s->file) load(m, s->file, p, 2);
    else {
        grid_mesh(m, s->kind, &box);
        if (!mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    }
}

static void open_steady(struct trial *w, const struct steady *s, double h, struct mms *exact)
{
    char text[1500];
    mesh_for(&w->m, s, h);
    if (exact->viscosity == 0) *exact = mms_of(MMS_CLOSED, w->m.dim);
    exact->dim = w->m.dim;
    snprintf(text, sizeof text, "fluid = { density = %g; viscosity = %g; };\nboundary = { %s };\n"
             "solver = { tolerance = %g; max_iterations = 20000; convection = \"%s\"; relaxation_velocity = 0.9; };\n",
             mms_density, exact->viscosity, walls_of(s, w->m.dim), size == QUICK ? 1e-7 : 1e-9, s->convection);
    trial_start(w, text);
    mms_impose(exact, w->f, &w->m);
}

static void converge_steady(struct trial *w, const char *name)
{
    if (trial_converge(w) < 0) fail_msg("%s, %d cells: not converged", name, w->m.n_cells);
}

/* Viscous force at the walls, for the faces in the order of the boundary; component k of face b at [k * n + b]. */
static double *viscous_force(struct flow *f, int32_t n)
{
    int dim = f->s.dim;
    int32_t *face, *all = device_alloc((size_t)n * sizeof *all, "faces");
    double *force = device_alloc(2 * (size_t)dim * (size_t)n * sizeof *force, "forces");
    NEW(face, n);
    for (int32_t b = 0; b < n; b++) face[b] = b;
    device_upload(all, face, (size_t)n * sizeof *face);
    const double *gradient = flow_velocity_gradient(f);
    struct force_args a = {.s = f->s, .b = f->b, .fluids = fluids_of(f), .face = all, .u = f->u, .grad_u = gradient,
                           .wall = f->reconstruction.wall, .n = n, .force = force};
    wall_forces(&a, n);
    double *viscous = FROM_DEVICE(force + (int64_t)dim * n, (int64_t)dim * n);
    device_free(all), device_free(force), free(face);
    return viscous;
}

/* For the viscous force per area, L2 over the walls, relative to its own norm. */
static double shear_error(const struct trial *w, const struct mms *exact)
{
    const struct mesh *m = &w->m;
    int32_t n = m->n_faces - m->n_internal;
    double *found = viscous_force(w->f, n), wrong = 0, whole = 0;
    for (int32_t b = 0; b < n; b++) {
        struct exact at;
        double x[3], area2 = 0, off = 0, norm = 0, area[3] = {0};
        mms_boundary_face(m, b, x);
        mms_exact(exact, x, &at);
        for (int k = 0; k < m->dim; k++)
            area[k] = m->face_area[(int64_t)k * m->n_faces + m->n_internal + b], area2 += area[k] * area[k];
        for (int i = 0; i < m->dim; i++) {
            double force = 0;
            for (int k = 0; k < m->dim; k++) force -= exact->viscosity * (at.grad_u[i][k] + at.grad_u[k][i]) * area[k];
            double miss = found[(int64_t)i * n + b] - force;
            off += miss * miss, norm += force * force;
        }
        wrong += off / sqrt(area2), whole += norm / sqrt(area2);
    }
    free(found);
    return sqrt(wrong / whole);
}

/* Values sampled at the middles of the wall's faces, L2 over the walls: velocity, which is zero there, and pressure. */
static void line_end_errors(const struct trial *w, const struct mms *exact, double mean, double *velocity,
                            double *pressure)
{
    const struct mesh *m = &w->m;
    int32_t n = m->n_faces - m->n_internal;
    double *point, *value, whole = 0, u2 = 0, p2 = 0;
    struct sample s;
    NEW(point, 3 * (int64_t)n), NEW(value, (int64_t)fields_columns(&w->f->fields, FIELD_SAMPLE) * n);
    for (int32_t b = 0; b < n; b++) mms_boundary_face(m, b, point + 3 * (int64_t)b);
    if (!sample_create(&s, m, point, n, "case", "lines", "walls", &e)) fail_msg("%s", e.text);
    fields_look(&w->f->fields);
    sample_read(&s, w->f, value);
    for (int32_t b = 0; b < n; b++) {
        struct exact at;
        double area2 = 0;
        mms_exact(exact, point + 3 * (int64_t)b, &at);
        for (int k = 0; k < m->dim; k++) area2 += pow(m->face_area[(int64_t)k * m->n_faces + m->n_internal + b], 2);
        for (int k = 0; k < m->dim; k++) u2 += sqrt(area2) * pow(value[(int64_t)k * n + b], 2);
        p2 += sqrt(area2) * pow(value[(int64_t)m->dim * n + b] - at.p - mean, 2), whole += sqrt(area2);
    }
    sample_free(&s), free(point), free(value);
    *velocity = sqrt(u2 / whole), *pressure = sqrt(p2 / whole);
}

/* Adds the errors on one mesh to the level; returns its cells. */
static void add_steady(const struct steady *s, double h, struct level *sum)
{
    struct trial w;
    struct mms exact = {0};
    double end[2];
    open_steady(&w, s, h, &exact);
    converge_steady(&w, s->name);
    struct errors found = mms_measure(&exact, w.f, &w.m);
    line_end_errors(&w, &exact, found.mean, &end[0], &end[1]);
    double all[] = {found.velocity, found.pressure, shear_error(&w, &exact), end[0], end[1]};
    for (int k = 0; k < MOST_ERRORS; k++) sum->error[k] += all[k];
    sum->h += pow(found.cells, -1.0 / w.m.dim);
    trial_close(&w);
}

/* Gmsh's meshes vary randomly: averages over three of nearly the same size. */
static void order_of_steady(void **state)
{
    static const double near[] = {1, 0.97, 1.03};
    const struct steady *s = *state;
    struct level all[MOST_LEVELS] = {{0}};
    for (int i = 0; i < s->levels[size]; i++) {
        int meshes = s->file ? 3 : 1;
        for (int k = 0; k < meshes; k++) add_steady(s, near[k] * s->coarse / (1 << i), &all[i]);
        all[i].h /= meshes;
        for (int k = 0; k < MOST_ERRORS; k++) all[i].error[k] /= meshes;
        tell_level(s->name, all, i, s->promised, MOST_ERRORS);
    }
    judge(s->name, all, s->levels[size], s->promised, MOST_ERRORS);
}

#define PROMISE(u, p, shear)                                                                        \
    {{"velocity", u, 0, 0}, {"pressure", p, 0, 0}, {"shear", shear, 0, 0}, {"line's end", 0, 0, 0}, \
     {"its pressure", 0, 0, 0}}
#define TRIANGLES "tests/meshes/square.geo"
#define TETRAHEDRA "tests/meshes/cube_tets.geo"
#define GMSH(of, by, scheme) .file = of, .algorithm = by, .convection = scheme
#define BOX(of, by) of, by, .convection = "central"
static const struct steady steadies[] = {
    {"Gmsh's triangles (5), central", GMSH(TRIANGLES, 5, "central"), .coarse = 0.16, .levels = {0, 3, 3},
     .promised = PROMISE(1.8, 1.8, 0)},
    {"Gmsh's triangles (6), central", GMSH(TRIANGLES, 6, "central"), .coarse = 0.16, .levels = {2, 3, 4},
     .promised = PROMISE(1.8, 1.8, 0)},
    {"Gmsh's triangles (5), upwind", GMSH(TRIANGLES, 5, "linear-upwind"), .coarse = 0.16, .levels = {0, 0, 3},
     .promised = PROMISE(1.8, 1.8, 0)},
    {"Gmsh's triangles (6), upwind", GMSH(TRIANGLES, 6, "linear-upwind"), .coarse = 0.16, .levels = {0, 0, 3},
     .promised = PROMISE(1.8, 1.8, 0)},
    {"Gmsh's tetrahedra (1), central", GMSH(TETRAHEDRA, 1, "central"), .coarse = 0.2, .levels = {0, 2, 3},
     .promised = PROMISE(1.9, 1.5, 0)},
    {"Gmsh's tetrahedra (10), central", GMSH(TETRAHEDRA, 10, "central"), .coarse = 0.2, .levels = {0, 2, 3},
     .promised = PROMISE(1.9, 1.5, 0)},
    {"shear, quads 0.25", BOX(GRID_QUADS, 0.25), .coarse = 1 / 16.0, .levels = {2, 3, 4},
     .promised = PROMISE(0, 0, 1.8)},
    {"shear, triangles 0.2", BOX(GRID_TRIANGLES, 0.2), .coarse = 1 / 16.0, .levels = {2, 3, 4},
     .promised = PROMISE(0, 0, 1.8)},
    {"shear, hexahedra 0.2", BOX(GRID_HEXAHEDRA, 0.2), .coarse = 1 / 8.0, .levels = {0, 2, 3},
     .promised = PROMISE(0, 0, 1.8)},
    {"shear, tetrahedra 0.1", BOX(GRID_TETRAHEDRA, 0.1), .coarse = 1 / 6.0, .levels = {2, 2, 3},
     .promised = PROMISE(0, 0, 1.8)},
};

/* ---------------------------------------------------------------- a channel between two outlets
 * Poiseuille's flow, driven by the outlets' pressures: u = 4 U y (1 - y), p linear.  One outlet lets fluid in, the
 * other out, and both must preserve the exact solution. */
struct channel {
    const char *name;
    enum grid kind;             /* of a box, if `deep` is negative */
    double distortion;
    int deep;                   /* parameter of tests/meshes/channel.geo */
    const char *algorithm;
    double step;                /* in time: times the square of the cells' size; 0: steady */
    double coarse;
    int levels[3];
    struct promise promised[MOST_ERRORS];
};

static void channel_mesh(struct mesh *m, const struct channel *s, double h)
{
    memset(m, 0, sizeof *m);
    if (s->deep >= 0) {
        struct parameter p[] = {{"h", h}, {"deep", s->deep}};
        load(m, "tests/meshes/channel.geo", p, 2);
        return;
    }
    struct box_setting box = grid_box(s->kind, (int)lrint(1 / h), s->distortion);
    box.to[2] = 0.5, box.cells[2] /= 2;
    grid_mesh(m, s->kind, &box);
    if (!mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
}

static void channel_errors(const struct flow *f, const struct mesh *m, struct level *found)
{
    int64_t stride = f->s.pitch;
    double *u = FROM_DEVICE(f->u, m->dim * stride), *p = FROM_DEVICE(f->p, stride);
    double volume = 0, u2 = 0, p2 = 0, most[3] = {0};   /* of velocity, of pressure, of pressure at outlets */
    uint8_t *outlet;
    NEW(outlet, m->n_cells);
    for (int32_t b = 0; b < m->n_faces - m->n_internal; b++) {
        double x[3];
        mms_boundary_face(m, b, x);
        if (x[0] < 1e-9 || x[0] > 1 - 1e-9) outlet[m->face_owner[m->n_internal + b]] = 1;
    }
    for (int32_t c = 0; c < m->n_cells; c++) {
        double x[3], off = 0, v = m->cell_volume[c];
        mms_cell(m, c, x);
        for (int k = 0; k < m->dim; k++) off += pow(u[k * stride + c] - (k == 0 ? 4 * x[1] * (1 - x[1]) : 0), 2);
        double wrong = fabs(p[c] - 0.8 * (1 - x[0]));
        volume += v, u2 += v * off, p2 += v * wrong * wrong;
        most[0] = fmax(most[0], sqrt(off)), most[1] = fmax(most[1], wrong);
        if (outlet[c]) most[2] = fmax(most[2], wrong);
    }
    const double all[] = {sqrt(u2 / volume), most[0], sqrt(p2 / volume), most[1], most[2]};
    for (int k = 0; k < MOST_ERRORS; k++) found->error[k] += all[k];
    free(u), free(p), free(outlet);
}

/* From rest to a time when all but 1e-7 of the flow has developed. */
static void channel_in_time(struct mesh *m, const char *text, struct level *sum)
{
    struct unsteady w = {.m = *m};
    case_of_text(&w.c, text);
    if (!transient_create(&w.t, &w.c.flow, &w.m, &e)) fail_msg("%s", e.text);
    advance_to_end(&w);
    channel_errors(&w.t.f, &w.m, sum);
    close_unsteady(&w);
}

static void channel_steady(const char *name, struct mesh *m, const char *text, struct level *sum)
{
    struct trial w = {.m = *m};
    trial_start(&w, text);
    converge_steady(&w, name);
    channel_errors(w.f, &w.m, sum);
    trial_close(&w);
}

/* Adds the errors on one mesh to the level. */
static void add_channel(const struct channel *s, double h, struct level *sum)
{
    struct mesh m;
    char text[1000], solver[300];
    channel_mesh(&m, s, h);
    const char *sides = s->deep > 0   ? "walls = { type = \"wall\"; }; sides = { type = \"symmetry\"; };"
                        : s->deep == 0 ? "walls = { type = \"wall\"; };"
                        : m.dim == 2   ? "bottom = { type = \"wall\"; }; top = { type = \"wall\"; };"
                                       : "bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; "
                                         "back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };";
    if (s->step > 0)
        snprintf(solver, sizeof solver, "time = { end = 16.0; step = %.17g; scheme = \"bdf2\"; };\nsolver = { "
                 "pressure = { tolerance = 1e-7; }; velocity = { tolerance = 1e-8; };", s->step * h * h);
    else snprintf(solver, sizeof solver, "solver = { tolerance = 1e-8; max_iterations = 3000;");
    snprintf(text, sizeof text, "%s\nfluid = { density = 1.0; viscosity = 0.1; };\nboundary = { %s "
             "left = { type = \"outlet\"; pressure = 0.8; }; right = { type = \"outlet\"; }; };\n"
             "%s algorithm = \"%s\"; };\n", s->step > 0 ? "mesh = { box = { cells = [1, 1]; }; };" : "", sides,
             solver, s->algorithm);
    sum->h += pow(m.n_cells, -1.0 / m.dim);
    if (s->step > 0) channel_in_time(&m, text, sum);
    else channel_steady(s->name, &m, text, sum);
}

static void order_of_channel(void **state)
{
    static const double near[] = {1, 0.97, 1.03};
    const struct channel *s = *state;
    struct level all[MOST_LEVELS] = {{0}};
    for (int i = 0; i < s->levels[size]; i++) {
        int meshes = s->deep >= 0 ? 3 : 1;
        for (int k = 0; k < meshes; k++) add_channel(s, near[k] * s->coarse / (1 << i), &all[i]);
        all[i].h /= meshes;
        for (int k = 0; k < MOST_ERRORS; k++) all[i].error[k] /= meshes;
        tell_level(s->name, all, i, s->promised, MOST_ERRORS);
    }
    judge(s->name, all, s->levels[size], s->promised, MOST_ERRORS);
}

#define CHANNEL(u, u_most, p, p_most)                                                                            \
    {{"velocity", u, 0, 0}, {"largest", u_most, 0, 0}, {"pressure", p, 0, 0}, {"largest", p_most, 0, 0},        \
     {"at outlets", p_most, 0, 0}}
/* If cells are distorted at random, differently on every level, maximum errors scatter. */
static const struct channel channels[] = {
    {"channel, triangles", GRID_TRIANGLES, 0, -1, "coupled", 0, 1 / 16.0, {2, 3, 4}, CHANNEL(1.9, 1.9, 1.9, 1.9)},
    {"channel, triangles 0.2", GRID_TRIANGLES, 0.2, -1, "coupled", 0, 1 / 16.0, {2, 3, 4},
     CHANNEL(1.8, 1.8, 1.8, 1.5)},
    {"channel, Gmsh's triangles", GRID_TRIANGLES, 0, 0, "coupled", 0, 1 / 32.0, {2, 2, 3},
     CHANNEL(1.8, 1.8, 1.8, 1.8)},
    {"channel, triangles, simplec", GRID_TRIANGLES, 0, -1, "simplec", 0, 1 / 8.0, {3, 3, 3},
     CHANNEL(1.9, 1.9, 1.9, 1.8)},
    {"channel, triangles, piso", GRID_TRIANGLES, 0, -1, "piso", 5, 1 / 8.0, {2, 2, 3}, CHANNEL(1.9, 1.8, 1.8, 1.8)},
    {"channel, tetrahedra", GRID_TETRAHEDRA, 0, -1, "coupled", 0, 1 / 6.0, {2, 3, 3}, CHANNEL(1.9, 1.8, 1.9, 1.8)},
    {"channel, tetrahedra 0.1", GRID_TETRAHEDRA, 0.1, -1, "coupled", 0, 1 / 6.0, {0, 3, 3},
     CHANNEL(1.8, 1.8, 1.8, 0)},
    {"channel, quads 0.25", GRID_QUADS, 0.25, -1, "coupled", 0, 1 / 16.0, {0, 3, 4}, CHANNEL(1.5, 1.8, 1.8, 0)},
    {"channel, hexahedra 0.2", GRID_HEXAHEDRA, 0.2, -1, "coupled", 0, 1 / 8.0, {0, 3, 3},
     CHANNEL(1.8, 1.8, 1.8, 0)},
};

/* ---------------------------------------------------------------- PISO's steady state */
static const double rest_viscosity = 0.05;

/* Velocity and then pressure minus its mean, on the host. */
static double *state_of(const struct flow *f, const struct mesh *m)
{
    int64_t stride = f->s.pitch, n = m->n_cells;
    double *u = FROM_DEVICE(f->u, m->dim * stride), *p = FROM_DEVICE(f->p, stride), *all, volume = 0, mean = 0;
    NEW(all, (m->dim + 1) * n);
    for (int32_t c = 0; c < n; c++) volume += m->cell_volume[c], mean += m->cell_volume[c] * p[c];
    for (int32_t c = 0; c < n; c++) {
        for (int k = 0; k < m->dim; k++) all[k * n + c] = u[k * stride + c];
        all[m->dim * n + c] = p[c] - mean / volume;
    }
    free(u), free(p);
    return all;
}

/* Norms of a - b over components first .. last - 1: L2 over the cells, or the maximum. */
static double difference(const struct mesh *m, const double *a, const double *b, int first, int last, bool largest)
{
    double sum = 0, volume = 0, most = 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        double square = 0;
        for (int k = first; k < last; k++)
            square += pow(a[(int64_t)k * m->n_cells + c] - (b ? b[(int64_t)k * m->n_cells + c] : 0), 2);
        sum += m->cell_volume[c] * square, volume += m->cell_volume[c], most = fmax(most, sqrt(square));
    }
    return largest ? most : sqrt(sum / volume);
}

/* From rest, until the velocity changes by less than 1e-9 of its maximum in a quarter of a unit of time. */
static double *piso_at_rest(const struct steady *s, double h, const char *scheme, double step)
{
    struct unsteady w;
    struct box_setting box = grid_box(s->kind, (int)lrint(1 / h), s->distortion);
    struct transient_report r;
    struct mms exact = {MMS_CLOSED, grid_dim(s->kind), rest_viscosity};
    char text[1500];
    int dim = exact.dim, steps = (int)lrint(0.25 / step);
    snprintf(text, sizeof text, "fluid = { density = %g; viscosity = %g; };\nboundary = { %s };\n"
             "time = { end = 100.0; step = %.17g; scheme = \"%s\"; };\n"
             "solver = { algorithm = \"piso\"; convection = \"%s\"; pressure = { tolerance = 1e-6; }; "
             "velocity = { tolerance = 1e-8; }; };\n", mms_density, exact.viscosity, walls_of(s, dim), step, scheme,
             s->convection);
    open_unsteady(&w, s->kind, &box, 0, text);
    mms_impose(&exact, &w.t.f, &w.m);
    double *now = state_of(&w.t.f, &w.m), change = 1;
    while (change > 1e-9 && w.t.time < 40) {
        double *before = now;
        for (int i = 0; i < steps; i++) transient_advance(&w.t, step, &r);
        now = state_of(&w.t.f, &w.m);
        change = difference(&w.m, now, before, 0, dim, true) / difference(&w.m, now, NULL, 0, dim, true);
        free(before);
    }
    if (!(change <= 1e-9))
        fail_msg("%s, %s, step %g: changes by %.1e in a quarter at t = %g", s->name, scheme, step, change, w.t.time);
    close_unsteady(&w);
    return now;
}

static double *simplec_at_rest(struct trial *w, const struct steady *s, double h)
{
    struct mms exact = {.viscosity = rest_viscosity};
    open_steady(w, s, h, &exact);
    w->c.flow.solver.tolerance = 1e-10;
    converge_steady(w, s->name);
    return state_of(w->f, &w->m);
}

/* Steps allowed by the explicit part of the viscosity on the simplices of every level. */
static double rest_step(int level) { return 1 / (32 * pow(4, level)); }

/* PISO at one level with successively halved steps, the last state left in *piso; returns the change of the last
 * halving relative to the largest velocity. */
static double halve_step(const struct steady *s, int level, const char *scheme, const struct mesh *m, int halvings,
                         double **piso)
{
    double h = s->coarse / (1 << level), last = 0, *before = NULL;
    for (int k = 0; k <= halvings; k++) {
        *piso = piso_at_rest(s, h, scheme, rest_step(level) / (1 << k));
        if (before) {
            last = difference(m, *piso, before, 0, m->dim, true) / difference(m, *piso, NULL, 0, m->dim, true);
            print_message("# %s, %s, h %.4f: step %g halved: velocity changes by %.1e of the largest, pressure by "
                          "%.1e\n", s->name, scheme, h, rest_step(level) / (1 << (k - 1)), last,
                          difference(m, *piso, before, m->dim, m->dim + 1, true));
        }
        free(before);
        before = *piso;
    }
    return last;
}

/* PISO compared with SIMPLEC; returns the result of halve_step() if the step is halved. */
static double rest_level(const struct steady *s, int level, const char *scheme, struct level *found)
{
    struct trial w;
    double h = s->coarse / (1 << level), *piso, *simplec = simplec_at_rest(&w, s, h);
    int dim = w.m.dim, halvings = size == QUICK && level == 0 ? 1 : level == 0 || (size == FULL && level == 1) ? 2 : 0;
    double last = halve_step(s, level, scheme, &w.m, halvings, &piso);
    found->h = h;
    found->error[0] = difference(&w.m, piso, simplec, 0, dim, false) / difference(&w.m, simplec, NULL, 0, dim, true);
    found->error[1] = difference(&w.m, piso, simplec, dim, dim + 1, false);
    free(piso), free(simplec);
    trial_close(&w);
    return last;
}

/* Second order, and 1e-6 of the velocity for the step. */
static void rest(const struct steady *s, const char *scheme)
{
    struct level all[MOST_LEVELS] = {{0}};
    char title[100];
    double halved = 0, bound = 1e-6;
    snprintf(title, sizeof title, "%s, %s", s->name, scheme);
    for (int i = 0; i < s->levels[size]; i++) {
        halved = fmax(halved, rest_level(s, i, scheme, &all[i]));
        tell_level(title, all, i, s->promised, 2);
    }
    judge(title, all, s->levels[size], s->promised, 2);
    if (!(halved <= bound))
        fail_msg("%s: the last halving of the step changes the steady velocity by %.1e (%g)", title, halved, bound);
}

static void rest_of_piso(void **state)
{
    rest(*state, "bdf2");
}

#define SAME {{"velocity", 1.8, 0, 0}, {"pressure", 1.8, 0, 0}}
static const struct steady rests[] = {
    {"PISO - SIMPLEC, triangles 0.2", BOX(GRID_TRIANGLES, 0.2), .coarse = 1 / 16.0, .levels = {2, 2, 3},
     .promised = SAME},
    {"PISO - SIMPLEC, quads 0.25", BOX(GRID_QUADS, 0.25), .coarse = 1 / 16.0, .levels = {0, 2, 3}, .promised = SAME},
    {"PISO - SIMPLEC, tetrahedra 0.1", BOX(GRID_TETRAHEDRA, 0.1), .coarse = 1 / 6.0, .levels = {0, 2, 2},
     .promised = SAME},
};

/* ---------------------------------------------------------------- */
#define COUNT(list) (sizeof list / sizeof *list)
static struct CMUnitTest tests[COUNT(vortices) + COUNT(steadies) + COUNT(channels) + COUNT(rests)];
static int n_tests;

static void add(const char *only, const char *name, CMUnitTestFunction function, const void *what)
{
    if (!only || strstr(name, only))
        tests[n_tests++] = (struct CMUnitTest){.name = name, .test_func = function, .initial_state = (void *)what};
}

/* test_orders [--half | --full] [PART OF A NAME] */
int main(int argc, char **argv)
{
    static char names[COUNT(vortices)][100];
    bool sized = argc > 1 && (!strcmp(argv[1], "--half") || !strcmp(argv[1], "--full"));
    size = !sized ? QUICK : !strcmp(argv[1], "--half") ? HALF : FULL;
    const char *only = argc > 1 + sized ? argv[1 + sized] : NULL;
    for (size_t i = 0; i < COUNT(vortices); i++) {
        snprintf(names[i], sizeof names[i], "vortex, %s %g, %s", grid_name[vortices[i].kind], vortices[i].distortion,
                 vortices[i].scheme);
        if (vortices[i].levels[size]) add(only, names[i], order_in_time, &vortices[i]);
    }
    bool gmsh = prepare();
    for (size_t i = 0; i < COUNT(steadies); i++) {
        if (!steadies[i].levels[size]) continue;
        if (steadies[i].file && !gmsh) printf("ok %s # SKIP poise-gmsh is not built\n", steadies[i].name);
        else add(only, steadies[i].name, order_of_steady, &steadies[i]);
    }
    for (size_t i = 0; i < COUNT(channels); i++) {
        if (!channels[i].levels[size]) continue;
        if (channels[i].deep >= 0 && !gmsh) printf("ok %s # SKIP poise-gmsh is not built\n", channels[i].name);
        else add(only, channels[i].name, order_of_channel, &channels[i]);
    }
    for (size_t i = 0; i < COUNT(rests); i++)
        if (rests[i].levels[size]) add(only, rests[i].name, rest_of_piso, &rests[i]);
    open_device();
    int failed = _cmocka_run_group_tests("orders", tests, (size_t)n_tests, NULL, NULL);
    clean(NULL);
    return finish_tests(failed);
}
