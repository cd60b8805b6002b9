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
    struct sample points;
    double *place;              /* [3 points] */
    struct columns columns;     /* of the last read_line() */
};

/* Checks that both ends are in the mesh. */
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

static bool create(struct monitor *o, struct error *e)
{
    struct line *l = o->own;
    const struct line_setting *set = o->set;
    const int n = set->points;
    double *point;
    NEW(point, 3 * (int64_t)n), NEW(l->place, 3 * (int64_t)n);
    for (int p = 0; p < n; p++)
        for (int k = 0; k < 3; k++)
            l->place[(int64_t)k * n + p] = point[3 * (int64_t)p + k] =
                set->from[k] + (set->to[k] - set->from[k]) * p / (n - 1);
    bool good = sample_create(&l->points, o->x->m, point, n, case_place_text(set->place), "lines", set->name, e);
    free(point);
    if (!good) return false;
    columns_add_samples(&l->columns, &o->x->f->fields);
    columns_allocate(&l->columns, n, o->x->averages, "lines", set->name);
    return true;
}

static void read_line(struct monitor *o, const struct flow *f)
{
    struct line *l = o->own;
    sample_read(&l->points, f, l->columns.value);
}

static bool write_line(const struct monitor *o, int64_t step, double time, struct error *e)
{
    const struct line *l = o->own;
    const int dim = o->x->m->dim;
    char path[PATH_LENGTH + 2 * NAME_LENGTH];
    (void)step, (void)time;
    snprintf(path, sizeof path, "%s/lines", o->x->directory);
    if (!ranks_own() && !folder_make(path, e)) return false;
    snprintf(path, sizeof path, "%s/lines/%s.csv", o->x->directory, o->row->name);
    return columns_table(&l->columns, path, dim == 2 ? "x,y" : "x,y,z", dim, l->place, e);
}

static void free_line(void *own)
{
    struct line *l = own;
    sample_free(&l->points), columns_free(&l->columns);
    free(l->place);
}

const struct monitor_kind lines_kind = {
    .section = "lines", .word = "line", .list = offsetof(struct case_settings, lines),
    .element = sizeof(struct line_setting), .point = "from", .length = offsetof(struct line_setting, length),
    .looks = true, .size = sizeof(struct line),
    .check_mesh = check_mesh, .create = create, .read = read_line, .write = write_line, .free = free_line};
