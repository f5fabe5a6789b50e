// A house is one number: the time until which all that it guessed wrong is remembered, six seconds
// each. Ten in hand is the whole of it.
#include "net/guess_limit.h"

#include <stddef.h>

enum {
    TRIES_MAX = 10,              // wrong ones of a house in a row
    TRY_REMEMBERED_US = 6000000, // each
};

static apex_guesser *find(apex_guess_limit *limit, apex_house house) {
    for (size_t i = 0; i < APEX_GUESSERS_MAX; i++) {
        apex_guesser *guesser = &limit->at[i];
        if (guesser->free_us != 0 && apex_house_is_same(guesser->house, house)) {
            return guesser;
        }
    }
    return NULL;
}

// The place whose guesses are forgotten first.
static apex_guesser *make_room(apex_guess_limit *limit) {
    apex_guesser *oldest = &limit->at[0];
    for (size_t i = 1; i < APEX_GUESSERS_MAX; i++) {
        oldest = limit->at[i].free_us < oldest->free_us ? &limit->at[i] : oldest;
    }
    return oldest;
}

uint32_t apex_guess_wait_s(apex_guess_limit *limit, apex_house house, uint64_t now_us) {
    const uint64_t grace_us = (uint64_t)(TRIES_MAX - 1) * TRY_REMEMBERED_US;
    const apex_guesser *guesser = find(limit, house);
    if (guesser == NULL || guesser->free_us <= now_us + grace_us) {
        return 0;
    }
    limit->refused++;
    return (uint32_t)((guesser->free_us - grace_us - now_us + 999999u) / 1000000u);
}

void apex_guess_was_wrong(apex_guess_limit *limit, apex_house house, uint64_t now_us) {
    apex_guesser *guesser = find(limit, house);
    if (guesser == NULL) {
        guesser = make_room(limit);
        *guesser = (apex_guesser){.house = house};
    }
    uint64_t from_us = guesser->free_us > now_us ? guesser->free_us : now_us;
    guesser->free_us = from_us + TRY_REMEMBERED_US;
    limit->wrong++;
}
