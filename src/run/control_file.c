/* DIRECTORY/control: the valid lines, and what they do. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/log.h"
#include "case/reader.h"
#include "gpu/ranks.h"
#include "run/run_parts.h"

/* ---------------------------------------------------------------- what may be changed */
enum use { STEADY, IN_TIME, TWO_FLUIDS };
enum ahead { NO_END, LAST_STEP, LAST_TIME };    /* the value must not have been reached by the run */

#define OF_TIME &time_section, offsetof(struct case_settings, flow.time)
#define OF_SOLVER &solver_section, offsetof(struct case_settings, flow.solver)
static const struct controlled {
    const struct section *section;
    size_t at;                  /* offset of its struct in the settings */
    const char *key;
    enum use use;
    enum ahead ahead;
} controlled[] = {
    {OF_SOLVER, "max_iterations", STEADY, LAST_STEP},
    {OF_SOLVER, "tolerance", STEADY, NO_END},
    {OF_TIME, "end", IN_TIME, LAST_TIME},
    {OF_TIME, "step", IN_TIME, NO_END},
    {OF_TIME, "courant", IN_TIME, NO_END},
    {OF_TIME, "interface_courant", TWO_FLUIDS, NO_END},
    {OF_TIME, "capillary", TWO_FLUIDS, NO_END},
    {OF_TIME, "max_steps", IN_TIME, LAST_STEP}};
enum { N_CONTROLLED = sizeof controlled / sizeof *controlled };
_Static_assert(sizeof controlled / sizeof *controlled <= MOST_CONTROLLED, "too many keys");

static bool applies(const struct controlled *x, const struct flow_setting *c)
{
    const bool in_time = run_kind_of(c)->in_time;
    return x->use == STEADY ? !in_time : in_time && (x->use == IN_TIME || c->second_fluid.given);
}

static const char *path_of(const struct controlled *x)
{
    static char path[2 * NAME_LENGTH];
    snprintf(path, sizeof path, "%s.%s", x->section->path, x->key);
    return path;
}

static void *place_of(const struct controlled *x, struct case_settings *c)
{
    return (char *)c + x->at + section_key(x->section, x->key)->offset;
}

/* ---------------------------------------------------------------- a line */
struct line { const struct control *k; int64_t step; double time; int number; };

__attribute__((format(printf, 2, 3)))
static void complain(const struct line *l, const char *format, ...)
{
    char text[1000];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    log_print("%9" PRId64 "   control, line %d: %s\n", l->step, l->number, text);
}

static void complain_of_name(const struct line *l, const char *name)
{
    char path[N_CONTROLLED][2 * NAME_LENGTH], list[600] = "stop, write, or KEY = VALUE with";
    const char *names[N_CONTROLLED + 2] = {"stop", "write"};
    int n = 0;
    for (int i = 0; i < N_CONTROLLED; i++) {
        if (!applies(&controlled[i], &l->k->c->flow)) continue;
        snprintf(path[n], sizeof *path, "%s", path_of(&controlled[i]));
        names[2 + n] = path[n];
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s %s", n ? "," : "", path[n]);
        n++;
    }
    complain(l, "\"%.200s\": expected %s%s", name, list, case_did_you_mean(name, names, n + 2));
}

static void wish(const struct line *l, int which, const char *text, struct wishes *w)
{
    const struct controlled *x = &controlled[which];
    const struct key *key = section_key(x->section, x->key);
    char expected[400], *end;
    double value = strtod(text, &end);
    bool good = end != text && !*end && isfinite(value) && case_in_range(value, key->range);
    if (key->type == KEY_INTEGER) good = good && value == floor(value) && value <= INT_MAX;
    case_expected_text(expected, sizeof expected, key);
    if (!good) complain(l, "%s = %.200s: expected %s", path_of(x), text, expected);
    else if (x->ahead == LAST_TIME && value <= l->time)
        complain(l, "%s = %.9g: the run is at t = %.9g already; stop ends it", path_of(x), value, l->time);
    else if (x->ahead == LAST_STEP && value <= (double)l->step)
        complain(l, "%s = %.0f: the run has made %" PRId64 " already; stop ends it", path_of(x), value, l->step);
    else w->value[which] = value;
}

/* Removes blanks at both ends, and a ; at the end. */
static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    for (size_t n = strlen(text); n > 0 && (isspace((unsigned char)text[n - 1]) || text[n - 1] == ';');) text[--n] = 0;
    return text;
}

static void read_line(const struct line *l, char *text, struct wishes *w)
{
    text[strcspn(text, "#")] = 0;
    text = trimmed(text);
    char *equals = strchr(text, '=');
    if (!*text) return;
    if (!strcmp(text, "stop")) w->stop = STOP_BY_FILE;
    else if (!strcmp(text, "write")) {
        w->write = 1;
        log_print("%9" PRId64 "   control: writing fields and a checkpoint\n", l->step);
    } else if (!equals) complain_of_name(l, text);
    else {
        *equals = 0;
        const char *name = trimmed(text), *value = trimmed(equals + 1);
        for (int i = 0; i < N_CONTROLLED; i++)
            if (!strcmp(name, path_of(&controlled[i])) && applies(&controlled[i], &l->k->c->flow))
                return wish(l, i, value, w);
        complain_of_name(l, name);
    }
}

/* ---------------------------------------------------------------- the file */
/* An empty file is still being written: it is read the next time.  Why it cannot be read is reported only once. */
void control_read(struct control *k, int64_t step, double time, struct wishes *w)
{
    enum { MOST = 65536 };
    struct line l = {.k = k, .step = step, .time = time};
    const char *why;
    size_t bytes;
    if (ranks_own() || access(k->path, F_OK)) return;
    char *text = file_text(k->path, MOST, &bytes, &why);
    if (text && !bytes) return free(text);
    if (!text && strcmp(k->before, why))
        log_print("%9" PRId64 "   control: %s cannot be read: %s\n", step, k->path, why);
    snprintf(k->before, sizeof k->before, "%s", text ? "" : why);
    if (!text) return;
    if (unlink(k->path)) {
        log_print("%9" PRId64 "   control: %s is ignored because it cannot be removed: %s\n", step, k->path,
                  strerror(errno));
        return free(text);
    }
    for (char *at = text, *next; at; at = next) {
        next = strchr(at, '\n');
        if (next) *next++ = 0;
        l.number++;
        read_line(&l, at, w);
    }
    free(text);
}

bool control_apply(struct control *k, int64_t step, const struct wishes *w, struct error *e)
{
    bool good = true;
    for (int i = 0; i < N_CONTROLLED; i++) {
        void *at = place_of(&controlled[i], k->c);
        bool whole = section_key(controlled[i].section, controlled[i].key)->type == KEY_INTEGER;
        double value = w->value[i], before = whole ? *(int *)at : *(double *)at;
        char text[40];
        if (isinf(value)) continue;
        snprintf(text, sizeof text, "%.15g", value);
        if (strtod(text, NULL) != value) snprintf(text, sizeof text, "%.17g", value);
        if (whole) *(int *)at = (int)value;
        else *(double *)at = value;
        log_print("%9" PRId64 "   control: %s = %.9g", step, path_of(&controlled[i]), value);
        if (before > 0) log_print(" (was %.9g)", before);
        log_print("\n");
        good = good && changes_note(k->changes, step, path_of(&controlled[i]), text, e);
    }
    return good;
}
