/* Messages as direct stores into other GPUs' memory (stores.h), by NCCL's sessions for many small messages at once:
 * every number is stored together with the count of its message, in one store of 16 bytes, so a reader sees both
 * together and no separate flag is needed.  All ranks launch the same messages in the same order, with equally many
 * blocks.  Received numbers are divided into chunks; block b of `blocks` handles the chunks b, b + blocks, ... of all
 * ranks, in its turns 0, 1, ...
 *
 * Each block has its own count and its own buffer on every GPU, with two halves used alternately.  Nothing is
 * overwritten before it has been read: a block sends message m when it has received from each rank a word of message
 * m - 1, which that rank's block sends when all its lanes have read all of message m - 2, the previous one in this
 * half.  Every block sends that word to every rank in every message, also without rows to send.
 *
 * There is no deadlock: a lane sends all its data before it waits, and a block waits only for blocks of the same
 * number.  But all blocks of a launch must be resident on the GPU at once, since their order is not defined
 * (stores_possible()); those of the next kernel start when all of these run.  And a rank passes its launches to the
 * GPU before it waits on the host for ranks that may be waiting for them (device_go()).
 *
 * Counts are stored in the GPU's memory, so they continue when a graph is launched again.  They have 32 bits and wrap
 * around; with the last count of a half that half is cleared, so old data is not mistaken for a later message with the
 * same count. */
#include <nccl.h>
#include <nccl_device.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "gpu/halo_kernels.h"
#include "gpu/nccl/stores.h"

/* MOST: blocks.  ROUND: turns that fit into a block's buffer; longer messages take several rounds.  AT_ONCE: numbers
 * that a lane waits for together.  With these values the buffers take 17 MB. */
enum { CHUNK = SLICE, MOST = 128, ROUND = 8, AT_ONCE = 4 };
typedef ncclLLA2ASession<ncclCoopCta> session;
static ncclDevComm communicator;
static ncclLLA2AHandle mailbox;

/* ---------------------------------------------------------------- one message */
/* Of a run of numbers, beginning with number `first` that a rank receives, this lane handles those whose chunks belong
 * to its block in the turns begin .. end - 1 of this round. */
struct turns { uint32_t begin, end; };
ON_DEVICE turns turns_of(uint32_t first, uint32_t n, uint32_t round)
{
    const uint32_t all = gridDim.x * CHUNK, lane = blockIdx.x * CHUNK + threadIdx.x, last = first + n;
    const uint32_t begin = first > lane ? (first - lane + all - 1) / all : 0;
    const uint32_t end = last > lane ? (last - lane + all - 1) / all : 0;
    return {begin > round ? begin : round, end < round + ROUND ? end : round + ROUND};
}
ON_DEVICE uint32_t number_at(uint32_t turn) { return (turn * gridDim.x + blockIdx.x) * CHUNK + threadIdx.x; }
ON_DEVICE int slot_at(const session &s, uint32_t turn)          /* after a word of each rank */
{
    return s.team.nRanks + turn % ROUND * CHUNK + threadIdx.x;
}

/* Receives such a run: calls put(index in the run, value). */
template <class Put> ON_DEVICE void receive(session &s, uint32_t first, uint32_t n, uint32_t round, Put put)
{
    const turns t = turns_of(first, n, round);
    for (uint32_t turn = t.begin; turn < t.end; turn += AT_ONCE) {
        const uint32_t left = t.end - turn;
        int64_t value[AT_ONCE];
        s.recvUnrolled<1, AT_ONCE>(slot_at(s, turn), left < AT_ONCE ? left : AT_ONCE, CHUNK, value);
        UNROLL for (uint32_t k = 0; k < AT_ONCE; k++) if (k < left) put(number_at(turn + k) - first, value[k]);
    }
}

/* A message of which no rank receives more than `most` numbers.  Every rank also sends a word to each, for ranks that
 * receive nothing else. */
template <class Send, class Receive>
ON_DEVICE void exchange(const ncclDevComm &c, ncclLLA2AHandle room, uint32_t most, Send send_all, Receive receive_all)
{
    session s(ncclCoopCta(), c, ncclTeamLsa(c), room, blockIdx.x, ROUND * CHUNK);
    const uint32_t all = gridDim.x * CHUNK, turns = (most + all - 1) / all, t = threadIdx.x;
    for (uint32_t round = 0; round < turns; round += ROUND) {
        if (t < (uint32_t)c.nRanks) s.send((int)t, c.rank, (int64_t)0);
        send_all(s, round);
        receive_all(s, round);
        if (t < (uint32_t)c.nRanks) s.recv<int64_t>((int)t);
        const bool emptied = s.epoch >= -2u;
        s.endEpoch(ncclCoopCta());
        if (emptied) __threadfence_system();            /* before a word allows others to write there */
    }
}

/* ---------------------------------------------------------------- halos */
/* Numbers of 4 bytes are packed in pairs into words of 8 bytes. */
template <class T> union word { int64_t whole; T part[sizeof(int64_t) / sizeof(T)]; };
template <class T> ON_DEVICE uint32_t words(uint32_t rows, uint32_t components)
{
    return (uint32_t)((rows * components * sizeof(T) + 7) / 8);
}

template <class T> ON_DEVICE T *place_of(const halo_args &a, uint32_t number)
{
    int v;
    const int64_t at = halo_place(&a, number, &v);
    return (T *)a.x[v] + at;
}

