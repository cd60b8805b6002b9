/* The checksum that guards files (digest.h). */
#include "base/digest.h"
#include <string.h>

/* Mixing function of splitmix64 (Steele, Lea & Flood 2014).  It is one-to-one, so a change of a single word is always
 * detected. */
static uint64_t mixed(uint64_t word, uint64_t place)
{
    uint64_t z = word + (place + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t checksum_add(uint64_t sum, uint64_t at, const void *data, size_t bytes)
{
    enum { PARALLEL = 1 << 17 };                        /* number of words above which threads pay off */
    const char *p = data;
    const int64_t n = (int64_t)(bytes / sizeof(uint64_t));
    const uint64_t first = at / sizeof(uint64_t);
    uint64_t last = 0;
    #pragma omp parallel for schedule(static) reduction(+ : sum) if (n > PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        uint64_t word;
        memcpy(&word, p + i * (int64_t)sizeof word, sizeof word);
        sum += mixed(word, first + (uint64_t)i);
    }
    if (bytes % sizeof last == 0) return sum;
    memcpy(&last, p + n * (int64_t)sizeof last, bytes % sizeof last);
    return sum + mixed(last, first + (uint64_t)n);
}

uint64_t checksum_end(uint64_t sum, uint64_t bytes) { return sum + mixed(bytes, UINT64_MAX / 2); }
