/// A penalty as an object that subcommands print.
#pragma once

#include "client-lite/client.h"

/// A line of its own about the penalty that an event is about, if it is known.
void cli_json_penalty(const apex_client *client, const apex_race_event_message *event);
