/* Fills the structs of settings from libconfig's tree, by the tables of keys. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "case/reader.h"

enum { MOST_NAMES = 60 };       /* most different names in one group */

/* ---------------------------------------------------------------- the tables */
const struct section *case_find_section(const struct case_table *t, const char *path)
{
    for (int i = 0; i < t->n_sections; i++)
        if (!strcmp(t->section[i].section->path, path)) return t->section[i].section;
    return NULL;
}

const struct key *section_key(const struct section *s, const char *name)
{
    for (const struct key *k = s->key; k->name; k++)
        if (!strcmp(name, k->name)) return k;
    return NULL;
}

const struct key *case_find_key(const struct case_table *t, const char *path)
{
    const struct key *found = NULL;
    for (int i = 0; i < t->n_sections && !found; i++) {
        const struct section *s = t->section[i].section;
        size_t n = strlen(s->path);
        if (strncmp(path, s->path, n) || path[n] != '.') continue;
        const char *name = path + n + 1;
        if (s->size) name = strchr(name, '.') ? strchr(name, '.') + 1 : "";
        found = section_key(s, name);
        const char *dot = strchr(name, '.');
        for (const struct key *k = s->key; dot && k->name; k++) {
            if (strncmp(k->name, name, (size_t)(dot - name)) || k->name[dot - name]) continue;
            for (const struct key *own = k->inner; own && own->name; own++)
                if (!strcmp(own->name, dot + 1)) found = own;
        }
    }
    return found;
}

/* ---------------------------------------------------------------- names */
/* The names allowed in a group: the section's keys and the sections directly below it (NULL: the whole file). */
static int names_in(const struct case_table *t, const struct section *s, const char **names)
{
    int n = 0;
    for (const struct key *k = s ? s->key : NULL; k && k->name && n < MOST_NAMES; k++) names[n++] = k->name;
    for (int i = 0; i < t->n_sections; i++) {
        const char *path = t->section[i].section->path, *dot = strchr(path, '.');
        bool inside = s ? dot && !strncmp(path, s->path, strlen(s->path)) && path[strlen(s->path)] == '.' : !dot;
        if (inside && n == MOST_NAMES) die("more than %d names in %s", MOST_NAMES, s ? s->path : "the case");
        if (inside) names[n++] = dot ? dot + 1 : path;
    }
    return n;
}

/* The group's kind, as in key.kinds: the index of its first key's word, or of the default; -1: none. */
static int kind_of(const struct section *s, const config_setting_t *group)
{
    const char *word = s ? s->key->standard : NULL;
    if (s) config_setting_lookup_string(group, s->key->name, &word);
    for (int i = 0; word && i < s->key->n_words; i++)
        if (!strcmp(word, s->key->words[i])) return i;
    return -1;
}

/* Other groups in which this key is allowed. */
static void find_elsewhere(const struct case_table *t, const char *name, char *to, size_t size)
{
    for (int i = 0; i < t->n_sections; i++) {
        const struct section *s = t->section[i].section;
        if (!section_key(s, name)) continue;
        snprintf(to, size, "; %s belongs in %s%s = { ... }", name, s->path, s->size ? ".NAME" : "");
        return;
    }
}

/* names: all names allowed there; those for other kinds of the group are not listed. */
static void complain_unknown(struct case_reader *r, const struct section *s, const config_setting_t *at,
                             const char *const *names, int n)
{
    if (r->n_errors >= MOST_ERRORS) {                   /* no further message would be kept, so errors are only
                                                           counted */
        case_complain(r, at, "unknown key");
        return;
    }
    for (int i = 0; s && s->gone && s->gone[i][0]; i++)
        if (!strcmp(at->name, s->gone[i][0])) {
            case_complain(r, at, "%s is no longer a key; %s", case_path_of(at), s->gone[i][1]);
            return;
        }
    char list[1000] = "", elsewhere[200] = "";
    const char *fitting[MOST_NAMES];
    int kind = kind_of(s, config_setting_parent(at)), n_fitting = 0;
    for (int i = 0, length = 0; i < n; i++) {
        const struct key *key = s ? section_key(s, names[i]) : NULL;
        unsigned kinds = key ? key->kinds : 0;
        if (kinds && kind >= 0 && !(kinds >> kind & 1)) continue;
        length += sprintf(list + length, "%s%s", length ? ", " : "", names[i]);
        fitting[n_fitting++] = names[i];
    }
    bool certain = false;
    const char *wish = r->table->missing ? r->table->missing(s ? s->path : "", at->name, &certain) : NULL;
    const char *near = certain ? "" : case_did_you_mean(at->name, fitting, n_fitting);
    if (*near) wish = NULL;
    else if (!certain) find_elsewhere(r->table, at->name, elsewhere, sizeof elsewhere);
    case_complain(r, at, "unknown key \"%s\"%s%s%s; expected here: %s%s", case_path_of(at), near,
                  wish ? ": Poise does not support " : "",
             wish ? wish : "", list, elsewhere);
}

