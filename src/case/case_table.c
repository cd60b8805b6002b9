/* Values from tables: "table:FILE:COLUMN", and the keys that the table of a group gives (reader.h). */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/table.h"
#include "case/reader.h"

/* Are these the fields that it was read with, as far as it has columns of their names? */
static bool is_over(const struct table *t, const char *const *field, int n_fields)
{
    int known = 0;
    for (int k = 0; k < n_fields; k++) {
        const int column = table_column(t, field[k]);
        if (column == t->field) known += column >= 0;
        else if (!table_is_coordinate(t, column)) return false;
    }
    return known == (t->field >= 0);
}

const struct table *case_table_of(struct case_reader *r, const config_setting_t *at, const char *path,
                                  const char *const *field, int n_fields)
{
    char joined[2 * PATH_LENGTH];
    const char *slash = *path == '/' ? NULL : strrchr(r->source->path, '/');
    struct table *t;
    struct error e;
    snprintf(joined, sizeof joined, "%.*s%s", slash ? (int)(slash - r->source->path + 1) : 0, r->source->path, path);
    if (strlen(joined) >= PATH_LENGTH) {
        case_complain(r, at, "%s: the path %.40s... is longer than %d letters", case_path_of(at), joined,
                      PATH_LENGTH - 1);
        return NULL;
    }
    for (t = r->source->table; t; t = t->next)
        if (!strcmp(t->path, joined) && is_over(t, field, n_fields)) return t;
    NEW(t, 1);
    if (!table_read(t, joined, field, n_fields, &e)) {
        case_complain(r, at, "%s: %s", case_path_of(at), e.text);
        free(t);
        return NULL;
    }
    t->next = r->source->table;
    r->source->table = t;
    return t;
}

void case_free_tables(struct case_source *s)
{
    for (struct table *t = s->table, *next; t; t = next) {
        next = t->next;
        table_free(t), free(t);
    }
}

/* Nearest name and all names of the columns with values. */
static void complain_column(struct case_reader *r, const config_setting_t *at, const struct table *t, const char *name)
{
    const char **names;
    char list[400] = "";
    int n = 0, end = 0;
    NEW(names, t->n_columns);
    for (int k = 0; k < t->n_columns; k++) if (!table_is_coordinate(t, k)) names[n++] = t->column[k];
    for (int k = 0; k < n && end < (int)sizeof list - NAME_LENGTH - 3; k++)
        end += sprintf(list + end, "%s%s", k ? ", " : "", names[k]);
    case_complain(r, at, "%s: %s has no column \"%s\"; it has: %s%s", case_path_of(at), t->path, name,
                  n ? list : "none", case_did_you_mean(name, names, n));
    free(names);
}

/* Does the value know this variable? */
static bool knows(const struct value_setting *v, int variable)
{
    return case_find_name(value_variables[variable], v->variable, v->n_variables) >= 0;
}

bool case_read_column(struct case_reader *r, const config_setting_t *at, const char *text, int k,
                      struct value_setting *v)
{
    char path[PATH_LENGTH], column[NAME_LENGTH + 2];
    const char *from = text + strlen("table:"), *colon = strrchr(from, ':');
    if (strlen(from) >= sizeof path || (colon && strlen(colon + 1) >= NAME_LENGTH)) {
        case_complain(r, at, "%s: \"%.40s...\" is too long", case_path_of(at), text);
        return false;
    }
    snprintf(path, sizeof path, "%.*s", colon ? (int)(colon - from) : (int)strlen(from), from);
    if (colon) snprintf(column, sizeof column, "%s", colon + 1);
    else snprintf(column, sizeof column, "%.61s%s%.1s", at->name, k < 0 ? "" : "_", k < 0 ? "" : value_variables[k]);
    const struct table *t = case_table_of(r, at, path, v->variable, v->n_variables);
    if (!t) return false;
    v->text = case_keep_text(r->source, text), v->table = t, v->column = table_column(t, column);
    v->in_time = t->time >= 0;
    if (v->column < 0) {
        complain_column(r, at, t, column);
        return false;
    }
    for (int j = 0; j < N_VALUE_VARIABLES; j++) {
        if ((j < 3 ? t->space[j] : t->time) < 0 || knows(v, j)) continue;
        case_complain(r, at, "%s: %s has a column %s, on which this value cannot depend; remove that column",
                      case_path_of(at), t->path, value_variables[j]);
        return false;
    }
    return true;
}

/* ---------------------------------------------------------------- the table of a group */
/* The key that a column gives, and its component (-1: it is no vector); NULL: none. */
static const struct key *key_of(const struct section *s, const char *column, int *component)
{
    for (const struct key *k = s->key; k->name; k++) {
        size_t n = strlen(k->name);
        *component = -1;
        if (k->type == KEY_VALUE && !strcmp(k->name, column)) return k;
        if (k->type != KEY_VALUES || strncmp(column, k->name, n) || column[n] != '_' || strlen(column) != n + 2)
            continue;
        for (int j = 0; j < 3; j++) if (column[n + 1] == *value_variables[j]) return *component = j, k;
    }
    return NULL;
}

