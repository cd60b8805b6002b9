/* poise bench spmv: y = A x. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/peers/peers.h"
#include "gpu/device.h"

static void product(void *context)
{
    const struct spmv_args *args = context;
    mod_sell_spmv(args, args->a.n_slices);
}

/* The peers on the same matrix and vector; their y must be ours. */
static void measure_peers(const struct bench *b, const struct bench_system *s, const double *x, const double *ours)
{
    static const char *const names[] = {[PEERS_CSR] = "cuSPARSE CSR", [PEERS_SLICED_ELL] = "cuSPARSE sliced ELL"};
    const char *reason;
    const struct peers *peers = bench_peers(&reason);
    if (!peers) {
        printf("cuSPARSE                           not measured: %s\n", reason);
        return;
    }
    struct peers_matrix a = {s->a.n, s->start, s->column, s->value};
    double *y, *seconds;
    NEW(y, a.n), NEW(seconds, b->repeat);
    for (int f = PEERS_CSR; f <= PEERS_SLICED_ELL; f++) {
        int64_t bytes;
        const char *wrong = peers->spmv(&a, (enum peers_format)f, b->repeat, x, y, seconds, &bytes);
        if (wrong) {
            printf("%-34s not measured: %s\n", names[f], wrong);
            continue;
        }
        double worst = 0;
        char note[64];
        for (int32_t i = 0; i < a.n; i++) worst = fmax(worst, fabs(y[i] - ours[i]) / s->value[s->start[i]]);
        snprintf(note, sizeof note, "differs from ours by %.1e", worst);
        bench_line(b, names[f], bench_median(seconds, b->repeat), bytes, note);
    }
    free(y), free(seconds);
}

bool bench_spmv(struct bench *b, struct error *e)
{
    (void)e;
    struct bench_system s;
    bench_system(&s, &b->mesh);
    int64_t n = s.a.n_padded;
    double *x = bench_vector(s.a.n, n, 1), *y = bench_vector(s.a.n, n, 2), *host_x, *host_y;
    char note[100];
    struct spmv_args args = {s.a, x, y};
    bench_heading("product, caches cold");
    double seconds = bench_seconds(b, true, product, &args);
    snprintf(note, sizeof note, "lambda %.3f, %.1f %% padding", (double)s.a.n_local / (double)s.a.n_entries,
             100.0 * (double)(s.a.n_stored - s.a.n_entries) / (double)s.a.n_stored);
    bench_line(b, "mod.SELL", seconds, mod_sell_bytes(&s.a), note);
    bench_line(b, "mod.SELL, caches as they are", bench_seconds(b, false, product, &args), mod_sell_bytes(&s.a), "");
    NEW(host_x, n), NEW(host_y, n);
    device_download(host_x, x, (size_t)n * sizeof *x);
    device_download(host_y, y, (size_t)n * sizeof *y);
    measure_peers(b, &s, host_x, host_y);
    free(host_x), free(host_y);
    device_free(x), device_free(y);
    bench_system_free(&s);
    return true;
}
