// Quantiles of a histogram against those of a sorted array.
#include "support/check_main.h"

#include <stdlib.h>

#include "base/histogram.h"

enum { VALUES = 5000 };

static int by_value(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static uint64_t random_next(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

// A bucket reaches from its bound down to the one before: the greatest step is a quarter.
static void assert_quantiles(uint64_t values[], size_t count) {
    apex_histogram histogram = {0};
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        apex_histogram_add(&histogram, values[i]);
        sum += values[i];
    }
    qsort(values, count, sizeof *values, by_value);
    ck_assert_uint_eq(histogram.count, count);
    ck_assert_uint_eq(histogram.sum, sum);
    ck_assert_uint_eq(histogram.max, values[count - 1]);
    static const double shares[] = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        size_t rank = (size_t)(shares[i] * (double)count + 0.999999);
        uint64_t exact = values[rank > 0 ? rank - 1 : 0];
        uint64_t got = apex_histogram_quantile(&histogram, shares[i]);
        ck_assert_msg(got >= exact && (double)got <= (double)exact * 1.25 + 1.0,
                      "%g: %llu for %llu", shares[i], (unsigned long long)got,
                      (unsigned long long)exact);
    }
    ck_assert_uint_eq(apex_histogram_quantile(&histogram, 1.0), values[count - 1]);
}

START_TEST(quantiles_are_near_those_of_a_sorted_array) {
    static uint64_t values[VALUES];
    uint64_t random = 1;
    for (size_t i = 0; i < VALUES; i++) {
        values[i] = random_next(&random) % 20000; // even
    }
    assert_quantiles(values, VALUES);
    for (size_t i = 0; i < VALUES; i++) { // over five decades
        values[i] = UINT64_C(1) << (random_next(&random) % 20);
        values[i] += random_next(&random) % values[i];
    }
    assert_quantiles(values, VALUES);
    for (size_t i = 0; i < VALUES; i++) { // two heaps, the upper one small
        values[i] = i % 100 == 0 ? 16000 : 300 + i % 7;
    }
    assert_quantiles(values, VALUES);
    values[0] = 1025; // the worst place: just above a bound
    assert_quantiles(values, 1);
}
END_TEST

START_TEST(buckets_have_rising_bounds_and_no_gap) {
    for (size_t bucket = 1; bucket < APEX_HISTOGRAM_BUCKETS; bucket++) {
        uint64_t low = apex_histogram_bound(bucket - 1);
        uint64_t high = apex_histogram_bound(bucket);
        ck_assert_uint_ge(high, low);
        ck_assert(bucket < 8 || (high > low && (double)high <= (double)low * 1.25));
    }
    ck_assert_uint_ge(apex_histogram_bound(APEX_HISTOGRAM_BUCKETS - 1), 16000000); // 16 s
    apex_histogram histogram = {0};
    ck_assert_uint_eq(apex_histogram_quantile(&histogram, 0.5), 0);
    ck_assert_uint_eq(apex_histogram_quantile(&histogram, 1.0), 0);
    apex_histogram_add(&histogram, UINT64_C(1) << 40); // beyond the last bucket
    apex_histogram_add(&histogram, 0);
    ck_assert_uint_eq(histogram.max, UINT64_C(1) << 40);
    ck_assert_uint_le(apex_histogram_quantile(&histogram, 0.5), 1);
    ck_assert_uint_ge(apex_histogram_quantile(&histogram, 1.0), 16000000);
}
END_TEST

START_TEST(a_merged_histogram_is_that_of_all_values) {
    apex_histogram all = {0};
    apex_histogram parts[2] = {0};
    uint64_t random = 5;
    for (int i = 0; i < 1000; i++) {
        uint64_t value = random_next(&random) % (i % 3 == 0 ? 100 : 1000000);
        apex_histogram_add(&all, value);
        apex_histogram_add(&parts[i % 2], value);
    }
    apex_histogram_merge(&parts[0], &parts[1]);
    ck_assert_mem_eq(&parts[0], &all, sizeof all);
    apex_histogram empty = {0};
    apex_histogram_merge(&all, &empty);
    ck_assert_mem_eq(&parts[0], &all, sizeof all);
}
END_TEST

Suite *apex_suite(void) {
    Suite *suite = suite_create("base_histogram");
    TCase *tests = tcase_create("histogram");
    tcase_add_test(tests, quantiles_are_near_those_of_a_sorted_array);
    tcase_add_test(tests, buckets_have_rising_bounds_and_no_gap);
    tcase_add_test(tests, a_merged_histogram_is_that_of_all_values);
    suite_add_tcase(suite, tests);
    return suite;
}
