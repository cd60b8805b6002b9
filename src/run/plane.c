/* Fields on planes through the mesh: planes/NAME, a series of the facets in which the plane cuts the cells: polygons,
 * in 2-D lines.  A facet's value is its cell's linear function at the mean of its corners. */
#include "run/plane.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/memory.h"
#include "gpu/ranks.h"
#include "run/fields_check.h"
#include "run/write.h"

static bool check(const void *setting, const struct fields *all, bool averaged, struct error *e)
{
    const struct plane_setting *set = setting;
    bool good = columns_check("planes", setting, set->n_fields, averaged, e);
    for (int i = 0; i < set->n_fields && good; i++)
        good = field_check(all, set->field[i], false, e, "%s: planes.%s.fields: there is no \"%s\" on planes",
                           case_place_text(set->place), set->name, set->field[i]);
    return good;
}

/* Checks that it cuts a cell. */
static bool check_place(const struct plane_setting *set, const struct mesh *m, struct error *e)
{
    struct facets p;
    double *centre;
    int32_t *cell;
    plane_cut(mesh_with_solids(mesh_whole(m)), set->point, set->normal, &p, &centre, &cell);
    bool good = p.n > 0;
    facets_free(&p), free(centre), free(cell);
    return good || refuse(e, EXIT_INPUT, "%s: planes.%s: the plane goes through no cell; move its point into the mesh",
                          case_place_text(set->place), set->name);
}

static void check_mesh(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    struct error one;
    for (int i = 0; i < c->planes.n; i++) error_keep(check_place(&c->planes.item[i], m, &one), e, &one);
}

static bool create(struct monitor *o, struct error *e)
{
    struct plane *p = o->own;
    const struct plane_setting *set = o->set;
    const struct watching *x = o->x;
    const struct fields *all = &x->f->fields;
    double *centre;
    if (!check(set, all, x->averages != NULL, e) || !check_place(set, x->m, e)) return false;
    plane_cut(mesh_with_solids(mesh_whole(x->m)), set->point, set->normal, &p->facets, &centre, &p->cell);
    int32_t n = p->facets.n;
    for (int i = 0; i < set->n_fields; i++)
        columns_add(&p->columns, set->field[i], fields_find(all, set->field[i], FIELD_OUTPUT)->components);
    columns_allocate(&p->columns, n, x->averages, "planes", set->name);
    sample_of_cells(&p->sample, x->m, centre, p->cell, n);
    NEW(p->sampled, (int64_t)fields_columns(all, FIELD_SAMPLE) * n);
    free(centre);
    return true;
}

static bool open_plane(struct monitor *o, struct error *e)
{
    struct plane *p = o->own;
    const struct watching *x = o->x;
    const char *name = o->row->name;
    char path[2 * PATH_LENGTH];
    snprintf(path, sizeof path, "%s/planes", x->directory);
    if (!ranks_own() && !folder_make(path, e)) return false;
    snprintf(path, sizeof path, "%s/planes/%s", x->directory, name);
    p->series = output_open_facets(path, name, x->c->output.format, &p->facets, x->resume, x->step, e);
    facets_free(&p->facets);
    return p->series != NULL;
}

/* The start of a field's values in the result of sample_read(); -1: not included. */
static int64_t sampled_at(const struct fields *all, const char *name, int64_t n)
{
    int64_t at = 0;
    for (int i = 0; i < all->n; i++) {
        if (!(all->field[i].use & FIELD_SAMPLE)) continue;
        if (!strcmp(all->field[i].name, name)) return at;
        at += all->field[i].components * n;
    }
    return -1;
}

/* Only rank 0 has fields that lines do not have. */
static void read_plane(struct monitor *o, const struct flow *f)
{
    struct plane *p = o->own;
    int64_t n = p->columns.n;
    double *to = p->columns.value;
    sample_read(&p->sample, f, p->sampled);
    for (int i = 0; i < p->columns.n_fields; i++) {
        const struct field *x = fields_find(&f->fields, p->columns.field[i].name, FIELD_OUTPUT);
        int64_t at = sampled_at(&f->fields, x->name, n);
        if (at >= 0) memcpy(to, p->sampled + at, (size_t)(x->components * n) * sizeof *to);
        else {                                  /* constant in a cell; available on rank 0, which writes */
            double *cells = field_gathered(x, o->x->m);
            int64_t all = mesh_count(mesh_with_solids(o->x->m), ITEM_CELLS);
            for (int k = 0; k < x->components && cells; k++)
                for (int64_t c = 0; c < n; c++) to[k * n + c] = cells[k * all + p->cell[c]];
            free(cells);
        }
        to += x->components * n;
    }
}

static bool write_plane(const struct monitor *o, int64_t step, double time, struct error *e)
{
    const struct plane *p = o->own;
    return columns_write(&p->columns, p->series, step, time, e);
}

static void free_plane(void *own)
{
    struct plane *p = own;
    output_close(p->series), facets_free(&p->facets);
    sample_free(&p->sample), columns_free(&p->columns);
    free(p->cell), free(p->sampled);
}

const struct monitor_kind planes_kind = {
    .section = "planes", .word = "plane", .list = offsetof(struct case_settings, planes),
    .element = sizeof(struct plane_setting), .point = "point",
    .length = offsetof(struct plane_setting, length), .looks = true, .every = offsetof(struct plane_setting, every),
    .size = sizeof(struct plane), .check = check, .check_mesh = check_mesh, .create = create, .open = open_plane,
    .read = read_plane, .write = write_plane, .free = free_plane};
