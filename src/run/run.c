/* A run: device, mesh, files, restart, the loop over steps, reports and files after each. */
#include "run/run.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "assembly/boundary.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/timer.h"
#include "base/writer.h"
#include "case/section.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "io/directory.h"
#include "mesh/fluid.h"
#include "mesh/part.h"
#include "mesh/shared.h"
#include "run/fields_check.h"
#include "run/initial_file.h"
#include "run/report.h"
#include "run/run_parts.h"
#include "run/system_file.h"
#include "run/write.h"

const char *const system_option[N_SYSTEMS] = {[SYSTEM_PRESSURE] = "--write-pressure",
                                              [SYSTEM_MOMENTUM] = "--write-momentum",
                                              [SYSTEM_COUPLED] = "--write-coupled"};

const struct run_kind *run_kind_of(const struct flow_setting *c)
{
    return flow_is_transient(c) ? &transient_run : &steady_run;
}

/* ---------------------------------------------------------------- files */
/* Progress, for the messages of ranks that end. */
static void tell_ranks(const struct run *r)
{
    const char *word = r->kind->word;
    if (r->saved) ranks_now("after %s %" PRId64 ", checkpoint %s of %" PRId64, word, r->step, r->checkpoint, r->saved);
    else ranks_now("after %s %" PRId64 ", no checkpoint yet", word, r->step);
}

static bool open_files(struct run *r, struct error *e)
{
    const struct case_settings *c = r->c;
    struct run_number number[MOST_NUMBERS];
    char path[PATH_LENGTH + 32], header[MOST_NUMBERS * 2 * NAME_LENGTH] = "iteration";
    bool restart = r->o->restart;
    if (!restart) unlink(r->checkpoint);
    for (int k = 0, n = r->kind->numbers(r, number); k < n; k++) strcat(strcat(header, ","), number[k].name);
    r->output = output_open(c->output.directory, c->source->name, c->output.format, mesh_whole(&r->m), restart,
                            r->first, e);
    snprintf(path, sizeof path, "%s/residuals.csv", c->output.directory);
    if (r->output) r->residuals = csv_open(path, header, c->output.report_every, restart, r->first, e);
    if (!ranks_agree(r->residuals != NULL, e)) return false;
    r->monitors = monitors_create(c, run_mesh(r), r->f, restart, r->first, e);
    bool good = r->monitors &&
                changes_open(&r->changes, c->output.directory, c->source->settings, restart, r->first, e);
    return ranks_agree(good, e);
}

/* Opens output, residuals.csv and monitors, and on a restart reads the state.  close_run() closes them, also after a
 * failure. */
