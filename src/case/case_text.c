/* Adds settings from --set and defaults to libconfig's tree, and prints settings as text. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "case/reader.h"

char case_standard_mark[] = "default";

/* ---------------------------------------------------------------- settings from the command line and defaults */
static void copy_setting(config_setting_t *to, const config_setting_t *from, void *mark)
{
    config_setting_set_hook(to, mark);
    switch (config_setting_type(from)) {
    case CONFIG_TYPE_INT: config_setting_set_int(to, config_setting_get_int(from)); break;
    case CONFIG_TYPE_INT64: config_setting_set_int64(to, config_setting_get_int64(from)); break;
    case CONFIG_TYPE_FLOAT: config_setting_set_float(to, config_setting_get_float(from)); break;
    case CONFIG_TYPE_BOOL: config_setting_set_bool(to, config_setting_get_bool(from)); break;
    case CONFIG_TYPE_STRING: config_setting_set_string(to, config_setting_get_string(from)); break;
    default:
        for (int i = 0; i < config_setting_length(from); i++) {
            config_setting_t *s = config_setting_get_elem(from, (unsigned)i);
            copy_setting(config_setting_add(to, config_setting_name(s), config_setting_type(s)), s, mark);
        }
    }
}

config_setting_t *case_insert(config_setting_t *group, const char *name, const char *text, bool is_text, void *mark)
{
    config_t config;
    char *line;
    NEW(line, strlen(text) + 8);
    sprintf(line, "v = %s", text);
    config_init(&config);
    bool literal = is_text && *text != '"' && *text != '[';
    bool good = !literal && case_read_string(&config, line) && config_setting_length(config_root_setting(&config)) == 1;
    free(line);
    if (!good && strpbrk(text, "[]{}\"") && !literal) {
        config_destroy(&config);
        return NULL;
    }
    config_setting_t *value = good ? config_lookup(&config, "v") : NULL;
    if (config_setting_get_member(group, name)) config_setting_remove(group, name);
    config_setting_t *s = config_setting_add(group, name, value ? config_setting_type(value) : CONFIG_TYPE_STRING);
    if (s && value) copy_setting(s, value, mark);
    else if (s) config_setting_set_string(s, text), config_setting_set_hook(s, mark);
    config_destroy(&config);
    return s;
}

/* The names in the group above this path, for the nearest name. */
static const char *near_in_case(struct case_reader *r, const char *path)
{
    const char *names[100], *dot = strrchr(path, '.');
    char above[PATH_LENGTH];
    int n = 0;
    snprintf(above, sizeof above, "%.*s", dot ? (int)(dot - path) : 0, path);
    const config_setting_t *group = case_group(r, above);
    for (int i = 0; group && i < config_setting_length(group) && n < 100; i++)
        names[n++] = config_setting_get_elem(group, (unsigned)i)->name;
    return case_did_you_mean(dot ? dot + 1 : path, names, n);
}

/* "key=": removes the key or group as if it were missing from the file. */
static void unset(struct case_reader *r, const config_setting_t *from, const char *path, bool known)
{
    config_setting_t *at = config_lookup(&r->config, path);
    if (at) config_setting_remove(config_setting_parent(at), config_setting_name(at));
    else if (!known)
        case_complain(r, from, "the case has no \"%s\" to unset%s", path, near_in_case(r, path));
}

void case_apply_set(struct case_reader *r, const char *set)
{
    const char *equals = strchr(set, '=');
    char path[PATH_LENGTH], *save = NULL;
    const config_setting_t from = {.hook = (void *)set, .parent = config_root_setting(&r->config)};     /* location for
                                                                                                           errors */
    if (!equals || equals == set || equals - set >= PATH_LENGTH) {
        case_complain(r, &from, "expected key=value, like --set fluid.viscosity=0.0025");
        return;
    }
    snprintf(path, sizeof path, "%.*s", (int)(equals - set), set);
    const struct key *key = case_find_key(r->table, path);
    if (!equals[1]) {
        unset(r, &from, path, key || case_find_section(r->table, path));
        return;
    }
    bool is_text = key && (key->type == KEY_WORD || key->type == KEY_NAME || key->type == KEY_PATH ||
                           key->type == KEY_TABLE);
    config_setting_t *group = config_root_setting(&r->config), *s, *made = NULL;
    char *name = strtok_r(path, ".", &save), *next = strtok_r(NULL, ".", &save);
    for (; name && next; name = next, next = strtok_r(NULL, ".", &save)) {
        s = config_setting_get_member(group, name);
        if (!s && (s = config_setting_add(group, name, CONFIG_TYPE_GROUP))) {
            config_setting_set_hook(s, (void *)set);
            if (!made) made = s;
        }
        if (s && !config_setting_is_group(s)) {
            case_complain(r, &from, "%s is a value, not a group of keys", case_path_of(s));
            return;
        }
        if (!s) break;
        group = s;
    }
    if (name && !next && case_insert(group, name, equals + 1, is_text, (void *)set)) return;
    if (made) config_setting_remove(config_setting_parent(made), made->name);
    case_complain(r, &from, "cannot be read; expected key=value with a number, a word, \"text\" or [1.0, 0.0]");
}

