/* section.h: how a folder of src declares its settings: a table of keys, which fill a struct, and checks.
 *
 *     static const struct key box_keys[] = {
 *         {"cells", KEY_INTEGERS, OFFSET(box_setting, cells), OFFSET(box_setting, dim), .range = "[1, inf)",
 *          .help = "..."},
 *         {0}};
 *     const struct section box_section = {.path = "mesh.box", .key = box_keys, .optional = true, .help = "..."};
 *
 * Tables do not refer to each other.  A check of settings against each other is passed all of them, and belongs to the
 * highest of their folders.  It may also look up settings in the file by path. */
#ifndef POISE_SECTION_H
#define POISE_SECTION_H
#include <libconfig.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "case/case.h"

enum key_type {
    KEY_REAL,                   /* double; extra: int, 1 if given */
    KEY_INTEGER,                /* int */
    KEY_WORD,                   /* one of `words`: an enum, or char[NAME_LENGTH] */
    KEY_NAME, KEY_PATH,         /* char[NAME_LENGTH], char[PATH_LENGTH] */
    KEY_VECTOR,                 /* double[3], 2 or 3 numbers; extra: int, how many */
    KEY_INTEGERS,               /* int[3], likewise */
    KEY_NUMBERS,                /* double[4], one number, with or without brackets, to 4; extra: int, how many */
    KEY_REALS,                  /* double *; extra: int, how many */
    KEY_NAMES,                  /* char (*)[NAME_LENGTH]; extra: int, how many */
    KEY_GROUP,                  /* a group of the keys `inner`; extra: int, 1 if given */
    KEY_PARAMETERS,             /* struct parameter * (case.h); extra: int, how many; any names with numbers */
    /* numbers or expressions (case.h), whose variables are `words`, by default x, y, z, t */
    KEY_VALUE,                  /* struct value_setting; extra: int, 1 if given */
    KEY_VALUES,                 /* struct value_setting[3], 2 or 3; extra: int, how many */
    KEY_NAMED_VALUES,           /* struct named_value *; extra: int, how many; any names */
    /* char[PATH_LENGTH], a table, whose columns give other keys of the same group: those of their names, components of
     * vectors as NAME_x, and entries of its KEY_NAMED_VALUES */
    KEY_TABLE
};

/* The words of a KEY_WORD are indexed by their enum's values: [CONVECTION_UPWIND] = "upwind".  They are given either in
 * the table of keys or, if others print them, in an array. */
