/* Output of `poise solve`: printed tables and files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/log.h"
#include "command/solve.h"
#include "gpu/device.h"
#include "gpu/ranks.h"

bool report_system(const struct solve *s, struct error *e)
{
    const struct linear_system *l = &s->system;
    struct pattern p = linear_system_layout(l);
    double rows = (double)l->n * l->block, square = l->block * l->block, padded = (double)p.n_padded;
    double matrix = (4 + 8 * square) * (double)p.n_stored + 8 * (square * padded + padded / WARP);
    double vectors = 3 * 8.0 * l->block * padded, available = (double)device_free_bytes(), solver = 0;
    for (int i = 0; i < s->n_methods; i++) {            /* they run one after the other, so the largest counts */
        double own = (double)solver_forecast(&p, l->block, &s->method[i].setting);
        solver = own > solver ? own : solver;
    }
    log_print("%s\n  machine   %s%s%s\n", l->name, device_description(), *device_note() ? "; " : "", device_note());
    char blocks[60] = "";
    if (l->block > 1) snprintf(blocks, sizeof blocks, " of blocks of %d x %d", l->block, l->block);
    log_print("  matrix    %d rows%s, %lld entries (%.2f a row)%s%s%s%s\n", l->n, blocks, (long long)l->start[l->n],
              (double)l->start[l->n] / l->n, l->block > 1 ? "" : l->nonsymmetric ? ", not symmetric" : ", symmetric",
              *l->asymmetry ? ": " : "", l->asymmetry,
              !l->singular ? "" : l->block > 1 ? ", singular: the last unknown's constant"
              : ", singular: rows add up to zero");
    log_print("  host      %s in %.1f s, put in order (%s) in %.1f s\n", s->generate ? "made" : "read", s->read_seconds,
              l->ordering == ORDERING_NONE ? "as in the file" : ordering_words[l->ordering], s->order_seconds);
    log_print("  mod.SELL  %d slices of %d rows, lambda %.3f, padding %.1f %%\n", p.n_slices, SLICE,
              p.n_entries ? (double)p.n_local / (double)p.n_entries : 1.0,
              p.n_stored ? 100 * (double)(p.n_stored - p.n_entries) / (double)p.n_stored : 0.0);
    int ranks = ranks_count(), before, together = device_kind() == DEVICE_CPU ? ranks_here(&before) : 1;
    double all = (matrix + vectors + solver) * together / ranks;
    if (ranks > 1)
        log_print("  ranks     %d, %d on this machine (%s), of about %d slices each\n", ranks, ranks_here(&before),
                  ranks_transport(), p.n_slices / ranks);
    log_print("  memory    forecast: matrix %.1f B a row, b, x and b - A x %.1f, the solver up to %.1f: %.1f MB of "
              "%.0f MB free\n", matrix / rows, vectors / rows, solver / rows, 1e-6 * all, 1e-6 * available);
    if (all <= available) return true;
    return refuse(e, EXIT_RESOURCE, "%s: matrix, vectors and solver take %.0f MB, %.0f MB are free on the device",
                  l->name, 1e-6 * all, 1e-6 * available);
}

/* Width of the table's first column. */
static int name_width(const struct solve *s)
{
    int width = 16;
    for (int i = 0; i < s->n_methods; i++) {
        int n = (int)strlen(s->method[i].name);
        if (n > width) width = n;
    }
    return width;
}

void report_heading(const struct solve *s)
{
    char applications[40] = "";
    if (s->applications) snprintf(applications, sizeof applications, " %6d x M s", s->applications);
    log_print("\n%-*s %10s %10s%s %10s %10s %12s %10s %9s %8s\n", name_width(s), "method", "set-up s", "refresh s",
              applications, "solve s", "iterations", "s/iteration", "residual", "MB", "B/row");
}

static const char *words_of(const struct method *m)
{
    switch (m->result.status) {
    case LINEAR_CONVERGED:
        return m->inexact ? "not converged: rounding keeps the true residual above the tolerance" : "";
    case LINEAR_MAX_ITERATIONS: return "not converged";
    case LINEAR_BREAKDOWN:
        return m->setting.method == METHOD_CG || m->setting.method == METHOD_STATIONARY
                   ? "breakdown: the matrix or the preconditioner is not positive definite"
                   : "breakdown: the matrix is singular, or the method cannot continue with this residual";
    case LINEAR_NOT_FINITE: return "diverged: values are no longer finite";
    case LINEAR_REFUSED: return "refused";
    }
    return "";
}

void report_method(const struct method *m, const struct solve *s)
{
    const char *words = words_of(m);
    int width = name_width(s);
    if (m->refused || m->result.status == LINEAR_REFUSED) {
        log_print("%-*s rejected: %s\n", width, m->name, m->refused ? m->e.text : m->note);
        return;
    }
    int iterations = m->result.iterations;
    char more[200] = "", applications[40] = "";
    if (s->applications) snprintf(applications, sizeof applications, " %12.5f", m->applications);
    if (m->result.restarts)
        snprintf(more, sizeof more, "  %d restart%s", m->result.restarts, m->result.restarts > 1 ? "s" : "");
    if (m->deflation_vectors) snprintf(more, sizeof more, "  %d deflation vector%s", m->deflation_vectors,
                                     m->deflation_vectors > 1 ? "s" : "");
    size_t length = strlen(more);
    if (*m->choice) snprintf(more + length, sizeof more - length, "  %s", m->choice);
    log_print("%-*s %10.5f %10.5f%s %10.5f %10d %12.3e %10.2e %9.1f %8.1f%s%s%s%s%s\n", width, m->name, m->set_up,
              m->refresh, applications, m->solve, iterations, m->solve / (iterations > 0 ? iterations : 1), m->residual,
              1e-6 * (double)m->bytes, (double)m->bytes / s->a.p.n / s->a.block, more, *words ? "  " : "", words,
              *m->note ? "  " : "", m->note);
    if (s->condition && !(m->condition.least > 0))
        log_print("%*s condition number unknown: too few iterations\n", width, "");
    else if (s->condition)
        log_print("%*s condition number %.4g: eigenvalues %.4g .. %.4g\n", width, "",
                  m->condition.most / m->condition.least, m->condition.least, m->condition.most);
}

static void print_history(FILE *out, const struct solve *s)
{
    int longest = -1;
    fputs("iteration", out);
    for (int k = 0; k < s->n_methods; k++) {
        const struct method *m = &s->method[k];
        fprintf(out, ",%s", m->name);
        if (m->history && m->result.iterations > longest) longest = m->result.iterations;
    }
    fputc('\n', out);
    for (int i = 0; i <= longest; i++) {
        fprintf(out, "%d", i);
        for (int k = 0; k < s->n_methods; k++) {
            const struct method *m = &s->method[k];
            if (m->history && i <= m->result.iterations) fprintf(out, ",%.6e", m->history[i]);
            else fputc(',', out);
        }
        fputc('\n', out);
    }
}

bool report_history(const struct solve *s, struct error *e)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) die("open_memstream: %s", strerror(errno));
    print_history(out, s);
    if (fclose(out)) die("%s could not be composed in memory: %s", s->history, strerror(errno));
    bool good = file_replace(s->history, text, bytes, e);
    free(text);
    return good;
}
