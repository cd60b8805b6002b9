/* hdf5_file.h: HDF5 files that are complete or absent.  A file is composed in memory and written in one piece by
 * file_replace(), because the HDF5 library (1.10) itself crashes when the disk is full.  hdf5_reader.h reads them. */
#ifndef POISE_HDF5_FILE_H
#define POISE_HDF5_FILE_H
#include <hdf5.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

/* A file that Poise reads back begins with a line of text in a block of its own: a checksum of everything after it,
 * which hdf5_open() (hdf5_reader.h) checks before the library opens the file.  Other programs skip it.  kind:
 * HDF5_CHECKSUM (digest.h), or "digest" (FNV-1a), as written by versions up to 0.3. */
enum { HDF5_FRONT = 512 };
#define HDF5_CHECKSUM "checksum"
#define HDF5_FRONT_LINE(what, kind) "Poise " what "; HDF5 from byte 512 on; " kind " %016" PRIx64 "\n"

/* An empty file in memory.  front: 0, or HDF5_FRONT if it will begin with its checksum. */
hid_t hdf5_compose(size_t front);
/* A dataset, written whole; the groups in its name ("/cells/type") are created. */
void hdf5_put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *length, const void *data);
/* A virtual dataset of doubles or integers: rows from `at` on are the rows of a whole dataset, of as many rows, in
 * another file, whose path is relative to this file's folder.  Rows without a source are NaN, or 0. */
struct hdf5_part { const char *file, *name; hsize_t at, rows; };
void hdf5_put_virtual(hid_t file, const char *name, hid_t type, int rank, const hsize_t *length,
                      const struct hdf5_part *part, int n_parts);
/* An attribute of a group: n numbers, or (n = 0) a text of fixed length. */
void hdf5_put_attribute(hid_t file, const char *group, const char *name, hid_t type, hsize_t n, const void *value);
void hdf5_put_number(hid_t file, const char *attribute, hid_t type, const void *value);       /* attribute of / */
void hdf5_put_text(hid_t file, const char *attribute, const char *text);                      /* attribute of / */
/* Passes the composed file to writer_give() (writer.h), which writes and frees it; during a run, in the background.
 * what: the file's kind in the leading line ("mesh"), if it has one.  False (EXIT_RESOURCE) as writer_give(). */
bool hdf5_save(hid_t file, const char *what, const char *path, struct error *e);
#endif
