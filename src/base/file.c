#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"

bool file_refuse(struct error *e, const char *path, const char *what)
{
    int reason = errno;
    bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
    bool closed = reason == EACCES || reason == EPERM || reason == EROFS;
    return refuse(e, EXIT_RESOURCE, "%s: %s: %s%s", path, what, strerror(reason),
                  full ? "; make room there, or choose another place (of a case: output.directory)" :
                  closed ? "; choose a place that may be written (of a case: output.directory)" : "");
}

bool directory_make(const char *path, struct error *e)
{
    char *part = strdup(path);
    bool ok = part != NULL;
    for (char *at = part; ok && at; ) {
        at = strchr(at + 1, '/');
        if (at) *at = 0;
        if (mkdir(part, 0777) && errno != EEXIST) ok = false;
        if (at) *at = '/';
    }
    struct stat found;
    if (ok && stat(path, &found)) ok = false;
    else if (ok && !S_ISDIR(found.st_mode)) errno = ENOTDIR, ok = false;
    if (!ok) file_refuse(e, path, "the directory could not be made");
    free(part);
    return ok;
}

bool file_write_all(int file, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        ssize_t done = write(file, at, bytes < 1u << 30 ? bytes : 1u << 30);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        at += done, bytes -= (size_t)done;
    }
    return true;
}

static int directory_open(const char *path)
{
    char *directory = strdup(path), *slash = directory ? strrchr(directory, '/') : NULL;
    if (!directory) return -1;
    if (slash) slash[slash == directory] = 0;
    int d = open(slash ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(directory);
    return d;
}

/* A rename is on the disk only when its directory is. */
static bool directory_sync(const char *path)
{
    int d = directory_open(path);
    bool ok = d >= 0 && (!fsync(d) || errno == EINVAL);         /* EINVAL: a file system that has no such thing */
    if (d >= 0) close(d);
    return ok;
}

bool file_may_be_written(const char *path, struct error *e)
{
    struct stat found;
    int d = directory_open(path);
    bool ok = d >= 0 && !faccessat(d, ".", W_OK, 0);
    if (ok && !stat(path, &found) && S_ISDIR(found.st_mode)) errno = EISDIR, ok = false;
    int reason = errno;
    if (d >= 0) close(d);
    errno = reason;
    return ok || file_refuse(e, path, "could not be written");
}

FILE *file_open(const char *path, const char **why)
{
    struct stat found;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &found)) *why = strerror(errno);
    else if (S_ISDIR(found.st_mode)) *why = strerror(EISDIR);
    else if (!S_ISREG(found.st_mode)) *why = "this is a pipe or a device, not a file";
    else return fdopen(file, "rb");
    if (file >= 0) close(file);
    return NULL;
}

char *file_text(const char *path, size_t *bytes, const char **why)
{
    FILE *f = file_open(path, why);
    size_t room = 1 << 16;
    if (!f) return NULL;
    char *text = allocate(room, 1, "text of a file");
    *bytes = 0;
    for (size_t got; (got = fread(text + *bytes, 1, room - *bytes - 1, f)) > 0; )
        if ((*bytes += got) + 1 >= room) text = resize(text, room *= 2, 1, "text of a file");
    text[*bytes] = 0;
    bool good = !ferror(f);
    if (!good) *why = strerror(errno), free(text);
    fclose(f);
    return good ? text : NULL;
}

bool file_is_same(const char *path, const char *other)
{
    struct stat a, b;
    return !stat(path, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool file_replace(const char *path, const void *data, size_t bytes, struct error *e)
{
    size_t room = strlen(path) + sizeof ".part";
    char *part = allocate(room, 1, "file name");
    snprintf(part, room, "%s.part", path);
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok = file >= 0 && file_write_all(file, data, bytes) && !fsync(file);
    int reason = errno;
    if (file >= 0 && close(file) && ok) ok = false, reason = errno;
    if (ok && rename(part, path)) ok = false, reason = errno;
    if (!ok && file >= 0) unlink(part);
    errno = reason;
    if (ok) ok = directory_sync(path);
    if (!ok) file_refuse(e, path, "could not be written");
    free(part);
    return ok;
}

bool file_ends_in(const char *path, const char *extension)
{
    size_t n = strlen(path), m = strlen(extension);
    return n > m && !strcmp(path + n - m, extension);
}
