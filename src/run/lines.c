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

bool lines_create(struct lines *l, const struct case_settings *c, const struct mesh *m, struct error *e)
{
    l->c = c;
    NEW(l->line, c->lines.n);
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
    }
    return true;
}

static bool write_line(const struct line_setting *set, const struct sample *s, const struct flow *f,
                       const char *directory, struct error *e)
{
    int dim = f->s.dim, n = set->points, columns = fields_columns(&f->fields, FIELD_SAMPLE);
    char path[PATH_LENGTH + 2 * NAME_LENGTH], name[2 * NAME_LENGTH], *text = NULL;
    size_t length = 0;
    double *value;
    NEW(value, (int64_t)columns * n);
    sample_read(s, f, value);
    if (ranks_own()) return free(value), true;
    FILE *out = open_memstream(&text, &length);
    if (!out) die("no memory stream for a line");
    fprintf(out, dim == 2 ? "x,y" : "x,y,z");
    for (int k = 0; k < columns; k++) {
        fields_column(&f->fields, FIELD_SAMPLE, k, name, sizeof name);
        fprintf(out, ",%s", name);
    }
    fputc('\n', out);
    for (int p = 0; p < n; p++) {
        for (int k = 0; k < dim; k++) fprintf(out, "%s%.17g", k ? "," : "", place(set, k, p));
        for (int k = 0; k < columns; k++) fprintf(out, ",%.17g", value[(int64_t)k * n + p]);
        fputc('\n', out);
    }
    fclose(out);
    snprintf(path, sizeof path, "%s/lines/%s.csv", directory, set->name);
    bool good = file_replace(path, text, length, e);
    free(text), free(value);
    return good;
}

bool lines_write(const struct lines *l, struct flow *f, const char *directory, struct error *e)
{
    char path[PATH_LENGTH + NAME_LENGTH];
    if (!l->c->lines.n) return true;
    snprintf(path, sizeof path, "%s/lines", directory);
    if (!ranks_agree(ranks_own() || folder_make(path, e), e)) return false;
    fields_look(&f->fields);
    bool good = true;
    for (int i = 0; i < l->c->lines.n && good; i++)
        good = ranks_agree(write_line(&l->c->lines.item[i], &l->line[i], f, directory, e), e);
    return good;
}

void lines_free(struct lines *l)
{
    for (int i = 0; l->line && i < l->c->lines.n; i++) sample_free(&l->line[i]);
    free(l->line);
}
