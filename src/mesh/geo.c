/* Scans a .geo file for DefineConstant, Include and Merge (geo.h). */
#include "mesh/geo.h"
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/memory.h"
#include "mesh/format.h"

/* Replaces comments by blanks; strings are kept. */
static void blank_comments(char *s)
{
    while (*s) {
        if (*s == '"') {
            for (s++; *s && *s != '"'; s++) {}
            if (*s) s++;
        } else if (s[0] == '/' && s[1] == '/') {
            while (*s && *s != '\n') *s++ = ' ';
        } else if (s[0] == '/' && s[1] == '*') {
            while (*s && !(s[0] == '*' && s[1] == '/')) *s++ = ' ';
            for (int k = 0; k < 2 && *s; k++) *s++ = ' ';
        } else s++;
    }
}

static void add(char ***list, int *n, const char *text, size_t length)
{
    for (int i = 0; i < *n; i++) if (strlen((*list)[i]) == length && !memcmp((*list)[i], text, length)) return;
    RESIZE(*list, *n + 1);
    (*list)[(*n)++] = strndup(text, length);
}

static const char *after_blanks(const char *s) { while (isspace((unsigned char)*s)) s++; return s; }
static size_t word(const char *s)
{
    size_t n = 0;
    while (isalpha((unsigned char)s[n]) || s[n] == '_' || (n && isdigit((unsigned char)s[n]))) n++;
    return n;
}

/* s: the text after the '[' of DefineConstant[.  A word after this bracket, or after a comma outside inner brackets, is
 * the name of a parameter. */
static const char *scan_constants(struct geo *g, const char *s)
{
    bool name_comes = true;
    for (int depth = 1; *s && depth > 0; s++) {
        if (*s == '"') { for (s++; *s && *s != '"'; s++) {} if (!*s) break; }
        else if (strchr("[({", *s)) depth++;
        else if (strchr("])}", *s)) depth--;
        else if (*s == ',' && depth == 1) name_comes = true;
        else if (name_comes && word(s)) add(&g->name, &g->n_names, s, word(s)), s += word(s) - 1, name_comes = false;
    }
    return s;
}

/* s: the text after Include or Merge.  A relative name is relative to the folder of the file that contains it. */
static void scan_inclusion(struct geo *g, const char *including, const char *s)
{
    if (*s != '"') return;
    const char *end = strchr(++s, '"'), *slash = strrchr(including, '/');
    if (!end) return;
    char path[4096];
    int folder = *s != '/' && slash ? (int)(slash - including) + 1 : 0;
    int n = snprintf(path, sizeof path, "%.*s%.*s", folder, including, (int)(end - s), s);
    const char *why;
    FILE *f = n < (int)sizeof path ? file_open(path, &why) : NULL;
    if (f) add(&g->file, &g->n_files, path, (size_t)n), fclose(f);
}

static void scan_text(struct geo *g, const char *path, const char *s)
{
    while (*s) {
        size_t n = word(s);
        const char *next = after_blanks(s + n);
        if (*s == '"') {
            for (s++; *s && *s != '"'; s++) {}
            if (*s) s++;
        } else if (n == 14 && !strncmp(s, "DefineConstant", n) && *next == '[') s = scan_constants(g, next + 1);
        else if ((n == 7 && !strncmp(s, "Include", n)) || (n == 5 && !strncmp(s, "Merge", n)))
            scan_inclusion(g, path, next), s += n;
        else s += n ? n : 1;
    }
}

bool geo_scan(struct geo *g, const char *path, struct error *e)
{
    *g = (struct geo){0};
    add(&g->file, &g->n_files, path, strlen(path));
    const char *why;
    FILE *first = file_open(path, &why);
    if (!first) return refuse(e, EXIT_INPUT, "%s: cannot be read: %s", path, why);
    fclose(first);
    for (int i = 0; i < g->n_files; i++) {                       /* the list grows meanwhile */
        size_t bytes;
        char *text = mesh_format_of(g->file[i]) == FORMAT_GMSH ? NULL : file_text(g->file[i], SIZE_MAX, &bytes, &why);
        if (!text) continue;
        blank_comments(text);
        scan_text(g, g->file[i], text);
        free(text);
    }
    return true;
}

void geo_free(struct geo *g)
{
    for (int i = 0; i < g->n_names; i++) free(g->name[i]);
    for (int i = 0; i < g->n_files; i++) free(g->file[i]);
    free(g->name), free(g->file);
    *g = (struct geo){0};
}
