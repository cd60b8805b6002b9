/* field.h: the fields of a run, each registered once by its owner: name, components, what it is used for.  Written
 * fields, checkpoints, restarts, lines, probes, the digest and the columns of residuals walk this list; nothing else
 * knows a field by its name.
 *
 * A list can be made before there is any memory (to check names): `value` points at the owner's pointer, whose array
 * may also change places with another one. */
#ifndef POISE_FIELD_H
#define POISE_FIELD_H
#include <stdbool.h>
#include <stdint.h>
#include "mesh/part.h"

enum field_use {
    FIELD_OUTPUT = 1,           /* can be written for ParaView: output.fields */
    FIELD_CHECKPOINT = 2,       /* a restart needs it */
    FIELD_SAMPLE = 4,           /* in probes and lines */
    FIELD_DIGEST = 8,
    FIELD_RESIDUAL = 16,        /* its components have residuals, in the order of the list (struct simple_report) */
    FIELD_ALWAYS = 64,          /* with FIELD_OUTPUT: written whenever fields are, and not named in output.fields */
    FIELD_MAY_LACK = 32,        /* with FIELD_CHECKPOINT: a checkpoint without it, or with one of another length, is
                                   taken, and the field stays as it is */
    FIELD_UNTIL_END = 128       /* with FIELD_MAY_LACK: the checkpoint of a run that has ended does not have it */
};

struct field {
    const char *name;           /* in the case, in files and of its columns: NAME, or NAME_x, NAME_y .. of a vector */
    unsigned use;
    int components;             /* 1; dim; of a gradient dim dim */
    int64_t pitch;              /* numbers in memory of a component: of cells the pattern's pitch, of faces, ... */
    enum mesh_item of;          /* what it has a number for; where it is on the host, none of these */
    double **value;             /* where the owner has its array on the machine, [components pitch] */
    float **single;             /* or one in single precision, for checkpoints alone */
    double *number;             /* or it is on the host, [components pitch], often one number; where show() makes the
                                   field, all three are NULL */
    void *owner;                /* for the functions below */
    const char *rows;           /* of a gradient: its datasets are ROWS_x, ROWS_y ..; else NULL */
    /* Writes what files show of it to the host, [components pitch]; NULL: the values as they are. */
    void (*show)(void *owner, const struct mesh *m, double *to);
    /* For values between the centres: makes the gradient of the values as they are now, [components dim pitch] on the
     * machine, valid until they change.  NULL: the field has one value in all of a cell. */
    const double *(*make_gradient)(void *owner);
    const double *gradient;     /* what that returned in the last fields_look() */
    /* Of what is transported, on surfaces as NAME-flux: what comes in through boundary faces in a unit of time, of the
     * values of the last fields_look(): [n_boundary] on the machine, valid until they change; or NULL. */
    const double *(*make_flux)(void *owner);
    /* [components n_boundary] values at boundary faces, given or followed; or NULL: none but the cell's */
    double **boundary;
    const uint8_t *const *rule; /* with boundary: [n_boundary] enum face_rule on the machine */
    bool falls;                 /* what is kept is less the fluids' weight, see interface/forces.h */
};

struct fields {
    struct field *field;
    int n;
    void *owner;                /* memory that goes with the list, or NULL */
};

/* Adds a field; two with the same name and use are a bug. */
void fields_add(struct fields *all, const struct field *f);
void fields_free(struct fields *all);
/* Makes every gradient that values between centres need, of the fields as they are now. */
void fields_look(struct fields *all);
/* The field of this name that has this use, or NULL. */
const struct field *fields_find(const struct fields *all, const char *name, unsigned use);
/* How many components all fields of this use have together. */
int fields_columns(const struct fields *all, unsigned use);
/* NAME, or NAME_x, NAME_y, NAME_z.  size: 128 is enough. */
void field_column(const struct field *f, int component, char *text, int size);
/* Column k of those of this use, as field_column(). */
void fields_column(const struct fields *all, unsigned use, int k, char *text, int size);
#endif
