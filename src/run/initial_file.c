/* Reads and interpolates the fields of another run (initial_file.h). */
#include "run/initial_file.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "flow/start_values.h"
#include "gpu/ranks.h"
#include "interface/fraction_transfer.h"
#include "io/series.h"
#include "run/fields_check.h"

/* ---------------------------------------------------------------- the other run */
struct other {
    char directory[PATH_LENGTH];
    struct written_step step;
    struct mesh mesh;
};

/* Puts the place of the setting before a message. */
static bool at_place(const struct case_settings *c, struct error *e)
{
    struct error *one;
    NEW(one, 1);
    error_copy(one, e);
    refuse(e, one->status, "%s: initial.file: %s", case_place_text(c->flow.initial.place), one->text);
    free(one);
    return false;
}

static bool is_output(const char *name) { return file_ends_in(name, ".out"); }

/* "RUN.out/fields/000200.h5": its directory. */
static bool split_path(struct other *o, const char *path)
{
    static const char folder[] = "fields";
    const char *name = strrchr(path, '/');
    if (!name || !file_ends_in(path, ".h5") || name - path < (long)sizeof folder - 1) return false;
    const char *at = name - (sizeof folder - 1);
    if (strncmp(at, folder, sizeof folder - 1) || (at > path && at[-1] != '/')) return false;
    if (at == path) strcpy(o->directory, ".");
    else snprintf(o->directory, sizeof o->directory, "%.*s", at - 1 > path ? (int)(at - 1 - path) : 1, path);
    return true;
}

static bool find_step(struct other *o, const struct initial_setting *s, struct error *e)
{
    struct stat found;
    if (stat(s->file, &found))
        return refuse(e, EXIT_INPUT, "%s: %s%s", s->file, strerror(errno),
                      file_others(s->file, "output directories", is_output));
    if (S_ISDIR(found.st_mode)) {
        snprintf(o->directory, sizeof o->directory, "%s", s->file);
        return series_step(&o->step, s->file, s->step, e);
    }
    if (!split_path(o, s->file))
        return refuse(e, EXIT_INPUT, "%s: expected the output directory of a run, NAME.out, or one of its files "
                      "NAME.out/fields/NNNNNN.h5", s->file);
    o->step = (struct written_step){.step = strtoll(strrchr(s->file, '/') + 1, NULL, 10)};
    snprintf(o->step.path, sizeof o->step.path, "%s", s->file);
    return series_read(&o->step, "", e);
}

