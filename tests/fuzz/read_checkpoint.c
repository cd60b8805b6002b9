/* Harness: a checkpoint, with the array lengths that it contains. */
#include <stdlib.h>
#include "base/hdf5_reader.h"
#include "base/memory.h"
#include "fuzz.h"
#include "io/output.h"

void fuzz_one(uint8_t *data, size_t size)
{
    struct checkpoint_array a[] = {{.name = "time"}, {.name = "velocity"}, {.name = "volume_flux"}, {.name = "history"},
                                   {.name = "multigrid", .integers = true},
                                   {.name = "settings", .integers = true, .bytes = true}};
    enum { N = sizeof a / sizeof *a };
    char key[PATH_LENGTH + 256] = "";
    struct hdf5_reader r;
    struct error e;
    int64_t step, length[2];
    fuzz_renew_digest(data, size);
    const char *path = fuzz_file("checkpoint.h5", data, size);
    if (!hdf5_open(&r, path)) return;
    hdf5_text(&r, "key", key, sizeof key);
    for (int k = 0; k < N - 2; k++) {
        a[k].n = r.process && hdf5_shape(&r, a[k].name, length) == 1 ? length[0] : 1;
        a[k].value = allocate((size_t)a[k].n, sizeof(double), a[k].name);
    }
    hdf5_close(&r);
    checkpoint_read(path, key, &step, a, N, &e);
    for (int k = 0; k < N; k++) free(a[k].value);
}
