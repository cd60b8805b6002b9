/* matrix_file.h: reads a linear system from a file of any supported format. */
#ifndef POISE_MATRIX_FILE_H
#define POISE_MATRIX_FILE_H
#include "system/linear_system.h"

/* Determined by the end of the name: .mtx, .mtx.gz (matrix_market.h) or .h5 (matrix_hdf5.h). */
bool matrix_file_read(struct linear_system *s, const char *path, struct error *e);

/* coordinate; real, integer or pattern (values 1); general or symmetric.  False with file:line, what was found and what
 * was expected, when a .gz expands to more than 100 times its size, or as from linear_system_of_rows(). */
bool matrix_market_read(struct linear_system *s, const char *path, struct error *e);
/* array, real or integer, general: one column of n numbers.  The caller frees it; NULL with a message. */
double *matrix_market_read_vector(const char *path, int32_t n, struct error *e);
/* Writes rows in the order of s: the lower triangle (symmetric), or all entries (general), including those of blocks;
 * not the right-hand side. */
bool matrix_market_write(const struct linear_system *s, const char *path, struct error *e);
bool matrix_market_write_vector(const double *v, int32_t n, const char *path, struct error *e);

/* False: missing, not such a file, inconsistent, or as from linear_system_of_rows(). */
bool matrix_hdf5_read(struct linear_system *s, const char *path, struct error *e);
/* Writes the rows in the order of s, with all their known data.  Errors as in file_replace(). */
bool matrix_hdf5_write(const struct linear_system *s, const char *path, struct error *e);
/* A file with one array, "value" [n]. */
double *matrix_hdf5_read_vector(const char *path, int32_t n, struct error *e);
bool matrix_hdf5_write_vector(const double *v, int32_t n, const char *path, struct error *e);
#endif
