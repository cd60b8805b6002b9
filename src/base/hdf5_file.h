/* hdf5_file.h: HDF5 files that are whole or not there.  A file is composed in memory and written in one piece by
 * file_replace(): the HDF5 library itself (1.10) crashes when the disk fills up under it. */
#ifndef POISE_HDF5_FILE_H
#define POISE_HDF5_FILE_H
#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

/* An empty file in memory.  user_block: bytes in front of the HDF5 part that HDF5 leaves alone (0, or a power of 2 from
 * 512 on). */
hid_t hdf5_compose(size_t user_block);
/* A dataset, written whole; the groups in its name ("/cells/type") are made. */
void hdf5_put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *length, const void *data);
void hdf5_put_number(hid_t file, const char *attribute, hid_t type, const void *value);       /* attribute of / */
void hdf5_put_text(hid_t file, const char *attribute, const char *text);                      /* attribute of / */
/* The composed file: its bytes, which stay where they are until something more is put. */
char *hdf5_bytes(hid_t file, size_t *bytes);
/* Writes and frees the composed file.  False (EXIT_RESOURCE) as file_replace(). */
bool hdf5_save(hid_t file, const char *path, struct error *e);

/* For reading: the file, or a negative number when there is none or it is not HDF5 (nothing is printed). */
hid_t hdf5_open(const char *path);
/* A dataset's rank (0 .. 8) and lengths; -1 when there is no such dataset. */
int hdf5_shape(hid_t file, const char *name, hsize_t length[8]);
bool hdf5_get(hid_t file, const char *name, hid_t type, void *data);
bool hdf5_get_number(hid_t file, const char *attribute, hid_t type, void *value);
char *hdf5_get_text(hid_t file, const char *attribute);         /* the caller's to free; NULL: no such attribute */
#endif
