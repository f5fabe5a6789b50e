/// The parts of the command-line client: subcommands and what they share.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/client.h"

/// Exit codes. A script can tell a mistake of its own from a server that went away.
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

int cli_bot(int argc, char *argv[]);
int cli_load(int argc, char *argv[]);
int cli_watch(int argc, char *argv[]);
int cli_netsim(int argc, char *argv[]);

// --- Options -------------------------------------------------------------------------------------

/// One line to standard error: "apex-client: ...".
__attribute__((format(printf, 1, 2))) void cli_complain(const char *fmt, ...);

enum { CLI_WHY_BYTES = 384 };
/// Why a client is closed, and what helps where an option does. @return `out`.
const char *cli_close_why(const apex_client *client, char out[CLI_WHY_BYTES]);

/// @return false, having complained, unless `text` is a number in min..max.
bool cli_parse_number(const char *option, const char *text, double min, double max, double *out);
bool cli_parse_whole(const char *option, const char *text, uint32_t max, uint32_t *out);
/// The same, and 0 is allowed.
bool cli_parse_count(const char *option, const char *text, uint32_t max, uint32_t *out);
/// Takes the one argument after the options as HOST:PORT; none means the default.
bool cli_parse_endpoint(int argc, char *const argv[], int first, client_endpoint *out);
/// @return false, having complained, if `text` is too long for a name on the wire.
bool cli_parse_name(const char *option, const char *text, const char **out);

// --- Races ---------------------------------------------------------------------------------------

enum { CLI_RACES_MAX = 1000000 };

/// An event may go on and on; who wants some races of it counts their results.
typedef struct cli_races {
    uint32_t wanted; ///< 0: all that there are
    uint32_t first;  ///< number of the first that was seen; 0: none yet
} cli_races;

/// Whether so many have come to results. After each update of the client.
bool cli_races_are_done(cli_races *races, const apex_client *client);

// --- JSON, one object a line ---------------------------------------------------------------------

void cli_json_put(json_t *object); ///< prints, flushes, releases
json_t *cli_json_standings(const apex_client *client, const apex_standings *standings);
json_t *cli_json_results(const apex_results *results);
json_t *cli_json_event(const apex_client *client, const apex_race_event_message *event);
json_t *cli_json_past_event(const apex_client *client, const apex_race_event_message *event);
json_t *cli_json_stats(const apex_server_stats *stats);
json_t *cli_json_times(const apex_histogram *times_us); ///< count, p50, p90, p99, max
