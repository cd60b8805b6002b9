#include "flow/run.h"
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/log.h"
#include "base/timer.h"
#include "flow/monitor.h"
#include "flow/pressure_system.h"
#include "flow/report.h"
#include "flow/simple.h"
#include "flow/write.h"
#include "gpu/device.h"
#include "io/output.h"
#include "mesh/mesh.h"

struct run {
    const struct case_settings *c;
    const struct run_options *o;
    struct mesh m;
    struct simple simple;
    struct flow *f;             /* its fields */
    struct monitors *monitors;
    struct output *output;
    struct csv *residuals;
    char checkpoint[PATH_LENGTH + 32];
    int64_t first, step;        /* step of the checkpoint that this run goes on from, or 0; steps done */
    char note[300];             /* of the pressure solver, the last one; it is told once */
    int64_t written;            /* last step whose fields are on the disk */
    double start, before;       /* clock at the first iteration; seconds that earlier runs spent */
    double speed;               /* largest velocity that the conditions impose; 0: none */
    double residual_before;     /* for the time left: worst residual some iterations ago */
    double eta_decay;           /* its decay per iteration, ln */
};

/* Ctrl-C, or a batch system whose time is up: the run ends after the iteration with fields and checkpoint.  The same
 * signal once more ends it at once.  Signals that are ignored (a run in the background) stay so. */
static volatile sig_atomic_t stop_asked;

static void ask_to_stop(int number) { stop_asked = number; }

