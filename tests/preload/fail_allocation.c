/* LD_PRELOAD library that makes the FAIL_AT-th allocation after the start of main() fail, once, as if memory were
 * exhausted (0 or unset: none fails).  FAIL_COUNT: a file that receives the number of allocations when the process ends
 * by exit(). */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_bool counting;
static atomic_long count;
static long fail_at;

static bool fails(void)
{
    if (!counting || ++count != fail_at) return false;
    errno = ENOMEM;
    return true;
}

/* glibc's functions with these names: malloc() and the others call them, in the program and in every library. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
void *__libc_malloc(size_t bytes) { return fails() ? NULL : REAL(__libc_malloc)(bytes); }
void *__libc_calloc(size_t n, size_t bytes) { return fails() ? NULL : REAL(__libc_calloc)(n, bytes); }
void *__libc_realloc(void *p, size_t bytes) { return fails() ? NULL : REAL(__libc_realloc)(p, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return fails() ? NULL : REAL(aligned_alloc)(alignment, bytes); }

static int (*own_main)(int, char **, char **);

static int begin(int argc, char **argv, char **environment)
{
    const char *at = getenv("FAIL_AT");
    fail_at = at ? atol(at) : 0;
    counting = true;
    return own_main(argc, argv, environment);
}

typedef int start(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/* Called by the program's first instructions, with main(). */
int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*end)(void), void *stack)
{
    start *real = (start *)dlsym(RTLD_NEXT, "__libc_start_main");
    own_main = program;
    return real(begin, argc, argv, init, fini, end, stack);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("FAIL_COUNT");
    counting = false;
    FILE *out = path ? fopen(path, "w") : NULL;
    if (!out) return;
    fprintf(out, "%ld\n", (long)count);
    fclose(out);
}
