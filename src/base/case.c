/* From the tree of settings to struct case_settings, by the table of keys. */
#include "base/case.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/case_parts.h"
#include "base/memory.h"

struct named { char name[NAME_LENGTH]; int line; };      /* what the elements of boundary, lines ... begin with */

static bool is_sequence(const config_setting_t *s) { return config_setting_is_list(s) || config_setting_is_array(s); }

static double number_of(const config_setting_t *s)
{
    int type = config_setting_type(s);
    return type == CONFIG_TYPE_FLOAT ? config_setting_get_float(s) : (double)config_setting_get_int64(s);
}

/* ---------------------------------------------------------------- values */
static bool complain_value(struct reader *r, const config_setting_t *s, const struct key *k, const char *why)
{
    char found[200], expected[400];
    found_text(found, sizeof found, s);
    expected_text(expected, sizeof expected, k);
    char *quotes = strstr(expected, ", in quotes");
    if (quotes && !source_line(s)) *quotes = 0;         /* on the command line a word needs none */
    complain(r, s, "%s = %s: expected %s%s", path_of(s), found, expected, why);
    return false;
}

/* One number for key k; s: the setting, or its element. */
static bool read_number(struct reader *r, const config_setting_t *s, const struct key *k, bool whole, double *v)
{
    const config_setting_t *at = config_setting_name(s) ? s : config_setting_parent(s);
    if (config_setting_type(s) == CONFIG_TYPE_STRING)
        return complain_value(r, at, k, source_line(at) ? "; numbers stand without quotes" : "");
    if (!config_setting_is_number(s)) return complain_value(r, at, k, "");
    *v = number_of(s);
    if (!isfinite(*v)) return complain_value(r, at, k, "; the number found is not finite");
    if (whole && *v != floor(*v)) return complain_value(r, at, k, "");
    if (whole && fabs(*v) > INT_MAX) return complain_value(r, at, k, "; the number found is too large");
    return in_range(*v, k->range) || complain_value(r, at, k, "");
}

static bool read_numbers(struct reader *r, const config_setting_t *s, const struct key *k, double *v, int *n)
{
    int count = is_sequence(s) ? config_setting_length(s) : 0;
    *n = 0;
    if (count != 2 && count != 3) return complain_value(r, s, k, "");
    for (int i = 0; i < count; i++)
        if (!read_number(r, config_setting_get_elem(s, (unsigned)i), k, k->type == KEY_INTEGERS, &v[i])) return false;
    *n = count;
    return true;
}

/* at: the text, NAME_LENGTH or PATH_LENGTH long. */
static bool read_text(struct reader *r, const config_setting_t *s, const struct key *k, char *at, size_t size)
{
    const config_setting_t *named = config_setting_name(s) ? s : config_setting_parent(s);
    const char *text = config_setting_get_string(s);
    if (!text || !*text) return complain_value(r, named, k, "");
    if (strchr(text, '\n')) return complain_value(r, named, k, "; a line break in it would break the lines of messages and files");
    if (strlen(text) >= size) {
        complain(r, named, "%s = \"%.40s...\" has %zu letters; at most %zu are possible", path_of(named), text,
                 strlen(text), size - 1);
        return false;
    }
    memcpy(at, text, strlen(text) + 1);
    return true;
}

static bool read_word(struct reader *r, const config_setting_t *s, const struct key *k, int *word, char *text)
{
    const config_setting_t *at = config_setting_name(s) ? s : config_setting_parent(s);
    const char *found = config_setting_get_string(s);
    if (!found) return complain_value(r, at, k, "");
    for (*word = 0; k->words[*word]; ++*word)
        if (!strcmp(found, k->words[*word])) {
            snprintf(text, NAME_LENGTH, "%s", found);
            return true;
        }
    const char *near = did_you_mean(found, k->words, count_words(k->words));
    const char *wish = *near ? NULL : missing_ability(found);
    char lacking[200];
    snprintf(lacking, sizeof lacking, "; Poise does not have %s", wish ? wish : "");
    return complain_value(r, at, k, wish ? lacking : near);
}

static bool read_names(struct reader *r, const config_setting_t *s, const struct key *k, char (**names)[NAME_LENGTH],
                       int *n)
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
                complain(r, s, "%s names \"%s\" twice; remove one", path_of(s), name);
                return false;
            }
    }
    return true;
}

