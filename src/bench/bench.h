/* bench.h: poise bench, the program's own measurements.  A subject is one function in the table of bench.c. */
#ifndef POISE_BENCH_H
#define POISE_BENCH_H
#include <stdbool.h>
#include "gpu/kernel.h"
#include "gpu/stopwatch.h"
#include "mesh/mesh.h"
#include "run/case_settings.h"
#include "solve/pattern.h"

struct bench {
    struct mesh mesh;           /* complete; empty if a matrix is given, and for scaling */
    const char *mesh_name;      /* as given by the user */
    const char *generate;       /* for scaling: a generator of linear systems instead of the mesh, or NULL */
    const char *only;           /* for scaling: the parts to measure, "solve,strong"; NULL: all */
    const char *matrix;         /* file of a matrix to use instead of the mesh, or NULL */
    int32_t n;                  /* cells, or rows */
    bool standard;              /* solver.accuracy of the case is "standard" instead of "high" */
    int repeat;                 /* number of measurements, of which the median is reported */
    double copy, memory_copy;   /* bytes/s: a kernel y = x on arrays much larger than the caches; device_copy() */
    double *evict;              /* written between measurements to evict the caches */
    int64_t n_evict;
};

/* Measures the two bandwidths and prints them with the device and the mesh. */
void bench_machine(struct bench *b);
/* Median seconds of work(context), which may launch kernels and need not wait: with several ranks from the common start
 * to the end of the last one.  cold: the caches are evicted before. */
double bench_seconds(const struct bench *b, bool cold, void (*work)(void *context), void *context);
double bench_median(double *seconds, int n);            /* sorts them */
/* Calls work(context) repeatedly, discarding the first warm_up calls: median seconds for each phase of the stopwatch
 * and, last, for the whole, [N_PHASES + 1]; with several ranks, called by all together, the maximum over the ranks. */
void bench_phases(struct stopwatch *watch, int warm_up, int repeat, void (*work)(void *context), void *context,
                  double *median);
/* One line of a table: time, bytes moved, bandwidth and its ratio to the copy kernel's.  note: appended, or "". */
void bench_heading(const char *what);
void bench_line(const struct bench *b, const char *name, double seconds, int64_t bytes, const char *note);

/* A vector for the pattern on the device: random numbers in -0.5 .. 0.5, zero in the padding. */
double *bench_vector(const struct pattern *p, int seed);

/* The lid-driven cavity at Re 1000 (width of the mesh) with default settings: the boundary "top" or "lid" moves along x
 * with velocity 1, all others are walls at rest.  The caller frees it. */
bool bench_cavity(struct case_settings *c, const struct mesh *m, struct error *e);
/* Bubbles with a tenth of the density in a row along the last direction, one per width of the mesh in x; all boundaries
 * are walls.  The caller frees it. */
bool bench_bubbles(struct case_settings *c, const struct mesh *m, struct error *e);

/* NVIDIA's libraries for comparison: peers.h, NULL if they are not available (reason then says why). */
struct peers;
const struct peers *bench_peers(const char **reason);

/* Subjects: false with a message if the mesh cannot be used. */
bool bench_formats(struct bench *b, struct error *e);
bool bench_cg(struct bench *b, struct error *e);
bool bench_assembly(struct bench *b, struct error *e);
bool bench_simple(struct bench *b, struct error *e);
bool bench_scaling(struct bench *b, struct error *e);

/* An iteration of SIMPLEC on a mesh, or with several ranks each on its part of it, with the case from bench_cavity():
 * medians as from bench_phases(); false with a message. */
bool bench_iteration(const struct bench *b, const struct case_settings *c, const struct mesh *m, double *median,
                     struct error *e);
/* The part of bench scaling that measures SIMPLEC and time steps; only: which of SCALING_.. to measure. */
enum { SCALING_SOLVE = 1, SCALING_SIMPLEC = 2, SCALING_BUBBLES = 4, SCALING_STRONG = 8, SCALING_WEAK = 16 };
bool bench_scaling_flow(const struct bench *b, unsigned only, struct error *e);

struct bench_copy_args { double *y; const double *x; };
KERNEL(bench_copy, struct bench_copy_args)
#endif
