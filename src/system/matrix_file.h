/* matrix_file.h: a linear system from any file that Poise reads. */
#ifndef POISE_MATRIX_FILE_H
#define POISE_MATRIX_FILE_H
#include "system/linear_system.h"

/* By the end of its name: .mtx, .mtx.gz (matrix_market.h) or .h5 (matrix_hdf5.h). */
bool matrix_file_read(struct linear_system *s, const char *path, struct error *e);
#endif
