/* Linear systems on the host: checks, ordering, blocks (linear_system.h). */
#include "system/linear_system.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "mesh/mesh.h"
#include "system/csr.h"

/* ---------------------------------------------------------------- from unsorted entries */
static bool refuse_row(const struct linear_system *s, int32_t row, struct error *e, const char *what)
{
    return refuse(e, EXIT_INPUT, "%s: row %lld %s", s->name, (long long)row + s->first_row, what);
}

static bool check_row(const struct linear_system *s, const struct csr *a, int32_t i, struct error *e)
{
    char text[200];
    int square = csr_square(a);
    if (a->start[i] == a->start[i + 1])
        return refuse_row(s, i, e, "is empty: the matrix is singular; expected entries in every row");
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
        for (int64_t v = k * square; v < (k + 1) * square; v++) {
            if (isfinite(a->value[v])) continue;
            snprintf(text, sizeof text, "has %g in column %lld; expected finite numbers", a->value[v],
                     (long long)a->column[k] + s->first_row);
            return refuse_row(s, i, e, text);
        }
    return true;
}

/* For a symmetric matrix, which must be positive definite. */
static bool check_diagonal(const struct linear_system *s, const struct csr *a, int32_t i, struct error *e)
{
    char text[200];
    double diagonal = 0;
    bool found = false;
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
        if (a->column[k] == i) diagonal = a->value[k], found = true;
    if (!found) return refuse_row(s, i, e, "has no diagonal entry; expected one > 0 in every row");
    if (diagonal > 0) return true;
    snprintf(text, sizeof text, "has %g on the diagonal; expected a number > 0 (multiply a matrix of the opposite sign "
             "and its right-hand side by -1)", diagonal);
    return refuse_row(s, i, e, text);
}

/* Compares row i of a with row i of its transpose t; columns ascend in both.  False: s describes the difference. */
static bool is_symmetric(struct linear_system *s, const struct csr *a, const struct csr *t, int32_t i)
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
        snprintf(s->asymmetry, sizeof s->asymmetry, "row %lld, column %lld holds %s, row %lld, column %lld %s", row,
                 column, ours, column, row, theirs);
        return false;
    }
    return true;
}

/* Does the row sum to zero, up to rounding? */
static bool is_floating(const struct csr *a, int32_t i)
{
    double sum = 0, size = 0;
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) sum += a->value[k], size += fabs(a->value[k]);
    return fabs(sum) <= 1e-13 * size;
}

/* If the rows of a connected part of the matrix all sum to zero, constants on that part are in its null space.  If the
 * whole matrix is one such part, and its columns sum to zero as well, the solvers can handle it (s->singular);
 * otherwise the matrix is rejected.  t: the transpose. */
static bool check_null_space(struct linear_system *s, const struct csr *a, const struct csr *t, struct error *e)
{
    const struct csr *both[] = {a, t};
    int32_t *rows, n_parts = 0, floating = -1;
    bool *seen, balanced = true;
    NEW(rows, a->n), NEW(seen, a->n);
    for (int32_t first = 0; first < a->n; first++) {
        int32_t n = 0;
        bool all = true;
        if (seen[first]) continue;
        n_parts++, seen[first] = true, rows[n++] = first;
        while (n > 0) {
            int32_t i = rows[--n];
            all = all && is_floating(a, i);
            balanced = balanced && is_floating(t, i);
            for (int m = 0; m < 2; m++)
                for (int64_t k = both[m]->start[i]; k < both[m]->start[i + 1]; k++)
                    if (!seen[both[m]->column[k]]) seen[both[m]->column[k]] = true, rows[n++] = both[m]->column[k];
        }
        if (all && floating < 0) floating = first;
    }
    free(rows), free(seen);
    s->singular = floating >= 0;
    if (!s->singular || (n_parts == 1 && balanced)) return true;
    if (n_parts == 1)
        return refuse_row(s, floating, e, "and all others sum to zero, but their columns do not: the matrix is "
                          "singular with an unknown range; expected a nonsingular matrix");
    return refuse_row(s, floating, e, "and those connected with it sum to zero, and other rows are not "
                      "connected with them: the matrix is singular in a part; expected one connected matrix, or no "
                      "such part");
}

