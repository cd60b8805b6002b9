/* poise solve MATRIX | --generate G: reads the system and runs the methods one after the other. */
#include "command/solve.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/random.h"
#include "command/command.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "system/generate.h"
#include "system/matrix_file.h"

static bool is_market(const char *path) { return file_ends_in(path, ".mtx") || file_ends_in(path, ".mtx.gz"); }

/* ---------------------------------------------------------------- the system */
static bool read_system(struct solve *s, struct error *e)
{
    double start = device_seconds();
    bool good = s->generate ? generate(&s->system, s->generate, s->sides, e)
                            : matrix_file_read(&s->system, s->matrix, e);
    if (good && s->block) good = linear_system_regroup(&s->system, s->block, e);
    s->read_seconds = device_seconds() - start;
    return good;
}

static bool write_system(const struct solve *s, struct error *e)
{
    if (!s->write) return true;
    return (file_ends_in(s->write, ".h5") ? matrix_hdf5_write : matrix_market_write)(&s->system, s->write, e);
}

static double *random_vector(int64_t n, uint64_t from)
{
    double *v;
    NEW(v, n);
    for (int64_t i = 0; i < n; i++) v[i] = random_number(from + (uint64_t)i);
    return v;
}

/* The right-hand side, in the file's order of rows: the requested one, else the system's own, else 1 in every row. */
static bool make_rhs(struct solve *s, struct error *e)
{
    struct linear_system *l = &s->system;
    const char *text = s->rhs ? s->rhs : "ones";
    char *end;
    int32_t n = l->n * l->block;
    int which = 0;
    if (!s->rhs && l->rhs) return true;
    free(l->rhs), l->rhs = NULL;
    double value = strtod(text, &end);
    if (!strncmp(text, "random:", 7) && !solve_read_whole("rhs random:K", text + 7, 0, &which, e)) return false;
    if (is_market(text)) l->rhs = matrix_market_read_vector(text, n, e);
    else if (file_ends_in(text, ".h5")) l->rhs = matrix_hdf5_read_vector(text, n, e);
    else if (!strcmp(text, "random") || !strncmp(text, "random:", 7)) l->rhs = random_vector(n, (uint64_t)which << 33);
    else if (!strcmp(text, "ones") || (end > text && !*end && isfinite(value))) {
        NEW(l->rhs, n);
        for (int32_t i = 0; i < n; i++) l->rhs[i] = *text == 'o' ? 1 : value;
    } else
        refuse(e, EXIT_INPUT, "--rhs %s: expected ones, random, random:K, a number, or a file that ends in .mtx, "
               ".mtx.gz or .h5", text);
    return l->rhs != NULL;
}

/* Warns about a singular system whose right-hand side does not sum to zero: it has no solution. */
static void check_range(const struct linear_system *l)
{
    double sum = 0, size = 0;
    if (!l->singular) return;
    for (int64_t i = l->block - 1; i < (int64_t)l->n * l->block; i += l->block)
        sum += l->rhs[i], size += fabs(l->rhs[i]);
    sums_over_ranks(&sum, 1), sums_over_ranks(&size, 1);
    if (fabs(sum) > 1e-12 * size)
        log_print("  note      the matrix is singular and the right-hand side not in its range: its mean, %g, is "
                  "subtracted\n", sum / (double)count_over_ranks(l->n));
}

/* Orders the rows.  METIS takes seconds for a million rows, so it is skipped if the file's order is good. */
static bool order_system(struct solve *s, struct error *e)
{
    const double good_lambda = 0.75;
    if (s->system.ordering == ORDERING_METIS) {
        struct pattern p = linear_system_layout(&s->system);
        if ((double)p.n_local >= good_lambda * (double)p.n_entries) s->system.ordering = ORDERING_NONE;
    }
    for (int i = 0; s->ordering && i < N_ORDERINGS; i++)
        if (!strcmp(s->ordering, ordering_words[i])) s->system.ordering = (enum ordering)i;
    double start = device_seconds();
    bool good = linear_system_order(&s->system, s->system.ordering, e);
    s->order_seconds = device_seconds() - start;
    return good;
}

static void make_guess(struct solve *s)
{
    int64_t n = (int64_t)s->system.n * s->system.block;
    if (s->random_guess) s->guess = random_vector(n, (uint64_t)1 << 32);
    else NEW(s->guess, n);
    linear_system_arrange(&s->system, s->guess);
}

