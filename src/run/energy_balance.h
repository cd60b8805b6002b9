/* energy_balance.h: whether two fluids gain energy that nothing puts in, as those of an unstable discretisation do;
 * private to src/run.
 *
 * Kinetic, potential and surface energy grow by what enters through boundaries at most, because viscosity only takes.
 * What they have beyond that is compared with the energy that there is to move: the kinetic and surface energy of the
 * start, the range of the potential energy and of that of wetted walls, what may have entered through boundaries,
 * and the potential energy of cut cells by a cell's size. */
#ifndef POISE_ENERGY_BALANCE_H
#define POISE_ENERGY_BALANCE_H
#include "flow/transient.h"

/* Parts of the energy that there is: above `much` the results are reported as wrong, above `most` the run has diverged.
 * Between fewer than `fine` cut cells the sums are less exact: on such meshes more is allowed in proportion. */
#define ENERGY_MUCH 0.02
#define ENERGY_FINE 150
#define ENERGY_MOST 3.0

/* Numbers for checkpoints.  OPENED: steps since the balance began, plus one; 0: the energy is not known. */
enum energy_number { ENERGY_OPENED, ENERGY_START, ENERGY_LAST, ENERGY_THERE, ENERGY_LOW, ENERGY_HIGH, ENERGY_DRY,
                     ENERGY_WET, ENERGY_ENTERED, ENERGY_WORST, ENERGY_PART, ENERGY_BEYOND, ENERGY_WHEN,
                     N_ENERGY_NUMBERS };
struct energy_balance {
    double number[N_ENERGY_NUMBERS];
    double part;                /* after the last step */
};
/* Adds them to the fields. */
void energy_fields(struct energy_balance *b, struct fields *all);
/* Begins with these energies (interface/energy.h), or goes on from a checkpoint's: a changed case may give the same
 * state another energy, which counts as put in.  energy: NULL if it is not known, which ends the balance. */
void energy_open(struct energy_balance *b, const double *energy);
/* After a step of dt that ends at `time`; nothing, unless it is open. */
void energy_add(struct energy_balance *b, const double energy[N_ENERGIES], double dt, double time);
/* Warns if energy has come from nowhere; true if not. */
bool energy_report(const struct energy_balance *b);
#endif
