#include "system/linear_system.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "mesh/mesh.h"

/* ---------------------------------------------------------------- from entries in any order */
/* The transpose.  Its rows have their columns in ascending order, so this sorts, too. */
static struct csr transpose(const struct csr *a)
{
    struct csr t = {.n = a->n};
    int64_t *end;
    NEW(t.start, a->n + (int64_t)1), NEW(t.column, a->start[a->n]), NEW(t.value, a->start[a->n]), NEW(end, a->n);
    for (int64_t k = 0; k < a->start[a->n]; k++) t.start[a->column[k] + 1]++;
    for (int32_t i = 0; i < a->n; i++) t.start[i + 1] += t.start[i];
    memcpy(end, t.start, (size_t)a->n * sizeof *end);
    for (int32_t i = 0; i < a->n; i++)
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
            int64_t at = end[a->column[k]]++;
            t.column[at] = i;
            t.value[at] = a->value[k];
        }
    free(end);
    return t;
}

static void csr_free(struct csr *a)
{
    free(a->start), free(a->column), free(a->value);
    *a = (struct csr){0};
}

/* Sums entries of the same place, which stand side by side now, and drops zeros away from the diagonal. */
static void compress(struct csr *a)
{
    int64_t to = 0, from = 0;
    for (int32_t i = 0; i < a->n; i++) {
        int64_t first = to;
        for (; from < a->start[i + 1]; from++) {
            if (to > first && a->column[to - 1] == a->column[from]) {
                a->value[to - 1] += a->value[from];
                continue;
            }
            if (to > first && a->value[to - 1] == 0 && a->column[to - 1] != i) to--;
            a->column[to] = a->column[from];
            a->value[to++] = a->value[from];
        }
        if (to > first && a->value[to - 1] == 0 && a->column[to - 1] != i) to--;
        a->start[i] = first;
    }
    a->start[a->n] = to;
}

static bool refuse_row(const struct linear_system *s, int32_t row, struct error *e, const char *what)
{
    return refuse(e, EXIT_INPUT, "%s: row %lld %s", s->name, (long long)row + s->first_row, what);
}

static bool check_row(const struct linear_system *s, const struct csr *a, int32_t i, struct error *e)
{
    char text[200];
    double diagonal = 0;
    bool found = false;
    if (a->start[i] == a->start[i + 1])
        return refuse_row(s, i, e, "is empty: the matrix is singular; expected entries in every row");
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
        if (a->column[k] == i) diagonal = a->value[k], found = true;
        if (isfinite(a->value[k])) continue;
        snprintf(text, sizeof text, "has %g in column %lld; expected finite numbers", a->value[k],
                 (long long)a->column[k] + s->first_row);
        return refuse_row(s, i, e, text);
    }
    if (!found) return refuse_row(s, i, e, "has no diagonal entry; expected one > 0 in every row");
    if (diagonal > 0) return true;
    snprintf(text, sizeof text, "has %g on the diagonal; expected a number > 0 (a matrix of the other sign is to be "
             "multiplied by -1, with its right-hand side)", diagonal);
    return refuse_row(s, i, e, text);
}

/* Compares row i of a with row i of its transpose t; columns ascend in both. */
static bool check_symmetry(const struct linear_system *s, const struct csr *a, const struct csr *t, int32_t i,
                           struct error *e)
{
    int64_t k = a->start[i], m = t->start[i], a_end = a->start[i + 1], t_end = t->start[i + 1];
    for (; k < a_end || m < t_end; k++, m++) {
        bool both = k < a_end && m < t_end && a->column[k] == t->column[m];
        if (both && fabs(a->value[k] - t->value[m]) <= 1e-10 * fabs(a->value[k])) continue;
        int32_t j = both || m == t_end || (k < a_end && a->column[k] < t->column[m]) ? a->column[k] : t->column[m];
        bool here = k < a_end && a->column[k] == j, there = m < t_end && t->column[m] == j;
        char ours[40] = "nothing", theirs[40] = "nothing";
        if (here) snprintf(ours, sizeof ours, "%.10g", a->value[k]);
        if (there) snprintf(theirs, sizeof theirs, "%.10g", t->value[m]);
        long long row = i + (long long)s->first_row, column = j + (long long)s->first_row;
        return refuse(e, EXIT_INPUT, "%s: the matrix is not symmetric: row %lld, column %lld holds %s, row %lld, "
                      "column %lld %s; conjugate gradients need a symmetric matrix", s->name, row, column, ours, column,
                      row, theirs);
    }
    return true;
}

