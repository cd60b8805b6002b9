/* checkpoint.h5: an HDF5 file preceded by its checksum (base/hdf5_file.h), which must match. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/hdf5_file.h"
#include "base/hdf5_reader.h"
#include "gpu/ranks.h"
#include "io/output.h"

bool checkpoint_write(const char *path, const char *key, int64_t step, const struct checkpoint_array *a, int n,
                      struct error *e)
{
    const bool here = !ranks_own();
    hid_t file = here ? hdf5_compose(HDF5_FRONT) : H5I_INVALID_HID;
    if (here) hdf5_put_text(file, "key", key);
    if (here) hdf5_put_number(file, "step", H5T_NATIVE_INT64, &step);
    for (int k = 0; k < n; k++) {
        void *given = a[k].give ? a[k].give(&a[k]) : NULL;
        hid_t number = a[k].single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
        if (here && (a[k].n || !a[k].integers))
            hdf5_put(file, a[k].name, !a[k].integers ? number : a[k].bytes ? H5T_NATIVE_UINT8 : H5T_NATIVE_INT32, 1,
                     (hsize_t[]){(hsize_t)a[k].n}, given ? given : a[k].value);
        free(given);
    }
    return !here || hdf5_save(file, "checkpoint", path, e);
}

static bool damaged(struct error *e, const char *path, const struct hdf5_reader *r)
{
    if (r->status == EXIT_RESOURCE) return refuse(e, r->status, "%s: %s", path, r->why);
    return refuse(e, EXIT_INPUT, "%s: not a checkpoint of Poise, or damaged: %s; remove it and run without --restart",
                  path, r->why);
}

static bool read_integers(struct hdf5_reader *r, const char *path, struct checkpoint_array *a, struct error *e)
{
    int64_t length[2];
    if (hdf5_shape(r, a->name, length) < 0) return !*r->why || damaged(e, path, r);
    a->value = hdf5_array(r, a->name, a->bytes ? HDF5_UINT8 : HDF5_INT32, -1, 1, &a->n);
    return a->value || damaged(e, path, r);
}

struct checkpoint_source { struct hdf5_reader *r; const char *path, *name; struct error *e; };

bool checkpoint_range(struct checkpoint_source *from, int64_t first, int64_t n, double *to)
{
    if (!hdf5_range(from->r, from->name, HDF5_DOUBLE, first, n, to)) return damaged(from->e, from->path, from->r);
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(to[i]))
            return refuse(from->e, EXIT_INPUT, "%s: \"%s\" holds a value that is not a number; run without --restart",
                          from->path, from->name);
    return true;
}

static bool read_numbers(struct hdf5_reader *r, const char *path, struct checkpoint_array *a, struct error *e)
{
    int64_t length[2];
    int rank = hdf5_shape(r, a->name, length);
    if (rank < 0 && *r->why) return damaged(e, path, r);
    if (a->may_lack && (rank != 1 || length[0] != a->n)) return a->n = 0, true;
    if (rank != 1)
        return refuse(e, EXIT_INPUT, "%s: \"%s\" is missing; run without --restart", path, a->name);
    if (length[0] != a->n)
        return refuse(e, EXIT_INPUT, "%s: \"%s\" has %" PRId64 " numbers, %" PRId64 " were expected; run without "
                      "--restart", path, a->name, length[0], a->n);
    struct checkpoint_source from = {r, path, a->name, e};
    return a->take ? a->take(a, &from) : checkpoint_range(&from, 0, a->n, a->value);
}

/* Checks the key and reads the step; false with a message. */
static bool read_head(struct hdf5_reader *r, const char *path, const char *key, int64_t *step, struct error *e)
{
    char found[PATH_LENGTH + 256];
    if (!hdf5_text(r, "key", found, sizeof found) || !hdf5_integer(r, "step", 0, INT64_MAX / 2, step))
        return damaged(e, path, r);
    return !strcmp(found, key) ||
           refuse(e, EXIT_INPUT, "%s: it was written with other settings\n  checkpoint: %.1500s\n"
                  "  this run:   %.1500s\nset them back, or run without --restart", path, found, key);
}

/* Rank 0 reads the whole file to check its checksum; the others read only what they need. */
static bool open_file(struct hdf5_reader *r, const char *path, struct error *e)
{
    bool good = ranks_own() || !access(path, F_OK) ||
                refuse(e, EXIT_INPUT, "%s: there is no checkpoint to restart from; run without --restart", path);
    good = good && (ranks_own() || hdf5_open(r, path) || damaged(e, path, r));
    if (!ranks_agree(good, e)) return false;
    return !ranks_own() || hdf5_open_checked(r, path) || damaged(e, path, r);
}

bool checkpoint_read(const char *path, const char *key, int64_t *step, struct checkpoint_array *a, int n,
                     struct error *e)
{
    struct hdf5_reader r;
    for (int k = 0; k < n; k++) if (a[k].integers) a[k].value = NULL, a[k].n = 0;
    if (!open_file(&r, path, e)) return false;
    bool ok = !strcmp(r.guarded, "checkpoint");
    if (!ok) strcpy(r.why, "it does not begin like one"), damaged(e, path, &r);
    ok = ok && read_head(&r, path, key, step, e);
    for (int k = 0; ok && k < n; k++) ok = (a[k].integers ? read_integers : read_numbers)(&r, path, &a[k], e);
    hdf5_close(&r);
    return ok;
}
