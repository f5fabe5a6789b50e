/// Sessions, penalties and what is kept of drivers, as members of a race's JSON.
#pragma once

#include "api/api_call.h"
#include "host/figures/figures.h"

/// "session", "sessions", "classes" and "penalties": null and empty where there are none.
void api_write_session(apex_json_writer *json, const apex_server *server);
void api_write_penalties(apex_json_writer *json, const apex_server *server);
/// The members of a line; none of an event without sessions and rules.
void api_write_conduct(apex_json_writer *json, const host_line_conduct *conduct);
