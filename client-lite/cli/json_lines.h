/// Objects of JSON that subcommands print, one a line.
#pragma once

#include <jansson.h>

#include "client-lite/client.h"

void cli_json_put(json_t *object); ///< prints, flushes, releases
json_t *cli_json_standings(const apex_client *client, const apex_standings *standings);
json_t *cli_json_results(const apex_results *results);
json_t *cli_json_event(const apex_client *client, const apex_race_event_message *event);
json_t *cli_json_past_event(const apex_client *client, const apex_race_event_message *event);
json_t *cli_json_stats(const apex_server_stats *stats);
json_t *cli_json_times(const apex_histogram *times_us); ///< count, p50, p90, p99, max
