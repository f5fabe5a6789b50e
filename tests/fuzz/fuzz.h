// The entry of each fuzz target, and the check by which it says that something does not hold.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds) {
    if (!holds) {
        abort();
    }
}
