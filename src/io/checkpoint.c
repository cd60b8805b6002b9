/* checkpoint.h5: an HDF5 file behind a block of 512 bytes with one line of text: a digest of all that follows.  It is
 * checked before HDF5 looks at the file, so that damage anywhere is found and cannot lead the library astray. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/file.h"
#include "base/hdf5_file.h"
#include "base/memory.h"
#include "io/output.h"

enum { FRONT = 512 };
static const char front[] = "Poise checkpoint; HDF5 from byte 512 on; digest %016" PRIx64 "\n";

bool checkpoint_write(const char *path, const char *key, int64_t step, const struct checkpoint_array *a, int n,
                      struct error *e)
{
    size_t bytes;
    hid_t file = hdf5_compose(FRONT);
    hdf5_put_text(file, "key", key);
    hdf5_put_number(file, "step", H5T_NATIVE_INT64, &step);
    for (int k = 0; k < n; k++)
        if (a[k].n || !a[k].integers)
            hdf5_put(file, a[k].name, a[k].integers ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE, 1, (hsize_t[]){(hsize_t)a[k].n},
                     a[k].value);
    char *data = hdf5_bytes(file, &bytes);
    snprintf(data, FRONT, front, digest_add(DIGEST_START, data + FRONT, bytes - FRONT));
    bool ok = file_replace(path, data, bytes, e);
    H5Fclose(file);
    return ok;
}

static bool damaged(struct error *e, const char *path, const char *why)
{
    return refuse(e, EXIT_INPUT, "%s: not a checkpoint of Poise, or damaged: %s; remove it and run without --restart",
                  path, why);
}

/* The whole file against the digest in front of it. */
static bool verify(const char *path, struct error *e)
{
    enum { PIECE = 1 << 20 };
    FILE *in = fopen(path, "rb");
    if (!in && errno == ENOENT)
        return refuse(e, EXIT_INPUT, "%s: there is no checkpoint to restart from; run without --restart", path);
    if (!in) return file_refuse(e, path, "could not be opened");
    char head[FRONT + 1] = "", *piece;
    uint64_t expected, found = DIGEST_START;
    bool ok = fread(head, 1, FRONT, in) == FRONT && sscanf(head, front, &expected) == 1;
    if (!ok) damaged(e, path, "it does not begin as one");
    NEW(piece, PIECE);
    for (size_t got; ok && (got = fread(piece, 1, PIECE, in)) > 0;) found = digest_add(found, piece, got);
    if (ok && ferror(in)) ok = file_refuse(e, path, "could not be read");
    else if (ok && found != expected) ok = damaged(e, path, "its contents do not match its digest");
    free(piece);
    fclose(in);
    return ok;
}

static bool read_integers(hid_t file, const char *path, struct checkpoint_array *a, struct error *e)
{
    hsize_t length[8] = {0};
    int32_t *value;
    if (hdf5_shape(file, a->name, length) != 1) return true;
    NEW(value, length[0]);
    a->value = value, a->n = (int64_t)length[0];
    return hdf5_get(file, a->name, H5T_NATIVE_INT32, value) || damaged(e, path, a->name);
}

static bool read_arrays(hid_t file, const char *path, struct checkpoint_array *a, int n, struct error *e)
{
    for (int k = 0; k < n; k++) {
        hsize_t length[8] = {0};
        if (a[k].integers) {
            if (!read_integers(file, path, &a[k], e)) return false;
            continue;
        }
        if (hdf5_shape(file, a[k].name, length) != 1)
            return refuse(e, EXIT_INPUT, "%s: it does not hold \"%s\"; run without --restart", path, a[k].name);
        if (length[0] != (hsize_t)a[k].n)
            return refuse(e, EXIT_INPUT, "%s: \"%s\" has %" PRIu64 " numbers, %" PRId64 " were expected; run without "
                          "--restart", path, a[k].name, (uint64_t)length[0], a[k].n);
        if (!hdf5_get(file, a[k].name, H5T_NATIVE_DOUBLE, a[k].value)) return damaged(e, path, a[k].name);
    }
    return true;
}

bool checkpoint_read(const char *path, const char *key, int64_t *step, struct checkpoint_array *a, int n, struct error *e)
{
    for (int k = 0; k < n; k++) if (a[k].integers) a[k].value = NULL, a[k].n = 0;
    if (!verify(path, e)) return false;
    hid_t file = hdf5_open(path);
    if (file < 0) return damaged(e, path, "HDF5 does not open it");
    char *found = hdf5_get_text(file, "key");
    bool ok = found && hdf5_get_number(file, "step", H5T_NATIVE_INT64, step);
    if (!ok) damaged(e, path, "key or step is missing");
    else if (strcmp(found, key))
        ok = refuse(e, EXIT_INPUT, "%s: it was written by a run with other settings\n  checkpoint: %.1500s\n"
                    "  this run:   %.1500s\nset them back, or run without --restart", path, found, key);
    if (ok) ok = read_arrays(file, path, a, n, e);
    free(found);
    H5Fclose(file);
    return ok;
}
