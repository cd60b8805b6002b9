/* Drives a harness without libFuzzer:
 *     HARNESS SEEDS --runs N|--seconds S [--seed K] [--save FOLDER]      mutations of the files in the folder SEEDS
 *     HARNESS FILE                                                       this file alone
 * Inputs are mutated from the seeds and from inputs that reached new code (detected by the compiler's trace-pc calls).
 * Workers, each forked for some hundred inputs, run them; when one dies, its input is saved in the folder and the next
 * worker continues.  With the same seeds, program and K, --runs makes the same inputs.  Prints "ok NAME" or "not ok
 * NAME: why". */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "fuzz.h"

enum { MOST_BYTES = 1 << 18, MOST_INPUTS = 4096, ROOM = 64 << 20, BATCH = 500, SECONDS = 10, MOST_FAILURES = 5 };
enum { PATIENCE = 120 };       /* seconds allowed for an input on a busy machine */
enum { EDGES = 1 << 16 };

/* Shared by the driver and its workers. */
struct shared {
    int64_t done;
    int foreign, n_inputs, n_seeds;
    uint64_t random;
    size_t size, used;
    uint8_t input[MOST_BYTES];                  /* that which runs */
    struct { size_t at, size; } list[MOST_INPUTS];
    uint8_t data[ROOM], seen[EDGES];
};
static struct shared *s;

/* ---------------------------------------------------------------- code coverage */
static int fresh;
void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
    uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)LLVMFuzzerTestOneInput;
    uint32_t edge = (uint32_t)(at * 2654435761u) >> 16;
    if (s && !s->seen[edge]) s->seen[edge] = 1, fresh++;
}

/* ---------------------------------------------------------------- inputs */
/* xorshift64* (Vigna 2016) */
static uint32_t below(size_t n)
{
    s->random ^= s->random >> 12, s->random ^= s->random << 25, s->random ^= s->random >> 27;
    return n ? (uint32_t)((s->random * 2685821657736338717u >> 32) % n) : 0;
}

static void keep(const uint8_t *data, size_t size)
{
    if (s->n_inputs == MOST_INPUTS || size > MOST_BYTES || s->used + size > ROOM) return;
    s->list[s->n_inputs].at = s->used, s->list[s->n_inputs++].size = size;
    memcpy(s->data + s->used, data, size);
    s->used += size;
}

/* Makes room for n bytes at `at`, or removes n bytes there. */
static bool make_room(size_t at, size_t n)
{
    if (s->size + n > MOST_BYTES) return false;
    memmove(s->input + at + n, s->input + at, s->size - at);
    s->size += n;
    return true;
}

static void take_away(size_t at, size_t n)
{
    memmove(s->input + at, s->input + at + n, s->size - at - n);
    s->size -= n;
}

static void put_number(size_t at)
{
    static const uint64_t value[] = {0, 1, 2, 3, 127, 128, 255, 256, 65535, 0x7fffffff, 0x80000000, 0xffffffff,
        0x100000000, 0x100000005, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX, 0x7ff8000000000000,
        0x7ff0000000000000, 0x7fe1ccf385ebc8a0, 0x4005999999999999};    /* the last four: NaN, infinity, 1e308, 2.7 */
    uint64_t v = value[below(sizeof value / sizeof *value)];
    size_t n = (size_t)1 << below(4);
    if (at + n <= s->size) memcpy(s->input + at, &v, n);
}

/* Moves *at to the beginning of its line, statement or word; returns the length. */
enum token { LINE, STATEMENT, WORD, KINDS };
static bool belongs(uint8_t c, enum token kind)
{
    static const char *const ends[KINDS] = {"\n", ";\n", " \t\n;,=(){}[]\""};
    return !c || !strchr(ends[kind], c);
}
static size_t token_at(const uint8_t *data, size_t size, size_t *at, enum token kind)
{
    size_t end = *at;
    while (*at > 0 && belongs(data[*at - 1], kind)) --*at;
    while (end < size && belongs(data[end], kind)) end++;
    return end - *at;
}

