/* poise mesh info FILE --parts N: the division of a mesh among so many ranks. */
#include <stdlib.h>
#include "base/log.h"
#include "base/memory.h"
#include "command/command.h"
#include "gpu/kernel.h"
#include "gpu/ranks.h"
#include "mesh/mesh.h"

struct counts { int32_t cells, halo, neighbours; };

/* Cells; ghost cells that share faces with these; neighbouring parts.  Returns the number of faces between parts. */
static int64_t count_parts(const int32_t *part, int n_parts, const int64_t *start, const int32_t *column, int32_t n,
                           struct counts *count)
{
    int64_t cut = 0;
    char *meet;                                         /* [n_parts n_parts] */
    NEW(meet, (int64_t)n_parts * n_parts);
    for (int32_t c = 0; c < n; c++) {
        count[part[c]].cells++;
        for (int64_t j = start[c]; j < start[c + 1]; j++) {
            int32_t other = part[column[j]];
            bool counted = other == part[c];
            cut += !counted;
            for (int64_t i = start[c]; i < j && !counted; i++) counted = part[column[i]] == other;
            if (counted) continue;
            count[other].halo++;
            meet[(int64_t)part[c] * n_parts + other] = 1;
        }
    }
    for (int p = 0; p < n_parts; p++)
        for (int q = 0; q < n_parts; q++) count[p].neighbours += meet[(int64_t)p * n_parts + q];
    free(meet);
    return cut / 2;
}

/* The runs of the Hilbert curve that ranks get by default (mesh/part.h). */
static void hilbert_parts(const struct mesh *m, int n_parts, int32_t *part)
{
    int32_t *order, n = m->n_cells;
    NEW(order, n);
    order_hilbert(order, m->cell_centre, m->dim, n, mesh_cells_together(m));
    for (int p = 0; p < n_parts; p++) {
        int64_t slices = (n + SLICE - 1) / SLICE, end = SLICE * ranks_cut_of(slices, n_parts, p + 1);
        for (int64_t k = SLICE * ranks_cut_of(slices, n_parts, p); k < end && k < n; k++) part[order[k]] = p;
    }
    free(order);
}

bool mesh_tell_parts(const struct mesh *m, int n_parts, struct error *e)
{
    int64_t *start;
    int32_t *column, *part, n = m->n_cells, slices = (n + SLICE - 1) / SLICE;
    struct counts *hilbert, *metis;
    if (slices < n_parts)
        return refuse(e, EXIT_INPUT, "--parts %d: the mesh has %d slices of %d cells; expected at most %d parts",
                      n_parts, slices, SLICE, slices);
    mesh_adjacency(m, &start, &column, NULL);
    NEW(part, n), NEW(hilbert, n_parts), NEW(metis, n_parts);
    hilbert_parts(m, n_parts, part);
    int64_t cut = count_parts(part, n_parts, start, column, n, hilbert), cut_by_metis = 0;
    bool good = n_parts == 1 || order_parts(part, n_parts, start, column, n, "--parts", "use a smaller mesh", e);
    if (good) cut_by_metis = count_parts(part, n_parts, start, column, n, metis);
    if (good) {
        log_print("parts             %34s   %34s\n", "runs of the Hilbert curve (default)", "METIS k-way");
        log_print("  %-15s %10s %12s %10s   %10s %12s %10s\n", "", "cells", "of others", "neighbours", "cells",
                  "of others", "neighbours");
    }
    for (int p = 0; good && p < n_parts; p++)
        log_print("  %-15d %10d %12d %10d   %10d %12d %10d\n", p, hilbert[p].cells, hilbert[p].halo,
                  hilbert[p].neighbours, metis[p].cells, metis[p].halo, metis[p].neighbours);
    if (good)
        log_print("  %-15s %10lld %25s %10lld\n", "faces between", (long long)cut, "", (long long)cut_by_metis);
    free(start), free(column), free(part), free(hilbert), free(metis);
    return good;
}
