/* matrix_file.h: reads a linear system from a file of any supported format. */
#ifndef POISE_MATRIX_FILE_H
#define POISE_MATRIX_FILE_H
#include "system/linear_system.h"

/* Determined by the end of the name: .mtx, .mtx.gz (matrix_market.h) or .h5 (matrix_hdf5.h). */
bool matrix_file_read(struct linear_system *s, const char *path, struct error *e);
#endif