template <class T> ON_DEVICE void send_rows(session &s, const halo_stores_args &a, const halo_peer &p, uint32_t round)
{
    enum { PARTS = sizeof(word<T>) / sizeof(T) };
    const uint32_t components = a.out.components, from = p.from * components, n = p.n * components;
    const uint32_t first = words<T>(p.at, components);
    const turns t = turns_of(first, words<T>(p.n, components), round);
    for (uint32_t turn = t.begin; turn < t.end; turn++) {
        const uint32_t i = (number_at(turn) - first) * PARTS;
        word<T> w;
        UNROLL for (uint32_t k = 0; k < PARTS; k++) w.part[k] = i + k < n ? *place_of<T>(a.out, from + i + k) : 0;
        s.send(p.rank, slot_at(s, turn), w.whole);
    }
}

template <class T>
ON_DEVICE void receive_rows(session &s, const halo_stores_args &a, const halo_peer &p, uint32_t round)
{
    enum { PARTS = sizeof(word<T>) / sizeof(T) };
    const uint32_t components = a.in.components, to = p.own_from * components, n = p.own_n * components;
    receive(s, words<T>(p.own_at, components), words<T>(p.own_n, components), round, [&](uint32_t i, int64_t value) {
        const word<T> w = {value};
        UNROLL for (uint32_t k = 0; k < PARTS; k++)
            if (i * PARTS + k < n) *place_of<T>(a.in, to + i * PARTS + k) = w.part[k];
    });
}

/* Prefetches what does not depend on the previous kernels while they end. */
ON_DEVICE void look_ahead(const halo_stores_args &a, uint32_t parts)
{
    for (int64_t k = 0; k < a.n_peers; k++) {
        const halo_peer p = a.peer[k];
        const uint32_t components = a.out.components, first = p.at * components / parts;
        const turns t = turns_of(first, p.n * components / parts, 0);
        for (uint32_t turn = t.begin; turn < t.end; turn++) {
            const int32_t *row = a.out.row + p.from + (number_at(turn) - first) * parts / components;
            asm volatile("prefetch.global.L1 [%0];" :: "l"(row));
        }
    }
}

template <class T>
static __global__ void __launch_bounds__(CHUNK)
halo_global(const halo_stores_args a, uint32_t most, const ncclDevComm c, const ncclLLA2AHandle room)
{
    look_ahead(a, sizeof(word<T>) / sizeof(T));
    wait_for_kernels_before();
    exchange(c, room, most,
             [&](session &s, uint32_t round) {
                 for (int64_t p = 0; p < a.n_peers; p++) send_rows<T>(s, a, a.peer[p], round);
             },
             [&](session &s, uint32_t round) {
                 for (int64_t p = 0; p < a.n_peers; p++) receive_rows<T>(s, a, a.peer[p], round);
             });
}

/* ---------------------------------------------------------------- to all ranks */
static __global__ void __launch_bounds__(CHUNK)
gather_global(const ranks_runs a, uint32_t most, const ncclDevComm c, const ncclLLA2AHandle room)
{
    wait_for_kernels_before();
    exchange(c, room, most,
             [&](session &s, uint32_t round) {
                 for (int64_t k = 0; k < a.runs; k++) {
                     const uint32_t first = (uint32_t)(k * a.n_all + a.at);
                     const int64_t *own = (const int64_t *)a.own + k * a.pitch;
                     const turns t = turns_of(first, (uint32_t)a.n, round);
                     for (uint32_t turn = t.begin; turn < t.end; turn++) {
                         const int64_t value = own[number_at(turn) - first];
                         for (int to = 0; to < c.nRanks; to++) s.send(to, slot_at(s, turn), value);
                     }
                 }
             },
             [&](session &s, uint32_t round) {
                 receive(s, 0, (uint32_t)(a.runs * a.n_all), round,
                         [&](uint32_t i, int64_t value) { ((int64_t *)a.all)[i] = value; });
             });
}

/* ---------------------------------------------------------------- launches: n: words of the longest message */
static int64_t blocks(int64_t n) { return n < MOST * CHUNK ? (n + CHUNK - 1) / CHUNK : MOST; }

#define STORES_KERNEL(name, args, global)                                                                    \
    static void name##_launch(const void *a, int64_t n, void *stream)                                        \
    {                                                                                                        \
        launch(global, blocks(n), CHUNK, stream, *(const args *)a, (uint32_t)n, communicator, mailbox);      \
    }                                                                                                        \
    extern "C" const struct kernel name##_kernel = {#name, NULL, 0, name##_launch, sizeof(args)};
STORES_KERNEL(stores_halo_double, halo_stores_args, halo_global<int64_t>)
STORES_KERNEL(stores_halo_single, halo_stores_args, halo_global<int32_t>)
STORES_KERNEL(stores_gather, ranks_runs, gather_global)

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

template <class... Args> static bool all_at_once(void (*kernel)(Args...))
{
    int device, processors, blocks;
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) == cudaSuccess &&
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, CHUNK, 0) == cudaSuccess &&
           blocks * processors >= MOST;
}

const char *stores_possible(void *library, int version, int ranks)
{
    const char *wanted = getenv("POISE_STORES");
    if (wanted && !strcmp(wanted, "0")) return "POISE_STORES=0";
    if (ranks > CHUNK) return "more than 512 ranks";    /* each lane handles the word of one rank */
    if (!all_at_once(halo_global<int64_t>) || !all_at_once(halo_global<int32_t>) || !all_at_once(gather_global))
        return "a GPU has too few multiprocessors for 128 blocks at once";
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