/* In text: replaces a token, or puts next to it, one of another input, or a word that is likely to cause trouble. */
static void put_token(size_t at)
{
    static const char *const word[] = {"0", "-1", "1", "2.5", "1e308", "-1e308", "1e-320", "nan", "inf", "2147483647",
                                       "2147483648", "4294967299", "0x100000005", "99999999999999999999", "1e", "true",
                                       "[1, 2.5]", "[]", "()", "{}", "\"\"", "\xef\xbb\xbf", "\x1b[31m", "%"};
    enum { WORDS = sizeof word / sizeof *word };
    static uint8_t with[1024];
    enum token kind = (enum token)below(KINDS);
    int k = (int)below((size_t)s->n_inputs);
    const uint8_t *other = s->data + s->list[k].at;
    size_t from = below(s->list[k].size), n = token_at(other, s->list[k].size, &from, kind);
    size_t old = token_at(s->input, s->size, &at, kind);
    if (kind == WORD && below(2)) {
        const char *one = word[below(WORDS)];
        other = (const uint8_t *)one, from = 0, n = strlen(one);
    }
    if (n > sizeof with || below(12) == 0) n = 0;
    memcpy(with, other + from, n);
    if (below(6)) take_away(at, old);
    if (make_room(at, n)) memcpy(s->input + at, with, n);
}

static void put_part_of_another(size_t at, bool over)
{
    int k = (int)below((size_t)s->n_inputs);
    size_t from = below(s->list[k].size), n = 1 + below(below(2) ? 16 : 256);
    if (from + n > s->list[k].size) n = s->list[k].size - from;
    if (over && at + n > s->size) n = s->size - at;
    if (over || make_room(at, n)) memcpy(s->input + at, s->data + s->list[k].at + from, n);
}

static void mutate_once(bool text)
{
    size_t at = below(s->size), n = 1 + below(below(2) ? 8 : 256);
    if (text && s->size && below(16)) return put_token(at);
    bool moves = !s->size || !below(16);                        /* offsets in a binary file rarely survive it */
    switch (moves ? s->size ? 5 + below(3) : 6 : below(5)) {
    case 0: s->input[at] ^= (uint8_t)(1 << below(8)); break;
    case 1: s->input[at] = (uint8_t)below(256); break;
    case 2: s->input[at] = (uint8_t)(s->input[at] + below(35) - 17); break;
    case 3: put_number(at); break;
    case 4: put_part_of_another(at, true); break;
    case 5: take_away(at, at + n <= s->size ? n : s->size - at); break;
    case 6: put_part_of_another(at, false); break;
    case 7: put_token(at); break;
    }
}

static void make_input(void)
{
    bool first = s->done < s->n_seeds;          /* the seeds unchanged */
    int k = first ? (int)s->done : (int)below((size_t)s->n_inputs),
        times = first ? 0 : 1 + (int)below(below(4) ? 3 : 24);
    s->size = s->list[k].size;
    memcpy(s->input, s->data + s->list[k].at, s->size);
    bool text = true;
    for (size_t i = 0; i < s->size; i++)
        text = text && s->input[i] && (s->input[i] >= ' ' || strchr("\t\r\n\x1b", s->input[i]));
    while (times-- > 0) mutate_once(text);
}

/* ---------------------------------------------------------------- runs */
/* Processor time of this process and those that read HDF5 files for it. */
static double seconds_worked(void)
{
    struct rusage own, others;
    getrusage(RUSAGE_SELF, &own), getrusage(RUSAGE_CHILDREN, &others);
    return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + others.ru_utime.tv_sec + others.ru_stime.tv_sec) +
        1e-6 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec + others.ru_utime.tv_usec +
                        others.ru_stime.tv_usec);
}

static void run_one(void)
{
    s->foreign = 0, fresh = 0;
    double before = seconds_worked();
    alarm(PATIENCE);
    LLVMFuzzerTestOneInput(s->input, s->size);
    alarm(0);
    if (seconds_worked() > before + SECONDS) raise(SIGALRM);
    if (fresh && s->done >= s->n_seeds) keep(s->input, s->size);
}

static void work(int64_t end, double until)
{
    fuzz_foreign = &s->foreign;
    for (; s->done < end && !fuzz_spent && (until == 0 || (double)time(NULL) < until); s->done++) {
        make_input();
        run_one();
    }
}

