/* Lists the faces between materials and the cells that have them (contact.h). */
#include "assembly/contact.h"
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "mesh/mesh.h"

#define UPLOAD(array, n) device_copy_of((array), (size_t)(n) * sizeof *(array), "contacts of solids")

/* For each internal face its number among the contacts, or -1. */
static int32_t *list_faces(struct contacts *k, const struct mesh *m, const double *resistance)
{
    int32_t *number, *face;
    double *r;
    uint8_t *solid;
    NEW(solid, m->n_internal);
    NEW(number, m->n_internal), NEW(face, m->n_internal), NEW(r, m->n_internal);
    for (int32_t f = 0; f < m->n_internal; f++) {
        number[f] = -1;
        if (f >= m->n_active || !mesh_is_contact(m, f)) continue;
        int32_t p = m->cell_region[m->face_owner[f]], n = m->cell_region[m->face_neighbour[f]];
        r[k->n] = (m->solid[p] ? resistance[p] : 0) + (m->solid[n] ? resistance[n] : 0);
        solid[k->n] = (uint8_t)((m->solid[p] ? 1 : 0) + (m->solid[n] ? 2 : 0));
        number[f] = k->n, face[k->n++] = f;
    }
    k->face = UPLOAD(face, k->n), k->resistance = UPLOAD(r, k->n);
    k->solid = UPLOAD(solid, k->n);
    free(face), free(r), free(solid);
    return number;
}

static void list_cells(struct contacts *k, const struct mesh *m, const int32_t *number)
{
    int32_t *count, *cell, *start, *end, *code, *place;
    bool *touches;
    NEW(touches, m->n_all), NEW(count, m->n_all), NEW(end, m->n_all);
    for (int32_t f = 0; f < m->n_faces; f++) {
        int32_t p = m->face_owner[f], n = f < m->n_internal ? m->face_neighbour[f] : p;
        if (f < m->n_internal && number[f] >= 0) touches[p] = p < m->n_cells, touches[n] = n < m->n_cells;
        count[p]++, count[n] += n != p;
    }
    for (int32_t c = 0; c < m->n_cells; c++) k->n_cells += touches[c];
    NEW(cell, k->n_cells), NEW(start, k->n_cells + 1);
    k->n_cells = 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        if (!touches[c]) continue;
        cell[k->n_cells] = c, end[c] = start[k->n_cells];
        start[k->n_cells + 1] = start[k->n_cells] + count[c];
        k->n_cells++;
    }
    NEW(code, start[k->n_cells]), NEW(place, start[k->n_cells]);
    for (int32_t f = 0; f < m->n_faces; f++) {
        int32_t p = m->face_owner[f], n = f < m->n_internal ? m->face_neighbour[f] : -1;
        int32_t contact = n >= 0 ? number[f] : -1;
        if (touches[p]) place[end[p]] = contact, code[end[p]++] = f + 1;
        if (n >= 0 && touches[n]) place[end[n]] = contact < 0 ? -1 : k->n + contact, code[end[n]++] = -(f + 1);
    }
    k->cell = UPLOAD(cell, k->n_cells), k->start = UPLOAD(start, k->n_cells + 1);
    k->code = UPLOAD(code, start[k->n_cells]), k->place = UPLOAD(place, start[k->n_cells]);
    free(touches), free(count), free(end), free(cell), free(start), free(code), free(place);
}

void contacts_create(struct contacts *k, const struct stencil *s, const struct mesh *m, const double *resistance)
{
    *k = (struct contacts){.first_solid = m->n_fluid};
    if (s->n_cells != m->n_cells) die("contacts on a stencil of %d cells, not %d", s->n_cells, m->n_cells);
    int32_t *number = list_faces(k, m, resistance);
    list_cells(k, m, number);
    k->side = device_alloc(2 * (size_t)k->n * sizeof *k->side, "contacts of solids");
    free(number);
}

void contacts_free(struct contacts *k)
{
    const void *arrays[] = {k->face, k->resistance, k->solid, k->side, k->cell, k->start, k->code, k->place};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free((void *)arrays[i]);
    *k = (struct contacts){0};
}
