/* Opens libpoise-peers.so, which measures NVIDIA's libraries, if it is installed (peers/peers.h). */
#include "bench/peers/peers.h"
#include "bench/bench.h"
#include "gpu/device.h"

#ifdef POISE_CUDA
#include <dlfcn.h>
#include <stdio.h>
#include "base/file.h"

/* libpoise-peers.so is in the program's folder or, if installed, in lib/poise next to the program's folder. */
static const struct peers *open_library(const char **reason)
{
    static char text[PATH_LENGTH + 200];
    void *library = dlopen(file_of_program("libpoise-peers.so"), RTLD_NOW | RTLD_LOCAL);
    const struct peers *p = library ? dlsym(library, "poise_peers") : NULL;
    snprintf(text, sizeof text, "%s", p ? "" : dlerror());
    *reason = text;
    return p;
}

const struct peers *bench_peers(const char **reason)
{
    static const struct peers *library;
    *reason = "NVIDIA's libraries run on a GPU only";
    if (device_kind() != DEVICE_CUDA) return NULL;
    return library ? library : (library = open_library(reason));
}
#else
const struct peers *bench_peers(const char **reason)
{
    *reason = "this program was built without CUDA";
    return NULL;
}
#endif
