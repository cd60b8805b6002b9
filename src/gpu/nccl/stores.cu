/* Messages as stores into other GPUs' memory (stores.h), by NCCL's sessions for many small messages at once: every
 * number travels beside the count of its message, in one store of 16 bytes, so who waits for it sees both together, and
 * no flag has to come behind the data.  Where messages come to there are two halves, used in turn: a rank writes into
 * one of them again only when it has got the whole message after the last that came there, and by then that has been
 * read.  This holds for every block by itself, and for each other rank from which it gets something in every message.
 *
 * So all ranks launch the same messages in the same order, and of the same number of blocks.  Numbers are counted where
 * they go to, in chunks; block b of `blocks` has to do with the chunks b, b + blocks, b + 2 blocks ... of all ranks. */
#include <nccl.h>
#include <nccl_device.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "gpu/halo_kernels.h"
#include "gpu/nccl/stores.h"

/* MOST: blocks.  ROUND: chunks that a block has room for; more come in several rounds.  AT_ONCE: numbers that a lane
 * waits for together.  With these the room is 17 MB. */
enum { CHUNK = SLICE, MOST = 128, ROUND = 8, AT_ONCE = 4 };
typedef ncclLLA2ASession<ncclCoopCta> session;
static ncclDevComm communicator;
static ncclLLA2AHandle mailbox;

/* ---------------------------------------------------------------- kernels */
/* Of the numbers first .. first + n - 1 of what rank `to` gets those of this block and round; the first is get(0). */
template <class T, class Get>
ON_DEVICE void send(session &s, int to, uint32_t first, uint32_t n, uint32_t round, Get get)
{
    const uint32_t chunk = first / CHUNK, b = blockIdx.x;
    uint32_t turn = chunk > b ? (chunk - b + gridDim.x - 1) / gridDim.x : 0;
    for (turn = turn > round ? turn : round; turn < round + ROUND; turn++) {
        const uint32_t from = (turn * gridDim.x + b) * CHUNK, i = from + threadIdx.x;
        if (from >= first + n) break;
        if (i >= first && i < first + n)
            s.send(to, s.team.nRanks + (turn - round) * CHUNK + threadIdx.x, (T)get(i - first));
    }
}

/* The n numbers that come, of this block and round: put(number, value). */
template <class T, class Put> ON_DEVICE void receive(session &s, uint32_t n, uint32_t round, Put put)
{
    for (uint32_t turn = round; turn < round + ROUND; turn += AT_ONCE) {
        const uint32_t i = (turn * gridDim.x + blockIdx.x) * CHUNK + threadIdx.x, apart = gridDim.x * CHUNK;
        T value[AT_ONCE];
        if (i >= n) break;
        const uint32_t left = (n - i + apart - 1) / apart;
        s.template recvUnrolled<1, AT_ONCE>(s.team.nRanks + (turn - round) * CHUNK + threadIdx.x,
                                            left < AT_ONCE ? left : AT_ONCE, CHUNK, value);
        UNROLL for (uint32_t k = 0; k < AT_ONCE; k++) if (k < left) put(i + k * apart, value[k]);
    }
}

/* A message of at most `most` numbers to a rank, n of which come to this one; send_all(session, round).  Every rank
 * sends a word to each, which they need where there is nothing else. */
template <class T, class Send, class Put>
ON_DEVICE void exchange(const ncclDevComm &c, ncclLLA2AHandle room, uint32_t most, uint32_t n, Send send_all, Put put)
{
    session s(ncclCoopCta(), c, ncclTeamLsa(c), room, blockIdx.x, ROUND * CHUNK);
    const uint32_t all = gridDim.x * CHUNK, turns = (most + all - 1) / all, t = threadIdx.x;
    for (uint32_t round = 0; round < turns; round += ROUND) {
        if (t < (uint32_t)c.nRanks) s.send((int)t, c.rank, (int32_t)0);
        send_all(s, round);
        receive<T>(s, n, round, put);
        if (t < (uint32_t)c.nRanks) s.template recv<int32_t>((int)t);
        s.endEpoch(ncclCoopCta());
    }
}

