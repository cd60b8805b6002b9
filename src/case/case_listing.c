/* Writes all settings as a case file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "case/reader.h"

/* NULL: from the case file; else "default" or "--set". */
static const void *mark_of(const config_setting_t *at)
{
    const void *mark = at->hook;
    for (int k = 0; !mark && config_setting_is_group(at) && k < config_setting_length(at); k++)
        mark = config_setting_get_elem(at, (unsigned)k)->hook;                          /* mesh.parameters */
    return mark;
}

/* Does a group contain anything but defaults? */
static bool is_told(const struct case_table *t, const config_setting_t *group, const struct section *s)
{
    bool told = false;
    for (int i = 0; !told && i < config_setting_length(group); i++) {
        const config_setting_t *at = config_setting_get_elem(group, (unsigned)i);
        const struct section *own = case_find_section(t, case_path_of(at));
        bool inner = config_setting_is_group(at) && (own || (s && s->size));
        told = inner ? is_told(t, at, s && s->size ? NULL : own) : mark_of(at) != case_standard_mark;
    }
    return told;
}

/* out: the listing, without defaults; lines: "path = value" of each. */
static void list_group(FILE *out, FILE *lines, const struct case_table *t, const config_setting_t *group,
                       const struct section *s, int depth)
{
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *at = config_setting_get_elem(group, (unsigned)i);
        const char *path = case_path_of(at);
        const struct section *own = case_find_section(t, path);
        if (config_setting_is_group(at) && (own || (s && s->size))) {
            bool told = is_told(t, at, s && s->size ? NULL : own);
            if (told) fprintf(out, "%*s%s = {\n", 4 * depth, "", at->name);
            list_group(out, lines, t, at, s && s->size ? NULL : own, depth + 1);
            if (told) fprintf(out, "%*s};\n", 4 * depth, "");
            continue;
        }
        char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);
        if (!f) die("open_memstream: %s", strerror(errno));
        fprintf(f, "%*s%s = ", 4 * depth, "", at->name);
        case_print_value(f, at);
        fclose(f);
        fprintf(lines, "%s = %s\n", case_path_of(at), text + 4 * depth + (int)strlen(at->name) + 3);
        const void *mark = mark_of(at);
        if (mark != case_standard_mark)
            fprintf(out, mark ? "%s;%*s# --set\n" : "%s;\n", text, (int)(size < 50 ? 51 - size : 1), "");
        free(text);
    }
}

void case_list(const struct case_reader *r, char **listing, char **settings)
{
    size_t size[2] = {0};
    FILE *out = open_memstream(listing, &size[0]), *lines = open_memstream(settings, &size[1]);
    if (!out || !lines) die("open_memstream: %s", strerror(errno));
    list_group(out, lines, r->table, config_root_setting(&r->config), NULL, 0);
    fclose(out), fclose(lines);
}
