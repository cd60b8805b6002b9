/* Differences between the settings of a checkpoint and the current ones, and changes by a control file: changes.csv. */
#include "run/changes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/log.h"
#include "base/memory.h"
#include "io/output.h"

/* ---------------------------------------------------------------- lines */
/* A line "path = value" of a text, up to the next \n or the end. */
struct line { const char *path, *value; int path_length, value_length; };

/* Reads the line at *at and advances it; false at the end. */
static bool next_line(const char **at, struct line *l)
{
    const char *line = *at;
    if (!*line) return false;
    int length = (int)strcspn(line, "\n");
    const char *equals = memmem(line, (size_t)length, " = ", 3);
    l->path = line, l->path_length = equals ? (int)(equals - line) : length;
    l->value = line + l->path_length + (equals ? 3 : 0), l->value_length = length - (int)(l->value - line);
    *at = line + length + (line[length] == '\n');
    return true;
}

/* Numbers are compared by value: 4 equals 4.0. */
static bool same_value(const struct line *a, const struct line *b)
{
    if (a->value_length == b->value_length && !memcmp(a->value, b->value, (size_t)a->value_length)) return true;
    char *end[2];
    double x = strtod(a->value, &end[0]), y = strtod(b->value, &end[1]);
    return a->value_length > 0 && b->value_length > 0 && x == y && end[0] == a->value + a->value_length &&
           end[1] == b->value + b->value_length;
}

static bool same_path(const struct line *a, const struct line *b)
{
    return a->path_length == b->path_length && !memcmp(a->path, b->path, (size_t)a->path_length);
}

/* The line with this path.  If there is none, its value has length zero. */
static struct line find(const char *text, const struct line *of)
{
    struct line l;
    while (next_line(&text, &l)) if (same_path(&l, of)) return l;
    return (struct line){.path = of->path, .path_length = of->path_length, .value = ""};
}

/* ---------------------------------------------------------------- rows */
static char *text_of(const char *text, int length)
{
    char *copy;
    NEW(copy, length + 1);
    memcpy(copy, text, (size_t)length);
    return copy;
}

static bool write_row(struct changes *c, int64_t step, const char *by, const struct line *before,
                      const struct line *now, struct error *e)
{
    if (!c->csv) c->csv = csv_open(c->path, "iteration,by,key,before,now", 1, c->resume, c->resumed, e);
    if (!c->csv) return false;
    char *key = text_of(now->path, now->path_length), *old = text_of(before->value, before->value_length),
         *new = text_of(now->value, now->value_length);
    bool good = csv_words(c->csv, step, (const char *[]){by, key, old, new}, 4, e);
    free(key), free(old), free(new);
    return good;
}

static bool tell(struct changes *c, bool first, const struct line *before, const struct line *now, struct error *e)
{
    if (first) log_print("           changed in the case since then:\n");
    log_print("             %-30.*s  %.*s -> %.*s\n", now->path_length, now->path,
              before->value_length ? before->value_length : 9, before->value_length ? before->value : "not given",
              now->value_length ? now->value_length : 9, now->value_length ? now->value : "not given");
    return write_row(c, c->resumed, "restart", before, now, e);
}

/* Whether a completed run remains complete with another value of this key. */
static bool keeps_end(const struct line *l)
{
    static const char *const path[] = {"solver.max_iterations", "solver.stall_limit", "time.max_steps",
                                       "output.directory"};
    bool keeps = false;
    for (int i = 0; i < 4; i++)
        keeps |= l->path_length == (int)strlen(path[i]) && !memcmp(l->path, path[i], strlen(path[i]));
    return keeps;
}

static bool all_found(const char *of, const char *in)
{
    struct line l, other;
    bool same = true;
    while (same && next_line(&of, &l)) other = find(in, &l), same = keeps_end(&l) || same_value(&other, &l);
    return same;
}

bool changes_keep_end(const char *before, const char *now) { return all_found(now, before) && all_found(before, now); }

bool changes_since(struct changes *c, const char *before, struct error *e)
{
    const char *at = c->settings;
    struct line l;
    bool first = true, good = true;
    if (!before) return true;
    while (good && next_line(&at, &l)) {
        const struct line old = find(before, &l);
        if (same_value(&old, &l)) continue;
        good = tell(c, first, &old, &l, e), first = false;
    }
    for (at = before; good && next_line(&at, &l);) {
        const struct line new = find(c->settings, &l);
        if (!new.value_length && l.value_length) good = tell(c, first, &l, &new, e), first = false;
    }
    return good;
}

bool changes_note(struct changes *c, int64_t step, const char *key, const char *value, struct error *e)
{
    const struct line now = {key, value, (int)strlen(key), (int)strlen(value)};
    const struct line before = find(c->settings, &now);
    bool good = write_row(c, step, "control", &before, &now, e);
    char *text;
    NEW(text, (int64_t)(strlen(c->settings) + strlen(key) + strlen(value)) + 8);
    const char *behind = before.value + before.value_length;
    if (before.value_length)
        sprintf(text, "%.*s%s%s", (int)(before.value - c->settings), c->settings, value, behind);
    else sprintf(text, "%s%s = %s\n", c->settings, key, value);
    free(c->settings);
    c->settings = text;
    return good;
}

/* ---------------------------------------------------------------- all of it */
bool changes_open(struct changes *c, const char *directory, const char *settings, bool resume, int64_t resumed_step,
                  struct error *e)
{
    *c = (struct changes){.settings = text_of(settings, (int)strlen(settings)), .resumed = resumed_step,
                          .resume = resume};
    snprintf(c->path, sizeof c->path, "%s/changes.csv", directory);
    if (!resume) unlink(c->path);
    else if (!access(c->path, F_OK))
        c->csv = csv_open(c->path, "iteration,by,key,before,now", 1, true, resumed_step, e);
    return !resume || c->csv || access(c->path, F_OK);
}

void changes_close(struct changes *c)
{
    csv_close(c->csv);
    free(c->settings);
    *c = (struct changes){0};
}