static bool read_parameters(struct reader *r, const config_setting_t *s, const struct key *k, struct parameter **p,
                            int *n)
{
    *n = 0;
    if (!config_setting_is_group(s)) return complain_value(r, s, k, "");
    NEW(*p, config_setting_length(s));
    for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *member = config_setting_get_elem(s, (unsigned)i);
        static const struct key any = {.type = KEY_REAL};
        struct parameter *to = &(*p)[*n];
        if (strlen(member->name) >= NAME_LENGTH)
            complain(r, member, "%s: a name has at most %d letters", path_of(member), NAME_LENGTH - 1);
        else if (read_number(r, member, &any, false, &to->value))
            snprintf(to->name, NAME_LENGTH, "%s", member->name), ++*n;
    }
    return true;
}

static bool read_value(struct reader *r, const config_setting_t *s, const struct key *k, char *base)
{
    void *to = base + k->offset;
    int unused, *n = k->extra ? (int *)(base + k->extra) : &unused;
    double v[3];
    char word[NAME_LENGTH];
    switch (k->type) {
    case KEY_REAL: return read_number(r, s, k, false, to);
    case KEY_INTEGER: return read_number(r, s, k, true, v) && (*(int *)to = (int)*v, true);
    case KEY_WORD:
        if (!read_word(r, s, k, &unused, word)) return false;
        if (k->is_text) memcpy(to, word, NAME_LENGTH);
        else memcpy(to, &unused, sizeof unused);
        return true;
    case KEY_NAME: return read_text(r, s, k, to, NAME_LENGTH);
    case KEY_PATH: return read_text(r, s, k, to, PATH_LENGTH);
    case KEY_VECTOR: return read_numbers(r, s, k, to, n);
    case KEY_INTEGERS:
        if (!read_numbers(r, s, k, v, n)) return false;
        for (int i = 0; i < *n; i++) ((int *)to)[i] = (int)v[i];
        return true;
    case KEY_NAMES: return read_names(r, s, k, to, n);
    case KEY_PARAMETERS: return read_parameters(r, s, k, to, n);
    }
    return false;
}

/* ---------------------------------------------------------------- sections */
const struct section *section_at(const char *path)
{
    for (int i = 0; i < n_sections; i++)
        if (!strcmp(sections[i].path, path)) return &sections[i];
    return NULL;
}

/* The names that may stand in a group: the section's keys and the sections right below it ("" = the whole file). */
static int names_in(const struct section *s, const char **names)
{
    int n = 0;
    for (int k = 0; s && k < s->n_keys; k++) names[n++] = s->key[k].name;
    for (int i = 0; i < n_sections; i++) {
        const char *path = sections[i].path, *dot = strchr(path, '.');
        if (s ? dot && !strncmp(path, s->path, strlen(s->path)) && path[strlen(s->path)] == '.' : !dot)
            names[n++] = dot ? dot + 1 : path;
    }
    return n;
}

/* The group's kind, where its section has kinds: the place of its first key's word, or of the default; -1: none. */
static int kind_of(const struct section *s, const config_setting_t *group)
{
    const char *word = s && s->kinds ? s->key->standard : NULL;
    if (s && s->kinds) config_setting_lookup_string(group, s->key->name, &word);
    for (int i = 0; word && s->kinds[i]; i++)
        if (!strcmp(word, s->kinds[i])) return i;
    return -1;
}

/* names: all that may stand there; those for other kinds of the group are not told. */
static void complain_unknown(struct reader *r, const struct section *s, const config_setting_t *at,
                             const char *const *names, int n)
{
    char list[1000] = "", elsewhere[200] = "";
    const char *fitting[60];
    int kind = kind_of(s, config_setting_parent(at)), n_fitting = 0;
    for (int i = 0, length = 0; i < n; i++) {
        unsigned kinds = s && i < s->n_keys ? s->key[i].kinds : 0;
        if (kinds && kind >= 0 && !(kinds >> kind & 1)) continue;
        length += sprintf(list + length, "%s%s", length ? ", " : "", names[i]);
        fitting[n_fitting++] = names[i];
    }
    const char *near = did_you_mean(at->name, fitting, n_fitting);
    for (int i = 0; i < n_sections && !*near; i++)
        for (int k = 0; k < sections[i].n_keys; k++)
            if (!strcmp(sections[i].key[k].name, at->name) && !*elsewhere)
                snprintf(elsewhere, sizeof elsewhere, "; %s stands in %s%s = { ... }", at->name, sections[i].path,
                         sections[i].size ? ".NAME" : "");
    const char *wish = *near ? NULL : missing_ability(at->name);
    complain(r, at, "unknown key \"%s\"%s%s%s; expected here: %s%s", path_of(at), near, wish ? ": Poise does not have " : "",
             wish ? wish : "", list, elsewhere);
}