static const struct key *named_values(const struct section *s)
{
    for (const struct key *k = s->key; k->name; k++) if (k->type == KEY_NAMED_VALUES) return k;
    return NULL;
}

static void complain_unknown(struct case_reader *r, const struct section *s, const config_setting_t *at,
                             const struct table *t, const char *column, const config_setting_t *scalars)
{
    char (*name)[NAME_LENGTH], list[600] = "";
    const char *names[100];
    int n = 0, end = 0;
    NEW(name, 100);
    for (const struct key *k = s->key; k->name; k++)
        for (int j = 0; j < (k->type == KEY_VALUES ? 3 : k->type == KEY_VALUE) && n < 100; j++)
            snprintf(name[n++], NAME_LENGTH, "%s%s%s", k->name, k->type == KEY_VALUES ? "_" : "",
                     k->type == KEY_VALUES ? value_variables[j] : "");
    for (int i = 0; scalars && i < config_setting_length(scalars) && n < 100; i++)
        snprintf(name[n++], NAME_LENGTH, "%s", config_setting_get_elem(scalars, (unsigned)i)->name);
    for (int i = 0; i < n; i++) names[i] = name[i];
    for (int i = 0; i < n && end < (int)sizeof list - NAME_LENGTH - 3; i++)
        end += sprintf(list + end, ", %s", names[i]);
    case_complain(r, at, "%s: %s has a column \"%s\"%s; expected x, y, z, t%s", case_path_of(at), t->path, column,
                  case_did_you_mean(column, names, n), list);
    free(name);
}

/* The key as "table:FILE:COLUMN", or with its components that the table has; other components are 0. */
static void put_key(const struct section *s, config_setting_t *group, const struct key *k, const struct table *t,
                    const char *path)
{
    char text[3 * (PATH_LENGTH + NAME_LENGTH + 30)];
    int end = 0, last = -1, component;
    if (k->type == KEY_VALUE) {
        snprintf(text, sizeof text, "\"table:%s:%s\"", path, k->name);
    } else {
        bool has[3] = {false};
        for (int i = 0; i < t->n_columns; i++)
            if (key_of(s, t->column[i], &component) == k) {
                has[component] = true;
                if (component > last) last = component;
            }
        for (int j = 0; j < (last == 2 ? 3 : 2); j++)
            end += has[j] ? sprintf(text + end, "%s\"table:%s:%s_%s\"", j ? ", " : "[", path, k->name,
                                    value_variables[j])
                          : sprintf(text + end, "%s0.0", j ? ", " : "[");
        sprintf(text + end, "]");
    }
    case_insert(group, k->name, text, false, case_standard_mark);
}

void case_expand_table(struct case_reader *r, const struct section *s, config_setting_t *group)
{
    const struct key *own = s->key;
    while (own->name && own->type != KEY_TABLE) own++;
    config_setting_t *at = own->name ? config_setting_get_member(group, own->name) : NULL;
    const char *path = at ? config_setting_get_string(at) : NULL;
    const struct table *t = path && *path ? case_table_of(r, at, path, NULL, 0) : NULL;
    const struct key *named = named_values(s);
    const config_setting_t *scalars = named ? config_lookup(&r->config, named->name) : NULL;
    for (int i = 0; t && i < t->n_columns; i++) {
        int component;
        const char *column = t->column[i];
        const struct key *k = key_of(s, column, &component);
        config_setting_t *to = group, *there;
        if (table_is_coordinate(t, i)) continue;
        bool scalar = !k && scalars && config_setting_is_group(scalars) && config_setting_get_member(scalars, column);
        if (!k && !scalar) {
            complain_unknown(r, s, at, t, column, scalars);
            continue;
        }
        if (scalar && !(to = config_setting_get_member(group, named->name))) {
            to = config_setting_add(group, named->name, CONFIG_TYPE_GROUP);
            config_setting_set_hook(to, case_standard_mark);
        }
        there = config_setting_get_member(to, k ? k->name : column);
        if (there && !case_is_standard(there))
            case_complain(r, there, "%s: the table %s has a column \"%s\"; remove one of them", case_path_of(there),
                          t->path, column);
        else if (k && !there) put_key(s, group, k, t, path);
        else if (!k && config_setting_is_group(to)) {
            char text[PATH_LENGTH + NAME_LENGTH + 20];
            snprintf(text, sizeof text, "\"table:%.*s:%s\"", PATH_LENGTH, path, column);
            case_insert(to, column, text, false, case_standard_mark);
        }
    }
}
