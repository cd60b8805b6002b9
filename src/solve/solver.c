/* Combines a Krylov method with a preconditioner and runs solves (solver.h). */
#include "solve/solver.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "gpu/vector.h"
#include "solve/krylov.h"
#include "solve/multigrid.h"
#include "solve/subdomains.h"

struct solver {
    struct matrix a;                    /* the one of the last solve */
    struct krylov *krylov;
    struct preconditioner *preconditioner;
    struct solver *fallback;            /* with a simpler preconditioner, created after a breakdown; or NULL */
    int components;                     /* those of its setup; a solve may be for one alone */
    bool fell_back;                     /* in the last solve */
    bool fresh;                         /* everything derived from the matrix's values is up to date */
    char note[160];
    bool news;                          /* the note has not been returned yet */
};

/* ---------------------------------------------------------------- valid combinations */
/* Reason why the pair is incompatible, or NULL. */
static const char *at_odds(const struct krylov_kind *k, const struct preconditioner_kind_of *p, bool nonsymmetric,
                           bool blocks, bool ranks)
{
    if (ranks && !p->ranks) return "several ranks";
    if (blocks && !p->blocks) return "block matrices";
    if (nonsymmetric && !p->nonsymmetric) return "nonsymmetric matrices";
    if (k->needs_fixed && p->variable)
        return "gmres, because the operator depends on r (use fgmres)";
    bool for_cg = !k->any_preconditioner && !k->needs_fixed;
    return for_cg && p->not_for_cg ? "conjugate gradients" : NULL;
}

/* The names of the compatible ones, for a message. */
static const char *suited_to(const struct krylov_kind *k, bool nonsymmetric, bool blocks, bool ranks)
{
    static char text[400];
    int n = 0;
    for (int i = 0; i < N_PRECONDITIONERS; i++) {
        const struct preconditioner_kind_of *p = &preconditioner_kinds[i];
        if (at_odds(k, p, nonsymmetric, blocks, ranks)) continue;
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%s", n ? ", " : "", preconditioner_words[i]);
    }
    return text;
}

/* Creates a text with the names of the Krylov methods whose entry in the table has this member. */
#define METHODS_WITH(text, member)                                                                           \
    for (int i = 0, n = 0; i < N_LINEAR_METHODS; i++)                                                        \
        if (krylov_kinds[i].member)                                                                          \
            n += snprintf(text + n, sizeof text - (size_t)n, "%s%s", n ? ", " : "", linear_method_words[i])

bool solver_allows(const struct linear_setting *s, const struct solver_setup *setup, bool blocks, bool ranks,
                   struct error *e)
{
    const struct krylov_kind *k = &krylov_kinds[s->method];
    const struct preconditioner_kind_of *p = &preconditioner_kinds[s->preconditioner];
    const char *method = linear_method_words[s->method];
    char methods[100] = "";
    if (setup->nonsymmetric && !k->nonsymmetric) {
        METHODS_WITH(methods, nonsymmetric);
        const struct krylov_kind *other = &krylov_kinds[METHOD_BICGSTAB];
        bool both = at_odds(other, p, true, blocks, ranks);
        return refuse(e, EXIT_INPUT, "method \"%s\" needs a symmetric matrix; expected %s%s%s", method, methods,
                      both ? ", and as preconditioner one of " : "", both ? suited_to(other, true, blocks, ranks) : "");
    }
    if (blocks && !k->blocks) {
        METHODS_WITH(methods, blocks);
        return refuse(e, EXIT_INPUT, "method \"%s\" does not support block matrices; expected %s", method, methods);
    }
    if (setup->components > (blocks ? 1 : k->components)) {
        METHODS_WITH(methods, components >= setup->components);
        return refuse(e, EXIT_INPUT, "method \"%s\" solves for at most %d at once, not %d; expected %s", method,
                      k->components, setup->components, *methods ? methods : "fewer");
    }
    if (s->deflation != DEFLATION_NONE && !k->deflates) {
        METHODS_WITH(methods, deflates);
        return refuse(e, EXIT_INPUT, "method \"%s\" does not support deflation; expected deflation = \"none\", or "
                                     "method %s",
                      method, methods);
    }
    if (s->deflation == DEFLATION_METIS && ranks)
        return refuse(e, EXIT_INPUT, "deflation \"metis\" works on one rank only; expected stripes, blocks, level-set "
                                     "or level-set-blocks, or one rank");
    if ((s->smoothing_before > 0 || s->smoothing_every > 0) && !k->sweeps) {
        METHODS_WITH(methods, sweeps);
        return refuse(e, EXIT_INPUT, "method \"%s\" does not support smoothing_before and smoothing_every; remove "
                                     "them, or use method %s", method, methods);
    }
    const char *odds = at_odds(k, p, setup->nonsymmetric, blocks, ranks);
    if (odds)
        return refuse(e, EXIT_INPUT, "preconditioner \"%s\" does not suit %s; expected one of %s",
                      preconditioner_words[s->preconditioner], odds, suited_to(k, setup->nonsymmetric, blocks, ranks));
    if (k->needs_fixed && s->preconditioner == PRECONDITIONER_BLOCK_JACOBI && s->inner == INNER_CG)
        return refuse(e, EXIT_INPUT, "with inner = \"cg\" the operator of block-jacobi depends on r, but method \"%s\" "
                                     "needs a fixed one; expected inner = \"jacobi\" or \"gauss-seidel\", or method = "
                                     "\"fgmres\"",
                      method);
    if (s->direction == DIRECTION_FORWARD && !k->nonsymmetric && !k->any_preconditioner)
        return refuse(e, EXIT_INPUT, "forward sweeps alone are not symmetric, but method \"%s\" needs a symmetric "
                                     "preconditioner; expected direction = \"symmetric\", or method = \"stationary\", "
                                     "\"bicgstab\", \"gmres\" or \"fgmres\"",
                      method);
    return true;
}

