/// How the names of a race's players look, so that no two pass for one another (DECISIONS 53), and
/// who the players are (DECISIONS 60).
#pragma once

#include "host/simulation/common_names.h"
#include "host/simulation/held_names.h"
#include "net/player_name.h"
#include "race/race.h"

enum { HOST_NAMESAKES_MAX = 5 }; ///< players of one look, told apart by " (2)", " (3)", ...

typedef struct host_named {
    apex_player_id player; ///< zero: none yet
    apex_name_look look;
    apex_store_who who;
} host_named;

typedef struct host_names {
    apex_name_judge *judge;
    uint32_t capacity;
    host_named *at;   ///< by player.index1 - 1: who had the place last
    host_named *left; ///< [capacity], a ring: those who gave their place up to others
    uint64_t left_count;
    host_common_names common;
    host_held_names *held; ///< own, or one that several races share
    host_held_names own;   ///< zeros where nothing can be proved, and where it is shared
} host_names;

/// @param capacity players of the race. @return APEX_ERR_NO_MEMORY, APEX_ERR_UNSUPPORTED; what has
/// been made by then is for host_names_destroy.
apex_err host_names_create(host_names *names, uint32_t capacity);
void host_names_destroy(host_names *names);

/// Of one who joins; a guest until host_names_know says more.
void host_names_note(host_names *names, apex_player_id player, const char *name);
void host_names_know(host_names *names, apex_player_id player, const apex_store_who *who);
/// From now on names are held. @param shared borrowed; NULL: by this race alone
/// @return APEX_ERR_NO_MEMORY
apex_err host_names_begin_holding(host_names *names, host_held_names *shared);
/// He who joins is called so, without a number: a driver with a key holds the name, unless it is
/// one that programs give.
void host_names_hold(host_names *names, const apex_store_who *who, const char *name,
                     uint64_t unix_us);
/// A guest where nothing is known, as of a player of a recording.
apex_store_who host_names_who(const host_names *names, apex_player_id player);

/// Those present who have proved no key; bots are none.
uint32_t host_names_guests(const host_names *names, const apex_race *race);

typedef enum host_name_verdict {
    HOST_NAME_GOOD,
    HOST_NAME_BAD,  ///< nobody may be called so
    HOST_NAME_HELD, ///< it is another driver's
} host_name_verdict;

/// Gives a name that looks like that of somebody present a number: "Ada (2)".
/// @param who would be called so. @param name has been tidied.
/// @param[out] why a sentence, unless it is good.
host_name_verdict host_names_settle(const host_names *names, const apex_race *race,
                                    const apex_store_who *who, char name[APEX_WIRE_NAME_BYTES],
                                    const char **why);
/// @param line of somebody in the race, or who was. @return whether his name looks like that.
bool host_names_has_look(const host_names *names, const apex_standing *line,
                         const apex_name_look *look);
