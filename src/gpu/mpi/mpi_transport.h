/* mpi_transport.h: what ranks.c asks of MPI: libpoise-mpi.so, which alone is linked with it and which is opened at
 * run time. All arrays are on the host.  One operation is under way at a time: gather() or exchange() starts it, and
 * the arrays must stay until finished() has said so.  Every function that returns text returns NULL or what went
 * wrong. */
#ifndef POISE_MPI_TRANSPORT_H
#define POISE_MPI_TRANSPORT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n other ranks: number i is rank[i]; its part of what is sent are the elements send[i] .. send[i + 1] - 1, of what is
 * received receive[i] .. receive[i + 1] - 1. */
struct ranks_peers { int n; const int *rank; const int64_t *send, *receive; };

struct mpi_transport {
    /* The first call.  Rank and number of ranks as MPI has them; name: of the implementation, for the log. */
    const char *(*begin)(int *rank, int *n_ranks, char *name, size_t size);
    /* Every rank's `bytes` bytes, which stand at [rank bytes], to all ranks. */
    const char *(*gather)(void *all, size_t bytes);
    /* One message to every peer and one from it, of elements of `size` bytes; none where the part is empty. */
    const char *(*exchange)(const struct ranks_peers *p, const void *send, void *receive, size_t size);
    const char *(*finished)(bool *yes);
    /* After a wait in vain for what is under way: here[rank] becomes 1 for each other rank that calls this within so
     * many seconds.  Only stop() may follow. */
    void (*roll_call)(char *here, double seconds);
    /* The last call, of all ranks together. */
    void (*end)(void);
    /* Ends all ranks at once with this status, from any of them. */
    void (*stop)(int status);
};
#endif
