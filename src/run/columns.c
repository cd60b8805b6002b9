/* Values of fields at many locations, as columns of a CSV file and as steps of a series. */
#include "run/columns.h"
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/memory.h"
#include "gpu/ranks.h"

static const char *const ending[] = {"", "_mean", "_rms"};     /* values, their means, their fluctuation */

void columns_add(struct columns *c, const char *name, int components)
{
    RESIZE(c->field, c->n_fields + 1);
    struct column_field *f = &c->field[c->n_fields++];
    *f = (struct column_field){.components = components};
    snprintf(f->name, NAME_LENGTH, "%s", name);
    c->width += components;
}

void columns_add_samples(struct columns *c, const struct fields *all)
{
    for (int i = 0; i < all->n; i++)
        if (all->field[i].use & FIELD_SAMPLE) columns_add(c, all->field[i].name, all->field[i].components);
}

void columns_allocate(struct columns *c, int32_t n, struct averages *averages, const char *kind, const char *name)
{
    c->n = n;
    NEW(c->value, (int64_t)c->width * n);
    c->average = averages_follow(averages, kind, name, c->value, (int64_t)c->width * n);
}

static void put_head(const struct columns *c, FILE *out)
{
    for (int e = 0; e < (c->average ? 3 : 1); e++)
        for (int i = 0; i < c->n_fields; i++)
            for (int k = 0; k < c->field[i].components; k++) {
                fprintf(out, ",%s", c->field[i].name);
                if (c->field[i].components > 1) fprintf(out, "_%c", "xyz"[k]);
                fputs(ending[e], out);
            }
}

static void put_row(const struct columns *c, int32_t place, FILE *out)
{
    for (int k = 0; k < c->width; k++) fprintf(out, ",%.17g", c->value[(int64_t)k * c->n + place]);
    for (int k = 0; k < c->width && c->average; k++)
        fprintf(out, ",%.17g", average_mean(c->average, (int64_t)k * c->n + place));
    for (int k = 0; k < c->width && c->average; k++)
        fprintf(out, ",%.17g", average_rms(c->average, (int64_t)k * c->n + place));
}

bool columns_table(const struct columns *c, const char *path, const char *head, int n_front, const double *front,
                   struct error *e)
{
    char *text = NULL;
    size_t length = 0;
    if (ranks_own()) return true;
    FILE *out = open_memstream(&text, &length);
    if (!out) die("no memory stream for %s", path);
    fputs(head, out), put_head(c, out), fputc('\n', out);
    for (int32_t i = 0; i < c->n; i++) {
        for (int k = 0; k < n_front; k++) fprintf(out, "%s%.17g", k ? "," : "", front[(int64_t)k * c->n + i]);
        put_row(c, i, out), fputc('\n', out);
    }
    fclose(out);
    bool good = file_replace(path, text, length, e);
    free(text);
    return good;
}

bool columns_write(const struct columns *c, struct output *series, int64_t step, double time, struct error *e)
{
    struct output_field array[MOST_OUTPUT_FIELDS];
    char name[MOST_OUTPUT_FIELDS][NAME_LENGTH + 8];
    int64_t length = (int64_t)c->width * c->n;
    double *mean = NULL, *rms = NULL;
    int n = 0;
    if (c->average) NEW(mean, length), NEW(rms, length);
    for (int64_t i = 0; i < length && c->average; i++)
        mean[i] = average_mean(c->average, i), rms[i] = average_rms(c->average, i);
    const double *value[] = {c->value, mean, rms};
    for (int kind = 0; kind < (c->average ? 3 : 1); kind++) {
        int64_t at = 0;
        for (int i = 0; i < c->n_fields; i++, n++) {
            snprintf(name[n], sizeof name[n], "%s%s", c->field[i].name, ending[kind]);
            array[n] = (struct output_field){name[n], c->field[i].components, value[kind] + at, c->n};
            at += (int64_t)c->field[i].components * c->n;
        }
    }
    bool good = output_write(series, step, time, array, n, e);
    free(mean), free(rms);
    return good;
}

bool columns_check(const char *section, const struct named *set, int fields, bool averaged, struct error *e)
{
    int arrays = averaged ? 3 * fields : fields;
    return arrays <= MOST_OUTPUT_FIELDS ||
           refuse(e, EXIT_INPUT, "%s: %s.%s.fields: %d arrays, at most %d are possible; remove some",
                  case_place_text(set->place), section, set->name, arrays, MOST_OUTPUT_FIELDS);
}

void columns_free(struct columns *c)
{
    free(c->field), free(c->value);
    *c = (struct columns){0};
}
