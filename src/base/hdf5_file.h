/* hdf5_file.h: HDF5 files that are whole or not there.  A file is composed in memory and written in one piece by
 * file_replace(): the HDF5 library itself (1.10) crashes when the disk fills up under it.  hdf5_reader.h reads. */
#ifndef POISE_HDF5_FILE_H
#define POISE_HDF5_FILE_H
#include <hdf5.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

/* A file that Poise will read again begins with a line of text in a block of its own: a checksum of all that follows,
 * which hdf5_open() (hdf5_reader.h) checks before the library looks at the file.  Other programs read past it.  kind:
 * HDF5_CHECKSUM (digest.h), or "digest" (FNV-1a), as versions up to 0.3 wrote it. */
enum { HDF5_FRONT = 512 };
#define HDF5_CHECKSUM "checksum"
#define HDF5_FRONT_LINE(what, kind) "Poise " what "; HDF5 from byte 512 on; " kind " %016" PRIx64 "\n"

/* An empty file in memory.  front: 0, or HDF5_FRONT for one that will begin with its checksum. */
hid_t hdf5_compose(size_t front);
/* A dataset, written whole; the groups in its name ("/cells/type") are made. */
void hdf5_put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *length, const void *data);
/* A dataset of doubles or integers that has no numbers of its own: rows from `at` on are those of a whole dataset, of
 * as many rows, in another file, named from the folder of this one.  Rows of no part are NaN, or 0. */
struct hdf5_part { const char *file, *name; hsize_t at, rows; };
void hdf5_put_virtual(hid_t file, const char *name, hid_t type, int rank, const hsize_t *length,
                      const struct hdf5_part *part, int n_parts);
/* An attribute of a group: n numbers, or (n = 0) a text of fixed length. */
void hdf5_put_attribute(hid_t file, const char *group, const char *name, hid_t type, hsize_t n, const void *value);
void hdf5_put_number(hid_t file, const char *attribute, hid_t type, const void *value);       /* attribute of / */
void hdf5_put_text(hid_t file, const char *attribute, const char *text);                      /* attribute of / */
/* Passes the composed file to writer_give() (writer.h), which writes and frees it; during a run, in the background.
 * what: the word for it in the line in front ("mesh"), where it has one.  False (EXIT_RESOURCE) as writer_give(). */
bool hdf5_save(hid_t file, const char *what, const char *path, struct error *e);
#endif
