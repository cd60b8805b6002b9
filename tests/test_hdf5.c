/* HDF5 files that are foreign, damaged, or malicious: each is read, or rejected with a reason, and the program
 * continues. */
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/hdf5_file.h"
#include "base/hdf5_reader.h"
#include "mesh_fixture.h"
#include "system/matrix_file.h"

static char folder[] = "/tmp/poise_hdf5_XXXXXX";
static char file[64], other[64];

static void put_attribute(hid_t f, const char *name, hid_t type, hid_t space, const void *value)
{
    hid_t a = H5Acreate2(f, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(a >= 0 && (!value || H5Awrite(a, type, value) >= 0));
    H5Aclose(a), H5Sclose(space);
}

static hid_t text_type(size_t bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    return type;
}

/* A file with format and version, as another program writes it: strings of variable length. */
static hid_t foreign(const char *format)
{
    hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), type = text_type(H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    put_attribute(f, "format", type, H5Screate(H5S_SCALAR), &format);
    put_attribute(f, "version", H5T_NATIVE_LLONG, H5Screate(H5S_SCALAR), &(long long){1});
    H5Tclose(type);
    return f;
}

static void put(hid_t f, const char *name, hid_t type, int rank, const hsize_t *length, const void *value)
{
    hid_t space = H5Screate_simple(rank, length, NULL), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t set = H5Dcreate2(f, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0 && (!value || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0));
    H5Dclose(set), H5Sclose(space), H5Pclose(links);
}
#define LENGTH(...) (sizeof (hsize_t[]){__VA_ARGS__} / sizeof(hsize_t)), (hsize_t[]){__VA_ARGS__}

static void expect_matrix(const char *says)
{
    struct linear_system s;
    struct error e = {.status = EXIT_CONVERGED};
    assert_false(matrix_hdf5_read(&s, file, &e));
    assert_int_equal(e.status, EXIT_INPUT);
    if (!strstr(e.text, says) || !strstr(e.text, file)) fail_msg("the message does not say '%s':\n%s", says, e.text);
}

static void expect_mesh(const char *says)
{
    struct mesh m;
    struct error e = {.status = EXIT_CONVERGED};
    assert_false(mesh_read_native(&m, file, &e));
    assert_int_equal(e.status, EXIT_INPUT);
    if (!strstr(e.text, says) || !strstr(e.text, file)) fail_msg("the message does not say '%s':\n%s", says, e.text);
}

static void attributes_are_single_values(void **state)
{
    (void)state;
    enum { MANY = 4000 };
    static const int32_t version[MANY];
    static char text[MANY][200];
    hid_t type = text_type(200);
    hid_t f = foreign("poise-matrix");
    H5Adelete(f, "version");
    put_attribute(f, "version", H5T_NATIVE_INT32, H5Screate_simple(LENGTH(MANY), NULL), version);
    H5Fclose(f);
    expect_matrix("attribute \"version\" has 4000 values; expected one");
    f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_attribute(f, "format", type, H5Screate_simple(LENGTH(300), NULL), text);
    H5Fclose(f);
    expect_mesh("attribute \"format\" has 300 values; expected one");
    expect_matrix("attribute \"format\" has 300 values; expected one");
    f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_attribute(f, "format", H5T_NATIVE_INT, H5Screate(H5S_SCALAR), version);
    H5Fclose(f);
    expect_mesh("attribute \"format\" holds integers; expected strings");
    f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    memset(text[0], 'x', 200);
    put_attribute(f, "format", type, H5Screate(H5S_SCALAR), text);
    H5Fclose(f);
    expect_matrix("has a string of 200 bytes; expected at most 63");
    f = foreign("poise-matrix");
    H5Adelete(f, "version");
    put_attribute(f, "version", H5T_NATIVE_LLONG, H5Screate(H5S_SCALAR), &(long long){4294967297});
    H5Fclose(f);
    expect_matrix("attribute \"version\" is 4294967297; expected 1");
    H5Tclose(type);
}

/* A mesh and a matrix with strings as h5py writes them, integers of other widths, in compressed pieces. */
static void other_programs_files(void **state)
{
    (void)state;
    struct error e;
    struct mesh m;
    struct linear_system s;
    static const char *const regions[] = {"fluid"}, *const walls[] = {"walls"}, *const none[] = {""};
    hid_t text = text_type(H5T_VARIABLE), f = foreign("poise-mesh");
    put_attribute(f, "dim", H5T_NATIVE_SHORT, H5Screate(H5S_SCALAR), &(short){2});
    put_attribute(f, "source", text, H5Screate(H5S_SCALAR), &regions[0]);
    put_attribute(f, "key", text, H5Screate(H5S_SCALAR), &none[0]);
    put(f, "/vertices", H5T_NATIVE_FLOAT, LENGTH(3, 3), (float[]){0, 0, 0, 1, 0, 0, 0, 1, 0});
    put(f, "/cells/type", H5T_NATIVE_INT64, LENGTH(1), (int64_t[]){CELL_TRIANGLE});
    put(f, "/cells/start", H5T_NATIVE_INT32, LENGTH(2), (int32_t[]){0, 3});
    put(f, "/cells/vertices", H5T_NATIVE_INT64, LENGTH(3), (int64_t[]){0, 1, 2});
    put(f, "/cells/region", H5T_NATIVE_UINT8, LENGTH(1), (uint8_t[]){0});
    put(f, "/regions/names", text, LENGTH(1), regions);
    put(f, "/boundary/names", text, LENGTH(1), walls), put(f, "/boundary/partners", text, LENGTH(1), none);
    put(f, "/boundary/faces", H5T_NATIVE_INT32, LENGTH(3, 4), (int32_t[]){0, 1, -1, -1, 1, 2, -1, -1, 2, 0, -1, -1});
    put(f, "/boundary/patch", H5T_NATIVE_INT32, LENGTH(3), (int32_t[]){0, 0, 0});
    H5Fclose(f), H5Tclose(text);
    if (!mesh_read_native(&m, file, &e) || !mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    assert_string_equal(m.patch[0].name, "walls");
    assert_true(m.cell_volume[0] == 0.5);
    mesh_free(&m);

    f = foreign("poise-matrix");
    put(f, "row_start", H5T_NATIVE_INT32, LENGTH(3), (int32_t[]){0, 1, 2});
    put(f, "column", H5T_NATIVE_INT64, LENGTH(2), (int64_t[]){0, 1});
    hsize_t two[] = {2};
    hid_t packed = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, two, NULL);
    H5Pset_chunk(packed, 1, two), H5Pset_deflate(packed, 9);
    hid_t set = H5Dcreate2(f, "value", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, packed, H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, (double[]){2, 3}) >= 0);
    H5Dclose(set), H5Sclose(space), H5Pclose(packed), H5Fclose(f);
    if (!matrix_hdf5_read(&s, file, &e)) fail_msg("%s", e.text);
    assert_true(s.n == 2 && s.value[0] == 2 && s.value[1] == 3);
    linear_system_free(&s);
}

