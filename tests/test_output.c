/* Series, checkpoints and CSV files: round trips, resuming, failures to write and read.  `test_output --write DIR
 * [vtkhdf]` writes a series for every kind of mesh, for tests/regression/xdmf_vtk.py. */
#include "test.h"
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/hdf5_reader.h"
#include "io/output.h"
#include "sample_meshes.h"

static char directory[256];

static const char *at(const char *name)
{
    static char path[4][512];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", directory, name);
    return path[turn];
}

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *walk)
{
    (void)s, (void)flag, (void)walk;
    return remove(path);
}

static int make_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "%s/poise-output-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    (void)state;
    return nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static bool there(const char *name) { return access(at(name), F_OK) == 0; }

static char *text_of(const char *name)
{
    static char text[65536];
    int file = open(at(name), O_RDONLY);
    assert_true(file >= 0);
    ssize_t n = read(file, text, sizeof text - 1);
    close(file);
    assert_true(n >= 0);
    text[n] = 0;
    return text;
}

static void put_text(const char *name, const char *text)
{
    FILE *out = fopen(at(name), "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static int times_in(const char *text, const char *part)
{
    int n = 0;
    while ((text = strstr(text, part))) n++, text++;
    return n;
}

/* All names in a folder, a line each. */
static const char *names_in(const char *name)
{
    static char text[4096];
    DIR *folder = opendir(at(name));
    assert_non_null(folder);
    text[0] = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n", entry->d_name);
    closedir(folder);
    return text;
}

/* ---------------------------------------------------------------- series */

/* Also expected by the Python test: for cell c in the file's numbering. */
static double velocity_at(int64_t step, int32_t c, int k) { return (double)step * 1000 + c * 4.0 + k; }
static double pressure_at(int64_t step, int32_t c) { return -c - (double)step / 8; }

static bool write_step(struct output *o, const struct mesh *m, int64_t step, struct error *e)
{
    double *velocity, *pressure;
    int64_t stride = m->n_cells + 5;
    NEW(velocity, m->dim * stride), NEW(pressure, m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) {
        for (int k = 0; k < m->dim; k++) velocity[k * stride + c] = velocity_at(step, m->cell_original[c], k);
        pressure[c] = pressure_at(step, m->cell_original[c]);
    }
    const struct output_field field[] = {{"velocity", m->dim, velocity, stride}, {"pressure", 1, pressure, 0}};
    bool ok = output_write(o, step, 0.5 * (double)step, field, 2, e);
    free(velocity), free(pressure);
    return ok;
}

static void complete_sample(struct mesh *m, enum sample kind)
{
    struct error e;
    sample_mesh(m, kind);
    if (!mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s: %s", sample_name[kind], e.text);
}

static void check_step(const struct mesh *m, const char *name, int64_t step)
{
    int64_t found_step;
    double time, *velocity, *pressure;
    struct hdf5_reader file;
    assert_true(hdf5_open(&file, at(name)));
    assert_true(hdf5_integer(&file, "step", 0, step, &found_step) && found_step == step);
    assert_true(hdf5_number(&file, "time", &time) && time == 0.5 * (double)step);
    assert_non_null(velocity = hdf5_array(&file, "velocity", HDF5_DOUBLE, m->n_cells, 3, NULL));
    assert_non_null(pressure = hdf5_array(&file, "pressure", HDF5_DOUBLE, m->n_cells, 1, NULL));
    for (int32_t c = 0; c < m->n_cells; c++) {
        for (int k = 0; k < 3; k++) assert_true(velocity[3 * c + k] == (k < m->dim ? velocity_at(step, c, k) : 0));
        assert_true(pressure[c] == pressure_at(step, c));
    }
    free(velocity), free(pressure);
    hdf5_close(&file);
}

static void series_round_trip(void **state)
{
    (void)state;
    for (enum sample kind = 0; kind < N_SAMPLES; kind++) {
        struct mesh m;
        struct error e;
        complete_sample(&m, kind);
        struct output *o = output_open(at("deep/er/run.out"), "a<b", OUTPUT_XDMF, &m, false, 0, &e);
        if (!o) fail_msg("%s", e.text);
        assert_false(there("deep/er/run.out/a<b.xdmf"));                    /* not before the first step */
        assert_true(write_step(o, &m, 0, &e) && write_step(o, &m, 1234567, &e));
        output_close(o);
        check_step(&m, "deep/er/run.out/fields/000000.h5", 0);
        check_step(&m, "deep/er/run.out/fields/1234567.h5", 1234567);
        const char *xdmf = text_of("deep/er/run.out/a<b.xdmf");
        assert_int_equal(times_in(xdmf, "<Time Value="), 2);
        assert_non_null(strstr(xdmf, "Name=\"a&lt;b\""));
        assert_true(there("deep/er/run.out/mesh.h5") && times_in(names_in("deep/er/run.out/fields"), ".part") == 0);
        mesh_free(&m);
    }
}

static void series_resumes(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    complete_sample(&m, SAMPLE_MIXED_2D);
    struct output *o = output_open(at("run.out"), "run", OUTPUT_XDMF, &m, false, 0, &e);
    for (int64_t step = 100; step <= 400; step += 100) assert_true(write_step(o, &m, step, &e));
    output_close(o);
    put_text("run.out/fields/500.h5", "the user's own too");
    put_text("run.out/fields/notes.txt", "the user's own");
    put_text("run.out/checkpoint.h5", "of this run");

    o = output_open(at("run.out"), "run", OUTPUT_XDMF, &m, true, 200, &e);
    if (!o) fail_msg("%s", e.text);
    assert_int_equal(times_in(text_of("run.out/run.xdmf"), "<Time Value="), 2);
    assert_true(there("run.out/fields/000200.h5") && !there("run.out/fields/000300.h5"));
    assert_true(!there("run.out/fields/000400.h5") && there("run.out/fields/500.h5") &&
                there("run.out/fields/notes.txt") && there("run.out/checkpoint.h5"));
    assert_true(write_step(o, &m, 300, &e) && write_step(o, &m, 300, &e));
    output_close(o);
    const char *xdmf = text_of("run.out/run.xdmf");
    const char *second = strstr(xdmf, "<Time Value=\"100\"/>"), *third = strstr(xdmf, "<Time Value=\"150\"/>");
    assert_true(strstr(xdmf, "<Time Value=\"50\"/>") && second && third && second < third);
    assert_int_equal(times_in(xdmf, "<Time Value="), 3);
    assert_int_equal(times_in(xdmf, "AttributeType=\"Vector\""), 3);
    assert_int_equal(times_in(xdmf, "fields/000300.h5:/velocity"), 1);

    put_text("run.out/fields/000050.h5", "not HDF5");
    assert_null(output_open(at("run.out"), "run", OUTPUT_XDMF, &m, true, 300, &e));
    assert_int_equal(e.status, EXIT_INPUT);
    assert_non_null(strstr(e.text, "fields/000050.h5: not a field file"));

    o = output_open(at("run.out"), "run", OUTPUT_XDMF, &m, false, 0, &e); /* a new run: nothing of the old series is
                                                                             left */
    if (!o) fail_msg("%s", e.text);
    assert_true(!there("run.out/run.xdmf") && !there("run.out/fields/000100.h5") && !there("run.out/fields/000050.h5"));
    assert_true(!there("run.out/checkpoint.h5") && there("run.out/fields/notes.txt"));
    output_close(o);
    mesh_free(&m);
}

/* A series has one index, in the format of the latest run. */
static void formats_take_turns(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    complete_sample(&m, SAMPLE_MIXED_3D);
    for (int turn = 0; turn < 4; turn++) {
        enum output_format format = turn % 2 ? OUTPUT_XDMF : OUTPUT_VTKHDF;
        struct output *o = output_open(at("run.out"), "run", format, &m, turn > 1, 1, &e);
        if (!o) fail_msg("%s", e.text);
        assert_true(there("run.out/run.xdmf") == (turn == 3) && there("run.out/run.vtkhdf") == (turn == 2));
        assert_true(write_step(o, &m, turn > 1 ? 2 : 1, &e));
        output_close(o);
        assert_true(there(turn % 2 ? "run.out/run.xdmf" : "run.out/run.vtkhdf"));
    }
    mesh_free(&m);
}

/* ---------------------------------------------------------------- a full disk: no file may grow beyond `bytes` */

static void disk(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void disk_full(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    double value[500] = {0};
    struct checkpoint_array a = {.name = "a", .value = value, .n = 500};
    complete_sample(&m, SAMPLE_TETRAHEDRA);
    struct output *o = output_open(at("run.out"), "run", OUTPUT_XDMF, &m, false, 0, &e);
    struct csv *c = csv_open(at("run.out/a.csv"), "iteration,a", 1, false, 0, &e);
    if (!o || !c) fail_msg("%s", e.text);
    assert_true(write_step(o, &m, 1, &e) && csv_row(c, 1, value, 1, &e));
    assert_true(checkpoint_write(at("run.out/checkpoint.h5"), "key", 1, &a, 1, &e));
    size_t row = strlen(text_of("run.out/a.csv"));

    disk(2000);
    bool wrote = write_step(o, &m, 2, &e);
    struct error e2, e3;
    value[0] = 1;
    bool saved = checkpoint_write(at("run.out/checkpoint.h5"), "key", 2, &a, 1, &e2);
    disk(row + 2);
    bool added = csv_row(c, 2, value, 1, &e3);
    disk(RLIM_INFINITY);

    assert_false(wrote || saved || added);
    assert_true(e.status == EXIT_RESOURCE && e2.status == EXIT_RESOURCE && e3.status == EXIT_RESOURCE);
    assert_non_null(strstr(e.text, "run.out/fields/000002.h5: could not be written: File too large; free some"));
    assert_non_null(strstr(e2.text, "run.out/checkpoint.h5: could not be written: File too large"));
    assert_non_null(strstr(e3.text, "run.out/a.csv: a line could not be written: File too large"));
    assert_false(there("run.out/fields/000002.h5"));
    assert_int_equal(times_in(names_in("run.out"), ".part"), 0);
    assert_int_equal(times_in(names_in("run.out/fields"), ".part"), 0);
    assert_int_equal(times_in(text_of("run.out/run.xdmf"), "<Time Value="), 1);
    assert_string_equal(text_of("run.out/a.csv"), "iteration,a\n1,0\n");
    int64_t step;
    assert_true(checkpoint_read(at("run.out/checkpoint.h5"), "key", &step, &a, 1, &e) && step == 1 && value[0] == 0);
    assert_true(write_step(o, &m, 2, &e) && csv_row(c, 2, value, 1, &e));   /* and again, once there is space */
    check_step(&m, "run.out/fields/000002.h5", 2);
    output_close(o), csv_close(c);
    mesh_free(&m);
}

static void not_writable(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    complete_sample(&m, SAMPLE_TRIANGLES);
    put_text("file", "");
    assert_null(output_open(at("file"), "run", OUTPUT_XDMF, &m, false, 0, &e));
    assert_int_equal(e.status, EXIT_RESOURCE);
    assert_non_null(strstr(e.text, "/file: the directory could not be created: Not a directory"));
    assert_null(csv_open(at("file/probes/a.csv"), "iteration", 1, false, 0, &e));
    assert_non_null(strstr(e.text, "/file/probes/a.csv: could not be opened: Not a directory"));
    assert_false(checkpoint_write(at("none/checkpoint.h5"), "key", 1, NULL, 0, &e));
    assert_non_null(strstr(e.text, "none/checkpoint.h5: could not be written: No such file or directory"));
    mesh_free(&m);
}

/* ---------------------------------------------------------------- checkpoints */

static void checkpoint_round_trip(void **state)
{
    (void)state;
    double u[1000], p[3] = {-0.0, 1e-310, 1.0 / 3}, u2[1000], p2[3];
    int64_t step;
    struct error e;
    for (int i = 0; i < 1000; i++) u[i] = number(i);
    int32_t whole[4] = {-1, 2, INT32_MAX, 0};
    float single[3] = {-0.0f, 1e-40f, 1.0f / 3};
    double single2[3];
    const struct checkpoint_array from[] = {{.name = "u", .value = u, .n = 1000}, {.name = "p", .value = p, .n = 3},
                                            {.name = "none"},
                                            {.name = "whole", .value = whole, .n = 4, .integers = true},
                                            {.name = "empty", .integers = true},
                                            {.name = "single", .value = single, .n = 3, .single = true}};
    struct checkpoint_array to[] = {{.name = "p", .value = p2, .n = 3}, {.name = "u", .value = u2, .n = 1000},
                                    {.name = "none"},
                                    {.name = "whole", .integers = true},
                                    {.name = "empty", .value = u, .n = 7, .integers = true},
                                    {.name = "single", .value = single2, .n = 3}};
    const char *path = at("checkpoint.h5");
    assert_false(checkpoint_read(path, "key", &step, to, 6, &e));
    assert_non_null(strstr(e.text, "there is no checkpoint to restart from"));
    assert_true(checkpoint_write(path, "old", 1, from, 6, &e));
    assert_true(checkpoint_write(path, "mesh 7, viscosity 0.001", 12345678901, from, 6, &e));
    if (!checkpoint_read(path, "mesh 7, viscosity 0.001", &step, to, 6, &e)) fail_msg("%s", e.text);
    assert_true(step == 12345678901);
    assert_memory_equal(u, u2, sizeof u);
    assert_memory_equal(p, p2, sizeof p);
    assert_int_equal(to[3].n, 4);
    assert_memory_equal(to[3].value, whole, sizeof whole);
    assert_true(!to[4].value && to[4].n == 0);
    for (int i = 0; i < 3; i++) assert_true(single2[i] == single[i] && !signbit(single2[i]) == !signbit(single[i]));
    free(to[3].value);

    assert_false(checkpoint_read(path, "mesh 7, viscosity 0.002", &step, to, 3, &e));
    assert_int_equal(e.status, EXIT_INPUT);
    assert_non_null(strstr(e.text, "checkpoint: mesh 7, viscosity 0.001"));
    assert_non_null(strstr(e.text, "this run:   mesh 7, viscosity 0.002"));
    struct checkpoint_array longer = {.name = "p", .value = p2, .n = 4}, other = {.name = "q", .value = p2, .n = 3};
    assert_false(checkpoint_read(path, "mesh 7, viscosity 0.001", &step, &longer, 1, &e));
    assert_non_null(strstr(e.text, "\"p\" has 3 numbers, 4 were expected"));
    assert_false(checkpoint_read(path, "mesh 7, viscosity 0.001", &step, &other, 1, &e));
    assert_non_null(strstr(e.text, "\"q\" is missing"));
    struct checkpoint_array optional[] = {{.name = "q", .value = p2, .n = 3, .may_lack = true},
                                          {.name = "p", .value = p2, .n = 4, .may_lack = true},
                                          {.name = "u", .value = u2, .n = 1000, .may_lack = true}};
    memset(u2, 0, sizeof u2);
    assert_true(checkpoint_read(path, "mesh 7, viscosity 0.001", &step, optional, 3, &e));
    assert_true(!optional[0].n && !optional[1].n && optional[2].n == 1000);
    assert_memory_equal(p, p2, sizeof p);
    assert_memory_equal(u, u2, sizeof u);
}

static void checkpoint_damage_is_found(void **state)
{
    (void)state;
    static char whole[65536], broken[65536];
    double u[40], u2[40];
    int64_t step;
    struct error e;
    for (int i = 0; i < 40; i++) u[i] = number(i);
    struct checkpoint_array from = {.name = "u", .value = u, .n = 40}, to = {.name = "u", .value = u2, .n = 40};
    const char *path = at("checkpoint.h5");
    assert_true(checkpoint_write(path, "key", 7, &from, 1, &e));
    FILE *in = fopen(path, "rb");
    size_t n = fread(whole, 1, sizeof whole, in);
    fclose(in);
    assert_true(n > 512 && n < sizeof whole);
    assert_true(checkpoint_read(path, "key", &step, &to, 1, &e) && step == 7);
    for (size_t i = 0; i < n; i += i < 80 ? 1 : 97) {                       /* one byte changed, or truncated there */
        for (int cut = 0; cut < 2; cut++) {
            memcpy(broken, whole, n);
            broken[i] = (char)(broken[i] ^ 4);
            FILE *out = fopen(path, "wb");
            fwrite(broken, 1, cut ? i : n, out);
            fclose(out);
            bool ok = checkpoint_read(path, "key", &step, &to, 1, &e);
            if (ok) assert_true(i > 60 && i < 512 && !cut);                 /* the unused rest of the leading block */
            else assert_non_null(strstr(e.text, "not a checkpoint of Poise, or damaged"));
            if (!ok) assert_int_equal(e.status, EXIT_INPUT);
            if (ok) assert_memory_equal(u, u2, sizeof u);
        }
    }
}

/* ---------------------------------------------------------------- CSV */

static void csv_rows(void **state)
{
    (void)state;
    struct error e;
    const double row[] = {0.1, -1e300};
    assert_true(folder_make(at("probes"), &e));
    struct csv *c = csv_open(at("probes/a.csv"), "iteration,u,v", 1, false, 0, &e);
    if (!c) fail_msg("%s", e.text);
    for (int64_t step = 9; step <= 12; step++) assert_true(csv_row(c, step, row, 2, &e));
    assert_non_null(strstr(text_of("probes/a.csv"), "iteration,u,v\n9,0.10000000000000001,-1"));   /* while open */
    csv_close(c);
    double back;
    sscanf(strstr(text_of("probes/a.csv"), "12,"), "12,0.10000000000000001,%lf", &back);
    assert_true(back == -1e300);

    FILE *out = fopen(at("probes/a.csv"), "a");
    fputs("13,0.2", out);                                                   /* torn */
    fclose(out);
    c = csv_open(at("probes/a.csv"), "iteration,u,v", 1, true, 100, &e);
    assert_true(csv_row(c, 101, (double[]){1, 2}, 2, &e));
    csv_close(c);
    assert_non_null(strstr(text_of("probes/a.csv"), "e+300\n101,1,2\n"));

    c = csv_open(at("probes/a.csv"), "iteration,u,v", 1, true, 10, &e);
    assert_true(csv_row(c, 11, (double[]){1, 2}, 2, &e));
    csv_close(c);
    assert_int_equal(times_in(text_of("probes/a.csv"), "\n"), 4);
    assert_non_null(strstr(text_of("probes/a.csv"), "e+300\n11,1,2\n"));

    assert_null(csv_open(at("probes/a.csv"), "iteration,u", 1, true, 10, &e));
    assert_non_null(strstr(e.text, "its first line is \"iteration,u,v\", this run would write \"iteration,u\""));
    assert_int_equal(times_in(text_of("probes/a.csv"), "\n"), 4);           /* and it was not changed */

    csv_close(csv_open(at("probes/b.csv"), "iteration", 1, true, 10, &e));     /* nothing to resume: created */
    assert_string_equal(text_of("probes/b.csv"), "iteration\n");
    csv_close(csv_open(at("probes/a.csv"), "iteration,u", 1, false, 0, &e));
    assert_string_equal(text_of("probes/a.csv"), "iteration,u\n");

    c = csv_open(at("probes/c.csv"), "iteration,u", 5, true, 0, &e);      /* a last row between those that are due */
    for (int64_t step = 5; step <= 12; step += step < 10 ? 5 : 2) assert_true(csv_row(c, step, (double[]){1}, 1, &e));
    csv_close(c);
    c = csv_open(at("probes/c.csv"), "iteration,u", 5, true, 12, &e);
    assert_string_equal(text_of("probes/c.csv"), "iteration,u\n5,1\n10,1\n12,1\n");
    assert_true(csv_row(c, 15, (double[]){1}, 1, &e));
    csv_close(c);
    assert_string_equal(text_of("probes/c.csv"), "iteration,u\n5,1\n10,1\n15,1\n");
}

static int write_samples(const char *where, enum output_format format)
{
    for (enum sample kind = 0; kind < N_SAMPLES; kind++) {
        struct mesh m;
        struct error e;
        char path[512];
        snprintf(path, sizeof path, "%s/%s.out", where, sample_name[kind]);
        sample_mesh(&m, kind);
        bool ok = mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e);
        struct output *o = ok ? output_open(path, sample_name[kind], format, &m, false, 0, &e) : NULL;
        for (int64_t step = 0; o && ok && step <= 1000; step += 500) ok = write_step(o, &m, step, &e);
        if (!o || !ok) return fprintf(stderr, "%s\n", e.text), 1;
        output_close(o);
        mesh_free(&m);
    }
    return 0;
}

int main(int argc, char **argv)
{
    bool vtkhdf = argc == 4 && !strcmp(argv[3], "vtkhdf");
    if (argc > 2 && !strcmp(argv[1], "--write")) return write_samples(argv[2], vtkhdf ? OUTPUT_VTKHDF : OUTPUT_XDMF);
#define IN_DIRECTORY(f) cmocka_unit_test_setup_teardown(f, make_directory, remove_directory)
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(series_round_trip), IN_DIRECTORY(series_resumes), IN_DIRECTORY(formats_take_turns),
        IN_DIRECTORY(disk_full),
        IN_DIRECTORY(not_writable), IN_DIRECTORY(checkpoint_round_trip), IN_DIRECTORY(checkpoint_damage_is_found),
        IN_DIRECTORY(csv_rows),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
