/* Finds the connected parts of the second fluid and measures them (parts.h). */
#include "interface/parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "interface/interface.h"

/* Finds the periods: the different shifts of periodic faces; opposite shifts count as one. */
static void find_periods(struct parts *p)
{
    for (int32_t j = 0; j < p->m->n_joints; j++) {
        const double *s = p->m->joint_shift + 3 * (int64_t)j;
        double size = fabs(s[0]) + fabs(s[1]) + fabs(s[2]);
        int k = 0;
        for (; k < p->n_periods; k++) {
            double same = 0, opposite = 0;
            for (int i = 0; i < 3; i++) same += fabs(s[i] - p->period[k][i]), opposite += fabs(s[i] + p->period[k][i]);
            if (fmin(same, opposite) < 1e-6 * size) break;
        }
        if (k == p->n_periods && k < 3) memcpy(p->period[p->n_periods++], s, sizeof p->period[0]);
    }
}

void parts_create(struct parts *p, const struct mesh *m)
{
    *p = (struct parts){.m = m};
    mesh_adjacency(m, &p->start, &p->near, &p->face);
    NEW(p->label, m->n_cells), NEW(p->place, 3 * (int64_t)m->n_cells), NEW(p->queue, m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) p->label[c] = NO_PART;
    if (!m->n_joints) return;
    NEW(p->joint, m->n_internal);
    for (int32_t f = 0; f < m->n_internal; f++) p->joint[f] = -1;
    for (int32_t j = 0; j < m->n_joints; j++) p->joint[m->joint_face[j]] = j;
    find_periods(p);
}

void parts_free(struct parts *p)
{
    free(p->start), free(p->near), free(p->face), free(p->joint), free(p->label), free(p->place), free(p->queue),
        free(p->part);
    memset(p, 0, sizeof *p);
}

/* Adds the neighbour at position k of the adjacency to the part of cell c, at its position next to that cell. */
static void join(struct parts *p, int32_t c, int64_t k)
{
    int32_t near = p->near[k], code = p->face[k], f = abs(code) - 1;
    const double *shift = p->joint && p->joint[f] >= 0 ? p->m->joint_shift + 3 * (int64_t)p->joint[f] : NULL;
    p->label[near] = p->label[c];
    for (int i = 0; i < 3; i++)
        p->place[3 * (int64_t)near + i] = p->place[3 * (int64_t)c + i] -
                                          (shift ? (code > 0 ? shift[i] : -shift[i]) : 0);
}

static void add_part(struct parts *p, int32_t cell)
{
    if (p->n == p->room) p->room = 2 * p->room + 16, RESIZE(p->part, p->room);
    p->part[p->n] = (struct part){.first = p->m->cell_original[cell]};
    p->label[cell] = p->n++;
    memset(p->place + 3 * (int64_t)cell, 0, 3 * sizeof *p->place);
}

/* Labels all cells with a fraction of at least 1/2 that are connected with this one. */
static void flood(struct parts *p, const double *fraction, int32_t cell)
{
    int32_t last = 1;
    add_part(p, cell);
    struct part *part = &p->part[p->n - 1];
    p->queue[0] = cell;
    for (int32_t first = 0; first < last; first++) {
        int32_t c = p->queue[first];
        if (p->m->cell_original[c] < part->first) part->first = p->m->cell_original[c];
        for (int64_t k = p->start[c]; k < p->start[c + 1]; k++)
            if (fraction[p->near[k]] >= 0.5 && p->label[p->near[k]] == NO_PART)
                join(p, c, k), p->queue[last++] = p->near[k];
    }
}

/* Position in the adjacency of the neighbour with the largest fraction, if that is larger than the cell's (or equal,
 * and the neighbour comes first); else -1. */
static int64_t uphill(const struct parts *p, const double *fraction, int32_t c)
{
    int64_t best = -1;
    int32_t top = c;
    for (int64_t k = p->start[c]; k < p->start[c + 1]; k++) {
        int32_t near = p->near[k];
        if (fraction[near] > fraction[top] || (fraction[near] == fraction[top] && near < top)) top = near, best = k;
    }
    return best;
}

