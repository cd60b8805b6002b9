/* Replaces files atomically; opens and checks files (file.h). */
#include "base/file.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/names.h"

bool file_refuse(struct error *e, const char *path, const char *what)
{
    int reason = errno;
    bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
    bool closed = reason == EACCES || reason == EPERM || reason == EROFS;
    return refuse(e, EXIT_RESOURCE, "%s: %s: %s%s", path, what, strerror(reason),
                  full ? "; free some space there, or choose another location (for a case: output.directory)" :
                  closed ? "; choose a writable location (for a case: output.directory)" : "");
}

static bool refuse_link(const char *path, struct error *e)
{
    return refuse(e, EXIT_RESOURCE, "%s: this is a symbolic link; Poise does not write through links inside an output "
                  "directory: remove it", path);
}

bool directory_make(const char *path, struct error *e)
{
    char *part = strdup(path);
    bool ok = part != NULL;
    for (char *at = part; ok && at;) {
        at = strchr(at + 1, '/');
        if (at) *at = 0;
        if (mkdir(part, 0777) && errno != EEXIST) ok = false;
        if (at) *at = '/';
    }
    struct stat found;
    if (ok && stat(path, &found)) ok = false;
    else if (ok && !S_ISDIR(found.st_mode)) errno = ENOTDIR, ok = false;
    if (!ok) file_refuse(e, path, "the directory could not be created");
    free(part);
    return ok;
}

