/* mpi_transport.h: what ranks.c requires of MPI: libpoise-mpi.so, the only library linked with it, which is opened at
 * run time.  All arrays are on the host.  Only one operation may be pending: gather() or exchange() starts it, and the
 * arrays must not change until finished() returns true.  Functions that return text return NULL or an error message. */
#ifndef POISE_MPI_TRANSPORT_H
#define POISE_MPI_TRANSPORT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n other ranks: number i is rank[i]; it receives the elements send[i] .. send[i + 1] - 1 of the data sent, and its own
 * are stored as elements receive[i] .. receive[i + 1] - 1. */
struct ranks_peers { int n; const int *rank; const int64_t *send, *receive; };

struct mpi_transport {
    /* First call.  Rank and number of ranks as MPI reports them; name: of the implementation, for the log. */
    const char *(*begin)(int *rank, int *n_ranks, char *name, size_t size);
    /* Gathers every rank's `bytes` bytes, stored at [rank bytes], on all ranks. */
    const char *(*gather)(void *all, size_t bytes);
    /* One message to and from every peer, with elements of `size` bytes; none if the range is empty. */
    const char *(*exchange)(const struct ranks_peers *p, const void *send, void *receive, size_t size);
    const char *(*finished)(bool *yes);
    /* After a pending operation has timed out: here[rank] becomes 1 for each other rank that calls this within so many
     * seconds.  Only stop() may follow. */
    void (*roll_call)(char *here, double seconds);
    /* Last call, by all ranks together. */
    void (*end)(void);
    /* Ends all ranks at once with this status; called by any of them. */
    void (*stop)(int status);
};
#endif
