// A ring of bits: that of a counter stands at the counter's remainder.
#include "seal/window.h"

static uint64_t *word_of(apex_seal_receiver *receiver, uint64_t counter) {
    return &receiver->window[counter / 64 % APEX_SEAL_WINDOW_WORDS];
}

bool seal_window_is_new(const apex_seal_receiver *receiver, uint64_t counter) {
    if (counter >= receiver->newest) {
        return true;
    }
    // Not counter + SEAL_WINDOW, which might overflow.
    if (receiver->newest - counter > SEAL_WINDOW) {
        return false;
    }
    uint64_t word = receiver->window[counter / 64 % APEX_SEAL_WINDOW_WORDS];
    return (word >> counter % 64 & 1) == 0;
}

void seal_window_add(apex_seal_receiver *receiver, uint64_t counter) {
    uint64_t skipped = counter >= receiver->newest ? counter - receiver->newest : 0;
    for (uint64_t i = 0; i < skipped && i < SEAL_WINDOW; i++) {
        uint64_t missing = counter - 1 - i;
        *word_of(receiver, missing) &= ~(1ull << missing % 64);
    }
    *word_of(receiver, counter) |= 1ull << counter % 64;
    if (counter >= receiver->newest) {
        receiver->newest = counter + 1;
    }
}
