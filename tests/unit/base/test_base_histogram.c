// Percentiles of many values in fixed memory, against sorting them.
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "support/base/check_main.h"

enum { VALUES = 20000 };

static int by_size(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// Spread over seven orders of magnitude, so that every size of bucket has its share.
TEST(quantiles_are_those_of_the_sorted_values) {
    static uint64_t values[VALUES];
    static apex_histogram histogram;
    memset(&histogram, 0, sizeof histogram);
    uint64_t state = 42, sum = 0;
    for (size_t i = 0; i < VALUES; i++) {
        values[i] = next_random(&state) >> (30 + next_random(&state) % 34);
        apex_histogram_add(&histogram, values[i]);
        sum += values[i];
    }
    qsort(values, VALUES, sizeof values[0], by_size);
    ck_assert_uint_eq(histogram.count, VALUES);
    ck_assert_uint_eq(histogram.sum, sum);
    ck_assert_uint_eq(histogram.max, values[VALUES - 1]);
    static const double SHARES[] = {0.0001, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0};
    for (size_t i = 0; i < sizeof SHARES / sizeof SHARES[0]; i++) {
        uint64_t truth = values[(size_t)(SHARES[i] * VALUES + 0.9999) - 1];
        uint64_t told = apex_histogram_quantile(&histogram, SHARES[i]);
        ck_assert_msg(told >= truth && told <= truth + truth / 32, "%g: %llu, not %llu", SHARES[i],
                      (unsigned long long)told, (unsigned long long)truth);
    }
}

TEST(small_values_are_exact) {
    static apex_histogram histogram;
    memset(&histogram, 0, sizeof histogram);
    ck_assert_uint_eq(apex_histogram_quantile(&histogram, 0.5), 0); // empty
    for (uint64_t value = 0; value < 64; value++) {
        apex_histogram_add(&histogram, value);
    }
    for (uint64_t value = 0; value < 64; value++) {
        ck_assert_uint_eq(apex_histogram_quantile(&histogram, (double)(value + 1) / 64.0), value);
    }
    ck_assert_uint_eq(apex_histogram_quantile(&histogram, 0.0), 0);
}

TEST(one_value_is_all_its_quantiles) {
    static const uint64_t VALUES_ALONE[] = {0, 31, 32, 63, 64, 65, 127, 128, 16667, 1000003};
    for (size_t i = 0; i < sizeof VALUES_ALONE / sizeof VALUES_ALONE[0]; i++) {
        static apex_histogram histogram;
        memset(&histogram, 0, sizeof histogram);
        apex_histogram_add(&histogram, VALUES_ALONE[i]);
        ck_assert_uint_eq(apex_histogram_quantile(&histogram, 0.01), VALUES_ALONE[i]);
        ck_assert_uint_eq(apex_histogram_quantile(&histogram, 1.0), VALUES_ALONE[i]);
    }
}

// The smallest value that does not fit the buckets, and the largest there is.
TEST(giants_keep_their_size) {
    static apex_histogram histogram;
    memset(&histogram, 0, sizeof histogram);
    apex_histogram_add(&histogram, 5);
    apex_histogram_add(&histogram, (uint64_t)1 << 37);
    apex_histogram_add(&histogram, UINT64_MAX);
    ck_assert_uint_eq(apex_histogram_quantile(&histogram, 0.3), 5);
    ck_assert_uint_eq(apex_histogram_quantile(&histogram, 1.0), UINT64_MAX);
}

TEST(a_merged_histogram_is_that_of_all_values) {
    apex_histogram all = {0};
    apex_histogram parts[2] = {0};
    uint64_t state = 5;
    for (int i = 0; i < 1000; i++) {
        uint64_t value = next_random(&state) % (i % 3 == 0 ? 100 : 1000000);
        apex_histogram_add(&all, value);
        apex_histogram_add(&parts[i % 2], value);
    }
    apex_histogram_merge(&parts[0], &parts[1]);
    ck_assert_mem_eq(&parts[0], &all, sizeof all);
    apex_histogram empty = {0};
    apex_histogram_merge(&all, &empty);
    ck_assert_mem_eq(&parts[0], &all, sizeof all);
}

// Bounds that begin a bucket: small ones, and 32 to 63 times a power of two.
TEST(counts_below_a_bound_are_exact) {
    static const uint64_t bounds[] = {0, 1, 25, 63, 64, 66, 100, 140, 1120, 17920, 102400};
    static uint64_t values[VALUES];
    static apex_histogram histogram;
    memset(&histogram, 0, sizeof histogram);
    ck_assert_uint_eq(apex_histogram_count_below(&histogram, 100), 0); // empty
    uint64_t state = 9;
    for (size_t i = 0; i < VALUES; i++) {
        uint64_t near = bounds[next_random(&state) % 11] + next_random(&state) % 3;
        values[i] = i % 2 == 0 && near > 0 ? near - 1 : next_random(&state) % 200000;
        apex_histogram_add(&histogram, values[i]);
    }
    apex_histogram_add(&histogram, UINT64_MAX);
    for (size_t bound = 0; bound < 11; bound++) {
        uint64_t below = 0;
        for (size_t i = 0; i < VALUES; i++) {
            below += values[i] < bounds[bound];
        }
        ck_assert_uint_eq(apex_histogram_count_below(&histogram, bounds[bound]), below);
    }
    ck_assert_uint_eq(apex_histogram_count_below(&histogram, UINT64_C(1) << 37), VALUES);
}

TEST(counts_by_value_have_quantiles) {
    static const uint64_t COUNTS[5] = {0, 50, 40, 9, 1};
    ck_assert_uint_eq(apex_counts_quantile(COUNTS, 5, 0.5), 1);
    ck_assert_uint_eq(apex_counts_quantile(COUNTS, 5, 0.51), 2);
    ck_assert_uint_eq(apex_counts_quantile(COUNTS, 5, 0.99), 3);
    ck_assert_uint_eq(apex_counts_quantile(COUNTS, 5, 1.0), 4);
    ck_assert_uint_eq(apex_counts_quantile((const uint64_t[5]){0}, 5, 0.5), 0);
}
