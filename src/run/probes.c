/* Probes: fields at points, one row each in probes/NAME.csv.  They are read together. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "run/monitor_kind.h"
#include "run/sample.h"

struct probes {
    struct sample points;
    double *value;              /* [columns of FIELD_SAMPLE, points] */
};

/* All at once, since each search scans the whole mesh. */
static bool find_points(struct sample *s, const struct probe_settings *all, const struct mesh *m, struct error *e)
{
    double *point;
    NEW(point, 3 * all->n);
    for (int i = 0; i < all->n; i++) memcpy(point + 3 * i, all->item[i].at, sizeof all->item[i].at);
    bool good = sample_create(s, m, point, all->n, "", "probes", "all", e);
    free(point);
    return good;
}

/* One point alone, so that the message has its name if it is outside the mesh. */
static bool check_point(const struct probe_setting *set, const struct mesh *m, struct error *e)
{
    struct sample alone;
    if (!sample_create(&alone, m, set->at, 1, case_place_text(set->place), "probes", set->name, e)) return false;
    sample_free(&alone);
    return true;
}

static void check_mesh(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    struct sample all;
    struct error one;
    if (find_points(&all, &c->probes, m, &one)) { sample_free(&all); return; }
    for (int i = 0; i < c->probes.n; i++) error_keep(check_point(&c->probes.item[i], m, &one), e, &one);
}

static void columns(const void *set, const struct fields *all, int dim, struct watch *row)
{
    char name[2 * NAME_LENGTH];
    (void)set, (void)dim;
    for (int k = 0; k < fields_columns(all, FIELD_SAMPLE); k++) {
        fields_column(all, FIELD_SAMPLE, k, name, sizeof name);
        watch_add(row, "%s", name);
    }
}

static bool create(struct monitor *o, struct error *e)
{
    struct probes *p = o->own;
    const struct probe_settings *all = &o->x->c->probes;
    NEW(p->value, (int64_t)o->row->n * all->n);
    if (find_points(&p->points, all, o->x->m, e)) return true;
    for (int i = 0; i < all->n; i++) if (!check_point(&all->item[i], o->x->m, e)) break;
    return false;
}

static void read_points(struct monitor *o, const struct flow *f)
{
    const struct probes *p = o->own;
    sample_read(&p->points, f, p->value);
    for (int i = 0; i < o->n_rows; i++)
        for (int k = 0; k < o->row[i].n; k++) o->row[i].value[k] = p->value[k * o->n_rows + i];
}

static void free_probes(void *own)
{
    struct probes *p = own;
    sample_free(&p->points);
    free(p->value);
}

const struct monitor_kind probes_kind = {
    .section = "probes", .word = "probe", .list = offsetof(struct case_settings, probes),
    .element = sizeof(struct probe_setting), .point = "at", .length = offsetof(struct probe_setting, length),
    .together = true, .looks = true, .size = sizeof(struct probes),
    .columns = columns, .check_mesh = check_mesh, .create = create, .read = read_points, .free = free_probes};
