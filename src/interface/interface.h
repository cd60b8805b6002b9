/* interface.h: the interface of two fluids: the volume fraction of the second fluid in every cell, and a plane in every
 * cell that the interface cuts (PLIC); the part of the plane in the cell is a facet (2-D: a segment; `piece` in names).
 *
 * n = unit normal, out of the second fluid; the second fluid of a cell is { x : n.(x - x_c) <= offset }, x_c the
 * cell's centre. Cells with fractions below WISP (assembly/mixture.h) or above 1 - WISP have no facet: they count as
 * empty or full, and keep their volume. Cells with fractions below SLIVER or above 1 - SLIVER have one only if a near
 * cell's fraction differs by more than SLIVER_STEP. Between a full and an empty cell (a surface along mesh lines) there
 * is no facet either: the face itself is the interface. */
#ifndef POISE_INTERFACE_H
#define POISE_INTERFACE_H
#include "assembly/boundary.h"
#include "assembly/field.h"
#include "assembly/mixture.h"
#include "assembly/stencil.h"
#include "gpu/sums.h"
#include "interface/curvature.h"
#include "interface/geometry.h"
#include "interface/interface_setting.h"
#include "interface/zero_sum.h"

#define SLIVER 1e-4
#define SLIVER_STEP 0.1         /* 0.5 removes slivers next to thin threads too: errors of the vortex are 20 % larger */

struct interface {
    struct interface_inputs in;
    struct geometry g;
    const struct boundary *b;
    int iterations, fits;           /* of a reconstruction: normals from distances, then from paraboloids; 1 and 1 */
    double *fraction;               /* [pitch] state */
    double *fraction_old;           /* [pitch] at the start of the step (between steps: of the last one), by
                                       interface_begin() */
    double *normal_old, *ledger_old;        /* likewise, for interface_return(); NULL without */
    double *new_normal;             /* [dim pitch] work */
    double *shape;                  /* of mean_shape() (geometry.h) */
    double *normal;                 /* [dim pitch] state; in uncut cells of the band the mean of near cells, or the last
                                       step's normal; 0 outside */
    double *offset, *area;          /* [pitch] area > 0: the cell has a facet */
    double *centroid;               /* [dim pitch] of the facet, from the cell's centre; in uncut cells of the band the
                                       mean of near cells */
    double *moment;                 /* [dim (dim+1)/2 pitch] its second moments about its centroid, PACKED */
    int32_t *cell, n_cut;           /* [pitch] list of cells with a facet, ascending */
    int32_t *band, n_band;          /* [pitch] the band: these, cells near them, and cells near a face between a full
                                       and an empty cell; ascending */
    double *distance;               /* [pitch] signed distance in the band, +-far outside */
    double far;                     /* 4 times the largest cell size */
    int32_t *mark, *place;          /* [pitch + 1] work: 1 in cut cells; positions in a list */
    int32_t *band_mark;             /* [pitch + 1] 1 in the band */
    int64_t *scan_work;
    double *carried;                /* [n_faces] flow of second fluid out of the owner in the last step, a volume */
    double *excess;                 /* [pitch] work: overfilled volume of a cut cell (negative: below empty); then its
                                       ratio to what the outflow faces can take */
    double *inflow_fraction;        /* [n_boundary] volume fraction of the second fluid in the inflow */
    int32_t *open;                  /* [pitch] 1 in cells at inlets and outlets, where either fluid can enter, even far
                                       from the interface */
    double *ledger;                 /* [N_LEDGER] state, on the device */
    struct sums sums;               /* work: three, whose totals are stored in the ledger */
    struct sums energy_sums;        /* work of interface_energies() (energy.h) */
    struct curvature fit;
    double *curvature;              /* [pitch] div n, in the band, from interface_curvature() */
    struct field_table tension_law;     /* of the surface tension; without `cubic`: none */
    struct zero_sum zero_sum;
    const double *temperature;      /* [pitch] set by the owner where the tension depends on it */
    struct fluid_value conductivity[2];     /* likewise, in any unit; number 0: not set */
    const double *viscosity;    /* [2 n_faces] of each fluid, where one of them varies; NULL: the numbers */
    double *pull, *pull_gradient;   /* [dim pitch] forces on cells along the interface (marangoni.h), and work; NULL if
                                       the tension is constant */
    double bottom;                  /* gravity . x at the mesh's lowest point, see forces.h; 0 without gravity */
};

/* The ledger: the balance of the second fluid's volume.  Initial volume; inflow through boundaries since then; volume
 * added to cut cells in the last step to correct the sum; then sums and extremes for interface_sum_up(), and work. */
