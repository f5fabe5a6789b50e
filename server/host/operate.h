/// The orders of an operator, by the console or the web. Between ticks; what has to be sent goes
/// out with the next. Its outcome is one sentence, which tells what to do if it was refused.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "host/host.h"

enum { HOST_SAID_BYTES = 256 };

/// A line to every client. @return APEX_ERR_INVALID (empty), APEX_ERR_RANGE (too long),
/// APEX_ERR_FULL (too many in one tick).
apex_err host_operate_say(apex_server *server, const char *text, char said[HOST_SAID_BYTES]);
/// A player as an operator means him: by name, or by the number that he has on the wire.
typedef struct host_whom {
    const char *name; ///< compared as people see them (apex_name_looks_alike); NULL: by number
    uint32_t player;
} host_whom;

/// Closes a player's connection; a bot just goes. Where several look like the name nobody is
/// removed, and what is said lists their numbers. @return APEX_ERR_NOT_FOUND, APEX_ERR_STATE
/// (several).
apex_err host_operate_kick(apex_server *server, host_whom whom, char said[HOST_SAID_BYTES]);
/// The same by the fingerprint of his key: all the cars that he has.
apex_err host_operate_kick_driver(apex_server *server,
                                  const uint8_t fingerprint[APEX_FINGERPRINT_BYTES],
                                  char said[HOST_SAID_BYTES]);
/// @return APEX_ERR_STATE: not in this phase. Likewise the next.
apex_err host_operate_start(apex_server *server, char said[HOST_SAID_BYTES]);
apex_err host_operate_restart(apex_server *server, char said[HOST_SAID_BYTES]);
/// Locks the doors, or opens them: nobody new joins or watches; who is in stays, and comes back to
/// his place.
apex_err host_operate_lockdown(apex_server *server, bool is_on, char said[HOST_SAID_BYTES]);
/// Ends the race, with results, and tells every client.
void host_operate_quit(apex_server *server, char said[HOST_SAID_BYTES]);

// Of events with sessions or rules; APEX_ERR_UNSUPPORTED in others.

/// The session ends as if its time were up now. @return APEX_ERR_STATE: none is under way.
apex_err host_operate_session_end(apex_server *server, char said[HOST_SAID_BYTES]);
/// @param seconds 1 to 86400. @return APEX_ERR_RANGE, APEX_ERR_STATE (not by time, or over).
apex_err host_operate_session_extend(apex_server *server, double seconds,
                                     char said[HOST_SAID_BYTES]);
/// To the next session, without results of this one. @return APEX_ERR_STATE.
apex_err host_operate_session_skip(apex_server *server, char said[HOST_SAID_BYTES]);
/// Race control shows a flag to all. @return APEX_ERR_STATE: no session is under way, or it is
/// shown.
apex_err host_operate_flag(apex_server *server, apex_race_flag flag, char said[HOST_SAID_BYTES]);
/// Stewards give a player a penalty: kind, amount and offence count. @return APEX_ERR_NOT_FOUND,
/// APEX_ERR_RANGE (such an amount, or such a kind here, cannot be), APEX_ERR_STATE.
apex_err host_operate_penalise(apex_server *server, host_whom whom, const apex_penalty *penalty,
                               char said[HOST_SAID_BYTES]);
/// They change the penalty of this number to that kind, amount and offence; the offence stays if
/// `keeps_offence`. Likewise.
apex_err host_operate_change(apex_server *server, const apex_penalty *penalty, bool keeps_offence,
                             char said[HOST_SAID_BYTES]);
/// They cancel the penalty of that number. Likewise.
apex_err host_operate_pardon(apex_server *server, uint32_t number, char said[HOST_SAID_BYTES]);
