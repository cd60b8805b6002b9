/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The program's own definitions of these functions come before the C library's, for Gmsh and all libraries under it. */
#undef _FORTIFY_SOURCE
#include "mesh/gmsh/confine.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/log.h"

/* Position of Gmsh's parser.  Its file is a std::string, which begins with a pointer to the text; its line number is
 * one beyond the current line, because it reads whole lines. */
extern char *gmsh_file_name __asm__("_Z11gmsh_yynameB5cxx11") __attribute__((weak));
extern int gmsh_yylineno __attribute__((weak));

static bool confined;
static const char *confined_file;

void confine(bool on, const char *file) { confined = on, confined_file = file; }

static void refuse_to(const char *act, const char *object)
{
    bool parsing = &gmsh_file_name && &gmsh_yylineno && gmsh_file_name && *gmsh_file_name;
    confined = false;
    log_error("%s", parsing ? gmsh_file_name : confined_file);
    if (parsing) log_error(":%d", gmsh_yylineno > 1 ? gmsh_yylineno - 1 : 1);
    log_error(": the geometry asks to %s%s%.300s%s, which a .geo may not do, because it may be untrusted: "
            "remove that, or if you trust the file, use the option --trust-geo (run, check, mesh)\n", act,
            object ? " \"" : "", object ? object : "", object ? "\"" : "");
    fflush(stderr);
    _exit(EXIT_INPUT);
}

static void *real_function(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) die("%s is not in the C library", name);
    return found;
}

/* Defines a function that ends the program if `when` is true of its arguments, and otherwise calls the C library's. */
#define GUARD(type, name, parameters, arguments, when, act, object)                                                    \
    type name parameters                                                                                               \
    {                                                                                                                  \
        static type (*real) parameters;                                                                                \
        if (confined && (when)) refuse_to(act, object);                                                                \
        if (!real) *(void **)&real = real_function(#name);                                                             \
        return real arguments;                                                                                         \
    }
#define WRITES(flags) ((flags) & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC))

/* Could reading it never end?  True for a pipe or a device other than /dev/null. */
static bool is_endless(const char *path)
{
    struct stat found;
    return strcmp(path, "/dev/null") && !stat(path, &found) && (S_ISFIFO(found.st_mode) || S_ISCHR(found.st_mode));
}

/* Rejects opening a file for writing, or one without end. */
static void check_opening(const char *path, bool writes)
{
    if (!confined) return;
    if (writes) refuse_to("write the file", path);
    if (is_endless(path)) refuse_to("read the pipe or device", path);
}

GUARD(int, system, (const char *command), (command), command, "run the command", command)
GUARD(FILE *, popen, (const char *command, const char *mode), (command, mode), true, "run the command", command)
GUARD(pid_t, fork, (void), (), true, "start a program", NULL)
GUARD(int, posix_spawn, (pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attributes, char *const argv[], char *const environment[]),
      (pid, path, actions, attributes, argv, environment), true, "start the program", path)
GUARD(int, posix_spawnp, (pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attributes, char *const argv[], char *const environment[]),
      (pid, path, actions, attributes, argv, environment), true, "start the program", path)
GUARD(int, socket, (int domain, int type, int protocol), (domain, type, protocol), true, "connect to a program", NULL)

GUARD(int, creat, (const char *path, mode_t mode), (path, mode), true, "write the file", path)
GUARD(int, creat64, (const char *path, mode_t mode), (path, mode), true, "write the file", path)
GUARD(int, truncate, (const char *path, off_t length), (path, length), true, "write the file", path)
GUARD(int, rename, (const char *from, const char *to), (from, to), true, "rename the file", from)
GUARD(int, remove, (const char *path), (path), true, "remove the file", path)
GUARD(int, unlink, (const char *path), (path), true, "remove the file", path)
GUARD(int, rmdir, (const char *path), (path), true, "remove the folder", path)
GUARD(int, mkdir, (const char *path, mode_t mode), (path, mode), true, "make the folder", path)
GUARD(int, link, (const char *from, const char *to), (from, to), true, "make the link", to)
GUARD(int, symlink, (const char *from, const char *to), (from, to), true, "make the link", to)
GUARD(int, chmod, (const char *path, mode_t mode), (path, mode), true, "change the permissions of", path)

#define GUARD_FOPEN(name)                                                                                              \
    FILE *name(const char *path, const char *mode)                                                                     \
    {                                                                                                                  \
        static FILE *(*real)(const char *, const char *);                                                              \
        check_opening(path, strpbrk(mode, "wa+"));                                                                     \
        if (!real) *(void **)&real = real_function(#name);                                                             \
        return real(path, mode);                                                                                       \
    }
GUARD_FOPEN(fopen)
GUARD_FOPEN(fopen64)
GUARD(FILE *, freopen, (const char *path, const char *mode, FILE *file), (path, mode, file), true, "reopen", path)
GUARD(FILE *, freopen64, (const char *path, const char *mode, FILE *file), (path, mode, file), true, "reopen", path)

/* All forms of open() end here.  The mode is present only with O_CREAT and O_TMPFILE. */
static int guarded_open(int folder, const char *path, int flags, va_list list)
{
    static int (*real)(int, const char *, int, ...);
    check_opening(path, WRITES(flags));
    if (!real) *(void **)&real = real_function("openat64");
    return real(folder, path, flags, flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0);
}

#define GUARD_OPEN(name, parameters, folder)                                                                           \
    int name parameters                                                                                                \
    {                                                                                                                  \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        int file = guarded_open(folder, path, flags, list);                                                            \
        va_end(list);                                                                                                  \
        return file;                                                                                                   \
    }
GUARD_OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
GUARD_OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
GUARD_OPEN(openat, (int folder, const char *path, int flags, ...), folder)
GUARD_OPEN(openat64, (int folder, const char *path, int flags, ...), folder)
/* Libraries compiled with _FORTIFY_SOURCE call this instead of open() if no mode is given. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open(path, flags); }
