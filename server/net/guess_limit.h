/// The back-off of those who guess at a secret: of each house ten wrong ones in a row are looked
/// at, and then one every six seconds. What is right is not looked at either while a house waits,
/// or guessing would not be slow. Who guesses most is remembered longest, from however many houses
/// others guess.
#pragma once

#include <stdint.h>

#include "net/house.h"

enum { APEX_GUESSERS_MAX = 64 };

typedef struct apex_guesser {
    apex_house house;
    uint64_t free_us; ///< when all that it guessed wrong is forgotten; 0: nobody's place
} apex_guesser;

/// Zeros are nobody.
typedef struct apex_guess_limit {
    apex_guesser at[APEX_GUESSERS_MAX];
    uint64_t wrong, refused; ///< guesses since the start: looked at, and not
} apex_guess_limit;

/// @return whole seconds until a guess from there is looked at again, which counts as refused; 0:
/// now.
uint32_t apex_guess_wait_s(apex_guess_limit *limit, apex_house house, uint64_t now_us);
/// A guess from there was wrong.
void apex_guess_was_wrong(apex_guess_limit *limit, apex_house house, uint64_t now_us);
