/* monitor_kind.h: interface of a kind of monitor: probes, forces, surfaces, planes, flow rates, lines.  monitor.c has
 * the table of kinds and iterates over it; a new kind is a file of its own and a row there. */
#ifndef POISE_MONITOR_KIND_H
#define POISE_MONITOR_KIND_H
#include "flow/flow.h"
#include "run/average.h"
#include "run/case_settings.h"
#include "run/monitor.h"
#include "run/watch.h"

/* What all monitors of a run share. */
struct watching {
    const struct case_settings *c;
    const struct mesh *m;       /* this rank's part */
    struct flow *f;
    struct averages *averages;  /* of the run, or NULL */
    const char *directory;      /* the case's output directory */
    bool timed;                 /* a transient run */
    bool resume;                /* files are continued from a checkpoint of this step: csv_open(), output_open() */
    int64_t step;
};

struct monitor {
    const struct monitor_kind *kind;
    const struct watching *x;
    const void *set;            /* element of the case's list; NULL: there is none */
    void *own;                  /* data of the kind, `size` bytes, initially zero */
    struct watch *row;          /* [n_rows] */
    int n_rows;
    int64_t read, written;      /* the last step at which it was read or written, -1: none */
};

/* Functions that a kind does not need are NULL.  All ranks call them together.  False with a message. */
struct monitor_kind {
    const char *section;        /* section of the case; folder of its files */
    const char *word;           /* for one of them, in messages */
    size_t list, element;       /* offset of the list, a struct named_list, in struct case_settings; size of an element;
                                   0: no list, and one monitor in every run */
    bool together;              /* all elements of the list are one monitor, with a row for each */
    bool uncounted;             /* monitors_count() leaves them out */
    bool looks;                 /* its values need fields_look() */
    const char *point;          /* key of a vector whose length, an int at `length` of an element, must be the mesh's
                                   dimension; or NULL */
    size_t length;
    size_t every;               /* offset of an element's own interval, an int; 0: it has none */
    size_t size;                /* of `own` */
    /* Adds the columns of its rows, SECTION/NAME.csv, for a mesh of `dim` dimensions.  `convergence` can monitor these,
     * and they can be averaged. */
    void (*columns)(const void *set, const struct fields *all, int dim, struct watch *row);
    /* Checks that everything it needs is among these fields.  averaged: the case has averages. */
    bool (*check)(const void *set, const struct fields *all, bool averaged, struct error *e);
    /* Checks that all elements are in the mesh.  Adds to *e, as error_keep(). */
    void (*check_mesh)(const struct case_settings *c, const struct mesh *m, struct error *e);
    /* The rows have their columns; kinds without `columns` may add some.  free() is called after a failure too. */
    bool (*create)(struct monitor *o, struct error *e);
    bool (*open)(struct monitor *o, struct error *e);           /* the files other than the rows */
    void (*read)(struct monitor *o, const struct flow *f);      /* the values after a step, also into the rows */
    /* Writes the last values read, except the rows. */
    bool (*write)(const struct monitor *o, int64_t step, double time, struct error *e);
    /* Prints lines of the closing summary; NULL: the rows' values, if any. */
    void (*print)(const struct monitor *o);
    /* What does not close after the last step read. */
    struct balance (*balance)(const struct monitor *o);
    void (*free)(void *own);
};

extern const struct monitor_kind probes_kind, forces_kind, surfaces_kind, planes_kind, rates_kind, heat_kind,
    scalars_kind, driven_kind, lines_kind;
#endif
