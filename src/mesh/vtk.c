/* Reads VTK's legacy format, .vtk, of an unstructured grid: text or big-endian numbers, versions 1 to 5. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/memory.h"
#include "base/text.h"
#include "mesh/vtk_data.h"

struct reader { struct foreign *f; struct text t; struct vtk_data d; bool binary, of_cells; int version; };

/* Skips to an empty line. */
static void skip_metadata(struct text *t) { while (text_next_line(t) && !text_end_line(t)) {} }

static void skip_blank(struct text *t) { while (t->at < t->end && strchr(" \t\r\n", *t->at)) t->at++; }

/* n numbers after the line; NULL: rejected. */
static double *read_numbers(struct reader *r, const char *type, int64_t n)
{
    int size = vtk_type_size(type, NULL);
    double *to;
    text_end_line(&r->t);
    if (!size) return text_refuse(&r->t, r->f->e, "expected numbers, but they are of the type \"%s\"", type), NULL;
    if (n < 0 || n > (r->t.end - r->t.at) / (r->binary ? size : 1))
        return text_refuse(&r->t, r->f->e, "expected %lld numbers, but the file is too short", (long long)n),
            NULL;
    NEW(to, n + 1);
    if (r->binary) {
        vtk_numbers(r->t.at, type, true, n, to);
        r->t.at += n * size;
        return to;
    }
    for (int64_t i = 0; i < n; i++) {
        skip_blank(&r->t);
        if (text_real(&r->t, &to[i])) continue;
        text_refuse(&r->t, r->f->e, "expected %lld numbers, found %lld", (long long)n, (long long)i);
        return free(to), NULL;
    }
    return to;
}

static bool keep(struct reader *r, double **to, const char *type, int64_t n)
{
    free(*to);
    return (*to = read_numbers(r, type, n)) != NULL;
}

/* Skips n strings: one per line or, in binary, each preceded by its length in 1, 2, 4 or 8 bytes, as its first two bits
 * indicate. */
static bool skip_texts(struct reader *r, int64_t n)
{
    struct text *t = &r->t;
    text_end_line(t);
    for (int64_t i = 0; i < n; i++) {
        if (!r->binary && text_next_line(t)) continue;
        int64_t left = t->end - t->at, bytes = left > 0 ? 8 >> ((unsigned char)*t->at >> 6) : 1;
        uint64_t length = 0;
        for (int64_t k = 0; k < bytes && k < left; k++)
            length = length << 8 | (unsigned char)(k ? t->at[k] : *t->at & 63);
        if (!r->binary || bytes > left || length > (uint64_t)(left - bytes))
            return text_refuse(t, r->f->e, "expected %lld strings, but the file is too short", (long long)n);
        t->at += bytes + (int64_t)length;
    }
    return true;
}

/* An array of `components` numbers per cell or point; cell arrays with one component are kept. */
static bool read_array(struct reader *r, const char *name, const char *type, int64_t components, int64_t rows)
{
    if (components < 0 || components > 1000 || rows < 0 || rows > INT32_MAX)
        return text_refuse(&r->t, r->f->e, "expected an array of numbers");
    if (!strcmp(type, "string")) return skip_texts(r, components * rows);
    double *value = read_numbers(r, type, components * rows);
    if (!value) return false;
    if (r->of_cells && components == 1 && rows == r->d.n_cells) vtk_add_array(&r->d, name, type, value);
    else free(value);
    return true;
}

/* Version 5: separate offsets and corners.  Earlier: each cell's number of corners precedes them. */
static bool read_cells(struct reader *r, int64_t n, int64_t size)
{
    char word[NAME_LENGTH], type[NAME_LENGTH];
    double *list = NULL;
    if (r->version >= 5) {
        bool good = n >= 1;
        for (int k = 0; good && k < 2; k++) {
            skip_blank(&r->t);
            good = text_word(&r->t, word, sizeof word) && !strcmp(word, k ? "CONNECTIVITY" : "OFFSETS") &&
                   text_word(&r->t, type, sizeof type);
            if (!good) return text_refuse(&r->t, r->f->e, "expected OFFSETS, then CONNECTIVITY, with their types");
            if (!keep(r, k ? &r->d.corner : &r->d.end, type, k ? size : n)) return false;
        }
        if (!good) return text_refuse(&r->t, r->f->e, "expected one offset or more");
        r->d.n_cells = n - 1, r->d.n_corners = size;
        memmove(r->d.end, r->d.end + 1, (size_t)(n - 1) * sizeof *r->d.end);
        return true;
    }
    if (!keep(r, &list, "int", size)) return false;
    if (n > size) return free(list), text_refuse(&r->t, r->f->e, "%lld cells have more than %lld numbers", (long long)n,
                                                 (long long)size);
    free(r->d.end), free(r->d.corner);
    NEW(r->d.end, n + 1), NEW(r->d.corner, size + 1);
    r->d.n_cells = n, r->d.n_corners = 0;
    bool good = true;
    for (int64_t c = 0, at = 0; good && c < n; c++) {
        double w = at < size ? list[at++] : -1;
        good = w >= 0 && w <= (double)(size - at);
        for (int64_t k = 0; good && k < (int64_t)w; k++) r->d.corner[r->d.n_corners++] = list[at++];
        r->d.end[c] = (double)r->d.n_corners;
    }
    free(list);
    return good || text_refuse(&r->t, r->f->e, "expected each cell to begin with its number of corners");
}

