#include "run/plane.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/memory.h"
#include "gpu/ranks.h"
#include "run/write.h"

bool plane_check(const struct plane_setting *set, const struct fields *all, bool averaged, struct error *e)
{
    int arrays = columns_arrays(set->n_fields, averaged);
    if (arrays > MOST_OUTPUT_FIELDS)
        return refuse(e, EXIT_INPUT, "%s: planes.%s.fields: %d arrays, at most %d are possible; remove some",
                      case_place_text(set->place), set->name, arrays, MOST_OUTPUT_FIELDS);
    for (int i = 0; i < set->n_fields; i++) {
        const struct field *found = fields_find(all, set->field[i], FIELD_OUTPUT);
        const char **names;
        char text[2 * PATH_LENGTH];
        int n = 0;
        if (found && !found->rows) continue;
        NEW(names, all->n);
        for (int k = 0; k < all->n; k++)
            if ((all->field[k].use & FIELD_OUTPUT) && !all->field[k].rows) names[n++] = all->field[k].name;
        snprintf(text, sizeof text, "%s: planes.%s.fields: there is no \"%s\" on planes", case_place_text(set->place),
                 set->name, set->field[i]);
        refuse_name(e, text, set->field[i], names, n);
        free(names);
        return false;
    }
    return true;
}

bool plane_check_mesh(const struct plane_setting *set, const struct mesh *m, struct error *e)
{
    struct facets p;
    double *centre;
    int32_t *cell;
    plane_cut(mesh_whole(m), set->point, set->normal, &p, &centre, &cell);
    bool good = p.n > 0;
    facets_free(&p), free(centre), free(cell);
    return good || refuse(e, EXIT_INPUT, "%s: planes.%s: the plane goes through no cell; move its point into the mesh",
                          case_place_text(set->place), set->name);
}

bool plane_create(struct plane *p, const struct plane_setting *set, const struct mesh *m, const struct fields *all,
                  struct averages *averages, struct error *e)
{
    double *centre;
    p->set = set, p->m = m, p->written = -1;
    if (!plane_check(set, all, averages != NULL, e) || !plane_check_mesh(set, m, e)) return false;
    plane_cut(mesh_whole(m), set->point, set->normal, &p->facets, &centre, &p->cell);
    int32_t n = p->facets.n;
    for (int i = 0; i < set->n_fields; i++)
        columns_add(&p->columns, set->field[i], fields_find(all, set->field[i], FIELD_OUTPUT)->components);
    columns_allocate(&p->columns, n, averages, "planes", set->name);
    sample_of_cells(&p->sample, m, centre, p->cell, n);
    NEW(p->sampled, (int64_t)fields_columns(all, FIELD_SAMPLE) * n);
    free(centre);
    return true;
}

bool plane_open(struct plane *p, const char *directory, enum output_format format, bool resume, int64_t step,
                struct error *e)
{
    char path[2 * PATH_LENGTH];
    snprintf(path, sizeof path, "%s/planes", directory);
    if (!ranks_own() && !folder_make(path, e)) return false;
    snprintf(path, sizeof path, "%s/planes/%s", directory, p->set->name);
    p->series = output_open_facets(path, p->set->name, format, &p->facets, resume, step, e);
    facets_free(&p->facets);
    return p->series != NULL;
}

/* Where the values of a field begin in what sample_read() makes; -1: it has none of it. */
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

void plane_read(struct plane *p, const struct flow *f)
{
    int64_t n = p->columns.n;
    double *to = p->columns.value;
    sample_read(&p->sample, f, p->sampled);
    for (int i = 0; i < p->columns.n_fields; i++) {
        const struct field *x = fields_find(&f->fields, p->columns.field[i].name, FIELD_OUTPUT);
        int64_t at = sampled_at(&f->fields, x->name, n);
        if (at >= 0) memcpy(to, p->sampled + at, (size_t)(x->components * n) * sizeof *to);
        else {                                  /* one value in all of a cell; rank 0 has them, which writes */
            double *cells = field_gathered(x, p->m);
            int64_t all = mesh_count(p->m, ITEM_CELLS);
            for (int k = 0; k < x->components && cells; k++)
                for (int64_t c = 0; c < n; c++) to[k * n + c] = cells[k * all + p->cell[c]];
            free(cells);
        }
        to += x->components * n;
    }
}

bool plane_write(struct plane *p, int64_t step, double time, struct error *e)
{
    if (p->written == step) return true;
    if (!columns_write(&p->columns, p->series, step, time, e)) return false;
    p->written = step;
    return true;
}

void plane_free(struct plane *p)
{
    output_close(p->series), facets_free(&p->facets);
    sample_free(&p->sample), columns_free(&p->columns);
    free(p->cell), free(p->sampled);
    *p = (struct plane){0};
}
