/* case_settings.h: all settings of a case: the sections of all folders, as one list (case_settings.c) and struct. */
#ifndef POISE_CASE_SETTINGS_H
#define POISE_CASE_SETTINGS_H
#include <stdbool.h>
#include "flow/flow_setting.h"
#include "mesh/mesh.h"
#include "run/run_setting.h"

struct case_settings {
    struct case_source *source; /* the files that the locations of settings refer to */
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
    struct nusselt_setting nusselt;
    struct bubbles_setting bubbles;
};

/* As settings_read() (case/reader.h); *c is empty on failure. */
bool case_read(struct case_settings *c, const char *path, const char *const *set, int n_set, struct error *e);
/* The same, but if the file could be read at all, c->source is set, *c has all settings without errors, and case_free()
 * frees it: for poise check, which searches for more errors. */
bool case_read_kept(struct case_settings *c, const char *path, const char *const *set, int n_set, struct error *e);
void case_free(struct case_settings *c);
/* `poise help case`: every key with type, unit, default, valid words; of: as in settings_help(). */
bool case_help(FILE *out, const char *of, struct error *e);

/* Checks the case against its mesh: every mesh boundary has a condition and every named boundary exists, vector lengths
 * equal dim, periodic partners are boundaries too, every named zone exists.  mesh_name: for the message, "cavity.msh";
 * names: of its n boundaries; zones: names of its regions of cells. */
bool case_check_mesh(const struct case_settings *c, const char *mesh_name, int dim, const char *const *names, int n,
                     const char *const *zones, int n_zones, struct error *e);
/* The mesh requested by a case, complete: box, .h5, or .geo/.msh through poise-gmsh (the native mesh is stored in the
 * case's output directory, and reused while source and parameters are unchanged; keep false: it is reused, but nothing
 * is written there).  Boundary conditions are checked. */
bool mesh_of_case(struct mesh *m, const struct case_settings *c, bool keep, struct error *e);
/* The same for poise check: errors are added to *e, and if possible the mesh is completed all the same, with its
 * periodic boundaries not joined, so that more can be checked on it.  True: it is complete; mesh_free() frees it. */
bool mesh_to_check(struct mesh *m, const struct case_settings *c, struct error *e);
/* For a case with errors (case_read_kept()): adds to *e the conflicts of its boundaries with the names and the
 * dimension of its mesh, if those are known. */
void case_check_names(const struct case_settings *c, struct error *e);
/* Applies the defaults that depend on the mesh (`poise help case`): the case is read again with them, and m->note lists
 * those that changed.  With several ranks the mesh is on rank 0.  speed: boundary_largest_speed(). */
bool case_follow_mesh(struct case_settings *c, struct mesh *m, double speed, const char *const *set, int n_set,
                      struct error *e);
#endif