static bool open_run(struct run *r, struct error *e)
{
    bool restart = r->o->restart;
    double ended = 0;
    if (!ranks_agree(!restart || peek_checkpoint(r->checkpoint, run_mesh(r), r->c->flow.solver.algorithm, &r->first,
                                                 &ended, &r->settings_before, e), e)) return false;
    bool same = r->settings_before && changes_keep_end(r->settings_before, r->c->source->settings);
    r->ended = same ? ended : 0;
    if (!run_is_done(r) && !open_files(r, e)) return false;
    stage_done("files");
    bool good = !restart || (read_checkpoint(r->checkpoint, r->f, run_mesh(r), &r->step, &r->before, e) &&
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

/* On a restart: reports the start, and the changes of the case since the checkpoint. */
static bool tell_restart(struct run *r, struct error *e)
{
    char where[80];
    if (!r->o->restart) return true;
    name_step(r, where, sizeof where);
    log_print("restart    after %s\n", where);
    bool good = run_is_done(r) || changes_since(&r->changes, r->settings_before, e);
    log_print("\n");
    return ranks_agree(good, e);
}

static bool save_checkpoint(struct run *r, struct error *e)
{
    double begun = wall_seconds(), spent = r->before + begun - r->start;
    bool good = write_checkpoint(r->checkpoint, r->f, run_mesh(r), r->step, &spent, &r->ended, r->changes.settings, e);
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
    if (!ranks_agree(write_fields(r->output, &r->c->output, r->f, run_mesh(r), r->step, r->time, e), e) ||
        !monitors_write(r->monitors, r->step, r->time, e)) return false;
    control_wrote(&r->control, CONTROL_FIELDS, wall_seconds() - begun + writer_longest());
    stage_done("fields");
    r->written = r->step;
    if (r->kind->wrote) r->kind->wrote(r);
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
    struct run_number number[MOST_NUMBERS];
    double value[MOST_NUMBERS];
    if (r->kind->tables && !r->kind->tables(r, all, e)) return false;
    if (r->recorded == r->step || (!all && !due)) return true;
    r->recorded = r->step;
    const int n = r->kind->numbers(r, number);
    for (int k = 0; k < n; k++) value[k] = number[k].value;
    return ranks_agree(csv_row(r->residuals, r->step, value, n, e), e) &&
           monitors_record(r->monitors, r->step, r->time, due, e);
}

/* Waits until all saved data is on disk. */
static bool files_are_written(struct error *e)
{
    const bool good = ranks_agree(writer_wait(e), e);
    stage_done("disk");
    return good;
}

/* Reports where the results are, and the digest if requested. */
static void tell_results(const struct run *r)
{
    uint64_t digest = r->o->digest ? fields_digest(r->f, run_mesh(r)) : 0;
    if (r->o->digest) stage_done("digest");
    const char *end = stages_told(), *folder = r->c->output.directory;
    if (*end) log_print("end        %s\n", end);
    if (r->written)
        log_print("results    %s/%s.%s (open it in ParaView)\n           %s/log.txt, %s/residuals.csv and more: "
                  "poise help formats\n", folder, r->c->source->name, output_format_words[r->c->output.format], folder,
                  folder);
    if (r->o->digest) log_print("digest %016" PRIx64 "\n", digest);
}

/* ---------------------------------------------------------------- reports */
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
    if (velocity_solve->status == LINEAR_NOT_FINITE) return "a value in the momentum solve is not a number";
    if (velocity_solve->status == LINEAR_REFUSED) return velocity_solve->note;
    if (pressure_solve->status == LINEAR_NOT_FINITE) return "a value in the pressure solve is not a number";
    if (pressure_solve->status == LINEAR_REFUSED) return pressure_solve->note;
    if (pressure_solve->status == LINEAR_BREAKDOWN) return "the pressure matrix is no longer positive definite";
    return NULL;
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
/* Makes all steps; *how: what went wrong, or NULL. */
static bool make_steps(struct run *r, const char **how, enum exit_status *status, struct error *e)
{
    for (bool last = false; !last && !r->kind->over(r);) {
        if (!r->kind->step(r, e)) return false;
        r->step++;
        tell_ranks(r);
        backflow_look(&r->backflow, r->f, run_mesh(r), r->step);
        if (!monitors_follow(r->monitors, r->step, r->time, r->length, e) || !write_rows(r, false, e)) return false;
        *how = r->kind->trouble(r);
        *status = *how ? EXIT_DIVERGED : r->kind->judge(r);
        if (!control_look(&r->control, r->step, r->time, &r->asked, e)) return false;
        if (*status == EXIT_NOT_CONVERGED && r->asked.stop && !r->kind->over(r)) *status = EXIT_STOPPED;
        last = *status != EXIT_NOT_CONVERGED || r->kind->over(r);
        if (last && !write_rows(r, true, e)) return false;
        r->kind->tell(r, last);
        if (!last && !save(r, false, e)) return false;
    }
    return true;
}

static bool march(struct run *r, enum exit_status *status, struct error *e)
{
    const char *how = NULL;
    r->start = wall_seconds();
    if (!run_is_done(r)) *status = r->kind->judge(r);
    else *status = r->ended == 1 + EXIT_CONVERGED ? EXIT_CONVERGED : EXIT_NOT_CONVERGED;
    if (!run_is_done(r) && !make_steps(r, &how, status, e)) return false;
    double seconds = wall_seconds() - r->start;
    if (*status == EXIT_DIVERGED) return report_diverged(r, how), true;
    const bool ended = r->kind->end(r, status);
    if (run_is_done(r)) return true;
    monitors_print(r->monitors, r->step);
    report_end(r->f, r->kind->word, r->step - r->first, seconds);
    if (ended) r->ended = 1 + *status;
    return save(r, true, e);
}

/* ---------------------------------------------------------------- systems */
#define SPLIT (BIT(SYSTEM_MOMENTUM) | BIT(SYSTEM_PRESSURE))
static const unsigned systems_of[N_ALGORITHMS] = {
    [ALGORITHM_SIMPLE] = SPLIT, [ALGORITHM_SIMPLEC] = SPLIT, [ALGORITHM_PISO] = SPLIT, [ALGORITHM_PIMPLE] = SPLIT,
    [ALGORITHM_COUPLED] = BIT(SYSTEM_MOMENTUM) | BIT(SYSTEM_COUPLED)};

static bool check_systems(const struct run *r, struct error *e)
{
    const enum algorithm now = r->c->flow.solver.algorithm;
    char other[80] = "";
    if (!r->kind->in_time)
        snprintf(other, sizeof other, ", or set solver.algorithm = \"%s\"",
                 algorithm_words[now == ALGORITHM_COUPLED ? ALGORITHM_SIMPLEC : ALGORITHM_COUPLED]);
    for (int k = 0; k < N_SYSTEMS; k++)
        if (r->o->system_file[k] && !(systems_of[now] & BIT(k)))
            return refuse(e, EXIT_INPUT, "%s: algorithm \"%s\" has no such equation; remove it%s", system_option[k],
                          algorithm_words[now], other);
    return true;
}

/* Those of a steady run are in the order in which an iteration assembles them. */
static bool write_systems(struct run *r, struct error *e)
{
    static const enum system_kind order[N_SYSTEMS] = {SYSTEM_MOMENTUM, SYSTEM_PRESSURE, SYSTEM_COUPLED};
    for (int k = 0; k < N_SYSTEMS; k++) {
        const enum system_kind which = r->kind->in_time ? (enum system_kind)k : order[k];
        const char *path = r->o->system_file[which];
        if (!path) continue;
        struct run_system s = r->kind->make_system(r, which);
        if (!system_file_write(s.a, s.rhs, s.unit, r->c->source->path, run_mesh(r), path, e)) return false;
        log_print("%-10s the system of %s %" PRId64 "%s: %s\n", system_option[which] + 8, r->kind->word,
                  r->step + !r->kind->in_time,
                  r->kind->in_time ? ", with a right-hand side computed from its solution" : "", path);
    }
    return true;
}

/* The whole run on the mesh r->m. */
static bool run(struct run *r, double mesh_seconds, enum exit_status *status, struct error *e)
{
    r->kind = run_kind_of(&r->c->flow);
    r->own = allocate(1, r->kind->size, "run");
    bool good = check_systems(r, e) && r->kind->create(r, e);
    if (!good) return free(r->own), false;
    backflow_create(&r->backflow, run_mesh(r));
    good = open_run(r, e);
    if (good) report_start(r->f, r->c->source, &r->m, mesh_seconds, r->kind->in_time), initial_file_report(r->c);
    good = good && (!r->kind->begin || r->kind->begin(r, e)) && tell_restart(r, e) && march(r, status, e) &&
           files_are_written(e);
    if (good) tell_results(r);
    if (good && *status != EXIT_DIVERGED) good = write_systems(r, e);
    close_run(r);
    backflow_free(&r->backflow), r->kind->free(r->own);
    free(r->own);
    return good;
}

/* ---------------------------------------------------------------- device and mesh */
/* Checks, before anything is computed, the files that the run writes under names that could coincide with an input or
 * with one another.  The output directory already exists. */
static bool check_outputs(const struct run *r, struct error *e)
{
    char mesh[PATH_LENGTH + 32];
    snprintf(mesh, sizeof mesh, "%s/mesh.h5", r->c->output.directory);
    const struct output_name output[] = {{"output.directory:", mesh}, {"output.directory:", r->checkpoint},
                                         {system_option[SYSTEM_PRESSURE], r->o->system_file[SYSTEM_PRESSURE]},
                                         {system_option[SYSTEM_MOMENTUM], r->o->system_file[SYSTEM_MOMENTUM]},
                                         {system_option[SYSTEM_COUPLED], r->o->system_file[SYSTEM_COUPLED]}};
    const char *const input[] = {r->c->source->path, *r->c->mesh.file ? r->c->mesh.file : NULL};
    return outputs_check(output, 2 + N_SYSTEMS, input, 2, e);
}

/* Rejects what several ranks do not support yet, and names the alternative. */
static bool check_ranks(const struct run *r, struct error *e)
{
    const char *what = NULL;
    for (int i = 0; i < N_SYSTEMS && !what; i++) if (r->o->system_file[i]) what = system_option[i];
    return ranks_count() == 1 || !what ||
           refuse(e, EXIT_INPUT, "%s: %s works on one rank only, and these are %d; expected a run without --write-..",
                  r->c->source->path, what, ranks_count());
}

/* This rank's parts of the mesh, and of its fluid. */
static bool take_parts(struct run *r, int layers, struct error *e)
{
    const bool solids = r->c->flow.solids.n > 0;
    char path[PATH_LENGTH + 32];
    r->whole_fluid.conducting = solids ? &r->whole : NULL;
    bool good = !solids || ranks_agree(ranks_own() || mesh_take_fluid(&r->whole_fluid, &r->whole, e), e);
    snprintf(path, sizeof path, "%s/mesh", r->c->output.directory);
    good = good && mesh_share(&r->whole, path, e);
    snprintf(path, sizeof path, "%s/fluid", r->c->output.directory);
    good = good && (!solids || mesh_share(&r->whole_fluid, path, e)) &&
           ranks_agree(mesh_take_part(&r->m, &r->whole, layers, e), e) &&
           (!solids || ranks_agree(mesh_take_part(&r->fluid, &r->whole_fluid, layers, e), e));
    if (!good) return false;
    if (solids) r->fluid.conducting = &r->m, mesh_shared_rest(&r->whole_fluid);
    mesh_shared_rest(&r->whole);
    return true;
}

/* The directory, the mesh, and this rank's part of it.  Only rank 0 meshes, orders and writes. */
static bool prepare(struct run *r, struct case_settings *c, int *lock, bool *claimed, const char **note,
                    struct error *e)
{
    bool good = ranks_own() || (directory_claim(c->output.directory, lock, note, e) && (*claimed = true) &&
                                check_outputs(r, e));
    if (!ranks_agree(good, e)) return false;
    struct mesh *whole = ranks_count() > 1 ? &r->whole : &r->m;
    if (!ranks_agree(ranks_own() || mesh_of_case(whole, c, true, e), e)) return false;
    double speed = ranks_own() ? 0 : boundary_largest_speed(whole, &c->flow.boundary, c->flow.time.step);
    if (!ranks_agree(case_follow_mesh(c, whole, speed, r->o->set, r->o->n_set, e), e)) return false;
    if (ranks_count() == 1) return !r->m.solid || mesh_take_fluid(&r->fluid, &r->m, e);
    int layers = c->flow.second_fluid.given ? INTERFACE_LAYERS : 0;
    return take_parts(r, layers, e);
}

enum exit_status run_to_end(struct case_settings *c, const struct run_options *o, struct error *e)
{
    struct run r = {.c = c, .o = o};
    enum exit_status status = EXIT_CONVERGED;
    char log[PATH_LENGTH + 32];
    snprintf(r.checkpoint, sizeof r.checkpoint, "%s/checkpoint.h5", c->output.directory);
    snprintf(log, sizeof log, "%s/log.txt", c->output.directory);
    const char *note = NULL;
    bool claimed = false;
    int lock;
    double start = wall_seconds();
    stages_begin();
    if (!fields_check(c, e) || !check_ranks(&r, e)) return e->status;
    if (!ranks_agree(device_open(o->device, o->threads, e), e) || !device_join(e)) return device_close(), e->status;
    stage_done("device");
    bool good = prepare(&r, c, &lock, &claimed, &note, e);
    if (good) {
        good = ranks_agree(ranks_own() || log_open(log, o->restart, o->quiet, e), e);
        if (good && note) log_print("warning    %s\n", note);
        stage_done("mesh");
        writer_start();
        if (good) control_begin(&r.control, c, &r.changes, o->deadline);
        good = good && (o->restart || initial_file_read(c, run_mesh(&r), e));
        good = good && run(&r, wall_seconds() - start, &status, e);
        initial_file_free(c);
        writer_stop();
        if (!good) log_file_only("%s\n", e->text);           /* main() prints it on the terminal */
        log_close();
    }
    mesh_free(&r.fluid), mesh_free(&r.m), mesh_free(&r.whole_fluid), mesh_free(&r.whole);
    if (claimed) directory_release(lock);
    device_close();
    return good ? status : e->status;
}
