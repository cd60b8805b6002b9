/* Writes HDF5 files that are composed in memory (hdf5_file.h). */
#include "base/hdf5_file.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/memory.h"
#include "base/writer.h"

/* The file is composed in memory, so a failure is a bug or a lack of memory, after which the program cannot
 * continue. */
#define MUST(call, what) do { if ((call) < 0) die("HDF5 could not compose %s in memory", what); } while (0)

hid_t hdf5_compose(size_t front)
{
    enum { GROWTH = 1 << 20 };
    static int number;                                          /* the library requires a different name for every
                                                                   file */
    char name[40];
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);                      /* no output from the library */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE), file;
    MUST(H5Pset_fapl_core(access, GROWTH, false), "a file");
    MUST(H5Pset_userblock(creation, front), "a file");
    snprintf(name, sizeof name, "composed%d.h5", number++);
    MUST(file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access), "a file");
    H5Pclose(access), H5Pclose(creation);
    return file;
}

void hdf5_put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *length, const void *data)
{
    hid_t space = H5Screate_simple(rank, length, NULL), links = H5Pcreate(H5P_LINK_CREATE), set;
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    MUST(H5Pset_create_intermediate_group(links, 1), name);
    MUST(H5Pset_obj_track_times(creation, false), name);        /* identical contents give identical files */
    MUST(set = H5Dcreate2(file, name, type, space, links, creation, H5P_DEFAULT), name);
    if (H5Sget_simple_extent_npoints(space) > 0) MUST(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
    MUST(H5Dclose(set), name);
    H5Sclose(space), H5Pclose(links), H5Pclose(creation);
}

/* The library interprets %b in the names of other files as a counter. */
static void put_percent(char *to, size_t size, const char *name)
{
    size_t n = 0;
    for (; *name && n + 3 < size; name++) {
        if (*name == '%') to[n++] = '%';
        to[n++] = *name;
    }
    to[n] = 0;
}

void hdf5_put_virtual(hid_t file, const char *name, hid_t type, int rank, const hsize_t *length,
                      const struct hdf5_part *part, int n_parts)
{
    hid_t space = H5Screate_simple(rank, length, NULL), links = H5Pcreate(H5P_LINK_CREATE), set;
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const double nan = NAN;
    MUST(H5Pset_create_intermediate_group(links, 1), name);
    if (H5Tget_class(type) == H5T_FLOAT) MUST(H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &nan), name);
    for (int i = 0; i < n_parts; i++) {
        char from_file[300], from_name[300];
        hsize_t rows[2] = {part[i].rows, rank > 1 ? length[1] : 1}, at[2] = {part[i].at, 0};
        if (!rows[0]) continue;
        hid_t source = H5Screate_simple(rank, rows, NULL);
        put_percent(from_file, sizeof from_file, part[i].file), put_percent(from_name, sizeof from_name, part[i].name);
        MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, rows, NULL), name);
        MUST(H5Pset_virtual(creation, space, from_file, from_name, source), name);
        H5Sclose(source);
    }
    MUST(set = H5Dcreate2(file, name, type, space, links, creation, H5P_DEFAULT), name);
    MUST(H5Dclose(set), name);
    H5Sclose(space), H5Pclose(links), H5Pclose(creation);
}

void hdf5_put_attribute(hid_t file, const char *group, const char *name, hid_t type, hsize_t n, const void *value)
{
    hid_t space = n ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR), a, text = H5Tcopy(H5T_C_S1);
    if (!n) MUST(H5Tset_size(text, strlen(value)), name);
    MUST(a = H5Acreate_by_name(file, group, name, n ? type : text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), name);
    MUST(H5Awrite(a, n ? type : text, value), name);
    H5Aclose(a), H5Sclose(space), H5Tclose(text);
}

void hdf5_put_number(hid_t file, const char *attribute, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR), a;
    MUST(a = H5Acreate2(file, attribute, type, space, H5P_DEFAULT, H5P_DEFAULT), attribute);
    MUST(H5Awrite(a, type, value), attribute);
    H5Aclose(a), H5Sclose(space);
}

void hdf5_put_text(hid_t file, const char *attribute, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    MUST(H5Tset_size(type, strlen(text) + 1), attribute);
    hdf5_put_number(file, attribute, type, text);
    H5Tclose(type);
}

/* A composed file, and the word in its first line. */
struct composed { hid_t file; char *data; size_t front, bytes; char what[32]; };

static void put_front(void *composed)
{
    const struct composed *c = composed;
    if (c->front)
        snprintf(c->data, c->front, HDF5_FRONT_LINE("%s", HDF5_CHECKSUM), c->what,
                 checksum_end(checksum_add(0, 0, c->data + c->front, c->bytes), c->bytes));
}

static void free_composed(void *composed)
{
    H5Fclose(((struct composed *)composed)->file);
    free(composed);
}

bool hdf5_save(hid_t file, const char *what, const char *path, struct error *e)
{
    struct composed *c;
    void **memory;
    ssize_t size;                                               /* without the leading block */
    hsize_t front;
    hid_t creation = H5Fget_create_plist(file);
    MUST(H5Pget_userblock(creation, &front), "a file");
    H5Pclose(creation);
    MUST(H5Fflush(file, H5F_SCOPE_GLOBAL), "a file");
    MUST(size = H5Fget_file_image(file, NULL, 0), "a file");
    MUST(H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&memory), "a file");
    NEW(c, 1);
    *c = (struct composed){.file = file, .data = *memory, .front = front, .bytes = (size_t)size};
    snprintf(c->what, sizeof c->what, "%s", what ? what : "");
    return writer_give(&(struct written){path, c->data, c->front + c->bytes, put_front, free_composed, c}, e);
}
