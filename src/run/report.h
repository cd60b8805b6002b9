/* report.h: what a run says: the first page, why it diverged, the closing summary. */
#ifndef POISE_REPORT_H
#define POISE_REPORT_H
#include <stdbool.h>
#include <stdint.h>
#include "run/advice.h"
#include "flow/simple.h"

/* Program, machine, mesh, memory; settings into log.txt alone.  mesh_seconds: what reading and ordering it took. */
void report_start(const struct flow *f, const struct case_source *source, const struct mesh *m, double mesh_seconds,
                  bool in_time);
/* Tells a divergence: when ("iteration 12") and how it came, what the place is like, and what to change. */
void report_divergence(const struct situation *s, const char *when, const char *how);
/* What to change in a case: a list. */
void report_advice(const struct advices *a);
/* Iterations or steps, wall time by phase, cells per second, memory. what: "step"; steps: of this run alone. */
void report_end(struct flow *f, const char *what, int64_t steps, double seconds);
double worst_residual(const struct flow *f, const struct simple_report *r);
/* A warning where a case has nothing that moves its fluid: only what a checkpoint brings could move; else NULL. */
const char *rest_warning(const struct flow_setting *c);
/* "53 min"; "< 53 min" for -53 * 60: at most so long. */
void report_time(char *text, size_t size, double left);
#endif
