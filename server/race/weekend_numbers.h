// What the parts of the check of a weekend share: problems, and numbers with their ranges.
#pragma once

#include <stddef.h>

#include "race/race.h"

// Fills the problem. @return false, so that callers can return it
__attribute__((format(printf, 3, 4))) bool
weekend_refuse(apex_weekend_problem *problem, const char *reason, const char *path, ...);

// A number of a struct and its range.
typedef struct weekend_number {
    const char *key; // behind the path of the struct
    size_t offset;
    bool is_count; // uint32_t; else double
    double low, high;
} weekend_number;

#define WEEKEND_NUMBER(whole, member, counted, word, ...) \
    { word, offsetof(whole, member), counted, __VA_ARGS__ }

bool weekend_numbers_ok(const weekend_number numbers[], size_t count, const void *base,
                        const char *path, apex_weekend_problem *problem);

#define WEEKEND_NUMBERS_OK(numbers, base, path, problem) \
    weekend_numbers_ok(numbers, sizeof(numbers) / sizeof(numbers)[0], base, path, problem)
