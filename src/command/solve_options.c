/* Options of `poise solve`, and the methods given in them. */
#include "command/solve.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "command/command.h"
#include "gpu/device.h"

bool solve_read_whole(const char *option, const char *text, int least, int *v, struct error *e)
{
    return read_whole(text, least, INT_MAX, v) ||
           refuse(e, EXIT_INPUT, "--%s %s: expected a whole number >= %d", option, text, least);
}

static bool read_block(const char *text, int *block, struct error *e)
{
    if (!solve_read_whole("block", text, 1, block, e)) return false;
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
    return refuse(e, EXIT_INPUT, "--%s %s: expected %s%s", option, text, list, did_you_mean(text, "", words, n));
}

static bool check_options(const struct solve *s, const struct solve_texts *t, struct error *e)
{
    char *end;
    double tolerance = strtod(t->tolerance, &end);
    int limit;
    if (!s->matrix == !s->generate)
        return refuse(e, EXIT_INPUT, "poise solve: expected either a file (.mtx, .mtx.gz or .h5) or --generate; see: "
                      "poise help solve");
    if (s->sides && !s->generate) return refuse(e, EXIT_INPUT, "--dirichlet requires --generate; remove it");
    if (end == t->tolerance || *end || !(tolerance > 0 && tolerance < 1))
        return refuse(e, EXIT_INPUT, "--tolerance %s: expected a number in (0, 1)", t->tolerance);
    return solve_read_whole("max-iterations", t->max_iterations, 1, &limit, e) &&
           check_word("solver", t->solver, linear_method_words, N_LINEAR_METHODS, e) &&
           (!t->precision || check_word("precision", t->precision, precision_words, N_PRECISIONS, e)) &&
           (!s->ordering || check_word("ordering", s->ordering, ordering_words, N_ORDERINGS, e));
}

/* The deflation of "deflated-NAME" for this system: by stripes if rows keep their own order, else by level set if
 * phases are known, else by blocks. */
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
    return refuse(e, EXIT_INPUT, "--condition requires conjugate gradients; remove it, or from %s: %s", m->name,
                  other[l->method]);
}

/* Parses t->methods, split at its commas.  Called before the system is read, which may take long, so that mistakes are
 * reported at once, and again when the system is known, on which deflation depends. */
static bool is_lu(const struct linear_setting *s)
{
    return s->preconditioner == PRECONDITIONER_ILU || s->preconditioner == PRECONDITIONER_BLOCK_ISAI ||
           s->preconditioner == PRECONDITIONER_NESTED_SCHWARZ;
}

/* Do the rows keep their given order? */
static bool stays_as_it_is(const struct solve *s)
{
    return s->ordering ? !strcmp(s->ordering, "none") : s->system.ordering == ORDERING_NONE;
}

bool solve_read_methods(struct solve *s, const struct solve_texts *t, struct error *e)
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
        if (good && is_lu(&m->setting) && s->system.n && stays_as_it_is(s))
            good = linear_setting_read(&m->setting, name, deflation_of(&s->system), standard, n + 1, e);
        used += m->setting.precision == PRECISION_SINGLE;
    }
    free(copy);
    if (good && !s->n_methods) return refuse(e, EXIT_INPUT, "--preconditioner: expected the name of a method");
    if (good && !used && t->precision && !strcmp(t->precision, "single"))
        return refuse(e, EXIT_INPUT, "--precision single: none of the methods has a precision of its own; remove it");
    return good;
}

bool solve_read_options(struct solve *s, struct solve_texts *t, int argc, char **argv, struct error *e)
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
        {"share-gpu", no_argument, NULL, 'u'},        {"help", no_argument, NULL, 'h'},
        {0}};
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
        case 'r': good = solve_read_whole("repeat", optarg, 1, &s->repeat, e); break;
        case 'H': s->history = optarg; break;
        case 'c': s->condition = true; break;
        case 'G': s->digest = true; break;
        case 'u': device_share_gpu(); break;
        case 'a': good = solve_read_whole("applications", optarg, 1, &s->applications, e); break;
        case 'B': good = read_block(optarg, &s->block, e); break;
        case 'S': s->solution = optarg; break;
        case 'w': s->write = optarg; break;
        case 'o': s->ordering = optarg; break;
        case 'd': s->device = optarg; break;
        case 't': good = solve_read_whole("threads", optarg, 0, &s->threads, e); break;
        }
        if (!good) return false;
    }
    e->status = options_status(option);
    if (option) return false;
    if (argc - optind > 1)
        return refuse(e, EXIT_INPUT, "poise solve: \"%s\" is one argument too many; expected one matrix",
                      argv[optind + 1]);
    s->matrix = argv[optind];
    return check_options(s, t, e);
}
