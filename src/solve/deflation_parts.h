/* deflation_parts.h: private to deflation: what deflation_structure.c makes once, deflation.c works with. */
#ifndef POISE_DEFLATION_PARTS_H
#define POISE_DEFLATION_PARTS_H
#include "solve/deflation.h"
#include "solve/deflation_kernels.h"
#include "solve/envelope.h"

struct deflation {
    struct deflation_args args;
    bool inverse;
    int32_t n_pieces, n_own_pieces, most;       /* of all ranks, of this one, of the one that has most */
    struct halo *rows_of_others;        /* those in this rank's pieces */
    struct halo *entries_of_others;     /* of A Z, those in this rank's pairs, behind its own; NULL both: one rank */
    int64_t n_pairs;                    /* of E below its diagonal */
    int32_t *pair_row, *pair_column;    /* [n_pairs] on the host: E's entries, row > column */
    struct envelope e;
    double *dense, *pair;               /* on the host: factor or inverse, to be uploaded; E's entries, downloaded */
    char why[160];
};
#endif
