/* Helpers for checks of settings: locating a setting, noting errors (section.h). */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "case/reader.h"

/* ---------------------------------------------------------------- settings by their paths */
config_setting_t *case_setting(struct case_reader *r, const char *path) { return config_lookup(&r->config, path); }

config_setting_t *case_group(struct case_reader *r, const char *path)
{
    config_setting_t *group = *path ? case_setting(r, path) : config_root_setting(&r->config);
    return group && config_setting_is_group(group) ? group : NULL;
}

/* The i-th child is fetched by index: with thousands of names a search by name for each would take seconds. */
config_setting_t *case_named(struct case_reader *r, const char *section, int i, const char *key)
{
    config_setting_t *group = case_setting(r, section);
    config_setting_t *named = group ? config_setting_get_elem(group, (unsigned)i) : NULL;
    return !key || !named ? named : config_setting_is_group(named) ? config_setting_get_member(named, key) : NULL;
}

void case_drop(struct case_reader *r, config_setting_t *group, const char *name, const char *why)
{
    config_setting_t *s = group ? config_setting_get_member(group, name) : NULL;
    if (s && case_is_standard(s)) config_setting_remove(group, name);
    else if (s) case_complain(r, s, "%s does not apply to %s", case_path_of(s), why);
}

void case_join_folder(struct case_reader *r, const config_setting_t *at, char path[PATH_LENGTH])
{
    char joined[2 * PATH_LENGTH];
    const char *of = r->source->path, *slash = strrchr(of, '/');
    if (!slash || path[0] == '/') return;
    int n = snprintf(joined, sizeof joined, "%.*s/%s", (int)(slash - of), of, path);
    if (n >= PATH_LENGTH)
        case_complain(r, at, "%s: the path %s is longer than %d letters", case_path_of(at), joined, PATH_LENGTH - 1);
    else memcpy(path, joined, (size_t)n + 1);
}

bool case_is_standard(const config_setting_t *s) { return s->hook == case_standard_mark; }

/* ---------------------------------------------------------------- names */
const char **case_names(const void *item, size_t size, int n)
{
    const char **names;
    NEW(names, n);
    for (int i = 0; i < n; i++) names[i] = (const char *)item + (size_t)i * size;
    return names;
}

int case_find_name(const char *name, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) if (!strcmp(name, names[i])) return i;
    return -1;
}

/* ---------------------------------------------------------------- places */
struct case_place case_place_of(const struct case_reader *r, const config_setting_t *s)
{
    return (struct case_place){r->source, case_line(s)};
}

struct case_place case_whole(const struct case_reader *r) { return (struct case_place){r->source, LINE_OF_WHOLE}; }

const char *case_place_text(struct case_place p)
{
    static _Thread_local char buffer[2][PATH_LENGTH + 20];      /* values can be evaluated by another thread */
    static _Thread_local int which;
    char *text = buffer[which ^= 1];
    const char *file = p.source ? p.source->path : "the case";
    int line = p.source && p.line > 0 ? case_line_in_file(p.source, p.line, &file) : p.line;
    snprintf(text, sizeof buffer[0], line > 0 ? "%s:%d" : line == LINE_OF_SET ? "%s (--set)" : "%s", file, line);
    return text;
}

/* ---------------------------------------------------------------- against the mesh */
void find_fault(struct findings *f, struct case_place at, const char *format, ...)
{
    char text[1500];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!f->n++) refuse(f->e, EXIT_INPUT, "%s", "");
    if (f->n > MOST_ERRORS || f->length + strlen(text) + PATH_LENGTH + 22 > sizeof f->e->text) return;
    f->length += (size_t)snprintf(f->e->text + f->length, sizeof f->e->text - f->length, "%s%s: %s",
                                  f->length ? "\n" : "", case_place_text(at), text);
}

bool find_name(struct findings *f, struct case_place at, const char *what, const char *name, const char *const *names,
               int n)
{
    char list[800] = "";
    if (case_find_name(name, names, n) >= 0) return true;
    for (int i = 0, end = 0; i < n && end < (int)sizeof list - NAME_LENGTH - 10; i++)
        end += sprintf(list + end, "%s%s", i ? ", " : "", names[i]);
    find_fault(f, at, "%s \"%s\" is not in %s; it has: %s%s", what, name, f->mesh_name, n ? list : "none",
               case_did_you_mean(name, names, n));
    return false;
}

void find_length(struct findings *f, struct case_place at, int n, const char *format, ...)
{
    char path[4 * NAME_LENGTH];
    va_list list;
    if (!n || n == f->dim) return;
    va_start(list, format);
    vsnprintf(path, sizeof path, format, list);
    va_end(list);
    find_fault(f, at, "%s has %d numbers, but %s is %d-D: expected %d", path, n, f->mesh_name, f->dim, f->dim);
}
