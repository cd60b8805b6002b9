/* Connected parts of the second fluid, tracked from report to report: interface.csv and bubbles.csv. */
#include "run/bubbles.h"
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/order.h"
#include "gpu/ranks.h"
#include "interface/contour.h"
#include "io/output.h"
#include "mesh/part.h"

enum { MOST_COLUMNS = 20, HEADER_LENGTH = 400 };

struct bubbles {
    const struct case_settings *c;
    const struct mesh *m;       /* the whole mesh: only rank 0 makes the tables */
    struct parts parts;
    struct part *before;        /* parts of the last report */
    int n_before, next;         /* next: the first unused number */
    double time_before;
    bool begun;
    struct contour contour;
    double *area;               /* [n_cells] */
    struct collected now;       /* data last fetched from the device */
    int64_t reported;           /* step of the last report from the device; -1: none */
    struct csv *of_parts, *of_all;
};

/* ---------------------------------------------------------------- tables */
/* The values of a row, for one part or the total. */
struct row {
    double time, bubble, volume, volume_error, lowest, highest, area, place[3], velocity[3];
    double rise_velocity, circularity, bubbles, scattered;
};

/* A column of a table, or one for each direction: NAMEx, NAMEy ..  Header, rows and their reading on a restart iterate
 * over these. */
struct column { const char *name; size_t at; bool is_vector; };
#define COLUMN_OF(name) {#name, offsetof(struct row, name), false}
#define PLACE_AND_VELOCITY {"", offsetof(struct row, place), true}, {"velocity_", offsetof(struct row, velocity), true}
static const struct column part_column[] = {
    COLUMN_OF(time), COLUMN_OF(bubble), COLUMN_OF(volume), PLACE_AND_VELOCITY, COLUMN_OF(rise_velocity),
    COLUMN_OF(area), COLUMN_OF(circularity), {0}};
static const struct column all_column[] = {
    COLUMN_OF(time), COLUMN_OF(volume), COLUMN_OF(volume_error), COLUMN_OF(lowest), COLUMN_OF(highest), COLUMN_OF(area),
    PLACE_AND_VELOCITY, COLUMN_OF(rise_velocity), COLUMN_OF(circularity), COLUMN_OF(bubbles), COLUMN_OF(scattered),
    {0}};

static void header(char text[HEADER_LENGTH], const struct column *c, int dim)
{
    strcpy(text, "iteration");
    for (; c->name; c++)
        for (int k = 0; k < (c->is_vector ? dim : 1); k++)
            sprintf(text + strlen(text), c->is_vector ? ",%s%c" : ",%s", c->name, "xyz"[k]);
}

/* Copies the values of a row between the struct and the order of the columns; returns their number. */
static int move_row(struct row *r, const struct column *c, int dim, double *v, bool to_columns)
{
    int n = 0;
    for (; c->name; c++) {
        double *own = (double *)((char *)r + c->at);
        for (int k = 0; k < (c->is_vector ? dim : 1); k++, n++)
            if (to_columns) v[n] = own[k];
            else own[k] = v[n];
    }
    return n;
}

/* Reads the parts of the last scheduled report in the file, and the highest number ever used. */
static void read_rows(struct bubbles *b, const char *path, int every)
{
    const char *why;
    FILE *file = file_open(path, &why);
    char line[1024];
    int64_t last = -1;
    double none[MOST_COLUMNS] = {0};
    int columns = 1 + move_row(&(struct row){0}, part_column, b->m->dim, none, true);
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        double v[MOST_COLUMNS];
        int n = 0;
        for (char *at = line, *end; n < MOST_COLUMNS; at = end + 1) {
            v[n] = strtod(at, &end);
            if (end == at) break;
            n++;
            if (*end != ',') break;
        }
        if (n != columns || (int64_t)v[0] % every) continue;    /* the header; a last row, see csv_open() */
        if ((int64_t)v[0] != last) last = (int64_t)v[0], b->n_before = 0;
        RESIZE(b->before, b->n_before + 1);
        struct row r = {0};
        move_row(&r, part_column, b->m->dim, v + 1, false);
        struct part *p = &b->before[b->n_before++];
        *p = (struct part){.number = (int)r.bubble, .volume = r.volume};
        memcpy(p->centre, r.place, sizeof r.place), memcpy(p->velocity, r.velocity, sizeof r.velocity);
        b->time_before = r.time, b->begun = true;
        if (p->number >= b->next) b->next = p->number + 1;
    }
    fclose(file);
}

