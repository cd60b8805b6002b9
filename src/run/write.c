/* Fields of all ranks: gathered, written, and their digest. */
#include "run/write.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"

/* A field of this rank as in output files, on the host in the solver's order; the caller frees it. */
static double *shown(const struct field *f, const struct mesh *m)
{
    double *to;
    NEW(to, f->components * f->pitch);
    if (f->show) f->show(f->owner, m, to);
    else device_download(to, *f->value, (size_t)(f->components * f->pitch) * sizeof *to);
    return to;
}

double *field_gathered(const struct field *f, const struct mesh *m)
{
    const struct mesh *mine = field_mesh(f, m);
    int64_t n = mesh_count(mesh_with_solids(m), ITEM_CELLS);
    double *own = shown(f, mine), *all = NULL;
    if (!ranks_own()) NEW(all, f->components * n);
    for (int k = 0; k < f->components; k++) mesh_gather(mine, ITEM_CELLS, own + k * f->pitch, all ? all + k * n : NULL);
    free(own);
    return all;
}

bool write_fields(struct output *o, const struct output_setting *set, const struct flow *f, const struct mesh *m,
                  int64_t step, double time, struct error *e)
{
    const struct field *list[MOST_OUTPUT_FIELDS];
    struct output_field array[MOST_OUTPUT_FIELDS];
    char rows[MOST_OUTPUT_FIELDS][NAME_LENGTH];
    double *value[MOST_OUTPUT_FIELDS];
    int64_t stride = mesh_count(mesh_with_solids(m), ITEM_CELLS);
    int n_list = 0, n = 0;
    for (int i = 0; i < set->n_fields; i++) list[n_list++] = fields_find(&f->fields, set->field[i], FIELD_OUTPUT);
    for (int i = 0; i < f->fields.n; i++) {
        bool named = false;
        for (int k = 0; k < set->n_fields; k++) named |= list[k] == &f->fields.field[i];
        if (f->fields.field[i].use & FIELD_ALWAYS && !named) list[n_list++] = &f->fields.field[i];
    }
    for (int i = 0; i < n_list; i++) {
        const struct field *field = list[i];
        value[i] = field_gathered(field, m);
        if (!field->rows) array[n++] = (struct output_field){field->name, field->components, value[i], stride};
        for (int k = 0; field->rows && k < m->dim; k++, n++) {
            snprintf(rows[n], NAME_LENGTH, "%s_%c", field->rows, "xyz"[k]);
            array[n] = (struct output_field){rows[n], m->dim, value[i] ? value[i] + k * m->dim * stride : NULL, stride};
        }
    }
    bool good = output_write(o, step, time, array, n, e);
    for (int i = 0; i < n_list; i++) free(value[i]);
    return good;
}

uint64_t fields_digest(const struct flow *f, const struct mesh *m)
{
    const struct mesh *whole = mesh_with_solids(mesh_whole(m));
    int n = fields_columns(&f->fields, FIELD_DIGEST), k = 0;
    int64_t cells = whole->n_cells;
    double *row;
    NEW(row, n * cells);
    for (const struct field *x = f->fields.field; x < f->fields.field + f->fields.n; x++) {
        if (!(x->use & FIELD_DIGEST)) continue;
        struct field kept = *x;
        kept.show = NULL;
        double *value = field_gathered(&kept, m);
        for (int j = 0; value && j < x->components; j++, k++)
            for (int64_t c = 0; c < cells; c++)
                row[(int64_t)n * whole->cell_original[c] + k] = value[j * cells + c];
        free(value);
    }
    uint64_t h = digest_add(DIGEST_START, row, (size_t)n * (size_t)cells * sizeof *row);
    free(row);
    return h;
}
