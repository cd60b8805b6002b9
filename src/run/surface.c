/* Results on boundaries: surfaces/NAME.csv, a row of means and extremes per time; in surfaces/NAME the faces: faces.csv
 * as last written, and a series for ParaView.  A face has its value in the equations: given by the conditions, or
 * computed from the cells. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "flow/heat.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "run/boundary_faces.h"
#include "run/columns.h"
#include "run/monitor_kernels.h"
#include "run/monitor_kind.h"

struct surface {
    const struct surface_setting *set;
    const struct mesh *m;       /* the whole mesh: of the flow, or with solids */
    bool of_heat;               /* with solids: the temperature alone is there */
    struct facets facets;       /* until the series is open */
    struct output *series;
    char directory[2 * PATH_LENGTH];
    int32_t n;                  /* faces, in the mesh file's order */
    int32_t *number;            /* [n] on the host: numbered from the first boundary face */
    int32_t n_boundary, n_own;  /* boundary faces of this rank's part, and of these in the surface */
    int32_t *face;              /* [n_own] their numbers in its part of the mesh, on the device */
    int32_t *order;             /* [n] on the host: the faces of all ranks, rank by rank */
    double *centre, *area, *normal;     /* [dim n], [n], [dim n], contiguous; unit normals out of the fluid */
    double *place;              /* [dim n_own] the centres on the device */
    double *work, *own;         /* [2 dim n_own] on the device; on the host */
    double *force;              /* [2 dim n] on the host */
    struct columns columns;     /* of the last read_surface() */
};

/* ---------------------------------------------------------------- faces */
/* Solids have a temperature alone: with these quantities a surface has the faces of both, else those of the fluid.  The
 * surfaces of solids inside the mesh belong to the mesh of the flow. */
static bool is_of_heat(const struct surface_setting *set, const struct mesh *flow)
{
    static const char *const of_heat[] = {"temperature", "temperature-flux", "wall-distance"};
    bool heat = flow->conducting;
    for (int i = 0; i < set->n_fields && heat; i++) heat = case_find_name(set->field[i], of_heat, 3) >= 0;
    for (int i = 0; i < set->n_boundaries && heat; i++)
        heat = boundary_patch(flow->conducting, set->boundary[i]) >= 0;
    return heat;
}

/* The numbers of the surface's faces in the order of the mesh file, and their facets. */
static bool find_faces(struct surface *s, struct facets *p, struct error *e)
{
    const struct mesh *m = s->m;
    int32_t n, *face = boundary_faces(m, s->set->boundary, s->set->n_boundaries, &n, NULL,
                                      case_place_text(s->set->place), "surfaces", s->set->name, e);
    bool *wanted;
    if (!face) return false;
    NEW(wanted, m->n_faces - m->n_internal);
    for (int32_t i = 0; i < n; i++) wanted[face[i]] = true;
    NEW(s->number, n), NEW(p->start, n + 1), NEW(p->cell, n);
    NEW(p->corner, m->n_marked ? m->marked_start[m->n_marked] : 0);
    for (int32_t k = 0; k < m->n_marked; k++) {
        int32_t f = m->marked_face[k], i = s->n;
        if (f < 0 || !wanted[f - m->n_internal]) continue;
        s->number[s->n++] = f - m->n_internal;
        p->cell[i] = mesh_with_solids(m)->cell_original[m->marked_cell[k]];
        p->start[i + 1] = p->start[i];
        for (int64_t j = m->marked_start[k]; j < m->marked_start[k + 1]; j++)
            p->corner[p->start[i + 1]++] = m->marked_vertex[j];
    }
    p->n = s->n;
    free(face), free(wanted);
    return true;
}

/* Copies the vertices of the facets from the mesh. */
static void take_vertices(struct facets *p, const struct mesh *m)
{
    int32_t *number;
    NEW(number, m->n_vertices);
    for (int64_t k = 0; k < p->start[p->n]; k++) number[p->corner[k]] = 1;
    for (int32_t v = 0; v < m->n_vertices; v++) if (number[v]) number[v] = ++p->n_vertices;
    NEW(p->vertex, 3 * (int64_t)p->n_vertices);
    for (int32_t v = 0; v < m->n_vertices; v++)
        if (number[v]) memcpy(p->vertex + 3 * (int64_t)(number[v] - 1), m->vertex + 3 * (int64_t)v, 3 * sizeof(double));
    for (int64_t k = 0; k < p->start[p->n]; k++) p->corner[k] = number[p->corner[k]] - 1;
    free(number);
}