struct bubbles *bubbles_create(const struct case_settings *c, const struct mesh *m, const char *directory, bool resume,
                               int64_t resumed_step, struct error *e)
{
    struct bubbles *b;
    char path[2 * PATH_LENGTH], of_parts[HEADER_LENGTH], of_all[HEADER_LENGTH];
    const int every = c->bubbles.given ? c->bubbles.every : c->output.report_every;
    NEW(b, 1);
    b->c = c, b->m = mesh_whole(m), b->next = 1, b->reported = -1;
    if (ranks_own()) return b;
    parts_create(&b->parts, b->m), contour_create(&b->contour, b->m);
    NEW(b->area, b->m->n_cells);
    header(of_parts, part_column, m->dim), header(of_all, all_column, m->dim);
    snprintf(path, sizeof path, "%s/interface.csv", directory);
    bool good = (b->of_all = csv_open(path, of_all, every, resume, resumed_step, e)) != NULL;
    snprintf(path, sizeof path, "%s/bubbles.csv", directory);
    if (good && c->bubbles.given)
        good = (b->of_parts = csv_open(path, of_parts, every, resume, resumed_step, e)) != NULL;
    if (good && c->bubbles.given && resume) read_rows(b, path, every);
    if (good) return b;
    bubbles_free(b);
    return NULL;
}

void bubbles_free(struct bubbles *b)
{
    if (!b) return;
    csv_close(b->of_parts), csv_close(b->of_all);
    parts_free(&b->parts), contour_free(&b->contour);
    collected_free(&b->now);
    free(b->before), free(b->area), free(b);
}

/* ---------------------------------------------------------------- numbers */
/* Shifts the centre by whole periods to be nearest to `to`; returns the distance. */
static double bring_near(const struct parts *p, double centre[3], const double to[3])
{
    double square = 0;
    for (int k = 0; k < p->n_periods; k++) {
        double along = 0, length = 0;
        for (int i = 0; i < 3; i++)
            along += (to[i] - centre[i]) * p->period[k][i], length += p->period[k][i] * p->period[k][i];
        double turns = round(along / length);
        for (int i = 0; i < 3; i++) centre[i] += turns * p->period[k][i];
    }
    for (int i = 0; i < 3; i++) square += (to[i] - centre[i]) * (to[i] - centre[i]);
    return sqrt(square);
}

static double size_of(const struct part *p, int dim) { return mesh_edge(p->volume, dim); }

struct pair { double distance; int old, new; };
static int compare_pairs(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;
    if (p->distance != q->distance) return p->distance < q->distance ? -1 : 1;
    return p->old != q->old ? (p->old > q->old) - (p->old < q->old) : (p->new > q->new) - (p->new < q->new);
}

/* Pairs of an old and a new part closer to each other than the sum of their sizes, nearest first. */
static int near_pairs(const struct bubbles *b, double dt, struct pair **pair)
{
    int n = 0, room = 0, dim = b->m->dim;
    *pair = NULL;
    for (int i = 0; i < b->n_before; i++)
        for (int j = 0; j < b->parts.n; j++) {
            double at[3], to[3];
            for (int k = 0; k < 3; k++)
                at[k] = b->parts.part[j].centre[k], to[k] = b->before[i].centre[k] + dt * b->before[i].velocity[k];
            double distance = bring_near(&b->parts, at, to);
            if (distance > size_of(&b->before[i], dim) + size_of(&b->parts.part[j], dim)) continue;
            if (n == room) room = 2 * room + 64, RESIZE(*pair, room);
            (*pair)[n++] = (struct pair){distance, i, j};
        }
    sort(*pair, n, sizeof **pair, compare_pairs);
    return n;
}

/* Reports what became of parts without a partner: the nearest part of the other list took or gave the fluid. */
static void tell(const struct bubbles *b, const struct pair *pair, int n, const bool *old_taken, const bool *known,
                 int64_t step)
{
    const struct part *now = b->parts.part;
    for (int i = 0, k; i < b->n_before; i++) {
        if (old_taken[i]) continue;
        for (k = 0; k < n && pair[k].old != i;) k++;
        log_print("step %" PRId64 ": bubble %d ", step, b->before[i].number);
        if (k < n) log_print("has merged with bubble %d\n", now[pair[k].new].number);
        else log_print("is gone\n");
    }
    for (int j = 0, k; j < b->parts.n; j++) {
        if (known[j]) continue;
        for (k = 0; k < n && pair[k].new != j;) k++;
        log_print("step %" PRId64 ": bubble %d ", step, now[j].number);
        if (k < n) log_print("has broken off from bubble %d\n", b->before[pair[k].old].number);
        else log_print("is new\n");
    }
}

static void follow(struct bubbles *b, int64_t step, double time)
{
    struct pair *pair;
    bool *old_taken, *known;
    double dt = time - b->time_before;
    int n = near_pairs(b, dt, &pair);
    NEW(old_taken, b->n_before), NEW(known, b->parts.n);
    for (int k = 0; k < n; k++) {
        if (old_taken[pair[k].old] || known[pair[k].new]) continue;
        const struct part *old = &b->before[pair[k].old];
        struct part *part = &b->parts.part[pair[k].new];
        double to[3];
        for (int i = 0; i < 3; i++) to[i] = old->centre[i] + dt * old->velocity[i];
        bring_near(&b->parts, part->centre, to);
        part->number = old->number;
        old_taken[pair[k].old] = known[pair[k].new] = true;
    }
    for (int j = 0; j < b->parts.n; j++) if (!known[j]) b->parts.part[j].number = b->next++;
    if (b->begun) tell(b, pair, n, old_taken, known, step);
    free(pair), free(old_taken), free(known);
}

