/* case.h: a case file (libconfig's syntax, or JSON) as a text with settings in it, whatever they are about.
 *
 * Every room says in tables what settings it takes (section.h); one list of these tables is what a case may say
 * (run/case_settings.h).  Reading, the check for unknown keys, `poise help case` and the list in the log all come
 * from it. Every error names file:line, the key, what was found, what was expected and the nearest valid name. */
#ifndef POISE_CASE_H
#define POISE_CASE_H
#include <stdio.h>
#include "base/names.h"

struct parameter { char name[NAME_LENGTH]; double value; };     /* a name of the user's choice */

/* The case file and those that it includes make one text, and settings know their line in that.  A part of the text:
 * its lines from `from` on are the lines of `file` from `line` on. */
struct case_part { char *file; int from, line; };

struct case_source {
    char path[PATH_LENGTH];     /* the case file as given */
    char name[NAME_LENGTH];     /* its file name without .cfg or .json */
    struct case_part *part;     /* ascending */
    int n_parts;
    char *listing;              /* the log's first page: the keys that the file or --set gives, with the value in force;
                                   the others have their defaults (`poise help case`).  It is a case file too, which in
                                   the folder of the given one means the same */
    char *settings;             /* the same as lines "path = value", to be compared with those of another run */
};

/* Where a setting stands; valid as long as the case's source is. */
enum { LINE_OF_SET = 0, LINE_OF_WHOLE = -1 };   /* from the command line; the case as a whole */
struct case_place { const struct case_source *source; int line; };

/* For messages: "cavity.cfg:5", "cavity.cfg (--set)", "cavity.cfg".  Valid until the call after the next. */
const char *case_place_text(struct case_place p);

/* Length of a file's name without the extension of a case file, .cfg or .json; where it has neither, its length. */
size_t case_name_length(const char *file);
#endif
