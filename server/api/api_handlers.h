/// The handlers of the addresses that api.c knows.
#pragma once

#include "api/api_call.h"

// api_races.c
void api_list_races(const api_call *call);
void api_show_race(const api_call *call);
/// A line of the order, its members without braces.
void api_write_driver(apex_json_writer *json, apex_server *server, const apex_standing *line);

// api_status.c
void api_show_status(const api_call *call);

// api_orders.c
void api_say(const api_call *call);
void api_kick(const api_call *call);
void api_start(const api_call *call);
void api_lockdown(const api_call *call);
void api_restart(const api_call *call);
void api_quit(const api_call *call);
void api_reload(const api_call *call);

// api_control.c
void api_session(const api_call *call);
void api_flag(const api_call *call);
void api_penalise(const api_call *call);
void api_pardon(const api_call *call);

// api_replays.c
void api_list_replays(const api_call *call);

// health.c
void api_healthz(const api_call *call);
void api_readyz(const api_call *call);
