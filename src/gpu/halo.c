#include "gpu/halo.h"
#include "base/error.h"

void halo_exchange(const struct halo *h, const void *x, int components, size_t size)
{
    (void)h, (void)x, (void)components, (void)size;
    die("a halo, where there is one rank");
}
