/* hdf5_reader.h: HDF5 files from anywhere, read without trust.  On a damaged file the HDF5 library (1.10) crashes,
 * finds no end or fills the memory.  So it reads in a process of its own, which has limits and answers questions;
 * whatever becomes of that process is a message here.  Nothing outside the file is opened: links to other files,
 * external storage, virtual datasets and plugins are refused.  A file that begins with Poise's checksum (hdf5_file.h)
 * is checked against it first. */
#ifndef POISE_HDF5_READER_H
#define POISE_HDF5_READER_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/names.h"
#include "base/error.h"

/* Values in memory; HDF5_TEXT: char[NAME_LENGTH].  Whatever type the file has is converted where that loses nothing of
 * the range: integers to integers, integers and floating point to HDF5_DOUBLE, strings of either kind to text. */
enum hdf5_kind { HDF5_UINT8, HDF5_INT32, HDF5_INT64, HDF5_DOUBLE, HDF5_TEXT, HDF5_ANY };

/* Every function below that returns false, NULL or -1 for a failure leaves its reason here: words without the file's
 * name, and the exit status that suits: EXIT_INPUT, or EXIT_RESOURCE where memory or a process could not be had. */
struct hdf5_reader {
    enum exit_status status;
    char why[400];
    char guarded[32];           /* the word in the line of its checksum ("mesh"), which has been compared; "": none */
    int socket;
    pid_t process;
};

/* False: not there, no regular file, no HDF5 file, or not what its checksum says; then there is nothing to close. */
bool hdf5_open(struct hdf5_reader *r, const char *path);
/* The same of a file whose checksum another process has just checked. */
bool hdf5_open_checked(struct hdf5_reader *r, const char *path);
void hdf5_close(struct hdf5_reader *r);
/* Attributes of "/" with one value.  A text that does not fit into `room` bytes with its 0 is a failure. */
bool hdf5_text(struct hdf5_reader *r, const char *attribute, char *text, int room);
bool hdf5_integer(struct hdf5_reader *r, const char *attribute, int64_t least, int64_t most, int64_t *value);
bool hdf5_number(struct hdf5_reader *r, const char *attribute, double *value);
/* A dataset's rank (0 .. 32), with the lengths of the first two dimensions; -1: a failure, or (*why is then "") no such
 * dataset.  Its extents have been checked against the size of the file. */
int hdf5_shape(struct hdf5_reader *r, const char *name, int64_t length[2]);
/* A dataset of `rows` rows (-1: any number, stored in *found unless NULL) and `columns` columns (1: rank 1).  The
 * caller's to free; NULL on failure. */
void *hdf5_array(struct hdf5_reader *r, const char *name, enum hdf5_kind kind, int64_t rows, int columns,
                 int64_t *found);
/* Values first .. first + n - 1 of a dataset of rank 1, into `to`, which has room for them. */
bool hdf5_range(struct hdf5_reader *r, const char *name, enum hdf5_kind kind, int64_t first, int64_t n, void *to);
/* The name of the k-th object in "/", in the order of names.  False: a failure, or (*why is then "") there are not so
 * many. */
bool hdf5_entry(struct hdf5_reader *r, int64_t k, char name[NAME_LENGTH]);

/* ---------------------------------------------------------------- between the two processes */
enum { ASK_SHAPE, ASK_ARRAY, ASK_ATTRIBUTE, ASK_ENTRY };
struct hdf5_question {
    int32_t what, kind;
    int64_t number;             /* ASK_ATTRIBUTE: bytes of a text; ASK_ENTRY: k; ASK_ARRAY: rows, -1: all */
    int64_t first;              /* of these rows */
    char name[NAME_LENGTH];
};
/* One answer to a question; to ASK_ARRAY as many as it takes to bring all values, `bytes` of them behind each. */
struct hdf5_answer {
    int32_t status, rank;       /* enum exit_status, EXIT_CONVERGED: no failure; rank -1: no such thing */
    int64_t length[2], bytes;
    char why[300];
};
/* hdf5_server.c: the other process.  Answers until the socket is closed. */
_Noreturn void hdf5_serve(int socket, const char *path, int64_t file_bytes);
/* Exactly `bytes` bytes through a socket.  False: the other side has gone. */
bool hdf5_send(int socket, const void *data, int64_t bytes);
bool hdf5_receive(int socket, void *data, int64_t bytes);
int64_t hdf5_kind_bytes(enum hdf5_kind kind);           /* of one value in memory */
#endif
