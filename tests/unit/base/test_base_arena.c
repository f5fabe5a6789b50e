// The arena: alignment, room and reset.
#include "base/arena.h"
#include "support/base/check_main.h"

#include <stdint.h>
#include <string.h>

TEST(blocks_are_aligned_and_do_not_overlap) {
    apex_arena arena;
    ck_assert_int_eq(apex_arena_create(&arena, 1024), APEX_OK);
    unsigned char *previous = NULL;
    static const size_t sizes[] = {1, 63, 64, 65, 7};
    static const size_t distances[] = {64, 64, 64, 128};
    for (size_t i = 0; i < 5; i++) {
        unsigned char *block = apex_arena_alloc(&arena, sizes[i]);
        ck_assert_ptr_nonnull(block);
        ck_assert_uint_eq((uintptr_t)block % APEX_ARENA_ALIGN, 0);
        if (previous != NULL) {
            ck_assert_int_eq(block - previous, (ptrdiff_t)distances[i - 1]);
        }
        memset(block, 0xff, sizes[i]);
        previous = block;
    }
    ck_assert_uint_eq(arena.used, 64 + 64 + 64 + 128 + 64);
    apex_arena_destroy(&arena);
}

TEST(a_full_arena_says_so_and_stays_as_it_was) {
    apex_arena arena;
    ck_assert_int_eq(apex_arena_create(&arena, 200), APEX_OK);
    ck_assert_uint_eq(arena.capacity, 256);
    ck_assert_ptr_nonnull(apex_arena_alloc(&arena, 192));
    ck_assert_ptr_null(apex_arena_alloc(&arena, 65));
    ck_assert_uint_eq(arena.used, 192);
    ck_assert_ptr_nonnull(apex_arena_alloc(&arena, 64));
    ck_assert_ptr_null(apex_arena_alloc(&arena, 1));
    ck_assert_ptr_nonnull(apex_arena_alloc(&arena, 0));
    apex_arena_destroy(&arena);
}

TEST(sizes_that_overflow_are_refused) {
    apex_arena arena;
    ck_assert_int_eq(apex_arena_create(&arena, SIZE_MAX), APEX_ERR_NO_MEMORY);
    ck_assert_ptr_null(apex_arena_alloc(&arena, 1));
    apex_arena_destroy(&arena);

    ck_assert_int_eq(apex_arena_create(&arena, 1024), APEX_OK);
    ck_assert_ptr_null(apex_arena_alloc(&arena, SIZE_MAX));
    ck_assert_ptr_null(apex_arena_alloc(&arena, SIZE_MAX - 63));
    // 2^33 * 2^33 is 2^66, which wraps to 0.
    ck_assert_ptr_null(apex_arena_alloc_zero(&arena, (size_t)1 << 33, (size_t)1 << 33));
    ck_assert_uint_eq(arena.used, 0);
    apex_arena_destroy(&arena);
}

TEST(zeroed_memory_is_zero_after_it_was_used) {
    apex_arena arena;
    ck_assert_int_eq(apex_arena_create(&arena, 256), APEX_OK);
    memset(apex_arena_alloc(&arena, 256), 0xff, 256);
    apex_arena_reset(&arena);
    static const unsigned char zeros[240];
    unsigned char *block = apex_arena_alloc_zero(&arena, 30, 8);
    ck_assert_mem_eq(block, zeros, 240);
    ck_assert_ptr_nonnull(apex_arena_alloc_zero(&arena, 5, 0));
    apex_arena_destroy(&arena);
}

TEST(high_water_outlives_reset) {
    apex_arena arena;
    ck_assert_int_eq(apex_arena_create(&arena, 1024), APEX_OK);
    void *first = apex_arena_alloc(&arena, 500);
    ck_assert_uint_eq(arena.high_water, 512);
    apex_arena_reset(&arena);
    ck_assert_uint_eq(arena.used, 0);
    ck_assert_uint_eq(arena.high_water, 512);
    ck_assert_ptr_eq(apex_arena_alloc(&arena, 10), first);
    ck_assert_uint_eq(arena.high_water, 512);
    ck_assert_ptr_nonnull(apex_arena_alloc(&arena, 600));
    ck_assert_uint_eq(arena.high_water, 64 + 640);
    // A refused allocation was not used.
    ck_assert_ptr_null(apex_arena_alloc(&arena, 1024));
    ck_assert_uint_eq(arena.high_water, 64 + 640);
    apex_arena_destroy(&arena);
}

TEST(an_empty_arena_gives_nothing) {
    apex_arena arena;
    ck_assert_int_eq(apex_arena_create(&arena, 0), APEX_OK);
    ck_assert_ptr_null(apex_arena_alloc(&arena, 1));
    apex_arena_destroy(&arena);
    ck_assert_ptr_null(arena.block);
    apex_arena_destroy(&arena);
}
