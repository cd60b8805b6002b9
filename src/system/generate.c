/* Generates linear systems by name (generate.h). */
#include "system/generate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/random.h"
#include "system/spheres.h"
#include "system/laplacian.h"
#include "system/flow_systems.h"

/* From WIND on: not the Laplacian of a mesh. */
enum kind { GRID, LAYERS, BUBBLES, STRETCHED, VERTICES, ANY_MESH, WIND, STRATIFIED, CAVITY, COUPLED };
static const struct generator {
    const char *name, *numbers, *help;
    enum kind kind;
    int dim, most;              /* most: maximum number of arguments */
    double standard[2];         /* defaults of the second and third argument */
    const char *sides;          /* boundaries with fixed values, unless --sides overrides them */
} generators[] = {
    {"poisson2d", "N[,M]", "5-point Laplacian on squares; right-hand side 1", GRID, 2, 2, {0}, "left"},
    {"poisson3d", "N[,M,K]", "7-point Laplacian on cubes; right-hand side 1", GRID, 3, 3, {0}, "left"},
    {"layers", "N[,CONTRAST]", "square, the upper half of CONTRAST times the lower half's coefficient (1000)",
     LAYERS, 2, 2, {1000}, "left"},
    {"bubbles2d", "N[,COUNT[,CONTRAST]]", "square, discs of CONTRAST times the coefficient (1, 1000)",
     BUBBLES, 2, 3, {1, 1000}, "left"},
    {"bubbles3d", "N[,COUNT[,CONTRAST]]", "cube, spheres; COUNT 1: of radius 1/4 in the middle",
     BUBBLES, 3, 3, {1, 1000}, "left"},
    {"stretched2d", "N[,RATIO]", "square, cells graded to all walls, widest over narrowest RATIO (30)",
     STRETCHED, 2, 2, {30}, "left"},
    {"stretched", "N[,RATIO]", "cube, likewise", STRETCHED, 3, 2, {30}, "left"},
    {"laplace2d", "N", "5-point finite differences at N x N points inside a square", VERTICES, 2, 1, {0}, "all"},
    {"laplacian", "MESH", "of a .geo, .msh or .h5, of box:NX,NY[,NZ] or distorted:NX,NY[,NZ]", ANY_MESH, 0, 0, {0},
     "all"},
    {"convection2d", "N[,M]", "points inside a square, diffusion and rotating convection, upwind: nonsymmetric", WIND,
     2, 2, {0}, "all"},
    {"convection3d", "N[,M,K]", "in a cube, likewise", WIND, 3, 3, {0}, "all"},
    {"stratified3d", "N[,M,K]",
     "pressure of a stratified atmosphere, a long wave at the right; 148,148,58: the pattern of atmosmodd", STRATIFIED,
     3, 3, {0}, "all"},
    {"cavity-vorticity", "N",
     "lid-driven cavity at N x N points, blocks (u, v, vorticity) (Ma et al. 2021); its own right-hand side",
     CAVITY, 2, 1, {0}, "all"},
    {"cavity-coupled", "N[,RE[,RATIO]]",
     "lid-driven cavity, N x N cells graded by RATIO (1), blocks (u, v, pressure), Reynolds number RE (1000); its own "
     "right-hand side", COUPLED, 2, 3, {1000, 1}, "all"},
};
enum { N_GENERATORS = sizeof generators / sizeof *generators };

void generate_help(FILE *out)
{
    for (int i = 0; i < N_GENERATORS; i++) {
        const struct generator *g = &generators[i];
        char form[40];
        snprintf(form, sizeof form, "%s:%s", g->name, g->numbers);
        fprintf(out, "  %-32s%s; fixed: %s\n", form, g->help, g->sides);
    }
}

/* ---------------------------------------------------------------- parsing */
static const struct generator *find(const char *text, struct error *e)
{
    const char *names[N_GENERATORS];
    char name[NAME_LENGTH], list[400] = "";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    for (int i = 0, at = 0; i < N_GENERATORS; i++) {
        names[i] = generators[i].name;
        at += sprintf(list + at, "%s%s", i ? ", " : "", names[i]);
        if (!strcmp(name, names[i])) return &generators[i];
    }
    refuse(e, EXIT_INPUT, "--generate %s: \"%s\" is not known%s; expected one of %s", text, name,
           did_you_mean(name, "", names, N_GENERATORS), list);
    return NULL;
}

