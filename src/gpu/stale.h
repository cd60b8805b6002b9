/* stale.h: in builds with GHOSTS=nan (Makefile), on CPUs: the copies of other ranks' rows (gpu/halo.h) become NaN as
 * soon as their vector is written, so that a kernel which reads them without halo_update() gives no result.  Before
 * every launch vectors are compared with what they were, so nobody has to say which ones it writes. */
#ifndef POISE_STALE_H
#define POISE_STALE_H
#include <stddef.h>
#include <stdint.h>

#ifndef GHOSTS_NAN
#define GHOSTS_NAN 0
#endif

/* The copies from row `place` on in a vector x, [components pitch] of `size` bytes each, are right: it is new and zero,
 * or they have just been fetched. */
void stale_watch(void *x, int64_t components, int64_t place, int64_t pitch, size_t size);
/* Makes copies NaN where the rows before them have been written and they have not; before launches and downloads. */
void stale_find(void);
/* The vectors in this memory are no more. */
void stale_forget(const void *memory, size_t bytes);
#endif
