/* Numbers of items of one mesh at the items of another (flow/relay.h), on one rank; on several ranks
 * regression/ranks_models.sh. */
#include "test.h"
#include "assembly/boundary_kinds.h"
#include "flow/relay.h"
#include "gpu/device.h"

/* Items 7, 2, 5, 0 are offered, item 5 from `second`; wanted in another order, one twice and one not at all. */
enum { OFFERED = 4, WANTED = 6, ALL = 8 };
static const int32_t from[OFFERED] = {0, 2, -1 - 1, 1}, offered[OFFERED] = {7, 2, 5, 0};
static const int32_t wanted[WANTED] = {5, -1, 2, 7, 2, 5};
static const double first[3] = {1.5, 2.5, 3.5}, second[2] = {-4, -5};
static const uint8_t rule[3] = {RULE_GRADIENT, RULE_VALUE, RULE_MIXED};

static void numbers_and_rules(void **state)
{
    (void)state;
    const double expected[WANTED] = {-5, 0, 3.5, 1.5, 3.5, -5};
    const uint8_t rules[WANTED] = {RULE_VALUE, RULE_VALUE, RULE_MIXED, RULE_GRADIENT, RULE_MIXED, RULE_VALUE};
    struct relay r;
    relay_create(&r, &(struct relay_items){OFFERED, WANTED, ALL, from, offered, wanted}, 2);
    double *a = device_copy_of(first, sizeof first, "first"), *b = device_copy_of(second, sizeof second, "second");
    uint8_t *c = device_copy_of(rule, sizeof rule, "rules"), *to_rule = device_alloc(WANTED, "rules");
    double *to = device_alloc(WANTED * sizeof *to, "wanted");
    for (int with = 0; with < 2; with++) {
        if (with) relay_send_rules(&r, a, b, c, to, to_rule);
        else relay_send(&r, a, b, to);
        double *found = FROM_DEVICE(to, WANTED);
        uint8_t *found_rule = FROM_DEVICE(to_rule, WANTED);
        for (int i = 0; i < WANTED; i++) {
            assert_true(found[i] == expected[i]);
            if (with) assert_int_equal(found_rule[i], rules[i]);
        }
        free(found), free(found_rule);
    }
    device_free(a), device_free(b), device_free(c), device_free(to), device_free(to_rule);
    relay_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_and_rules)};
    return RUN_TESTS("relay", tests);
}
