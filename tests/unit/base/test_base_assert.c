// Assertions and validators: what they evaluate, say and do, in this build.
#include "base/assert.h"
#include "support/base/check_main.h"

static int evaluated;

static int evaluate(int value) {
    evaluated++;
    return value;
}

TEST(a_true_condition_is_evaluated_once) {
    evaluated = 0;
    APEX_ASSERT(evaluate(1));
    ck_assert_int_eq(evaluated, 1);
}

TEST(a_validator_runs_once_where_validators_are_on) {
    evaluated = 0;
    APEX_VALIDATE(evaluate(1) ? NULL : "the value is 0");
    ck_assert_int_eq(evaluated, APEX_VALIDATES);
}

static void assert_what_is_false(void) {
    APEX_ASSERT(1 + 1 == 3);
}

TEST(a_false_condition_names_its_place_and_aborts) {
    check_aborts(assert_what_is_false, ": assertion failed: 1 + 1 == 3\n");
}

static void find_a_car_in_two_slots(void) {
    apex_assert_valid(__FILE__, __LINE__, "car 3 has two slots");
}

TEST(an_invalid_structure_is_printed_as_a_sentence_and_aborts) {
    check_aborts(find_a_car_in_two_slots, ": invalid: car 3 has two slots\n");
}
