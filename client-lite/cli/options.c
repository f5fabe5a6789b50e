// The checks of option values, each with a complaint that names the option.
#include "client-lite/cli/options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_complain(const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    fprintf(stderr, "apex-client: %s\n", text);
}

const char *cli_close_why(const apex_client *client, char out[CLI_WHY_BYTES]) {
    const char *text;
    bool is_password = apex_client_close_reason(client, &text) == APEX_REASON_PASSWORD;
    snprintf(out, CLI_WHY_BYTES, "%s%s", text, is_password ? ": give it with --password" : "");
    return out;
}

bool cli_parse_number(const char *option, const char *text, double min, double max, double *out) {
    char *end;
    double value = strtod(text, &end);
    // Written so that not-a-number is refused as well.
    if (end == text || *end != '\0' || !(value >= min && value <= max)) {
        cli_complain("%s: '%s' is not a number from %g to %g", option, text, min, max);
        return false;
    }
    *out = value;
    return true;
}

static bool parse_whole_from(const char *option, const char *text, double min, double max,
                             uint32_t *out) {
    double value;
    if (!cli_parse_number(option, text, min, max, &value)) {
        return false;
    }
    if (value != floor(value)) {
        cli_complain("%s: '%s' is not a whole number", option, text);
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

bool cli_parse_whole(const char *option, const char *text, uint32_t max, uint32_t *out) {
    return parse_whole_from(option, text, 1.0, (double)max, out);
}

bool cli_parse_count(const char *option, const char *text, uint32_t max, uint32_t *out) {
    return parse_whole_from(option, text, 0.0, (double)max, out);
}

bool cli_parse_endpoint(int argc, char *const argv[], int first, client_endpoint *out) {
    if (argc - first > 1) {
        cli_complain("'%s' is one argument too many: give one HOST:PORT", argv[first + 1]);
        return false;
    }
    const char *text = first < argc ? argv[first] : "";
    const char *why;
    if (!client_endpoint_parse(text, out, &why)) {
        cli_complain("'%s': %s", text, why);
        return false;
    }
    return true;
}

bool cli_parse_name(const char *option, const char *text, const char **out) {
    if (strlen(text) >= APEX_WIRE_NAME_BYTES) {
        cli_complain("%s: '%s' is longer than %d bytes", option, text, APEX_WIRE_NAME_BYTES - 1);
        return false;
    }
    *out = text;
    return true;
}
