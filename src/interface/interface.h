/* interface.h: the interface of two fluids: the volume fraction of the second fluid in every cell, and the plane
 * that stands for the interface in every cell that it cuts (PLIC).
 *
 * n = unit normal, out of the second fluid; the second fluid of a cell is { x : n.(x - x_c) <= offset }, x_c the
 * cell's centre. Fractions below WISP and above 1 - WISP have no piece of the interface: such cells count as empty
 * or full, their volume is kept. Fractions below SLIVER and above 1 - SLIVER have one only where a near cell's
 * fraction differs by more than SLIVER_STEP. Between a full cell and an empty one (a surface along the mesh's lines)
 * there is no piece either: the face itself is the interface. */
#ifndef POISE_INTERFACE_H
#define POISE_INTERFACE_H
#include "assembly/boundary.h"
#include "assembly/field.h"
#include "assembly/stencil.h"
#include "gpu/sums.h"
#include "interface/curvature.h"
#include "interface/geometry.h"
#include "interface/interface_setting.h"
#include "interface/zero_sum.h"

#define WISP 1e-8
#define SLIVER 1e-4
#define SLIVER_STEP 0.1         /* 0.5 drops slivers beside thin threads too: errors of the vortex are 20 % larger */
#define IS_CUT(fraction) ((fraction) > WISP && (fraction) < 1 - WISP)

struct interface {
    struct interface_inputs in;
    struct geometry g;
    const struct boundary *b;
    int iterations, fits;           /* of a reconstruction: normals from distances, then from paraboloids; 1 and 1 */
    double *fraction;               /* [pitch] state */
    double *fraction_old;           /* [pitch] at the start of the step, between steps of the last one: for the owner
                                       to set */
    double *new_normal;             /* [dim pitch] work */
    double *normal;                 /* [dim pitch] state; in uncut cells of the band a mean of those around, or what it
                                       was there in the last step; 0 outside */
    double *offset, *area;          /* [pitch] area > 0: the cell has a piece of the interface */
    double *centroid;               /* [dim pitch] of that piece, from the cell's centre; in uncut cells of the band
                                       a mean of those around */
    double *moment;                 /* [dim (dim+1)/2 pitch] its second moments about its centroid, PACKED */
    int32_t *cell, n_cut;           /* [pitch] list of those cells, ascending */
    int32_t *band, n_band;          /* [pitch] the band: these, cells near them, and cells near a face between a full
                                       and an empty cell; ascending */
    double *distance;               /* [pitch] signed distance in the band, +-far outside */
    double far;                     /* 4 times the largest cell size */
    int32_t *mark, *place;          /* [pitch + 1] work: 1 in cut cells; positions in a list */
    int32_t *band_mark;             /* [pitch + 1] 1 in the band */
    int64_t *scan_work;
    double *carried;                /* [n_faces] volume of second fluid carried out of the owner in the last step */
    double *excess;                 /* [pitch] work: volume that a cut cell has beyond [0, 1]; then which part of what
                                       its outflow faces can take it passes on to them, negative below empty */
    double *inflow_fraction;        /* [n_boundary] of the second fluid in what flows in */
    int32_t *open;                  /* [pitch] 1 in cells at inlets and outlets, where either fluid can come in, far
                                       from the interface too */
    double *ledger;                 /* [N_LEDGER] state, on the machine */
    struct sums sums;               /* work: three, whose totals go into the ledger */
    struct curvature fit;
    double *curvature;              /* [pitch] div n, in the band, as interface_curvature() leaves it */
    struct zero_sum zero_sum;
    double bottom;                  /* gravity . x at the mesh's lowest point, see forces.h; 0 without gravity */
};

/* The ledger: the account of the second fluid's volume.  Volume at the start; what has come in through boundaries since
 * then; what was given to (or taken from) cut cells in the last step to make the sum right; then sums and extremes for
 * interface_sum_up(), and work. */
