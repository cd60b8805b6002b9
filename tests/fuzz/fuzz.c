/* What all fuzz harnesses share: limits on memory and time, input files, libFuzzer's entry point (fuzz.h). */
#include "fuzz.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/digest.h"
#include "base/error.h"
#include "base/hdf5_file.h"

static jmp_buf over;
static int reading;
static int not_foreign;
int *fuzz_foreign = &not_foreign, fuzz_spent;

/* ---------------------------------------------------------------- replacements of the program's functions, by the
 * linker's --wrap */
void *__real_allocate(size_t count, size_t size, const char *what);
void *__real_resize(void *p, size_t count, size_t size, const char *what);
void *__wrap_allocate(size_t count, size_t size, const char *what);
void *__wrap_resize(void *p, size_t count, size_t size, const char *what);
_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);
_Noreturn void __wrap_die_at(const char *file, int line, const char *format, ...);

static void check_size(size_t count, size_t size)
{
    const size_t most = (size_t)64 << 20;
    if (size && count > most / size) longjmp(over, 1);
}

void *__wrap_allocate(size_t count, size_t size, const char *what)
{
    check_size(count, size);
    return __real_allocate(count, size, what);
}

void *__wrap_resize(void *p, size_t count, size_t size, const char *what)
{
    check_size(count, size);
    return __real_resize(p, count, size, what);
}

_Noreturn void __wrap_exit(int status)
{
    if (!reading) __real_exit(status);
    fprintf(stderr, "the reader called exit(%d)\n", status);
    abort();
}

_Noreturn void __wrap_die_at(const char *file, int line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "internal error at %s:%d: ", file, line);
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    abort();
}

/* ---------------------------------------------------------------- for the harnesses */
/* A crash of libhdf5 in the reader process is not a finding: libFuzzer saves no input for it. */
static void forget_fuzzer(void) { __sanitizer_set_death_callback(NULL); }

/* The HDF5 library is initialised once, before the reader processes, instead of in each of them: half of their time. */
__attribute__((constructor)) static void start_hdf5(void)
{
    if (H5open() < 0 || pthread_atfork(NULL, NULL, forget_fuzzer)) abort();
}

static char folder[32], path[64];

static void remove_folder(void)
{
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) unlinkat(dirfd(list), entry->d_name, 0);
    if (list) closedir(list);
    rmdir(folder);
}

const char *fuzz_file(const char *name, const uint8_t *data, size_t size)
{
    if (!*folder) {
        strcpy(folder, "/dev/shm/fuzz_XXXXXX");
        if (!mkdtemp(folder) || atexit(remove_folder)) abort();
    }
    snprintf(path, sizeof path, "%s/%.24s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, data, size) != (ssize_t)size || close(file)) abort();
    return path;
}

void fuzz_renew_digest(uint8_t *data, size_t size)
{
    char line[HDF5_FRONT] = "", *found = memmem(data, size < HDF5_FRONT ? size : HDF5_FRONT, "checksum ", 9);
    if (!found || size <= HDF5_FRONT || (uint8_t *)found + 25 > data + HDF5_FRONT) return;
    const size_t bytes = size - HDF5_FRONT;
    snprintf(line, sizeof line, "%016" PRIx64, checksum_end(checksum_add(0, 0, data + HDF5_FRONT, bytes), bytes));
    memcpy(found + 9, line, 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    if (!copy) abort();
    memcpy(copy, data, size);
    reading = 1;
    if (!setjmp(over)) fuzz_one(copy, size);
    reading = 0;
    free(copy);
    return 0;
}
