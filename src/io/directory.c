/* The output directory and its lock (directory.h). */
#include "io/directory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "base/file.h"

enum { PATH_ROOM = 2048 };

static void lock_path(char path[PATH_ROOM], const char *directory)
{
    snprintf(path, PATH_ROOM, "%s/" DIRECTORY_LOCK, directory);
}

/* Is the directory non-empty?  A missing one counts as empty, and so does an unreadable one, since writing into it will
 * fail with a message. */
static bool has_files(const char *path)
{
    DIR *directory = opendir(path);
    bool found = false;
    for (struct dirent *entry; directory && !found && (entry = readdir(directory));)
        found = strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    if (directory) closedir(directory);
    return found;
}

/* Is there a log of Poise 0.3 or earlier?  They wrote no lock, but the first words of their log identify it. */
static bool has_log(const char *path)
{
    char name[PATH_ROOM], start[6] = "";
    snprintf(name, sizeof name, "%s/log.txt", path);
    int log = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (log < 0) return false;
    ssize_t n = read(log, start, sizeof start);
    close(log);
    return n == sizeof start && !memcmp(start, "Poise ", sizeof start);
}

bool directory_check(const char *path, struct error *e)
{
    char lock[PATH_ROOM];
    lock_path(lock, path);
    /* Checked again at the end: a run that has just started may have created its lock after the first check. */
    if (!faccessat(AT_FDCWD, lock, F_OK, AT_SYMLINK_NOFOLLOW) || !has_files(path) || has_log(path) ||
        !faccessat(AT_FDCWD, lock, F_OK, AT_SYMLINK_NOFOLLOW)) return true;
    return refuse(e, EXIT_INPUT, "%s: is not empty and was not created by Poise (there is no " DIRECTORY_LOCK
                  " in it); a run replaces and removes files there: choose another directory (--output, or "
                  "output.directory of the case). If it was created by Poise: touch %s", path, lock);
}

/* Rejects the directory and names the process that holds the lock, from the lock file. */
static bool refuse_second(const char *path, int lock, struct error *e)
{
    char who[256] = "";
    ssize_t n = pread(lock, who, sizeof who - 1, 0);
    who[n > 0 ? n : 0] = 0;
    who[strcspn(who, "\n")] = 0;
    return refuse(e, EXIT_RESOURCE, "%s: another run writes here: %s; wait until it ends, or choose another directory "
                  "(--output, or output.directory of the case)", path, *who ? who : "a process that has just started");
}

static bool sign(int lock)
{
    char who[256], host[128] = "";
    gethostname(host, sizeof host - 1);
    int n = snprintf(who, sizeof who, "process %ld on %s\n", (long)getpid(), host);
    return !ftruncate(lock, 0) && pwrite(lock, who, (size_t)n, 0) == n;
}

static void remove_unfinished(const char *path)
{
    static const char *const folder[] = {"/.", "/fields", "/lines"};      /* the directory itself may be a link */
    char inner[PATH_ROOM];
    for (int i = 0; i < 3; i++) {
        snprintf(inner, sizeof inner, "%s%s", path, folder[i]);
        file_remove_unfinished(inner);
    }
}

bool directory_claim(const char *path, int *lock, const char **note, struct error *e)
{
    char name[PATH_ROOM];
    lock_path(name, path);
    *note = NULL;
    if (!directory_make(path, e) || !directory_check(path, e)) return false;
    *lock = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (*lock < 0) return file_refuse(e, name, "could not be opened");
    bool ok = !flock(*lock, LOCK_EX | LOCK_NB);
    if (!ok && errno == EWOULDBLOCK) refuse_second(path, *lock, e);
    else if (!ok && (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS)) {
        *note = "the file system does not support locks: make sure that no other run writes into this directory";
        ok = true;
    } else if (!ok) file_refuse(e, name, "could not be locked");
    if (ok && !sign(*lock)) ok = file_refuse(e, name, "could not be written");
    if (ok) remove_unfinished(path);
    else close(*lock);
    return ok;
}

void directory_release(int lock) { close(lock); }
