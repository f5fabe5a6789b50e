// Player slots: the player of each, his car and its pose.
#pragma once

#include "race/field/event_log.h"
#include "race/field/field.h"

uint32_t race_player_slot(const race_field *field, apex_player_id id);      // capacity when unknown
uint32_t race_player_slot_of_car(const race_field *field, apex_car_id car); // likewise
bool race_player_next(const race_field *field, apex_player_id *out);        // false when full
void race_player_list(race_field *field);                    // after the pool has changed
void race_player_refresh(race_field *field, uint32_t slot);  // its pose, after its car was moved
void race_player_take_car(race_field *field, uint32_t slot); // after the world has given it
void race_player_drop_car(race_field *field, uint32_t slot);
void race_player_retire(race_field *field, uint32_t slot, race_log *log);