static void numbers_are_not_cut(void **state)
{
    (void)state;
    hid_t f = foreign("poise-matrix");
    put(f, "row_start", H5T_NATIVE_INT32, LENGTH(3), (int32_t[]){0, 1, 2});
    put(f, "column", H5T_NATIVE_DOUBLE, LENGTH(2), (double[]){0, 1.7});
    H5Fclose(f);
    expect_matrix("\"column\" holds floating-point numbers; expected integers");
    f = foreign("poise-matrix");
    put(f, "row_start", H5T_NATIVE_INT32, LENGTH(3), (int32_t[]){0, 1, 2});
    put(f, "column", H5T_NATIVE_INT64, LENGTH(2), (int64_t[]){0, 4294967297});
    H5Fclose(f);
    expect_matrix("\"column\" holds a number that is too large");
    f = foreign("poise-matrix");
    put(f, "row_start", H5T_NATIVE_INT32, LENGTH(3, 2), (int32_t[6]){0});
    H5Fclose(f);
    expect_matrix("\"row_start\" has 2 dimensions; expected 1 column");
}

/* Sizes are checked before memory is allocated: neither bytes that are not in the file ... */
static void more_than_the_file_holds(void **state)
{
    (void)state;
    hsize_t huge[] = {(hsize_t)1 << 45}, piece[] = {1 << 20};
    for (int filtered = 0; filtered < 2; filtered++) {
        hid_t f = foreign("poise-matrix"), how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, huge, NULL);
        H5Pset_chunk(how, 1, piece);
        if (filtered) H5Pset_deflate(how, 9);
        H5Dclose(H5Dcreate2(f, "row_start", H5T_NATIVE_INT64, space, H5P_DEFAULT, how, H5P_DEFAULT));
        H5Pclose(how), H5Sclose(space), H5Fclose(f);
        expect_matrix("\"row_start\" is said to have 281474976710656 bytes, more than are written in the file (0)");
    }
}

