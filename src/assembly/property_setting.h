/* property_setting.h: a property of a material by an expression or a table of one transported field, or of place and
 * time. */
#ifndef POISE_PROPERTY_SETTING_H
#define POISE_PROPERTY_SETTING_H
#include <stdbool.h>
#include <stdint.h>
#include "case/case.h"

struct property_setting {
    bool given;                 /* otherwise the property is constant */
    struct value_setting formula;       /* its text outlives this */
    char field[NAME_LENGTH];    /* its variable: the temperature, a scalar, a shear rate; "": place and time */
    /* Of a field: */
    double range[2];            /* the values of it between which the property is sampled, */
    double middle;              /* and the property between them; set by the flow's check */
};

/* Of keys that give the range of a field. */
#define FIELD_RANGE_EXPECTED "a pair of numbers in brackets, the lower one first, like [280.0, 350.0]"
#define FIELD_RANGE_HELP "[low, high]: its values between which properties that depend on it are sampled; beyond " \
    "them they have their values there (not given: from the numbers that the case gives for it, initially and at " \
    "boundaries, and as much again on both sides; of a table: its own)"

struct case_reader;
enum { N_HEAT_VARIABLES = N_VALUE_VARIABLES + 1 };
extern const char *const heat_variables[N_HEAT_VARIABLES];      /* x, y, z, t, temperature */
/* Sets p by an expression or a table.  Complains, and leaves p not given, if that depends on more than one field, or on
 * place and a field; expected: what it may depend on, for the message. */
void property_find(struct case_reader *r, struct property_setting *p, const struct value_setting *value,
                   const char *expected);
/* to[i] = the property at n values of its field. */
void property_sample(const struct property_setting *p, const double *x, int64_t n, double *to);
/* Of a key: sets p, or returns the number if it is one; else 1. */
double property_of_key(struct case_reader *r, struct property_setting *p, const struct value_setting *value,
                       const char *expected);
/* Is it finite and in the range of its key at n values of its field, and in the rows of its table?  Otherwise a
 * complaint; where: for it, the values at which it has to be. */
bool property_is_allowed(struct case_reader *r, const struct property_setting *p, const double *x, int n,
                         const char *where);
#endif