/* Follows the ascent to a cell that has a part; then, in reverse, each cell joins the part of the next one. */
static void climb(struct parts *p, const double *fraction, int32_t cell)
{
    int32_t n = 0, c = cell;
    for (int64_t k; p->label[c] == NO_PART && (k = uphill(p, fraction, c)) >= 0; c = p->near[k]) p->queue[n++] = c;
    if (p->label[c] == NO_PART) return;
    while (n--) {
        int32_t below = p->queue[n];
        for (int64_t k = p->start[c]; k < p->start[c + 1]; k++) if (p->near[k] == below) { join(p, c, k); break; }
        c = below;
    }
}

static int compare_first(const void *a, const void *b)
{
    const struct part *p = a, *q = b;
    return (p->first > q->first) - (p->first < q->first);
}

static void add_faces(struct parts *p, const double *fraction)
{
    const struct mesh *m = p->m;
    for (int32_t f = 0; f < m->n_internal; f++) {
        int32_t o = m->face_owner[f], n = m->face_neighbour[f], full = fraction[o] > fraction[n] ? o : n;
        if (fraction[full] < 1 - WISP || fraction[o + n - full] > WISP) continue;
        p->part[p->label[full]].area += mesh_face_size(m, f);
    }
}

double part_roundness(int dim, double volume, double area)
{
    if (!(area > 0)) return 0;
    double edge = mesh_edge(6 * volume, 3);
    return dim == 2 ? 2 * sqrt(M_PI * volume) / area : cbrt(M_PI) * edge * edge / area;
}

/* Adds the area in cell c to a part: its own part, or, because a surface may run through an empty cell next to its
 * part, that of the uphill neighbour. */
static void add_area(struct parts *p, const double *fraction, int32_t c, double area)
{
    int64_t k = area > 0 && p->label[c] == NO_PART ? uphill(p, fraction, c) : -1;
    int32_t label = p->label[k >= 0 ? p->near[k] : c];
    if (area > 0 && label != NO_PART) p->part[label].area += area;
}

/* Computes the sums over the cells of every part. */
static void measure(struct parts *p, const struct parts_input *in)
{
    const struct mesh *m = p->m;
    p->scattered = 0;
    for (int32_t i = 0; i < in->areas.n; i++) {
        int32_t c = cell_at(&in->areas, i);
        add_area(p, in->fraction, c, in->area[c]);
    }
    for (int32_t i = 0; i < in->filled.n; i++) {
        int32_t c = cell_at(&in->filled, i);
        double v = in->fraction[c] * m->cell_volume[c];
        if (p->label[c] == NO_PART) { p->scattered += v; continue; }
        struct part *part = &p->part[p->label[c]];
        part->volume += v;
        for (int k = 0; k < m->dim; k++) {
            part->centre[k] += v * (m->cell_centre[(int64_t)k * m->n_all + c] + p->place[3 * (int64_t)c + k]);
            part->velocity[k] += v * in->u[k * in->stride + c];
        }
    }
    if (in->pieces) add_faces(p, in->fraction);
    for (int i = 0; i < p->n; i++) {
        struct part *part = &p->part[i];
        for (int k = 0; k < 3; k++) part->centre[k] /= part->volume, part->velocity[k] /= part->volume;
        part->roundness = part_roundness(m->dim, part->volume, part->area);
    }
}

void parts_find(struct parts *p, const struct parts_input *in)
{
    const double *fraction = in->fraction;
    p->n = 0;
    for (int32_t i = 0; i < in->filled.n; i++) {
        int32_t c = cell_at(&in->filled, i);
        if (fraction[c] >= 0.5 && p->label[c] == NO_PART) flood(p, fraction, c);
    }
    for (int32_t i = 0; i < in->filled.n; i++) {
        int32_t c = cell_at(&in->filled, i);
        if (fraction[c] > 0 && p->label[c] == NO_PART) climb(p, fraction, c);
    }
    measure(p, in);
    for (int32_t i = 0; i < in->filled.n; i++) p->label[cell_at(&in->filled, i)] = NO_PART;
    sort(p->part, p->n, sizeof *p->part, compare_first);
}
