/* report.h: reports of a run: the first page, why it diverged, the closing summary. */
#ifndef POISE_REPORT_H
#define POISE_REPORT_H
#include <stdbool.h>
#include <stdint.h>
#include "run/advice.h"
#include "flow/simple.h"

/* Program, device, mesh, memory; settings into log.txt only.  mesh_seconds: time for reading and ordering it. */
void report_start(const struct flow *f, const struct case_source *source, const struct mesh *m, double mesh_seconds,
                  bool in_time);
/* Reports a divergence: when ("iteration 12") and how it occurred, the location, and what to change. */
void report_divergence(const struct situation *s, const char *when, const char *how);
/* What to change in a case: a list. */
void report_advice(const struct advices *a);
/* Iterations or steps, wall time by phase, cells per second, memory. what: "step"; steps: of this run only. */
void report_end(struct flow *f, const char *what, int64_t steps, double seconds);
double worst_residual(const struct flow *f, const struct simple_report *r);
/* A warning if nothing in the case moves its fluid, except possibly the state of a checkpoint; else NULL. */
const char *rest_warning(const struct flow_setting *c);
/* "53 min"; "< 53 min" for -53 * 60: at most that long. */
void report_time(char *text, size_t size, double left);
#endif