/* ---------------------------------------------------------------- the command */
static bool write_solution(const struct solve *s, const double *x, struct error *e)
{
    int32_t n = (int32_t)s->a.p.n_global * s->system.block;
    if (!x) return true;                                /* rejected, or on another rank */
    if (s->digest) log_print("digest %016" PRIx64 "\n", digest_add(DIGEST_START, x, (size_t)n * sizeof *x));
    if (!s->solution) return true;
    return (file_ends_in(s->solution, ".h5") ? matrix_hdf5_write_vector : matrix_market_write_vector)
           (x, n, s->solution, e);
}

static bool check_ending(const char *option, const char *path, const char *ending, const char *other, struct error *e)
{
    if (!path || file_ends_in(path, ending) || (other && file_ends_in(path, other))) return true;
    return refuse(e, EXIT_INPUT, "--%s %s: expected a name that ends in %s%s%s", option, path, ending,
                  other ? " or " : "", other ? other : "");
}

/* Checks that all files can be written, before a long computation. */
static bool check_files(const struct solve *s, struct error *e)
{
    const struct output_name output[] = {{"--solution", s->solution}, {"--write", s->write}, {"--history", s->history}};
    const char *const input[] = {s->matrix, s->rhs};
    if (s->solution && s->n_methods > 1)
        return refuse(e, EXIT_INPUT, "--solution %s: expected one method, found %d", s->solution, s->n_methods);
    return check_ending("solution", s->solution, ".mtx", ".h5", e) &&
           check_ending("write", s->write, ".mtx", ".h5", e) &&
           check_ending("history", s->history, ".csv", NULL, e) && outputs_check(output, 3, input, 2, e);
}

/* Severity of a status, for the status of several methods: an error in the input is worse than divergence, and that is
 * worse than lack of convergence. */
static int rank(enum exit_status status)
{
    static const int rank[] = {[EXIT_CONVERGED] = 0, [EXIT_NOT_CONVERGED] = 1, [EXIT_DIVERGED] = 2, [EXIT_INPUT] = 3,
                               [EXIT_RESOURCE] = 4};
    return rank[status];
}

static bool run_methods(struct solve *s, enum exit_status *status, struct error *e)
{
    bool good = true;
    report_heading(s);
    linear_system_upload(&s->system, &s->a);
    for (int i = 0; good && i < s->n_methods; i++) {
        double *x;
        method_run(&s->method[i], s, &x);
        report_method(&s->method[i], s);
        if (rank(method_status(&s->method[i])) > rank(*status)) *status = method_status(&s->method[i]);
        good = ranks_agree(write_solution(s, x, e), e);
        free(x);
    }
    matrix_free_alone(&s->a);
    return good && ranks_agree(!s->history || ranks_own() || report_history(s, e), e);
}

/* Work of rank 0 for all ranks. */
static bool make_system(struct solve *s, const struct solve_texts *t, struct error *e)
{
    bool good = check_files(s, e) && read_system(s, e) && solve_read_methods(s, t, e) && make_rhs(s, e) &&
                write_system(s, e) && order_system(s, e) && report_system(s, e);
    if (good) make_guess(s);
    return good;
}

/* The settings that rank 0 has chosen for the system. */
static void share_methods(struct solve *s)
{
    const int n = s->n_methods;
    struct method *all;
    if (ranks_count() == 1) return;
    NEW(all, ranks_count() * n);
    memcpy(all + ranks_own() * n, s->method, (size_t)n * sizeof *all);
    ranks_gather(all, (size_t)n * sizeof *all);
    memcpy(s->method, all, (size_t)n * sizeof *all);
    free(all);
}

static bool solve(struct solve *s, const struct solve_texts *t, enum exit_status *status, struct error *e)
{
    if (!ranks_agree(device_open(s->device, s->threads, e), e) || !device_join(e)) return device_close(), false;
    bool good = solve_read_methods(s, t, e) && (ranks_own() || make_system(s, t, e));
    if (ranks_agree(good, e) && linear_system_share(&s->system, e)) {
        share_methods(s);
        check_range(&s->system);
        s->b = s->system.rhs;
        s->guess = linear_system_piece(&s->system, s->guess);
        good = run_methods(s, status, e);
    } else good = false;
    for (int i = 0; i < s->n_methods; i++) free(s->method[i].history);
    free(s->method), free(s->guess);
    linear_system_free(&s->system);
    device_close();
    return good;
}

enum exit_status command_solve(int argc, char **argv)
{
    struct solve s = {.device = "auto", .repeat = 1};
    struct solve_texts t = {.methods = "multigrid", .solver = "cg", .tolerance = "1e-8", .max_iterations = "10000"};
    enum exit_status status = EXIT_CONVERGED;
    struct error e;
    if (!solve_read_options(&s, &t, argc, argv, &e)) {
        if (*e.text) report_error(&e);
        return e.status;
    }
    if (!solve(&s, &t, &status, &e)) return report_error(&e);
    log_close();
    return status;
}
