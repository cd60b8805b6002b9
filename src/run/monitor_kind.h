/* monitor_kind.h: what a kind of monitor does: probes, forces, surfaces, planes, flow rates, lines.  monitor.c has the
 * table of them and walks over it; a new one is a file of its own and a row there. */
#ifndef POISE_MONITOR_KIND_H
#define POISE_MONITOR_KIND_H
#include "flow/flow.h"
#include "run/average.h"
#include "run/case_settings.h"
#include "run/watch.h"

/* What all monitors of a run share. */
struct watching {
    const struct case_settings *c;
    const struct mesh *m;       /* of this rank */
    struct flow *f;
    struct averages *averages;  /* of the run, or NULL */
    const char *directory;      /* of the case's output */
    bool timed;                 /* a run in time */
    bool resume;                /* files go on from a checkpoint, of this step: csv_open(), output_open() */
    int64_t step;
};

struct monitor {
    const struct monitor_kind *kind;
    const struct watching *x;
    const void *set;            /* element of the case's list; NULL: there is none */
    void *own;                  /* of the kind, `size` bytes, zero at first */
    struct watch *row;          /* [n_rows] */
    int n_rows;
    int64_t read, written;      /* the last steps at which it was, -1: none */
};

/* Functions that a kind does not need are NULL.  All ranks call them together.  False with a message. */
struct monitor_kind {
    const char *section;        /* of the case; folder of its files */
    const char *word;           /* for one of them, in messages */
    size_t list, element;       /* where struct case_settings has the list, a struct named_list; size of an element; 0:
                                   none, and there is one monitor in every run */
    bool together;              /* all elements of the list are one monitor, with a row for each */
    bool looks;                 /* its values are those of the last fields_look() */
    const char *point;          /* the key of a vector whose length, an int at `length` of an element, is to be the
                                   mesh's dimension; or NULL */
    size_t length;
    size_t every;               /* where an element has its own interval, an int; 0: it has none */
    size_t size;                /* of `own` */
    /* Adds the columns that it has in rows of its own, SECTION/NAME.csv, in a mesh of so many dimensions.  These can be
     * watched by `convergence`, and have averages. */
    void (*columns)(const void *set, const struct fields *all, int dim, struct watch *row);
    /* Is there what it asks for among these fields?  averaged: the case has averages. */
    bool (*check)(const void *set, const struct fields *all, bool averaged, struct error *e);
    /* Are all elements in the mesh?  Adds to *e, as error_keep(). */
    void (*check_mesh)(const struct case_settings *c, const struct mesh *m, struct error *e);
    /* The rows have their columns; what has none in `columns` may add some.  free() is due after a refusal too. */
    bool (*create)(struct monitor *o, struct error *e);
    bool (*open)(struct monitor *o, struct error *e);           /* the files beside the rows */
    void (*read)(struct monitor *o, const struct flow *f);      /* the values after a step, into the rows too */
    /* The last values that were read, but for the rows. */
    bool (*write)(const struct monitor *o, int64_t step, double time, struct error *e);
    /* Lines of the closing summary; NULL: the rows' values, where it has some. */
    void (*print)(const struct monitor *o);
    void (*free)(void *own);
};

extern const struct monitor_kind probes_kind, forces_kind, surfaces_kind, planes_kind, rates_kind, lines_kind;
#endif