/* For a matrix of blocks: do the entries of the last unknown sum to zero in every row, and those of every last row in
 * every unknown?  t: the transpose, with its blocks unchanged. */
static bool last_is_floating(const struct csr *a, const struct csr *t)
{
    const int b = a->block;
    bool floating = true;
    for (int32_t i = 0; floating && i < a->n; i++)
        for (int u = 0; u < b; u++) {
            double row = 0, size = 0, column = 0, size_of_column = 0;
            for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
                double v = a->value[(k * b + u) * b + b - 1];
                row += v, size += fabs(v);
            }
            for (int64_t k = t->start[i]; k < t->start[i + 1]; k++) {
                double v = t->value[(k * b + b - 1) * b + u];
                column += v, size_of_column += fabs(v);
            }
            floating &= fabs(row) <= 1e-13 * size && fabs(column) <= 1e-13 * size_of_column && (u < b - 1 || size > 0);
        }
    return floating;
}

static void take_rows(struct linear_system *s, struct csr *a)
{
    csr_diagonal_first(a);
    s->n = a->n, s->block = a->block > 1 ? a->block : 1;
    s->start = a->start, s->column = a->column, s->value = a->value;
}

/* Blocks: no method requires symmetry. */
static bool check_numbers(struct linear_system *s, const struct csr *a, const struct csr *t, struct error *e)
{
    bool good = true;
    for (int32_t i = 0; !s->nonsymmetric && i < a->n; i++) s->nonsymmetric = !is_symmetric(s, a, t, i);
    for (int32_t i = 0; good && !s->nonsymmetric && i < a->n; i++) good = check_diagonal(s, a, i, e);
    return good && check_null_space(s, a, t, e);
}

bool linear_system_of_rows(struct linear_system *s, struct csr *given, struct error *e)
{
    if (given->block > 1 && given->n > INT32_MAX / given->block) {
        csr_free(given);
        return refuse(e, EXIT_INPUT, "%s: expected fewer than 2^31 unknowns", s->name);
    }
    struct csr t = csr_transpose(given), a;
    csr_free(given);
    csr_compress(&t);
    a = csr_transpose(&t);
    bool good = true;
    s->nonsymmetric = a.block > 1;
    for (int32_t i = 0; good && i < a.n; i++) good = check_row(s, &a, i, e);
    if (good && a.block <= 1) good = check_numbers(s, &a, &t, e);
    else if (good) s->singular = last_is_floating(&a, &t);
    csr_free(&t);
    if (good) csr_complete(&a), take_rows(s, &a);
    else csr_free(&a);
    return good;
}

bool linear_system_regroup(struct linear_system *s, int block, struct error *e)
{
    struct csr a = {.n = s->n, .start = s->start, .column = s->column, .value = s->value}, g;
    if (block == s->block) return true;
    if (block < 1 || block > MOST_BLOCK) die("blocks of %d rows", block);
    if (s->block > 1)
        return refuse(e, EXIT_INPUT, "%s has blocks of %d rows already; remove --block, or use %d", s->name,
                      s->block, s->block);
    if (s->n % block)
        return refuse(e, EXIT_INPUT, "%s: %d rows are not a multiple of the block size %d", s->name, s->n, block);
    if (s->singular)
        return refuse(e, EXIT_INPUT, "%s: all rows sum to zero: the matrix is singular, which is supported only "
                      "without blocks; remove --block", s->name);
    g = csr_regroup(&a, block);
    csr_free(&a);
    for (int32_t i = 0; s->centre && i < g.n; i++)              /* position of its first row */
        for (int k = 0; k < s->dim; k++)
            s->centre[(int64_t)k * g.n + i] = s->centre[(int64_t)k * s->n + (int64_t)i * block];
    free(s->phase), s->phase = NULL;
    s->nonsymmetric = true;
    s->n = g.n, s->block = block;
    s->start = g.start, s->column = g.column, s->value = g.value;
    return true;
}

void linear_system_free(struct linear_system *s)
{
    free(s->start), free(s->column), free(s->value), free(s->rhs), free(s->centre), free(s->phase);
    free(s->original);
    *s = (struct linear_system){0};
}
