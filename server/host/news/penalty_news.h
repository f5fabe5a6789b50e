/// Penalties that clients have been told of, for those who come later and for the web.
#pragma once

#include "proto/proto.h"
#include "race/race.h"
#include "replicate/replicate.h"

/// The newest of the session.
typedef struct host_penalties {
    uint32_t count;
    apex_penalty_message all[APEX_PENALTIES_LINES_MAX]; ///< the newest last
} host_penalties;

/// @param name of the player, as a wire text
apex_penalty_message host_penalty_message(const apex_penalty *penalty, apex_player_id player,
                                          const char name[APEX_WIRE_NAME_BYTES]);
/// The penalty of a player by its number. @return false: he has it no more
bool host_penalty_of(const apex_race *race, apex_player_id player, uint32_t number,
                     apex_penalty *out);
/// A new one, or one that has changed. When full, the oldest makes room.
void host_penalties_note(host_penalties *penalties, const apex_penalty_message *penalty);
/// As they are in the race, all of them: of a recording that is somewhere else.
void host_penalties_find(host_penalties *penalties, const apex_race *race,
                         const apex_standing lines[], size_t count);
/// @return whether a message of the event's ends what was told of penalties
bool host_ends_penalties(const apex_race_event *event);
