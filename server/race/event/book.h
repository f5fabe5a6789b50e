// The book of an event: who has taken part, by name, and what each came to in each session of the
// round. Grids, points and series are made from it. A competitor keeps his place in it when he
// leaves, and has it again when he comes back.
#pragma once

#include "race/race.h"

// What a competitor came to in a session; a place of 0: he took no part in it.
typedef struct race_outcome {
    uint32_t place, class_place; // from 1; class_place 0: he has no class, or is not classified
    uint32_t laps;
    uint64_t best_us;     // of the laps that count; 0 none
    uint64_t best_set_us; // on the session's clock
    uint64_t total_us;    // to the end of his last lap, without penalties
    uint64_t penalty_us;
    uint32_t points;
    apex_result_status status;
    bool left_pits, began_lap; // of those without a time, whoever tried stands before the rest
} race_outcome;

typedef struct race_competitor {
    char name[APEX_NAME_BYTES];
    bool present;
    uint32_t arrival; // his join_number when he first came
    uint32_t points;  // of rounds before this one, like all points here in sixtieths
    uint32_t box1;    // in the pits, from 1; 0: none yet
} race_competitor;

typedef struct race_book {
    uint32_t session_count, capacity, count;
    race_competitor *competitors; // [capacity]
    race_outcome *outcomes;       // [capacity * session_count], each competitor's in a row
} race_book;

// @return his number from 1: the one he had, if nobody under this name is present, else a new one;
// 0 when the book is full of people who are there or have an outcome in this round.
uint32_t race_book_enter(race_book *book, const char *name, uint32_t arrival);
void race_book_leave(race_book *book, uint32_t competitor1);
// NULL for a competitor or a session that there is not.
const race_outcome *race_book_outcome(const race_book *book, uint32_t competitor1,
                                      uint32_t session);
// Replaces what stood there, so that results may be amended.
void race_book_note(race_book *book, uint32_t competitor1, uint32_t session,
                    const race_outcome *outcome);
void race_book_clear_session(race_book *book, uint32_t session); // nobody took part
void race_book_begin_round(race_book *book);                     // points so far stay, outcomes go
uint32_t race_book_points(const race_book *book, uint32_t competitor1); // so far; 0 for none
