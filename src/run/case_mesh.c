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
    const struct solid_settings *solids = &c->flow.solids;
    const char **surface = case_names(solids->item, sizeof *solids->item, solids->n);
    RESIZE(surface, solids->n + n);
    memcpy(surface + solids->n, names, (size_t)n * sizeof *names);      /* solids have a boundary of their name */
    boundary_setting_check_mesh(&c->flow.boundary, whole, surface, solids->n + n, &f);
    solid_setting_check_mesh(solids, &c->flow.scalars, &c->flow.sources, &f);
    free(surface);
    flow_setting_check_mesh(&c->flow, whole, &f);
    fluid_setting_check_mesh(&c->flow.fluid, whole, &f);
    scalar_setting_check_mesh(&c->flow.scalars, &f);
    source_setting_check_mesh(&c->flow.sources, &f);
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

/* A fluid that is given has cells, and cells of a fluid that is not given are rejected. */
static bool check_regions(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    if (!m->solid || (m->n_fluid > 0) == !flow_is_absent(&c->flow)) return true;
    if (!m->n_fluid)
        return refuse(e, EXIT_INPUT, "%s: all of its regions are solids, so that nothing flows; remove fluid = { ... } "
                      "and what else describes a flow, or leave the fluid's region out of solids", m->source);
    return refuse(e, EXIT_INPUT, "%s: the region \"%s\" is not in solids, and the case has no fluid = { ... }; give "
                  "one of them", m->source, m->region[m->cell_region[0]]);
}

/* A velocity is along fluid.  Without a fluid the case's check rejects it. */
static bool check_moving(const struct case_settings *c, const struct mesh *m, const struct patch *p,
                         const struct boundary_setting *b, struct error *e)
{
    const char *key = b->rotation.given ? "rotation" : b->velocity_length ? "velocity" : NULL;
    if (!key || flow_is_absent(&c->flow)) return true;
    for (int32_t f = p->first; f < p->first + p->count; f++) if (m->face_owner[f] < m->n_fluid) return true;
    return refuse(e, EXIT_INPUT, "%s: boundary \"%s\" belongs to solids only, which do not move; remove %s",
                  case_place_text(b->place), p->name, key);
}

/* Fluid enters and leaves through boundaries of fluid cells only, and only walls of these move. */
static bool check_solids(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    if (!check_regions(c, m, e)) return false;
    for (const struct patch *p = m->patch; m->solid && p < m->patch + m->n_patches; p++) {
        const struct boundary_setting *b = boundary_setting_find(&c->flow.boundary, p->name);
        for (int32_t f = p->first; f < p->first + p->count && boundary_passes_flux(b->type); f++)
            if (m->face_owner[f] >= m->n_fluid)
                return refuse(e, EXIT_INPUT, "%s: boundary \"%s\" has type = \"%s\", but at (%g, %g, %g) it belongs to "
                              "the solid \"%s\"; give the solid's part a name of its own, with type = \"wall\"",
                              case_place_text(b->place), p->name, boundary_type_words[b->type], face_centre(m, 0, f),
                              face_centre(m, 1, f), m->dim == 3 ? face_centre(m, 2, f) : 0,
                              m->region[m->cell_region[m->face_owner[f]]]);
        if (!check_moving(c, m, p, b, e)) return false;
    }
    return true;
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
    if (!ok || !fits || check_solids(c, m, &one)) return ok;
    if (anyway) error_keep(false, e, &one);
    else error_copy(e, &one);
    return anyway;
}

static void mark_solids(struct mesh *m, const struct solid_settings *all)
{
    if (!all->n) return;
    NEW(m->solid, m->n_regions);
    for (int r = 0; r < m->n_regions; r++) m->solid[r] = solid_setting_find(all, m->region[r]);
}

bool mesh_of_case(struct mesh *m, const struct case_settings *c, bool keep, struct error *e)
{
    bool ok = mesh_of_setting(m, &c->mesh, c->output.directory, keep, e);
    m->parts = c->mesh.parts;
    if (ok) mark_solids(m, &c->flow.solids);
    ok = ok && check_and_complete(m, c, false, e);
    if (!ok) mesh_free(m);
    return ok;
}

bool mesh_to_check(struct mesh *m, const struct case_settings *c, struct error *e)
{
    struct error one = {0};
    bool ok = mesh_of_setting(m, &c->mesh, c->output.directory, false, &one);
    if (ok) mark_solids(m, &c->flow.solids);
    ok = ok && check_and_complete(m, c, true, &one);
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
