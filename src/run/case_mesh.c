/* A case and its mesh: the check of its settings, its periodic faces. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "case/section.h"
#include "mesh/cells.h"
#include "mesh/format.h"
#include "run/boundary_faces.h"
#include "run/case_settings.h"
#include "run/monitor.h"

bool case_check_mesh(const struct case_settings *c, const char *mesh_name, int dim, const char *const *names, int n,
                     const char *const *zones, int n_zones, struct error *e)
{
    struct case_place whole = {c->source, LINE_OF_WHOLE};
    struct findings f = {.e = e, .mesh_name = mesh_name, .dim = dim, .zone = zones, .n_zones = n_zones};
    boundary_setting_check_mesh(&c->flow.boundary, whole, names, n, &f);
    flow_setting_check_mesh(&c->flow, whole, &f);
    fluid_setting_check_mesh(&c->flow.fluid, whole, &f);
    scalar_setting_check_mesh(&c->flow.scalars, &f);
    shape_setting_check_mesh(&c->flow.shapes, &f);
    monitors_check_mesh(c, &f);
    return f.n == 0;
}

static bool check_names(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    const char **patch = case_names(m->patch, sizeof *m->patch, m->n_patches);
    const char **zone = case_names(m->region, sizeof *m->region, m->n_regions);
    bool good = case_check_mesh(c, m->source, m->dim, patch, m->n_patches, zone, m->n_regions, e);
    free(patch), free(zone);
    return good;
}

/* The name of the partner of a periodic boundary: from the case, from its partner's setting, or from the mesh. */
static const char *partner_of(const struct mesh *m, const struct boundary_settings *all,
                              const struct boundary_setting *b)
{
    if (*b->with) return b->with;
    for (int i = 0; i < all->n; i++)
        if (boundary_is_joined(all->item[i].type) && !strcmp(all->item[i].with, b->name)) return all->item[i].name;
    return m->patch[boundary_patch(m, b->name)].partner;
}

/* Pairs of patches, each once; pair: [2 all->n].  The boundaries are known patches. */
static bool find_pairs(const struct mesh *m, const struct boundary_settings *all, int *pair, int *n_pairs,
                       struct error *e)
{
    *n_pairs = 0;
    for (int i = 0; i < all->n; i++) {
        const struct boundary_setting *b = &all->item[i], *other;
        if (!boundary_is_joined(b->type)) continue;
        const char *partner = partner_of(m, all, b);
        if (!*partner)
            return refuse(e, EXIT_INPUT, "%s: boundary \"%s\" is periodic, but neither the case nor %s says with "
                          "what: with = \"NAME\";", case_place_text(b->place), b->name, m->source);
        other = boundary_setting_find(all, partner);
        if (!other || other == b || !boundary_is_joined(other->type))
            return refuse(e, EXIT_INPUT, "%s: boundary \"%s\" is periodic with \"%s\", %s", case_place_text(b->place),
                          b->name, partner,
                          other == b ? "itself: with must name the opposite side" :
                          "which must then have type = \"periodic\" too");
        if (strcmp(partner_of(m, all, other), b->name))
            return refuse(e, EXIT_INPUT, "%s: boundary \"%s\" is periodic with \"%s\", but that one is periodic "
                          "with \"%s\" (%s)", case_place_text(b->place), b->name, partner, partner_of(m, all, other),
                          case_place_text(other->place));
        if (other < b) continue;
        pair[2 * *n_pairs] = boundary_patch(m, b->name), pair[2 * *n_pairs + 1] = boundary_patch(m, partner);
        (*n_pairs)++;
    }
    return true;
}

/* For each separate part of the mesh, whether the case fixes its pressure at some boundary. */
static bool *parts_with_outlet(const struct case_settings *c, const struct mesh *m, const int32_t *component)
{
    bool *has;
    NEW(has, m->n_components);
    for (int p = 0; p < m->n_patches; p++)
        if (boundary_gives_pressure(boundary_setting_find(&c->flow.boundary, m->patch[p].name)->type))
            for (int32_t f = m->patch[p].first; f < m->patch[p].first + m->patch[p].count; f++)
                has[component[m->face_owner[f]]] = true;
    return has;
}

