/* poise bench formats: y = A x in every format. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/formats.h"
#include "gpu/device.h"
#include "solve/matrix.h"
#include "system/laplacian.h"
#include "system/matrix_file.h"

static const char *const names[] = {[FORMAT_SLICED_ELL] = "sliced ELL", [FORMAT_CSR] = "CSR", [FORMAT_HEC] = "HEC"};
static const char *const peer_names[] = {[PEERS_CSR] = "cuSPARSE CSR", [PEERS_SLICED_ELL] = "cuSPARSE sliced ELL"};
enum { BUILDS = 5 };                    /* builds per median */

/* A system, its vectors on the device, and on the host its product by mod.SELL, which all formats must reproduce. */
struct products {
    const struct bench *b;
    struct linear_system s;
    struct matrix a;
    struct peers_matrix csr;
    double *x, *y;
    double *host_x, *ours;
    enum format format;
    struct format_args args;
};

static void product(void *context)
{
    const struct products *p = context;
    matrix_product(&p->a, p->x, p->y);
}
static void other_product(void *context)
{
    const struct products *p = context;
    format_product(&p->args, p->format);
}

/* Builds the format from CSR on the host (this and the next function first free the previous result). */
static void build(void *context)
{
    struct products *p = context;
    matrix_free_alone(&p->a);
    linear_system_upload(&p->s, &p->a);
}
static void build_other(void *context)
{
    struct products *p = context;
    format_free(&p->args.f);
    format_create(&p->args.f, p->format, &p->csr);
}

static double build_seconds(const struct products *p, void (*work)(void *), void *context)
{
    struct bench few = *p->b;
    few.repeat = BUILDS;
    return bench_seconds(&few, false, work, context);
}

/* The largest difference from mod.SELL's product, relative to the diagonal. */
static double difference(const struct products *p, const double *y)
{
    double worst = 0;
    for (int32_t i = 0; i < p->csr.n; i++) worst = fmax(worst, fabs(y[i] - p->ours[i]) / p->csr.value[p->csr.start[i]]);
    return worst;
}

static double *download(const double *on_device, int64_t n)
{
    double *v;
    NEW(v, n);
    device_download(v, on_device, (size_t)n * sizeof *v);
    return v;
}

static void measure_mod_sell(struct products *p)
{
    const struct matrix *a = &p->a;
    char note[128];
    double built = build_seconds(p, build, p), seconds = bench_seconds(p->b, true, product, p);
    int64_t bytes = matrix_bytes(a), matrix = bytes - 16 * a->p.n_padded;
    snprintf(note, sizeof note, "%.1f B a row, built in %.1f ms; lambda %.3f, %.1f %% padding", (double)matrix / a->p.n,
             1e3 * built, (double)a->p.n_local / (double)a->p.n_entries,
             100.0 * (double)(a->p.n_stored - a->p.n_entries) / (double)a->p.n_stored);
    bench_line(p->b, "mod.SELL", seconds, bytes, note);
    bench_line(p->b, "mod.SELL, caches as they are", bench_seconds(p->b, false, product, p), bytes, "");
    p->host_x = download(p->x, a->p.n_padded), p->ours = download(p->y, a->p.n_padded);
}

static void measure_format(struct products *p)
{
    char note[128], width[32] = "";
    p->args = (struct format_args){.x = p->x, .y = p->y};
    double built = build_seconds(p, build_other, p), seconds = bench_seconds(p->b, true, other_product, p);
    int64_t matrix = format_bytes(&p->args.f);
    double *y = download(p->y, p->args.f.p.n_padded);
    if (p->format == FORMAT_HEC) snprintf(width, sizeof width, "; ELL width %d", p->args.f.width);
    snprintf(note, sizeof note, "%.1f B a row, built in %.1f ms; differs by %.1e%s", (double)matrix / p->csr.n,
             1e3 * built, difference(p, y), width);
    bench_line(p->b, names[p->format], seconds, matrix + 16 * (int64_t)p->csr.n, note);
    format_free(&p->args.f);
    free(y);
}

/* The product of NVIDIA's library, timed by its own events. */
static void measure_peers(const struct products *p)
{
    const char *reason;
    const struct peers *peers = bench_peers(&reason);
    double *y, *seconds;
    if (!peers) {
        log_print("cuSPARSE                           not measured: %s\n", reason);
        return;
    }
    NEW(y, p->csr.n), NEW(seconds, p->b->repeat);
    for (int f = PEERS_CSR; f <= PEERS_SLICED_ELL; f++) {
        int64_t bytes;
        char note[64];
        const char *wrong = peers->spmv(&p->csr, (enum peers_format)f, p->b->repeat, p->host_x, y, seconds, &bytes);
        if (wrong) {
            log_print("%-34s not measured: %s\n", peer_names[f], wrong);
            continue;
        }
        snprintf(note, sizeof note, "%.1f B a row; differs by %.1e", (double)bytes / p->csr.n - 16, difference(p, y));
        bench_line(p->b, peer_names[f], bench_median(seconds, p->b->repeat), bytes, note);
    }
    free(y), free(seconds);
}

/* The system from the file, in a suitable order, or the Laplacian of the mesh. */
static bool get_system(struct linear_system *s, struct bench *b, struct error *e)
{
    if (b->matrix) {
        if (!matrix_file_read(s, b->matrix, e)) return false;
        if (s->block > 1) {
            int block = s->block;
            linear_system_free(s);
            return refuse(e, EXIT_INPUT, "%s has blocks of %d rows; expected a matrix without", b->matrix, block);
        }
        b->n = s->n;
        log_print("%s: %d rows, %lld entries\n", b->matrix, s->n, (long long)s->start[s->n]);
    } else laplacian(s, &b->mesh, NULL, NULL);
    long long entries = (long long)s->start[s->n];
    bool few = entries <= INT32_MAX || refuse(e, EXIT_INPUT, "the matrix has %lld entries; CSR and HEC are measured "
                                              "with at most 2^31 - 1", entries);
    if (few && (!b->matrix || linear_system_order(s, s->ordering, e))) return true;
    linear_system_free(s);
    return false;
}

bool bench_formats(struct bench *b, struct error *e)
{
    struct products p = {.b = b};
    bool good = get_system(&p.s, b, e);
    if (good) {
        linear_system_upload(&p.s, &p.a);
        p.csr = (struct peers_matrix){p.s.n, p.s.start, p.s.column, p.s.value};
        p.x = bench_vector(&p.a.p, 1), p.y = bench_vector(&p.a.p, 2);
        bench_heading("product, caches cold");
        measure_mod_sell(&p);
        for (int f = 0; f < N_FORMATS; f++) p.format = (enum format)f, measure_format(&p);
        measure_peers(&p);
        free(p.host_x), free(p.ours);
        device_free(p.x), device_free(p.y);
        matrix_free_alone(&p.a);
        linear_system_free(&p.s);
    }
    return good;
}