static void check_names(struct case_reader *r, const struct section *s, const config_setting_t *group)
{
    const char *names[MOST_NAMES];
    int n = names_in(r->table, s, names);
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *member = config_setting_get_elem(group, (unsigned)i);
        bool known = false;
        for (int k = 0; k < n; k++) known |= !strcmp(names[k], member->name);
        if (!known) complain_unknown(r, s, member, names, n);
    }
}

static void complain_required(struct case_reader *r, const config_setting_t *group, const struct section *s,
                              const struct key *k)
{
    char expected[400], near[PATH_LENGTH] = "";
    const config_setting_t *parent = config_setting_parent(group);
    case_expected_text(expected, sizeof expected, k);
    if (s->size && group->hook) {                        /* --set created a new boundary: a typing error in its name? */
        const char *names[100];
        int n = 0;
        for (int i = 0; i < config_setting_length(parent) && n < 100; i++) {
            const config_setting_t *other = config_setting_get_elem(parent, (unsigned)i);
            if (other != group) names[n++] = other->name;
        }
        const char *slip = case_did_you_mean(group->name, names, n);
        if (*slip) snprintf(near, sizeof near, "; \"%s\" is not in the file%s", group->name, slip);
    }
    case_complain(r, group, "%s.%s is missing%s: expected %s", case_path_of(group), k->name, near, expected);
}

const void *case_known(const struct case_reader *r) { return r->known; }

static const char *standard_of(struct case_reader *r, const struct section *s, const struct key *k)
{
    for (const struct other_standard *o = s->other; o && o->key; o++)
        if (!strcmp(o->key, k->name) && (!o->when || o->when->holds(r))) return o->standard;
    return k->standard;
}

/* The default for a missing key; NULL: none. */
static config_setting_t *put_standard(struct case_reader *r, const struct section *s, const struct key *k,
                                      config_setting_t *group)
{
    const char *standard = standard_of(r, s, k);
    char path[NAME_LENGTH + 20];
    bool is_text = k->type == KEY_PATH || k->type == KEY_TABLE || k->type == KEY_WORD || k->type == KEY_NAME;
    if (!standard) complain_required(r, group, s, k);
    if (!standard || !*standard) return NULL;
    if (k->type == KEY_PATH && !strncmp(standard, "NAME", 4)) {
        snprintf(path, sizeof path, "%s%s", r->source->name, standard + 4);
        standard = path;
    }
    return case_insert(group, k->name, standard, is_text, case_standard_mark);
}

void case_read_group(struct case_reader *r, const struct section *s, config_setting_t *group, char *base)
{
    bool kind_known = false;
    case_expand_table(r, s, group);
    check_names(r, s, group);
    for (const struct key *k = s->key; k->name; k++) {
        config_setting_t *at = config_setting_get_member(group, k->name);
        if (k->kinds && !kind_known) continue;
        int kind = k->kinds ? *(int *)(base + s->key->offset) : 0;
        if (k->kinds && !(k->kinds >> kind & 1)) {
            if (at)
                case_complain(r, at, "%s does not apply to %s \"%s\"; remove it", case_path_of(at), s->key->name,
                              s->key->words[kind]);
            continue;
        }
        if (!at) at = put_standard(r, s, k, group);
        bool good = at && case_read_value(r, at, k, base);
        if (k == s->key) kind_known = good;
    }
}

static void read_named(struct case_reader *r, const struct section *s, config_setting_t *group, char *base)
{
    int n = config_setting_length(group);
    char *item = allocate((size_t)n, s->size, s->path);
    memcpy(base, &(struct named_list){item, n}, sizeof(struct named_list));
    for (int i = 0; i < n; i++, item += s->size) {
        config_setting_t *at = config_setting_get_elem(group, (unsigned)i);
        struct named *head = (struct named *)item;
        head->place = case_place_of(r, at);
        snprintf(head->name, NAME_LENGTH, "%s", at->name);
        if (strlen(at->name) >= NAME_LENGTH)
            case_complain(r, at, "%s: a name has at most %d letters", case_path_of(at), NAME_LENGTH - 1);
        if (config_setting_is_group(at)) case_read_group(r, s, at, item);
        else case_complain(r, at, "%s is not a group: expected %s = { ... }", case_path_of(at), at->name);
    }
}

