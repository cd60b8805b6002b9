/* table.h: a table of numbers in a CSV file, over points in space and time.
 *
 * The first line names the columns; x, y, z and t are coordinates.  Columns are separated by commas, semicolons or
 * tabs; empty lines and those that begin with # are skipped.  With t, every time has the same points. */
#ifndef POISE_TABLE_H
#define POISE_TABLE_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "base/names.h"

struct table {
    char path[PATH_LENGTH];
    int n_columns;
    char (*column)[NAME_LENGTH];
    int32_t n_rows;
    double *value;              /* [n_columns n_rows] */
    int *line;                  /* [n_rows] of the file */
    int space[3], time;         /* columns of x, y, z and t; -1: there is none */
    int32_t n_times, n_points;
    int32_t *order;             /* [n_times n_points] rows sorted by t, then x, y, z */
    struct table *next;         /* for a list of the owner's */
};

/* False with the file and the line: it cannot be read, or a number, name or point is wrong. */
bool table_read(struct table *t, const char *path, struct error *e);
void table_free(struct table *t);
/* -1: there is no column of this name. */
int table_column(const struct table *t, const char *name);
static inline double table_value(const struct table *t, int column, int32_t row)
{
    return t->value[(int64_t)column * t->n_rows + row];
}
#endif