static void measure_faces(struct surface *s)
{
    const struct mesh *m = s->m;
    for (int32_t i = 0; i < s->n; i++) {
        int32_t f = m->n_internal + s->number[i];
        s->area[i] = mesh_face_size(m, f);
        for (int k = 0; k < m->dim; k++) {
            s->normal[(int64_t)k * s->n + i] = face_vector(m->face_area, m, k, f) / s->area[i];
            s->centre[(int64_t)k * s->n + i] = face_centre(m, k, f);
        }
    }
}

/* Copies this rank's faces to the device. */
static void take_own(struct surface *s, const struct mesh *part)
{
    const struct mesh *m = s->m;
    int32_t first = part->part ? part->part->first : 0, *here = mesh_boundary_here(part), *own, *face, n = 0;
    double *place;
    NEW(own, s->n), NEW(face, s->n);
    for (int32_t i = 0; i < s->n; i++) {
        int32_t cell = m->face_owner[m->n_internal + s->number[i]];
        if (cell >= first && cell < first + part->n_cells) face[n] = here[s->number[i]], own[n++] = i;
    }
    NEW(place, (int64_t)m->dim * n);
    for (int k = 0; k < m->dim; k++)
        for (int32_t i = 0; i < n; i++) place[(int64_t)k * n + i] = s->centre[(int64_t)k * s->n + own[i]];
    s->n_own = n, s->n_boundary = part->n_faces - part->n_internal;
    s->order = ranks_collect(own, n, sizeof *own, NULL);
    s->face = device_copy_of(face, (size_t)n * sizeof *face, "faces of a surface");
    s->place = device_copy_of(place, (size_t)m->dim * (size_t)n * sizeof *place, "faces of a surface");
    s->work = device_alloc(2 * (size_t)m->dim * (size_t)n * sizeof(double), "values of a surface");
    NEW(s->own, 2 * (int64_t)m->dim * n);
    free(here), free(own), free(face), free(place);
}

/* Gathers [components n_own] of every rank into [components n]. */
static void gather(const struct surface *s, const double *own, int components, double *to)
{
    for (int k = 0; k < components; k++) {
        double *all = ranks_collect(own + (int64_t)k * s->n_own, s->n_own, sizeof *own, NULL);
        for (int32_t i = 0; i < s->n; i++) to[(int64_t)k * s->n + s->order[i]] = all[i];
        free(all);
    }
}

/* ---------------------------------------------------------------- values */
/* Copies from [n_boundary] on the device. */
static void take_faces(const struct surface *s, const double *of_all, double *value)
{
    double *all;
    int32_t *face;
    NEW(all, s->n_boundary), NEW(face, s->n_own);
    device_download(face, s->face, (size_t)s->n_own * sizeof *face);
    device_download(all, of_all, (size_t)s->n_boundary * sizeof *all);
    for (int32_t i = 0; i < s->n_own; i++) s->own[i] = all[face[i]];
    gather(s, s->own, 1, value);
    free(all), free(face);
}

static void read_field(const struct surface *s, const struct flow *f, const struct field *x, double *value)
{
    if (s->of_heat) {
        take_faces(s, heat_at_boundary(f), value);
        return;
    }
    struct face_args a = {.s = f->s, .fluids = fluids_of(f), .n = s->n_own, .face = s->face, .point = s->place,
                          .value = *x->value, .boundary = x->boundary ? *x->boundary : NULL, .falls = x->falls,
                          .sampled = s->work};
    int64_t n = (int64_t)x->components * s->n_own;
    sample_faces(&a, n);
    device_download(s->own, s->work, (size_t)n * sizeof *value);
    gather(s, s->own, x->components, value);
}

/* Viscous force along the face, over its area. */
static void read_shear(const struct surface *s, const struct flow *f, const struct field *of, double *value)
{
    (void)of;
    int dim = s->m->dim;
    int64_t n = s->n;
    wall_force_of_faces(f, s->face, s->place, s->n_own, s->work, s->own);
    gather(s, s->own, 2 * dim, s->force);
    for (int32_t i = 0; i < n; i++) {
        double through = 0;
        for (int k = 0; k < dim; k++) through += s->force[(dim + k) * n + i] * s->normal[k * n + i];
        for (int k = 0; k < dim; k++)
            value[k * n + i] = (s->force[(dim + k) * n + i] - through * s->normal[k * n + i]) / s->area[i];
    }
}

static void read_wall_distance(const struct surface *s, const struct flow *f, const struct field *of, double *value)
{
    (void)f, (void)of;
    for (int32_t i = 0; i < s->n; i++) {
        double through = 0;
        for (int k = 0; k < s->m->dim; k++)
            through += s->normal[(int64_t)k * s->n + i] *
                       face_vector(s->m->face_r, s->m, k, s->m->n_internal + s->number[i]);
        value[i] = through;
    }
}