enum ledger { LEDGER_VOLUME, LEDGER_INFLOW, LEDGER_REDISTRIBUTED, LEDGER_SUM, LEDGER_MIXED, LEDGER_OUTFLOW, LEDGER_AREA,
              LEDGER_HIGHEST, LEDGER_LOWEST, N_LEDGER };

struct interface_summary {
    double volume, volume_error;    /* of the second fluid; volume - initial - inflow, over the larger of the initial
                                       and of that with the inflow */
    double lowest, highest;         /* fraction; `lowest` is computed from 1 - fraction, so it is exact only to 2e-16 */
    double area;                    /* sum over the facets; 2-D: lengths.  Where the interface follows mesh lines parts
                                       may be counted twice or missed: contour.h is more accurate */
    double redistributed;           /* in the last step, divided by the initial volume */
    int32_t n_cut;                  /* of this rank */
};

/* Computes the initial fractions from the case's shapes, then the reconstruction.  Rejects shapes outside the mesh, and
 * periodic faces with too many different shifts. */
bool interface_create(struct interface *i, const struct interface_inputs *in, const struct shape_settings *shapes,
                      const struct mesh *m, const struct stencil *s, const struct boundary *b, struct error *e);
/* The same from fractions on the host, [n_cells].  in and b may be NULL: no forces, and all boundaries are open. */
bool interface_create_with(struct interface *i, const struct interface_inputs *in, const struct mesh *m,
                           const struct stencil *s, const struct boundary *b, const double *fraction, struct error *e);
/* Computes planes, facets, lists and distance from the fractions. Normals: at first those of the last step, so that an
 * exact plane remains exact, also at boundaries; if there were none, or they do not separate full from empty near
 * cells, the least-squares gradient of the fraction over near cells.  Then `iterations` times the gradient of the
 * distance to the facets (reconstructed distance function: Cummins, Francois & Kothe 2005; on unstructured meshes
 * Scheufler & Roenby 2019, J. Comput. Phys. 383, 1-23, section 3.2), which is of first order; then `fits` times those
 * of paraboloids through the facets of near cells (curvature_fit.h), of second to third order, where these are
 * reliable.  Planes are recomputed each time. */
void interface_reconstruct(struct interface *i);
/* Recomputes planes and all that depends on them after fractions and normals have been read from a file. */
void interface_restored(struct interface *i);
/* Before interface_advance(): stores the state at the start of a step.  With `returns` of struct interface_inputs:
 * returns to it, so that the step can be repeated with a better velocity. */
void interface_begin(struct interface *i);
void interface_return(struct interface *i);
/* One step with a given velocity at the middle of the step: flux [n_faces] VOLUME flux out of the owner, u [dim
 * pitch], grad_u [dim dim pitch] d u_i / d x_j at [(i * dim + j) * pitch].  Computes the new fractions, carried, and
 * the reconstruction.
 *
 * If a face's upwind cell has no facet the volume carried is flux * dt * fraction.  If it is cut, it is the part of
 * (face x step) on the second fluid's side of the plane, which moves with the cell's own linear velocity (isoAdvector:
 * Roenby, Bredmose & Jasak 2016, R. Soc. Open Sci. 3, 160405, with a velocity at every corner): the prism of face and
 * step is cut.  Over- and underfilled volume of a cell is passed on through its outflow faces (ibid., section 4).  The
 * remainder of that, volume errors because the flux is divergence-free only to a tolerance, and debris without a facet
 * nearby are distributed to cut cells in proportion to fraction * (1 - fraction): so the volume is conserved to
 * rounding. */
void interface_advance(struct interface *i, const double *flux, const double *u, const double *grad_u, double dt);
/* Computes the ledger's sums and extremes on the device; then the summary from a copy of it, on the host. */
void interface_sum_up(struct interface *i);
/* A property with these values in both fluids at faces, [n_faces]: layers_at_faces() of assembly/mixture.h.  x,
 * x_boundary: the field on which one depends, with its ghosts, or NULL. */
void interface_layers(const struct interface *i, const struct fluid_value value[2], const double *x,
                      const double *x_boundary, double *faces);
void interface_summary_from(const struct interface *i, const double *ledger, struct interface_summary *r);
/* Both; waits for the device. */
void interface_summarise(struct interface *i, struct interface_summary *r);
/* Adds the interface's fields to the list.  Only addresses of the interface's members are used, so it need not be
 * created yet. */
void interface_fields(struct interface *i, struct fields *all, const struct stencil *s);
void interface_free(struct interface *i);
#endif