template <class T> ON_DEVICE T *place_of(const halo_args &a, uint32_t number)
{
    int v;
    const int64_t at = halo_place(&a, number, &v);
    return (T *)a.x[v] + at;
}

template <class T>
static __global__ void __launch_bounds__(CHUNK)
halo_global(const halo_stores_args a, uint32_t most, const ncclDevComm c, const ncclLLA2AHandle room)
{
    const uint32_t components = a.out.components;
    wait_for_kernels_before();
    exchange<T>(c, room, most, a.n * components, [&](session &s, uint32_t round) {
        for (int64_t p = 0; p < a.n_peers; p++) {
            const halo_peer to = a.peer[p];
            const uint32_t from = to.from * components;
            send<T>(s, to.rank, to.at * components, to.n * components, round,
                    [&](uint32_t i) { return *place_of<T>(a.out, from + i); });
        }
    }, [&](uint32_t i, T value) { *place_of<T>(a.in, i) = value; });
}

static __global__ void __launch_bounds__(CHUNK)
gather_global(const stores_gather_args a, uint32_t most, const ncclDevComm c, const ncclLLA2AHandle room)
{
    wait_for_kernels_before();
    exchange<int64_t>(c, room, most, most, [&](session &s, uint32_t round) {
        for (int to = 0; to < c.nRanks; to++)
            send<int64_t>(s, to, c.rank * a.n, a.n, round, [&](uint32_t i) { return ((const int64_t *)a.own)[i]; });
    }, [&](uint32_t i, int64_t value) { ((int64_t *)a.all)[i] = value; });
}

/* ---------------------------------------------------------------- launches: n: numbers of the longest message */
static int64_t blocks(int64_t n) { return n < MOST * CHUNK ? (n + CHUNK - 1) / CHUNK : MOST; }

#define STORES_KERNEL(name, args, global)                                                                    \
    static void name##_launch(const void *a, int64_t n, void *stream)                                        \
    {                                                                                                        \
        launch(global, blocks(n), CHUNK, stream, *(const args *)a, (uint32_t)n, communicator, mailbox);      \
    }                                                                                                        \
    extern "C" const struct kernel name##_kernel = {#name, NULL, 0, name##_launch, sizeof(args)};
STORES_KERNEL(stores_halo_double, halo_stores_args, halo_global<int64_t>)
STORES_KERNEL(stores_halo_single, halo_stores_args, halo_global<int32_t>)
STORES_KERNEL(stores_gather, stores_gather_args, gather_global)

/* ---------------------------------------------------------------- beginning and end */
static ncclTeam_t (*team_of)(ncclComm_t);
static decltype(&ncclLLA2ACreateRequirement) room_for;
static decltype(&ncclDevCommCreate) create;
static decltype(&ncclDevCommDestroy) destroy;

template <class F> static bool find(void *library, const char *name, F *f)
{
    *f = (F)dlsym(library, name);
    return *f;
}

const char *stores_possible(void *library, int version)
{
    const char *wanted = getenv("POISE_STORES");
    if (wanted && !strcmp(wanted, "0")) return "POISE_STORES=0";
    if (version != NCCL_VERSION_CODE) return "Poise was built with another NCCL's nccl_device.h";
    if (!find(library, "ncclTeamLsa", &team_of) || !find(library, "ncclLLA2ACreateRequirement", &room_for) ||
        !find(library, "ncclDevCommCreate", &create) || !find(library, "ncclDevCommDestroy", &destroy))
        return "this NCCL has no device API";
    return NULL;
}

bool stores_open(void *comm, int ranks)
{
    ncclDevResourceRequirements room = {};
#ifdef NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER
    ncclDevCommRequirements wanted = NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER;
#else
    ncclDevCommRequirements wanted = {};
#endif
    if (team_of((ncclComm_t)comm).nRanks != ranks) return false;
    if (room_for(MOST, ranks + ROUND * CHUNK, &mailbox, &room) != ncclSuccess) return false;
    wanted.resourceRequirementsList = &room;
    wanted.lsaMultimem = false;
    return create((ncclComm_t)comm, &wanted, &communicator) == ncclSuccess && communicator.lsaSize == ranks;
}

void stores_close(void *comm) { destroy((ncclComm_t)comm, &communicator); }
