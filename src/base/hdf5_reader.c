/* Reads HDF5 files of any origin and checks every size (hdf5_reader.h). */
#include "base/hdf5_reader.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/digest.h"
#include "base/file.h"
#include "base/hdf5_file.h"
#include "base/memory.h"

__attribute__((format(printf, 3, 4)))
static bool fail(struct hdf5_reader *r, enum exit_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(r->why, sizeof r->why, format, list);
    va_end(list);
    r->status = status;
    return false;
}

int64_t hdf5_kind_bytes(enum hdf5_kind kind)
{
    static const int64_t bytes[] = {[HDF5_UINT8] = 1, [HDF5_INT32] = 4, [HDF5_INT64] = 8, [HDF5_DOUBLE] = 8,
                                    [HDF5_TEXT] = NAME_LENGTH, [HDF5_ANY] = 1};
    return bytes[kind];
}

/* ---------------------------------------------------------------- the other process */
bool hdf5_send(int socket, const void *data, int64_t bytes)
{
    for (const char *at = data; bytes > 0;) {
        ssize_t done = send(socket, at, (size_t)bytes, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done, bytes -= done;
    }
    return true;
}

bool hdf5_receive(int socket, void *data, int64_t bytes)
{
    for (char *at = data; bytes > 0;) {
        ssize_t done = recv(socket, at, (size_t)bytes, 0);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done, bytes -= done;
    }
    return true;
}

static bool start_process(struct hdf5_reader *r, const char *path, int64_t bytes)
{
    int ends[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return fail(r, EXIT_RESOURCE, "no socket for reading it: %s", strerror(errno));
    r->process = fork();
    if (r->process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(0);
        close(ends[0]);
        hdf5_serve(ends[1], path, bytes);
    }
    int reason = errno;
    close(ends[1]);
    r->socket = ends[0];
    if (r->process > 0) return true;
    close(ends[0]);
    return fail(r, EXIT_RESOURCE, "no process for reading it: %s", strerror(reason));
}

/* Ends the process and returns its status (as from waitpid()). */
static int end_process(struct hdf5_reader *r)
{
    int end = 0;
    close(r->socket);
    while (waitpid(r->process, &end, 0) < 0 && errno == EINTR) {}
    r->process = 0;
    return end;
}

/* Sets the reason if the process ended in the middle of an answer; returns false. */
static bool tell_end(struct hdf5_reader *r)
{
    int end = end_process(r);
    if (WIFSIGNALED(end) && WTERMSIG(end) == SIGXCPU)
        return fail(r, EXIT_INPUT, "it is damaged: the HDF5 library did not finish reading it");
    if (WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL)
        return fail(r, EXIT_RESOURCE, "the process that read it was killed (signal 9)");
    if (WIFSIGNALED(end))
        return fail(r, EXIT_INPUT, "it is damaged: the HDF5 library crashed in it (signal %d, %s)", WTERMSIG(end),
                    strsignal(WTERMSIG(end)));
    if (WEXITSTATUS(end) == EXIT_RESOURCE)
        return fail(r, EXIT_RESOURCE, "out of memory while the HDF5 library read it");
    return fail(r, EXIT_INPUT, "it is damaged: the HDF5 library gave up on it (status %d)", WEXITSTATUS(end));
}

/* Sets the reason for an invalid answer: the library had corrupted its process's memory before it crashed. */
static bool makes_no_sense(struct hdf5_reader *r)
{
    end_process(r);
    return fail(r, EXIT_INPUT, "it is damaged: the HDF5 library returned invalid data");
}

static bool receive(struct hdf5_reader *r, struct hdf5_answer *a)
{
    if (!hdf5_receive(r->socket, a, sizeof *a)) return tell_end(r);
    return a->status == EXIT_CONVERGED || fail(r, (enum exit_status)a->status, "%s", a->why);
}

static bool ask_range(struct hdf5_reader *r, int what, const char *name, enum hdf5_kind kind, int64_t first,
                      int64_t number, struct hdf5_answer *a)
{
    struct hdf5_question q = {.what = what, .kind = (int32_t)kind, .number = number, .first = first};
    *r->why = 0;
    if (!r->process) return fail(r, EXIT_INPUT, "the HDF5 library gave up on it before");
    if (strlen(name) >= sizeof q.name) die("\"%s\": too long for the name of a dataset", name);
    strcpy(q.name, name);
    if (!hdf5_send(r->socket, &q, sizeof q)) return tell_end(r);
    return receive(r, a);
}
static bool ask(struct hdf5_reader *r, int what, const char *name, enum hdf5_kind kind, int64_t number,
                struct hdf5_answer *a)
{
    return ask_range(r, what, name, kind, 0, number, a);
}

/* ---------------------------------------------------------------- the file */
/* Compares the rest of the file with its leading checksum, if it has one that has not been compared yet. */
static bool check_sum(struct hdf5_reader *r, FILE *in, bool checked)
{
    enum { PIECE = 8 << 20 };
    char front[HDF5_FRONT + 1] = "", kind[16], *piece;
    uint64_t expected, bytes = 0, sum = 0, digest = DIGEST_START;
    if (fread(front, 1, HDF5_FRONT, in) != HDF5_FRONT && !ferror(in)) return true;
    if (sscanf(front, HDF5_FRONT_LINE("%31[a-z]", "%15[a-z]"), r->guarded, kind, &expected) != 3)
        return *r->guarded = 0, ferror(in) ? fail(r, EXIT_INPUT, "cannot be read: %s", strerror(errno)) : true;
    if (checked) return true;
    const bool new = !strcmp(kind, HDF5_CHECKSUM);
    NEW(piece, PIECE);
    for (size_t got; (got = fread(piece, 1, PIECE, in)) > 0; bytes += got)
        if (new) sum = checksum_add(sum, bytes, piece, got);
        else digest = digest_add(digest, piece, got);
    free(piece);
    if (ferror(in)) return fail(r, EXIT_RESOURCE, "cannot be read: %s", strerror(errno));
    return (new ? checksum_end(sum, bytes) : digest) == expected ||
           fail(r, EXIT_INPUT, "it is damaged: its contents do not match its checksum");
}

static bool open_file(struct hdf5_reader *r, const char *path, bool checked)
{
    struct stat found;
    struct hdf5_answer a;
    const char *why;
    *r = (struct hdf5_reader){.status = EXIT_INPUT};
    FILE *in = file_open(path, &why);
    if (!in) return fail(r, EXIT_INPUT, "cannot be read: %s", why);
    bool good = !fstat(fileno(in), &found) ? check_sum(r, in, checked)
                                           : fail(r, EXIT_INPUT, "cannot be read: %s", strerror(errno));
    fclose(in);
    if (!good || !start_process(r, path, (int64_t)found.st_size)) return false;
    if (receive(r, &a)) return true;
    hdf5_close(r);
    return false;
}

bool hdf5_open(struct hdf5_reader *r, const char *path) { return open_file(r, path, false); }
bool hdf5_open_checked(struct hdf5_reader *r, const char *path) { return open_file(r, path, true); }
void hdf5_close(struct hdf5_reader *r) { if (r->process) end_process(r); }

/* ---------------------------------------------------------------- questions */
bool hdf5_text(struct hdf5_reader *r, const char *attribute, char *text, int room)
{
    struct hdf5_answer a;
    if (!ask(r, ASK_ATTRIBUTE, attribute, HDF5_TEXT, room, &a)) return false;
    if (a.bytes != room) return makes_no_sense(r);
    if (!hdf5_receive(r->socket, text, room)) return tell_end(r);
    text[room - 1] = 0;
    return true;
}

static bool attribute_of(struct hdf5_reader *r, const char *attribute, enum hdf5_kind kind, void *value)
{
    struct hdf5_answer a;
    if (!ask(r, ASK_ATTRIBUTE, attribute, kind, 0, &a)) return false;
    return hdf5_receive(r->socket, value, hdf5_kind_bytes(kind)) || tell_end(r);
}

bool hdf5_integer(struct hdf5_reader *r, const char *attribute, int64_t least, int64_t most, int64_t *value)
{
    if (!attribute_of(r, attribute, HDF5_INT64, value)) return false;
    if (*value >= least && *value <= most) return true;
    char range[60] = "";
    if (most > least) snprintf(range, sizeof range, " to %lld", (long long)most);
    return fail(r, EXIT_INPUT, "attribute \"%s\" is %lld; expected %lld%s", attribute, (long long)*value,
                (long long)least, range);
}

bool hdf5_number(struct hdf5_reader *r, const char *attribute, double *value)
{
    if (!attribute_of(r, attribute, HDF5_DOUBLE, value)) return false;
    return isfinite(*value) ||
           fail(r, EXIT_INPUT, "attribute \"%s\" is %g; expected a finite number", attribute, *value);
}

/* As hdf5_shape(), for values of this kind. */
static int shape_of(struct hdf5_reader *r, const char *name, enum hdf5_kind kind, int64_t length[2])
{
    struct hdf5_answer a;
    if (!ask(r, ASK_SHAPE, name, kind, 0, &a)) return -1;
    const int64_t most = INT64_MAX / (NAME_LENGTH * NAME_LENGTH);
    bool good = a.rank >= -1 && a.length[0] >= 0 && a.length[0] < most && a.length[1] >= 0 && a.length[1] < most;
    if (!good) return makes_no_sense(r), -1;
    length[0] = a.length[0], length[1] = a.length[1];
    return a.rank;
}

int hdf5_shape(struct hdf5_reader *r, const char *name, int64_t length[2])
{
    return shape_of(r, name, HDF5_ANY, length);
}

static bool fits(struct hdf5_reader *r, const char *name, int rank, const int64_t length[2], int64_t rows, int columns)
{
    if (rank == -1) return *r->why ? false : fail(r, EXIT_INPUT, "\"%s\" is not there", name);
    if (rank != (columns == 1 ? 1 : 2))
        return fail(r, EXIT_INPUT, "\"%s\" has %d dimensions; expected %d column%s", name, rank, columns,
                    columns == 1 ? "" : "s");
    if (columns > 1 && length[1] != columns)
        return fail(r, EXIT_INPUT, "\"%s\" has %lld columns; expected %d", name, (long long)length[1], columns);
    return rows < 0 || length[0] == rows ||
           fail(r, EXIT_INPUT, "\"%s\" has %lld rows; expected %lld", name, (long long)length[0], (long long)rows);
}

/* All answers to an ASK_ARRAY, `bytes` in total. */
static bool receive_values(struct hdf5_reader *r, struct hdf5_answer *a, char *to, int64_t bytes)
{
    bool good = true;
    while (good && bytes > 0) {
        good = a->bytes < 1 || a->bytes > bytes ? makes_no_sense(r)
                                                : hdf5_receive(r->socket, to, a->bytes) || tell_end(r);
        to += a->bytes, bytes -= a->bytes;
        if (good && bytes > 0) good = receive(r, a);
    }
    return good;
}

void *hdf5_array(struct hdf5_reader *r, const char *name, enum hdf5_kind kind, int64_t rows, int columns,
                 int64_t *found)
{
    int64_t length[2] = {0};
    struct hdf5_answer a;
    if (!fits(r, name, shape_of(r, name, kind, length), length, rows, columns)) return NULL;
    int64_t bytes = length[0] * columns * hdf5_kind_bytes(kind);
    char *data = allocate((size_t)(length[0] * columns), (size_t)hdf5_kind_bytes(kind), name);
    if (bytes > 0 && !(ask(r, ASK_ARRAY, name, kind, -1, &a) && receive_values(r, &a, data, bytes)))
        return free(data), NULL;
    if (found) *found = length[0];
    return data;
}

bool hdf5_range(struct hdf5_reader *r, const char *name, enum hdf5_kind kind, int64_t first, int64_t n, void *to)
{
    struct hdf5_answer a;
    if (n == 0) return true;
    return ask_range(r, ASK_ARRAY, name, kind, first, n, &a) && receive_values(r, &a, to, n * hdf5_kind_bytes(kind));
}

bool hdf5_entry(struct hdf5_reader *r, int64_t k, char name[NAME_LENGTH])
{
    struct hdf5_answer a;
    if (!ask(r, ASK_ENTRY, "/", HDF5_TEXT, k, &a) || a.rank < 0) return false;
    return hdf5_receive(r->socket, name, NAME_LENGTH) || tell_end(r);
}
