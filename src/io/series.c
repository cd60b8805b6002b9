/* Reads the fields of an earlier run (series.h). */
#include "io/series.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/hdf5_reader.h"
#include "base/memory.h"

static int64_t step_of(const char *name)
{
    char own[NAME_LENGTH];
    int64_t step = strtoll(name, NULL, 10);
    snprintf(own, sizeof own, "%06" PRId64 ".h5", step);
    return strcmp(name, own) ? -1 : step;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int series_steps(const char *folder, int64_t **steps)
{
    DIR *d = opendir(folder);
    int n = 0;
    *steps = NULL;
    if (!d) return -1;
    for (struct dirent *entry; (entry = readdir(d));) {
        int64_t step = step_of(entry->d_name);
        if (step < 0) continue;
        RESIZE(*steps, n + 1);
        (*steps)[n++] = step;
    }
    closedir(d);
    if (n) qsort(*steps, (size_t)n, sizeof **steps, ascending);
    return n;
}

static bool find_step(const char *directory, int64_t *step, struct error *e)
{
    char folder[PATH_LENGTH + 16], list[400] = "";
    int64_t *steps;
    snprintf(folder, sizeof folder, "%s/fields", directory);
    int n = series_steps(folder, &steps), length = 0;
    bool found = *step < 0 && n > 0;
    if (found) *step = steps[n - 1];
    for (int i = 0; i < n && !found; i++) found = steps[i] == *step;
    for (int i = n > 12 ? n - 12 : 0; i < n; i++)
        length += snprintf(list + length, sizeof list - (size_t)length, "%s%" PRId64, length ? ", " : "", steps[i]);
    free(steps);
    if (found) return true;
    if (n < 0)
        return refuse(e, EXIT_INPUT, "%s: %s; expected the output directory of a run, NAME.out", folder,
                      strerror(errno));
    if (!n) return refuse(e, EXIT_INPUT, "%s: no fields have been written (output.every, output.interval)", directory);
    return refuse(e, EXIT_INPUT, "%s: step %" PRId64 " was not written; available: %s%s", directory, *step,
                  n > 12 ? ".., " : "", list);
}

bool series_read(struct written_step *s, const char *advice, struct error *e)
{
    struct hdf5_reader r;
    char name[NAME_LENGTH];
    bool good = hdf5_open(&r, s->path);
    if (good) {
        good = hdf5_number(&r, "time", &s->time);
        for (int64_t k = 0; good && s->n_fields < MOST_OUTPUT_FIELDS && hdf5_entry(&r, k, name); k++) {
            int64_t length[2] = {0};
            int rank = hdf5_shape(&r, name, length);
            if (rank < 0) { good = false; break; }
            if (rank != 1 && (rank != 2 || length[1] != 3)) continue;
            snprintf(s->field[s->n_fields].name, NAME_LENGTH, "%s", name);
            s->field[s->n_fields++].components = rank == 1 ? 1 : 3;
        }
        good = good && !*r.why && s->n_fields > 0;
        hdf5_close(&r);
    }
    if (good) return true;
    if (r.status == EXIT_RESOURCE) return refuse(e, r.status, "%s: %s", s->path, r.why);
    return refuse(e, EXIT_INPUT, "%s: not a field file of Poise, or damaged%s%s%s", s->path, *r.why ? ": " : "", r.why,
                  advice);
}

bool series_step(struct written_step *s, const char *directory, int64_t step, struct error *e)
{
    *s = (struct written_step){.step = step};
    if (!find_step(directory, &s->step, e)) return false;
    snprintf(s->path, sizeof s->path, "%s/fields/%06" PRId64 ".h5", directory, s->step);
    return series_read(s, "", e);
}

double *series_field(const struct written_step *s, const struct written_field *f, int32_t n, struct error *e)
{
    struct hdf5_reader r;
    if (!hdf5_open(&r, s->path)) return refuse(e, r.status, "%s: %s", s->path, r.why), NULL;
    double *value = hdf5_array(&r, f->name, HDF5_DOUBLE, n, f->components, NULL);
    if (!value) refuse(e, r.status, "%s: %s: %s", s->path, f->name, r.why);
    hdf5_close(&r);
    return value;
}
