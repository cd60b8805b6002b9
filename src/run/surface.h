/* surface.h: results on boundaries: surfaces/NAME.csv, a row of means and extremes at a time; in surfaces/NAME the
 * faces: faces.csv as they were written last, and a series for ParaView.
 *
 * A face has the value that the equations have there: what the conditions give, or what follows from the cells.  What
 * there is to write: surface_fields.h. */
#ifndef POISE_SURFACE_H
#define POISE_SURFACE_H
#include "flow/flow.h"
#include "io/output.h"
#include "run/columns.h"
#include "run/surface_setting.h"
#include "run/watch.h"

struct surface {
    const struct surface_setting *set;
    const struct mesh *m;       /* the whole mesh */
    struct watch watch;         /* over the whole surface */
    struct facets facets;       /* until the series is open */
    struct output *series;
    char directory[2 * PATH_LENGTH];
    int32_t n;                  /* faces, in the mesh file's order */
    int32_t *number;            /* [n] on the host: counted from the first boundary face */
    int32_t n_own;              /* those of this rank */
    int32_t *face;              /* [n_own] their numbers in its part of the mesh, on the machine */
    int32_t *order;             /* [n] on the host: the faces of all ranks, one rank after the other */
    double *area;               /* [n] */
    double *normal, *centre;    /* [dim n]; of length 1, out of the fluid */
    double *place;              /* [dim n_own] the centres on the machine */
    double *work, *own;         /* [2 dim n_own] on the machine; on the host */
    double *force;              /* [2 dim n] on the host */
    struct columns columns;     /* of the last surface_read() */
    int64_t written;            /* the step whose faces have been written, -1: none */
};

/* Is there what the setting asks for among these fields?  averaged: the case has averages.  False with a message. */
bool surface_check(const struct surface_setting *set, const struct fields *all, int dim, bool averaged,
                   struct error *e);
/* Adds the columns of surfaces/NAME.csv. */
void surface_columns(const struct surface_setting *set, const struct fields *all, int dim, struct watch *w);
/* *s must be all zero.  Refused: a boundary that the mesh does not have, what surface_check() refuses;
 * surface_free() is due then, too.  averages: of the run, or NULL. */
bool surface_create(struct surface *s, const struct surface_setting *set, const struct mesh *m,
                    const struct fields *all, struct averages *averages, struct error *e);
/* Opens the files; every, resume: as csv_open(). */
bool surface_open(struct surface *s, const char *directory, enum output_format format, bool timed, int every,
                  bool resume, int64_t step, struct error *e);
/* The values as they stood at the last fields_look(), of the faces and of the whole.  All ranks together, and all have
 * them. */
void surface_read(struct surface *s, const struct flow *f);
/* The faces of the last surface_read(), unless those of this step have been written. */
bool surface_write(struct surface *s, int64_t step, double time, struct error *e);
/* Prints a line of the closing summary. */
void surface_print(const struct surface *s);
void surface_free(struct surface *s);
#endif
