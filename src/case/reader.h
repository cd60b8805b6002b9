/* reader.h: the reader of case files: how the tables are combined and read (run/case_settings.c), and what the files of
 * src/case share. */
#ifndef POISE_READER_H
#define POISE_READER_H
#include "case/section.h"

/* ---------------------------------------------------------------- everything that a case may contain */
/* at: offset of its struct in the struct of all settings */
struct placed_section { const struct section *section; size_t at; };
struct case_table {
    const struct placed_section *section;       /* in the order of help and defaults */
    int n_sections;
    size_t size;                /* of the struct of all settings */
    void (*check)(struct case_reader *r, void *settings);   /* checks settings against each other */
    /* Name of the unsupported feature that a key in this section ("": the whole file) asks for, else NULL; *certain: no
     * other name can have been meant. */
    const char *(*missing)(const char *section, const char *name, bool *certain);
    const char *example;        /* printed at the start of help */
};

/* Reads the file and the command line's key=value settings (each as if it were in the file; "--set" in messages; the
 * value of a text key needs no quotes; "key=" removes a key or a group).  False with a message that may contain several
 * errors, in the order of the file's lines (all errors, at most 20; further lines of one error are indented).
 * *settings is then empty, except with `kept` and *source: it holds what could be read, to search for more errors;
 * settings_free() frees it.
 * known: the result of case_known(), on which defaults may depend although it is not in the file; or NULL.
 * *source: what locations of settings refer to; settings_free() frees it with the settings. */
bool settings_read(const struct case_table *t, void *settings, struct case_source **source, const char *path,
                   const char *const *set, int n_set, const void *known, bool kept, struct error *e);
void settings_free(const struct case_table *t, void *settings, struct case_source *source);
/* Every key with type, unit, default, valid words.  of: NULL, or the path of a group ("solver" includes
 * solver.pressure), or a key's name or path; false with a message if nothing matches. */
bool settings_help(const struct case_table *t, FILE *out, const char *of, struct error *e);

/* ---------------------------------------------------------------- reading */
enum { MOST_ERRORS = 20, ERROR_LENGTH = 1000 };

struct case_reader {
    const struct case_table *table;
    struct case_source *source;
    void *settings;
    const void *known;
    const char *option;         /* source of settings outside the file: "--set" */
    config_t config;            /* a setting's hook is its origin: NULL: the file; case_standard_mark: a default; else
                                   the text of the option */
    int n_errors;               /* all; the first MOST_ERRORS are kept */
    struct { int line; const config_setting_t *at; char text[ERROR_LENGTH]; } error[MOST_ERRORS];
};
extern char case_standard_mark[];

/* case_read.c: the tree -> structs.  Reads one group by the section's keys into the struct at base and fills in
 * defaults. */
void case_read_group(struct case_reader *r, const struct section *s, config_setting_t *group, char *base);
const struct section *case_find_section(const struct case_table *t, const char *path);  /* "solver.pressure", or NULL */
/* The key of a path like "boundary.lid.type", or NULL. */
const struct key *case_find_key(const struct case_table *t, const char *path);
bool case_report(struct case_reader *r, struct error *e);       /* all noted errors into *e; true: there are none */

/* case_value.c: one setting by its key.  False: the error has been noted. */
bool case_read_value(struct case_reader *r, const config_setting_t *s, const struct key *k, char *base);

/* case_table.c: the table of this path, relative to the case's folder, over place and time or one of these fields, read
 * once; NULL: the error has been noted. */
const struct table *case_table_of(struct case_reader *r, const config_setting_t *at, const char *path,
                                  const char *const *field, int n_fields);
/* Reads "FILE" or "FILE:COLUMN" into v, whose variables are set; without a column that of the setting's name, for
 * component k of a vector with _x, _y or _z (k < 0: none). */
bool case_read_column(struct case_reader *r, const config_setting_t *at, const char *text, int k,
                      struct value_setting *v);
/* Adds the keys that the table of a group's KEY_TABLE gives, as if they were defaults. */
void case_expand_table(struct case_reader *r, const struct section *s, config_setting_t *group);
void case_free_tables(struct case_source *s);
/* A copy of the text that lives as long as the case's source. */
const char *case_keep_text(struct case_source *s, const char *text);

/* case_text.c: settings <-> libconfig's tree.  Parses name = text (file syntax, or a bare word) into the group,
 * replacing an existing setting; NULL: invalid. */
config_setting_t *case_insert(config_setting_t *group, const char *name, const char *text, bool is_text, void *mark);
void case_apply_set(struct case_reader *r, const char *set);            /* notes its errors */
void case_print_value(FILE *out, const config_setting_t *s);
void case_found_text(char *to, size_t size, const config_setting_t *s);
int case_line(const config_setting_t *s);               /* LINE_OF_SET: not from the file */

/* case_source.c: files -> libconfig's tree: the case file and the files that it includes. */
bool case_read_file(struct case_reader *r, struct error *e);
bool case_read_string(config_t *config, const char *text);      /* text from no file; false: invalid */
/* Converts a line of the whole text, as stored with settings, to a line of its file. */
int case_line_in_file(const struct case_source *s, int line, const char **file);

/* case_listing.c: struct case_source's texts of these names. */
void case_list(const struct case_reader *r, char **listing, char **settings);

/* case_help.c: descriptions from the table: "a number > 0", "one of upwind, linear-upwind or central" */
void case_expected_text(char *to, size_t size, const struct key *k);
#endif