/* ---------------------------------------------------------------- messages */
int case_line(const config_setting_t *s) { return s->hook ? 0 : (int)config_setting_source_line(s); }

void case_complain(struct case_reader *r, const config_setting_t *at, const char *format, ...)
{
    const config_setting_t *here = at;
    if (r->n_errors++ >= MOST_ERRORS) return;
    while (at && at->hook == case_standard_mark) at = config_setting_parent(at);
    bool whole = !at || config_setting_is_root(at), from_set = !whole && at->hook;
    int line = whole ? INT_MAX - 1 : from_set ? INT_MAX : case_line(at), k = r->n_errors - 1, n;
    while (k > 0 && r->error[k - 1].line > line) r->error[k] = r->error[k - 1], k--;
    r->error[k].line = line, r->error[k].at = here;
    char *to = r->error[k].text;
    const char *file = r->source->path;
    if (!whole && !from_set) line = case_line_in_file(r->source, line, &file);
    if (from_set) n = snprintf(to, ERROR_LENGTH, "%s %.300s: ", r->option, (const char *)at->hook);
    else n = snprintf(to, ERROR_LENGTH, whole ? "%.300s: " : "%.300s:%d: ", file, line);
    va_list list;
    va_start(list, format);
    vsnprintf(to + n, (size_t)(ERROR_LENGTH - n), format, list);
    va_end(list);
}

bool case_complained(const struct case_reader *r, const config_setting_t *at)
{
    bool found = false;
    for (int i = 0; i < r->n_errors && i < MOST_ERRORS; i++) found |= at && r->error[i].at == at;
    return found;
}

const char *case_path_of(const config_setting_t *s)
{
    static char buffer[2][PATH_LENGTH];
    static int which;
    char *path = buffer[which ^= 1];
    size_t at = PATH_LENGTH - 1;
    for (path[at] = 0; s && !config_setting_is_root(s); s = config_setting_parent(s)) {
        size_t n = s->name ? strlen(s->name) : 0;
        if (n + 1 > at) break;
        if (path[at]) path[--at] = '.';
        memcpy(path + (at -= n), s->name ? s->name : "", n);
    }
    return path + at;
}

const char *case_did_you_mean(const char *name, const char *const *names, int n)
{
    static char text[PATH_LENGTH];
    const char *near = nearest_name(name, names, n);
    snprintf(text, sizeof text, " (did you mean \"%s\"?)", near ? near : "");
    return near ? text : "";
}

static void print_number(FILE *out, double v)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v) break;
    }
    fprintf(out, "%s%s", text, strpbrk(text, ".en") ? "" : ".0");
}

void case_print_value(FILE *out, const config_setting_t *s)
{
    int n = config_setting_length(s), is_group = config_setting_is_group(s);
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT: case CONFIG_TYPE_INT64: fprintf(out, "%lld", config_setting_get_int64(s)); return;
    case CONFIG_TYPE_FLOAT: print_number(out, config_setting_get_float(s)); return;
    case CONFIG_TYPE_BOOL: fputs(config_setting_get_bool(s) ? "true" : "false", out); return;
    case CONFIG_TYPE_STRING:
        fputc('"', out);
        for (const char *p = config_setting_get_string(s); p && *p; p++)
            fprintf(out, iscntrl((unsigned char)*p) ? "\\x%02x" : strchr("\"\\", *p) ? "\\%c" : "%c", *p);
        fputc('"', out);
        return;
    }
    fputs(is_group ? "{ " : "[", out);
    for (int i = 0; i < n; i++) {
        const config_setting_t *element = config_setting_get_elem(s, (unsigned)i);
        if (is_group) fprintf(out, "%s = ", element->name);
        case_print_value(out, element);
        fputs(is_group ? "; " : i + 1 < n ? ", " : "", out);
    }
    fputs(is_group ? "}" : "]", out);
}

void case_found_text(char *to, size_t size, const config_setting_t *s)
{
    if (config_setting_is_group(s)) { snprintf(to, size, "{ ... }"); return; }
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f) die("open_memstream: %s", strerror(errno));
    case_print_value(f, s);
    fclose(f);
    snprintf(to, size, length < 100 ? "%s" : "%.90s ...", text);
    free(text);
}