static bool read_field(struct reader *r)
{
    char name[NAME_LENGTH], type[NAME_LENGTH];
    int64_t n, components, rows;
    bool good = text_word(&r->t, name, sizeof name) && text_whole(&r->t, &n);
    for (int64_t i = 0; good && i < n; i++) {
        skip_blank(&r->t);
        good = text_word(&r->t, name, sizeof name);
        if (good && !strcmp(name, "METADATA")) skip_metadata(&r->t), i--;
        if (!good || !strcmp(name, "METADATA")) continue;
        good = text_whole(&r->t, &components) && text_whole(&r->t, &rows) &&
               text_word(&r->t, type, sizeof type);
        if (good && !read_array(r, name, type, components, rows)) return false;
    }
    return good || text_refuse(&r->t, r->f->e,
                               "expected FIELD, its name, how many arrays, and of each name, components, "
                               "rows and type");
}

static bool read_attribute(struct reader *r, const char *word, int64_t rows)
{
    char name[NAME_LENGTH] = "", type[NAME_LENGTH] = "";
    int64_t components = !strcmp(word, "VECTORS") || !strcmp(word, "NORMALS") ? 3 : !strcmp(word, "TENSORS") ? 9 : 1;
    bool good = text_word(&r->t, name, sizeof name) > 0;
    if (!strcmp(word, "TEXTURE_COORDINATES")) good = good && text_whole(&r->t, &components);
    good = good && text_word(&r->t, type, sizeof type);
    if (!strcmp(word, "SCALARS")) {
        text_whole(&r->t, &components);
        text_end_line(&r->t);
        const char *line = r->t.at;
        char table[NAME_LENGTH];
        if (text_word(&r->t, table, sizeof table) && !strcmp(table, "LOOKUP_TABLE")) text_next_line(&r->t);
        else r->t.at = line;
    }
    return good ? read_array(r, name, type, components, rows)
                : text_refuse(&r->t, r->f->e, "expected %s with name and type", word);
}

/* Reads one keyword and its data. */
static bool read_part(struct reader *r, int64_t *rows)
{
    char word[NAME_LENGTH], type[NAME_LENGTH];
    int64_t n, size;
    if (!text_word(&r->t, word, sizeof word)) return text_refuse(&r->t, r->f->e, "expected a keyword of VTK's format");
    if (!strcmp(word, "DATASET")) {
        bool good = text_word(&r->t, type, sizeof type) && !strcmp(type, "UNSTRUCTURED_GRID");
        return good || text_refuse(&r->t, r->f->e, "expected DATASET UNSTRUCTURED_GRID");
    }
    if (!strcmp(word, "POINTS")) {
        if (!text_whole(&r->t, &n) || n > INT32_MAX || !text_word(&r->t, type, sizeof type))
            return text_refuse(&r->t, r->f->e, "expected POINTS, how many, and a type");
        return r->d.n_points = n, keep(r, &r->d.point, type, 3 * n);
    }
    if (!strcmp(word, "CELLS")) {
        if (r->d.end) return text_refuse(&r->t, r->f->e, "expected CELLS once");
        if (!text_whole(&r->t, &n) || !text_whole(&r->t, &size) || n > INT32_MAX || size > 100 * (int64_t)INT32_MAX)
            return text_refuse(&r->t, r->f->e, "expected CELLS and two numbers");
        return read_cells(r, n, size);
    }
    if (!strcmp(word, "CELL_TYPES")) {
        if (!text_whole(&r->t, &n) || n != r->d.n_cells)
            return text_refuse(&r->t, r->f->e, "expected CELL_TYPES %lld, as there are cells", (long long)r->d.n_cells);
        return keep(r, &r->d.type, "int", n);
    }
    if (!strcmp(word, "CELL_DATA") || !strcmp(word, "POINT_DATA")) {
        r->of_cells = *word == 'C';
        return (text_whole(&r->t, rows) && *rows < INT32_MAX) ||
               text_refuse(&r->t, r->f->e, "expected %s and how many", word);
    }
    if (!strcmp(word, "FIELD")) return read_field(r);
    if (!strcmp(word, "METADATA")) return skip_metadata(&r->t), true;
    static const char *const known[] = {"SCALARS", "VECTORS", "NORMALS", "TENSORS", "TEXTURE_COORDINATES", "GLOBAL_IDS",
                                        "PEDIGREE_IDS"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(word, known[i])) return read_attribute(r, word, *rows);
    return text_refuse(&r->t, r->f->e, "expected POINTS, CELLS, CELL_TYPES, CELL_DATA, POINT_DATA, SCALARS or FIELD");
}

static bool read_head(struct reader *r)
{
    static const char mark[] = "# vtk DataFile Version ";
    char word[NAME_LENGTH];
    if (strncmp(r->t.at, mark, strlen(mark)))
        return text_refuse(&r->t, r->f->e, "expected a VTK file, which begins with \"%s\"", mark);
    r->version = atoi(r->t.at + strlen(mark));
    text_next_line(&r->t), text_next_line(&r->t);
    r->binary = text_word(&r->t, word, sizeof word) && !strcmp(word, "BINARY");
    return r->binary || !strcmp(word, "ASCII") || text_refuse(&r->t, r->f->e, "expected ASCII or BINARY");
}

bool vtk_read(struct foreign *f, const char *path)
{
    struct reader r = {.f = f};
    int64_t rows = 0;
    if (!text_load(&r.t, path, f->e)) return false;
    bool good = read_head(&r);
    for (skip_blank(&r.t); good && r.t.at < r.t.end; skip_blank(&r.t)) good = read_part(&r, &rows);
    good = good && vtk_take(f, &r.d);
    vtk_data_free(&r.d);
    free(r.t.begin);
    return good;
}
