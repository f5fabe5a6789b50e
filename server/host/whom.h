/// Whom an operator means, and what he is answered.
#pragma once

#include "host/host.h"
#include "host/operate.h"

/// Writes the sentence. @return err
__attribute__((format(printf, 3, 4))) apex_err host_answer(char said[HOST_SAID_BYTES], apex_err err,
                                                           const char *format, ...);

/// The order as it stands, since operators act on who is there: on the frame, which is free between
/// ticks.
const apex_standing *host_order_now(apex_server *server, size_t *count);

/// The player who is there under a name that looks like it, or a number.
/// @param verb what is to be done, said where several look alike: "kick"
/// @param[out] out good until the next of these calls, or tick
/// @return APEX_ERR_NOT_FOUND, APEX_ERR_STATE (several); nobody is meant by guess (DECISIONS 53)
apex_err host_find_player(apex_server *server, host_whom whom, const char *verb,
                          const apex_standing **out, char said[HOST_SAID_BYTES]);