/* ---------------------------------------------------------------- creation */
/* Creates the deflation, replacing the present one, if any.  False: that one is kept. */
static bool make_deflation(struct deflation **d, const struct matrix *a, const struct linear_setting *s, bool singular,
                           const int32_t *phase, struct error *e)
{
    int32_t *domain;
    NEW(domain, a->p.n);
    int32_t n = subdomains(a, s, phase, domain, e);
    if (n) {
        deflation_free(*d);
        *d = deflation_create(a, s, domain, n, singular);
    }
    free(domain);
    return n;
}

/* Preconditioners that divide by the diagonal (or its blocks) require it to be invertible. */
static bool check_diagonal(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    const struct preconditioner_kind_of *p = &preconditioner_kinds[s->preconditioner];
    if (p->any_diagonal) return true;
    double *bad = device_alloc((size_t)a->p.n_padded * sizeof *bad, "diagonal");
    int32_t row = matrix_invert_diagonal(a, NULL, bad);
    device_free(bad);
    if (row < 0) return true;
    return refuse(e, EXIT_INPUT, "row %lld of %lld (from 1, as the solver orders them) has %s on the diagonal, by "
                  "which preconditioner \"%s\" divides; expected preconditioner \"none\"",
                  (long long)(a->p.first + row + 1), (long long)a->p.n_global, a->block > 1 ? "a singular block" : "0",
                  preconditioner_words[s->preconditioner]);
}

struct solver *solver_create(const struct matrix *a, const struct linear_setting *s,
                             const struct solver_setup *setup, struct error *e)
{
    struct solver *solver;
    struct deflation *d = NULL;
    struct preconditioner *p;
    struct solver_setup own = *setup;
    struct linear_setting set = *s;
    set.nonsymmetric = setup->nonsymmetric;
    if (!own.components) own.components = 1;
    own.phase = NULL;                   /* belongs to the caller, for this call only */
    if (!solver_allows(s, &own, a->block > 1, a->p.halo, e)) return NULL;
    if (own.nonsymmetric && !own.values_follow && !ranks_agree(check_diagonal(a, s, e), e)) return NULL;
    if (s->deflation != DEFLATION_NONE && !make_deflation(&d, a, s, own.singular, setup->phase, e)) return NULL;
    if (!(p = preconditioner_create(a, &set, own.singular, e))) return deflation_free(d), NULL;
    NEW(solver, 1);
    solver->a = *a;
    solver->components = own.components;
    solver->preconditioner = p;
    solver->krylov = krylov_kinds[s->method].create(a, &set, &own, p, d);
    return solver;
}

void solver_free(struct solver *s)
{
    if (!s) return;
    deflation_free(s->krylov->deflation);
    device_free(s->krylov->history);
    s->krylov->free(s->krylov);
    s->preconditioner->free(s->preconditioner);
    solver_free(s->fallback);
    free(s);
}

/* ---------------------------------------------------------------- solving */
const char *solver_refresh(struct solver *s, const struct matrix *a)
{
    if (a->p.col != s->a.p.col) die("a matrix of another pattern than the solver's");
    s->a = *a;
    const char *why = s->krylov->deflation ? deflation_refresh(s->krylov->deflation, a) : NULL;
    if (!why) why = preconditioner_refresh(s->preconditioner, a);
    s->fresh = !why;
    if (!why && s->preconditioner->news) {
        snprintf(s->note, sizeof s->note, "%s", s->preconditioner->news);
        s->news = true;
        s->krylov->forget(s->krylov);
    }
    return why;
}

