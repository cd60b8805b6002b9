/* hdf5_reader.h: reads untrusted HDF5 files.  On a damaged file the HDF5 library (1.10) may crash, never return or
 * exhaust the memory.  So it reads in a separate process, which has limits and answers questions; however that process
 * ends, this program reports it as a message.  Nothing outside the file is opened: links to other files, external
 * storage, virtual datasets and plugins are rejected.  A file that begins with Poise's checksum (hdf5_file.h) is
 * compared with it first. */
#ifndef POISE_HDF5_READER_H
#define POISE_HDF5_READER_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/names.h"
#include "base/error.h"

/* Types in memory; HDF5_TEXT: char[NAME_LENGTH].  Types in the file are converted if the range is preserved: integers
 * to integers, integers and floating point to HDF5_DOUBLE, strings of either kind to text. */
enum hdf5_kind { HDF5_UINT8, HDF5_INT32, HDF5_INT64, HDF5_DOUBLE, HDF5_TEXT, HDF5_ANY };

/* Functions below that return false, NULL or -1 on failure store the reason here, in words without the file's name, and
 * the exit status: EXIT_INPUT, or EXIT_RESOURCE if memory or a process could not be obtained. */
struct hdf5_reader {
    enum exit_status status;
    char why[400];
    char guarded[32];           /* kind in the line of its verified checksum ("mesh"); "": none */
    int socket;
    pid_t process;
};

/* False: missing, not a regular file, not an HDF5 file, or wrong checksum; then there is nothing to close. */
bool hdf5_open(struct hdf5_reader *r, const char *path);
/* The same for a file whose checksum another process has just verified. */
bool hdf5_open_checked(struct hdf5_reader *r, const char *path);
void hdf5_close(struct hdf5_reader *r);
/* Attributes of "/" with one value.  A text that does not fit into `room` bytes, with its terminating 0, is a
 * failure. */
bool hdf5_text(struct hdf5_reader *r, const char *attribute, char *text, int room);
bool hdf5_integer(struct hdf5_reader *r, const char *attribute, int64_t least, int64_t most, int64_t *value);
bool hdf5_number(struct hdf5_reader *r, const char *attribute, double *value);
/* Rank of a dataset (0 .. 32), with the lengths of its first two dimensions; -1: a failure, or (*why is then "") no
 * such dataset.  Its size has been checked against the size of the file. */
int hdf5_shape(struct hdf5_reader *r, const char *name, int64_t length[2]);
/* A dataset of `rows` rows (-1: any number, stored in *found unless NULL) and `columns` columns (1: rank 1).  The
 * caller frees it; NULL on failure. */
void *hdf5_array(struct hdf5_reader *r, const char *name, enum hdf5_kind kind, int64_t rows, int columns,
                 int64_t *found);
/* Copies values first .. first + n - 1 of a dataset of rank 1 into `to`. */
bool hdf5_range(struct hdf5_reader *r, const char *name, enum hdf5_kind kind, int64_t first, int64_t n, void *to);
/* The name of the k-th object in "/", in alphabetical order.  False: a failure, or (*why is then "") there are fewer
 * objects. */
bool hdf5_entry(struct hdf5_reader *r, int64_t k, char name[NAME_LENGTH]);

/* ---------------------------------------------------------------- between the two processes */
enum { ASK_SHAPE, ASK_ARRAY, ASK_ATTRIBUTE, ASK_ENTRY };
struct hdf5_question {
    int32_t what, kind;
    int64_t number;             /* ASK_ATTRIBUTE: bytes of a text; ASK_ENTRY: k; ASK_ARRAY: rows, -1: all */
    int64_t first;              /* of these rows */
    char name[NAME_LENGTH];
};
/* One answer to a question; ASK_ARRAY is answered by as many as needed for all values, each followed by `bytes` of
 * them. */
struct hdf5_answer {
    int32_t status, rank;       /* enum exit_status, EXIT_CONVERGED: no failure; rank -1: not found */
    int64_t length[2], bytes;
    char why[300];
};
/* hdf5_server.c: the other process.  Answers until the socket is closed. */
_Noreturn void hdf5_serve(int socket, const char *path, int64_t file_bytes);
/* Transfers exactly `bytes` bytes through a socket.  False: the other side has closed it. */
bool hdf5_send(int socket, const void *data, int64_t bytes);
bool hdf5_receive(int socket, void *data, int64_t bytes);
int64_t hdf5_kind_bytes(enum hdf5_kind kind);           /* bytes of one value in memory */
#endif
