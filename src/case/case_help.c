/* Text made from the table of keys: ranges, expected values, `poise help case`. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "case/reader.h"

static void interval(const char *range, char *left, double *least, double *most, char *right)
{
    if (sscanf(range, "%c%lf, %lf%c", left, least, most, right) != 4) die("key table: range %s", range);
}

bool case_in_range(double value, const char *range)
{
    char left, right;
    double least, most;
    if (!range) return true;
    interval(range, &left, &least, &most, &right);
    return (left == '(' ? value > least : value >= least) && (right == ')' ? value < most : value <= most);
}

void case_range_text(char *to, size_t size, const char *range)
{
    char left, right;
    double least, most;
    *to = 0;
    if (!range) return;
    interval(range, &left, &least, &most, &right);
    if (isinf(most)) snprintf(to, size, " %s %g", left == '(' ? ">" : ">=", least);
    else snprintf(to, size, " in %s", range);
}

static void list_words(char *to, size_t size, const char *const *words, int n)
{
    size_t at = 0;
    *to = 0;
    for (int i = 0; i < n && at < size; i++)
        at += (size_t)snprintf(to + at, size - at, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
}

/* The words of a key whose bit in the mask is set. */
static void list_masked(char *to, size_t size, const struct key *k, unsigned mask)
{
    const char *word[32];
    int n = 0;
    for (int i = 0; i < k->n_words; i++) if (mask >> i & 1) word[n++] = k->words[i];
    list_words(to, size, word, n);
}

void case_expected_text(char *to, size_t size, const struct key *k)
{
    char range[64], words[300], studies[150], variables[300] = "";
    const bool values = k->type == KEY_VALUE || k->type == KEY_VALUES || k->type == KEY_NAMED_VALUES;
    int n = 0;
    if (values)
        list_words(variables, sizeof variables, k->n_words ? k->words : value_variables,
                   k->n_words ? k->n_words : N_VALUE_VARIABLES);
    case_range_text(range, sizeof range, k->range);
    if (k->expected) {
        snprintf(to, size, "%s", k->expected);
        return;
    }
    list_masked(words, sizeof words, k, ~k->studies), list_masked(studies, sizeof studies, k, k->studies);
    switch (k->type) {
    case KEY_REAL: n = snprintf(to, size, "a number%s", range); break;
    case KEY_INTEGER: n = snprintf(to, size, "a whole number%s", range); break;
    case KEY_WORD: n = snprintf(to, size, "%s%s%s, in quotes", words, k->studies ? "; for studies: " : "", studies);
                   break;
    case KEY_NAME: n = snprintf(to, size, "a name in quotes"); break;
    case KEY_PATH: n = snprintf(to, size, "a path in quotes"); break;
    case KEY_VECTOR: n = snprintf(to, size, "2 or 3 numbers%s in brackets, like [1.0, %s]", range,
                                  case_in_range(0, k->range) ? "0.0" : "2.0"); break;
    case KEY_INTEGERS: n = snprintf(to, size, "2 or 3 whole numbers%s in brackets, like [64, 64]", range); break;
    case KEY_NUMBERS: n = snprintf(to, size, "a number%s, or up to 4 in brackets", range); break;
    case KEY_REALS: n = snprintf(to, size, "numbers%s in brackets, like [0.5, 1.0]", range); break;
    case KEY_NAMES: n = snprintf(to, size, "names in quotes in brackets, like [\"a\", \"b\"]"); break;
    case KEY_PARAMETERS: n = snprintf(to, size, "a group of numbers, like { h = 0.01; }"); break;
    case KEY_TABLE: n = snprintf(to, size, "the path of a CSV table, in quotes"); break;
    case KEY_VALUE: n = snprintf(to, size, "a number%s or an expression%s%s, in quotes", range,
                                 k->more_words ? "" : " of ", k->more_words ? "" : variables); break;
    case KEY_VALUES: n = snprintf(to, size, "2 or 3 numbers%s or expressions in brackets, like [1.0, 0.0] or "
                                  "[\"4*y*(1 - y)\", \"0\"]", range); break;
    case KEY_GROUP: n = snprintf(to, size, "a group of keys, { ... }"); break;
    case KEY_NAMED_VALUES: n = snprintf(to, size, "a group of numbers or expressions, like { NAME = 1.0; }"); break;
    }
    if (k->unit) snprintf(to + n, size - (size_t)n, " [%s]", k->unit);
}

/* Text in a column of its own, wrapped at blanks. */
static void print_column(FILE *out, const char *text)
{
    enum { INDENT = 28, WIDTH = 88 };
    for (;;) {
        size_t n = strlen(text);
        if (n > WIDTH) for (n = WIDTH; n > 1 && text[n] != ' '; n--) {}
        fprintf(out, "%.*s\n", (int)n, text);
        if (!text[n]) return;
        text += n + 1;
        fprintf(out, "%*s", INDENT, "");
    }
}

