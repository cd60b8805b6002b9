/* The loop of every run: files, restart, steps to the end, what is told and saved after each. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/log.h"
#include "base/memory.h"
#include "base/timer.h"
#include "base/writer.h"
#include "flow/simple.h"
#include "gpu/ranks.h"
#include "run/report.h"
#include "run/run_parts.h"
#include "run/write.h"

const struct run_kind *run_kind_of(const struct flow_setting *c)
{
    return flow_is_transient(c) ? &transient_run : &steady_run;
}

/* ---------------------------------------------------------------- files */
/* For ranks that end. */
static void tell_ranks(const struct run *r)
{
    const char *word = r->kind->word;
    if (r->saved) ranks_now("after %s %" PRId64 ", checkpoint %s of %" PRId64, word, r->step, r->checkpoint, r->saved);
    else ranks_now("after %s %" PRId64 ", no checkpoint yet", word, r->step);
}

static bool open_files(struct run *r, struct error *e)
{
    const struct case_settings *c = r->c;
    char path[PATH_LENGTH + 32], header[(MOST_RESIDUALS + 2) * 2 * NAME_LENGTH] = "iteration";
    bool restart = r->o->restart;
    if (!restart) unlink(r->checkpoint);
    r->kind->header(r, header);
    r->output = output_open(c->output.directory, c->source->name, c->output.format, mesh_whole(&r->m), restart,
                            r->first, e);
    snprintf(path, sizeof path, "%s/residuals.csv", c->output.directory);
    if (r->output) r->residuals = csv_open(path, header, c->output.report_every, restart, r->first, e);
    if (!ranks_agree(r->residuals != NULL, e)) return false;
    r->monitors = monitors_create(c, &r->m, r->f, c->output.directory, restart, r->first, e);
    bool good = r->monitors &&
                changes_open(&r->changes, c->output.directory, c->source->settings, restart, r->first, e);
    return ranks_agree(good, e);
}

/* Does a restart find a run that came to its end, in a case that is the same since then?  Then nothing is computed or
 * written, and no file is open. */
static bool is_done(const struct run *r) { return r->ended > 0; }

/* Opens output, residuals.csv and monitors, and on a restart reads the state.  close_run() closes what is open, also
 * after a failure. */
static bool open_run(struct run *r, struct error *e)
{
    bool restart = r->o->restart;
    double ended = 0;
    if (!ranks_agree(!restart || peek_checkpoint(r->checkpoint, &r->m, r->c->flow.solver.algorithm, &r->first, &ended,
                                                 &r->settings_before, e), e)) return false;
    bool same = r->settings_before && changes_keep_end(r->settings_before, r->c->source->settings);
    r->ended = same ? ended : 0;
    if (!is_done(r) && !open_files(r, e)) return false;
    stage_done("files");
    bool good = !restart || (read_checkpoint(r->checkpoint, r->f, &r->m, &r->step, &r->before, e) &&
                             (!r->monitors || monitors_restored(r->monitors, r->checkpoint, r->step, e)));
    r->saved = r->step;
    tell_ranks(r);
    if (restart) stage_done("restart");
    return ranks_agree(good, e) && r->kind->restored(r, e);
}

static void close_run(struct run *r)
{
    if (r->monitors) monitors_free(r->monitors);
    if (r->residuals) csv_close(r->residuals);
    if (r->output) output_close(r->output);
    changes_close(&r->changes);
    free(r->settings_before);
}

/* "iteration 12", "step 12, t = 0.5". */
static void name_step(const struct run *r, char *text, size_t size)
{
    int n = snprintf(text, size, "%s %" PRId64, r->kind->word, r->step);
    if (r->kind->in_time) snprintf(text + n, size - (size_t)n, ", t = %g", r->time);
}

/* On a restart: where it begins, and what has changed in the case since the checkpoint. */
static bool tell_restart(struct run *r, struct error *e)
{
    char where[80];
    if (!r->o->restart) return true;
    name_step(r, where, sizeof where);
    log_print("restart    after %s\n", where);
    bool good = is_done(r) || changes_since(&r->changes, r->settings_before, e);
    log_print("\n");
    return ranks_agree(good, e);
}

