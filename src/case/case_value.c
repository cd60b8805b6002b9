/* Stores one setting of libconfig's tree in its struct. */
#include <limits.h>
#include <math.h>
#include <string.h>
#include "base/expression.h"
#include "base/memory.h"
#include "case/reader.h"

static bool is_sequence(const config_setting_t *s) { return config_setting_is_list(s) || config_setting_is_array(s); }

static double number_of(const config_setting_t *s)
{
    int type = config_setting_type(s);
    return type == CONFIG_TYPE_FLOAT ? config_setting_get_float(s) : (double)config_setting_get_int64(s);
}

/* ---------------------------------------------------------------- values */
static bool complain_value(struct case_reader *r, const config_setting_t *s, const struct key *k, const char *why)
{
    char found[200], expected[400];
    case_found_text(found, sizeof found, s);
    case_expected_text(expected, sizeof expected, k);
    char *quotes = strstr(expected, ", in quotes");
    if (quotes && !case_line(s)) *quotes = 0;         /* on the command line a word needs no quotes */
    case_complain(r, s, "%s = %s: expected %s%s", case_path_of(s), found, expected, why);
    return false;
}

/* One number for key k; s: the setting, or its element. */
static bool read_number(struct case_reader *r, const config_setting_t *s, const struct key *k, bool whole, double *v)
{
    const config_setting_t *at = config_setting_name(s) ? s : config_setting_parent(s);
    if (config_setting_type(s) == CONFIG_TYPE_STRING)
        return complain_value(r, at, k, case_line(at) ? "; write numbers without quotes" : "");
    if (!config_setting_is_number(s)) return complain_value(r, at, k, "");
    *v = number_of(s);
    if (!isfinite(*v)) return complain_value(r, at, k, "; the number found is not finite");
    if (whole && *v != floor(*v)) return complain_value(r, at, k, "");
    if (whole && fabs(*v) > INT_MAX) return complain_value(r, at, k, "; the number found is too large");
    return case_in_range(*v, k->range) || complain_value(r, at, k, "");
}

static bool read_numbers(struct case_reader *r, const config_setting_t *s, const struct key *k, double *v, int *n)
{
    int count = is_sequence(s) ? config_setting_length(s) : 0;
    *n = 0;
    if (count != 2 && count != 3) return complain_value(r, s, k, "");
    for (int i = 0; i < count; i++)
        if (!read_number(r, config_setting_get_elem(s, (unsigned)i), k, k->type == KEY_INTEGERS, &v[i])) return false;
    *n = count;
    return true;
}

static bool read_few(struct case_reader *r, const config_setting_t *s, const struct key *k, double v[4], int *n)
{
    *n = 0;
    if (!is_sequence(s)) return read_number(r, s, k, false, v) && (*n = 1, true);
    const int count = config_setting_length(s);
    if (count < 1 || count > 4) return complain_value(r, s, k, "");
    for (int i = 0; i < count; i++)
        if (!read_number(r, config_setting_get_elem(s, (unsigned)i), k, false, &v[i])) return false;
    *n = count;
    return true;
}

static bool read_reals(struct case_reader *r, const config_setting_t *s, const struct key *k, double **v, int *n)
{
    int count = is_sequence(s) ? config_setting_length(s) : 0;
    *n = 0;
    if (!count) return complain_value(r, s, k, "");
    NEW(*v, count);
    for (int i = 0; i < count; i++)
        if (!read_number(r, config_setting_get_elem(s, (unsigned)i), k, false, &(*v)[i])) return false;
    *n = count;
    return true;
}

/* at: the destination, NAME_LENGTH or PATH_LENGTH long. */
static bool read_text(struct case_reader *r, const config_setting_t *s, const struct key *k, char *at, size_t size)
{
    const config_setting_t *named = config_setting_name(s) ? s : config_setting_parent(s);
    const char *text = config_setting_get_string(s);
    if (!text || !*text) return complain_value(r, named, k, "");
    if (strchr(text, '\n'))
        return complain_value(r, named, k, "; a line break would split lines of messages and files");
    if (strlen(text) >= size) {
        case_complain(r, named, "%s = \"%.40s...\" has %zu letters; at most %zu are possible", case_path_of(named),
                      text, strlen(text), size - 1);
        return false;
    }
    memcpy(at, text, strlen(text) + 1);
    return true;
}

static bool read_word(struct case_reader *r, const config_setting_t *s, const struct key *k, int *word)
{
    const config_setting_t *at = config_setting_name(s) ? s : config_setting_parent(s);
    const char *found = config_setting_get_string(s);
    if (!found) return complain_value(r, at, k, "");
    for (int i = 0; i < k->n_words; i++) if (!strcmp(found, k->words[i])) return *word = i, true;
    const char *near = case_did_you_mean(found, k->words, k->n_words);
    bool certain = false;
    const char *wish = *near || !r->table->missing ? NULL : r->table->missing("", found, &certain);
    char lacking[200];
    snprintf(lacking, sizeof lacking, "; Poise does not support %s", wish ? wish : "");
    return complain_value(r, at, k, wish ? lacking : near);
}

