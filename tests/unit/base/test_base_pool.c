// The pool: which index is next, and which references are live.
#include "base/pool.h"
#include "support/base/check_main.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 5

static uint32_t generations[CAPACITY];
static apex_pool pool;

static void setup(void) {
    memset(generations, 0xa5, sizeof generations);
    apex_pool_init(&pool, generations, CAPACITY);
}

FIXTURE(setup, NULL)

TEST(indices_come_lowest_first) {
    for (uint32_t i = 0; i < CAPACITY; i++) {
        apex_pool_ref ref = apex_pool_take(&pool);
        ck_assert_uint_eq(ref.index1, i + 1);
        ck_assert_uint_eq(ref.generation, 1);
    }
    ck_assert_uint_eq(pool.live_count, CAPACITY);
    apex_pool_ref none = apex_pool_take(&pool);
    ck_assert_uint_eq(none.index1, 0);
    ck_assert_uint_eq(none.generation, 0);
    ck_assert_uint_eq(pool.live_count, CAPACITY);
}

TEST(the_lowest_free_index_is_used_again_first) {
    apex_pool_ref refs[CAPACITY];
    for (uint32_t i = 0; i < CAPACITY; i++) {
        refs[i] = apex_pool_take(&pool);
    }
    apex_pool_give(&pool, refs[3]);
    apex_pool_give(&pool, refs[1]);
    apex_pool_give(&pool, refs[4]);
    ck_assert_uint_eq(pool.live_count, 2);
    ck_assert_uint_eq(apex_pool_take(&pool).index1, 2);
    ck_assert_uint_eq(apex_pool_take(&pool).index1, 4);
    ck_assert_uint_eq(apex_pool_take(&pool).index1, 5);
    ck_assert_uint_eq(apex_pool_take(&pool).index1, 0);
}

TEST(a_stale_reference_is_not_live) {
    apex_pool_ref old = apex_pool_take(&pool);
    ck_assert(apex_pool_is_live(&pool, old.index1, old.generation));
    apex_pool_give(&pool, old);
    ck_assert(!apex_pool_is_live(&pool, old.index1, old.generation));
    apex_pool_ref young = apex_pool_take(&pool);
    ck_assert_uint_eq(young.index1, old.index1);
    ck_assert_uint_ne(young.generation, old.generation);
    ck_assert(!apex_pool_is_live(&pool, old.index1, old.generation));
    ck_assert(apex_pool_is_live(&pool, young.index1, young.generation));
}

// Numbers that a client may send.
TEST(numbers_that_were_never_handed_out_are_not_live) {
    apex_pool_ref ref = apex_pool_take(&pool);
    ck_assert(!apex_pool_is_live(&pool, 0, 0));
    ck_assert(!apex_pool_is_live(&pool, 0, 1));
    ck_assert(!apex_pool_is_live(&pool, ref.index1, 0));
    ck_assert(!apex_pool_is_live(&pool, ref.index1, ref.generation + 1));
    // A free index's own, even, generation.
    ck_assert(!apex_pool_is_live(&pool, 2, generations[1]));
    ck_assert(!apex_pool_is_live(&pool, CAPACITY + 1, 1));
    ck_assert(!apex_pool_is_live(&pool, UINT32_MAX, 1));
}

TEST(walks_see_the_live_indices) {
    apex_pool_take(&pool);
    apex_pool_ref second = apex_pool_take(&pool);
    apex_pool_take(&pool);
    apex_pool_give(&pool, second);
    ck_assert(apex_pool_is_index_live(&pool, 0));
    ck_assert(!apex_pool_is_index_live(&pool, 1));
    ck_assert(apex_pool_is_index_live(&pool, 2));
    ck_assert(!apex_pool_is_index_live(&pool, CAPACITY));
    ck_assert_uint_eq(apex_pool_ref_at(&pool, 2).index1, 3);
    ck_assert_uint_eq(apex_pool_ref_at(&pool, 2).generation, 1);
    ck_assert_uint_eq(apex_pool_ref_at(&pool, 1).index1, 0);
}

// The array alone decides the future: that is what save and restore rely on.
TEST(a_restored_array_goes_on_like_the_original) {
    apex_pool_ref refs[4];
    for (int i = 0; i < 4; i++) {
        refs[i] = apex_pool_take(&pool);
    }
    apex_pool_give(&pool, refs[2]);
    apex_pool_give(&pool, refs[1]);

    uint32_t copied[CAPACITY];
    apex_pool copy;
    apex_pool_init(&copy, copied, CAPACITY);
    apex_pool_take(&copy); // what was there before counts no more
    memcpy(copied, generations, sizeof copied);
    apex_pool_rebuild(&copy);
    ck_assert_uint_eq(copy.live_count, 2);
    ck_assert_uint_eq(copy.lowest_free, 1);
    ck_assert(apex_pool_is_live(&copy, refs[3].index1, refs[3].generation));
    for (int i = 0; i < 4; i++) {
        apex_pool_ref a = apex_pool_take(&pool);
        apex_pool_ref b = apex_pool_take(&copy);
        ck_assert_uint_eq(a.index1, b.index1);
        ck_assert_uint_eq(a.generation, b.generation);
    }
    ck_assert_mem_eq(copied, generations, sizeof copied);
}

TEST(the_last_generation_wraps_to_a_free_index) {
    generations[0] = UINT32_MAX;
    apex_pool_rebuild(&pool);
    apex_pool_give(&pool, (apex_pool_ref){.index1 = 1, .generation = UINT32_MAX});
    ck_assert(!apex_pool_is_index_live(&pool, 0));
    ck_assert_uint_eq(apex_pool_take(&pool).generation, 1);
}

TEST(a_pool_of_nothing_is_full) {
    apex_pool nothing;
    apex_pool_init(&nothing, NULL, 0);
    ck_assert_uint_eq(apex_pool_take(&nothing).index1, 0);
    ck_assert(!apex_pool_is_live(&nothing, 1, 1));
}

static void give_twice(void) {
    apex_pool_ref ref = apex_pool_take(&pool);
    apex_pool_give(&pool, ref);
    apex_pool_give(&pool, ref);
}

TEST(giving_twice_aborts) {
    check_aborts(give_twice, "assertion failed");
}
