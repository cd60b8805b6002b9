/* ilu_rows.h: on the host: the rows of an incomplete LU factorisation, their order, and the positions of its
 * entries. */
#ifndef POISE_ILU_ROWS_H
#define POISE_ILU_ROWS_H
#include "solve/ic_layout.h"

/* Rows in the order of elimination.  Each has its strict lower and upper entries by ascending column (of the same
 * order); from: position of the entry in the matrix's val; ILU_FILL if the matrix has none.
 *
 * With `parts` subdomains (restricted additive Schwarz; Cai & Sarkis 1999, Yang 2015, section 4.2) the rows are those
 * of one subdomain after the other.  A subdomain is a METIS part of the matrix's graph and `overlap` layers of
 * neighbours around it; entries between subdomains are omitted.  A row may be in several subdomains; its result is
 * taken from the subdomain whose METIS part contains it. */
enum { ILU_FILL = -2 };
struct ilu_rows {
    int32_t n;
    int32_t *row;               /* [n] of the matrix */
    int32_t *target;            /* [n] the same, or -1 where the row belongs to another subdomain */
    int32_t *part;              /* [n] the row's subdomain; NULL with a single one */
    struct ic_rows lower, upper;
};

/* Finds the entries of ILU(k) with k = level (Saad 2003, section 10.3.3; Yang 2015, section 4.3).  Entries of the
 * matrix have level 0; an entry (i, j) that arises when a multiple of row k is subtracted from row i has the level
 * level(i, k) + level(k, j) + 1, minimised over all such k; entries up to `level` are kept.  Uses factor_ordering,
 * parts and overlap of s.  False with a message if the graph cannot be divided this way. */
bool ilu_rows_create(struct ilu_rows *r, const struct matrix *a, int level, const struct linear_setting *s,
                     struct error *e);
void ilu_rows_free(struct ilu_rows *r);
#endif
