/// How the names of a race's players look, so that no two pass for one another (DECISIONS 53).
#pragma once

#include "net/player_name.h"
#include "race/race.h"

enum { HOST_NAMESAKES_MAX = 5 }; ///< players of one look, told apart by " (2)", " (3)", ...

typedef struct host_named {
    apex_player_id player; ///< zero: none yet
    apex_name_look look;
} host_named;

typedef struct host_names {
    apex_name_judge *judge;
    uint32_t capacity;
    host_named *at; ///< by player.index1 - 1: who had the place last
} host_names;

/// @param capacity players of the race. @return APEX_ERR_NO_MEMORY, APEX_ERR_UNSUPPORTED; what has
/// been made by then is for host_names_destroy.
apex_err host_names_create(host_names *names, uint32_t capacity);
void host_names_destroy(host_names *names);

/// Of one who joins.
void host_names_note(host_names *names, apex_player_id player, const char *name);
/// Gives a name that looks like that of somebody present a number: "Ada (2)".
/// @param name has been tidied. @return NULL, or why nobody may be called so.
const char *host_names_settle(const host_names *names, const apex_race *race,
                              char name[APEX_WIRE_NAME_BYTES]);
/// @param line of somebody in the race, or who was. @return whether his name looks like that.
bool host_names_has_look(const host_names *names, const apex_standing *line,
                         const apex_name_look *look);
