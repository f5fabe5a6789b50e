// Points of races, and their sum over an event.
//
// Points are counted in sixtieths, so that those of a dead heat of two to six can be shared, and
// the shares add up to what was shared.
#pragma once

#include "race/timing/classify.h"
#include "race/walk.h"

enum { RACE_POINT_PARTS = 60 };

// What a race brings to each, by index of the facts. Only classified competitors score, each in his
// class if he has one. Of a dead heat the points of the places are added and shared. The best lap's
// points (one for each class) go to who set it among those who are not disqualified, of equal ones
// the first; but to nobody if he is not classified.
void race_score(const race_result_facts all[], const race_result_line lines[], uint32_t count,
                const apex_session_def *def, uint32_t parts[]);

// A competitor in the event so far.
typedef struct race_season {
    uint32_t parts;
    uint32_t entry;                          // his place in the list of entries, from 0
    uint32_t places[APEX_POINTS_PLACES_MAX]; // how often he came first, second, ...
} race_season;

// @param position that scored: in his class if he has one; 0: not classified
void race_season_add(race_season *season, uint32_t parts, uint32_t position);
// By points; of equal ones by more wins, more second places, ..., then by entry.
bool race_season_before(const race_season *a, const race_season *b);
void race_season_walk(race_walk *io, race_season *season);
