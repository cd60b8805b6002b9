/* case_parts.h: what the parts of the case reader (case*.c) share; nobody else includes it. */
#ifndef POISE_CASE_PARTS_H
#define POISE_CASE_PARTS_H
#include <libconfig.h>
#include <stddef.h>
#include "base/case.h"

/* ---------------------------------------------------------------- case_table.c: the keys */
enum key_type {
    KEY_REAL,                   /* double */
    KEY_INTEGER,                /* int */
    KEY_WORD,                   /* one of `words`: an enum whose values are their order, or char[NAME_LENGTH] */
    KEY_NAME, KEY_PATH,         /* char[NAME_LENGTH], char[PATH_LENGTH] */
    KEY_VECTOR,                 /* double[3], 2 or 3 numbers; extra: int, how many were given */
    KEY_INTEGERS,               /* int[3], likewise */
    KEY_NAMES,                  /* char (*)[NAME_LENGTH]; extra: int, how many */
    KEY_PARAMETERS              /* struct parameter *; extra: int, how many; a group of any names with numbers */
};

struct key {
    const char *name;
    enum key_type type;
    size_t offset, extra;       /* in the section's struct; extra 0: none */
    const char *unit;           /* or NULL */
    const char *range;          /* of numbers, as an interval: "(0, inf)", "[0, 0.5)"; NULL: any finite number */
    const char *standard;       /* default in the file's syntax (bare words allowed); "": not set; NULL: required */
    const char *standard_simple;/* default with algorithm = "simple" where that differs, or NULL */
    const char *standard_transient, *standard_two_phase;       /* likewise with piso and pimple, with a second fluid */
    const char *const *words;   /* valid words up to a NULL */
    bool is_text;               /* KEY_WORD is stored as text */
    unsigned kinds;             /* bit k set: applies where the section's first key is its k-th word; 0: always */
    const char *help;
};

struct section {
    const char *path;           /* "fluid", "solver.pressure", "boundary" */
    const struct key *key;
    int n_keys;
    size_t base; /* offset in struct case_settings of the struct, or of the pointer to a named section's array */
    size_t count, size;         /* named sections (boundary.NAME): offset of the int with their number, bytes of one;
                                   it starts with its name and line */
    bool optional;              /* not filled with defaults when the file has no such group */
    const char *with;           /* a group without which this one is refused, and not filled with defaults; or NULL */
    const char *const *kinds;   /* the first key's words, where `kinds` of the keys is in use */
    const char *help;
};

/* ---------------------------------------------------------------- boundary_kinds.c: those of boundary.NAME */
enum { N_BOUNDARY_KEYS = 7 };
extern const struct key boundary_keys[N_BOUNDARY_KEYS];

extern const struct section sections[];
extern const int n_sections;

/* The key of a path like "boundary.lid.type", or NULL. */
const struct key *find_key(const char *path);
int count_words(const char *const *words);

/* ---------------------------------------------------------------- case_help.c: what the table says to people */
/* "a number > 0", "one of upwind, linear-upwind or central" */
void expected_text(char *to, size_t size, const struct key *k);
/* Is the value inside an interval like "(0, 1]"? */
bool in_range(double value, const char *range);

/* ---------------------------------------------------------------- case_text.c: settings <-> libconfig's tree */
enum { MOST_ERRORS = 20, ERROR_LENGTH = 1000 };

struct reader {
    struct case_settings *c;
    const char *option;         /* that settings come from which are not in the file: "--set" */
    config_t config; /* a setting's hook: NULL from the file, standard_mark, or the option's text it came from */
    int n_errors;               /* all; the first MOST_ERRORS are kept */
    struct { int line; char text[ERROR_LENGTH]; } error[MOST_ERRORS];
};
extern char standard_mark[];

/* name = text (file syntax, or a bare word) into the group, in place of one that is there; NULL: cannot be read. */
config_setting_t *insert(config_setting_t *group, const char *name, const char *text, bool is_text, void *mark);
bool apply_set(struct reader *r, const char *set, struct error *e);
/* Notes an error at a setting (NULL: the file as a whole). */
void complain(struct reader *r, const config_setting_t *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *path_of(const config_setting_t *s);         /* "boundary.lid.type"; valid until the call after the next */
void print_value(FILE *out, const config_setting_t *s);
void found_text(char *to, size_t size, const config_setting_t *s);
int source_line(const config_setting_t *s);             /* 0: not from the file */
/* " (did you mean "x"?)" or "" */
const char *did_you_mean(const char *name, const char *const *names, int n);

/* ---------------------------------------------------------------- case_source.c: files -> libconfig's tree */
/* The case file with those that it includes. */
bool read_file(struct reader *r, struct error *e);
bool read_string(config_t *config, const char *text);   /* text that is no file; false: cannot be read */
/* A line of the whole text, as settings have it: the line of which file?  *file stays the case's. */
int place_in_file(const struct case_settings *c, int line, const char **file);

/* ---------------------------------------------------------------- case.c: the tree -> struct case_settings */
const struct section *section_at(const char *path);     /* "solver.pressure", or NULL */
/* Reads one group by the section's keys into the struct at base and completes it with defaults. */
void read_group(struct reader *r, const struct section *s, config_setting_t *group, char *base);
bool report(struct reader *r, struct error *e);         /* all that was noted into *e; true: nothing was */

/* ---------------------------------------------------------------- case_check.c: settings against each other */
void check_settings(struct reader *r);
/* The setting at a path, or NULL. */
config_setting_t *setting_at(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The i-th group of a named section, like boundary, or a key of it (NULL: the group itself); NULL: not there. */
config_setting_t *named_at(struct reader *r, const char *section, int i, const char *key);
/* A key without use beside the others: what was given is refused, a default goes from the listing. */
void drop(struct reader *r, config_setting_t *group, const char *name, const char *why);
void check_linear_solver(struct reader *r, config_setting_t *group, const struct linear_setting *p);

/* ---------------------------------------------------------------- case_check_transient.c: of these, what is not steady */
void check_transient(struct reader *r);
#endif
