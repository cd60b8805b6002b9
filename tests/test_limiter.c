/* The room of corrections to diffusion (assembly/limiter.h): what a cell's equation leaves for them. */
#include "flow_fixture.h"
#include "assembly/limiter.h"

static double *random_array(int64_t n, double low, double high, uint64_t *state)
{
    double *x;
    NEW(x, n);
    for (int64_t i = 0; i < n; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        x[i] = low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
    }
    return x;
}

static double *on_device(const double *x, int64_t n)
{
    double *to = device_alloc((size_t)n * sizeof *to, "test");
    device_upload(to, x, (size_t)n * sizeof *to);
    return to;
}

/* Sums of corrections into a cell: positive, negative, and what the present shares keep of both. */
struct sums_of_cell { double plus, minus, plus_kept, minus_kept; };

static void add(struct sums_of_cell *c, double into, double share)
{
    if (into > 0) c->plus += into, c->plus_kept += share * into;
    else c->minus += into, c->minus_kept += share * into;
}

static double share(double room, double wanted) { return wanted <= room ? 1 : room > 0 ? room / wanted : 0; }

/* With x = 0 between -1 and 1: a_P (1 - 0) - rhs less the negative corrections that remain, and likewise below. */
static void shares_are_what_the_equation_leaves(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_TETRAHEDRA};
    open_device();
    for (int i = 0; i < 3; i++) {
        struct trial w;
        struct simple_report r;
        struct box_setting box = grid_box(kinds[i], 4, 0.2);
        uint64_t seed = 7;
        char text[500];
        snprintf(text, sizeof text, "fluid = { viscosity = 0.1; };\nboundary = { left = { type = \"outlet\"; "
                 "pressure = 1.0; }; right = { type = \"outlet\"; }; bottom = { type = \"wall\"; }; "
                 "top = { type = \"wall\"; }; %s };\n",
                 grid_dim(kinds[i]) == 3 ? "back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "");
        trial_open(&w, kinds[i], &box, false, text);
        simple_iterate(&w.simple, &r);
        const struct stencil *s = &w.f->s;
        double *diag = FROM_DEVICE(w.f->momentum.diag, s->n_cells), *none, most = 0;
        NEW(none, s->pitch);
        for (int32_t c = 0; c < s->n_cells; c++) most = fmax(most, diag[c]);
        double *correction = random_array(s->n_faces, -most, most, &seed);
        double *rhs = random_array(s->pitch, -most, most, &seed);
        double *plus = random_array(s->pitch, 0, 1, &seed), *minus = random_array(s->pitch, 0, 1, &seed);
        struct limiter_args l = {.s = *s, .x = on_device(none, s->pitch), .bounds = {-1, 1, NULL, KEEPS_BOTH},
                                 .rhs = on_device(rhs, s->pitch), .correction = on_device(correction, s->n_faces),
                                 .lowest = on_device(none, s->pitch), .highest = on_device(none, s->pitch),
                                 .plus = on_device(plus, s->pitch), .minus = on_device(minus, s->pitch)};
        limiter_shares(&(struct limiter_shares_args){l, w.f->momentum}, s->n_slices);
        double *highest = FROM_DEVICE(l.highest, s->n_cells), *lowest = FROM_DEVICE(l.lowest, s->n_cells), worst = 0;
        struct sums_of_cell *sum;
        NEW(sum, s->n_cells);
        for (int32_t f = 0; f < s->n_internal; f++) {
            const int32_t p = w.m.face_owner[f], o = w.m.face_neighbour[f];
            const double into = correction[f];
            add(&sum[p], into, into > 0 ? fmin(plus[p], minus[o]) : fmin(minus[p], plus[o]));
            add(&sum[o], -into, into > 0 ? fmin(plus[p], minus[o]) : fmin(minus[p], plus[o]));
        }
        for (int32_t c = 0; c < s->n_cells; c++) {
            const double up = diag[c] - rhs[c] - sum[c].minus_kept, down = diag[c] + rhs[c] + sum[c].plus_kept;
            if (sum[c].plus > 0) worst = fmax(worst, fabs(highest[c] - share(up, sum[c].plus)));
            if (sum[c].minus < 0) worst = fmax(worst, fabs(lowest[c] - share(down, -sum[c].minus)));
        }
        print_message("# %s: shares %.2g off\n", grid_name[kinds[i]], worst);
        assert_true(worst < 1e-12);
        double *const arrays[] = {diag, none, correction, rhs, plus, minus, highest, lowest};
        for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
        free(sum);
        const void *const there[] = {l.x, l.rhs, l.correction, l.lowest, l.highest, l.plus, l.minus};
        for (size_t k = 0; k < sizeof there / sizeof *there; k++) device_free((void *)there[k]);
        trial_close(&w);
    }
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_what_the_equation_leaves)};
    return RUN_TESTS("limiter", tests);
}
