/* What the table of keys says to people: ranges, what is expected, `poise help case`. */
#include <math.h>
#include <string.h>
#include "base/case_parts.h"
#include "base/error.h"

static void interval(const char *range, char *left, double *least, double *most, char *right)
{
    if (sscanf(range, "%c%lf, %lf%c", left, least, most, right) != 4) die("key table: range %s", range);
}

bool in_range(double value, const char *range)
{
    char left, right;
    double least, most;
    if (!range) return true;
    interval(range, &left, &least, &most, &right);
    return (left == '(' ? value > least : value >= least) && (right == ')' ? value < most : value <= most);
}

/* "(0, inf)" -> " > 0", "(0, 1]" -> " in (0, 1]" */
static void range_text(char *to, size_t size, const char *range)
{
    char left, right;
    double least, most;
    *to = 0;
    if (!range) return;
    interval(range, &left, &least, &most, &right);
    if (isinf(most)) snprintf(to, size, " %s %g", left == '(' ? ">" : ">=", least);
    else snprintf(to, size, " in %s", range);
}

static void list_words(char *to, size_t size, const char *const *words)
{
    int n = count_words(words), at = 0;
    *to = 0;
    for (int i = 0; i < n; i++)
        at += snprintf(to + at, size - (size_t)at, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
}

void expected_text(char *to, size_t size, const struct key *k)
{
    char range[64], words[300];
    int n = 0;
    range_text(range, sizeof range, k->range);
    list_words(words, sizeof words, k->words);
    switch (k->type) {
    case KEY_REAL: n = snprintf(to, size, "a number%s", range); break;
    case KEY_INTEGER: n = snprintf(to, size, "a whole number%s", range); break;
    case KEY_WORD: n = snprintf(to, size, "%s, in quotes", words); break;
    case KEY_NAME: n = snprintf(to, size, "a name in quotes"); break;
    case KEY_PATH: n = snprintf(to, size, "a path in quotes"); break;
    case KEY_VECTOR: n = snprintf(to, size, "2 or 3 numbers%s in brackets, like [1.0, %s]", range,
                                  in_range(0, k->range) ? "0.0" : "2.0"); break;
    case KEY_INTEGERS: n = snprintf(to, size, "2 or 3 whole numbers%s in brackets, like [64, 64]", range); break;
    case KEY_NAMES: n = snprintf(to, size, "names in quotes in brackets, like [\"a\", \"b\"]"); break;
    case KEY_PARAMETERS: n = snprintf(to, size, "a group of numbers, like { h = 0.01; }"); break;
    }
    if (k->unit) snprintf(to + n, size - (size_t)n, " [%s]", k->unit);
}

static const char *const example =
    "A case file holds  name = value;  and groups  name = { ... };  # starts a comment (libconfig's syntax).\n"
    "Integers may stand for numbers.  Units are the user's own, used consistently.  NAME is a name of yours.\n"
    "The least that a case needs:\n\n"
    "    mesh     = { file = \"cavity.geo\"; };\n"
    "    fluid    = { viscosity = 0.001; };\n"
    "    boundary = { lid   = { type = \"wall\"; velocity = [1.0, 0.0]; };\n"
    "                 walls = { type = \"wall\"; }; };\n\n"
    "In time:\n\n"
    "    solver   = { algorithm = \"piso\"; };\n"
    "    time     = { end = 3.0; step = 0.01; courant = 0.5; };\n\n"
    "and with two fluids:\n\n"
    "    second_fluid = { density = 100.0; viscosity = 1.0; surface_tension = 24.5; };\n"
    "    shapes   = { bubble = { type = \"sphere\"; centre = [0.5, 0.5]; radius = 0.25; }; };\n\n"
    "A line  @include \"part.cfg\"  takes in another file, named from the case's folder.\n"
    "Every key can be set on the command line too:  --set fluid.viscosity=0.0025\n";

/* Text in a column of its own, broken at blanks. */
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

/* For which words of the section's first key this one is. */
static void help_kinds(FILE *out, const struct section *s, const struct key *k)
{
    const char *kind[32];
    char list[400], text[450];
    int n = 0;
    for (int i = 0; s->kinds[i]; i++)
        if (k->kinds >> i & 1) kind[n++] = s->kinds[i];
    kind[n] = NULL;
    list_words(list, sizeof list, kind);
    snprintf(text, sizeof text, "only with %s %s", s->key->name, list);
    fprintf(out, "  %-26s", "");
    print_column(out, text);
}

static void help_key(FILE *out, const struct section *s, const struct key *k)
{
    char expected[400];
    expected_text(expected, sizeof expected, k);
    fprintf(out, "  %-26s", k->name);
    print_column(out, expected);
    fprintf(out, "  %-26s", "");
    print_column(out, k->help);
    if (k->kinds) help_kinds(out, s, k);
    if (!k->standard) fprintf(out, "  %-26srequired\n", "");
    else if (*k->standard) fprintf(out, "  %-26sdefault %s", "", k->standard);
    if (k->standard_simple) fprintf(out, " (algorithm simple: %s)", k->standard_simple);
    if (k->standard_transient) fprintf(out, " (piso, pimple: %s)", k->standard_transient);
    if (k->standard_two_phase) fprintf(out, "\n  %-26s(two-phase: %s)", "", k->standard_two_phase);
    if (k->standard && *k->standard) fputc('\n', out);
}

void case_help(FILE *out)
{
    fputs(example, out);
    for (int i = 0; i < n_sections; i++) {
        const struct section *s = &sections[i];
        fprintf(out, "\n%s%s = { ... }   %s\n", s->path, s->size ? ".NAME" : "", s->help);
        for (int k = 0; k < s->n_keys; k++) help_key(out, s, &s->key[k]);
    }
}
