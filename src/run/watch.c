/* Rows of named values in CSV files. */
#include "run/watch.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "gpu/ranks.h"
#include "io/output.h"
#include "run/average.h"

void watch_add(struct watch *w, const char *format, ...)
{
    va_list list;
    RESIZE(w->column, w->n + 1), RESIZE(w->value, w->n + 1);
    va_start(list, format);
    vsnprintf(w->column[w->n], sizeof *w->column, format, list);
    va_end(list);
    w->value[w->n++] = 0;
}

bool watch_open(struct watch *w, const char *directory, const char *folder, bool timed, int every, bool resume,
                int64_t step, struct error *e)
{
    char path[PATH_LENGTH + 2 * NAME_LENGTH], *header;
    snprintf(path, sizeof path, "%s/%s", directory, folder);
    if (!ranks_own() && !folder_make(path, e)) return false;
    snprintf(path, sizeof path, "%s/%s/%s.csv", directory, folder, w->name);
    NEW(header, 32 + 3 * w->n * (int64_t)(sizeof *w->column + 8));
    strcpy(header, timed ? "iteration,time" : "iteration");
    for (int i = 0; i < w->n; i++) strcat(strcat(header, ","), w->column[i]);
    for (int k = 0; k < 2 && w->average; k++)
        for (int i = 0; i < w->n; i++) strcat(strcat(strcat(header, ","), w->column[i]), k ? "_rms" : "_mean");
    w->timed = timed;
    w->csv = csv_open(path, header, every, resume, step, e);
    free(header);
    return w->csv != NULL;
}

bool watch_write(const struct watch *w, int64_t step, double time, struct error *e)
{
    double *value;
    NEW(value, 3 * w->n + 1);
    *value = time;
    int n = w->timed;
    for (int i = 0; i < w->n; i++) value[n++] = w->value[i];
    for (int i = 0; i < w->n && w->average; i++) value[n++] = average_mean(w->average, i);
    for (int i = 0; i < w->n && w->average; i++) value[n++] = average_rms(w->average, i);
    bool good = csv_row(w->csv, step, value, n, e);
    free(value);
    return good;
}

void watch_print(const struct watch *w, const char *kind)
{
    log_print("  %-6s %-14s", kind, w->name);
    for (int i = 0; i < w->n; i++) log_print("  %s %.6g", w->column[i], w->value[i]);
    log_print("\n");
}

void watch_free(struct watch *w)
{
    csv_close(w->csv);
    free(w->column), free(w->value);
    *w = (struct watch){0};
}