static void check_names(struct reader *r, const struct section *s, const config_setting_t *group)
{
    const char *names[60];
    int n = names_in(s, names);
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *member = config_setting_get_elem(group, (unsigned)i);
        bool known = false;
        for (int k = 0; k < n; k++) known |= !strcmp(names[k], member->name);
        if (!known) complain_unknown(r, s, member, names, n);
    }
}

static void complain_required(struct reader *r, const config_setting_t *group, const struct section *s,
                              const struct key *k)
{
    char expected[400], near[PATH_LENGTH] = "";
    const config_setting_t *parent = config_setting_parent(group);
    expected_text(expected, sizeof expected, k);
    if (s->size && group->hook) {                        /* --set made a new boundary: a slip in its name? */
        const char *names[100];
        int n = 0;
        for (int i = 0; i < config_setting_length(parent) && n < 100; i++) {
            const config_setting_t *other = config_setting_get_elem(parent, (unsigned)i);
            if (other != group) names[n++] = other->name;
        }
        const char *slip = did_you_mean(group->name, names, n);
        if (*slip) snprintf(near, sizeof near, "; \"%s\" is not in the file%s", group->name, slip);
    }
    complain(r, group, "%s.%s is missing%s: expected %s", path_of(group), k->name, near, expected);
}

static const char *standard_of(struct reader *r, const struct key *k)
{
    enum algorithm algorithm = r->c->algorithm;
    if (k->standard_simple && algorithm == ALGORITHM_SIMPLE) return k->standard_simple;
    if (k->standard_transient && (algorithm == ALGORITHM_PISO || algorithm == ALGORITHM_PIMPLE)) return k->standard_transient;
    if (k->standard_two_phase && config_lookup(&r->config, "second_fluid")) return k->standard_two_phase;
    return k->standard;
}

void read_group(struct reader *r, const struct section *s, config_setting_t *group, char *base)
{
    bool kind_known = false;
    check_names(r, s, group);
    for (int i = 0; i < s->n_keys; i++) {
        const struct key *k = &s->key[i];
        config_setting_t *at = config_setting_get_member(group, k->name);
        if (k->kinds && !kind_known) continue;
        int kind = k->kinds ? *(int *)(base + s->key->offset) : 0;
        if (k->kinds && !(k->kinds >> kind & 1)) {
            if (at)
                complain(r, at, "%s does not apply to %s \"%s\"; remove it", path_of(at), s->key->name, s->kinds[kind]);
            continue;
        }
        const char *standard = standard_of(r, k);
        char output[NAME_LENGTH + 8];
        snprintf(output, sizeof output, "%s.out", r->c->name);
        if (standard && !strcmp(standard, "NAME.out")) standard = output;
        bool is_text = k->type == KEY_PATH || k->type == KEY_WORD || k->type == KEY_NAME;
        if (!at && standard && *standard) at = insert(group, k->name, standard, is_text, standard_mark);
        if (!at && !standard) complain_required(r, group, s, k);
        bool good = at && read_value(r, at, k, base);
        if (i == 0) kind_known = good;
    }
}

static void read_named(struct reader *r, const struct section *s, config_setting_t *group)
{
    int n = config_setting_length(group);
    char *item = allocate((size_t)n, s->size, s->path);
    *(char **)((char *)r->c + s->base) = item;
    *(int *)((char *)r->c + s->count) = n;
    for (int i = 0; i < n; i++, item += s->size) {
        config_setting_t *at = config_setting_get_elem(group, (unsigned)i);
        struct named *head = (struct named *)item;
        head->line = source_line(at);
        snprintf(head->name, NAME_LENGTH, "%s", at->name);
        if (strlen(at->name) >= NAME_LENGTH)
            complain(r, at, "%s: a name has at most %d letters", path_of(at), NAME_LENGTH - 1);
        if (config_setting_is_group(at)) read_group(r, s, at, item);
        else complain(r, at, "%s is no group: expected %s = { ... }", path_of(at), at->name);
    }
}

static void read_section(struct reader *r, const struct section *s)
{
    config_setting_t *parent = config_root_setting(&r->config), *group;
    const char *name = s->path, *dot = strchr(name, '.');
    if (dot) {
        char above[NAME_LENGTH];
        snprintf(above, sizeof above, "%.*s", (int)(dot - name), name);
        parent = config_setting_get_member(parent, above);
        name = dot + 1;
        if (!parent || !config_setting_is_group(parent)) return;        /* said already */
    }
    group = config_setting_get_member(parent, name);
    bool alone = s->with && !config_lookup(&r->config, s->with);
    if (!group && (s->optional || s->size || alone)) return;
    if (alone) complain(r, group, "%s does not apply without %s = { ... }; remove it, or add that", path_of(group), s->with);
    if (!group) {
        group = config_setting_add(parent, name, CONFIG_TYPE_GROUP);
        config_setting_set_hook(group, standard_mark);
    }
    if (!config_setting_is_group(group))
        complain(r, group, "%s is no group: expected %s = { ... }", path_of(group), name);
    else if (s->size) read_named(r, s, group);
    else read_group(r, s, group, (char *)r->c + s->base);
}

