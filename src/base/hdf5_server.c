/* The process in which the HDF5 library reads (hdf5_reader.h).  It may end at any moment, by a crash of the library or
 * at its limits, and its parent reports why.  It prints nothing and changes no state of the program. */
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/hdf5_reader.h"
#include "base/memory.h"
#include "base/process.h"

struct server {
    int socket;
    hid_t file;
    int64_t file_bytes;
    struct hdf5_answer answer;
};

/* ---------------------------------------------------------------- failures */
static herr_t look_for_memory(unsigned n, const H5E_error2_t *error, void *found)
{
    (void)n;
    if (error->maj_num == H5E_RESOURCE && (error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC))
        *(bool *)found = true;
    return 0;
}

__attribute__((format(printf, 2, 3)))
static bool fail(struct server *s, const char *format, ...)
{
    bool memory = false;
    va_list list;
    va_start(list, format);
    int n = vsnprintf(s->answer.why, sizeof s->answer.why, format, list);
    va_end(list);
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, look_for_memory, &memory);
    s->answer.status = memory ? EXIT_RESOURCE : EXIT_INPUT;
    if (memory && n < (int)sizeof s->answer.why)
        snprintf(s->answer.why + n, sizeof s->answer.why - (size_t)n, ": out of memory");
    return false;
}

/* Sets the limits on memory and time for the next answer, which has so many bytes of values.  If a damaged file needs
 * more, the process ends. */
static void allow(int64_t bytes)
{
    enum { ROOM = 256 << 20, SECONDS = 5, BYTES_PER_SECOND = 20000000 };
    struct rusage used;
    unsigned long now = process_bytes(false);
    if (now > 0) process_limit(RLIMIT_AS, now + ROOM + 3 * (unsigned long)bytes);
    getrusage(RUSAGE_SELF, &used);
    process_limit(RLIMIT_CPU, (unsigned long)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + SECONDS +
                                              bytes / BYTES_PER_SECOND));
}

