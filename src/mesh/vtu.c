/* Reads VTK's XML format of an unstructured grid, .vtu: numbers as text, in base64 or as raw bytes, compressed by zlib
 * or not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/memory.h"
#include "base/text.h"
#include "mesh/vtk_data.h"

enum place { ELSEWHERE, POINTS, CELLS, CELL_DATA };
struct reader {
    struct foreign *f;
    struct text t;
    struct vtk_data d;
    enum place section;
    bool big, wide, packed, raw;        /* byte order; 64-bit headers; zlib; appended data is not base64 */
    int pieces;
    const char *appended;       /* after its _, or NULL */
};
struct tag { char name[NAME_LENGTH]; const char *at, *end; };   /* from after the name to its > */

/* ---------------------------------------------------------------- tags */
static bool attribute(const struct tag *tag, const char *name, char *to, size_t size)
{
    size_t n = strlen(name);
    to[0] = 0;
    for (const char *p = tag->at; p + n + 2 < tag->end; p++) {
        if (strncmp(p, name, n) || !strchr(" \t\r\n", p[-1]) || p[n] != '=' || !strchr("\"'", p[n + 1])) continue;
        const char *from = p + n + 2, *end = memchr(from, p[n + 1], (size_t)(tag->end - from));
        if (!end || (size_t)(end - from) >= size) return false;
        snprintf(to, size, "%.*s", (int)(end - from), from);
        return true;
    }
    return false;
}

static int64_t count(const struct tag *tag, const char *name)
{
    char text[32];
    char *end;
    if (!attribute(tag, name, text, sizeof text)) return -1;
    long long n = strtoll(text, &end, 10);
    return *end || end == text || n < 0 || n > INT32_MAX ? -1 : n;
}

/* The next tag; t->at: after it. */
static bool next_tag(struct text *t, struct tag *tag)
{
    for (;;) {
        const char *open = memchr(t->at, '<', (size_t)(t->end - t->at));
        if (!open) return t->at = t->end, false;
        bool comment = !strncmp(open, "<!--", 4);
        const char *close = comment ? strstr(open, "-->") : memchr(open, '>', (size_t)(t->end - open));
        t->at = close ? close + (comment ? 3 : 1) : t->end;
        if (!close) return false;
        if (comment) continue;
        size_t n = strcspn(open + 1, " \t\r\n/>");
        if (open[1] == '/') n = 1 + strcspn(open + 2, " \t\r\n>");
        snprintf(tag->name, sizeof tag->name, "%.*s", (int)(n < NAME_LENGTH ? n : NAME_LENGTH - 1), open + 1);
        tag->at = open + 1 + n, tag->end = close;
        return true;
    }
}

/* ---------------------------------------------------------------- bytes, in base64 or not */
struct bytes { const char *at, *end; bool raw; unsigned char left[3]; int n_left; };

