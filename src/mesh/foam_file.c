/* Reads the files of an OpenFOAM polyMesh folder (foam_file.h). */
#include "mesh/foam_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"

struct file { struct text t; char path[PATH_LENGTH + 32]; bool binary; int label, scalar; struct error *e; };

static void skip(struct text *t)
{
    for (;;) {
        t->at += strspn(t->at, " \t\r\n");
        const char *end = t->at[0] != '/' ? NULL : t->at[1] == '/' ? strchr(t->at, '\n') : strstr(t->at, "*/");
        if (t->at[0] == '/' && t->at[1] == '/') t->at = end ? end + 1 : t->end;
        else if (t->at[0] == '/' && t->at[1] == '*') t->at = end ? end + 2 : t->end;
        else return;
    }
}

static bool take(struct text *t, char c) { return skip(t), *t->at == c && t->at++; }
static size_t word(struct text *t, char *to) { return skip(t), text_word(t, to, NAME_LENGTH); }

/* The value of an entry, up to its semicolon; it may contain brackets. */
static bool read_value(struct text *t, char *to, size_t size)
{
    skip(t);
    const char *end = t->at;
    for (int depth = 0; *end && (*end != ';' || depth > 0); end++) {
        if (*end == '"') for (end++; *end && *end != '"'; end++) {}
        if (!*end) break;
        depth += (*end == '(' || *end == '{') - (*end == ')' || *end == '}');
    }
    snprintf(to, size, "%.*s", (int)(end - t->at < 200 ? end - t->at : 200), t->at);
    for (size_t n = strlen(to); n && strchr(" \t\r\n", to[n - 1]);) to[--n] = 0;
    bool good = *end == ';';
    if (good) t->at = end + 1;
    return good;
}

static bool read_head(struct file *f)
{
    char key[NAME_LENGTH], value[256];
    f->label = 4, f->scalar = 8;
    if (!word(&f->t, key) || strcmp(key, "FoamFile") || !take(&f->t, '{'))
        return text_refuse(&f->t, f->e, "expected a file of OpenFOAM, which begins with FoamFile { ... }");
    while (!take(&f->t, '}')) {
        if (!word(&f->t, key) || !read_value(&f->t, value, sizeof value))
            return text_refuse(&f->t, f->e, "expected \"key value;\" in FoamFile { ... }");
        if (!strcmp(key, "format")) f->binary = !strcmp(value, "binary");
        const char *label = strstr(value, "label="), *scalar = strstr(value, "scalar=");
        if (strcmp(key, "arch")) continue;
        if (label) f->label = atoi(label + 6) / 8;
        if (scalar) f->scalar = atoi(scalar + 7) / 8;
        if (strstr(value, "MSB") || (f->label != 4 && f->label != 8) || (f->scalar != 4 && f->scalar != 8))
            return text_refuse(&f->t, f->e, "expected arch \"LSB;label=32;scalar=64\", with 32 or 64 of either");
    }
    return true;
}

static bool open_file(struct file *f, const char *folder, const char *name, struct error *e)
{
    f->e = e;
    snprintf(f->path, sizeof f->path, "%s/%s", folder, name);
    if (access(f->path, F_OK)) {
        char packed[sizeof f->path + 4];
        snprintf(packed, sizeof packed, "%s.gz", f->path);
        if (!access(packed, F_OK) && strlen(packed) < sizeof f->path) strcpy(f->path, packed);
    }
    return text_load(&f->t, f->path, e) && (read_head(f) || (free(f->t.begin), false));
}

/* The length of a list, which must not exceed the rest of the file. */
static bool read_length(struct file *f, int64_t *n)
{
    skip(&f->t);
    if (text_whole(&f->t, n) && *n <= f->t.end - f->t.at) return true;
    return text_refuse(&f->t, f->e, "expected the length of a list");
}

/* Binary: n numbers of `size` bytes after the bracket; NULL: there are fewer. */
static const char *take_bytes(struct file *f, int64_t n, int size)
{
    if (n > (f->t.end - f->t.at) / size) return text_refuse(&f->t, f->e, "expected %lld numbers of %d bytes after it",
                                                            (long long)n, size), NULL;
    const char *from = f->t.at;
    f->t.at += n * size;
    return from;
}

