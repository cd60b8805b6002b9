/* ranks.h: several processes that share one computation: ranks, started by mpirun or srun, each with a GPU or some
 * cores of its own.  All of them run the same program on the same input and call what is declared here alike and in
 * the same order; whatever they decide on they know all of them, from sums over all ranks (gpu/sums.h) or by
 * ranks_agree(). Rank 0 alone prints and writes files.
 *
 * Started alone there is one rank, and nothing here does anything.  MPI is a library of its own
 * (gpu/mpi/mpi_transport.h), opened only where the environment says that there are several ranks: no other program
 * needs MPI. */
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
/* Before anything else that ranks do together.  False with a message, told by rank 0 alone: several ranks were started,
 * and MPI cannot be had. */
bool ranks_open(struct error *e);
/* The last thing, of all ranks together. */
void ranks_close(void);
int ranks_count(void);
int ranks_own(void);                    /* which of them this is, from 0 */
int ranks_here(int *before);            /* how many are on this machine; *before: those with smaller numbers */
bool ranks_possible(void);             /* is libpoise-mpi.so there? */
const char *ranks_transport(void);      /* "Open MPI v4.1.4", and by what GPUs talk to each other; "" for one rank */

/* Every rank's `bytes` bytes come to all ranks, where those of a rank stand at [rank bytes].  On the host in place: a
 * rank's own are there before.  On the machine that computes from `own`, which may be that place. */
void ranks_gather(void *all, size_t bytes);
void ranks_gather_there(const void *own, void *all, size_t bytes);
/* A launch that is a message counts what a rank gets in 32 bits: up to so many numbers.  Longer ones are sent. */
enum { RANKS_LONGEST = 1 << 30 };
/* On the machine, of numbers of 8 bytes: run k of a rank, n of them, stands at own + k pitch; run k of all ranks comes
 * to all + k n_all, one rank's behind the other's, this one's at `at` of it.  False: this cannot be done here, or they
 * are too many. */
struct ranks_runs { const void *own; void *all; int64_t runs, n, pitch, at, n_all; };
bool ranks_gather_runs_there(const struct ranks_runs *r);
/* A message to every peer and one from it (struct ranks_peers), of elements of `size` bytes. */
void ranks_exchange(const struct ranks_peers *p, const void *send, void *receive, size_t size);
void ranks_exchange_there(const struct ranks_peers *p, const void *send, void *receive, size_t size);
/* n things of this rank among those of all: first[rank] is the number of its first one; [ranks + 1], the caller's to
 * free. */
int64_t *ranks_first(int64_t n);
/* The n things of this rank and those of the others, one rank after the other, on rank 0, the caller's to free; NULL on
 * the others. */
void *ranks_to_first(const void *own, int64_t n, size_t size);

/* The n things of every rank, of `size` bytes each, one after the other, on all ranks; first, unless NULL: as
 * ranks_first() makes it.  Both are the caller's to free. */
void *ranks_collect(const void *own, int64_t n, size_t size, int64_t **first);

/* Which of n slices, in the order of all, a rank's part begins with; of rank ranks_count(): n.  Parts are cut where few
 * coarse rows have to change hands in multigrid (solve/regroup.h): at multiples of 64 slices, of which two coarsenings
 * by 8 make one, if that makes no part more than a sixteenth larger than the mean; else of 8; else anywhere. */
int64_t ranks_cut(int64_t n, int rank);
int64_t ranks_cut_of(int64_t n, int n_ranks, int rank);         /* the same of so many ranks */

/* Between alone = true and false there is one rank for whoever asks, this one, and nothing may be sent; for one rank's
 * share of a measurement, while others wait for it in ranks_agree(). */
void ranks_alone(bool alone);

/* What some rank alone may have met, such as a file that cannot be read, becomes known to all: true where all are good;
 * else false on all, *e being that of the first rank that is not (e may be NULL).  Waits as long as it takes for all
 * ranks to come, while other waits give up after ranks_patience(): a step whose length is not the same on all ranks,
 * such as what rank 0 does with files, ends with this. */
bool ranks_agree(bool good, struct error *e);
/* The same of a reason, NULL being good; valid until the next call.  Waits no longer than others. */
const char *ranks_agree_why(const char *why);

/* A rank that others wait for without seeing anything of it for so many seconds hangs: POISE_PATIENCE, or 50. */
double ranks_patience(void);
/* After such a wait: finds out which ranks do not answer, says so and ends all of them. */
void ranks_give_up(void) __attribute__((noreturn));
/* How far the computation is and what it can go on from, in words, for the messages of a rank that ends. */
void ranks_now(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For the GPU: what moves its arrays in place of messages between hosts; NULL: nothing does.  They belong to the caller
 * and stay.  halo_double, halo_single: kernels that are a halo's whole message, of numbers of 8 and of 4 bytes, and
 * then gather() and gather_runs() launch kernels too; or NULL. */
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