/* ... nor bytes that are elsewhere. */
static void other_files_stay_closed(void **state)
{
    (void)state;
    hsize_t three[] = {3};
    int64_t start[] = {0, 1, 2};
    FILE *out = fopen(other, "wb");
    fwrite(start, sizeof start, 1, out);
    fclose(out);
    hid_t space = H5Screate_simple(1, three, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    hid_t f = foreign("poise-matrix");
    H5Pset_external(how, other, 0, sizeof start);
    H5Dclose(H5Dcreate2(f, "row_start", H5T_NATIVE_INT64, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Fclose(f), H5Pclose(how);
    expect_matrix("\"row_start\" is stored in other files (external storage); Poise does not open these");

    f = H5Fcreate(other, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put(f, "inner/row_start", H5T_NATIVE_INT64, 1, three, start);
    H5Fclose(f);
    f = foreign("poise-matrix");
    H5Lcreate_external(other, "/inner/row_start", f, "row_start", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(f);
    expect_matrix("\"row_start\" is a link to another file; Poise does not follow such links");

    f = foreign("poise-matrix");
    H5Lcreate_external(other, "/inner", f, "away", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/away/row_start", f, "row_start", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(f);
    expect_matrix("\"row_start\" cannot be opened as a dataset");

    f = foreign("poise-matrix"), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(how, space, other, "/inner/row_start", space);
    H5Dclose(H5Dcreate2(f, "row_start", H5T_NATIVE_INT64, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Fclose(f), H5Pclose(how), H5Sclose(space);
    expect_matrix("\"row_start\" is a virtual dataset, made of other datasets");
    assert_int_equal(mkfifo(other, 0600) && unlink(other) ? -1 : mkfifo(other, 0600), 0);
    struct linear_system s;
    struct error e;
    assert_false(matrix_hdf5_read(&s, other, &e));
    assert_non_null(strstr(e.text, "cannot be read: this is a pipe, a socket or a device, not a file"));
}

static char *whole_file(size_t *bytes)
{
    FILE *in = fopen(file, "rb");
    char *all = allocate(*bytes = 1 << 20, 1, "file");
    *bytes = fread(all, 1, *bytes, in);
    fclose(in);
    return all;
}

static void put_file(const char *all, size_t bytes)
{
    FILE *out = fopen(file, "wb");
    assert_true(fwrite(all, 1, bytes, out) == bytes);
    fclose(out);
}

/* Files of Poise are guarded: every changed byte and every truncation is reported. */
static void damage_is_found(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    size_t bytes;
    struct box_setting box = box_of(2, 3, 3, 1);
    mesh_box(&m, &box);
    assert_true(mesh_write_native(&m, file, &e));
    mesh_free(&m);
    char *all = whole_file(&bytes);
    assert_int_equal(strncmp(all, "Poise mesh; HDF5 from byte 512 on; checksum ", 44), 0);
    for (size_t at = HDF5_FRONT; at < bytes; at += 97) {
        all[at] = (char)(all[at] ^ 4);
        put_file(all, bytes);
        expect_mesh("it is damaged: its contents do not match its checksum");
        all[at] = (char)(all[at] ^ 4);
        put_file(all, at);
        expect_mesh(at > HDF5_FRONT ? "it is damaged: its contents do not match its checksum" : "checksum");
    }
    free(all);
    assert_true(matrix_hdf5_write_vector((double[]){1, 2}, 2, file, &e));
    all = whole_file(&bytes);
    all[bytes - 1] ^= 1;
    put_file(all, bytes);
    assert_null(matrix_hdf5_read_vector(file, 2, &e));
    assert_non_null(strstr(e.text, "it is damaged: its contents do not match its checksum"));
    free(all);
}

/* A range of a dataset, larger than one message, and values beyond its end. */
static void ranges_of_values(void **state)
{
    enum { N = 3000000 };
    struct hdf5_reader r;
    struct error e;
    double *all, *some;
    (void)state;
    NEW(all, N), NEW(some, N);
    for (int i = 0; i < N; i++) all[i] = i;
    assert_true(matrix_hdf5_write_vector(all, N, file, &e));
    assert_true(hdf5_open(&r, file));
    assert_true(hdf5_range(&r, "value", HDF5_DOUBLE, 17, N - 40, some));
    for (int i = 0; i < N - 40; i++) assert_true(some[i] == i + 17);
    assert_true(hdf5_range(&r, "value", HDF5_DOUBLE, N - 1, 1, some) && some[0] == N - 1);
    assert_true(hdf5_range(&r, "value", HDF5_DOUBLE, N, 0, some));
    assert_false(hdf5_range(&r, "value", HDF5_DOUBLE, N - 1, 2, some));
    assert_string_equal(r.why, "\"value\" has no values 2999999 .. 3000000");
    assert_false(hdf5_range(&r, "nothing", HDF5_DOUBLE, 0, 1, some));
    assert_string_equal(r.why, "\"nothing\" is not there");
    assert_true(hdf5_range(&r, "value", HDF5_DOUBLE, 5, 1, some) && some[0] == 5);
    hdf5_close(&r);
    free(all), free(some);
}

/* A file without a checksum, every byte changed in turn to 0, to 255 and by one bit: whatever happens to the library,
 * the reader returns an answer and the program survives. */
static void no_damage_ends_the_program(void **state)
{
    (void)state;
    struct error e;
    struct linear_system s;
    size_t bytes;
    int refused = 0, read = 0;
    hid_t f = foreign("poise-matrix");
    put(f, "row_start", H5T_NATIVE_INT64, LENGTH(3), (int64_t[]){0, 1, 2});
    put(f, "column", H5T_NATIVE_INT32, LENGTH(2), (int32_t[]){0, 1});
    put(f, "value", H5T_NATIVE_DOUBLE, LENGTH(2), (double[]){2, 3});
    H5Fclose(f);
    char *all = whole_file(&bytes);
    for (size_t at = 0; at < bytes; at += all[at] ? 1 : 7) {
        char was = all[at];
        for (int how = 0; how < 3; how++) {
            all[at] = (char)(how == 0 ? 0 : how == 1 ? 255 : was ^ 16);
            if (all[at] == was) continue;
            put_file(all, bytes);
            e.status = EXIT_CONVERGED;
            if (matrix_hdf5_read(&s, file, &e)) read++, linear_system_free(&s);
            else refused++, assert_true(strstr(e.text, file) && (e.status == EXIT_INPUT || e.status == EXIT_RESOURCE));
        }
        all[at] = was;
    }
    free(all);
    assert_true(refused > 100 && read > 100);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(file, sizeof file, "%s/file.h5", folder), snprintf(other, sizeof other, "%s/other.h5", folder);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(file), unlink(other);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_are_single_values), cmocka_unit_test(other_programs_files),
        cmocka_unit_test(numbers_are_not_cut), cmocka_unit_test(more_than_the_file_holds),
        cmocka_unit_test(other_files_stay_closed), cmocka_unit_test(damage_is_found),
        cmocka_unit_test(ranges_of_values), cmocka_unit_test(no_damage_ends_the_program),
    };
    return cmocka_run_group_tests_name("hdf5", tests, make_folder, remove_folder);
}
