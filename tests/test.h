/* test.h: common to all test programs: cmocka, and the device.  POISE_DEVICE=cuda in the environment requires a GPU;
 * POISE_THREADS sets the CPU threads. */
#ifndef POISE_TEST_H
#define POISE_TEST_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/memory.h"
#include "gpu/device.h"

/* TEST_SIZE=full (make verify PART=programs): every combination, of kinds of cells with algorithms or the like;
 * otherwise each of them in some. */
static inline bool full_size(void)
{
    const char *size = getenv("TEST_SIZE");
    return size && !strcmp(size, "full");
}

/* A fixed pseudo-random sequence in -0.5 .. 0.5. */
static inline double number(int64_t i)
{
    return (double)((uint64_t)(i + 1) * 2654435761u % 1000003u) / 1000003.0 - 0.5;
}

/* A copy on the host of n values on the device, freed by the caller. */
#define FROM_DEVICE(d, n) from_device(d, n, sizeof *(d))
static inline void *from_device(const void *d, int64_t n, size_t size)
{
    void *v = allocate((size_t)n, size, "test");
    device_download(v, d, (size_t)n * size);
    return v;
}

static inline void open_device(void)
{
    struct error e;
    const char *device = getenv("POISE_DEVICE"), *threads = getenv("POISE_THREADS");
    if (device_open(device ? device : "auto", threads ? atoi(threads) : 0, &e)) return;
    fprintf(stderr, "%s\n", e.text);
    exit(1);
}

/* Runs the tests of one program on the device; arrays that were not freed are an error. */
#define RUN_TESTS(name, tests) (open_device(), finish_tests(cmocka_run_group_tests_name(name, tests, NULL, NULL)))
static inline int finish_tests(int failed)
{
    if (!failed) device_close();
    return failed;
}
#endif
