/* Host memory: allocation that ends the program on failure (memory.h). */
#include "base/memory.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/error.h"

static bool told_by_parent;
static const char *also = "";

void memory_end_also_says(const char *text) { also = text; }

void memory_end_is_told_by_parent(void) { told_by_parent = true; }

static _Noreturn void end(size_t count, size_t size, const char *what)
{
    if (told_by_parent) _exit(EXIT_RESOURCE);
    end_at_once("poise: out of memory: %.6g MB%s%s could not be allocated%s%s\n", 1e-6 * (double)count * (double)size,
                *what ? " for " : "", what, *also ? "\n  " : "", also);
}

/* glibc's own functions under the names that are replaced here; sanitizers have replaced them already. */
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ && !defined SANITIZED
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

/* Ends the program if a library's request for memory fails.  Only a request for more than the computer's memory is
 * answered with NULL: a damaged file makes a library ask for that, and its caller then names the file. */
static void *check_library(void *p, size_t count, size_t size)
{
    if (p || !count || !size) return p;
    size_t most = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    if (count > most / size) return errno = ENOMEM, NULL;
    end(count, size, "");
}

/* These replace libc's functions in all libraries, because HDF5, libconfig, METIS and Gmsh crash or blame their input
 * when memory is exhausted. */
void *malloc(size_t bytes) { return check_library(__libc_malloc(bytes), bytes, 1); }
void *calloc(size_t count, size_t size) { return check_library(__libc_calloc(count, size), count, size); }
void *realloc(void *p, size_t bytes) { return check_library(__libc_realloc(p, bytes), bytes, 1); }
#else
#define __libc_calloc calloc
#define __libc_realloc realloc
#endif

static long fail_at;

void allocation_fails_at(long n) { fail_at = n; }

static void *check(void *p, size_t count, size_t size, const char *what)
{
    if (p) return p;
    end(count, size, what);
}

void *allocate(size_t count, size_t size, const char *what)
{
    if (fail_at && --fail_at == 0) return check(NULL, count, size, what);
    return check(__libc_calloc(count ? count : 1, size), count, size, what);
}

void *resize(void *p, size_t count, size_t size, const char *what)
{
    if (fail_at && --fail_at == 0) return check(NULL, count, size, what);
    if (size && count > (size_t)-1 / size) return check(NULL, count, size, what);
    return check(__libc_realloc(p, count ? count * size : 1), count, size, what);
}
