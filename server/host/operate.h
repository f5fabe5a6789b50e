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
/// Closes a player's connection; a bot just goes. Names are compared as people see them
/// (apex_name_looks_alike). Where several look like it nobody is removed, and what is said lists
/// their numbers. @return APEX_ERR_NOT_FOUND, APEX_ERR_STATE (several).
apex_err host_operate_kick(apex_server *server, const char *name, char said[HOST_SAID_BYTES]);
/// The same by the fingerprint of his key: all the cars that he has.
apex_err host_operate_kick_driver(apex_server *server,
                                  const uint8_t fingerprint[APEX_FINGERPRINT_BYTES],
                                  char said[HOST_SAID_BYTES]);
/// The same by the number that a player has on the wire.
apex_err host_operate_kick_player(apex_server *server, uint32_t player, char said[HOST_SAID_BYTES]);
/// @return APEX_ERR_STATE: not in this phase. Likewise the next.
apex_err host_operate_start(apex_server *server, char said[HOST_SAID_BYTES]);
apex_err host_operate_restart(apex_server *server, char said[HOST_SAID_BYTES]);
/// Locks the doors, or opens them: nobody new joins or watches; who is in stays, and comes back to
/// his place.
apex_err host_operate_lockdown(apex_server *server, bool is_on, char said[HOST_SAID_BYTES]);
/// Ends the race, with results, and tells every client.
void host_operate_quit(apex_server *server, char said[HOST_SAID_BYTES]);
