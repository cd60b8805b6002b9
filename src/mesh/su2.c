/* Reads SU2's mesh format, .su2: lines "KEY= value", some followed by lists of numbers; % begins a comment. */
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "mesh/foreign.h"

struct su2 { struct foreign *f; struct text *t; int64_t dim; bool points, elements; };

static bool read_count(const struct su2 *s, const char *what, int64_t most, int64_t *n)
{
    if (text_whole(s->t, n) && *n <= most) return true;
    return text_refuse(s->t, s->f->e, "expected the number of %s", what);
}

/* n lines of type, vertices and, if the program wrote it, the element's number. */
static bool read_elements(const struct su2 *s, int64_t n, int name)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t type, vertex[32];
        text_next_line(s->t), text_skip_lines(s->t);
        int nodes = text_whole(s->t, &type) && type < 256 ? foreign_nodes((int)type) : -1;
        if (nodes < 1)
            return text_refuse(s->t, s->f->e, "expected an element: VTK's number of its type (3, 5, 9, 10, 12, 13 or "
                               "14), then its vertices");
        for (int k = 0; k < nodes; k++)
            if (!text_whole(s->t, &vertex[k]))
                return text_refuse(s->t, s->f->e, "expected %d vertices for an element of type %d", nodes, (int)type);
        foreign_element(s->f, (int)type, vertex, nodes, name);
    }
    return true;
}

static bool read_points(struct su2 *s, int64_t n)
{
    double *x = foreign_vertices(s->f, n);
    if (!x) return false;
    if (!s->dim) return text_refuse(s->t, s->f->e, "expected NDIME= before NPOIN=");
    for (int64_t i = 0; i < n; i++) {
        text_next_line(s->t), text_skip_lines(s->t);
        for (int k = 0; k < s->dim; k++)
            if (!text_real(s->t, &x[3 * i + k]))
                return text_refuse(s->t, s->f->e, "expected %d finite coordinates", (int)s->dim);
    }
    s->points = true;
    return true;
}

static bool read_marker(const struct su2 *s)
{
    char name[256], key[32];
    int64_t n;
    int index = text_word(s->t, name, sizeof name) ? foreign_name(s->f, name) : -2;
    if (index < 0) return index == -1 ? false : text_refuse(s->t, s->f->e, "expected the name of a boundary");
    text_next_line(s->t), text_skip_lines(s->t);
    bool here = text_word(s->t, key, sizeof key) && !strcmp(key, "MARKER_ELEMS");
    text_skip_blanks(s->t);
    if (!here || *s->t->at != '=') return text_refuse(s->t, s->f->e, "expected MARKER_ELEMS= after MARKER_TAG=");
    s->t->at++;
    return read_count(s, "faces of the boundary", s->t->end - s->t->at, &n) && read_elements(s, n, index);
}

/* Reads one line, and the list that belongs to it. */
static bool read_key(struct su2 *s)
{
    char key[64];
    int64_t n, most = s->t->end - s->t->at;             /* lists are no longer than the file */
    size_t length = text_word(s->t, key, sizeof key);
    text_skip_blanks(s->t);
    if (!length || *s->t->at != '=') return true;       /* a list after an unknown key */
    s->t->at++;
    if (!strcmp(key, "NDIME")) {
        if (!text_whole(s->t, &s->dim) || s->dim < 2 || s->dim > 3)
            return text_refuse(s->t, s->f->e, "expected NDIME= 2 or 3");
    } else if (!strcmp(key, "NZONE")) {
        if (!text_whole(s->t, &n) || n != 1) return text_refuse(s->t, s->f->e, "expected one zone, NZONE= 1");
    } else if (!strcmp(key, "NELEM")) {
        s->elements = true;
        return read_count(s, "cells", most, &n) && read_elements(s, n, NAMELESS);
    } else if (!strcmp(key, "NPOIN")) return read_count(s, "vertices", most, &n) && read_points(s, n);
    else if (!strcmp(key, "MARKER_TAG")) return read_marker(s);
    return true;
}

bool su2_read(struct foreign *f, const char *path)
{
    struct text t;
    struct su2 s = {.f = f, .t = &t};
    if (!text_load(&t, path, f->e)) return false;
    bool good = true;
    for (text_skip_lines(&t); good && t.at < t.end; text_next_line(&t), text_skip_lines(&t)) good = read_key(&s);
    if (good && (!s.dim || !s.points || !s.elements))
        good = refuse(f->e, EXIT_INPUT, "%s: has no %s=; expected an SU2 mesh with NDIME=, NELEM=, NPOIN= "
                      "and MARKER_TAG= for every boundary", path, !s.dim ? "NDIME" : s.points ? "NELEM" : "NPOIN");
    free(t.begin);
    return good;
}
