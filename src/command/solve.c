/* poise solve MATRIX | --generate G: options, the system, the methods one after the other. */
#include "command/solve.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
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
#include "system/matrix_hdf5.h"
#include "system/matrix_market.h"

static bool is_market(const char *path) { return file_ends_in(path, ".mtx") || file_ends_in(path, ".mtx.gz"); }

/* ---------------------------------------------------------------- options */
struct texts { const char *methods, *solver, *restart, *precision, *tolerance, *max_iterations; };

static bool read_whole(const char *option, const char *text, int least, int *v, struct error *e)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (end == text || *end || errno || n < least || n > INT_MAX)
        return refuse(e, EXIT_INPUT, "--%s %s: expected a whole number >= %d", option, text, least);
    *v = (int)n;
    return true;
}

static bool read_block(const char *text, int *block, struct error *e)
{
    if (!read_whole("block", text, 1, block, e)) return false;
    return *block <= MOST_BLOCK ||
           refuse(e, EXIT_INPUT, "--block %s: expected a whole number from 1 to %d", text, MOST_BLOCK);
}

static bool check_word(const char *option, const char *text, const char *const *words, int n, struct error *e)
{
    char list[200] = "";
    for (int i = 0, at = 0; i < n; i++) {
        if (!strcmp(text, words[i])) return true;
        at += sprintf(list + at, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
    }
    const char *near = nearest_name(text, words, n);
    return refuse(e, EXIT_INPUT, "--%s %s: expected %s%s%s%s", option, text, list, near ? " (did you mean " : "",
                  near ? near : "", near ? "?)" : "");
}

static bool check_options(const struct solve *s, const struct texts *t, struct error *e)
{
    char *end;
    double tolerance = strtod(t->tolerance, &end);
    int limit;
    if (!s->matrix == !s->generate)
        return refuse(e, EXIT_INPUT, "poise solve: expected either a file (.mtx, .mtx.gz or .h5) or --generate; see: "
                      "poise help solve");
    if (s->sides && !s->generate) return refuse(e, EXIT_INPUT, "--dirichlet goes with --generate alone; remove it");
    if (end == t->tolerance || *end || !(tolerance > 0 && tolerance < 1))
        return refuse(e, EXIT_INPUT, "--tolerance %s: expected a number in (0, 1)", t->tolerance);
    return read_whole("max-iterations", t->max_iterations, 1, &limit, e) &&
           check_word("solver", t->solver, linear_method_words, N_LINEAR_METHODS, e) &&
           (!t->precision || check_word("precision", t->precision, precision_words, N_PRECISIONS, e)) &&
           (!s->ordering || check_word("ordering", s->ordering, ordering_words, N_ORDERINGS, e));
}

/* The deflation that "deflated-NAME" means for this system: by stripes where rows keep their own order, else by
 * level set where phases are known, else by blocks. */
static const char *deflation_of(const struct linear_system *s)
{
    return s->n && s->ordering == ORDERING_NONE ? "stripes" : s->phase ? "level-set" : "blocks";
}

static bool check_condition(const struct solve *s, const struct method *m, struct error *e)
{
    const struct linear_setting *l = &m->setting;
    if (!s->condition || (l->method == METHOD_CG && !l->smoothing_before && !l->smoothing_every)) return true;
    static const char *const other[] = {"smoothing_before and smoothing_every", "the method stationary",
                                        "the method bicgstab", "the method gmres", "the method fgmres"};
    return refuse(e, EXIT_INPUT, "--condition comes from conjugate gradients alone; remove it, or of %s: %s", m->name,
                  other[l->method]);
}

/* Reads t->methods, split at its commas.  It is called before the system is read, which may take long, so that mistakes
 * are told at once, and again when the system is known, on which deflation depends. */
static bool is_lu(const struct linear_setting *s)
{
    return s->preconditioner == PRECONDITIONER_ILU || s->preconditioner == PRECONDITIONER_BLOCK_ISAI ||
           s->preconditioner == PRECONDITIONER_NESTED_SCHWARZ;
}

static bool read_methods(struct solve *s, const struct texts *t, struct error *e)
{
    char set[6][NAME_LENGTH], *copy = strdup(t->methods), *save = NULL;
    const char *standard[6];
    int n = 0, used = 0;
    snprintf(set[n++], NAME_LENGTH, "tolerance=%.40s", t->tolerance);
    snprintf(set[n++], NAME_LENGTH, "max_iterations=%.40s", t->max_iterations);
    snprintf(set[n++], NAME_LENGTH, "method=%.40s", t->solver);
    if (t->restart) snprintf(set[n++], NAME_LENGTH, "restart=%.40s", t->restart);
    if (t->precision) snprintf(set[n++], NAME_LENGTH, "precision=%.40s", t->precision);
    snprintf(set[n], NAME_LENGTH, "factor_ordering=matrix");    /* for rows in an order of their own: */
    for (int i = 0; i <= n; i++) standard[i] = set[i];
    free(s->method);
    NEW(s->method, strlen(copy) / 2 + 1);
    s->n_methods = 0;
    bool good = true;
    for (char *name = strtok_r(copy, ",", &save); good && name; name = strtok_r(NULL, ",", &save)) {
        struct method *m = &s->method[s->n_methods++];
        snprintf(m->name, sizeof m->name, "%s", name);
        good = linear_setting_read(&m->setting, name, deflation_of(&s->system), standard, n, e) &&
               check_condition(s, m, e);
        if (good && is_lu(&m->setting) && s->system.n && s->system.ordering == ORDERING_NONE)
            good = linear_setting_read(&m->setting, name, deflation_of(&s->system), standard, n + 1, e);
        used += m->setting.precision == PRECISION_SINGLE;
    }
    free(copy);
    if (good && !s->n_methods) return refuse(e, EXIT_INPUT, "--preconditioner: expected the name of a method");
    if (good && !used && t->precision && !strcmp(t->precision, "single"))
        return refuse(e, EXIT_INPUT, "--precision single: none of the methods has a precision of its own; remove it");
    return good;
}

/* False: a message was printed (*e is empty then), or is in *e. */
static bool read_options(struct solve *s, struct texts *t, int argc, char **argv, struct error *e)
{
    static const struct option options[] = {
        {"generate", required_argument, NULL, 'g'},   {"dirichlet", required_argument, NULL, 'D'},
        {"rhs", required_argument, NULL, 'b'},        {"guess", required_argument, NULL, 'x'},
        {"solver", required_argument, NULL, 's'},     {"preconditioner", required_argument, NULL, 'p'},
        {"restart", required_argument, NULL, 'R'},
        {"precision", required_argument, NULL, 'P'},  {"tolerance", required_argument, NULL, 'T'},
        {"max-iterations", required_argument, NULL, 'm'}, {"repeat", required_argument, NULL, 'r'},
        {"history", required_argument, NULL, 'H'},    {"solution", required_argument, NULL, 'S'},
        {"write", required_argument, NULL, 'w'},      {"ordering", required_argument, NULL, 'o'},
        {"device", required_argument, NULL, 'd'},     {"threads", required_argument, NULL, 't'},
        {"condition", no_argument, NULL, 'c'},        {"block", required_argument, NULL, 'B'},
        {"applications", required_argument, NULL, 'a'}, {"digest", no_argument, NULL, 'G'},
        {"help", no_argument, NULL, 'h'},             {0}};
    static const char *const guesses[] = {"zero", "random"};
    int option;
    *e = (struct error){.status = EXIT_INPUT};
    while ((option = next_option(argc, argv, options, "solve")) > 0) {
        bool good = true;
        switch (option) {
        case 'g': s->generate = optarg; break;
        case 'D': s->sides = optarg; break;
        case 'b': s->rhs = optarg; break;
        case 'x': good = check_word("guess", optarg, guesses, 2, e), s->random_guess = *optarg == 'r'; break;
        case 's': t->solver = optarg; break;
        case 'p': t->methods = optarg; break;
        case 'R': t->restart = optarg; break;
        case 'P': t->precision = optarg; break;
        case 'T': t->tolerance = optarg; break;
        case 'm': t->max_iterations = optarg; break;
        case 'r': good = read_whole("repeat", optarg, 1, &s->repeat, e); break;
        case 'H': s->history = optarg; break;
        case 'c': s->condition = true; break;
        case 'G': s->digest = true; break;
        case 'a': good = read_whole("applications", optarg, 1, &s->applications, e); break;
        case 'B': good = read_block(optarg, &s->block, e); break;
        case 'S': s->solution = optarg; break;
        case 'w': s->write = optarg; break;
        case 'o': s->ordering = optarg; break;
        case 'd': s->device = optarg; break;
        case 't': good = read_whole("threads", optarg, 0, &s->threads, e); break;
        }
        if (!good) return false;
    }
    e->status = options_status(option);
    if (option) return false;
    if (argc - optind > 1)
        return refuse(e, EXIT_INPUT, "poise solve: \"%s\" is one word too many; expected one matrix", argv[optind + 1]);
    s->matrix = argv[optind];
    return check_options(s, t, e);
}

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
    if (!s->write || ranks_own()) return true;
    return (file_ends_in(s->write, ".h5") ? matrix_hdf5_write : matrix_market_write)(&s->system, s->write, e);
}

