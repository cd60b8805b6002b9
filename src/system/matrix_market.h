/* matrix_market.h: Matrix Market files (Boisvert, Pozo & Remington 1996), plain or compressed by gzip.  Implemented
 * here because no library reports the line and the reason of an error. */
#ifndef POISE_MATRIX_MARKET_H
#define POISE_MATRIX_MARKET_H
#include "system/linear_system.h"

/* coordinate; real, integer or pattern (values 1); general or symmetric.  False with file:line, what was found and what
 * was expected; if a .gz file unpacks into more than 100 times its size; or as linear_system_of_rows(). */
bool matrix_market_read(struct linear_system *s, const char *path, struct error *e);
/* array, real or integer, general: one column of n numbers.  The caller frees it; NULL with a message. */
double *matrix_market_read_vector(const char *path, int32_t n, struct error *e);
/* Writes the rows in the order of s, the lower triangle (symmetric), or all entries (general), also of blocks; without
 * the right-hand side. */
bool matrix_market_write(const struct linear_system *s, const char *path, struct error *e);
bool matrix_market_write_vector(const double *v, int32_t n, const char *path, struct error *e);
#endif