#define WORDS(...) .words = (const char *const[]){__VA_ARGS__}, \
                   .n_words = (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
#define WORDS_OF(array) .words = (array), .n_words = (int)(sizeof(array) / sizeof *(array))
#define OFFSET(s, member) offsetof(struct s, member)
#define BIT(value) (1u << (value))

struct key {
    const char *name;
    enum key_type type;
    size_t offset, extra;       /* in the section's struct; extra 0: none */
    const char *unit;           /* or NULL */
    const char *range;          /* of numbers, as an interval: "(0, inf)", "[0, 0.5)"; NULL: any finite number */
    const char *standard;       /* default in the file's syntax (bare words allowed; a path may begin with NAME, the
                                   case's name); "": unset; NULL: required */
    const char *const *words;   /* [n_words]; of values: the names of variables */
    int n_words;
    const char *more_words;     /* of values: the path of a group, whose names are variables too; or NULL */
    unsigned studies;           /* bit k set: word k is for studies, and so are keys that apply to such words alone */
    unsigned kinds;             /* bit k set: applies if the section's first key is its word k; 0: always */
    const char *help;
    const char *expected;       /* in messages and help, instead of the type's words; or NULL */
    const struct key *inner;    /* KEY_GROUP: keys with offsets in the section's struct; the last one has no name */
};

struct case_reader;
/* A condition on which a default depends. */
struct condition { const char *label; bool (*holds)(struct case_reader *r); };        /* label: in `poise help case` */
struct other_standard { const char *key; const struct condition *when; const char *standard; };         /* when NULL:
                                                                                                           always, in a
                                                                                                           table of keys
                                                                                                           that several
                                                                                                           sections
                                                                                                           share */

/* A case is read a second time when its mesh is known, because defaults depend on it.  Returns what was passed to this
 * second reading (run/case_settings.h); NULL in the first one. */
const void *case_known(const struct case_reader *r);

struct section {
    const char *path;           /* "fluid", "solver.pressure", "boundary" */
    const struct key *key;      /* the last one has no name */
    const char *const (*gone)[2];       /* removed keys, each with what to do instead; the last one NULL; or NULL */
    const struct other_standard *other;         /* conditional defaults, the last entry without a key; or NULL */
    size_t size;                /* size of one element of a named section (boundary.NAME), whose struct is a struct
                                   named_list; an element begins with its name and place.  0: the section fills one
                                   struct */
    bool optional;              /* not filled with defaults if the file has no such group */
    const char *with;           /* a group without which this one is rejected, and not filled with defaults; or NULL */
    const char *help;
};
const struct key *section_key(const struct section *s, const char *name);      /* NULL: no such key */
/* First members of a named section's struct. */
struct named { char name[NAME_LENGTH]; struct case_place place; };
struct named_list { void *item; int n; };
/* Names of n such elements, each of `size` bytes; the caller frees the array. */
const char **case_names(const void *item, size_t size, int n);
int case_find_name(const char *name, const char *const *names, int n);          /* -1: not found */

/* ---------------------------------------------------------------- for checks after reading */
/* Notes an error at a setting (NULL: the file as a whole). */
void case_complain(struct case_reader *r, const config_setting_t *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Has an error been noted at this setting itself?  What it should have given is then not reported as missing. */
bool case_complained(const struct case_reader *r, const config_setting_t *at);
/* For messages, from the range of a key: "(0, inf)" -> " > 0", "(0, 1]" -> " in (0, 1]". */
void case_range_text(char *to, size_t size, const char *range);
/* The setting at a path, or NULL. */
config_setting_t *case_setting(struct case_reader *r, const char *path);
/* The i-th group of a named section, or a key of it (NULL: the group itself); NULL: missing. */
config_setting_t *case_named(struct case_reader *r, const char *section, int i, const char *key);
/* The group at the path ("": the file as a whole); NULL: missing, or not a group. */
config_setting_t *case_group(struct case_reader *r, const char *path);
/* A key that has no effect with the other settings: rejected if given; a default is removed from the listing. */
void case_drop(struct case_reader *r, config_setting_t *group, const char *name, const char *why);
/* Makes the path that a setting gives, relative to the case's folder, relative to the working directory. */
void case_join_folder(struct case_reader *r, const config_setting_t *at, char path[PATH_LENGTH]);
const char *case_path_of(const config_setting_t *s);    /* "boundary.lid.type"; valid until the call after the next */
bool case_is_standard(const config_setting_t *s);       /* is it a default? */
struct case_place case_place_of(const struct case_reader *r, const config_setting_t *s);
struct case_place case_whole(const struct case_reader *r);
const char *case_did_you_mean(const char *name, const char *const *names, int n);   /* " (did you mean "x"?)" or "" */

/* ---------------------------------------------------------------- for checks against the mesh */
struct findings {
    struct error *e;
    int n;
    size_t length;
    const char *mesh_name;
    int dim;
    const char *const *zone;    /* [n_zones] names of the mesh's cell regions */
    int n_zones;
};
void find_fault(struct findings *f, struct case_place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Notes an error if `name`, of kind `what` ("boundary"), is not among the mesh's names; true: it is. */
bool find_name(struct findings *f, struct case_place at, const char *what, const char *name, const char *const *names,
               int n);
/* n numbers were given for the vector at this path; 0: none. */
void find_length(struct findings *f, struct case_place at, int n, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#endif
