/* stale.h: in builds with GHOSTS=nan (Makefile), on CPUs: ghosts (gpu/halo.h) become NaN as soon as their vector is
 * written, so that a kernel which reads them without halo_update() yields NaN.  Vectors are compared with their
 * previous contents before every launch, so writes need not be declared. */
#ifndef POISE_STALE_H
#define POISE_STALE_H
#include <stddef.h>
#include <stdint.h>

#ifndef GHOSTS_NAN
#define GHOSTS_NAN 0
#endif

/* The ghosts from row `place` on in a vector x, [components pitch] of `size` bytes each, are valid: the vector is new
 * and zero, or they have just been fetched. */
void stale_watch(void *x, int64_t components, int64_t place, int64_t pitch, size_t size);
/* Makes ghosts NaN if their vector's own rows have been written but not the ghosts; called before launches and
 * downloads. */
void stale_find(void);
/* Forgets the vectors in this memory, which is freed. */
void stale_forget(const void *memory, size_t bytes);
#endif
