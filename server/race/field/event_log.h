// The list of what happened since the last tick began. All rooms may write to it.
#pragma once

#include "race/race.h"

typedef struct race_log {
    apex_race_event *events;
    uint32_t count, capacity, contacts;
    uint32_t player_capacity;
    bool with_cards;
    bool read; // the next event begins a new list

    // The stamp of all events from now on.
    uint64_t tick;
    uint32_t race_number;
} race_log;

#define RACE_NOBODY ((apex_player_id){0, 0})

void race_log_begin(race_log *log);
bool race_log_has_room(const race_log *log);
// @param player RACE_NOBODY for what happens to all
void race_log_add(race_log *log, apex_race_event_kind kind, apex_player_id player, int64_t value,
                  uint64_t time_us);
// Of two players; no contact. @param other RACE_NOBODY where there is none
void race_log_pair(race_log *log, apex_race_event_kind kind, apex_player_id player,
                   apex_player_id other, int64_t value);
// @param other RACE_NOBODY for a wall
void race_log_contact(race_log *log, apex_player_id player, apex_player_id other,
                      int64_t impulse_ns);
