// Each value is checked as it is taken, and a complaint names its option.
#include "client-lite/cli/options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

// The server's text says what is wrong; here is how this program is told.
static const char *help_for(apex_reason reason) {
    switch ((int)reason) { // of most there is nothing to add
    case APEX_REASON_PASSWORD:
        return ": give it by --password @FILE or APEX_PASSWORD";
    case APEX_REASON_KEY_NEEDED:
        return " (without --guest and --no-seal, or by --identity FILE)";
    case APEX_REASON_NAME_HELD:
        return " (--name, or --identity FILE)";
    case APEX_REASON_NOT_LISTED:
        return " (apex-client key tells it)";
    case APEX_REASON_TOKEN_NEEDED:
        return " (--token @FILE or APEX_TOKEN)";
    default:
        return "";
    }
}

const char *cli_close_why(const apex_client *client, char out[CLI_WHY_BYTES]) {
    const char *text;
    apex_reason reason = apex_client_close_reason(client, &text);
    snprintf(out, CLI_WHY_BYTES, "%s%s", text, help_for(reason));
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

static bool parse_whole(const char *option, const char *text, const cli_option *as) {
    double value;
    if (!cli_parse_number(option, text, as->min, as->max, &value)) {
        return false;
    }
    if (value != floor(value)) {
        cli_complain("%s: '%s' is not a whole number", option, text);
        return false;
    }
    *as->whole = (uint32_t)value;
    return true;
}

static bool parse_wire_name(const char *option, const char *text, const char **out) {
    if (strlen(text) >= APEX_WIRE_NAME_BYTES) {
        cli_complain("%s: '%s' is longer than %d bytes", option, text, APEX_WIRE_NAME_BYTES - 1);
        return false;
    }
    *out = text;
    return true;
}

static bool take(const cli_option *as, char *text) {
    char option[64];
    snprintf(option, sizeof option, "--%s", as->name);
    if (as->flag != NULL) {
        *as->flag = true;
        return true;
    }
    if (as->whole != NULL) {
        return parse_whole(option, text, as);
    }
    if (as->number != NULL) {
        return cli_parse_number(option, text, as->min, as->max, as->number);
    }
    if (as->wire_name != NULL) {
        return parse_wire_name(option, text, as->wire_name);
    }
    if (as->secret != NULL) {
        return cli_secret_take(option, text, (size_t)as->max, as->secret);
    }
    *as->text = text;
    return true;
}

cli_options_end cli_take_options(const char *command, const cli_option options[], size_t count,
                                 int argc, char *argv[]) {
    enum { HELP = 'h', FIRST = 256 };
    APEX_ASSERT(count <= CLI_OPTIONS_MAX);
    struct option known[CLI_OPTIONS_MAX + 2] = {{0}};
    for (size_t i = 0; i < count; i++) {
        int takes = options[i].flag != NULL ? no_argument : required_argument;
        known[i] =
            (struct option){.name = options[i].name, .has_arg = takes, .val = FIRST + (int)i};
    }
    known[count] = (struct option){.name = "help", .has_arg = no_argument, .val = HELP};
    char name[32];
    snprintf(name, sizeof name, "apex-client %s", command);
    char *own_name = argv[0];
    argv[0] = name; // for what getopt says
    cli_options_end end = CLI_OPTIONS_TAKEN;
    int letter;
    while (end == CLI_OPTIONS_TAKEN && (letter = getopt_long(argc, argv, "h", known, NULL)) != -1) {
        if (letter == HELP) {
            end = CLI_OPTIONS_HELP;
        } else if (letter < FIRST) { // getopt has named the option already
            fprintf(stderr, "apex-client %s --help lists the options\n", command);
            end = CLI_OPTIONS_WRONG;
        } else if (!take(&options[letter - FIRST], optarg)) {
            end = CLI_OPTIONS_WRONG;
        }
    }
    argv[0] = own_name;
    return end;
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