enum ledger { LEDGER_VOLUME, LEDGER_INFLOW, LEDGER_REDISTRIBUTED, LEDGER_SUM, LEDGER_MIXED, LEDGER_OUTFLOW, LEDGER_AREA,
              LEDGER_HIGHEST, LEDGER_LOWEST, N_LEDGER };

struct interface_summary {
    double volume, volume_error;    /* of the second fluid; (volume - start - inflow) / (start + inflow) */
    double lowest, highest;         /* fraction; `lowest` is made from 1 - fraction, so it is exact to 2e-16 only */
    double area;                    /* sum of the pieces; 2-D: lengths.  Where the interface lies along the mesh's lines
                                       a place may count twice or not at all: contour.h has a better one */
    double redistributed;           /* in the last step, over the volume at the start */
    int32_t n_cut;                  /* of this rank */
};

/* The fractions at the start from the case's shapes; then the reconstruction.  Refused: shapes that are outside of
 * the mesh, periodic joints that make too many shifts. */
bool interface_create(struct interface *i, const struct interface_inputs *in, const struct shape_settings *shapes,
                      const struct mesh *m, const struct stencil *s, const struct boundary *b, struct error *e);
/* The same from fractions on the host, [n_cells].  in and b may be NULL: then there are no forces, and all boundaries
 * are open. */
bool interface_create_with(struct interface *i, const struct interface_inputs *in, const struct mesh *m,
                           const struct stencil *s, const struct boundary *b, const double *fraction, struct error *e);
/* From the fractions: planes, pieces, lists, distance. Normals: at first those of the last step, so that a plane that
 * is exact stays so, also where it meets a boundary; where there were none, or they do not part the full cells around
 * from the empty ones, the gradient of the fraction by least squares over near cells.  Then `iterations` times the
 * gradient of the distance to the pieces (reconstructed distance function: Cummins, Francois & Kothe 2005; on
 * unstructured meshes Scheufler & Roenby 2019, J. Comput. Phys. 383, 1-23, section 3.2), which is of first order; then
 * `fits` times those of paraboloids through the pieces of near cells (curvature_fit.h), of second to third order, where
 * these are to be believed.  Planes are placed anew each time. */
void interface_reconstruct(struct interface *i);
/* Planes and what goes with them again from fractions and normals that were read from a file. */
void interface_restored(struct interface *i);
/* One step in a given velocity, of the middle of the step: flux [n_faces] VOLUME flux out of the owner, u [dim
 * pitch], grad_u [dim dim pitch] d u_i / d x_j at [(i * dim + j) * pitch].  New fractions, carried, and the
 * reconstruction.
 *
 * Through a face whose upwind cell has no piece flux * dt * fraction is carried.  Where the upwind cell is cut, it
 * is the part of (face x step) that the plane, moved with the cell's own linear velocity, has on the second fluid's
 * side (isoAdvector: Roenby, Bredmose & Jasak 2016, R. Soc. Open Sci. 3, 160405, with a velocity at every corner):
 * the prism of face and step is cut.  What a cell would hold beyond full or below empty it passes on through its
 * outflow faces (ibid., section 4).  What is left of that, what comes from a flux that is free of divergence only to
 * a tolerance, and wisps that no piece is near, are given to or taken from cut cells in proportion to fraction * (1
 * - fraction): so the volume is kept to rounding. */
void interface_advance(struct interface *i, const double *flux, const double *u, const double *grad_u, double dt);
/* Makes sums and extremes of the ledger, on the machine; then the summary from a copy of it, on the host. */
void interface_sum_up(struct interface *i);
void interface_summary_from(const struct interface *i, const double *ledger, struct interface_summary *r);
/* Both; waits. */
void interface_summarise(struct interface *i, struct interface_summary *r);
/* Adds the interface's fields to the list.  Only addresses of the interface's members are used, so it need not be made
 * yet. */
void interface_fields(struct interface *i, struct fields *all, const struct stencil *s);
void interface_free(struct interface *i);
#endif