static bool save_checkpoint(struct run *r, struct error *e)
{
    double begun = wall_seconds(), spent = r->before + begun - r->start;
    bool good = write_checkpoint(r->checkpoint, r->f, &r->m, r->step, &spent, &r->ended, r->changes.settings, e);
    control_wrote(&r->control, CONTROL_CHECKPOINT, wall_seconds() - begun + writer_longest());
    stage_done("checkpoint");
    if (!ranks_agree(good, e)) return false;
    r->saved = r->step;
    tell_ranks(r);
    return true;
}

bool run_save_fields(struct run *r, struct error *e)
{
    double begun = wall_seconds();
    if (!ranks_agree(write_fields(r->output, &r->c->output, r->f, &r->m, r->step, r->time, e), e) ||
        !monitors_write(r->monitors, r->step, r->time, e)) return false;
    control_wrote(&r->control, CONTROL_FIELDS, wall_seconds() - begun + writer_longest());
    stage_done("fields");
    r->written = r->step;
    return true;
}

/* Writes fields, lines and checkpoint at the end, or when they are due. */
static bool save(struct run *r, bool last, struct error *e)
{
    const struct output_setting *o = &r->c->output;
    bool fields = last || r->on_time || r->asked.write || run_is_due(r->step, o->every);
    if (fields && !run_save_fields(r, e)) return false;
    bool due = last || r->asked.write || r->asked.checkpoint || run_is_due(r->step, o->checkpoint_every);
    return !due || save_checkpoint(r, e);
}

/* Writes the rows of all tables that are due after a step, once; all: after the last one. */
static bool write_rows(struct run *r, bool all, struct error *e)
{
    const bool due = run_is_due(r->step, r->c->output.report_every);
    double value[MOST_RESIDUALS + 16];
    if (r->kind->tables && !r->kind->tables(r, all, e)) return false;
    if (r->recorded == r->step || (!all && !due)) return true;
    r->recorded = r->step;
    const int n = r->kind->row(r, value);
    return ranks_agree(csv_row(r->residuals, r->step, value, n, e), e) &&
           monitors_record(r->monitors, r->step, r->time, due, e);
}

/* Waits until all that was saved is on the disk. */
static bool files_are_written(struct error *e)
{
    const bool good = ranks_agree(writer_wait(e), e);
    stage_done("disk");
    return good;
}

/* Tells where the results are, and the digest if it was asked for. */
static void tell_results(const struct run *r)
{
    if (r->written)
        log_print("results    %s/%s.%s (open it in ParaView)\n", r->c->output.directory, r->c->source->name,
                  output_format_words[r->c->output.format]);
    uint64_t digest = r->o->digest ? fields_digest(r->f, &r->m) : 0;
    if (r->o->digest) stage_done("digest");
    const char *end = stages_told();
    if (*end) log_print("end        %s\n", end);
    if (r->o->digest) log_print("digest %016" PRIx64 "\n", digest);
}

/* ---------------------------------------------------------------- what is told */
bool run_row_is_due(struct run *r, bool last, bool *head)
{
    enum { LONGEST = 60 };                      /* seconds without a row */
    double now = wall_seconds();
    bool round = r->step <= 5 || (r->step <= 50 ? r->step % 10 == 0 : r->step % 100 == 0);
    if (!last && !round && now - fmax(r->told, r->start) < LONGEST) return false;
    *head = r->told == 0;
    r->told = now;
    return true;
}

void run_tell_note(struct run *r, const struct linear_result *pressure_solve)
{
    if (pressure_solve->status == LINEAR_REFUSED) return;
    const char *note = pressure_solve->note ? pressure_solve->note : "";
    if (*note && strcmp(note, r->note))
        log_print("%9" PRId64 "   %s solve: %s\n", r->step, r->f->coupled_solver ? "coupled" : "pressure", note);
    snprintf(r->note, sizeof r->note, "%s", note);
}

const char *run_solver_trouble(const struct linear_result *velocity_solve, const struct linear_result *pressure_solve)
{
    if (velocity_solve->status == LINEAR_NOT_FINITE) return "the momentum solve met a value that is not a number";
    if (velocity_solve->status == LINEAR_REFUSED) return velocity_solve->note;
    if (pressure_solve->status == LINEAR_NOT_FINITE) return "the pressure solve met a value that is not a number";
    if (pressure_solve->status == LINEAR_REFUSED) return pressure_solve->note;
    if (pressure_solve->status == LINEAR_BREAKDOWN) return "the pressure matrix is no longer positive definite";
    return NULL;
}

