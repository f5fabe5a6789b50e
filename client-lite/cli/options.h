/// Checks of option values, and the complaints about them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/client.h"

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