static bool read_labels(struct file *f, int64_t **v, int64_t *n)
{
    if (!read_length(f, n)) return false;
    NEW(*v, *n + 1);
    if (!*n) return true;
    if (take(&f->t, '{')) {                                     /* all equal */
        bool good = text_whole(&f->t, *v) && take(&f->t, '}');
        for (int64_t i = 1; i < *n; i++) (*v)[i] = (*v)[0];
        return good || text_refuse(&f->t, f->e, "expected one number and }");
    }
    if (!take(&f->t, '(')) return text_refuse(&f->t, f->e, "expected ( after the length of a list");
    const char *from = f->binary ? take_bytes(f, *n, f->label) : NULL;
    if (f->binary && !from) return false;
    for (int64_t i = 0; i < *n; i++) {
        int32_t narrow;
        if (f->binary && f->label == 8) memcpy(*v + i, from + 8 * i, 8);
        else if (f->binary) memcpy(&narrow, from + 4 * i, 4), (*v)[i] = narrow;
        else if (skip(&f->t), !text_whole(&f->t, *v + i))
            return text_refuse(&f->t, f->e, "expected %lld numbers, found %lld", (long long)*n, (long long)i);
    }
    return take(&f->t, ')') || text_refuse(&f->t, f->e, "expected ) after %lld numbers", (long long)*n);
}

static bool read_points(struct file *f, struct foam *m)
{
    if (!read_length(f, &m->n_points)) return false;
    NEW(m->point, 3 * m->n_points + 1);
    if (!take(&f->t, '(')) return text_refuse(&f->t, f->e, "expected ( after the number of points");
    const char *from = f->binary ? take_bytes(f, 3 * m->n_points, f->scalar) : NULL;
    if (f->binary && !from) return false;
    for (int64_t i = 0; i < 3 * m->n_points; i++) {
        float narrow;
        if (f->binary && f->scalar == 8) memcpy(m->point + i, from + 8 * i, 8);
        else if (f->binary) memcpy(&narrow, from + 4 * i, 4), m->point[i] = narrow;
        else if ((i % 3 == 0 && !take(&f->t, '(')) || (skip(&f->t), !text_real(&f->t, m->point + i)) ||
                 (i % 3 == 2 && !take(&f->t, ')')))
            return text_refuse(&f->t, f->e, "expected %lld points (x y z), found %lld", (long long)m->n_points,
                               (long long)i / 3);
    }
    return take(&f->t, ')') || text_refuse(&f->t, f->e, "expected ) after %lld points", (long long)m->n_points);
}

/* Text: N ( 4(0 1 2 3) ... ). */
static bool read_face_list(struct file *f, struct foam *m)
{
    int64_t room = 0, end = 0, n;
    if (!read_length(f, &m->n_faces)) return false;
    NEW(m->face_start, m->n_faces + 1);
    if (!take(&f->t, '(')) return text_refuse(&f->t, f->e, "expected ( after the number of faces");
    for (int64_t i = 0; i < m->n_faces; i++) {
        if (!read_length(f, &n) || !take(&f->t, '('))
            return text_refuse(&f->t, f->e, "expected a face like 4(0 1 2 3)");
        for (; end + n > room; room = 2 * room + 1024) RESIZE(m->face, 2 * room + 1024);
        for (int64_t k = 0; k < n; k++)
            if (skip(&f->t), !text_whole(&f->t, &m->face[end++]))
                return text_refuse(&f->t, f->e, "expected a face of %lld vertices", (long long)n);
        if (!take(&f->t, ')')) return text_refuse(&f->t, f->e, "expected ) after %lld vertices", (long long)n);
        m->face_start[i + 1] = end;
    }
    return true;
}

/* Two lists: the first contains the start of each face in the second. */
static bool read_compact_faces(struct file *f, struct foam *m)
{
    int64_t n_numbers;
    if (!read_labels(f, &m->face_start, &m->n_faces) || !read_labels(f, &m->face, &n_numbers)) return false;
    bool good = --m->n_faces >= 0 && m->face_start[0] == 0 && m->face_start[m->n_faces] == n_numbers;
    for (int64_t i = 0; good && i < m->n_faces; i++) good = m->face_start[i] <= m->face_start[i + 1];
    if (!good && m->n_faces < 0) m->n_faces = 0;
    return good || refuse(f->e, EXIT_INPUT, "%s: the faces do not cover the list of their vertices",
                          f->path);
}