/* Appends a line on separate part k: its location and its boundaries. */
static void describe_part(const struct mesh *m, const int32_t *component, int32_t k, bool outlet, struct error *e)
{
    char *text = e->text + strlen(e->text);
    size_t room = sizeof e->text - strlen(e->text), n;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    int32_t cells = 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        if (component[c] != k) continue;
        cells++;
        for (int64_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++)
            for (int j = 0; j < m->dim; j++) {
                double x = m->vertex[3 * (int64_t)m->cell_vertex[i] + j];
                low[j] = fmin(low[j], x), high[j] = fmax(high[j], x);
            }
    }
    n = (size_t)snprintf(text, room, "\n    part %d: %d cells,", k + 1, cells);
    for (int j = 0; j < m->dim; j++)
        n += (size_t)snprintf(text + n, room - n, " %c = %.6g .. %.6g,", "xyz"[j], low[j], high[j]);
    n += (size_t)snprintf(text + n, room - n, " %s outlet; boundaries", outlet ? "with an" : "without");
    for (int p = 0; p < m->n_patches && n < 1000; p++) {
        const struct patch *patch = &m->patch[p];
        int32_t f = patch->first;
        while (f < patch->first + patch->count && component[m->face_owner[f]] != k) f++;
        if (f < patch->first + patch->count) n += (size_t)snprintf(text + n, room - n, " %s", patch->name);
    }
}

/* If a mesh is in separate parts, each one needs an outlet, which fixes the level of the pressure and lets out the
 * inflow. */
static bool check_components(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    enum { MOST = 8 };
    const struct case_place whole = {c->source, LINE_OF_WHOLE};
    int32_t *component, good = 0;
    if (m->n_components == 1 || flow_is_advection(&c->flow)) return true;
    NEW(component, m->n_cells);
    mesh_components(m, component);
    bool *outlet = parts_with_outlet(c, m, component);
    while (good < m->n_components && outlet[good]) good++;
    if (good < m->n_components) {
        refuse(e, EXIT_INPUT, "%s: the cells of %s are in %d separate parts, which no face joins; part %d has no "
               "outlet, so that the level of its pressure is not known:", case_place_text(whole), m->source,
               m->n_components, good + 1);
        for (int32_t k = 0; k < m->n_components && k < MOST; k++) describe_part(m, component, k, outlet[k], e);
        mesh_advise(m, e, "parts that touch must share the vertices of their common faces; parts that are apart need "
                    "an outlet each, or cases of their own", "%ss that touch must share their %ss: Coherence; (it also "
                    "cuts those that overlap, with SetFactory(\"OpenCASCADE\");); parts that are apart need an outlet "
                    "each, or cases of their own", m->dim == 2 ? "Surface" : "Volume",
                    m->dim == 2 ? "curve" : "surface");
    }
    free(component), free(outlet);
    return good == m->n_components;
}

/* anyway: the mesh is completed even if the case does not fit, with the reason in *e.  False: it is not complete. */
static bool check_and_complete(struct mesh *m, const struct case_settings *c, bool anyway, struct error *e)
{
    int *pair, n_pairs = 0;
    struct error one;
    NEW(pair, 2 * c->flow.boundary.n + 1);
    bool fits = check_names(c, m, e) && find_pairs(m, &c->flow.boundary, pair, &n_pairs, e);
    bool ok = (fits || anyway) && mesh_complete(m, c->mesh.ordering, pair, fits ? n_pairs : 0, &one);
    free(pair);
    if (fits && !ok) error_copy(e, &one);
    else if (anyway) error_keep(ok, e, &one);
    if (!ok || !fits || check_components(c, m, &one)) return ok;
    if (anyway) error_keep(false, e, &one);
    else error_copy(e, &one);
    return anyway;
}

bool mesh_of_case(struct mesh *m, const struct case_settings *c, bool keep, struct error *e)
{
    bool ok = mesh_of_setting(m, &c->mesh, c->output.directory, keep, e);
    m->parts = c->mesh.parts;
    ok = ok && check_and_complete(m, c, false, e);
    if (!ok) mesh_free(m);
    return ok;
}

bool mesh_to_check(struct mesh *m, const struct case_settings *c, struct error *e)
{
    struct error one = {0};
    bool ok = mesh_of_setting(m, &c->mesh, c->output.directory, false, &one) && check_and_complete(m, c, true, &one);
    error_keep(!*one.text, e, &one);
    if (!ok) mesh_free(m);
    return ok;
}

void case_check_names(const struct case_settings *c, struct error *e)
{
    static const char *const sides[] = {"left", "right", "bottom", "top", "back", "front"};
    static const char *const zone = "fluid";
    struct mesh m = {0};
    struct error one = {0};
    if (c->mesh.box.dim) {
        error_keep(case_check_mesh(c, "box", c->mesh.box.dim, sides, 2 * c->mesh.box.dim, &zone, 1, &one),
                   e, &one);
    } else if (is_mesh_file(c->mesh.file) && !c->mesh.box.given) {
        struct mesh_setting file = c->mesh;
        if (mesh_format_of(file.file) != FORMAT_GEO) file.n_parameters = 0;     /* reported as a separate error */
        bool good = mesh_of_setting(&m, &file, c->output.directory, false, &one);
        error_keep(good && check_names(c, &m, &one), e, &one);
        mesh_free(&m);
    }
}