static bool read_names(struct case_reader *r, const config_setting_t *s, const struct key *k,
                       char (**names)[NAME_LENGTH], int *n)
{
    *n = is_sequence(s) ? config_setting_length(s) : 0;
    if (!*n) return complain_value(r, s, k, "");
    NEW(*names, *n);
    for (int i = 0; i < *n; i++) {
        const config_setting_t *element = config_setting_get_elem(s, (unsigned)i);
        char *name = (*names)[i];
        if (!read_text(r, element, k, name, NAME_LENGTH)) return false;
        for (int j = 0; j < i; j++)
            if (!strcmp((*names)[j], name)) {
                case_complain(r, s, "%s names \"%s\" twice; remove one", case_path_of(s), name);
                return false;
            }
    }
    return true;
}

/* ---------------------------------------------------------------- numbers or expressions */
const char *const value_variables[N_VALUE_VARIABLES] = {
    [VALUE_X] = "x", [VALUE_Y] = "y", [VALUE_Z] = "z", [VALUE_T] = "t"};

const char *case_keep_text(struct case_source *s, const char *text)
{
    RESIZE(s->text, s->n_texts + 1);
    return s->text[s->n_texts++] = strdup(text);
}

/* An expression without variables becomes a number. */
static bool read_expression(struct case_reader *r, const config_setting_t *at, const struct key *k, const char *text,
                            struct value_setting *v)
{
    struct expression_fault fault;
    struct expression *x = expression_create(text, v->variable, v->n_variables, &fault);
    bool constant = true;
    if (!x) {
        char mark[300];
        expression_mark(mark, sizeof mark, text, fault.position);
        case_complain(r, at, "%s: %s\n%s", case_path_of(at), fault.what, mark);
        return false;
    }
    for (int i = 0; i < v->n_variables; i++) {
        constant &= !expression_uses(x, i);
        v->in_time |= expression_uses(x, i) && !strcmp(v->variable[i], value_variables[VALUE_T]);
    }
    if (constant) expression_evaluate(x, NULL, 1, &v->number);
    else v->text = case_keep_text(r->source, text);
    expression_free(x);
    if (constant && !isfinite(v->number)) {
        case_complain(r, at, "%s = \"%s\" is not a finite number; expected one", case_path_of(at), text);
        return false;
    }
    return !constant || case_in_range(v->number, k->range) || complain_value(r, at, k, "");
}

/* The names of variables of key k, with those in the group more_words that can be such names. */
static void set_variables(struct case_reader *r, const struct key *k, struct value_setting *v)
{
    const config_setting_t *group = k->more_words ? case_setting(r, k->more_words) : NULL;
    const int n = group && config_setting_is_group(group) ? config_setting_length(group) : 0;
    v->variable = k->n_words ? k->words : value_variables, v->n_variables = k->n_words ? k->n_words : N_VALUE_VARIABLES;
    if (!n) return;
    const char **all;
    NEW(all, v->n_variables + n);
    memcpy(all, v->variable, (size_t)v->n_variables * sizeof *all);
    for (int i = 0; i < n && v->n_variables < MOST_VARIABLES; i++) {
        const char *name = config_setting_name(config_setting_get_elem(group, (unsigned)i));
        if (case_find_name(name, all, v->n_variables) >= 0 || !expression_knows_as_name(name)) continue;
        all[v->n_variables++] = case_keep_text(r->source, name);
    }
    v->variable = all;
    RESIZE(r->source->text, r->source->n_texts + 1);
    r->source->text[r->source->n_texts++] = (char *)all;        /* freed with the texts */
}

/* s: the setting, or its element k (-1: none).  The place of a value from the table of its group is that of the
 * group. */
static bool read_one_value(struct case_reader *r, const config_setting_t *s, const struct key *key, int k,
                           struct value_setting *v)
{
    const config_setting_t *at = config_setting_name(s) ? s : config_setting_parent(s), *place = at;
    const char *text = config_setting_get_string(s);
    while (case_is_standard(place) && config_setting_parent(place)) place = config_setting_parent(place);
    *v = (struct value_setting){.range = key->range, .path = case_keep_text(r->source, case_path_of(at)),
                                .place = case_place_of(r, place)};
    set_variables(r, key, v);
    if (text && !strncmp(text, "table:", 6)) return case_read_column(r, at, text, k, v);
    return text ? read_expression(r, at, key, text, v) : read_number(r, s, key, false, &v->number);
}

static bool read_value_vector(struct case_reader *r, const config_setting_t *s, const struct key *k,
                              struct value_setting *v, int *n)
{
    int count = is_sequence(s) ? config_setting_length(s) : 0;
    *n = 0;
    if (count != 2 && count != 3) return complain_value(r, s, k, "");
    for (int i = 0; i < count; i++)
        if (!read_one_value(r, config_setting_get_elem(s, (unsigned)i), k, i, &v[i])) return false;
    *n = count;
    return true;
}

