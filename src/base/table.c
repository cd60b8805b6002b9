/* Reads tables of numbers from CSV files (table.h). */
#include "base/table.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/memory.h"

enum { MOST_BYTES = 1 << 30, MOST_COLUMNS = 1000, MOST_ROWS = 50000000 };
static const char separators[] = ",;\t";

/* The next field of a line, without blanks and quotes around it; false: the line has ended. */
static bool next_field(const char **at, const char *end, const char **field, int *length)
{
    if (!*at) return false;
    const char *p = *at, *stop = p;
    while (stop < end && !strchr(separators, *stop)) stop++;
    *at = stop < end ? stop + 1 : NULL;
    while (p < stop && strchr(" \"\r", *p)) p++;
    while (stop > p && strchr(" \"\r", stop[-1])) stop--;
    *field = p, *length = (int)(stop - p);
    return true;
}

static const char *const axes[] = {"x", "y", "z", "t"};

/* Which columns are coordinates: place and time, or one field. */
static bool find_coordinates(struct table *t, const char *const *fields, int n_fields, int line, struct error *e)
{
    const char *other = NULL;
    for (int k = 0; k < 4; k++) {
        const int column = table_column(t, axes[k]);
        if (column >= 0) other = axes[k];
        if (k < 3) t->space[k] = column;
        else t->time = column;
    }
    for (int k = 0; k < n_fields; k++) {
        const int column = table_column(t, fields[k]);
        if (column < 0 || table_is_coordinate(t, column)) continue;
        if (other)
            return refuse(e, EXIT_INPUT, "%s:%d: columns %s and %s: expected a table over one field, or over x, y, z "
                          "and t; remove one of them", t->path, line, other, fields[k]);
        t->field = column, other = fields[k];
    }
    return true;
}

static bool read_names(struct table *t, const char *at, const char *end, int line, struct error *e)
{
    const char *field;
    int length;
    NEW(t->column, 1);
    while (next_field(&at, end, &field, &length)) {
        char *rest, name[NAME_LENGTH];
        if (t->n_columns == MOST_COLUMNS || length >= NAME_LENGTH)
            return refuse(e, EXIT_INPUT, "%s:%d: at most %d columns, with names of at most %d letters, are possible",
                          t->path, line, MOST_COLUMNS, NAME_LENGTH - 1);
        snprintf(name, sizeof name, "%.*s", length, field);
        strtod(name, &rest);
        if (!*name || !*rest)
            return refuse(e, EXIT_INPUT, "%s:%d: column %d is \"%s\": expected the names of the columns in the first "
                          "line, like x,y,velocity_x", t->path, line, t->n_columns + 1, name);
        if (table_column(t, name) >= 0)
            return refuse(e, EXIT_INPUT, "%s:%d: two columns are named \"%s\"", t->path, line, name);
        RESIZE(t->column, t->n_columns + 1);
        memcpy(t->column[t->n_columns++], name, sizeof name);
    }
    return true;
}

/* to: [n_columns] */
static bool read_row(const struct table *t, const char *at, const char *end, int line, double *to, struct error *e)
{
    const char *field;
    int n = 0, length;
    for (; next_field(&at, end, &field, &length); n++) {
        char text[64], *rest;
        if (n >= t->n_columns) continue;
        snprintf(text, sizeof text, "%.*s", length, field);
        to[n] = strtod(text, &rest);
        if (!*text || *rest || length >= (int)sizeof text || !isfinite(to[n]))
            return refuse(e, EXIT_INPUT, "%s:%d: %s = \"%s\": expected a number", t->path, line, t->column[n], text);
    }
    return n == t->n_columns || refuse(e, EXIT_INPUT, "%s:%d: %d number%s, but the first line names %d columns",
                                       t->path, line, n, n == 1 ? "" : "s", t->n_columns);
}

static bool read_lines(struct table *t, const char *text, const char *const *fields, int n_fields, struct error *e)
{
    int32_t room = 0;
    double *row = NULL, *by_row = NULL;
    bool good = true;
    int line = 1;
    for (const char *end; good && *text; text = *end ? end + 1 : end, line++) {
        end = text + strcspn(text, "\n");
        const char *first = text + strspn(text, " \t\r");
        if (first >= end || *first == '#') continue;
        if (!t->n_columns) {
            good = read_names(t, text, end, line, e) && find_coordinates(t, fields, n_fields, line, e);
            NEW(row, t->n_columns);
            continue;
        }
        if (t->n_rows == room) {
            room = 2 * room + 16;
            RESIZE(by_row, (int64_t)room * t->n_columns), RESIZE(t->line, room);
        }
        good = t->n_rows < MOST_ROWS ? read_row(t, text, end, line, row, e)
                                     : refuse(e, EXIT_INPUT, "%s:%d: at most %d rows", t->path, line, MOST_ROWS);
        if (!good) break;
        memcpy(by_row + (int64_t)t->n_rows * t->n_columns, row, (size_t)t->n_columns * sizeof *row);
        t->line[t->n_rows++] = line;
    }
    if (good && !t->n_rows)
        good = refuse(e, EXIT_INPUT, "%s: the table is empty: expected the names of the columns, then rows of numbers",
                      t->path);
    NEW(t->value, (int64_t)t->n_columns * t->n_rows);
    for (int32_t i = 0; good && i < t->n_rows; i++)
        for (int k = 0; k < t->n_columns; k++)
            t->value[(int64_t)k * t->n_rows + i] = by_row[(int64_t)i * t->n_columns + k];
    free(row), free(by_row);
    return good;
}

