/* Reads a linear system from a file of any supported format (matrix_file.h). */
#include "system/matrix_file.h"
#include "base/file.h"

bool matrix_file_read(struct linear_system *s, const char *path, struct error *e)
{
    if (file_ends_in(path, ".mtx") || file_ends_in(path, ".mtx.gz")) return matrix_market_read(s, path, e);
    if (file_ends_in(path, ".h5")) return matrix_hdf5_read(s, path, e);
    return refuse(e, EXIT_INPUT, "%s: expected a file whose name ends in .mtx, .mtx.gz or .h5", path);
}