/* Does the row add up to zero, but for rounding? */
static bool is_floating(const struct csr *a, int32_t i)
{
    double sum = 0, size = 0;
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) sum += a->value[k], size += fabs(a->value[k]);
    return fabs(sum) <= 1e-13 * size;
}

/* Constants on a connected part of the matrix whose rows all add up to zero are in its null space.  Where the whole
 * matrix is one such part the solvers can treat it (s->singular); where there are others the matrix is refused. */
static bool check_null_space(struct linear_system *s, const struct csr *a, struct error *e)
{
    int32_t *rows, n_parts = 0, floating = -1;
    bool *seen;
    NEW(rows, a->n), NEW(seen, a->n);
    for (int32_t first = 0; first < a->n; first++) {
        int32_t n = 0;
        bool all = true;
        if (seen[first]) continue;
        n_parts++, seen[first] = true, rows[n++] = first;
        while (n > 0) {
            int32_t i = rows[--n];
            all = all && is_floating(a, i);
            for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
                if (!seen[a->column[k]]) seen[a->column[k]] = true, rows[n++] = a->column[k];
        }
        if (all && floating < 0) floating = first;
    }
    free(rows), free(seen);
    s->singular = floating >= 0;
    if (!s->singular || n_parts == 1) return true;
    return refuse_row(s, floating, e, "and those that are connected with it add up to zero, and other rows are not "
                      "connected with them: the matrix is singular in a part; expected one connected matrix, or no "
                      "such part");
}

static void diagonal_first(struct csr *a)
{
    for (int32_t i = 0; i < a->n; i++) {
        int64_t first = a->start[i], k = first;
        while (a->column[k] != i) k++;
        double diagonal = a->value[k];
        memmove(a->column + first + 1, a->column + first, (size_t)(k - first) * sizeof *a->column);
        memmove(a->value + first + 1, a->value + first, (size_t)(k - first) * sizeof *a->value);
        a->column[first] = i;
        a->value[first] = diagonal;
    }
}

bool linear_system_of_rows(struct linear_system *s, struct csr *given, struct error *e)
{
    struct csr t = transpose(given), a;
    csr_free(given);
    compress(&t);
    a = transpose(&t);
    bool good = true;
    for (int32_t i = 0; good && i < a.n; i++) good = check_row(s, &a, i, e);
    for (int32_t i = 0; good && i < a.n; i++) good = check_symmetry(s, &a, &t, i, e);
    csr_free(&t);
    good = good && check_null_space(s, &a, e);
    if (good) {
        diagonal_first(&a);
        s->n = a.n, s->start = a.start, s->column = a.column, s->value = a.value;
    } else csr_free(&a);
    return good;
}

/* ---------------------------------------------------------------- order */
/* v[i] = what stood at order[i], in each of several columns of n numbers. */
static void arrange(double *v, const int32_t *order, int32_t n, int columns)
{
    double *old;
    if (!v) return;
    NEW(old, n);
    for (int k = 0; k < columns; k++, v += n) {
        memcpy(old, v, (size_t)n * sizeof *v);
        for (int32_t i = 0; i < n; i++) v[i] = old[order[i]];
    }
    free(old);
}

static void arrange_phase(struct linear_system *s, const int32_t *order)
{
    int32_t *old = s->phase;
    if (!old) return;
    NEW(s->phase, s->n);
    for (int32_t i = 0; i < s->n; i++) s->phase[i] = old[order[i]];
    free(old);
}

/* Puts the rows into the given order.  Transposing, which does not change a symmetric matrix, makes their columns
 * ascend again. */
