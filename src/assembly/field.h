/* field.h: the fields of a run, each registered once by its owner: name, components, uses.  Output, checkpoints,
 * restarts, lines, probes, the digest and the columns of residuals are made from this list; no other code refers to
 * fields by name.
 *
 * A list can be made before arrays are allocated (to check names): `value` points to the owner's pointer.  This also
 * lets owners swap arrays. */
#ifndef POISE_FIELD_H
#define POISE_FIELD_H
#include <stdbool.h>
#include <stdint.h>
#include "mesh/part.h"

enum field_use {
    FIELD_OUTPUT = 1,           /* can be written for ParaView: output.fields */
    FIELD_CHECKPOINT = 2,       /* a restart needs it */
    FIELD_SAMPLE = 4,           /* available to probes and lines */
    FIELD_DIGEST = 8,
    FIELD_RESIDUAL = 16,        /* its components have residuals, in the order of the list (struct simple_report) */
    FIELD_ALWAYS = 64,          /* with FIELD_OUTPUT: written whenever fields are, named in output.fields or not */
    FIELD_MAY_LACK = 32,        /* with FIELD_CHECKPOINT: a checkpoint without it, or with another length, is accepted,
                                   and the field is unchanged */
    FIELD_UNTIL_END = 128       /* with FIELD_MAY_LACK: not in the checkpoint of a run that has ended */
};

struct field {
    const char *name;           /* in the case and in files; columns are NAME, or NAME_x, NAME_y .. for a vector */
    unsigned use;
    int components;             /* 1; dim; for a gradient dim dim */
    int64_t pitch;              /* length of a component in memory: for cells the pattern's pitch; for faces, ... */
    enum mesh_item of;          /* the mesh items that have a value each; none for a field on the host */
    bool with_solids;           /* its items are those of the mesh with solids, where the flow's is a part of one */
    double **value;             /* address of the owner's pointer to its array on the device, [components pitch] */
    float **single;             /* or to one in single precision, only for checkpoints */
    double *number;             /* or values on the host, [components pitch], often one number; if show() computes the
                                   field, all three are NULL */
    void *owner;                /* for the functions below */
    const char *rows;           /* for a gradient: its datasets are ROWS_x, ROWS_y ..; else NULL */
    /* Computes the values for output on the host, [components pitch]; NULL: the values as stored. */
    void (*show)(void *owner, const struct mesh *m, double *to);
    /* For interpolation inside cells: computes the gradient of the current values, [components dim pitch] on the
     * device, valid until they change.  NULL: the field is constant in each cell. */
    const double *(*make_gradient)(void *owner);
    const double *gradient;     /* its result in the last fields_look() */
    /* For transported fields, NAME-flux on surfaces: inflow through boundary faces per unit of time, with the values of
     * the last fields_look(): [n_boundary] on the device, valid until they change; or NULL. */
    const double *(*make_flux)(void *owner);
    /* [components n_boundary] values at boundary faces, given or computed; NULL: the cells' values */
    double **boundary;
    const uint8_t *const *rule; /* with boundary: [n_boundary] enum face_rule on the device */
    double **at_flow;           /* with_solids, on several ranks: the values in cells of the flow; else NULL */
    bool falls;                 /* stored without the hydrostatic part, see interface/forces.h */
};

/* The mesh of its items; m: that of the flow. */
static inline const struct mesh *field_mesh(const struct field *f, const struct mesh *m)
{
    return f->with_solids ? mesh_with_solids(m) : m;
}

struct fields {
    struct field *field;
    int n;
    void *owner;                /* memory owned by the list, or NULL */
};

/* Adds a field; two with the same name and use are a bug. */
void fields_add(struct fields *all, const struct field *f);
void fields_free(struct fields *all);
/* Computes all gradients for interpolation inside cells, from the current fields. */
void fields_look(struct fields *all);
/* The field of this name that has this use, or NULL. */
const struct field *fields_find(const struct fields *all, const char *name, unsigned use);
/* Total number of components of all fields with this use. */
int fields_columns(const struct fields *all, unsigned use);
/* Column k of the fields with this use: NAME, or NAME_x, NAME_y, NAME_z.  size: 128 is enough. */
void fields_column(const struct fields *all, unsigned use, int k, char *text, int size);
#endif