/* ---------------------------------------------------------------- what there is */
/* Does this name exist?  Links to other files are rejected on the way. */
static bool is_there(struct server *s, const char *name, bool *there)
{
    char path[NAME_LENGTH];
    H5L_info_t info;
    *there = true;
    for (const char *end = name; *there && end;) {
        end = strchr(end + 1, '/');
        snprintf(path, sizeof path, "%.*s", end ? (int)(end - name) : (int)strlen(name), name);
        *there = H5Lexists(s->file, path, H5P_DEFAULT) > 0;
        if (*there && H5Lget_info(s->file, path, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_EXTERNAL)
            return fail(s, "\"%s\" is a link to another file; Poise does not follow such links", path);
    }
    return true;
}

static const char *words_of(hid_t type)
{
    H5T_class_t class = H5Tget_class(type);
    return class == H5T_INTEGER ? "integers" : class == H5T_FLOAT ? "floating-point numbers" :
           class == H5T_STRING ? "strings" : "values of another type";
}

static bool has_type(struct server *s, const char *what, const char *name, hid_t type, enum hdf5_kind kind)
{
    H5T_class_t class = H5Tget_class(type);
    const char *expected = kind == HDF5_TEXT ? "strings" : kind == HDF5_DOUBLE ? "numbers" : "integers";
    bool good = kind == HDF5_ANY || (kind == HDF5_TEXT ? class == H5T_STRING : class == H5T_INTEGER) ||
                (kind == HDF5_DOUBLE && class == H5T_FLOAT);
    return good || fail(s, "%s\"%s\" holds %s; expected %s", what, name, words_of(type), expected);
}

/* Are the values in this file, and not more than its bytes can hold?  Deflate, the strongest of the usual filters,
 * compresses at most 1032 : 1. */
static bool is_held(struct server *s, const char *name, hid_t set, hid_t type, hid_t space)
{
    enum { DEFLATE = 1032 };
    hid_t how = H5Dget_create_plist(set);
    bool external = how >= 0 && H5Pget_layout(how) != H5D_CHUNKED && H5Pget_external_count(how) > 0;
    bool filtered = how >= 0 && H5Pget_layout(how) == H5D_CHUNKED && H5Pget_nfilters(how) > 0;
    if (how >= 0) H5Pclose(how);
    if (how < 0) return fail(s, "\"%s\" cannot be read", name);
    if (external) return fail(s, "\"%s\" is stored in other files (external storage); Poise does not open these", name);
    double stored = (double)H5Dget_storage_size(set), values = (double)H5Tget_size(type);
    hsize_t length[H5S_MAX_RANK] = {0};
    int rank = H5Sget_simple_extent_dims(space, length, NULL);
    for (int k = 0; k < rank; k++) values *= (double)length[k];
    if (stored > (double)s->file_bytes) stored = (double)s->file_bytes;
    return values <= stored * (filtered ? DEFLATE : 1) ||
           fail(s, "\"%s\" is said to have %.0f bytes, more than are written in the file (%.0f)", name, values, stored);
}

/* Opens the dataset for values of this kind and puts its shape into the answer.  Negative: it does not exist (the
 * answer's rank is -1), or a failure. */
static hid_t open_set(struct server *s, const char *name, enum hdf5_kind kind)
{
    bool there;
    hsize_t length[H5S_MAX_RANK] = {0};
    s->answer.rank = -1;
    if (!is_there(s, name, &there) || !there) return -1;
    hid_t set = H5Dopen2(s->file, name, H5P_DEFAULT), how = set < 0 ? -1 : H5Dget_create_plist(set);
    if (how < 0) return fail(s, "\"%s\" cannot be opened as a dataset", name), -1;
    bool virtual = H5Pget_layout(how) == H5D_VIRTUAL;
    H5Pclose(how);
    if (virtual)                                                /* before querying its extent, for which the library
                                                                   opens other files */
        return fail(s, "\"%s\" is a virtual dataset, made of other datasets; Poise does not open these",
                    name), -1;
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    bool good = space >= 0 && type >= 0 && H5Sget_simple_extent_type(space) != H5S_NULL;
    if (!good) fail(s, "\"%s\" has no shape or no type", name);
    good = good && has_type(s, "", name, type, kind) && is_held(s, name, set, type, space);
    if (good) {
        s->answer.rank = H5Sget_simple_extent_dims(space, length, NULL);
        s->answer.length[0] = (int64_t)length[0], s->answer.length[1] = (int64_t)length[1];
    }
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    if (!good) H5Dclose(set);
    return good ? set : -1;
}

/* ---------------------------------------------------------------- values */
static H5T_conv_ret_t out_of_range(H5T_conv_except_t what, hid_t from, hid_t to, void *a, void *b, void *found)
{
    (void)from, (void)to, (void)a, (void)b;
    if (what != H5T_CONV_EXCEPT_RANGE_HI && what != H5T_CONV_EXCEPT_RANGE_LOW) return H5T_CONV_UNHANDLED;
    *(bool *)found = true;
    return H5T_CONV_ABORT;
}

/* Copies a string of the file, of fixed length (`size` bytes) or variable length, into text[room]. */
static bool copy_text(struct server *s, const char *name, const char *from, size_t size, bool padded, char *text,
                      size_t room)
{
    size_t n = from ? strnlen(from, size) : 0;
    while (padded && n > 0 && from[n - 1] == ' ') n--;
    if (n >= room) return fail(s, "\"%s\" has a string of %zu bytes; expected at most %zu", name, n, room - 1);
    memset(text, 0, room);
    if (n) memcpy(text, from, n);
    return true;
}

/* Common arguments of H5Dread() and H5Aread(). */
typedef herr_t raw_reader(hid_t type, void *into, hid_t of, hid_t memory, hid_t space, hid_t transfer);
static herr_t raw_set(hid_t type, void *into, hid_t of, hid_t memory, hid_t space, hid_t transfer)
{
    return H5Dread(of, type, memory, space, transfer, into);
}
static herr_t raw_attribute(hid_t type, void *into, hid_t of, hid_t memory, hid_t space, hid_t transfer)
{
    (void)memory, (void)space, (void)transfer;
    return H5Aread(of, type, into);
}

struct source {
    const char *name;
    raw_reader *read;
    hid_t of, type, memory, space, transfer;        /* type: in the file */
};

static bool read_texts(struct server *s, const struct source *from, int64_t n, char *text, size_t room)
{
    bool variable = H5Tis_variable_str(from->type) > 0, padded = H5Tget_strpad(from->type) == H5T_STR_SPACEPAD;
    size_t size = H5Tget_size(from->type);
    char *raw = calloc((size_t)n, size);
    bool good = raw || fail(s, "no memory for \"%s\"", from->name);
    if (good && from->read(from->type, raw, from->of, from->memory, from->space, from->transfer) < 0)
        good = fail(s, "\"%s\" cannot be read", from->name);
    for (int64_t i = 0; good && i < n; i++) {
        const char *at = raw + (size_t)i * size, *pointed;
        memcpy(&pointed, at, sizeof pointed < size ? sizeof pointed : size);
        good = copy_text(s, from->name, variable ? pointed : at, variable ? SIZE_MAX : size, padded,
                         text + (size_t)i * room, room);
    }
    if (raw && variable) H5Dvlen_reclaim(from->type, from->memory, H5P_DEFAULT, raw);
    free(raw);
    return good;
}

static bool read_values(struct server *s, struct source *from, enum hdf5_kind kind, int64_t n, void *data, size_t room)
{
    const hid_t native[] = {[HDF5_UINT8] = H5T_NATIVE_UINT8, [HDF5_INT32] = H5T_NATIVE_INT32,
                            [HDF5_INT64] = H5T_NATIVE_INT64, [HDF5_DOUBLE] = H5T_NATIVE_DOUBLE};
    bool beyond = false;
    if (kind == HDF5_TEXT) return read_texts(s, from, n, data, room);
    from->transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_type_conv_cb(from->transfer, out_of_range, &beyond);
    bool good = from->read(native[kind], data, from->of, from->memory, from->space, from->transfer) >= 0;
    H5Pclose(from->transfer);
    if (good) return true;
    return beyond ? fail(s, "\"%s\" holds a number that is too large", from->name) :
                    fail(s, "\"%s\" cannot be read", from->name);
}

/* ---------------------------------------------------------------- answers */
static bool answer(struct server *s, const void *data, int64_t bytes)
{
    s->answer.bytes = s->answer.status == EXIT_CONVERGED ? bytes : 0;
    return hdf5_send(s->socket, &s->answer, sizeof s->answer) && hdf5_send(s->socket, data, s->answer.bytes);
}

/* Sends the values in pieces to limit the memory of this process. */
static bool answer_array(struct server *s, const struct hdf5_question *q)
{
    enum { PIECE = 16 << 20 };
    const char *name = q->name;
    const enum hdf5_kind kind = (enum hdf5_kind)q->kind;
    const bool all = q->number < 0;
    hid_t set = open_set(s, name, kind);
    if (set < 0) {
        if (s->answer.status == EXIT_CONVERGED) fail(s, "\"%s\" is not there", name);
        return answer(s, NULL, 0);
    }
    const int64_t begin = all ? 0 : q->first, count_all = all ? s->answer.length[0] : q->number;
    if (!all && (s->answer.rank != 1 || begin < 0 || count_all > s->answer.length[0] - begin)) {
        fail(s, "\"%s\" has no values %lld .. %lld", name, (long long)begin, (long long)(begin + count_all - 1));
        H5Dclose(set);
        return answer(s, NULL, 0);
    }
    hsize_t columns = s->answer.rank == 2 ? (hsize_t)s->answer.length[1] : 1, rows = (hsize_t)count_all;
    hsize_t row = columns * (hsize_t)hdf5_kind_bytes(kind), most = row < PIECE ? PIECE / row : 1;
    if (most > rows) most = rows;
    struct source from = {name, raw_set, set, H5Dget_type(set), -1, H5Dget_space(set), H5P_DEFAULT};
    bool good = true;
    char *piece = malloc(row * most);
    allow((int64_t)(rows * row));
    if (!piece) fail(s, "no memory for \"%s\"", name);
    for (hsize_t at = 0, n; good && piece && at < rows; at += n) {
        n = rows - at < most ? rows - at : most;
        hsize_t first[2] = {(hsize_t)begin + at, 0}, count[2] = {n, columns};
        H5Sselect_hyperslab(from.space, H5S_SELECT_SET, first, NULL, count, NULL);
        from.memory = H5Screate_simple(1, (hsize_t[]){n * columns}, NULL);
        bool read = read_values(s, &from, kind, (int64_t)(n * columns), piece, NAME_LENGTH);
        H5Sclose(from.memory);
        good = answer(s, piece, (int64_t)(n * row)) && read;
    }
    if (!piece) good = answer(s, NULL, 0);
    free(piece);
    H5Tclose(from.type), H5Sclose(from.space), H5Dclose(set);
    return good || s->answer.status != EXIT_CONVERGED;
}

static bool read_attribute(struct server *s, const char *name, enum hdf5_kind kind, void *data, size_t room)
{
    hid_t root = H5Gopen2(s->file, "/", H5P_DEFAULT);
    if (root < 0 || H5Aexists(root, name) <= 0) return fail(s, "attribute \"%s\" is not there", name);
    hid_t a = H5Aopen(root, name, H5P_DEFAULT), type = a < 0 ? -1 : H5Aget_type(a);
    hid_t space = a < 0 ? -1 : H5Aget_space(a);
    if (type < 0 || space < 0) return fail(s, "attribute \"%s\" cannot be opened", name);
    struct source from = {name, raw_attribute, a, type, space, space, H5P_DEFAULT};
    hssize_t n = H5Sget_simple_extent_npoints(space);
    bool good = n == 1 || fail(s, "attribute \"%s\" has %lld values; expected one", name, (long long)n);
    good = good && has_type(s, "attribute ", name, type, kind) && read_values(s, &from, kind, 1, data, room);
    H5Tclose(type), H5Sclose(space), H5Aclose(a), H5Gclose(root);
    return good;
}

static bool answer_attribute(struct server *s, const struct hdf5_question *q)
{
    char data[PATH_LENGTH + 256] = "";
    size_t room = q->kind == HDF5_TEXT ? (size_t)q->number : (size_t)hdf5_kind_bytes(q->kind);
    if (room > sizeof data) fail(s, "attribute \"%s\": no room for %zu bytes", q->name, room);
    else read_attribute(s, q->name, q->kind, data, room);
    return answer(s, data, (int64_t)room);
}

static bool answer_entry(struct server *s, int64_t k)
{
    char name[NAME_LENGTH] = "";
    H5G_info_t info;
    if (H5Gget_info(s->file, &info) < 0) fail(s, "the list of its contents cannot be read");
    else if ((hsize_t)k >= info.nlinks) s->answer.rank = -1;
    else if (H5Lget_name_by_idx(s->file, "/", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)k, name, sizeof name, H5P_DEFAULT) >=
             (ssize_t)sizeof name) fail(s, "the name \"%s ...\" is too long", name);
    else if (!*name) fail(s, "the list of its contents cannot be read");
    return answer(s, name, s->answer.rank < 0 ? 0 : (int64_t)sizeof name);
}