static void renumber(struct linear_system *s, const int32_t *order)
{
    int32_t *place;
    struct csr from = {.n = s->n}, to;
    NEW(place, s->n), NEW(from.start, s->n + (int64_t)1);
    NEW(from.column, s->start[s->n]), NEW(from.value, s->start[s->n]);
    for (int32_t i = 0; i < s->n; i++) place[order[i]] = i;
    for (int32_t i = 0; i < s->n; i++) {
        int64_t at = from.start[i], k = s->start[order[i]], end = s->start[order[i] + 1];
        for (; k < end; k++, at++) from.column[at] = place[s->column[k]], from.value[at] = s->value[k];
        from.start[i + 1] = at;
    }
    to = transpose(&from);
    diagonal_first(&to);
    csr_free(&from);
    free(place), free(s->start), free(s->column), free(s->value);
    s->start = to.start, s->column = to.column, s->value = to.value;
}

/* The rows' neighbours, without themselves. */
static void neighbours(const struct linear_system *s, int64_t **start, int32_t **column)
{
    NEW(*start, s->n + (int64_t)1), NEW(*column, s->start[s->n]);
    for (int32_t i = 0; i < s->n; i++) {
        int64_t n = s->start[i + 1] - s->start[i] - 1;
        (*start)[i + 1] = (*start)[i] + n;
        memcpy(*column + (*start)[i], s->column + s->start[i] + 1, (size_t)n * sizeof **column);
    }
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
    if (ordering == ORDERING_HILBERT) order_hilbert(order, s->centre, s->dim, s->n);
    else neighbours(s, &start, &column);
    if (ordering == ORDERING_CUTHILL_MCKEE) order_cuthill_mckee(order, start, column, s->n);
    if (ordering == ORDERING_METIS) good = order_metis(order, start, column, s->n, SLICE, e);
    free(start), free(column);
    if (good) {
        renumber(s, order);
        arrange(s->rhs, order, s->n, 1), arrange(s->centre, order, s->n, s->dim);
        arrange_phase(s, order);
        s->original = order;
    } else free(order);
    return good;
}

void linear_system_arrange(const struct linear_system *s, double *v)
{
    if (s->original) arrange(v, s->original, s->n, 1);
}

/* ---------------------------------------------------------------- the machine */
struct pattern linear_system_layout(const struct linear_system *s)
{
    struct pattern p = pattern_of_rows(s->n);
    int64_t *start, *warp;
    p.n_entries = s->start[s->n] - s->n;
    NEW(start, s->n + (int64_t)1);
    for (int32_t i = 0; i < s->n; i++) {
        start[i + 1] = s->start[i + 1] - i - 1;
        for (int64_t k = s->start[i] + 1; k < s->start[i + 1]; k++) p.n_local += s->column[k] / SLICE == i / SLICE;
    }
    warp = pattern_warp_starts(s->n, p.n_padded / WARP, start);
    p.n_stored = warp[p.n_padded / WARP];
    free(start), free(warp);
    return p;
}

void linear_system_upload(const struct linear_system *s, struct matrix *a)
{
    int64_t *start, *place;
    int32_t *column;
    double *val, *diag;
    neighbours(s, &start, &column);
    NEW(place, start[s->n]);
    matrix_create_alone(a, s->n, start, column, place);
    NEW(val, a->p.n_stored), NEW(diag, s->n);
    for (int32_t i = 0; i < s->n; i++) {
        diag[i] = s->value[s->start[i]];
        for (int64_t k = start[i]; k < start[i + 1]; k++) val[place[k]] = s->value[k + i + 1];
    }
    device_upload(a->val, val, (size_t)a->p.n_stored * sizeof *val);
    device_upload(a->diag, diag, (size_t)s->n * sizeof *diag);
    free(start), free(column), free(place), free(val), free(diag);
}

double *linear_system_vector(const struct matrix *a, const double *v, const char *what)
{
    double *on_device = pattern_alloc(&a->p, 1, sizeof *v, what);
    device_upload(on_device, v, (size_t)a->p.n * sizeof *v);
    return on_device;
}

double *linear_system_download(const struct linear_system *s, const double *on_device)
{
    double *v, *moved;
    NEW(v, s->n);
    device_download(v, on_device, (size_t)s->n * sizeof *v);
    if (!s->original) return v;
    NEW(moved, s->n);
    for (int32_t i = 0; i < s->n; i++) moved[s->original[i]] = v[i];
    free(v);
    return moved;
}

void linear_system_free(struct linear_system *s)
{
    free(s->start), free(s->column), free(s->value), free(s->rhs), free(s->centre), free(s->phase);
    free(s->original);
    *s = (struct linear_system){0};
}