/* Its first arguments are sizes along the directions, one for all of them or one each. */
static bool is_box(const struct generator *g) { return g->kind == GRID || g->kind == WIND || g->kind == STRATIFIED; }

/* Parses the numbers after the name; missing ones have the defaults of the table. */
static bool read_numbers(const struct generator *g, const char *text, double v[3], int *n, struct error *e)
{
    const char *at = text + strlen(g->name);
    bool good = *at == ':';
    for (*n = 0; good && *n < g->most;) {
        char *end;
        v[*n] = strtod(++at, &end);
        good = end > at && isfinite(v[*n]);
        ++*n, at = end;
        if (*at != ',') break;
    }
    bool whole = good && !*at;
    for (int i = 0; whole && i < *n; i++) {
        bool count = i == 0 || is_box(g) || (g->kind == BUBBLES && i == 1);
        whole = count ? v[i] >= 1 && v[i] < INT32_MAX && v[i] == floor(v[i]) : v[i] > 0;
    }
    if (g->kind == STRETCHED && *n == 2) whole &= v[1] >= 1;
    if (g->kind == COUPLED && *n == 3) whole &= v[2] >= 1;
    if (is_box(g)) whole &= *n == 1 || *n == g->dim;
    if (!whole)
        return refuse(e, EXIT_INPUT, "--generate %s: expected %s:%s, N, M, K and COUNT whole numbers >= 1, "
                      "CONTRAST > 0, RE > 0, RATIO >= 1", text, g->name, g->numbers);
    for (int i = *n; i < 3; i++) v[i] = is_box(g) ? v[0] : i ? g->standard[i - 1] : 0;
    return true;
}

/* Sets wall[patch] to the factor for the patches listed in `sides`, to 0 for the others. */
static bool read_sides(const struct mesh *m, const char *text, const char *sides, double factor, double *wall,
                       struct error *e)
{
    const char **names;
    NEW(names, m->n_patches + 2);
    for (int p = 0; p < m->n_patches; p++) names[p] = m->patch[p].name;
    names[m->n_patches] = "all", names[m->n_patches + 1] = "none";
    bool good = true;
    for (const char *at = sides; good && *at;) {
        size_t n = strcspn(at, ",");
        bool all = n == 3 && !strncmp(at, "all", 3), found = all || (n == 4 && !strncmp(at, "none", 4));
        for (int p = 0; p < m->n_patches; p++)
            if (all || (strlen(names[p]) == n && !strncmp(names[p], at, n))) wall[p] = factor, found = true;
        if (!found) {
            char name[NAME_LENGTH];
            snprintf(name, sizeof name, "%.*s", (int)n, at);
            good = refuse(e, EXIT_INPUT, "--dirichlet %s: %s has no boundary \"%s\"%s; expected its boundaries, all, "
                          "or none", sides, text, name, did_you_mean(name, "", names, m->n_patches + 2));
        }
        at += n + (at[n] == ',');
    }
    free(names);
    return good;
}

/* ---------------------------------------------------------------- generation */
/* Cells of width 1, so that the entries of uniform grids are -1; stretched grids on the unit square or cube. */
static bool make_box(struct mesh *m, const struct generator *g, const char *text, const double v[3], struct error *e)
{
    struct box_setting box = {.given = true, .dim = g->dim};
    double vertices = 1;
    for (int k = 0; k < g->dim; k++) {
        double cells = g->kind == GRID ? v[k] : v[0];
        box.cells[k] = (int)cells;
        box.to[k] = g->kind == STRETCHED ? 1 : cells;
        box.stretch[k] = g->kind == STRETCHED ? v[1] : 1;
        vertices *= cells + 1;
    }
    if (vertices >= INT32_MAX)
        return refuse(e, EXIT_INPUT, "--generate %s: %.3g grid points; expected fewer than 2^31", text, vertices);
    mesh_box(m, &box);
    return true;
}