static void tell(struct run *r, bool last)
{
    bool head = false;
    r->kind->tell(r, last);
    double left = last ? 0 : r->kind->time_left(r);
    bool row = run_row_is_due(r, last, &head);
    r->kind->show(r, left, row, head);
}

static void report_diverged(const struct run *r, const char *how)
{
    char when[80];
    struct situation x = {.c = &r->c->flow, .slivers = r->f->s.n_slivers};
    r->kind->situation(r, &x);
    x.inflow = backflow_find(&r->backflow, &x.place);
    name_step(r, when, sizeof when);
    report_divergence(&x, when, how);
}

/* ---------------------------------------------------------------- the loop */
static bool is_finished(const struct run *r) { return r->kind->finished && r->kind->finished(r); }

static bool out_of_steps(const struct run *r)
{
    const int most = r->kind->most_steps(&r->c->flow);
    return most > 0 && r->step >= most;
}

/* Makes steps to the end; *how: what went wrong, or NULL. */
static bool make_steps(struct run *r, const char **how, enum exit_status *status, struct error *e)
{
    for (bool last = false; !last && !is_finished(r) && !out_of_steps(r);) {
        r->kind->step(r);
        r->step++;
        tell_ranks(r);
        backflow_look(&r->backflow, r->f, &r->m, r->step);
        if (!monitors_follow(r->monitors, r->step, r->time, r->length, e) || !write_rows(r, false, e)) return false;
        *how = r->kind->trouble(r);
        *status = *how ? EXIT_DIVERGED : r->kind->judge(r);
        if (!control_look(&r->control, r->step, r->time, &r->asked, e)) return false;
        if (*status == EXIT_NOT_CONVERGED && r->asked.stop && !out_of_steps(r)) *status = EXIT_STOPPED;
        last = *status != EXIT_NOT_CONVERGED || out_of_steps(r);
        if (last && !write_rows(r, true, e)) return false;
        tell(r, last);
        if (!last && !save(r, false, e)) return false;
    }
    return true;
}

static bool march(struct run *r, enum exit_status *status, struct error *e)
{
    const char *how = NULL;
    *status = is_finished(r) ? EXIT_CONVERGED : EXIT_NOT_CONVERGED;
    r->start = wall_seconds();
    if (is_done(r)) {
        *status = r->ended == 1 + EXIT_CONVERGED ? EXIT_CONVERGED : EXIT_NOT_CONVERGED;
        r->kind->tell_done(r);
        return true;
    }
    if (r->step == 0 && r->kind->start && !r->kind->start(r, e)) return false;
    if (!make_steps(r, &how, status, e)) return false;
    double seconds = wall_seconds() - r->start;
    if (*status == EXIT_DIVERGED) return report_diverged(r, how), true;
    const bool ended = r->kind->end(r, status);
    monitors_print(r->monitors, r->step);
    report_end(r->f, r->kind->word, r->step - r->first, seconds);
    if (ended) r->ended = 1 + *status;
    return save(r, true, e);
}

bool run_loop(struct run *r, double mesh_seconds, enum exit_status *status, struct error *e)
{
    r->kind = run_kind_of(&r->c->flow);
    r->own = allocate(1, r->kind->size, "run");
    bool good = r->kind->check_options(r, e) && r->kind->create(r, e);
    if (!good) return free(r->own), false;
    backflow_create(&r->backflow, &r->m);
    good = open_run(r, e);
    if (good) report_start(r->f, r->c->source, &r->m, mesh_seconds, r->kind->in_time);
    if (good && r->kind->begin) r->kind->begin(r);
    good = good && tell_restart(r, e) && march(r, status, e) && files_are_written(e);
    if (good) tell_results(r);
    if (good && *status != EXIT_DIVERGED) good = r->kind->write_systems(r, e);
    close_run(r);
    backflow_free(&r->backflow), r->kind->free(r->own);
    free(r->own);
    return good;
}
