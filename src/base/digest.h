/* digest.h: FNV-1a, 64 bits (Fowler, Noll, Vo), used to compare two runs bit by bit, and a checksum that guards files,
 * which is many times faster and multithreaded. */
#ifndef POISE_DIGEST_H
#define POISE_DIGEST_H
#include <stddef.h>
#include <stdint.h>

#define DIGEST_START UINT64_C(0xcbf29ce484222325)

/* Digest of one byte; or of a whole word at once, for tables within this run. */
static inline uint64_t digest_step(uint64_t h, uint64_t word) { return (h ^ word) * UINT64_C(0x100000001b3); }
static inline uint64_t digest_add(uint64_t h, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; i++) h = digest_step(h, p[i]);
    return h;
}

/* Checksum: the sum over all 8-byte words of a hash of the word and its position, so that pieces can be added in any
 * order.  `at`: bytes before this piece, a multiple of 8.  Only the last piece may end within a word. */
uint64_t checksum_add(uint64_t sum, uint64_t at, const void *data, size_t bytes);
/* After the last piece: adds the number of bytes. */
uint64_t checksum_end(uint64_t sum, uint64_t bytes);
#endif
