/* Reorders the rows of a system. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "mesh/mesh.h"
#include "solve/rows.h"
#include "system/csr.h"
#include "system/linear_system.h"

/* v[i] = previous v[order[i]], for items of `size` bytes; v may be NULL. */
static void arrange(void *v, const int32_t *order, int32_t n, size_t size)
{
    char *old, *to = v;
    if (!v) return;
    NEW(old, n * size);
    memcpy(old, v, (size_t)n * size);
    for (int32_t i = 0; i < n; i++) memcpy(to + (size_t)i * size, old + (size_t)order[i] * size, size);
    free(old);
}

/* Permutes the rows.  Transposing twice sorts their columns in ascending order again. */
static void renumber(struct linear_system *s, const int32_t *order)
{
    int32_t *place;
    struct csr from = {.n = s->n, .block = s->block}, to;
    int square = csr_square(&from);
    NEW(place, s->n), NEW(from.start, s->n + (int64_t)1);
    NEW(from.column, s->start[s->n]), NEW(from.value, s->start[s->n] * square);
    for (int32_t i = 0; i < s->n; i++) place[order[i]] = i;
    for (int32_t i = 0; i < s->n; i++) {
        int64_t at = from.start[i], k = s->start[order[i]], end = s->start[order[i] + 1];
        for (; k < end; k++, at++) {
            from.column[at] = place[s->column[k]];
            memcpy(from.value + at * square, s->value + k * square, (size_t)square * sizeof *s->value);
        }
        from.start[i + 1] = at;
    }
    to = csr_transpose(&from);
    csr_free(&from);
    from = csr_transpose(&to);
    csr_free(&to);
    to = from;
    csr_diagonal_first(&to);
    free(place), free(s->start), free(s->column), free(s->value);
    s->start = to.start, s->column = to.column, s->value = to.value;
}

/* 3-D cells with at most four neighbours are tetrahedra. */
static int together(const struct linear_system *s)
{
    for (int32_t i = 0; i < s->n; i++) if (s->start[i + 1] - s->start[i] > 5) return 1;
    return s->dim == 3 ? TETRAHEDRA_OF_CUBE : 1;
}

bool linear_system_order(struct linear_system *s, enum ordering ordering, struct error *e)
{
    int64_t *start = NULL;
    int32_t *column = NULL, *order;
    bool good = true;
    if (s->original) die("a system is ordered once");
    if (ordering == ORDERING_NONE) return true;
    if (ordering == ORDERING_HILBERT && !s->centre)
        return refuse(e, EXIT_INPUT, "%s has no cell centres, which --ordering hilbert needs; expected cuthill-mckee, "
                      "metis or none", s->name);
    NEW(order, s->n);
    if (ordering == ORDERING_HILBERT) order_hilbert(order, s->centre, s->dim, s->n, together(s));
    else rows_graph(s->n, s->start, s->column, &start, &column);
    if (ordering == ORDERING_CUTHILL_MCKEE) order_cuthill_mckee(order, start, column, s->n);
    if (ordering == ORDERING_METIS) good = order_metis(order, start, column, s->n, SLICE, e);
    free(start), free(column);
    if (good) {
        renumber(s, order);
        arrange(s->rhs, order, s->n, (size_t)s->block * sizeof *s->rhs);
        arrange(s->phase, order, s->n, sizeof *s->phase);
        for (int k = 0; s->centre && k < s->dim; k++)
            arrange(s->centre + (int64_t)k * s->n, order, s->n, sizeof *s->centre);
        s->original = order;
    } else free(order);
    return good;
}

void linear_system_arrange(const struct linear_system *s, double *v)
{
    if (s->original) arrange(v, s->original, s->n, (size_t)s->block * sizeof *v);
}
