/* digest.h: FNV-1a, 64 bits (Fowler, Noll, Vo): the fingerprint by which two runs are compared to the bit. */
#ifndef POISE_DIGEST_H
#define POISE_DIGEST_H
#include <stddef.h>
#include <stdint.h>

#define DIGEST_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t digest_add(uint64_t h, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}
#endif
