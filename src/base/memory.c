#include "base/memory.h"
#include <stdlib.h>
#include "base/error.h"

static long fail_at;

void allocation_fails_at(long n) { fail_at = n; }

static void *check(void *p, size_t count, size_t size, const char *what)
{
    if (p) return p;
    end_at_once("poise: out of memory: %.1f MB for %s could not be had\n", 1e-6 * (double)count * (double)size, what);
}

void *allocate(size_t count, size_t size, const char *what)
{
    if (fail_at && --fail_at == 0) return check(NULL, count, size, what);
    return check(calloc(count ? count : 1, size), count, size, what);
}

void *resize(void *p, size_t count, size_t size, const char *what)
{
    if (fail_at && --fail_at == 0) return check(NULL, count, size, what);
    if (size && count > (size_t)-1 / size) return check(NULL, count, size, what);
    return check(realloc(p, count ? count * size : 1), count, size, what);
}
