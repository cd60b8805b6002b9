/* output.h: fields for ParaView and checkpoints.  A file that exists is complete: everything is written beside its
 * place and renamed; the .xdmf or .vtkhdf is rewritten whole after every step, so the series can be opened at any
 * moment.  In a run all this is done by a thread (base/writer.h), and false may be returned for a file given before.
 * Everything on disk is in the mesh file's own cell numbering, except checkpoints (solver's order, same mesh only).
 * Of several ranks (gpu/ranks.h) rank 0 alone writes, fields and meshes being those of all: on the others what is
 * declared here, but for checkpoint_read() and what checkpoint_write() asks them for, does nothing and returns true. */
#ifndef POISE_OUTPUT_H
#define POISE_OUTPUT_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "io/facets.h"
#include "mesh/mesh.h"

/* What lists a series: NAME.xdmf, or NAME.vtkhdf. */
enum output_format { OUTPUT_XDMF, OUTPUT_VTKHDF };
extern const char *const output_format_words[2];

enum { MOST_OUTPUT_FIELDS = 32 };                /* in one step */
struct output_field {
    const char *name;
    int components;             /* 1, or the mesh's dimension: written as a 3-component vector, 2-D padded with zero */
    const double *value;        /* host, component k of cell c at [k * stride + c], solver's order; or of facet c */
    int64_t stride;
};

/* The series DIRECTORY/NAME.xdmf (or .vtkhdf), mesh.h5, fields/NNNNNN.h5; both directories and mesh.h5 are made here.
 * m must outlive it.  resume: the steps <= resumed_step that are there stay in the series, later ones are dropped.
 * Without it an earlier run's series is removed at once: first NAME.xdmf and .vtkhdf, then all steps, then
 * checkpoint.h5, so that no reader and no restart ever meets a mixture of two runs; other files stay.  NULL:
 * EXIT_RESOURCE (not writable, disk full), EXIT_INPUT (a step that should stay cannot be read). */
struct output;
struct output *output_open(const char *directory, const char *name, enum output_format format, const struct mesh *m,
                           bool resume, int64_t resumed_step, struct error *e);
/* The same of facets, whose order the file has: a folder, in a directory that is there, of the same files (mesh.h5 as
 * facets_write() makes it), in which what a killed run left unfinished is removed; p may be freed.  A series of other
 * facets than p is not gone on with. */
struct output *output_open_facets(const char *directory, const char *name, enum output_format format,
                                  const struct facets *p, bool resume, int64_t resumed_step, struct error *e);
/* fields/NNNNNN.h5 and NAME.xdmf or .vtkhdf.  time: the value ParaView shows (iteration number in a steady run).
 * Steps ascend; the last one may be written again.  At most MOST_OUTPUT_FIELDS.  After a failure (disk full) the series
 * is as before. */
bool output_write(struct output *o, int64_t step, double time, const struct output_field *field, int n_fields,
                  struct error *e);
void output_close(struct output *o);

/* A checkpoint: named arrays of doubles, of int32, or of bytes.  key: what the run depends on (mesh, numerics), in
 * words; reading with another key is refused with a message that shows both.  A checksum of the contents shows damage,
 * which is refused.  Arrays are read by name, must have the length asked for and hold finite numbers; when false is
 * returned they may be half filled. */
struct checkpoint_source;
struct checkpoint_array {
    const char *name;
    void *value;
    int64_t n;
    bool integers;              /* int32, any number of them; not written when there are none.  Reading sets value,
                                   which the caller frees, and n: NULL and 0 where the file has none, or on failure */
    bool bytes;                 /* of integers: uint8 in place of int32 */
    bool single;                /* of numbers: floats are to be written; they are read as doubles all the same */
    bool may_lack;              /* of numbers: where the file has none of that length, reading sets n = 0 alone */
    /* Of numbers, in place of value, where all of them at once would take too much memory.  give: makes them when it is
     * their turn to be written, of several ranks on all of them together; on rank 0 they are freed, the others return
     * NULL. take: when they are to be read it gets them by checkpoint_range(), and returns false where that has.  of:
     * theirs. */
    void *(*give)(const struct checkpoint_array *a);
    bool (*take)(const struct checkpoint_array *a, struct checkpoint_source *from);
    const void *of;
};
/* Numbers first .. first + n - 1 of the array that is read, into `to`.  False, with a message: they cannot be had. */
bool checkpoint_range(struct checkpoint_source *from, int64_t first, int64_t n, double *to);
bool checkpoint_write(const char *path, const char *key, int64_t step, const struct checkpoint_array *a, int n,
                      struct error *e);
bool checkpoint_read(const char *path, const char *key, int64_t *step, struct checkpoint_array *a, int n,
                     struct error *e);

/* CSV that grows by whole lines, first column the iteration.  every: iterations between rows; a run that ends in
 * between adds a row of its last iteration.  resume: rows after resumed_step and a line torn by a kill are dropped, a
 * missing file is begun, one with another header is refused; a row of an iteration between is dropped when the first
 * new row is written, so that the table becomes that of a run which was not stopped there. */
struct csv;
struct csv *csv_open(const char *path, const char *header, int every, bool resume, int64_t resumed_step,
                     struct error *e);
bool csv_row(struct csv *c, int64_t step, const double *value, int n, struct error *e);     /* %.17g: exact; flushed */
/* The same with words, in quotes where they need them; no line ends in a word. */
bool csv_words(struct csv *c, int64_t step, const char *const *word, int n, struct error *e);
void csv_close(struct csv *c);
#endif
