/* libpoise-mpi.so: implements mpi_transport.h with MPI. */
#include "gpu/mpi/mpi_transport.h"
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static int n_requests, room;
static MPI_Request *request;

static const char *check(int status)
{
    static char text[MPI_MAX_ERROR_STRING];
    int length;
    if (status == MPI_SUCCESS) return NULL;
    MPI_Error_string(status, text, &length);
    return text;
}

static const char *begin(int *rank, int *n_ranks, char *name, size_t size)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int provided, length, status = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    if (status == MPI_SUCCESS) status = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (status == MPI_SUCCESS) status = MPI_Comm_rank(MPI_COMM_WORLD, rank);
    if (status == MPI_SUCCESS) status = MPI_Comm_size(MPI_COMM_WORLD, n_ranks);
    if (status == MPI_SUCCESS) status = MPI_Get_library_version(text, &length);
    if (status != MPI_SUCCESS) return check(status);
    length = (int)strcspn(text, ",\n");
    if ((size_t)length >= size) length = (int)size - 1;
    memcpy(name, text, (size_t)length), name[length] = 0;
    return NULL;
}

static const char *take_room(int n)
{
    if (n <= room) return NULL;
    MPI_Request *more = realloc(request, (size_t)n * sizeof *more);
    if (!more) return "out of memory";
    request = more, room = n;
    return NULL;
}

static const char *gather(void *all, size_t bytes)
{
    const char *why = take_room(1);
    if (why) return why;
    if (bytes > INT_MAX) return "a message of more than 2 GB";
    n_requests = 1;
    return check(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD,
                                request));
}

/* At most one message of each kind per peer, so no tags are needed to distinguish them. */
static const char *exchange(const struct ranks_peers *p, const void *send, void *receive, size_t size)
{
    const char *why = take_room(2 * p->n);
    n_requests = 0;
    for (int i = 0; !why && i < p->n; i++) {
        size_t out = (size_t)(p->send[i + 1] - p->send[i]) * size;
        size_t in = (size_t)(p->receive[i + 1] - p->receive[i]) * size;
        char *to = (char *)receive + (size_t)p->receive[i] * size;
        const char *from = (const char *)send + (size_t)p->send[i] * size;
        if (in > INT_MAX || out > INT_MAX) return "a message of more than 2 GB";
        if (in) why = check(MPI_Irecv(to, (int)in, MPI_BYTE, p->rank[i], 0, MPI_COMM_WORLD, &request[n_requests++]));
        if (why || !out) continue;
        why = check(MPI_Isend(from, (int)out, MPI_BYTE, p->rank[i], 0, MPI_COMM_WORLD, &request[n_requests++]));
    }
    return why;
}

static const char *finished(bool *yes)
{
    int flag;
    const char *why = check(MPI_Testall(n_requests, request, &flag, MPI_STATUSES_IGNORE));
    *yes = flag;
    return why;
}

static void roll_call(char *here, double seconds)
{
    enum { TAG = 1 };
    static const char present = 1;
    int n, rank, all = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &n), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request *answer = malloc(2 * (size_t)n * sizeof *answer);
    for (int r = 0; answer && r < n; r++) {
        answer[2 * r] = answer[2 * r + 1] = MPI_REQUEST_NULL;
        if (r == rank) continue;
        MPI_Irecv(&here[r], 1, MPI_BYTE, r, TAG, MPI_COMM_WORLD, &answer[2 * r]);
        MPI_Isend(&present, 1, MPI_BYTE, r, TAG, MPI_COMM_WORLD, &answer[2 * r + 1]);
    }
    for (double until = MPI_Wtime() + seconds; answer && !all && MPI_Wtime() < until; sched_yield())
        MPI_Testall(2 * n, answer, &all, MPI_STATUSES_IGNORE);
}

static void end(void)
{
    MPI_Finalize();
    free(request);
}

static void stop(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

const struct mpi_transport poise_mpi_transport = {begin, gather, exchange, finished, roll_call, end, stop};