static int compare_numbers(const void *a, const void *b)
{
    const struct part *p = a, *q = b;
    return (p->number > q->number) - (p->number < q->number);
}

static void keep(struct bubbles *b, double time)
{
    sort(b->parts.part, b->parts.n, sizeof *b->parts.part, compare_numbers);
    b->n_before = b->parts.n, b->time_before = time, b->begun = true;
    RESIZE(b->before, b->n_before + 1);
    if (b->n_before) memcpy(b->before, b->parts.part, (size_t)b->n_before * sizeof *b->before);
}

/* ---------------------------------------------------------------- rows */
static double rise(const struct bubbles *b, const double velocity[3])
{
    const double *g = b->c->flow.fluid.gravity;
    double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (!b->c->flow.fluid.gravity_length || !(size > 0)) return velocity[b->m->dim - 1];
    return 0 - (velocity[0] * g[0] + velocity[1] * g[1] + velocity[2] * g[2]) / size;
}

static bool write_row(struct csv *to, const struct bubbles *b, const struct column *c, struct row *r, int64_t step,
                      struct error *e)
{
    double v[MOST_COLUMNS];
    r->rise_velocity = rise(b, r->velocity);
    return csv_row(to, step, v, move_row(r, c, b->m->dim, v, true), e);
}

static bool write_parts(struct bubbles *b, int64_t step, double time, struct error *e)
{
    for (const struct part *p = b->parts.part; p < b->parts.part + b->parts.n; p++) {
        struct row r = {.time = time, .bubble = p->number, .volume = p->volume, .area = p->area,
                        .circularity = p->roundness};
        memcpy(r.place, p->centre, sizeof r.place), memcpy(r.velocity, p->velocity, sizeof r.velocity);
        if (!write_row(b->of_parts, b, part_column, &r, step, e)) return false;
    }
    return true;
}

static bool write_all(struct bubbles *b, const struct interface_summary *s, int64_t step, double time, struct error *e)
{
    struct row r = {.time = time, .volume = s->volume, .volume_error = s->volume_error, .lowest = s->lowest,
                    .highest = s->highest, .bubbles = b->parts.n, .scattered = b->parts.scattered};
    double volume = 0;
    for (const struct part *p = b->parts.part; p < b->parts.part + b->parts.n; p++) {
        volume += p->volume, r.area += p->area;
        for (int k = 0; k < 3; k++) r.place[k] += p->volume * p->centre[k], r.velocity[k] += p->volume * p->velocity[k];
    }
    for (int k = 0; k < 3 && volume > 0; k++) r.place[k] /= volume, r.velocity[k] /= volume;
    r.circularity = part_roundness(b->m->dim, volume, r.area);
    return write_row(b->of_all, b, all_column, &r, step, e);
}

bool bubbles_report_parts(struct bubbles *b, const struct parts_input *p, const struct interface_summary *s,
                          int64_t step, double time, struct error *e)
{
    parts_find(&b->parts, p);
    if (b->of_parts) follow(b, step, time), keep(b, time);
    return (!b->of_parts || write_parts(b, step, time, e)) && write_all(b, s, step, time, e);
}

/* The parts' input from the device; empty on ranks other than 0. */
static struct parts_input fetch(struct bubbles *b, const struct interface *i, const double *u)
{
    struct collected *c = &b->now;
    interface_collect(i, u, c);
    contour_area(&b->contour, c->distance, i->far, &c->band, b->area);
    return (struct parts_input){.filled = c->filled, .areas = c->band, .fraction = c->fraction, .area = b->area,
                                .u = c->u, .stride = b->m->n_cells};
}

bool bubbles_report(struct bubbles *b, struct interface *i, const double *u, int64_t step, double time, struct error *e)
{
    struct interface_summary s;
    interface_summarise(i, &s);
    struct parts_input p = fetch(b, i, u);
    b->reported = step;
    return bubbles_report_parts(b, &p, &s, step, time, e);
}

double bubbles_area(struct bubbles *b, const struct interface *i, const double *u, int64_t step)
{
    double area = 0;
    if (b->reported != step) {
        struct parts_input p = fetch(b, i, u);
        parts_find(&b->parts, &p);
    }
    for (int k = 0; k < b->parts.n; k++) area += b->parts.part[k].area;
    return area;
}

const struct part *bubbles_parts(const struct bubbles *b, int *n)
{
    *n = b->parts.n;
    return b->parts.part;
}
