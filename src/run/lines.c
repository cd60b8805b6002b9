#include "run/lines.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/file.h"
#include "base/memory.h"
#include "gpu/ranks.h"

/* Component k of the place of point i. */
static double place(const struct line_setting *set, int k, int i)
{
    return set->from[k] + (set->to[k] - set->from[k]) * i / (set->points - 1);
}

bool lines_create(struct lines *l, const struct case_settings *c, const struct mesh *m, const struct fields *all,
                  struct averages *averages, struct error *e)
{
    l->c = c;
    NEW(l->line, c->lines.n), NEW(l->columns, c->lines.n);
    for (int i = 0; i < c->lines.n; i++) {
        const struct line_setting *set = &c->lines.item[i];
        double *point;
        NEW(point, 3 * (int64_t)set->points);
        for (int p = 0; p < set->points; p++)
            for (int k = 0; k < 3; k++) point[3 * p + k] = place(set, k, p);
        bool good = sample_create(&l->line[i], m, point, set->points, case_place_text(set->place), "lines", set->name,
                                  e);
        free(point);
        if (!good) return false;
        columns_add_samples(&l->columns[i], all);
        columns_allocate(&l->columns[i], set->points, averages, "lines", set->name);
    }
    return true;
}

void lines_read(const struct lines *l, const struct flow *f)
{
    for (int i = 0; i < l->c->lines.n; i++) sample_read(&l->line[i], f, l->columns[i].value);
}

static bool write_line(const struct line_setting *set, const struct columns *c, int dim, const char *directory,
                       struct error *e)
{
    char path[PATH_LENGTH + 2 * NAME_LENGTH], *text = NULL;
    size_t length = 0;
    if (ranks_own()) return true;
    FILE *out = open_memstream(&text, &length);
    if (!out) die("no memory stream for a line");
    fprintf(out, dim == 2 ? "x,y" : "x,y,z");
    columns_head(c, out);
    fputc('\n', out);
    for (int p = 0; p < set->points; p++) {
        for (int k = 0; k < dim; k++) fprintf(out, "%s%.17g", k ? "," : "", place(set, k, p));
        columns_row(c, p, out);
        fputc('\n', out);
    }
    fclose(out);
    snprintf(path, sizeof path, "%s/lines/%s.csv", directory, set->name);
    bool good = file_replace(path, text, length, e);
    free(text);
    return good;
}

bool lines_write(const struct lines *l, int dim, const char *directory, struct error *e)
{
    char path[PATH_LENGTH + NAME_LENGTH];
    if (!l->c->lines.n) return true;
    snprintf(path, sizeof path, "%s/lines", directory);
    if (!ranks_agree(ranks_own() || folder_make(path, e), e)) return false;
    bool good = true;
    for (int i = 0; i < l->c->lines.n && good; i++)
        good = ranks_agree(write_line(&l->c->lines.item[i], &l->columns[i], dim, directory, e), e);
    return good;
}

void lines_free(struct lines *l)
{
    for (int i = 0; l->line && i < l->c->lines.n; i++) sample_free(&l->line[i]), columns_free(&l->columns[i]);
    free(l->line), free(l->columns);
}