bool folder_make(const char *path, struct error *e)
{
    struct stat found;
    bool ok = (!mkdir(path, 0777) || errno == EEXIST) && !lstat(path, &found);
    if (ok && S_ISLNK(found.st_mode)) return refuse_link(path, e);
    if (ok && !S_ISDIR(found.st_mode)) errno = ENOTDIR, ok = false;
    return ok || file_refuse(e, path, "the directory could not be created");
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
    char directory[PATH_MAX];
    if (strlen(path) >= sizeof directory) return errno = ENAMETOOLONG, -1;
    char *slash = strrchr(strcpy(directory, path), '/');
    if (slash) slash[slash == directory] = 0;
    return open(slash ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The rename of a file is safe on disk only when its directory is synchronised too. */
static bool directory_sync(const char *path)
{
    int d = directory_open(path);
    bool ok = d >= 0 && (!fsync(d) || errno == EINVAL);         /* EINVAL: the file system does not support it */
    if (d >= 0) close(d);
    return ok;
}

/* Room for the temporary names of files. */
enum { PART_LENGTH = PATH_MAX + 64 };

/* Creates a new file beside `path`, used by no other process and reached through no symbolic link; part: its name.  -1:
 * see errno. */
static int open_part(const char *path, char part[PART_LENGTH])
{
    if (strlen(path) >= PATH_MAX) return errno = ENAMETOOLONG, -1;
    for (int k = 0; k < 1000; k++) {                    /* a killed process with the same number may have left some */
        snprintf(part, PART_LENGTH, "%s.%ld-%d.part", path, (long)getpid(), k);
        int file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

static bool is_null(const struct stat *s) { return S_ISCHR(s->st_mode) && s->st_rdev == makedev(1, 3); }

int file_descriptor(const char *path, const char **why)
{
    struct stat found;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), reason = errno;
    bool there = file >= 0 && !fstat(file, &found);
    if (there && (S_ISREG(found.st_mode) || is_null(&found))) return file;
    if (file >= 0) close(file);
    if (there) reason = S_ISDIR(found.st_mode) ? EISDIR : ENXIO;        /* ENXIO is the error of open() for a socket */
    *why = reason == ENXIO ? "this is a pipe, a socket or a device, not a file; save its output in a file"
                           : strerror(reason);
    errno = reason;
    return -1;
}

FILE *file_open(const char *path, const char **why)
{
    int file = file_descriptor(path, why);
    return file < 0 ? NULL : fdopen(file, "rb");
}

char *file_text(const char *path, size_t most, size_t *bytes, const char **why)
{
    FILE *f = file_open(path, why);
    size_t room = 1 << 16;
    if (!f) return NULL;
    char *text = allocate(room, 1, "text of a file");
    *bytes = 0;
    for (size_t got; *bytes <= most && (got = fread(text + *bytes, 1, room - *bytes - 1, f)) > 0;)
        if ((*bytes += got) + 1 >= room) text = resize(text, room *= 2, 1, "text of a file");
    text[*bytes] = 0;
    int reason = ferror(f) ? errno : *bytes > most ? EFBIG : 0;
    fclose(f);
    if (!reason) return text;
    *why = strerror(reason);
    free(text);
    errno = reason;
    return NULL;
}

int file_continue(const char *path, struct error *e)
{
    struct stat found;
    int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666), reason = errno;
    bool there = file >= 0 && !fstat(file, &found);
    if (there && S_ISREG(found.st_mode)) return file;
    if (file >= 0) close(file);
    errno = reason;
    if (there) refuse(e, EXIT_RESOURCE, "%s: this is a pipe or a device, not a file: remove it", path);
    else if (reason == ELOOP) refuse_link(path, e);
    else file_refuse(e, path, "could not be opened");
    return -1;
}

/* Does open_part() create names like this? */
static bool is_part(const char *name)
{
    size_t n = strlen(name), end = sizeof ".part" - 1;
    if (n <= end || strcmp(name + n - end, ".part")) return false;
    size_t number = n - end, process;
    while (number > 0 && isdigit((unsigned char)name[number - 1])) number--;
    if (number == n - end || number == 0 || name[number - 1] != '-') return false;
    for (process = number - 1; process > 0 && isdigit((unsigned char)name[process - 1]);) process--;
    return process < number - 1 && process > 1 && name[process - 1] == '.';
}

void file_remove_unfinished(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *directory = folder < 0 ? NULL : fdopendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (is_part(entry->d_name)) unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory) closedir(directory);
}

static const char *volatile being_written;

void file_abandon(void) { if (being_written) unlink(being_written); }

bool file_replace(const char *path, const void *data, size_t bytes, struct error *e)
{
    char part[PART_LENGTH];
    int file = open_part(path, part);
    if (file >= 0) being_written = part;
    bool ok = file >= 0 && file_write_all(file, data, bytes) && !fsync(file);
    int reason = errno;
    if (file >= 0 && close(file) && ok) ok = false, reason = errno;
    if (ok && rename(part, path)) ok = false, reason = errno;
    if (!ok && file >= 0) unlink(part);
    being_written = NULL;
    errno = reason;
    if (ok) ok = directory_sync(path);
    return ok || file_refuse(e, path, "could not be written");
}

static bool may_be_written(const char *path, struct error *e)
{
    struct stat found;
    char part[PART_LENGTH];
    bool folder = !stat(path, &found) && S_ISDIR(found.st_mode);
    if (folder) errno = EISDIR;
    int file = folder ? -1 : open_part(path, part);
    if (file < 0) return file_refuse(e, path, "could not be written");
    close(file), unlink(part);
    return true;
}

static bool is_same(const char *path, const char *other)
{
    struct stat a, b;
    return !stat(path, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Do both paths name the same file, even if it does not exist yet? */
static bool is_same_place(const char *path, const char *other)
{
    const char *slash = strrchr(path, '/'), *other_slash = strrchr(other, '/');
    if (is_same(path, other)) return true;
    if (strcmp(slash ? slash + 1 : path, other_slash ? other_slash + 1 : other)) return false;
    struct stat a, b;
    int d = directory_open(path), other_d = directory_open(other);
    bool same = d >= 0 && other_d >= 0 && !fstat(d, &a) && !fstat(other_d, &b);
    same = same && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    if (d >= 0) close(d);
    if (other_d >= 0) close(other_d);
    return same;
}

bool outputs_check(const struct output_name *output, int n, const char *const *input, int n_inputs, struct error *e)
{
    for (int i = 0; i < n; i++) {
        const struct output_name *o = &output[i];
        if (!o->path) continue;
        for (int k = 0; k < n_inputs; k++)
            if (input[k] && is_same(o->path, input[k]))
                return refuse(e, EXIT_INPUT, "%s %s: this file is read; expected another name", o->option, o->path);
        for (int k = 0; k < i; k++)
            if (output[k].path && is_same_place(o->path, output[k].path))
                return refuse(e, EXIT_INPUT, "%s %s: this file is written by %s too; expected another name", o->option,
                              o->path, output[k].option);
        if (!may_be_written(o->path, e)) return false;
    }
    return true;
}

const char *file_others(const char *path, const char *what, bool (*suits)(const char *name))
{
    static char text[PATH_LENGTH + 1500];
    const char *slash = strrchr(path, '/'), *names[200];
    char folder[PATH_LENGTH], list[1000] = "none";
    struct dirent **entry;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    int n = scandir(folder, &entry, NULL, alphasort), at = 0, shown = 0;
    if (n < 0) return snprintf(text, sizeof text, "; there is no folder %s", folder), text;
    for (int i = 0; i < n && shown < 200; i++) {
        if (!suits(entry[i]->d_name)) continue;
        if (at < (int)sizeof list - 300) at += sprintf(list + at, "%s%s", shown ? ", " : "", entry[i]->d_name);
        names[shown++] = entry[i]->d_name;
    }
    const char *near = nearest_name(slash ? slash + 1 : path, names, shown);
    snprintf(text, sizeof text, "; %s in %s: %s%s%s%s", what, slash ? folder : "this folder", list,
             near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
    for (int i = 0; i < n; i++) free(entry[i]);
    free(entry);
    return text;
}

bool file_ends_in(const char *path, const char *extension)
{
    size_t n = strlen(path), m = strlen(extension);
    return n > m && !strcmp(path + n - m, extension);
}

const char *file_of_program(const char *name)
{
    static char path[PATH_LENGTH];
    static const char *const folders[] = {"../lib/poise/", ""};
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    while (n > 0 && path[n - 1] != '/') n--;
    if (n < 0) n = 0;
    for (int i = 0; i < 2; i++) {
        snprintf(path + n, sizeof path - (size_t)n, "%s%s", folders[i], name);
        if (!access(path, R_OK)) break;
    }
    return path;
}
