/* stores.h: messages between GPUs that can write into each other's memory, one launch each: a kernel writes what goes
 * out straight into the memory of the GPUs that it is for, waits for what comes and puts it into its place.  By the
 * device API of NCCL (nccl_device.h, from 2.28 on), which a build has where that header is.  Private to nccl.c. */
#ifndef POISE_STORES_H
#define POISE_STORES_H
#include <stdbool.h>
#include "gpu/kernel.h"
#include "gpu/ranks.h"

#ifdef __cplusplus
extern "C" {
#endif
/* ranks_gather_runs_there(), launched over all numbers. */
KERNEL(stores_gather, struct ranks_runs)
/* Halos of numbers of 8 and of 4 bytes: struct halo_stores_args (gpu/halo_kernels.h). */
KERNEL_SYMBOL const struct kernel stores_halo_double_kernel, stores_halo_single_kernel;

/* library: NCCL's, opened, of this version.  NULL, or why this process, one of so many ranks, cannot use these kernels:
 * the version is not that of the header to the last digit (what kernels read of the library changes between patches),
 * or the GPU has no room for all blocks of a message at once. */
const char *stores_possible(void *library, int version, int ranks);
/* All ranks together, for each of which these kernels are possible, and which wait for each other on the host; takes 17
 * MB of each GPU, however many there are and whatever they send.  False: some of these GPUs cannot write into each
 * other's memory, or NCCL does not do it. */
bool stores_open(void *comm, int ranks);
void stores_close(void *comm);
#ifdef __cplusplus
}
#endif
#endif
