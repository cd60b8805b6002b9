/* table.h: a table of numbers in a CSV file, over points in space and time.
 *
 * The first line names the columns; x, y, z and t are coordinates, or instead of them a field, where the owner names
 * fields.  Columns are separated by commas, semicolons or tabs; empty lines and those that begin with # are skipped.
 * With t, every time has the same points. */
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
    int space[3], time, field;  /* columns of x, y, z, t and of a field; -1: there is none */
    int32_t n_times, n_points;
    int32_t *order;             /* [n_times n_points] rows sorted by t, then x, y, z, or by the field */
    struct table *next;         /* for a list of the owner's */
};

/* field: [n_fields] names of fields that may be the coordinate; n_fields 0: none.  False with the file and the line: it
 * cannot be read, or a number, name or point is wrong. */
bool table_read(struct table *t, const char *path, const char *const *field, int n_fields, struct error *e);
void table_free(struct table *t);
/* -1: there is no column of this name. */
int table_column(const struct table *t, const char *name);
bool table_is_coordinate(const struct table *t, int column);
/* With a field: the first and the last of its values; the column at n values, linear between rows, and beyond the first
 * and the last row as there. */
void table_range(const struct table *t, double range[2]);
void table_along_field(const struct table *t, int column, const double *x, int64_t n, double *to);
static inline double table_value(const struct table *t, int column, int32_t row)
{
    return t->value[(int64_t)column * t->n_rows + row];
}
#endif