/* A run that started from its own results would give another one each time. */
static bool is_own(const struct case_settings *c, const struct other *o)
{
    struct stat a, b;
    return !stat(o->directory, &a) && !stat(c->output.directory, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* o->mesh is good for mesh_free() in any case. */
static bool open_other(struct other *o, const struct case_settings *c, int dim, struct error *e)
{
    char path[PATH_LENGTH + 16];
    memset(o, 0, sizeof *o);
    if (!find_step(o, &c->flow.initial, e)) return false;
    if (is_own(c, o))
        return refuse(e, EXIT_INPUT, "%s is the output directory of this run, which it would overwrite: continue with "
                      "--restart, or write elsewhere (output.directory, --output)", o->directory);
    snprintf(path, sizeof path, "%s/mesh.h5", o->directory);
    return mesh_open(&o->mesh, path, ORDERING_NONE, e) &&
           (o->mesh.dim == dim || refuse(e, EXIT_INPUT, "%s is %d-D, but the mesh of this case is %d-D", o->directory,
                                         o->mesh.dim, dim));
}

/* ---------------------------------------------------------------- which fields */
static const struct written_field *find_written(const struct written_step *w, const struct field *f)
{
    for (int i = 0; i < w->n_fields; i++)
        if (!strcmp(w->field[i].name, f->name) && (w->field[i].components > 1) == (f->components > 1))
            return &w->field[i];
    return NULL;
}

/* Whether the run continues with this field from step to step.  A scalar in one of two fluids is written as its amount
 * in the whole cell, which does not determine its value. */
static bool is_state(const struct case_settings *c, const struct field *f)
{
    const unsigned both = FIELD_OUTPUT | FIELD_CHECKPOINT;
    for (const struct scalar_setting *s = c->flow.scalars.item; s < c->flow.scalars.item + c->flow.scalars.n; s++)
        if (!strcmp(s->name, f->name) && (s->fluid == SCALAR_IN_FIRST || s->fluid == SCALAR_IN_SECOND)) return false;
    return (f->use & both) == both && !f->rows && f->of == ITEM_CELLS &&
           !(flow_is_advection(&c->flow) && strcmp(f->name, "fraction"));
}

static bool refuse_field(const struct other *o, const char *name, const char *advice, struct error *e)
{
    const struct written_step *w = &o->step;
    char list[600] = "";
    for (int i = 0, n = 0; i < w->n_fields && n < (int)sizeof list - 2 * NAME_LENGTH; i++)
        n += snprintf(list + n, sizeof list - (size_t)n, "%s%s", i ? ", " : "", w->field[i].name);
    return refuse(e, EXIT_INPUT, "%s has no field \"%s\"; it has: %s\n  %s", w->path, name, list, advice);
}

/* Without these the run would not start where the user believes. */
static bool check_fields(const struct case_settings *c, const struct other *o, struct error *e)
{
    static const struct field velocity = {.name = "velocity", .components = 3}, fraction = {.name = "fraction",
                                                                                            .components = 1};
    bool enters = false;
    for (int i = 0; i < c->flow.boundary.n; i++) {
        const struct value_setting *entering = &c->flow.boundary.item[i].fraction;
        enters = enters || entering->text || entering->number > 0;
    }
    if (flow_is_solved(&c->flow) && !find_written(&o->step, &velocity))
        return refuse_field(o, "velocity", "run it again with output.fields = [\"velocity\", \"pressure\"]", e);
    if (c->flow.second_fluid.given && !c->flow.shapes.n && !enters && !find_written(&o->step, &fraction))
        return refuse_field(o, "fraction", "expected shapes = { .. }, or a run that has written it (output.fields)", e);
    return true;
}

bool initial_file_check(const struct case_settings *c, int dim, struct error *e)
{
    struct other o;
    if (!*c->flow.initial.file) return true;
    bool good = (open_other(&o, c, dim, e) && check_fields(c, &o, e)) || at_place(c, e);
    mesh_free(&o.mesh);
    return good;
}

/* ---------------------------------------------------------------- values on rank 0 */
/* Fields in the order of the whole mesh, [components n_cells] each, and lines for the log. */
struct reading {
    const struct case_settings *c;
    struct start_values *all;
    struct transfer transfer;
    char note[2000];
};

static void add_note(struct reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_note(struct reading *r, const char *format, ...)
{
    const size_t n = strlen(r->note);
    va_list list;
    va_start(list, format);
    vsnprintf(r->note + n, sizeof r->note - n, format, list);
    va_end(list);
}

static double volume_of(const struct mesh *m, const double *fraction)
{
    double sum = 0;
    for (int32_t c = 0; c < m->n_cells; c++) sum += m->cell_volume[c] * fraction[c];
    return sum;
}

static void note_volume(struct reading *r, const double *from, const double *to)
{
    const double before = volume_of(r->transfer.from, from), after = volume_of(r->transfer.to, to);
    const double percent = before > 0 ? 100 * (after / before - 1) : 0;
    add_note(r, "           volume of the second fluid %.6g, ", after);
    if (fabs(percent) < 1e-6) add_note(r, "as in the file\n");
    else add_note(r, "%.2g %% %s than in the file\n", fabs(percent), percent > 0 ? "more" : "less");
}

static bool check_finite(const struct other *o, const struct written_field *f, const double *value, struct error *e)
{
    for (int64_t i = 0; i < (int64_t)f->components * o->mesh.n_cells; i++)
        if (!isfinite(value[i]))
            return refuse(e, EXIT_INPUT, "%s: \"%s\" of cell %" PRId64 " is %g: expected numbers; choose another step "
                          "(initial.step)", o->step.path, f->name, i / f->components, value[i]);
    return true;
}

static bool read_field(struct reading *r, const struct other *o, const struct written_field *w, const struct field *f,
                       struct error *e)
{
    struct start_field *x = &r->all->field[r->all->n];
    const int64_t n = r->transfer.to->n_cells;
    double *from = series_field(&o->step, w, o->mesh.n_cells, e);
    if (!from || !check_finite(o, w, from, e)) return free(from), false;
    const bool fraction = !strcmp(f->name, "fraction");
    double *to = fraction ? fraction_transfer(&r->transfer, from)
                          : transfer_field(&r->transfer, from, w->components, true);
    if (fraction) note_volume(r, from, to);
    snprintf(x->name, sizeof x->name, "%s", f->name);
    x->components = f->components, x->n_cells = (int32_t)n, x->with_solids = f->with_solids;
    NEW(x->value, f->components * n);
    for (int k = 0; k < f->components; k++)
        for (int64_t c = 0; c < n; c++) x->value[k * n + c] = to[c * w->components + k];
    for (int64_t c = 0; !strcmp(f->name, "velocity") && c < n; c++) {
        double square = 0;
        for (int k = 0; k < f->components; k++) square += x->value[k * n + c] * x->value[k * n + c];
        r->all->speed = fmax(r->all->speed, sqrt(square));
    }
    r->all->n++;
    free(from), free(to);
    return true;
}

/* All fields; *kept: names of those that the file does not have. */
static bool read_fields(struct reading *r, const struct other *o, char kept[600], struct error *e)
{
    struct fields list = fields_of(&r->c->flow, o->mesh.dim);
    bool good = true;
    size_t n = 0;
    for (const struct field *f = list.field; good && f < list.field + list.n && r->all->n < MOST_START_FIELDS; f++) {
        if (!(f->use & FIELD_OUTPUT) || !(f->use & FIELD_CHECKPOINT) || f->rows) continue;
        const struct written_field *w = is_state(r->c, f) ? find_written(&o->step, f) : NULL;
        if (w && !strcmp(f->name, "fraction") && r->c->flow.shapes.n) w = NULL;
        if (w) good = read_field(r, o, w, f, e);
        else if (n < 600) n += (size_t)snprintf(kept + n, 600 - n, "%s%s", n ? ", " : "", f->name);
    }
    fields_free(&list);
    return good;
}

static bool read_all(struct reading *r, const struct mesh *m, struct error *e)
{
    struct other o;
    char kept[600] = "", volume[2000];
    bool good = open_other(&o, r->c, m->dim, e) && check_fields(r->c, &o, e);
    if (good) transfer_create(&r->transfer, &o.mesh, m), r->transfer.by_region = r->c->flow.solids.n > 0;
    if (good && r->transfer.n_outside == m->n_cells)
        good = refuse(e, EXIT_INPUT, "no cell of this case is inside the mesh of %s; do both have the same unit of "
                      "length (mesh.scale)?", o.directory);
    good = good && read_fields(r, &o, kept, e);
    strcpy(volume, r->note), r->note[0] = 0;
    add_note(r, "initial    %s", o.step.path);
    if (o.step.time != (double)o.step.step) add_note(r, ", t = %g", o.step.time);
    for (int i = 0; good && i < r->all->n; i++) add_note(r, "%s%s", i ? ", " : ": ", r->all->field[i].name);
    if (r->transfer.same) add_note(r, "; the meshes are the same\n%s", volume);
    else add_note(r, "; interpolated from %d cells\n%s", o.mesh.n_cells, volume);
    if (r->transfer.n_outside)
        add_note(r, "           %d cells are farther than a cell's size outside its mesh and have the values of the "
                 "nearest cells\n", r->transfer.n_outside);
    if (*kept) add_note(r, "           not from there: %s\n", kept);
    transfer_free(&r->transfer), mesh_free(&o.mesh);
    return good || at_place(r->c, e);
}

/* ---------------------------------------------------------------- to all ranks */
/* Component k of field i is number `component` in the file. */
static bool read_part(const char *path, struct start_values *all, const struct mesh *m, struct error *e)
{
    const int64_t whole = mesh_count(mesh_with_solids(m), ITEM_CELLS);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), component = 0;
    bool good = file >= 0;
    for (int i = 0; i < all->n; i++) {
        struct start_field *x = &all->field[i];
        const struct mesh *mine = x->with_solids ? mesh_with_solids(m) : m;
        const int64_t first = mine->part ? mine->part->first : 0;
        const size_t bytes = (size_t)mine->n_cells * sizeof(double);
        x->n_cells = mine->n_cells;
        NEW(x->value, x->components * (int64_t)x->n_cells);
        for (int k = 0; good && k < x->components; k++, component++) {
            const off_t from = (off_t)((component * whole + first) * (int64_t)sizeof(double));
            char *to = (char *)(x->value + k * (int64_t)x->n_cells);
            for (size_t done = 0; good && done < bytes;) {
                const ssize_t n = pread(file, to + done, bytes - done, from + (off_t)done);
                good = n > 0 || (n < 0 && errno == EINTR);
                if (n > 0) done += (size_t)n;
            }
        }
    }
    int reason = errno;
    if (file >= 0) close(file);
    return good || refuse(e, EXIT_RESOURCE, "%s: rank %d cannot read it: %s; all ranks must see this folder", path,
                          ranks_own(), strerror(reason));
}

/* Rank 0 writes the values of the whole mesh, and frees them. */
static bool write_whole(const char *path, struct start_values *all, struct error *e)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool good = file >= 0;
    for (int i = 0; i < all->n; i++) {
        struct start_field *x = &all->field[i];
        good = good && file_write_all(file, x->value, (size_t)x->components * (size_t)x->n_cells *
                                      sizeof *x->value);
        free(x->value), x->value = NULL;
    }
    int reason = errno;
    if (file >= 0 && close(file) && good) good = false, reason = errno;
    errno = reason;
    return good || file_refuse(e, path, "could not be written");
}

static bool share(const struct case_settings *c, struct start_values *all, const struct mesh *m, struct error *e)
{
    struct { struct start_values all; char path[PATH_LENGTH + 64]; } *sent;
    NEW(sent, ranks_count());
    snprintf(sent[ranks_own()].path, sizeof sent->path, "%s/initial.%ld-0.part", c->output.directory, (long)getpid());
    bool good = ranks_agree(ranks_own() || write_whole(sent[0].path, all, e), e);
    sent[ranks_own()].all = *all;
    ranks_gather(sent, sizeof *sent);
    *all = sent[0].all;
    good = good && ranks_agree(read_part(sent[0].path, all, m, e), e);
    if (!ranks_own()) unlink(sent[0].path);
    free(sent);
    return good;
}

bool initial_file_read(struct case_settings *c, const struct mesh *m, struct error *e)
{
    struct reading r = {.c = c};
    if (!*c->flow.initial.file) return true;
    NEW(r.all, 1);
    c->flow.initial.values = r.all;
    if (!ranks_agree(ranks_own() || read_all(&r, mesh_with_solids(mesh_whole(m)), e), e)) return false;
    snprintf(r.all->note, sizeof r.all->note, "%s", r.note);
    return ranks_count() == 1 || share(c, r.all, m, e);
}

void initial_file_report(const struct case_settings *c)
{
    if (c->flow.initial.values) log_print("%s\n", c->flow.initial.values->note);
}

void initial_file_free(struct case_settings *c)
{
    struct start_values *all = c->flow.initial.values;
    for (int i = 0; all && i < all->n; i++) free(all->field[i].value);
    free(all);
    c->flow.initial.values = NULL;
}
