/* ranks.h: several processes that share one computation: ranks, started by mpirun or srun, each with its own GPU or
 * cores.  All of them run the same program on the same input and call these functions alike and in the same order; they
 * base decisions on sums over all ranks (gpu/sums.h) or on ranks_agree(), so all decide alike.  Only rank 0 prints and
 * writes files.
 *
 * A program started alone is one rank, for which these functions do nothing.  MPI is used through a separate library
 * (gpu/mpi/mpi_transport.h), opened only if the environment indicates several ranks: otherwise MPI is not needed. */
#ifndef POISE_RANKS_H
#define POISE_RANKS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "gpu/mpi/mpi_transport.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Called before all other collective calls.  False with a message, printed only by rank 0: several ranks were started,
 * but MPI is not available. */
bool ranks_open(struct error *e);
/* Last call, by all ranks together. */
void ranks_close(void);
int ranks_count(void);
int ranks_own(void);                    /* number of this rank, from 0 */
int ranks_here(int *before);            /* number of ranks on this machine; *before: those with lower numbers */
bool ranks_possible(void);             /* does libpoise-mpi.so exist? */
const char *ranks_transport(void);      /* "Open MPI v4.1.4", and how GPUs communicate; "" for one rank */

/* Gathers every rank's `bytes` bytes on all ranks, stored at [rank bytes].  On the host in place: a rank stores its own
 * first.  On the device from `own`, which may be that location. */
void ranks_gather(void *all, size_t bytes);
void ranks_gather_there(const void *own, void *all, size_t bytes);
/* A message by launch counts received numbers in 32 bits: this is the limit.  Longer messages are sent. */
enum { RANKS_LONGEST = 1 << 30 };
/* On the device, numbers of 8 bytes: run k of a rank has n numbers at own + k pitch; run k of all ranks is gathered at
 * all + k n_all, rank after rank, this rank's at offset `at`.  False: not supported, or too many numbers. */
struct ranks_runs { const void *own; void *all; int64_t runs, n, pitch, at, n_all; };
bool ranks_gather_runs_there(const struct ranks_runs *r);
/* One message to and from every peer (struct ranks_peers), with elements of `size` bytes. */
void ranks_exchange(const struct ranks_peers *p, const void *send, void *receive, size_t size);
void ranks_exchange_there(const struct ranks_peers *p, const void *send, void *receive, size_t size);
/* Numbers the n items of every rank consecutively: first[rank] is the number of its first one; [ranks + 1], freed by
 * the caller. */
int64_t *ranks_first(int64_t n);
/* Gathers the n items of every rank on rank 0, rank after rank, freed by the caller; NULL on the other ranks. */
void *ranks_to_first(const void *own, int64_t n, size_t size);

/* Gathers the n items of every rank, of `size` bytes each, on all ranks, rank after rank; first, unless NULL: as from
 * ranks_first().  The caller frees both. */
void *ranks_collect(const void *own, int64_t n, size_t size, int64_t **first);

/* First of a rank's slices, among n slices in global order; for rank ranks_count(): n.  Cuts are chosen so that
 * multigrid has to move few coarse rows between ranks (solve/regroup.h): at multiples of 64 slices, which two
 * coarsenings by 8 turn into one, if no part becomes more than a sixteenth larger than the mean; else of 8; else
 * anywhere. */
int64_t ranks_cut(int64_t n, int rank);
int64_t ranks_cut_of(int64_t n, int n_ranks, int rank);         /* the same for so many ranks */

/* Between alone = true and false the calling rank is the only one, and nothing may be sent; for measuring one rank's
 * share while others wait in ranks_agree(). */
void ranks_alone(bool alone);

/* Makes an outcome known to only some ranks, such as an unreadable file, known to all: true if all are good; else false
 * on all, with *e of the first rank that is not (e may be NULL).  Waits as long as it takes for all ranks to arrive,
 * while other waits give up after ranks_patience(): so a step that takes different times on the ranks, such as rank 0
 * reading files, must end with this call. */
bool ranks_agree(bool good, struct error *e);
/* The same for a reason, NULL meaning success; valid until the next call.  Waits with the usual time limit. */
const char *ranks_agree_why(const char *why);

/* Seconds after which a rank that does not respond counts as hanging: POISE_PATIENCE, or 50. */
double ranks_patience(void);
/* After such a wait: finds out which ranks do not respond, reports them and ends all ranks. */
void ranks_give_up(void) __attribute__((noreturn));
/* Progress of the computation and where it can be restarted, in words, for the messages of a rank that ends. */
void ranks_now(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Functions that exchange arrays between GPUs directly instead of through the hosts; NULL: none.  The caller keeps
 * ownership and must not free them.  halo_double, halo_single: kernels that perform a halo's whole message, for numbers
 * of 8 and 4 bytes, and then gather() and gather_runs() launch kernels too; or NULL. */
struct kernel;
struct ranks_direct {
    void (*gather)(const void *own, void *all, size_t bytes);
    void (*gather_runs)(const struct ranks_runs *r);            /* or NULL */
    void (*exchange)(const struct ranks_peers *p, const void *send, void *receive, size_t size);
    const struct kernel *halo_double, *halo_single;
    const char *name;
};
void ranks_use(const struct ranks_direct *direct);
/* For numbers of `size` bytes; NULL: rows are packed, sent by ranks_exchange_there(), and unpacked. */
const struct kernel *ranks_halo_kernel(size_t size);
#ifdef __cplusplus
}
#endif
#endif
