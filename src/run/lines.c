/* Fields along straight lines: lines/NAME.csv, rewritten whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/memory.h"
#include "gpu/ranks.h"
#include "run/columns.h"
#include "run/monitor_kind.h"
#include "run/sample.h"

struct line {
    const struct line_setting *set;
    const struct watching *x;
    struct sample points;
    struct columns columns;     /* of the last read_line() */
};

/* Component k of the place of point i. */
static double place(const struct line_setting *set, int k, int i)
{
    return set->from[k] + (set->to[k] - set->from[k]) * i / (set->points - 1);
}

/* Are both ends in the mesh? */
static void check_mesh(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    for (const struct line_setting *set = c->lines.item; set < c->lines.item + c->lines.n; set++) {
        struct sample s;
        struct error one;
        double end[6];
        memcpy(end, set->from, sizeof set->from), memcpy(end + 3, set->to, sizeof set->to);
        if (error_keep(sample_create(&s, m, end, 2, case_place_text(set->place), "lines", set->name, &one), e, &one))
            sample_free(&s);
    }
}

static bool create(void *own, const void *setting, struct watch *row, const struct watching *x, struct error *e)
{
    struct line *l = own;
    const struct line_setting *set = setting;
    double *point;
    (void)row;
    l->set = set, l->x = x;
    NEW(point, 3 * (int64_t)set->points);
    for (int p = 0; p < set->points; p++)
        for (int k = 0; k < 3; k++) point[3 * p + k] = place(set, k, p);
    bool good = sample_create(&l->points, x->m, point, set->points, case_place_text(set->place), "lines", set->name, e);
    free(point);
    if (!good) return false;
    columns_add_samples(&l->columns, &x->f->fields);
    columns_allocate(&l->columns, set->points, x->averages, "lines", set->name);
    return true;
}

static void read_line(void *own, const struct flow *f, struct watch *row)
{
    struct line *l = own;
    (void)row;
    sample_read(&l->points, f, l->columns.value);
}

static bool write_line(void *own, int64_t step, double time, struct error *e)
{
    const struct line *l = own;
    const int dim = l->x->m->dim;
    char path[PATH_LENGTH + 2 * NAME_LENGTH], *text = NULL;
    size_t length = 0;
    (void)step, (void)time;
    if (ranks_own()) return true;
    snprintf(path, sizeof path, "%s/lines", l->x->directory);
    if (!folder_make(path, e)) return false;
    FILE *out = open_memstream(&text, &length);
    if (!out) die("no memory stream for a line");
    fprintf(out, dim == 2 ? "x,y" : "x,y,z");
    columns_head(&l->columns, out);
    fputc('\n', out);
    for (int p = 0; p < l->set->points; p++) {
        for (int k = 0; k < dim; k++) fprintf(out, "%s%.17g", k ? "," : "", place(l->set, k, p));
        columns_row(&l->columns, p, out);
        fputc('\n', out);
    }
    fclose(out);
    snprintf(path, sizeof path, "%s/lines/%s.csv", l->x->directory, l->set->name);
    bool good = file_replace(path, text, length, e);
    free(text);
    return good;
}

static void free_line(void *own)
{
    struct line *l = own;
    sample_free(&l->points), columns_free(&l->columns);
}

const struct monitor_kind lines_kind = {
    .section = "lines", .word = "line", .list = offsetof(struct case_settings, lines),
    .element = sizeof(struct line_setting), .looks = true, .size = sizeof(struct line),
    .check_mesh = check_mesh, .create = create, .read = read_line, .write = write_line, .free = free_line};