/* ---------------------------------------------------------------- points and times */
/* Compares the coordinates in space, or the field, of two rows. */
static int compare_points(const struct table *t, int32_t i, int32_t j)
{
    const int column[] = {t->space[0], t->space[1], t->space[2], t->field};
    for (int k = 0; k < 4; k++) {
        if (column[k] < 0) continue;
        double a = table_value(t, column[k], i), b = table_value(t, column[k], j);
        if (a != b) return a < b ? -1 : 1;
    }
    return 0;
}

static int compare_rows(const void *x, const void *y, void *table)
{
    const struct table *t = table;
    const int32_t i = *(const int32_t *)x, j = *(const int32_t *)y;
    double a = t->time < 0 ? 0 : table_value(t, t->time, i), b = t->time < 0 ? 0 : table_value(t, t->time, j);
    int by_point = a == b ? compare_points(t, i, j) : a < b ? -1 : 1;
    return by_point ? by_point : i - j;
}

static double time_of(const struct table *t, int32_t k)
{
    return t->time < 0 ? 0 : table_value(t, t->time, t->order[k]);
}

static bool sort_rows(struct table *t, struct error *e)
{
    NEW(t->order, t->n_rows);
    for (int32_t i = 0; i < t->n_rows; i++) t->order[i] = i;
    qsort_r(t->order, (size_t)t->n_rows, sizeof *t->order, compare_rows, t);
    t->n_points = 1, t->n_times = 0;
    while (t->n_points < t->n_rows && time_of(t, t->n_points) == time_of(t, 0)) t->n_points++;
    for (int32_t k = 0; k < t->n_rows; k++) {
        int32_t first = t->n_times * t->n_points, row = t->order[k], before = k ? t->order[k - 1] : -1;
        bool begins = k == 0 || time_of(t, k) != time_of(t, k - 1);
        if (!begins && !compare_points(t, row, before))
            return refuse(e, EXIT_INPUT, "%s:%d: the same %s as in line %d%s", t->path, t->line[row],
                          t->field >= 0 ? t->column[t->field] : t->time < 0 ? "point" : "point and time",
                          t->line[before], t->field < 0 && t->time < 0 ? "; a value in time needs a column t" : "");
        if ((begins && k != first) || (!begins && k == first) ||
            (k >= t->n_points && compare_points(t, row, t->order[(begins ? 0 : k - (t->n_times - 1) * t->n_points)])))
            return refuse(e, EXIT_INPUT, "%s:%d: at t = %g the points are not those of t = %g; expected the same "
                          "points at every time", t->path, t->line[row], time_of(t, k), time_of(t, 0));
        t->n_times += begins;
    }
    return t->n_times * t->n_points == t->n_rows ||
           refuse(e, EXIT_INPUT, "%s: at t = %g points are missing; expected the same points at every time", t->path,
                  time_of(t, t->n_rows - 1));
}

bool table_read(struct table *t, const char *path, const char *const *field, int n_fields, struct error *e)
{
    const char *why;
    size_t bytes;
    *t = (struct table){.space = {-1, -1, -1}, .time = -1, .field = -1};
    snprintf(t->path, sizeof t->path, "%s", path);
    char *text = file_text(path, MOST_BYTES, &bytes, &why);
    if (!text) return refuse(e, EXIT_INPUT, "%s: %s", path, errno == EFBIG ? "too long for a table" : why);
    bool good = strlen(text) == bytes || refuse(e, EXIT_INPUT, "%s: this is not a text file", path);
    good = good && read_lines(t, text, field, n_fields, e) && sort_rows(t, e);
    free(text);
    if (!good) table_free(t);
    return good;
}

void table_free(struct table *t)
{
    free(t->column), free(t->value), free(t->line), free(t->order);
    *t = (struct table){.space = {-1, -1, -1}, .time = -1, .field = -1};
}

int table_column(const struct table *t, const char *name)
{
    for (int k = 0; k < t->n_columns; k++) if (!strcmp(t->column[k], name)) return k;
    return -1;
}

bool table_is_coordinate(const struct table *t, int column)
{
    return column == t->space[0] || column == t->space[1] || column == t->space[2] || column == t->time ||
           column == t->field;
}

/* ---------------------------------------------------------------- along a field */
static double field_at(const struct table *t, int32_t k) { return table_value(t, t->field, t->order[k]); }

void table_range(const struct table *t, double range[2])
{
    range[0] = field_at(t, 0), range[1] = field_at(t, t->n_rows - 1);
}

void table_along_field(const struct table *t, int column, const double *x, int64_t n, double *to)
{
    for (int64_t i = 0; i < n; i++) {
        int32_t low = 0, high = t->n_rows - 1;
        while (high - low > 1) {
            int32_t middle = low + (high - low) / 2;
            if (field_at(t, middle) <= x[i]) low = middle;
            else high = middle;
        }
        const double a = table_value(t, column, t->order[low]), b = table_value(t, column, t->order[high]);
        const double part = low < high ? (x[i] - field_at(t, low)) / (field_at(t, high) - field_at(t, low)) : 0;
        to[i] = part <= 0 ? a : part >= 1 ? b : fma(part, b - a, a);
    }
}