static void read_flow(const struct surface *s, const struct flow *f, const struct field *of, double *value)
{
    (void)of;
    take_faces(s, f->flux + f->s.n_internal, value);
}

static void read_flux(const struct surface *s, const struct flow *f, const struct field *of, double *value)
{
    take_faces(s, s->of_heat ? heat_through_boundary(f) : of->make_flux(of->owner), value);
    for (int32_t i = 0; i < s->n; i++) value[i] /= s->area[i];
}

/* ---------------------------------------------------------------- quantities by name */
/* Quantities of faces.  read: NULL: no quantity has this name; field: of FIELD_SAMPLE, or the transported one. */
struct quantity {
    int components;
    void (*read)(const struct surface *s, const struct flow *f, const struct field *of, double *value);
    const struct field *field;
};
static const struct { const char *name; struct quantity is; } extra[] = {        /* not fields */
    {"shear", {3, read_shear, NULL}}, {"wall-distance", {1, read_wall_distance, NULL}}, {"flow", {1, read_flow, NULL}}};
enum { N_EXTRA = sizeof extra / sizeof *extra };

/* Without a velocity only the distance is left. */
static bool has_extra(int i, const struct fields *all)
{
    return extra[i].is.read == read_wall_distance || fields_find(all, "velocity", FIELD_SAMPLE);
}

static void flux_name(char text[NAME_LENGTH + 8], const struct field *of)
{
    snprintf(text, NAME_LENGTH + 8, "%s-flux", of->name);
}

static struct quantity quantity_of(const char *name, const struct fields *all, int dim)
{
    for (int i = 0; i < N_EXTRA; i++)
        if (!strcmp(name, extra[i].name) && has_extra(i, all))
            return (struct quantity){extra[i].is.components == 1 ? 1 : dim, extra[i].is.read, NULL};
    const struct field *field = fields_find(all, name, FIELD_SAMPLE);
    if (field) return (struct quantity){field->components, read_field, field};
    for (int i = 0; i < all->n; i++) {
        char text[NAME_LENGTH + 8];
        if (!all->field[i].make_flux) continue;
        flux_name(text, &all->field[i]);
        if (!strcmp(name, text)) return (struct quantity){1, read_flux, &all->field[i]};
    }
    return (struct quantity){0};
}

/* The message lists the valid names. */
static bool refuse_field(const struct surface_setting *set, const char *name, const struct fields *all,
                         struct error *e)
{
    const char **names;
    char text[2 * PATH_LENGTH], (*flux)[NAME_LENGTH + 8];
    int n = 0;
    NEW(names, 2 * all->n + N_EXTRA), NEW(flux, all->n);
    for (int k = 0; k < all->n; k++) {
        if (all->field[k].use & FIELD_SAMPLE) names[n++] = all->field[k].name;
        if (!all->field[k].make_flux) continue;
        flux_name(flux[k], &all->field[k]);
        names[n++] = flux[k];
    }
    for (int k = 0; k < N_EXTRA; k++) if (has_extra(k, all)) names[n++] = extra[k].name;
    snprintf(text, sizeof text, "%s: surfaces.%s.fields: faces have no \"%s\"", case_place_text(set->place), set->name,
             name);
    refuse_name(e, text, name, names, n);
    free(names), free(flux);
    return false;
}

static bool check(const void *setting, const struct fields *all, bool averaged, struct error *e)
{
    const struct surface_setting *set = setting;
    if (!columns_check("surfaces", setting, set->n_fields, averaged, e)) return false;
    for (int i = 0; i < set->n_fields; i++)
        if (!quantity_of(set->field[i], all, 3).read) return refuse_field(set, set->field[i], all, e);
    return true;
}

static void columns(const void *setting, const struct fields *all, int dim, struct watch *w)
{
    const struct surface_setting *set = setting;
    watch_add(w, "area");
    for (int i = 0; i < set->n_fields; i++) {
        struct quantity x = quantity_of(set->field[i], all, dim);
        for (int k = 0; k < x.components; k++) {
            char name[2 * NAME_LENGTH];
            if (x.components == 1) snprintf(name, sizeof name, "%s", set->field[i]);
            else snprintf(name, sizeof name, "%s_%c", set->field[i], "xyz"[k]);
            watch_add(w, "%s", name);
            if (x.read == read_flow) continue;
            watch_add(w, "%s_min", name), watch_add(w, "%s_max", name);
        }
    }
}

