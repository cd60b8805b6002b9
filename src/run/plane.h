/* plane.h: fields on planes through the mesh: planes/NAME, a series of the facets that the plane cuts out of the cells:
 * polygons, in 2-D lines.  A facet's value is its cell's linear function at the mean of its corners. */
#ifndef POISE_PLANE_H
#define POISE_PLANE_H
#include "flow/flow.h"
#include "run/columns.h"
#include "run/sample.h"
#include "run/surface_setting.h"

struct plane {
    const struct plane_setting *set;
    const struct mesh *m;
    struct facets facets;       /* until the series is open */
    struct output *series;
    int32_t *cell;              /* [columns.n] the cell of each facet, in the solver's order of the whole mesh */
    struct sample sample;
    double *sampled;            /* [columns of FIELD_SAMPLE, columns.n] */
    struct columns columns;     /* of the last plane_read() */
    int64_t written;            /* the step that has been written, -1: none */
};

/* Is there what the setting asks for among these fields?  averaged: the case has averages.  False with a message. */
bool plane_check(const struct plane_setting *set, const struct fields *all, bool averaged, struct error *e);
/* The facets of the plane through the point with this normal, in the order of their cells in the mesh file; a cell that
 * it touches without going through has none, and of two cells whose common face is in the plane one has it.  centre:
 * [3 n], cell: [n] in the solver's order; the caller's to free. */
void plane_cut(const struct mesh *m, const double point[3], const double normal[3], struct facets *p, double **centre,
               int32_t **cell);
/* Does it go through a cell?  False with a message. */
bool plane_check_mesh(const struct plane_setting *set, const struct mesh *m, struct error *e);
/* *p must be all zero.  averages: of the run, or NULL.  Refused: what plane_check() and plane_check_mesh() refuse;
 * plane_free() is due then, too. */
bool plane_create(struct plane *p, const struct plane_setting *set, const struct mesh *m, const struct fields *all,
                  struct averages *averages, struct error *e);
/* Opens DIRECTORY/planes/NAME; resume: as output_open(). */
bool plane_open(struct plane *p, const char *directory, enum output_format format, bool resume, int64_t step,
                struct error *e);
/* The values as they stood at the last fields_look().  All ranks together; what lines do not have, rank 0 alone has. */
void plane_read(struct plane *p, const struct flow *f);
/* Those of the last plane_read(), unless those of this step have been written. */
bool plane_write(struct plane *p, int64_t step, double time, struct error *e);
void plane_free(struct plane *p);
#endif