static bool reply(struct server *s, const struct hdf5_question *q)
{
    s->answer = (struct hdf5_answer){.status = EXIT_CONVERGED};
    H5Eclear2(H5E_DEFAULT);
    allow(0);
    if (q->what == ASK_ARRAY) return answer_array(s, q);
    if (q->what == ASK_ATTRIBUTE) return answer_attribute(s, q);
    if (q->what == ASK_ENTRY) return answer_entry(s, q->number);
    hid_t set = open_set(s, q->name, q->kind);
    if (set >= 0) H5Dclose(set);
    return answer(s, NULL, 0);
}

_Noreturn void hdf5_serve(int socket, const char *path, int64_t file_bytes)
{
    struct server s = {.socket = socket, .file_bytes = file_bytes, .answer.status = EXIT_CONVERGED};
    struct hdf5_question q;
    static const int ends[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) signal(ends[i], SIG_DFL);   /* without the program's
                                                                                           handlers */
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);             /* messages of the C library about a damaged heap */
    process_limit(RLIMIT_CORE, 0);
    memory_end_is_told_by_parent();
    allow(0);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Lunregister(H5L_TYPE_EXTERNAL);                           /* also for links inside the file */
    H5PLset_loading_state(0);
    s.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (s.file < 0) fail(&s, "it is not an HDF5 file, or an incomplete one");
    bool good = answer(&s, NULL, 0) && s.file >= 0;
    while (good && hdf5_receive(socket, &q, sizeof q)) good = reply(&s, &q);
    _exit(0);
}