static void keep_history(struct krylov *k)
{
    size_t n = (size_t)k->setting.max_iterations + 1;
    if (!k->history) k->history = device_alloc(n * sizeof *k->history, "history of the iterations");
}

/* Solves with Jacobi instead of the preconditioner (arrow blocks: without any), starting from the x at the breakdown,
 * or from zero if that has values that are not finite. */
static struct linear_result give_up(struct solver *s, const struct linear_result *broken, double *x, double *b)
{
    const struct krylov *k = s->krylov;
    enum linear_method method = krylov_kinds[k->setting.method].nonsymmetric ? k->setting.method : METHOD_CG;
    enum preconditioner_kind plain = s->a.arrow.val ? PRECONDITIONER_NONE : PRECONDITIONER_JACOBI;
    struct linear_setting setting = {.preconditioner = plain, .method = method,
                                     .max_iterations = k->setting.max_iterations, .restart = k->setting.restart,
                                     .side = k->setting.side};
    struct solver_setup setup = {.components = s->components, .singular = k->setup.singular,
                                 .nonsymmetric = k->setup.nonsymmetric};
    int64_t pitch = s->a.p.pitch;
    if (!s->fallback) s->fallback = solver_create(&s->a, &setting, &setup, NULL);
    if (k->history) keep_history(s->fallback->krylov);
    s->fallback->krylov->setting.absolute = k->limit;
    s->fallback->krylov->setup.components = k->setup.components;
    s->fell_back = true;
    for (int c = 0; c < k->setup.components * s->a.block; c++)
        if (!isfinite(reduce(REDUCE_DOT, x + c * pitch, x + c * pitch, s->a.p.n_padded)))
            fill(&(struct fill_args){x + c * pitch, 0}, pitch);
    struct linear_result r = solver_solve(s->fallback, &s->a, x, b);
    snprintf(s->note, sizeof s->note, "%s gave up after %d iterations (%s); %d with %s followed",
             preconditioner_words[k->setting.preconditioner], broken->iterations,
             broken->status == LINEAR_BREAKDOWN ? "it is not positive definite here"
                                                : "numbers beyond single precision",
             r.iterations, plain == PRECONDITIONER_NONE ? "no preconditioner" : "Jacobi");
    r.iterations += broken->iterations;
    r.initial = broken->initial;
    r.note = s->note;
    s->news = false;
    return r;
}

static struct linear_result solve(struct solver *s, const struct matrix *a, double *x, double *b, bool again)
{
    struct krylov *k = s->krylov;
    if (k->setup.singular && a->p.n_global == 1 && a->block == 1) {     /* the one unknown is undetermined: it is 0 */
        for (int c = 0; c < k->setup.components; c++) fill(&(struct fill_args){x + c * a->p.pitch, 0}, 1);
        return (struct linear_result){.status = LINEAR_CONVERGED};
    }
    const struct preconditioner *p = s->preconditioner;
    again = again && s->fresh && s->a.val == a->val && !(p->due && p->due(p));
    const char *why = again ? NULL : solver_refresh(s, a);
    if (why) return (struct linear_result){.status = LINEAR_REFUSED, .note = why};
    s->fell_back = false;
    k->turn = again ? k->turn + 1 : 0;
    struct linear_result r = k->solve(k, a, x, b);
    bool broken = r.status == LINEAR_BREAKDOWN || r.status == LINEAR_NOT_FINITE;
    if (broken && preconditioner_kinds[k->setting.preconditioner].single && isfinite(k->limit) && k->limit > 0)
        return give_up(s, &r, x, b);
    if (!broken && s->preconditioner->solved) s->preconditioner->solved(s->preconditioner, r.iterations);
    if (s->news) r.note = s->note;
    s->news = false;
    return r;
}

struct linear_result solver_solve(struct solver *s, const struct matrix *a, double *x, double *b)
{
    return solve(s, a, x, b, false);
}

struct linear_result solver_solve_from_zero(struct solver *s, const struct matrix *a, double *x, double *b)
{
    struct krylov *k = s->krylov;
    for (int c = 0; c < k->setup.components * a->block && !k->takes_zero; c++)
        fill(&(struct fill_args){x + c * a->p.pitch, 0}, a->p.n_padded);
    k->from_zero = k->takes_zero;
    struct linear_result r = solve(s, a, x, b, false);
    k->from_zero = false;
    return r;
}

struct linear_result solver_solve_component(struct solver *s, const struct matrix *a, double *x, double *b)
{
    int *components = &s->krylov->setup.components, all = *components;
    *components = 1;
    struct linear_result r = solve(s, a, x, b, false);
    *components = all;
    return r;
}

