// Problems of a weekend, and numbers held to their ranges.
#include "race/weekend_numbers.h"

#include "base/range.h"

#include <stdarg.h>
#include <stdio.h>

bool weekend_refuse(apex_weekend_problem *problem, const char *reason, const char *path, ...) {
    va_list arguments;
    va_start(arguments, path);
    vsnprintf(problem->path, sizeof problem->path, path, arguments);
    va_end(arguments);
    snprintf(problem->reason, sizeof problem->reason, "%s", reason);
    return false;
}

bool weekend_numbers_ok(const weekend_number numbers[], size_t count, const void *base,
                        const char *path, apex_weekend_problem *problem) {
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)base + numbers[i].offset;
        double value = numbers[i].is_count ? *(const uint32_t *)at : *(const double *)at;
        if (!apex_is_within(value, numbers[i].low, numbers[i].high)) {
            char reason[sizeof problem->reason];
            snprintf(reason, sizeof reason, "%g is outside %g..%g", value, numbers[i].low,
                     numbers[i].high);
            return weekend_refuse(problem, reason, "%s.%s", path, numbers[i].key);
        }
    }
    return true;
}