/* ---------------------------------------------------------------- the monitor */
static bool create(struct monitor *o, struct error *e)
{
    struct surface *s = o->own;
    const struct surface_setting *set = o->set;
    const struct watching *x = o->x;
    const struct fields *all = &x->f->fields;
    s->of_heat = is_of_heat(set, x->m);
    const struct mesh *m = s->of_heat ? x->m->conducting : x->m;
    const int dim = m->dim;
    s->set = set, s->m = mesh_whole(m);
    if (!check(set, all, x->averages != NULL, e) || !find_faces(s, &s->facets, e)) return false;
    take_vertices(&s->facets, s->m);
    for (int i = 0; i < set->n_fields; i++)
        columns_add(&s->columns, set->field[i], quantity_of(set->field[i], all, dim).components);
    columns_allocate(&s->columns, s->n, x->averages, "faces", set->name);
    NEW(s->centre, (2 * (int64_t)dim + 1) * s->n);
    s->area = s->centre + (int64_t)dim * s->n, s->normal = s->area + s->n;
    NEW(s->force, 2 * (int64_t)dim * s->n);
    measure_faces(s);
    take_own(s, m);
    return true;
}

static bool open_surface(struct monitor *o, struct error *e)
{
    struct surface *s = o->own;
    const struct watching *x = o->x;
    snprintf(s->directory, sizeof s->directory, "%s/surfaces/%s", x->directory, s->set->name);
    s->series = output_open_facets(s->directory, s->set->name, x->c->output.format, &s->facets, x->resume, x->step, e);
    facets_free(&s->facets);
    return s->series != NULL;
}

/* Mean over the area, minimum and maximum; for the flow the sum.  Returns the number of values. */
static int summarise(const struct surface *s, const double *value, bool sum, double *to)
{
    double part[2] = {0}, extreme[2] = {-INFINITY, -INFINITY};          /* by area, area; - least, most */
    for (int32_t i = 0; i < s->n; i++) {
        part[0] += sum ? value[i] : value[i] * s->area[i], part[1] += s->area[i];
        extreme[0] = fmax(extreme[0], -value[i]), extreme[1] = fmax(extreme[1], value[i]);
    }
    to[0] = sum ? part[0] : part[0] / part[1];
    if (!sum) to[1] = -extreme[0], to[2] = extreme[1];
    return sum ? 1 : 3;
}

static void read_surface(struct monitor *o, const struct flow *f)
{
    struct surface *s = o->own;
    double *value = s->columns.value, *to = o->row->value + 1, area = 0;
    for (int32_t i = 0; i < s->n; i++) area += s->area[i];
    o->row->value[0] = area;
    for (int i = 0; i < s->set->n_fields; i++) {
        const struct quantity x = quantity_of(s->set->field[i], &f->fields, s->m->dim);
        x.read(s, f, x.field, value);
        for (int k = 0; k < x.components; k++, value += s->n)
            to += summarise(s, value, x.read == read_flow, to);
    }
}

/* ---------------------------------------------------------------- files */
static void print_surface(const struct monitor *o)
{
    const struct watch *row = o->row;
    const double *value = row->value;
    log_print("  surface %-13s  area %.6g; mean (smallest .. largest):\n", row->name, value[0]);
    for (int i = 1; i < row->n; i++) {
        bool flow = i + 1 == row->n || !strstr(row->column[i + 1], "_min");
        log_print("    %-19s  %.6g", row->column[i], value[i]);
        if (!flow) log_print(" (%.4g .. %.4g)", value[i + 1], value[i + 2]), i += 2;
        log_print("\n");
    }
}

static bool write_surface(const struct monitor *o, int64_t step, double time, struct error *e)
{
    const struct surface *s = o->own;
    const bool plane = s->m->dim == 2;
    char path[2 * PATH_LENGTH + 16];
    snprintf(path, sizeof path, "%s/faces.csv", s->directory);
    return columns_write(&s->columns, s->series, step, time, e) &&
           columns_table(&s->columns, path, plane ? "x,y,area,normal_x,normal_y"
                                                  : "x,y,z,area,normal_x,normal_y,normal_z",
                         2 * s->m->dim + 1, s->centre, e);
}

static void free_surface(void *own)
{
    struct surface *s = own;
    output_close(s->series), facets_free(&s->facets);
    device_free(s->face), device_free(s->place), device_free(s->work);
    free(s->number), free(s->order), free(s->own), free(s->centre), free(s->force);
    columns_free(&s->columns);
}

const struct monitor_kind surfaces_kind = {
    .section = "surfaces", .word = "surface", .list = offsetof(struct case_settings, surfaces),
    .element = sizeof(struct surface_setting), .looks = true, .every = offsetof(struct surface_setting, every),
    .size = sizeof(struct surface), .columns = columns, .check = check, .create = create,
    .open = open_surface, .read = read_surface, .write = write_surface, .print = print_surface, .free = free_surface};
