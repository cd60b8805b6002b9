/* VTKHDF files, which refer to the arrays of the run's HDF5 files (index.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/hdf5_file.h"
#include "base/memory.h"
#include "io/index.h"

static void put_integers(hid_t file, const char *name, int64_t n, const int64_t *value)
{
    hdf5_put(file, name, H5T_NATIVE_INT64, 1, (hsize_t[]){(hsize_t)n}, value);
}

/* An array of mesh.h5, complete. */
static void put_of_mesh(hid_t file, const char *name, hid_t type, int64_t rows, int columns, const char *from)
{
    const hsize_t length[] = {(hsize_t)rows, (hsize_t)columns};
    const struct hdf5_part part = {"mesh.h5", from, 0, length[0]};
    hdf5_put_virtual(file, name, type, columns > 1 ? 2 : 1, length, &part, 1);
}

static void put_mesh(hid_t file, const struct topology *t)
{
    put_of_mesh(file, "/VTKHDF/Points", H5T_NATIVE_DOUBLE, t->n_vertices, 3, "/vertices");
    put_of_mesh(file, "/VTKHDF/Connectivity", H5T_NATIVE_INT64, t->n_corners, 1, t->corner_array);
    put_of_mesh(file, "/VTKHDF/Offsets", H5T_NATIVE_INT64, t->n + (int64_t)1, 1, t->start_array);
    put_of_mesh(file, "/VTKHDF/Types", H5T_NATIVE_UINT8, t->n, 1, "/vtk/types");
    put_integers(file, "/VTKHDF/NumberOfPoints", 1, (int64_t[]){t->n_vertices});
    put_integers(file, "/VTKHDF/NumberOfCells", 1, (int64_t[]){t->n});
    put_integers(file, "/VTKHDF/NumberOfConnectivityIds", 1, (int64_t[]){t->n_corners});
    hdf5_put_attribute(file, "/VTKHDF", "Version", H5T_NATIVE_INT64, 2, (int64_t[]){2, 0});
    hdf5_put_attribute(file, "/VTKHDF", "Type", 0, 0, "UnstructuredGrid");
}

static int components_in(const struct written_step *s, const char *name)
{
    for (int k = 0; k < s->n_fields; k++) if (!strcmp(s->field[k].name, name)) return s->field[k].components;
    return 0;
}

/* A field of all steps, concatenated. */
static void put_field(hid_t file, const struct index *x, const char *name, int components)
{
    const hsize_t n = (hsize_t)x->shape->n, length[] = {n * (hsize_t)x->n_steps, (hsize_t)components};
    char path[NAME_LENGTH + 64], (*from)[40];
    struct hdf5_part *part;
    int64_t *at;
    int parts = 0;
    NEW(from, x->n_steps), NEW(part, x->n_steps), NEW(at, x->n_steps);
    for (int i = 0; i < x->n_steps; i++) {
        at[i] = (int64_t)n * i;
        if (components_in(&x->step[i], name) != components) continue;
        snprintf(from[i], sizeof from[i], "fields/%06" PRId64 ".h5", x->step[i].step);
        part[parts++] = (struct hdf5_part){from[i], name, n * (hsize_t)i, n};
    }
    snprintf(path, sizeof path, "/VTKHDF/CellData/%s", name);
    hdf5_put_virtual(file, path, H5T_NATIVE_DOUBLE, components > 1 ? 2 : 1, length, part, parts);
    snprintf(path, sizeof path, "/VTKHDF/Steps/CellDataOffsets/%s", name);
    put_integers(file, path, x->n_steps, at);
    free(from), free(part), free(at);
}

/* Every field of any step. */
static void put_fields(hid_t file, const struct index *x)
{
    const char **name = NULL;
    int n = 0;
    for (int i = x->n_steps - 1; i >= 0; i--)
        for (int k = 0; k < x->step[i].n_fields; k++) {
            const char *one = x->step[i].field[k].name;
            bool there = false;
            for (int j = 0; j < n && !there; j++) there = !strcmp(name[j], one);
            if (there) continue;
            RESIZE(name, n + 1);
            name[n++] = one;
            put_field(file, x, one, x->step[i].field[k].components);
        }
    free(name);
}

/* The range of each step in the arrays; for the mesh the same for all. */
static void put_steps(hid_t file, const struct index *x)
{
    static const char *const from_0[] = {"PartOffsets", "PointOffsets"}, *const table[] = {"CellOffsets",
                                                                                         "ConnectivityIdOffsets"};
    const hsize_t n = (hsize_t)x->n_steps;
    char path[64];
    double *time;
    int64_t *zero, *one;
    NEW(time, n), NEW(zero, n), NEW(one, n);
    for (int i = 0; i < x->n_steps; i++) time[i] = x->step[i].time, one[i] = 1;
    hdf5_put(file, "/VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, 1, &n, time);
    put_integers(file, "/VTKHDF/Steps/NumberOfParts", x->n_steps, one);
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "/VTKHDF/Steps/%s", from_0[k]);
        put_integers(file, path, x->n_steps, zero);
        snprintf(path, sizeof path, "/VTKHDF/Steps/%s", table[k]);
        hdf5_put(file, path, H5T_NATIVE_INT64, 2, (hsize_t[]){n, 1}, zero);
    }
    hdf5_put_attribute(file, "/VTKHDF/Steps", "NSteps", H5T_NATIVE_INT64, 1, (int64_t[]){x->n_steps});
    free(time), free(zero), free(one);
}

bool vtkhdf_write(const struct index *x, const char *path, struct error *e)
{
    hid_t file = hdf5_compose(0);
    put_mesh(file, x->shape);
    put_fields(file, x);
    put_steps(file, x);
    return hdf5_save(file, NULL, path, e);
}