static bool save_input(const char *folder, const char *name, int failures, char path[512])
{
    snprintf(path, 512, "%s/%s-%ld-%d", folder, name, (long)getpid(), failures);
    FILE *out = fopen(path, "wb");
    return out && fwrite(s->input, 1, s->size, out) == s->size && !fclose(out);
}

/* Did the worker end normally?  Otherwise its input is saved and reported. */
static bool judge(int end, const char *name, const char *folder, int failures)
{
    char path[512], why[80];
    if (WIFEXITED(end) && WEXITSTATUS(end) == 0) return true;
    bool late = WIFSIGNALED(end) && WTERMSIG(end) == SIGALRM;
    if (s->foreign) return s->done++, true;
    if (late) snprintf(why, sizeof why, "more than %d s", SECONDS);
    else if (WIFSIGNALED(end)) snprintf(why, sizeof why, "signal %d", WTERMSIG(end));
    else snprintf(why, sizeof why, "status %d", WEXITSTATUS(end));
    bool saved = save_input(folder, name, failures, path);
    printf("not ok fuzz_%s: input %" PRId64 ": %s; it is %s %s\n", name, s->done, why,
           saved ? "in" : "lost, not written to", path);
    fflush(stdout);
    s->done++;
    return false;
}

static int drive(const char *name, int64_t runs, double until, const char *folder)
{
    int failures = 0;
    s->n_seeds = s->n_inputs;
    fuzz_file("input", s->input, 0);                            /* the folder, for all workers */
    while (s->done < runs && (until == 0 || (double)time(NULL) < until) && failures < MOST_FAILURES) {
        int64_t end = s->done + BATCH < runs ? s->done + BATCH : runs;
        fflush(NULL);
        pid_t worker = fork();
        if (worker == 0) {
            work(end, until);
            _exit(0);
        }
        int how = 0;
        while (waitpid(worker, &how, 0) < 0 && errno == EINTR) {}
        failures += !judge(how, name, folder, failures);
    }
    if (!failures) printf("ok fuzz_%s\n", name);
    int edges = 0;
    for (int i = 0; i < EDGES; i++) edges += s->seen[i];
    printf("# fuzz_%s: %" PRId64 " inputs from %d seeds, %d reached new code; %d edges\n", name, s->done, s->n_seeds,
           s->n_inputs - s->n_seeds, edges);
    return failures > 0;
}

/* ---------------------------------------------------------------- seeds */
static bool load(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in) return false;
    s->size = fread(s->input, 1, MOST_BYTES, in);
    bool good = s->size > 0 && fgetc(in) == EOF;
    fclose(in);
    return good;
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static bool load_folder(const char *folder)
{
    struct dirent **entry;
    char path[4096];
    int n = scandir(folder, &entry, NULL, by_name);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (*entry[i]->d_name != '.' && load(path)) keep(s->input, s->size);
        free(entry[i]);
    }
    if (n >= 0) free(entry);
    return s->n_inputs > 0;
}

int main(int argc, char **argv)
{
    int64_t runs = INT64_MAX;
    double until = 0;
    const char *folder = ".", *slash = strrchr(argv[0], '/');
    struct stat found;
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED || argc < 2 || stat(argv[1], &found))
        return fprintf(stderr, "usage: HARNESS SEEDS|FILE ...\n"), 2;
    s->random = 88172645463325252u;
    for (int i = 2; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--runs")) runs = atoll(argv[i + 1]);
        if (!strcmp(argv[i], "--seconds")) until = (double)time(NULL) + atof(argv[i + 1]);
        if (!strcmp(argv[i], "--seed")) s->random ^= (uint64_t)atoll(argv[i + 1]) * 0x9e3779b97f4a7c15u;
        if (!strcmp(argv[i], "--save")) folder = argv[i + 1];
    }
    if (!S_ISDIR(found.st_mode)) return load(argv[1]) ? run_one(), 0 : 1;
    if (!load_folder(argv[1])) return fprintf(stderr, "%s: no seeds there\n", argv[1]), 1;
    return drive(slash ? slash + 1 : argv[0], runs, until, folder);
}