/* ---------------------------------------------------------------- groups with any names */
static bool take_name(struct case_reader *r, const config_setting_t *member, char name[NAME_LENGTH])
{
    if (strlen(member->name) >= NAME_LENGTH) {
        case_complain(r, member, "%s: a name has at most %d letters", case_path_of(member), NAME_LENGTH - 1);
        return false;
    }
    snprintf(name, NAME_LENGTH, "%s", member->name);
    return true;
}

static bool read_named_values(struct case_reader *r, const config_setting_t *s, const struct key *k,
                              struct named_value **v, int *n)
{
    *n = 0;
    if (!config_setting_is_group(s)) return complain_value(r, s, k, "");
    struct key one = *k;
    one.type = KEY_VALUE;
    NEW(*v, config_setting_length(s));
    for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *member = config_setting_get_elem(s, (unsigned)i);
        struct named_value *to = &(*v)[*n];
        if (!take_name(r, member, to->name)) continue;
        ++*n;                                           /* a faulty value is not also a missing one */
        if (!read_one_value(r, member, &one, -1, &to->value))
            to->value = (struct value_setting){.path = to->value.path, .place = to->value.place};
    }
    return true;
}

static bool read_parameters(struct case_reader *r, const config_setting_t *s, const struct key *k, struct parameter **p,
                            int *n)
{
    *n = 0;
    if (!config_setting_is_group(s)) return complain_value(r, s, k, "");
    NEW(*p, config_setting_length(s));
    for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *member = config_setting_get_elem(s, (unsigned)i);
        static const struct key any = {.type = KEY_REAL};
        struct parameter *to = &(*p)[*n];
        *n += take_name(r, member, to->name) && read_number(r, member, &any, false, &to->value);
    }
    return true;
}

/* Inner keys have no conditional defaults. */
static bool read_inner(struct case_reader *r, config_setting_t *group, const struct key *k, char *base)
{
    const config_setting_t *at = config_setting_get_member(group, k->name);
    if (!at && !k->standard) {
        char expected[400];
        case_expected_text(expected, sizeof expected, k);
        case_complain(r, group, "%s.%s is missing: expected %s", case_path_of(group), k->name, expected);
        return false;
    }
    return !at || case_read_value(r, at, k, base);
}

static bool read_inner_group(struct case_reader *r, const config_setting_t *s, const struct key *k, char *base)
{
    const char *names[20];
    char list[400] = "";
    int n = 0;
    bool good = true;
    if (!config_setting_is_group(s)) return complain_value(r, s, k, "");
    for (const struct key *i = k->inner; i->name && n < 20; i++) {
        strcat(strcat(list, n ? ", " : ""), i->name);
        names[n++] = i->name;
    }
    for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *member = config_setting_get_elem(s, (unsigned)i);
        if (case_find_name(member->name, names, n) >= 0) continue;
        case_complain(r, member, "unknown key \"%s\"%s; expected here: %s", case_path_of(member),
                      case_did_you_mean(member->name, names, n), list);
        good = false;
    }
    for (const struct key *i = k->inner; i->name; i++) good &= read_inner(r, (config_setting_t *)s, i, base);
    return good;
}

bool case_read_value(struct case_reader *r, const config_setting_t *s, const struct key *k, char *base)
{
    void *to = base + k->offset;
    int unused, *n = k->extra ? (int *)(base + k->extra) : &unused;
    double v[3];
    switch (k->type) {
    case KEY_REAL: return read_number(r, s, k, false, to) && (*n = 1, true);
    case KEY_INTEGER: return read_number(r, s, k, true, v) && (*(int *)to = (int)*v, true);
    case KEY_WORD: return read_word(r, s, k, to);
    case KEY_NAME: return read_text(r, s, k, to, NAME_LENGTH);
    case KEY_PATH: case KEY_TABLE: return read_text(r, s, k, to, PATH_LENGTH);
    case KEY_VECTOR: return read_numbers(r, s, k, to, n);
    case KEY_INTEGERS:
        if (!read_numbers(r, s, k, v, n)) return false;
        for (int i = 0; i < *n; i++) ((int *)to)[i] = (int)v[i];
        return true;
    case KEY_NUMBERS: return read_few(r, s, k, to, n);
    case KEY_REALS: return read_reals(r, s, k, to, n);
    case KEY_NAMES: return read_names(r, s, k, to, n);
    case KEY_PARAMETERS: return read_parameters(r, s, k, to, n);
    case KEY_VALUE: return read_one_value(r, s, k, -1, to) && (*n = 1, true);
    case KEY_VALUES: return read_value_vector(r, s, k, to, n);
    case KEY_GROUP: return *n = 1, read_inner_group(r, s, k, base);
    case KEY_NAMED_VALUES: return read_named_values(r, s, k, to, n);
    }
    return false;
}
