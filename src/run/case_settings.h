/* case_settings.h: all that a case says: the sections of all rooms, in one list (case_settings.c) and one struct. */
#ifndef POISE_CASE_SETTINGS_H
#define POISE_CASE_SETTINGS_H
#include <stdbool.h>
#include "flow/flow_setting.h"
#include "mesh/mesh.h"
#include "run/run_setting.h"

struct case_settings {
    struct case_source *source; /* the files; what places in the settings refer to */
    struct mesh_setting mesh;
    struct flow_setting flow;
    struct output_setting output;
    struct line_settings lines;
    struct probe_settings probes;
    struct force_settings forces;
    struct surface_settings surfaces;
    struct plane_settings planes;
    struct averages_setting averages;
    struct monitor_settings convergence;
    struct bubbles_setting bubbles;
};

/* As settings_read() (case/reader.h); *c is empty where it is refused. */
bool case_read(struct case_settings *c, const char *path, const char *const *set, int n_set, struct error *e);
/* The same, but where the file could be read at all, c->source is there, *c has all in which no error was found, and
 * case_free() frees it: for poise check, which looks for more. */
bool case_read_kept(struct case_settings *c, const char *path, const char *const *set, int n_set, struct error *e);
void case_free(struct case_settings *c);
/* `poise help case`: every key with type, unit, default, valid words; of: as in settings_help(). */
bool case_help(FILE *out, const char *of, struct error *e);

/* Once the mesh is known: every mesh boundary has a condition and every named boundary exists, vector lengths equal
 * dim, periodic partners are boundaries too, every named zone exists.  mesh_name: for the message, "cavity.msh"; names:
 * of its n boundaries; zones: of its regions of cells. */
bool case_check_mesh(const struct case_settings *c, const char *mesh_name, int dim, const char *const *names, int n,
                     const char *const *zones, int n_zones, struct error *e);
/* The mesh that a case asks for, complete: box, .h5, or .geo/.msh through poise-gmsh (its native mesh is kept in
 * the case's output directory, and used again while source and parameters have not changed; keep false: it is used, but
 * nothing is written there).  Boundary conditions are checked. */
bool mesh_of_case(struct mesh *m, const struct case_settings *c, bool keep, struct error *e);
/* The same for poise check: what is wrong is added to *e, and where it can be the mesh is completed all the same,
 * with its periodic boundaries not joined, so that more can be checked on it.  True: it is complete; mesh_free()
 * frees it. */
bool mesh_to_check(struct mesh *m, const struct case_settings *c, struct error *e);
/* For a case in which errors were found (case_read_kept()): adds to *e what its boundaries have against the names and
 * the dimension of its mesh, where that is known. */
void case_check_names(const struct case_settings *c, struct error *e);
/* Defaults that depend on the mesh (`poise help case`), now that it is there, of several ranks on rank 0: the case is
 * read anew with them, and m->note tells of those that changed. */
bool case_follow_mesh(struct case_settings *c, struct mesh *m, const char *const *set, int n_set, struct error *e);
#endif
