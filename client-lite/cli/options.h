/// The options of subcommands, taken by a table of each, and the complaints about them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client-lite/cli/complain.h"
#include "client-lite/cli/endpoint.h"
#include "client-lite/cli/secret.h"
#include "client-lite/client.h"

enum { CLI_WHY_BYTES = 2048 };
/// Writes the reason why a client is closed, and the option that helps if there is one.
/// @return `out`.
const char *cli_close_why(const apex_client *client, char out[CLI_WHY_BYTES]);

/// @return false, having complained, unless `text` is a number in min..max.
bool cli_parse_number(const char *option, const char *text, double min, double max, double *out);

/// An option of a subcommand: its name without dashes, and the one place that its value goes to.
typedef struct cli_option {
    const char *name;
    bool *flag;      ///< takes no value
    uint32_t *whole; ///< in min..max, like the next
    double *number;
    const char **wire_name; ///< short enough for a name on the wire
    const char **text;      ///< for the subcommand to read
    cli_secret *secret;     ///< of max bytes at most, or from "@FILE"; wiped where it was given
    double min, max;
} cli_option;

typedef enum cli_options_end {
    CLI_OPTIONS_TAKEN, ///< all; optind is where the arguments begin
    CLI_OPTIONS_HELP,  ///< --help or -h: none after it is taken
    CLI_OPTIONS_WRONG, ///< one was, and a complaint has said which
} cli_options_end;

enum { CLI_OPTIONS_MAX = 32 };
/// @param command its name, as in "apex-client bot".
cli_options_end cli_take_options(const char *command, const cli_option options[], size_t count,
                                 int argc, char *argv[]);
/// Takes the one argument after the options as HOST:PORT; none means the default.
bool cli_parse_endpoint(int argc, char *const argv[], int first, client_endpoint *out);
