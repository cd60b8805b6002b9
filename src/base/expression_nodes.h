/* expression_nodes.h: private to expression.c and expression_reader.c: an expression as a list of operations, in which
 * the operands of each stand before it, and the last one gives the value. */
#ifndef POISE_EXPRESSION_NODES_H
#define POISE_EXPRESSION_NODES_H
#include "base/expression.h"

enum operation {
    OP_NUMBER, OP_VARIABLE, OP_NEGATE, OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE, OP_POWER, OP_LESS, OP_LESS_EQUAL,
    OP_MORE, OP_MORE_EQUAL, OP_EQUAL, OP_UNEQUAL, OP_AND, OP_OR, OP_CHOOSE, OP_MIN, OP_MAX, OP_ATAN2, OP_FUNCTION
};
struct node {
    enum operation op;
    int from[3];                        /* operands; those that the operation lacks repeat the first one */
    double number;                      /* of OP_NUMBER */
    int variable;                       /* of OP_VARIABLE */
    double (*function)(double);         /* of OP_FUNCTION */
    unsigned uses;                      /* bit k: it contains variable k */
};

/* to[i] = the operation on a[i], b[i], c[i], for n points. */
void node_evaluate(const struct node *k, const double *a, const double *b, const double *c, int n, double *to);

/* The nodes of a text, freed by the caller also after a fault.  Operations on numbers are carried out; a power of 2, 3
 * or 4 becomes products.  False with a fault. */
bool expression_read(const char *text, const char *const *names, int n, struct node **node, int *n_nodes,
                     struct expression_fault *fault);
#endif
