/// Objects of JSON that subcommands print, one a line.
#pragma once

#include "base/histogram.h"
#include "base/json_writer.h"
#include "client-lite/client.h"

/// @return a line's object, open, with its type in it.
apex_json_writer cli_json_begin(const char *type);
void cli_json_end(apex_json_writer *json); ///< closes, prints, flushes

void cli_json_standings(const apex_client *client, const apex_standings *standings);
void cli_json_results(const apex_client *client, const apex_results *results);
void cli_json_event(const apex_client *client, const apex_race_event_message *event);
void cli_json_past_event(const apex_client *client, const apex_race_event_message *event);
void cli_json_stats(const apex_server_stats *stats);
/// A member of an object: count, p50, p90, p99, max.
void cli_json_times(apex_json_writer *json, const char *key, const apex_histogram *times_us);
