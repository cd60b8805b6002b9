/* watch.h: named values monitored while a case runs: the row of a probe or of a force, in its own CSV file. */
#ifndef POISE_WATCH_H
#define POISE_WATCH_H
#include <stdbool.h>
#include <stdint.h>
#include "base/names.h"
#include "base/error.h"

struct watch {
    const char *name;
    int n;
    char (*column)[2 * NAME_LENGTH];            /* [n] */
    double *value;              /* [n] the latest */
    struct average *average;    /* of these, adding columns NAME_mean and NAME_rms; NULL: none */
    bool timed;                 /* its rows have a column for the time */
    struct csv *csv;
};

/* Adds a column, its name printf style; before watch_open(). */
void watch_add(struct watch *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* DIRECTORY/FOLDER/NAME.csv; every, resume: as csv_open(). */
bool watch_open(struct watch *w, const char *directory, const char *folder, bool timed, int every, bool resume,
                int64_t step, struct error *e);
bool watch_write(const struct watch *w, int64_t step, double time, struct error *e);
/* Prints a line of the closing summary. */
void watch_print(const struct watch *w, const char *kind);
void watch_free(struct watch *w);
#endif
