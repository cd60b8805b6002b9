/* case.h: a case file (libconfig's syntax, or JSON) as text with settings, independent of their meaning.
 *
 * Every folder of src declares its settings in tables (section.h); the list of these tables is everything that a case
 * file may contain (run/case_settings.h).  Reading, the check for unknown keys, `poise help case` and the list in the
 * log all use it.  Every error names file:line, the key, the value found, what was expected and the nearest valid
 * name. */
#ifndef POISE_CASE_H
#define POISE_CASE_H
#include <stdbool.h>
#include <stdio.h>
#include "base/names.h"

struct parameter { char name[NAME_LENGTH]; double value; };     /* a name chosen by the user */

/* The case file and the files that it includes form one text; settings store their line in that text.  A part of it:
 * its lines from `from` on are the lines of `file` from `line` on. */
struct case_part { char *file; int from, line; };

struct case_source {
    char path[PATH_LENGTH];     /* the case file as given */
    char name[NAME_LENGTH];     /* its file name without .cfg or .json */
    struct case_part *part;     /* in ascending order */
    int n_parts;
    char *listing;              /* the log's first page: the keys that the file or --set gives, with their values; the
                                   others have their defaults (`poise help case`).  It is itself a case file, equivalent
                                   if placed in the same folder */
    char *settings;             /* the same as lines "path = value", for comparison with another run */
    char **text;                /* those of value_setting */
    int n_texts;
    struct table *table;        /* likewise (base/table.h); linked by `next` */
};

/* Location of a setting; valid as long as the case's source. */
enum { LINE_OF_SET = 0, LINE_OF_WHOLE = -1 };   /* from the command line; the case as a whole */
struct case_place { const struct case_source *source; int line; };

/* A value that is a number, an expression of position and time (base/expression.h) or a column of a table
 * (base/table.h), over place and time or over another one of its variables, read with the types KEY_VALUE, KEY_VALUES
 * and KEY_NAMED_VALUES (section.h).  Syntax and names have been checked.  It may be copied; its texts are valid as long
 * as the case's source. */
enum { VALUE_X, VALUE_Y, VALUE_Z, VALUE_T, N_VALUE_VARIABLES };
extern const char *const value_variables[N_VALUE_VARIABLES];           /* the usual ones: x, y, z, t */
struct value_setting {
    double number;              /* if there is no text; an expression without variables is a number, too */
    const char *text;           /* the expression or "table:FILE:COLUMN", or NULL */
    const struct table *table;  /* or NULL: `text` is an expression */
    int column;
    bool in_time;               /* it depends on t */
    const char *const *variable;        /* [n_variables] their names */
    int n_variables;
    const char *path;           /* "boundary.inlet.velocity"; NULL: not from a case */
    const char *range;          /* of numbers, as in the table of keys, or NULL */
    struct case_place place;
};
struct named_value { char name[NAME_LENGTH]; struct value_setting value; };

/* Is the number inside an interval like "(0, 1]" (NULL: all)? */
bool case_in_range(double value, const char *range);

/* For messages: "cavity.cfg:5", "cavity.cfg (--set)", "cavity.cfg".  Valid until the call after the next. */
const char *case_place_text(struct case_place p);

/* Length of a file's name without .cfg or .json; its whole length if it has neither. */
size_t case_name_length(const char *file);
#endif
