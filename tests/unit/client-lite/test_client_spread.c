// Quantiles of what was added, known to within a step.
#include "support/base/check_main.h"

#include "client-lite/view/spread.h"

START_TEST(quantiles_are_within_a_step) {
    client_spread spread = {0};
    ck_assert_double_eq(client_spread_quantile(&spread, 0.5), 0.0);
    for (int i = 1; i <= 1000; i++) {
        client_spread_add(&spread, i / 100.0);
    }
    static const double shares[] = {0.01, 0.1, 0.5, 0.9, 0.99};
    for (int i = 0; i < 5; i++) {
        double exact = shares[i] * 10.0;
        double got = client_spread_quantile(&spread, shares[i]);
        ck_assert_double_ge(got, exact);
        ck_assert_double_le(got, 1.5 * exact);
    }
    ck_assert_double_eq(client_spread_quantile(&spread, 1.0), 10.0); // not its step's end
}
END_TEST

START_TEST(zeros_are_zero_and_ends_are_kept) {
    client_spread spread = {0};
    for (int i = 0; i < 99; i++) {
        client_spread_add(&spread, 0.0);
    }
    client_spread_add(&spread, 1e9);
    ck_assert_double_eq(client_spread_quantile(&spread, 0.99), 0.0);
    ck_assert_double_gt(client_spread_quantile(&spread, 1.0), 1e4);
    ck_assert_double_eq(spread.max, 1e9);
    client_spread_add(&spread, 1e-9);
    ck_assert_double_eq(client_spread_quantile(&spread, 0.985), 1e-4);
    ck_assert_uint_eq(spread.count, 101);
}
END_TEST

Suite *apex_suite(void) {
    Suite *suite = suite_create("client_spread");
    TCase *tests = tcase_create("spread");
    tcase_add_test(tests, quantiles_are_within_a_step);
    tcase_add_test(tests, zeros_are_zero_and_ends_are_kept);
    suite_add_tcase(suite, tests);
    return suite;
}
