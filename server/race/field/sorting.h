// Orders of the field are sorted anew every tick by merging the runs that are in order already: one
// pass over the cars when nobody has passed anybody.
#pragma once

#include "race/field/field.h"

#include <string.h>

// A total order, so that the result depends on nothing but the players.
typedef bool race_before_fn(const race_field *field, uint32_t a, uint32_t b);

typedef struct race_sorting {
    const race_field *field;
    race_before_fn *before;
    uint32_t *items, *scratch;
    uint32_t count;
} race_sorting;

// A copy for each order, so that to compare is no call.
#define RACE_SORT_INLINE static inline __attribute__((always_inline))

RACE_SORT_INLINE uint32_t race_sort_run_end(const race_sorting *sort, uint32_t from) {
    uint32_t end = from + 1;
    while (end < sort->count && sort->before(sort->field, sort->items[end - 1], sort->items[end])) {
        end++;
    }
    return end < sort->count ? end : sort->count;
}

RACE_SORT_INLINE void race_sort_merge(const race_sorting *sort, uint32_t from, uint32_t middle,
                                      uint32_t end) {
    memcpy(sort->scratch, &sort->items[from], (middle - from) * sizeof *sort->items);
    uint32_t left = 0;
    uint32_t left_count = middle - from;
    uint32_t right = middle;
    for (uint32_t out = from; left < left_count; out++) {
        bool take_right =
            right < end && sort->before(sort->field, sort->items[right], sort->scratch[left]);
        sort->items[out] = take_right ? sort->items[right++] : sort->scratch[left++];
    }
}

RACE_SORT_INLINE void race_sort(const race_sorting *sort) {
    for (;;) {
        uint32_t runs = 0;
        for (uint32_t from = 0; from < sort->count;) {
            uint32_t middle = race_sort_run_end(sort, from);
            uint32_t end = middle < sort->count ? race_sort_run_end(sort, middle) : middle;
            if (end > middle) {
                race_sort_merge(sort, from, middle, end);
            }
            from = end;
            runs++;
        }
        if (runs <= 1) {
            return;
        }
    }
}

// Most of the last order still holds, so it is what the new one starts from. In nearly all ticks
// nobody has come or gone.
// @param wanted so many, from entry 0 up, belong into it. @return as many.
uint32_t race_sort_renew(const race_field *field, uint32_t list[], uint32_t count, uint32_t wanted);