/* The words of the section's first key for which this key applies. */
static void help_kinds(FILE *out, const struct section *s, const struct key *k)
{
    char list[400], text[450];
    list_masked(list, sizeof list, s->key, k->kinds);
    snprintf(text, sizeof text, "only with %s %s", s->key->name, list);
    fprintf(out, "  %-26s", "");
    print_column(out, text);
}

/* The section's default that replaces the table's. */
static const char *own_standard(const struct section *s, const struct key *k)
{
    for (const struct other_standard *o = s->other; o && o->key; o++)
        if (!o->when && !strcmp(o->key, k->name)) return o->standard;
    return k->standard;
}

static void help_key(FILE *out, const struct section *s, const struct key *k)
{
    const char *standard = own_standard(s, k);
    char expected[400];
    bool others = false;
    for (const struct other_standard *o = s->other; o && o->key; o++) others |= o->when && !strcmp(o->key, k->name);
    case_expected_text(expected, sizeof expected, k);
    fprintf(out, "  %-26s", k->name);
    print_column(out, expected);
    fprintf(out, "  %-26s", "");
    print_column(out, k->help);
    if (k->kinds) help_kinds(out, s, k);
    if (!standard) fprintf(out, "  %-26srequired", "");
    else if (*standard || others) fprintf(out, "  %-26sdefault %s", "", *standard ? standard : "none");
    for (const struct other_standard *o = s->other; o && o->key; o++) {
        if (!o->when || strcmp(o->key, k->name)) continue;
        if (k->type == KEY_REAL && standard) fputc(' ', out);
        else fprintf(out, "\n  %-26s", "");
        fprintf(out, "(%s: %s)", o->when->label, *o->standard ? o->standard : "not needed");
    }
    if (!standard || *standard || others) fputc('\n', out);
}

/* The keys of a KEY_GROUP. */
static void help_inner(FILE *out, const struct key *k)
{
    char expected[400], path[2 * NAME_LENGTH];
    for (const struct key *i = k->inner; i && i->name; i++) {
        case_expected_text(expected, sizeof expected, i);
        snprintf(path, sizeof path, "%s.%s", k->name, i->name);
        fprintf(out, "  %-26s", path);
        print_column(out, expected);
        fprintf(out, "  %-26s", "");
        print_column(out, i->help);
        if (!i->standard) fprintf(out, "  %-26srequired\n", "");
    }
}

static void help_section(FILE *out, const struct section *s, const char *key)
{
    fprintf(out, "\n%s%s = { ... }   %s\n", s->path, s->size ? ".NAME" : "", s->help);
    for (int studies = 0; studies < 2; studies++) {
        bool begun = false;
        for (const struct key *k = s->key; k->name; k++) {
            if ((key && strcmp(key, k->name)) || (k->kinds && !(k->kinds & ~s->key->studies)) != studies) continue;
            if (studies && !begun) fputs("  for studies:\n", out);
            begun = true;
            help_key(out, s, k);
            help_inner(out, k);
        }
    }
}

/* Does the section have this path, or one below it?  "solver.pressure" is below "solver". */
static bool is_within(const struct section *s, const char *path)
{
    size_t n = strlen(path);
    return !strncmp(s->path, path, n) && (!s->path[n] || s->path[n] == '.');
}

/* The sections at and below the path, or the keys with this name: "step", "time.step", "boundary.lid.type". */
static bool help_found(const struct case_table *t, FILE *out, const char *name)
{
    const struct key *key = case_find_key(t, name);
    bool found = false;
    for (int i = 0; i < t->n_sections; i++)
        if (is_within(t->section[i].section, name)) help_section(out, t->section[i].section, NULL), found = true;
    if (found) return true;
    for (int i = 0; i < t->n_sections; i++)
        for (const struct key *k = t->section[i].section->key; k->name; k++) {
            if (key ? k != key : strcmp(k->name, name)) continue;
            help_section(out, t->section[i].section, k->name);
            found = true;
        }
    return found;
}

static int all_names(const struct case_table *t, const char **names, int most)
{
    int n = 0;
    for (int i = 0; i < t->n_sections; i++) {
        const struct section *s = t->section[i].section;
        if (n < most) names[n++] = s->path;
        for (const struct key *k = s->key; k->name && n < most; k++) names[n++] = k->name;
    }
    return n;
}

bool settings_help(const struct case_table *t, FILE *out, const char *of, struct error *e)
{
    const char *names[400];
    char list[600];
    if (!of) {
        fputs(t->example, out);
        for (int i = 0; i < t->n_sections; i++) help_section(out, t->section[i].section, NULL);
        return true;
    }
    if (help_found(t, out, of)) return true;
    for (int i = 0; i < t->n_sections; i++) names[i] = t->section[i].section->path;
    list_words(list, sizeof list, names, t->n_sections);
    int n = all_names(t, names, 400);
    return refuse(e, EXIT_INPUT, "poise help case: there is no group and no key \"%s\"%s; expected %s, or a key of one",
                  of, case_did_you_mean(of, names, n), list);
}