static void catch_signals(void)
{
    static const int number[] = {SIGINT, SIGTERM};
    struct sigaction old, stop = {.sa_handler = ask_to_stop, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    stop_asked = 0;
    for (int i = 0; i < 2; i++)
        if (!sigaction(number[i], NULL, &old) && old.sa_handler == SIG_DFL) sigaction(number[i], &stop, NULL);
}

static double imposed_speed(const struct case_settings *c)
{
    double most = 0, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < c->n_boundaries; i++) {
        const double *u = c->boundary[i].velocity;
        most = fmax(most, sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
        if (c->boundary[i].type != BOUNDARY_OUTLET) continue;
        low = fmin(low, c->boundary[i].pressure), high = fmax(high, c->boundary[i].pressure);
    }
    const double *u = c->initial_velocity;
    most = fmax(most, sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    return high > low ? fmax(most, sqrt(2 * (high - low) / c->density)) : most;
}

static bool open_files(struct run *r, struct error *e)
{
    const struct case_settings *c = r->c;
    char path[PATH_LENGTH + 32], header[128] = "iteration,velocity_x,velocity_y";
    if (r->o->restart && !peek_checkpoint(r->checkpoint, &r->m, &r->first, e)) return false;
    if (!r->o->restart) unlink(r->checkpoint);
    r->output = output_open(c->directory, c->name, &r->m, r->o->restart, r->first, e);
    if (!r->output) return false;
    if (r->m.dim == 3) strcat(header, ",velocity_z");
    strcat(header, ",pressure,continuity,inner_velocity,inner_pressure");
    snprintf(path, sizeof path, "%s/residuals.csv", c->directory);
    r->residuals = csv_open(path, header, r->o->restart, r->first, e);
    if (!r->residuals) return false;
    r->monitors = monitors_create(c, &r->m, r->f, c->directory, r->o->restart, r->first, e);
    if (!r->monitors) return false;
    struct state state[MOST_STATE];
    int n = simple_state(&r->simple, state);
    return !r->o->restart || read_checkpoint(r->checkpoint, r->f, state, n, r->monitors, &r->m, &r->step, &r->before, e);
}

static bool write_row(struct run *r, const struct simple_report *s, struct error *e)
{
    double value[8];
    int n = 0;
    for (int k = 0; k < r->m.dim; k++) value[n++] = s->velocity[k];
    value[n++] = s->pressure, value[n++] = s->continuity;
    value[n++] = s->velocity_solve.iterations, value[n++] = s->pressure_solve.iterations;
    return csv_row(r->residuals, r->step, value, n, e);
}

static bool save_checkpoint(struct run *r, struct error *e)
{
    double spent = r->before + wall_seconds() - r->start;
    struct state state[MOST_STATE];
    int n = simple_state(&r->simple, state);
    return write_checkpoint(r->checkpoint, r->f, state, n, r->monitors, &r->m, r->step, &spent, e);
}

/* Seconds to the tolerance at the pace at which the worst residual fell lately, at most to the last iteration; negative
 * while that pace is not known: then those to the last iteration. */
static double time_left(struct run *r, double worst, double pace)
{
    enum { SPAN = 50 };
    if (r->step % SPAN == 0) {
        if (r->residual_before > 0) r->eta_decay = log(r->residual_before / worst) / SPAN;
        r->residual_before = worst;
    }
    double left = (double)(r->c->max_iterations - r->step);
    if (r->eta_decay <= 0) return -pace * left;
    return pace * fmax(fmin(left, log(worst / r->c->tolerance) / r->eta_decay), 0);
}

/* Rows of the table: the first ones, then at round numbers. */
static bool row_is_due(int64_t step) { return step <= 5 || (step <= 50 ? step % 10 == 0 : step % 100 == 0); }

static void tell_note(struct run *r, const struct simple_report *s)
{
    const char *note = s->pressure_solve.note ? s->pressure_solve.note : "";
    if (*note && strcmp(note, r->note)) log_print("%9" PRId64 "   pressure solve: %s\n", r->step, note);
    snprintf(r->note, sizeof r->note, "%s", note);
}

static void tell(struct run *r, const struct simple_report *s, bool last)
{
    if (s->pressure_solve.status != LINEAR_REFUSED) tell_note(r, s);
    double pace = (wall_seconds() - r->start) / (double)(r->step - r->first), rate = r->m.n_cells / pace;
    double eta = last ? 0 : time_left(r, worst_residual(r->f, s), pace);
    if (last || row_is_due(r->step)) report_row(r->f, r->step, s, rate, eta, r->step == r->first + 1);
    else report_progress(r->f, r->step, s, rate, eta);
}

static const char *trouble(struct run *r, const struct simple_report *s)
{
    if (!isfinite(worst_residual(r->f, s)) || !isfinite(s->continuity)) return "a residual is not a number";
    if (s->velocity_solve.status == LINEAR_NOT_FINITE) return "the momentum solve met a value that is not a number";
    if (s->pressure_solve.status == LINEAR_NOT_FINITE) return "the pressure solve met a value that is not a number";
    if (s->pressure_solve.status == LINEAR_REFUSED) return s->pressure_solve.note;
    if (s->pressure_solve.status == LINEAR_BREAKDOWN) return "the pressure matrix is no longer positive definite";
    if (r->step % 10 == 0 && r->speed > 0 && flow_fastest(r->f) > 1000 * r->speed)
        return "the velocity has grown to over 1000 times what the conditions impose";
    return NULL;
}

/* Fields, lines and checkpoint at the end, or where they are due. */
static bool save(struct run *r, bool last, struct error *e)
{
    const struct case_settings *c = r->c;
    if (last || (c->output_every && r->step % c->output_every == 0)) {
        if (!write_fields(r->output, r->f, r->step, (double)r->step, e) || !monitors_write_lines(r->monitors, e)) return false;
        r->written = r->step;
    }
    return (!last && (!c->checkpoint_every || r->step % c->checkpoint_every)) || save_checkpoint(r, e);
}

static void report_unconverged(struct run *r, const struct simple_report *s)
{
    int worst;
    double change;
    log_print("\nNOT CONVERGED: after %" PRId64 " iterations the worst residual is %.3e; solver.tolerance is %.1e", r->step,
              worst_residual(r->f, s), r->c->tolerance);
    if (!monitors_steady(r->monitors, &worst, &change))
        log_print(", and convergence.%s still changes by %.2e (wanted %.1e)", r->c->monitor[worst].name, change,
                  r->c->monitor[worst].tolerance);
    log_print(".\n  Go on with --restart --set solver.max_iterations=%d, or see residuals.csv whether it still falls.\n",
              2 * r->c->max_iterations);
}

/* Iterations to the end; *how: what went wrong, or NULL. */
static bool iterate_to_end(struct run *r, struct simple_report *s, const char **how, enum exit_status *status, struct error *e)
{
    for (bool last = false; !last && r->step < r->c->max_iterations;) {
        int worst;
        double change;
        simple_iterate(&r->simple, s);
        r->step++;
        *how = trouble(r, s);
        bool due = r->step % r->c->report_every == 0;
        if (due && !(write_row(r, s, e) && monitors_record(r->monitors, r->step, e))) return false;
        bool converged = !*how && worst_residual(r->f, s) < r->c->tolerance
                      && (r->c->n_monitors == 0 || (due && monitors_steady(r->monitors, &worst, &change)));
        *status = *how ? EXIT_DIVERGED : converged ? EXIT_CONVERGED : EXIT_NOT_CONVERGED;
        last = *how || converged || stop_asked || r->step == r->c->max_iterations;
        tell(r, s, last);
        if (!last && !save(r, false, e)) return false;
    }
    return true;
}

static bool iterate(struct run *r, enum exit_status *status, struct error *e)
{
    struct simple_report s;
    const char *how = NULL;
    r->start = wall_seconds();
    *status = EXIT_NOT_CONVERGED;
    catch_signals();
    if (!iterate_to_end(r, &s, &how, status, e)) return false;
    double seconds = wall_seconds() - r->start;
    if (*status == EXIT_DIVERGED) return report_divergence(r->f, &r->m, r->step, how), true;
    if (*status == EXIT_NOT_CONVERGED && r->step == r->first)
        log_print("\nNothing to do: the checkpoint is at iteration %" PRId64 ", solver.max_iterations is %d.\n", r->first,
                  r->c->max_iterations);
    else if (*status == EXIT_NOT_CONVERGED && stop_asked)
        log_print("\nSTOPPED by signal %d after %" PRId64 " iterations, the worst residual is %.3e: go on with --restart.\n",
                  (int)stop_asked, r->step, worst_residual(r->f, &s));
    else if (*status == EXIT_NOT_CONVERGED) report_unconverged(r, &s);
    else log_print("\nCONVERGED in %" PRId64 " iterations.\n", r->step);
    monitors_print(r->monitors);
    report_end(r->f, r->step - r->first, seconds);
    return save(r, true, e);
}

static bool run_on_mesh(struct run *r, double mesh_seconds, enum exit_status *status, struct error *e)
{
    if (!simple_create(&r->simple, r->c, &r->m, e)) return false;
    r->f = &r->simple.f;
    r->speed = imposed_speed(r->c);
    bool good = open_files(r, e);
    if (good) report_start(r->f, &r->m, mesh_seconds);
    if (good && r->o->restart) log_print("restart    after iteration %" PRId64 "\n\n", r->step);
    good = good && iterate(r, status, e);
    if (good && r->written) log_print("results    %s/%s.xdmf (open it in ParaView)\n", r->c->directory, r->c->name);
    if (good && r->o->digest) log_print("digest %016" PRIx64 "\n", fields_digest(r->f, &r->m));
    if (good && r->o->pressure_file && *status != EXIT_DIVERGED) {
        simple_assemble_pressure(&r->simple);
        good = pressure_system_write(r->f, r->f->rhs, &r->m, r->o->pressure_file, e);
        if (good) log_print("pressure   the system of iteration %" PRId64 ": %s\n", r->step + 1, r->o->pressure_file);
    }
    if (r->monitors) monitors_free(r->monitors);
    if (r->residuals) csv_close(r->residuals);
    if (r->output) output_close(r->output);
    simple_free(&r->simple);
    return good;
}

enum exit_status flow_run(const struct case_settings *c, const struct run_options *o, struct error *e)
{
    struct run r = {.c = c, .o = o};
    enum exit_status status = EXIT_CONVERGED;
    char log[PATH_LENGTH + 32];
    snprintf(r.checkpoint, sizeof r.checkpoint, "%s/checkpoint.h5", c->directory);
    snprintf(log, sizeof log, "%s/log.txt", c->directory);
    double start = wall_seconds();
    if (case_is_transient(c))
        return refuse(e, EXIT_INPUT, "%s: solver.algorithm = \"%s\" cannot be run yet", c->path, algorithms[c->algorithm]), e->status;
    if (!device_open(o->device, o->threads, e)) return e->status;
    bool good = directory_make(c->directory, e) && mesh_of_case(&r.m, c, c->directory, e);
    if (good) {
        good = log_open(log, o->restart, o->quiet, e) && run_on_mesh(&r, wall_seconds() - start, &status, e);
        if (!good) log_file_only("%s\n", e->text);           /* the terminal has it from main */
        log_close();
        mesh_free(&r.m);
    }
    device_close();
    return good ? status : e->status;
}
