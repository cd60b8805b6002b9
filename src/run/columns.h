/* columns.h: values of fields at many locations (points of a line, facets), and their time averages: as columns of a
 * CSV file, and as a step of a series. */
#ifndef POISE_COLUMNS_H
#define POISE_COLUMNS_H
#include "case/section.h"
#include "io/output.h"
#include "run/average.h"

struct columns {
    int n_fields;
    struct column_field { char name[NAME_LENGTH]; int components; } *field;
    int width;                  /* components of all fields */
    int32_t n;                  /* locations */
    double *value;              /* [width n] component after component; filled by the owner */
    struct average *average;    /* of these; NULL: none */
};

/* Adds a field; before columns_allocate(). */
void columns_add(struct columns *c, const char *name, int components);
/* Adds the fields of FIELD_SAMPLE, in the order of sample_read(). */
void columns_add_samples(struct columns *c, const struct fields *all);
/* For n locations.  averages: of the run, or NULL; kind, name: as averages_follow(). */
void columns_allocate(struct columns *c, int32_t n, struct averages *averages, const char *kind, const char *name);
/* Rewrites a CSV file: below `head` n_front columns, [n_front n]; after them "velocity_x,..", then with averages
 * "velocity_x_mean,..", "velocity_x_rms,..". */
bool columns_table(const struct columns *c, const char *path, const char *head, int n_front, const double *front,
                   struct error *e);
/* The values, with averages also NAME_mean and NAME_rms, as a step of a series; at most MOST_OUTPUT_FIELDS. */
bool columns_write(const struct columns *c, struct output *series, int64_t step, double time, struct error *e);
/* Whether columns_write() can write so many fields for this setting.  averaged: with averages.  False: a message. */
bool columns_check(const char *section, const struct named *set, int fields, bool averaged, struct error *e);
void columns_free(struct columns *c);
#endif