/* ---------------------------------------------------------------- the listing */
static void list_group(FILE *out, const config_setting_t *group, const struct section *s, int depth)
{
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *at = config_setting_get_elem(group, (unsigned)i);
        const char *path = path_of(at);
        if (config_setting_is_group(at) && (section_at(path) || (s && s->size))) {
            fprintf(out, "%*s%s = {\n", 4 * depth, "", at->name);
            list_group(out, at, s && s->size ? NULL : section_at(path), depth + 1);
            fprintf(out, "%*s};\n", 4 * depth, "");
            continue;
        }
        char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);
        if (!f) die("open_memstream: %s", strerror(errno));
        fprintf(f, "%*s%s = ", 4 * depth, "", at->name);
        print_value(f, at);
        fclose(f);
        const void *mark = at->hook;
        for (int k = 0; !mark && config_setting_is_group(at) && k < config_setting_length(at); k++)
            mark = config_setting_get_elem(at, (unsigned)k)->hook;                      /* mesh.parameters */
        fprintf(out, mark ? "%s;%*s# %s\n" : "%s;\n", text, (int)(size < 50 ? 51 - size : 1), "",
                mark == standard_mark ? "default" : "--set");
        free(text);
    }
}

static char *listing(const struct reader *r)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) die("open_memstream: %s", strerror(errno));
    list_group(f, config_root_setting(&r->config), NULL, 0);
    fclose(f);
    return text;
}

void case_print(const struct case_settings *c, FILE *out) { fputs(c->listing, out); }

/* ---------------------------------------------------------------- the whole */
bool report(struct reader *r, struct error *e)
{
    size_t at = 0, size = sizeof e->text;
    int shown = 0, kept = r->n_errors < MOST_ERRORS ? r->n_errors : MOST_ERRORS;
    if (!r->n_errors) return true;
    refuse(e, EXIT_INPUT, "%s", "");
    for (; shown < kept && at + strlen(r->error[shown].text) + 60 < size; shown++)
        at += (size_t)snprintf(e->text + at, size - at, "%s%s", shown ? "\n" : "", r->error[shown].text);
    if (shown < r->n_errors) snprintf(e->text + at, size - at, "\nand %d more errors", r->n_errors - shown);
    return false;
}

bool case_read(struct case_settings *c, const char *path, const char *const *set, int n_set, struct error *e)
{
    struct reader r = {.c = c, .option = "--set"};
    memset(c, 0, sizeof *c);
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    size_t n = strlen(file), cut = n > 4 && !strcmp(file + n - 4, ".cfg") ? 4 : 0;
    if (strlen(path) >= PATH_LENGTH || n - cut >= NAME_LENGTH)
        return refuse(e, EXIT_INPUT,
                      "%s: the name is too long: expected at most %d letters for the file, %d with its folders", path,
                      NAME_LENGTH - 1, PATH_LENGTH - 1);
    memcpy(c->path, path, strlen(path) + 1);
    memcpy(c->name, file, n - cut);
    config_init(&r.config);
    bool good = read_file(&r, e);
    for (int i = 0; good && i < n_set; i++) good = apply_set(&r, set[i], e);
    if (good) {
        check_names(&r, NULL, config_root_setting(&r.config));
        for (int i = 0; i < n_sections; i++) read_section(&r, &sections[i]);
        check_settings(&r);
        const config_setting_t *fields = config_lookup(&r.config, "output.fields");
        c->fields_line = fields ? source_line(fields) : 0;
        good = report(&r, e);
    }
    if (good) c->listing = listing(&r);
    else case_free(c);
    config_destroy(&r.config);
    return good;
}

void case_free(struct case_settings *c)
{
    for (int i = 0; i < c->n_forces; i++) free(c->force[i].boundary);
    for (int i = 0; i < c->n_parts; i++) free(c->part[i].file);
    free(c->mesh.parameter), free(c->boundary), free(c->field), free(c->line), free(c->probe), free(c->force);
    free(c->monitor), free(c->shape), free(c->part), free(c->listing);
    memset(c, 0, sizeof *c);
}