struct linear_result solver_solve_again(struct solver *s, const struct matrix *a, double *x, double *b)
{
    return solve(s, a, x, b, true);
}

/* ---------------------------------------------------------------- the rest */
void solver_set_bounds(struct solver *s, double tolerance, double absolute)
{
    s->krylov->setting.tolerance = tolerance, s->krylov->setting.absolute = absolute;
}
struct krylov *solver_krylov(struct solver *s) { return s->krylov; }

void solver_watch(struct solver *s, void (*tell)(void *context, int iterations, double residual), void *context)
{
    s->krylov->tell = tell;
    s->krylov->context = context;
}

int64_t solver_forecast(const struct pattern *p, int32_t block, const struct linear_setting *s)
{
    enum preconditioner_kind kind = s->preconditioner;
    bool fused = kind == PRECONDITIONER_NONE || kind == PRECONDITIONER_JACOBI,
         multigrid = kind == PRECONDITIONER_MULTIGRID;
    bool diagonal = fused || kind == PRECONDITIONER_RUIZ;
    bool two = device_kind() == DEVICE_CUDA && !multigrid;              /* p and p_old are two vectors */
    int64_t vectors = (diagonal || multigrid ? 3 : 4) + two;
    if (s->method == METHOD_BICGSTAB) vectors = BICGSTAB_VECTORS + (fused ? 0 : 2);
    if (s->method == METHOD_GMRES || s->method == METHOD_FGMRES)
        vectors = s->restart * (s->method == METHOD_FGMRES ? 2 : 1) + 3;
    int64_t square = block * block, bytes = (vectors * block + (kind == PRECONDITIONER_RUIZ ? 2 : 0)) * 8 * p->pitch;
    /* Finest level: entries and their sources (incomplete LU: its triangles), diagonal (block matrices also its
     * inverse), row sum, parent, child, place, three vectors. */
    int triangles = !multigrid ? 0 : s->smoother == SMOOTHER_ISAI ? 2 : s->smoother == SMOOTHER_ILU;
    if (multigrid && block > 1)
        return bytes + ((4 + 4 * square + (triangles ? 6 + 4 * square * triangles : 0)) * p->n_stored +
                        (12 * square + 12 * block + 14) * p->n_padded) * 14 / 10;
    if (multigrid) return bytes + (8 * p->n_stored + 31 * p->n_padded) * 14 / 10;
    bool keeps = !diagonal && kind != PRECONDITIONER_BLOCK_JACOBI;
    if (kind == PRECONDITIONER_JACOBI && block > 1) bytes += 8 * (square + 1) * p->n_padded;
    return bytes + (keeps ? (4 + 8 * square) * p->n_stored + 8 * square * p->n_padded : 0);
}

bool solver_set_phase(struct solver *s, const int32_t *phase, struct error *e)
{
    struct krylov *k = s->krylov;
    bool by_phase = k->setting.deflation == DEFLATION_LEVEL_SET || k->setting.deflation == DEFLATION_LEVEL_SET_BLOCKS;
    if (!by_phase) return true;
    k->forget(k);
    s->fresh = false;
    return make_deflation(&k->deflation, &s->a, &k->setting, k->setup.singular, phase, e);
}

const char *solver_choice(const struct solver *s) { return s->preconditioner->choice; }

int32_t solver_deflation_vectors(const struct solver *s)
{
    return s->krylov->deflation ? deflation_vectors(s->krylov->deflation) : 0;
}

int32_t *solver_structure(const struct solver *s, int64_t *n)
{
    *n = 0;
    return s->preconditioner->structure ? s->preconditioner->structure(s->preconditioner, n) : NULL;
}

bool solver_set_structure(struct solver *s, const int32_t *structure, int64_t n)
{
    if (!s->preconditioner->set_structure || !n) return true;
    bool good = s->preconditioner->set_structure(s->preconditioner, structure, n);
    s->fresh = false;
    s->krylov->forget(s->krylov);
    return good;
}

void solver_precondition(struct solver *s, const double *r, double *z)
{
    s->preconditioner->apply(s->preconditioner, r, NULL, z);
}

void solver_keep_history(struct solver *s) { keep_history(s->krylov); }

struct linear_history *solver_history(const struct solver *s)
{
    size_t own = (size_t)s->krylov->iterations + !s->fell_back;
    size_t more = s->fell_back ? (size_t)s->fallback->krylov->iterations + 1 : 0;
    struct linear_history *h;
    NEW(h, own + more);
    device_download(h, s->krylov->history, own * sizeof *h);
    if (more) device_download(h + own, s->fallback->krylov->history, more * sizeof *h);
    return h;
}