static double *random_vector(int64_t n, uint64_t from)
{
    double *v;
    NEW(v, n);
    for (int64_t i = 0; i < n; i++) v[i] = random_number(from + (uint64_t)i);
    return v;
}

/* Makes the right-hand side, rows as in the file: the one asked for, else the system's own, else 1 in every row. */
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
    if (!strncmp(text, "random:", 7) && !read_whole("rhs random:K", text + 7, 0, &which, e)) return false;
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

/* Tells of a singular system whose right-hand side does not add up to zero: it has no solution. */
static void check_range(const struct linear_system *l)
{
    double sum = 0, size = 0;
    if (!l->singular) return;
    for (int64_t i = l->block - 1; i < (int64_t)l->n * l->block; i += l->block)
        sum += l->rhs[i], size += fabs(l->rhs[i]);
    sums_over_ranks(&sum, 1), sums_over_ranks(&size, 1);
    if (fabs(sum) > 1e-12 * size)
        log_print("  note      the matrix is singular and the right-hand side not in its range: its mean, %g, is taken "
                  "away\n", sum / (double)count_over_ranks(l->n));
}

/* Orders the rows.  METIS takes seconds for a million rows, so it is left out where the file's order is good. */
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

/* ---------------------------------------------------------------- the whole */
static bool write_solution(const struct solve *s, const double *x, struct error *e)
{
    int32_t n = (int32_t)s->a.p.n_global * s->system.block;
    if (!x) return true;                                /* refused, or another rank's affair */
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

/* Checks that all files can be written, before hours of computing. */
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

/* How bad a status is, for the status of several methods: an error in the input is worse than a divergence, and that is
 * worse than not having converged. */
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

static bool solve(struct solve *s, const struct texts *t, enum exit_status *status, struct error *e)
{
    if (!ranks_agree(device_open(s->device, s->threads, e), e) || !device_join(e)) return device_close(), false;
    bool good = read_methods(s, t, e) && (ranks_own() || check_files(s, e)) && read_system(s, e) &&
                read_methods(s, t, e) && make_rhs(s, e) && write_system(s, e) && order_system(s, e) &&
                report_system(s, e);
    if (good) {
        make_guess(s);
        good = linear_system_keep_part(&s->system, e);
    }
    if (ranks_agree(good, e)) {
        check_range(&s->system);
        s->b = s->system.rhs;
        if (ranks_count() > 1) s->guess = linear_system_piece(&s->system, s->guess);
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
    struct texts t = {.methods = "multigrid", .solver = "cg", .tolerance = "1e-8", .max_iterations = "10000"};
    enum exit_status status = EXIT_CONVERGED;
    struct error e;
    if (!read_options(&s, &t, argc, argv, &e)) {
        if (*e.text) report_error(&e);
        return e.status;
    }
    if (!solve(&s, &t, &status, &e)) return report_error(&e);
    log_close();
    return status;
}