static bool read_patches(struct file *f, struct foam *m)
{
    int64_t n;
    if (!read_length(f, &n) || !take(&f->t, '(')) return text_refuse(&f->t, f->e, "expected a list of patches");
    NEW(m->patch, n);
    for (; m->n_patches < n; m->n_patches++) {
        struct foam_patch *p = &m->patch[m->n_patches];
        char key[NAME_LENGTH], value[256];
        *p = (struct foam_patch){.first = -1, .n = -1};
        if (!word(&f->t, p->name) || !take(&f->t, '{'))
            return text_refuse(&f->t, f->e, "expected the name of a patch of at most %d letters and {",
                               NAME_LENGTH - 1);
        while (!take(&f->t, '}')) {
            if (!word(&f->t, key) || !read_value(&f->t, value, sizeof value))
                return text_refuse(&f->t, f->e, "expected \"key value;\" of the patch %s", p->name);
            if (!strcmp(key, "type") && strpbrk(value, " \t\r\n"))
                return text_refuse(&f->t, f->e, "expected \"type WORD;\" of the patch %s; is its ; missing?", p->name);
            if (!strcmp(key, "type")) snprintf(p->type, sizeof p->type, "%.60s", value);
            if (!strcmp(key, "neighbourPatch")) snprintf(p->neighbour, sizeof p->neighbour, "%.60s", value);
            if (!strcmp(key, "nFaces")) p->n = atoll(value);
            if (!strcmp(key, "startFace")) p->first = atoll(value);
        }
        if (p->first < m->n_internal || p->n < 0 || p->n > m->n_faces || p->first > m->n_faces - p->n)
            return refuse(f->e, EXIT_INPUT, "%s: the patch %s has startFace %lld and nFaces %lld; expected faces from "
                          "%lld to %lld", f->path, p->name, (long long)p->first, (long long)p->n,
                          (long long)m->n_internal, (long long)m->n_faces);
    }
    return true;
}

static bool in_range(const char *folder, const char *name, const int64_t *v, int64_t n, int64_t end, const char *what,
                     struct error *e)
{
    for (int64_t i = 0; i < n; i++)
        if (v[i] < 0 || v[i] >= end)
            return refuse(e, EXIT_INPUT, "%s/%s: names %s %lld, of %lld", folder, name, what, (long long)v[i],
                          (long long)end);
    return true;
}

bool foam_load(struct foam *m, const char *folder, struct error *e)
{
    static const char *const name[] = {"points", "faces", "owner", "neighbour", "boundary"};
    int64_t n = 0;
    bool good = true;
    *m = (struct foam){0};
    for (int i = 0; good && i < 5; i++) {
        struct file f = {.binary = false};
        if (!open_file(&f, folder, name[i], e)) return false;
        good = i == 0 ? read_points(&f, m)
             : i == 1 ? (f.binary ? read_compact_faces(&f, m) : read_face_list(&f, m))
             : i == 2 ? read_labels(&f, &m->owner, &n) : i == 3 ? read_labels(&f, &m->neighbour, &m->n_internal)
                      : read_patches(&f, m);
        free(f.t.begin);
        if (good && i == 2 && n != m->n_faces)
            good = refuse(e, EXIT_INPUT, "%s: has %lld numbers for %lld faces", f.path, (long long)n,
                          (long long)m->n_faces);
    }
    if (!good) return false;
    for (int64_t i = 0; i < m->n_faces; i++) if (m->owner[i] >= m->n_cells) m->n_cells = m->owner[i] + 1;
    for (int64_t i = 0; i < m->n_internal; i++) if (m->neighbour[i] >= m->n_cells) m->n_cells = m->neighbour[i] + 1;
    if (m->n_internal > m->n_faces || m->n_cells > 2 * m->n_faces || m->n_cells > INT32_MAX / 8)
        return refuse(e, EXIT_INPUT, "%s: has %lld faces, %lld of them between cells, and cells up to %lld", folder,
                      (long long)m->n_faces, (long long)m->n_internal, (long long)m->n_cells - 1);
    return in_range(folder, "faces", m->face, m->face_start[m->n_faces], m->n_points, "point", e) &&
           in_range(folder, "owner", m->owner, m->n_faces, m->n_cells, "cell", e) &&
           in_range(folder, "neighbour", m->neighbour, m->n_internal, m->n_cells, "cell", e);
}

void foam_free(struct foam *m)
{
    free(m->point), free(m->face_start), free(m->face), free(m->owner), free(m->neighbour), free(m->patch);
}
