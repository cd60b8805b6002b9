#include "base/hdf5_file.h"
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/memory.h"

/* The file grows in memory, so that a failure is a bug or a lack of memory: the program cannot go on. */
#define MUST(call, what) do { if ((call) < 0) die("HDF5 could not compose %s in memory", what); } while (0)

static void quiet(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

hid_t hdf5_compose(size_t user_block)
{
    enum { GROWTH = 1 << 20 };
    quiet();
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE), file;
    MUST(H5Pset_fapl_core(access, GROWTH, false), "a file");
    MUST(H5Pset_userblock(creation, user_block), "a file");
    MUST(file = H5Fcreate("composed.h5", H5F_ACC_TRUNC, creation, access), "a file");
    H5Pclose(access), H5Pclose(creation);
    return file;
}

void hdf5_put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *length, const void *data)
{
    hid_t space = H5Screate_simple(rank, length, NULL), links = H5Pcreate(H5P_LINK_CREATE), set;
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    MUST(H5Pset_create_intermediate_group(links, 1), name);
    MUST(H5Pset_obj_track_times(creation, false), name);        /* the same contents make the same file */
    MUST(set = H5Dcreate2(file, name, type, space, links, creation, H5P_DEFAULT), name);
    if (H5Sget_simple_extent_npoints(space) > 0) MUST(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
    MUST(H5Dclose(set), name);
    H5Sclose(space), H5Pclose(links), H5Pclose(creation);
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

char *hdf5_bytes(hid_t file, size_t *bytes)
{
    void **memory;
    ssize_t size;                                               /* without the user block */
    hsize_t user_block;
    hid_t creation = H5Fget_create_plist(file);
    MUST(H5Pget_userblock(creation, &user_block), "a file");
    H5Pclose(creation);
    MUST(H5Fflush(file, H5F_SCOPE_GLOBAL), "a file");
    MUST(size = H5Fget_file_image(file, NULL, 0), "a file");
    MUST(H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&memory), "a file");
    *bytes = (size_t)size + (size_t)user_block;
    return *memory;
}

bool hdf5_save(hid_t file, const char *path, struct error *e)
{
    size_t bytes;
    const char *data = hdf5_bytes(file, &bytes);
    bool ok = file_replace(path, data, bytes, e);
    H5Fclose(file);
    return ok;
}

hid_t hdf5_open(const char *path)
{
    quiet();
    return H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
}

int hdf5_shape(hid_t file, const char *name, hsize_t length[8])
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return -1;
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_ndims(space);
    if (rank >= 0 && rank <= 8) H5Sget_simple_extent_dims(space, length, NULL);
    H5Sclose(space), H5Dclose(set);
    return rank <= 8 ? rank : -1;
}

bool hdf5_get(hid_t file, const char *name, hid_t type, void *data)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    bool ok = set >= 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (set >= 0) H5Dclose(set);
    return ok;
}

bool hdf5_get_number(hid_t file, const char *attribute, hid_t type, void *value)
{
    hid_t a = H5Aopen(file, attribute, H5P_DEFAULT);
    bool ok = a >= 0 && H5Aread(a, type, value) >= 0;
    if (a >= 0) H5Aclose(a);
    return ok;
}

char *hdf5_get_text(hid_t file, const char *attribute)
{
    hid_t a = H5Aopen(file, attribute, H5P_DEFAULT);
    if (a < 0) return NULL;
    hid_t type = H5Aget_type(a);
    bool fixed = H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type);
    char *text = fixed ? allocate(H5Tget_size(type) + 1, 1, attribute) : NULL;
    if (fixed && H5Aread(a, type, text) < 0) free(text), text = NULL;
    H5Tclose(type), H5Aclose(a);
    return text;
}
