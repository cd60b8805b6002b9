/* stores.h: messages between GPUs as direct stores into each other's memory, one launch each: a kernel writes outgoing
 * data into the memory of the receiving GPUs, waits for incoming data and stores it in place.  Uses the device API of
 * NCCL (nccl_device.h, from 2.28 on), if the build has that header.  Private to nccl.c. */
#ifndef POISE_STORES_H
#define POISE_STORES_H
#include <stdbool.h>
#include "gpu/kernel.h"
#include "gpu/ranks.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Kernel of ranks_gather_runs_there(), launched over all numbers. */
KERNEL(stores_gather, struct ranks_runs)
/* Kernels of halos with numbers of 8 and 4 bytes: struct halo_stores_args (gpu/halo_kernels.h). */
KERNEL_SYMBOL const struct kernel stores_halo_double_kernel, stores_halo_single_kernel;

/* library: NCCL's, opened, of this version.  NULL, or why this process, one of so many ranks, cannot use these kernels:
 * the version differs from the header's (the data that kernels read from the library changes even between patch
 * releases), or the GPU cannot run all blocks of a message at once. */
const char *stores_possible(void *library, int version, int ranks);
/* Called by all ranks together, which wait for each other on the host, if these kernels are possible on all of them;
 * takes 17 MB on each GPU, whatever the number of GPUs and messages.  False: some GPUs cannot write into each other's
 * memory, or NCCL fails. */
bool stores_open(void *comm, int ranks);
void stores_close(void *comm);
#ifdef __cplusplus
}
#endif
#endif