static int digit(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : c >= '0' && c <= '9' ? c - '0' + 52
         : c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Four characters become three bytes, fewer if padded with =; another part may follow. */
static bool decode(struct bytes *b)
{
    int n = 0, pads = 0;
    uint32_t bits = 0;
    while (n < 4) {
        while (b->at < b->end && strchr(" \t\r\n", *b->at)) b->at++;
        if (b->at >= b->end || (*b->at != '=' && digit(*b->at) < 0)) return false;
        pads += *b->at == '=';
        bits = bits << 6 | (uint32_t)(*b->at == '=' ? 0 : digit(*b->at));
        b->at++, n++;
    }
    b->n_left = pads > 2 ? 0 : 3 - pads;
    for (int i = 0; i < b->n_left; i++) b->left[i] = (unsigned char)(bits >> (16 - 8 * i));
    return b->n_left > 0;
}

static bool take(struct bytes *b, char *to, int64_t n)
{
    if (b->raw) {
        if (n > b->end - b->at) return false;
        memcpy(to, b->at, (size_t)n);
        b->at += n;
        return true;
    }
    while (n > 0) {
        if (!b->n_left && !decode(b)) return false;
        int part = n < b->n_left ? (int)n : b->n_left;
        memcpy(to, b->left, (size_t)part);
        memmove(b->left, b->left + part, (size_t)(b->n_left - part));
        b->n_left -= part, to += part, n -= part;
    }
    return true;
}

static bool take_head(const struct reader *r, struct bytes *b, int64_t *value)
{
    char part[8];
    double number;
    if (!take(b, part, r->wide ? 8 : 4)) return false;
    vtk_numbers(part, r->wide ? "UInt64" : "UInt32", r->big, 1, &number);
    *value = number < 1e15 ? (int64_t)number : -1;
    return *value >= 0;
}

/* Decodes all bytes of an array into *n numbers; NULL: damaged.  The size is bounded by zlib's compression limit. */
static char *take_array(const struct reader *r, struct bytes *b, int64_t *n)
{
    int64_t most = r->t.end - r->t.begin, blocks, size, last, *packed;
    char *to = NULL, *from = NULL;
    if (!r->packed) {
        if (!take_head(r, b, n) || *n > most) return NULL;
        NEW(to, *n + 1);
        return take(b, to, *n) ? to : (free(to), NULL);
    }
    if (!take_head(r, b, &blocks) || !take_head(r, b, &size) || !take_head(r, b, &last) || blocks > most ||
        last > size ||
        size > 1100 * most || blocks * (double)size > 1100.0 * (double)most) return NULL;
    bool good = true;
    NEW(packed, blocks + 1);
    *n = !blocks ? 0 : last ? (blocks - 1) * size + last : blocks * size;
    for (int64_t i = 0; good && i < blocks; i++) good = take_head(r, b, &packed[i]) && packed[i] <= most;
    b->n_left = 0;                                              /* base64 starts again at the blocks */
    NEW(to, *n + 1);
    for (int64_t i = 0, at = 0; good && i < blocks; i++) {
        uLongf room = (uLongf)(i == blocks - 1 && last ? last : size), wanted = room;
        RESIZE(from, packed[i] + 1);
        good = take(b, from, packed[i]) &&
               uncompress((Bytef *)to + at, &room, (const Bytef *)from, (uLong)packed[i]) == Z_OK && room == wanted;
        at += (int64_t)wanted;
    }
    free(packed), free(from);
    return good ? to : (free(to), NULL);
}

/* ---------------------------------------------------------------- arrays */
/* The numbers of a DataArray, *n of them. */
static double *read_numbers(struct reader *r, const struct tag *tag, const char *type, int64_t *n)
{
    char format[16], place[32];
    int size = vtk_type_size(type, NULL);
    double *to = NULL;
    if (!size) return text_refuse(&r->t, r->f->e, "expected a DataArray of numbers, found the type \"%s\"", type), NULL;
    if (!attribute(tag, "format", format, sizeof format)) strcpy(format, "ascii");
    const char *end = memchr(r->t.at, '<', (size_t)(r->t.end - r->t.at));
    struct bytes b = {.at = r->t.at, .end = end ? end : r->t.end};
    if (!strcmp(format, "ascii")) {
        int64_t room = 0;
        for (*n = 0;; ++*n) {
            while (r->t.at < b.end && strchr(" \t\r\n", *r->t.at)) r->t.at++;
            if (r->t.at >= b.end) break;
            if (*n == room) { room = 2 * room + 256; RESIZE(to, room); }
            if (text_real(&r->t, &to[*n])) continue;
            text_refuse(&r->t, r->f->e, "expected a finite number");
            return free(to), NULL;
        }
        if (!to) NEW(to, 1);
        return to;
    }
    if (!strcmp(format, "appended")) {
        bool known = r->appended && attribute(tag, "offset", place, sizeof place);
        int64_t offset = known ? atoll(place) : -1;
        if (offset < 0 || offset > r->t.end - r->appended)
            return text_refuse(&r->t, r->f->e, "expected an offset into AppendedData"), NULL;
        b = (struct bytes){.at = r->appended + offset, .end = r->t.end, .raw = r->raw};
    }
    int64_t bytes;
    char *data = take_array(r, &b, &bytes);
    if (!data)
        return text_refuse(&r->t, r->f->e, "the bytes of this array are damaged, or too few"), NULL;
    *n = bytes / size;
    NEW(to, *n + 1);
    vtk_numbers(data, type, r->big, *n, to);
    return free(data), to;
}

static bool put_array(struct reader *r, const char *name, const char *type, int64_t components, int64_t n,
                      double *value)
{
    struct vtk_data *d = &r->d;
    double **place = r->section == POINTS ? &d->point : r->section != CELLS ? NULL : !strcmp(name, "connectivity")
        ? &d->corner : !strcmp(name, "offsets") ? &d->end : !strcmp(name, "types") ? &d->type : NULL;
    int64_t wanted = place == &d->point ? 3 * d->n_points : place == &d->corner ? n : d->n_cells;
    bool kept = place || (r->section == CELL_DATA && components == 1);
    if (kept && n != wanted) {
        free(value);
        return text_refuse(&r->t, r->f->e, "the array \"%s\" has %lld numbers; expected %lld", name, (long long)n,
                           (long long)wanted);
    }
    if (place) {
        free(*place), *place = value;
        if (place == &d->corner) d->n_corners = n;
    } else if (kept) vtk_add_array(d, name, type, value);
    else free(value);
    return true;
}

static bool read_array(struct reader *r, const struct tag *tag)
{
    char name[NAME_LENGTH], type[NAME_LENGTH];
    int64_t n, components = count(tag, "NumberOfComponents");
    if (!attribute(tag, "Name", name, sizeof name)) name[0] = 0;
    if (!attribute(tag, "type", type, sizeof type)) type[0] = 0;
    bool used = r->pieces && (r->section == POINTS || (r->section == CELLS && strncmp(name, "face", 4)) ||
                              (r->section == CELL_DATA && components <= 1 && vtk_type_size(type, NULL)));
    if (!used || tag->end[-1] == '/') {
        char format[16];
        bool appended = attribute(tag, "format", format, sizeof format) && !strcmp(format, "appended");
        if (!used || !appended) return true;
    }
    double *value = read_numbers(r, tag, type, &n);
    return value && put_array(r, name, type, components < 0 ? 1 : components, n, value);
}

/* ---------------------------------------------------------------- the file */
static bool read_head(struct reader *r, const struct tag *tag)
{
    char text[64];
    attribute(tag, "type", text, sizeof text);
    if (strcmp(text, "UnstructuredGrid"))
        return text_refuse(&r->t, r->f->e, "expected <VTKFile type=\"UnstructuredGrid\" ..>");
    r->big = attribute(tag, "byte_order", text, sizeof text) && !strcmp(text, "BigEndian");
    r->wide = attribute(tag, "header_type", text, sizeof text) && !strcmp(text, "UInt64");
    r->packed = attribute(tag, "compressor", text, sizeof text) && *text;
    if (r->packed && strcmp(text, "vtkZLibDataCompressor"))
        return text_refuse(&r->t, r->f->e, "the compressor %s is not supported; expected vtkZLibDataCompressor or none",
                           text);
    const char *data = strstr(r->t.begin, "<AppendedData"), *mark = data ? strchr(data, '_') : NULL;
    if (mark) {
        const struct tag appended = {.at = data + strlen("<AppendedData"), .end = strchr(data, '>')};
        r->raw = appended.end && attribute(&appended, "encoding", text, sizeof text) && !strcmp(text, "raw");
        r->appended = mark + 1;
    }
    return true;
}

static bool read_tag(struct reader *r, const struct tag *tag)
{
    static const struct { const char *name; enum place section; } places[] = {
        {"Points", POINTS}, {"Cells", CELLS}, {"CellData", CELL_DATA}, {"PointData", ELSEWHERE}, {"/Points", ELSEWHERE},
        {"/Cells", ELSEWHERE}, {"/CellData", ELSEWHERE}, {"FieldData", ELSEWHERE}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (!strcmp(tag->name, places[i].name)) r->section = places[i].section;
    if (!strcmp(tag->name, "VTKFile")) return read_head(r, tag);
    if (!strcmp(tag->name, "Piece")) {
        r->d.n_points = count(tag, "NumberOfPoints"), r->d.n_cells = count(tag, "NumberOfCells");
        if (r->pieces++ || r->d.n_points < 0 || r->d.n_cells < 0)
            return text_refuse(&r->t, r->f->e, "expected one <Piece NumberOfPoints=.. NumberOfCells=..>; several are "
                               "merged by ParaView's Merge Blocks");
    }
    return strcmp(tag->name, "DataArray") || read_array(r, tag);
}

bool vtu_read(struct foreign *f, const char *path)
{
    struct reader r = {.f = f};
    struct tag tag;
    if (!text_load(&r.t, path, f->e)) return false;
    bool good = true;
    while (good && next_tag(&r.t, &tag) && strcmp(tag.name, "AppendedData")) good = read_tag(&r, &tag);
    if (good && !r.pieces)
        good = refuse(f->e, EXIT_INPUT,
                      "%s: has no <VTKFile> with a <Piece>; expected VTK's XML format of an "
                      "unstructured grid", path);
    good = good && vtk_take(f, &r.d);
    vtk_data_free(&r.d);
    free(r.t.begin);
    return good;
}
