/* A run from the machine and the mesh to the log's end; what is between is run_loop.c. */
#include "run/run.h"
#include <stdio.h>
#include "base/file.h"
#include "base/log.h"
#include "base/timer.h"
#include "base/writer.h"
#include "run/fields_check.h"
#include "run/run_parts.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "io/directory.h"
#include "mesh/part.h"
#include "mesh/shared.h"

const char *const system_option[N_SYSTEMS] = {[SYSTEM_PRESSURE] = "--write-pressure",
                                              [SYSTEM_MOMENTUM] = "--write-momentum",
                                              [SYSTEM_COUPLED] = "--write-coupled"};

/* Checks, before anything is computed, the files that the run writes under names that could also be those of an
 * input or of one another.  The output directory is there already. */
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

/* What several ranks cannot do yet, with what can. */
static bool check_ranks(const struct run *r, struct error *e)
{
    const char *what = NULL;
    for (int i = 0; i < N_SYSTEMS && !what; i++) if (r->o->system_file[i]) what = system_option[i];
    return ranks_count() == 1 || !what ||
           refuse(e, EXIT_INPUT, "%s: %s works on one rank only, and these are %d; expected a run without --write-..",
                  r->c->source->path, what, ranks_count());
}

/* The directory, the mesh, and this rank's part of it.  Rank 0 is the one that meshes, orders and writes. */
static bool prepare(struct run *r, struct case_settings *c, int *lock, bool *claimed, const char **note,
                    struct error *e)
{
    bool good = ranks_own() || (directory_claim(c->output.directory, lock, note, e) && (*claimed = true) &&
                                check_outputs(r, e));
    if (!ranks_agree(good, e)) return false;
    struct mesh *whole = ranks_count() > 1 ? &r->whole : &r->m;
    if (!ranks_agree(ranks_own() || mesh_of_case(whole, c, true, e), e) ||
        !ranks_agree(case_follow_mesh(c, whole, r->o->set, r->o->n_set, e), e)) return false;
    if (ranks_count() == 1) return true;
    int layers = c->flow.second_fluid.given ? INTERFACE_LAYERS : 0;
    char path[PATH_LENGTH + 32];
    snprintf(path, sizeof path, "%s/mesh", c->output.directory);
    if (!mesh_share(whole, path, e) || !ranks_agree(mesh_take_part(&r->m, whole, layers, e), e)) return false;
    mesh_shared_rest(whole);
    return true;
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
        good = good && run_loop(&r, wall_seconds() - start, &status, e);
        writer_stop();
        if (!good) log_file_only("%s\n", e->text);           /* main() prints it on the terminal */
        log_close();
    }
    mesh_free(&r.m), mesh_free(&r.whole);
    if (claimed) directory_release(lock);
    device_close();
    return good ? status : e->status;
}