static void read_section(struct case_reader *r, const struct placed_section *placed)
{
    const struct section *s = placed->section;
    char *base = (char *)r->settings + placed->at;
    config_setting_t *parent = config_root_setting(&r->config), *group;
    const char *name = s->path, *dot = strchr(name, '.');
    if (dot) {
        char above[NAME_LENGTH];
        snprintf(above, sizeof above, "%.*s", (int)(dot - name), name);
        parent = config_setting_get_member(parent, above);
        name = dot + 1;
        if (!parent || !config_setting_is_group(parent)) return;        /* reported already */
    }
    group = config_setting_get_member(parent, name);
    bool alone = s->with && !config_lookup(&r->config, s->with);
    if (!group && (s->optional || s->size || alone)) return;
    if (alone)
        case_complain(r, group, "%s does not apply without %s = { ... }; remove it, or add that", case_path_of(group),
                      s->with);
    if (!group) {
        group = config_setting_add(parent, name, CONFIG_TYPE_GROUP);
        config_setting_set_hook(group, case_standard_mark);
    }
    if (!config_setting_is_group(group))
        case_complain(r, group, "%s is not a group: expected %s = { ... }", case_path_of(group), name);
    else if (s->size) read_named(r, s, group, base);
    else case_read_group(r, s, group, base);
}

/* ---------------------------------------------------------------- the whole file */
bool case_report(struct case_reader *r, struct error *e)
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

/* *s: with path and name; NULL: rejected. */
static struct case_source *new_source(const char *path, struct error *e)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    size_t n = case_name_length(file);
    struct case_source *s;
    if (strlen(path) >= PATH_LENGTH || n >= NAME_LENGTH) {
        refuse(e, EXIT_INPUT, "%s: the name is too long: expected at most %d letters for the file, %d with its folders",
               path, NAME_LENGTH - 1, PATH_LENGTH - 1);
        return NULL;
    }
    NEW(s, 1);
    memcpy(s->path, path, strlen(path) + 1);
    memcpy(s->name, file, n);
    return s;
}

bool settings_read(const struct case_table *t, void *settings, struct case_source **source, const char *path,
                   const char *const *set, int n_set, const void *known, bool kept, struct error *e)
{
    memset(settings, 0, t->size);
    *source = new_source(path, e);
    if (!*source) return false;
    struct case_reader r = {.table = t, .source = *source, .settings = settings, .known = known, .option = "--set"};
    config_init(&r.config);
    bool readable = case_read_file(&r, e), good = readable;
    if (readable) {
        for (int i = 0; i < n_set; i++) case_apply_set(&r, set[i]);
        check_names(&r, NULL, config_root_setting(&r.config));
        for (int i = 0; i < t->n_sections; i++) read_section(&r, &t->section[i]);
        t->check(&r, settings);
        good = case_report(&r, e);
    }
    if (good) case_list(&r, &r.source->listing, &r.source->settings);
    else if (!kept || !readable) settings_free(t, settings, *source), *source = NULL;
    config_destroy(&r.config);
    return good;
}

/* ---------------------------------------------------------------- the end */
static void free_values(const struct section *s, char *base)
{
    for (const struct key *k = s->key; k->name; k++)
        if (k->type == KEY_REALS || k->type == KEY_NAMES || k->type == KEY_PARAMETERS || k->type == KEY_NAMED_VALUES) {
            void *values;
            memcpy(&values, base + k->offset, sizeof values);
            free(values);
        }
}

void settings_free(const struct case_table *t, void *settings, struct case_source *source)
{
    for (int i = 0; i < t->n_sections; i++) {
        const struct section *s = t->section[i].section;
        char *base = (char *)settings + t->section[i].at;
        struct named_list list;
        if (!s->size) free_values(s, base);
        if (!s->size) continue;
        memcpy(&list, base, sizeof list);
        for (int k = 0; k < list.n; k++) free_values(s, (char *)list.item + (size_t)k * s->size);
        free(list.item);
    }
    for (int i = 0; source && i < source->n_parts; i++) free(source->part[i].file);
    if (source) case_free_tables(source);
    for (int i = 0; source && i < source->n_texts; i++) free(source->text[i]);
    if (source) free(source->part), free(source->text), free(source->listing), free(source->settings);
    free(source);
    memset(settings, 0, t->size);
}
