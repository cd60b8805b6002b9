#include <math.h>
#include "base/log.h"
#include "gpu/sums.h"
#include "run/report.h"
#include "flow/transient.h"

void report_interface(struct interface *i, double spacing)
{
    struct interface_summary s;
    interface_summarise(i, &s);
    long long cut = count_over_ranks(s.n_cut);
    log_print("interface  volume %.10g of the second fluid, %lld cells cut by planes of area %.6g; smallest cell "
              "%.4g\n", s.volume, cut, s.area, spacing);
}

/* How far a fraction is outside [0, 1], at most. */
static double outside(const struct interface_summary *s) { return fmax(0, fmax(-s->lowest, s->highest - 1)); }

void report_step(const struct transient *t, const struct transient_report *r, double eta, bool head)
{
    char left[32];
    const struct interface_summary *i = &r->interface;
    if (head) {
        log_print("%9s  %11s  %9s  %8s", "step", "time", "step size", "Courant");
        if (t->f.interface) log_print(" interface");
        log_print("    max |u|");
        if (!flow_is_advection(t->f.c)) log_print("  continuity  inner u     p");
        if (t->f.interface) log_print("  volume error    outside  plane area");
        log_print("      left\n");
    }
    report_time(left, sizeof left, eta);
    log_print("%9lld  %11.6g  %9.3e  %8.4f", (long long)t->steps, t->time, t->step, r->courant);
    if (t->f.interface) log_print("  %8.4f", r->interface_courant);
    log_print("  %9.3e", r->speed);
    if (!flow_is_advection(t->f.c))
        log_print("   %9.3e  %7d %5d", r->continuity, r->velocity_solve.iterations, r->pressure_solve.iterations);
    if (t->f.interface) log_print("     %9.2e  %9.2e  %10.6g", i->volume_error, outside(i), i->area);
    log_print("  %8s\n", left);
}

void report_step_progress(const struct transient *t, const struct transient_report *r, double eta)
{
    char left[32];
    report_time(left, sizeof left, eta);
    log_progress("%9lld   t = %.6g of %g, step %.3e, Courant %.3f   continuity %9.3e   %s left", (long long)t->steps,
                 t->time, t->f.c->time.end, t->step, r->courant, r->continuity, left);
}
