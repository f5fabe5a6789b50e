// Assertions and validators: what they evaluate, say and do, in this build.
#include "base/assert.h"
#include "support/base/check_main.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int evaluated;

static int evaluate(int value) {
    evaluated++;
    return value;
}

START_TEST(a_true_condition_is_evaluated_once) {
    evaluated = 0;
    APEX_ASSERT(evaluate(1));
    ck_assert_int_eq(evaluated, 1);
}
END_TEST

START_TEST(a_validator_runs_once_where_validators_are_on) {
    evaluated = 0;
    APEX_VALIDATE(evaluate(1) ? NULL : "the value is 0");
    ck_assert_int_eq(evaluated, APEX_VALIDATES);
}
END_TEST

// Checks what a child that runs `fails` says on standard error before it aborts.
static void expect_abort(void (*fails)(void), const char *said) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        fails();
        _exit(0);
    }
    close(ends[1]);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGABRT);
    char text[512] = "";
    ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
    close(ends[0]);
    ck_assert_ptr_nonnull(strstr(text, "test_base_assert.c:"));
    ck_assert_ptr_nonnull(strstr(text, said));
}

static void assert_what_is_false(void) {
    APEX_ASSERT(1 + 1 == 3);
}

START_TEST(a_false_condition_names_its_place_and_aborts) {
    expect_abort(assert_what_is_false, ": assertion failed: 1 + 1 == 3\n");
}
END_TEST

static void find_a_car_in_two_slots(void) {
    apex_assert_valid(__FILE__, __LINE__, "car 3 has two slots");
}

START_TEST(an_invalid_structure_is_printed_as_a_sentence_and_aborts) {
    expect_abort(find_a_car_in_two_slots, ": invalid: car 3 has two slots\n");
}
END_TEST

Suite *apex_suite(void) {
    Suite *suite = suite_create("base/assert");
    TCase *tests = tcase_create("assert");
    tcase_add_test(tests, a_true_condition_is_evaluated_once);
    tcase_add_test(tests, a_validator_runs_once_where_validators_are_on);
    tcase_add_test(tests, a_false_condition_names_its_place_and_aborts);
    tcase_add_test(tests, an_invalid_structure_is_printed_as_a_sentence_and_aborts);
    suite_add_tcase(suite, tests);
    return suite;
}
