/// Race control as members of the objects that subcommands print.
#pragma once

#include "base/json_writer.h"
#include "client-lite/client.h"

/// A member "session" of an object.
void cli_json_session(apex_json_writer *json, const apex_race_session *session);
/// The members of a line of an order or of results that an event with sessions or rules has.
void cli_json_conduct(apex_json_writer *json, const apex_wire_standing *line);
