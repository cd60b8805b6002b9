/* output.h: fields for ParaView and checkpoints.  A file that exists is complete: everything is written under a
 * temporary name and renamed; the .xdmf or .vtkhdf is rewritten after every step, so the series can be opened at any
 * moment.  During a run a background thread does this (base/writer.h), and false may refer to a file given earlier.
 * Everything on disk is in the mesh file's own cell numbering, except checkpoints (solver's order, same mesh only).
 * With several ranks (gpu/ranks.h) only rank 0 writes, with fields and meshes of all ranks: on the others these
 * functions, except checkpoint_read() and the callbacks of checkpoint_write(), do nothing and return true. */
#ifndef POISE_OUTPUT_H
#define POISE_OUTPUT_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "io/facets.h"
#include "mesh/mesh.h"

/* The index of a series: NAME.xdmf, or NAME.vtkhdf. */
enum output_format { OUTPUT_XDMF, OUTPUT_VTKHDF };
extern const char *const output_format_words[2];

enum { MOST_OUTPUT_FIELDS = 32 };                /* in one step */
struct output_field {
    const char *name;
    int components;             /* 1, or the mesh's dimension: written as a 3-component vector, 2-D padded with zero */
    const double *value;        /* host, component k of cell (or facet) c at [k * stride + c], solver's order */
    int64_t stride;
};

/* The series DIRECTORY/NAME.xdmf (or .vtkhdf), mesh.h5, fields/NNNNNN.h5; creates both directories and mesh.h5.  m must
 * outlive it.  resume: existing steps <= resumed_step are kept in the series, later ones are dropped.  Otherwise an
 * earlier run's series is removed at once: first NAME.xdmf and .vtkhdf, then all steps, then checkpoint.h5, so that no
 * reader and no restart finds a mixture of two runs; other files are kept.  NULL: EXIT_RESOURCE (not writable, disk
 * full), EXIT_INPUT (a step to keep cannot be read). */
struct output;
struct output *output_open(const char *directory, const char *name, enum output_format format, const struct mesh *m,
                           bool resume, int64_t resumed_step, struct error *e);
/* The same for facets, in the order of the file: a folder, in an existing directory, with the same files (mesh.h5 as
 * from facets_write()); temporary files of killed runs are removed; p may be freed.  A series of facets other than p is
 * started again. */
struct output *output_open_facets(const char *directory, const char *name, enum output_format format,
                                  const struct facets *p, bool resume, int64_t resumed_step, struct error *e);
/* Writes fields/NNNNNN.h5 and NAME.xdmf or .vtkhdf.  time: the value ParaView shows (iteration number in a steady run).
 * Steps are ascending; the last one may be written again.  At most MOST_OUTPUT_FIELDS.  After a failure (disk full) the
 * series is unchanged. */
bool output_write(struct output *o, int64_t step, double time, const struct output_field *field, int n_fields,
                  struct error *e);
void output_close(struct output *o);

/* A checkpoint: named arrays of doubles, int32, or bytes.  key: describes mesh and numerics in words; a checkpoint with
 * another key is rejected with a message that shows both.  Damage is detected by a checksum and rejected.  Arrays are
 * read by name, must have the requested length and contain finite numbers; they may be partly filled when false is
 * returned. */
struct checkpoint_source;
struct checkpoint_array {
    const char *name;
    void *value;
    int64_t n;
    bool integers;              /* int32, any number of them; not written if there are none.  Reading sets value, which
                                   the caller frees, and n: NULL and 0 if the file has none, or on failure */
    bool bytes;                 /* for integers: uint8 instead of int32 */
    bool single;                /* for real numbers: written as floats; read as doubles in any case */
    bool may_lack;              /* for real numbers: if the file has none of that length, reading only sets n = 0 */
    /* For real numbers, instead of value, to limit memory.  give: called before the array is written, with several
     * ranks on all of them together; rank 0 frees the result, the others return NULL.  take: called to read it, by
     * checkpoint_range(); returns false if that fails.  of: their argument. */
    void *(*give)(const struct checkpoint_array *a);
    bool (*take)(const struct checkpoint_array *a, struct checkpoint_source *from);
    const void *of;
};
/* Numbers first .. first + n - 1 of the array being read, into `to`.  False, with a message: not available. */
bool checkpoint_range(struct checkpoint_source *from, int64_t first, int64_t n, double *to);
bool checkpoint_write(const char *path, const char *key, int64_t step, const struct checkpoint_array *a, int n,
                      struct error *e);
bool checkpoint_read(const char *path, const char *key, int64_t *step, struct checkpoint_array *a, int n,
                     struct error *e);

/* A CSV table that grows by whole lines, first column the iteration.  every: iterations between rows; a run that ends
 * in between adds a row for its last iteration.  resume: rows after resumed_step and an incomplete line are dropped, a
 * missing file is created, one with another header is rejected; a row of an intermediate iteration is dropped when the
 * first new row is written, so that the table equals that of an uninterrupted run. */
struct csv;
struct csv *csv_open(const char *path, const char *header, int every, bool resume, int64_t resumed_step,
                     struct error *e);
bool csv_row(struct csv *c, int64_t step, const double *value, int n, struct error *e);     /* %.17g: exact; flushed */
/* The same with strings, quoted if necessary; no line ends in a string. */
bool csv_words(struct csv *c, int64_t step, const char *const *word, int n, struct error *e);
void csv_close(struct csv *c);
#endif
