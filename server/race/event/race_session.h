// The session of an event that is on: which it is, how it begins and when it is over. All of it is
// nothing in an event without sessions.
#pragma once

#include "race/event/event.h"
#include "race/field/event_log.h"
#include "race/field/field.h"
#include "race/timing/timing.h"

// From 0; of an event with sessions.
uint32_t race_session_index(const race_event *event, const race_field *field);
// Field and timing go by the session that the race's number names, and by its phase.
void race_session_settle(const race_event *event, race_field *field, race_timing *timing);
// Nobody has driven in it yet; cards are blank, and starters stand as the session before left them.
void race_session_begin(race_event *event, race_field *field, race_timing *timing, race_log *log);
// The grid is made of what drivers did before. @return false if nothing of that asks for an order
bool race_session_line_up(race_event *event, race_field *field);
// Whether he has a part in it; else he watches.
bool race_session_takes(const race_event *event, const race_field *field, uint32_t slot);
// The most that anybody drives in the session of a race's number, on a track with a lap.
uint32_t race_session_laps(const race_field *field, uint32_t race_number);
race_ending race_session_ending(const race_event *event, const race_field *field);
// Whether a session that is under way is over but for what ends any race.
bool race_session_is_over(const race_event *event, const race_field *field,
                          const race_timing *timing);
// The order is its result: it goes into the book.
void race_session_note(race_event *event, const race_field *field, const race_timing *timing);

// The flag is out by order. @return APEX_ERR_STATE where no session is under way or it is already.
apex_err race_session_call(race_event *event, race_field *field, race_timing *timing);
// @return APEX_ERR_STATE where no session is under way or its flag is out, or, of a race, the time
// has run out over the line; APEX_ERR_RANGE for seconds out of 1..86400.
apex_err race_session_extend(race_event *event, race_field *field, race_timing *timing,
                             double seconds);
