/* matrix_hdf5.h: Poise's own file of a linear system (HDF5; layout: docs/architecture.md). */
#ifndef POISE_MATRIX_HDF5_H
#define POISE_MATRIX_HDF5_H
#include "system/linear_system.h"

/* False: missing, another format, inconsistent, or as linear_system_of_rows(). */
bool matrix_hdf5_read(struct linear_system *s, const char *path, struct error *e);
/* Writes the rows in the order of s, with all optional parts that are known.  As file_replace(). */
bool matrix_hdf5_write(const struct linear_system *s, const char *path, struct error *e);
/* A file with one array, "value" [n]. */
double *matrix_hdf5_read_vector(const char *path, int32_t n, struct error *e);
bool matrix_hdf5_write_vector(const double *v, int32_t n, const char *path, struct error *e);
#endif