static double *layers(const struct mesh *m, double contrast)
{
    double *k, middle = 0;
    NEW(k, m->n_cells);
    for (int32_t v = 0; v < m->n_vertices; v++) middle = fmax(middle, m->vertex[3 * (int64_t)v + 1] / 2);
    for (int32_t c = 0; c < m->n_cells; c++) k[c] = m->cell_centre[m->n_cells + c] > middle ? contrast : 1;
    return k;
}

static void fill_rhs(struct linear_system *s, bool random)
{
    NEW(s->rhs, s->n);
    for (int32_t i = 0; i < s->n; i++) s->rhs[i] = random ? random_number((uint64_t)i) : 1;
}

static bool build(struct linear_system *s, const struct mesh *m, const struct generator *g, const char *text,
                  const char *sides, const double v[3], struct error *e)
{
    double *wall, *coefficient = NULL;
    NEW(wall, m->n_patches);
    bool good = read_sides(m, text, sides ? sides : g->sides, g->kind == VERTICES ? 0.5 : 1, wall, e);
    if (good && g->kind == LAYERS) coefficient = layers(m, v[1]);
    if (good && g->kind == BUBBLES)
        good = (coefficient = spheres_coefficient(g->dim, (int)v[0], (int)v[1], v[2], e)) != NULL;
    if (good) {
        laplacian(s, m, coefficient, wall);
        fill_rhs(s, g->kind != GRID);
        snprintf(s->name, sizeof s->name, "%s", text);
        s->ordering = g->kind == LAYERS || g->kind == VERTICES ? ORDERING_NONE : ORDERING_HILBERT;
        if (coefficient) NEW(s->phase, s->n);
        for (int32_t i = 0; coefficient && i < s->n; i++) s->phase[i] = coefficient[i] != 1;
    }
    free(wall), free(coefficient);
    return good;
}

/* Systems other than the Laplacian of a mesh. */
static bool transport(struct linear_system *s, const struct generator *g, const char *text, const char *sides,
                      const double v[3], struct error *e)
{
    bool blocks = g->kind == CAVITY || g->kind == COUPLED;
    double points = blocks ? v[0] * v[0] : v[0] * v[1] * (g->dim == 3 ? v[2] : 1);
    if (sides)
        return refuse(e, EXIT_INPUT, "--dirichlet %s: %s has fixed values on all its boundaries; remove it", sides,
                      g->name);
    if (points * (blocks ? 3 : 1) >= INT32_MAX || (g->kind == CAVITY && v[0] < 3))
        return refuse(e, EXIT_INPUT, "--generate %s: %.3g points; expected %sfewer than 2^31 unknowns", text, points,
                      g->kind == CAVITY ? "N >= 3 and " : "");
    const int32_t along[3] = {(int32_t)v[0], is_box(g) ? (int32_t)v[1] : 1, is_box(g) ? (int32_t)v[2] : 1};
    if (g->kind == CAVITY) cavity_vorticity(s, along[0]);
    else if (g->kind == COUPLED) cavity_coupled(s, along[0], v[1], v[2]);
    else if (g->kind == STRATIFIED) stratified(s, along);
    else wind(s, g->dim, along);
    if (!s->rhs) fill_rhs(s, true);
    snprintf(s->name, sizeof s->name, "%s", text);
    return true;
}

bool generate(struct linear_system *s, const char *text, const char *sides, struct error *e)
{
    const struct generator *g = find(text, e);
    struct mesh m;
    double v[3] = {0};
    int n;
    *s = (struct linear_system){0};
    if (!g) return false;
    if (g->kind >= WIND)
        return read_numbers(g, text, v, &n, e) && transport(s, g, text, sides, v, e);
    if (g->kind == ANY_MESH) {
        const char *mesh = strchr(text, ':');
        if (!mesh) return refuse(e, EXIT_INPUT, "--generate %s: expected laplacian:MESH", text);
        if (!mesh_open(&m, mesh + 1, ORDERING_NONE, e)) return false;
    } else {
        if (!read_numbers(g, text, v, &n, e) || !make_box(&m, g, text, v, e)) return false;
        if (!mesh_complete(&m, ORDERING_NONE, NULL, 0, e)) return mesh_free(&m), false;
    }
    bool good = build(s, &m, g, text, sides, v, e);
    mesh_free(&m);
    return good;
}
