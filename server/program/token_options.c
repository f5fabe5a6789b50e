// Each option is a field of the token; what it may be is what the gate of a server takes.
#include "program/token_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "base/utf8.h"

enum { FIRST_CODE = 256, LIFE_S = 60, RESTRICTOR_PERCENT_MAX = 100 };

typedef struct option_row {
    const char *name, *argument, *help;
    bool (*take)(const char *text, token_options *out);
    const char *expected;
} option_row;

static bool number_of(const char *text, uint64_t max, uint64_t *out) {
    char *end = NULL;
    // strtoull takes signs and spaces.
    if (text[0] < '0' || text[0] > '9' || strlen(text) > 10) {
        return false;
    }
    *out = strtoull(text, &end, 10);
    return *end == '\0' && *out <= max;
}

static bool take_key(const char *text, token_options *out) {
    out->key_file = text;
    return text[0] != '\0';
}

static bool take_audience(const char *text, token_options *out) {
    uint8_t key[APEX_DRIVER_KEY_BYTES];
    out->has_audience = true;
    if (strcmp(text, "any") == 0) {
        return true;
    }
    bool is_key = apex_driver_key_read(text, key);
    if (is_key) {
        apex_fingerprint(key, out->token.audience);
    }
    return is_key;
}

static bool take_text(const char *text, char *out, size_t capacity) {
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        size_t bytes = apex_utf8_length(text + at, length - at);
        if (bytes == 0 || apex_utf8_is_hidden(text + at, bytes)) {
            return false;
        }
        at += bytes;
    }
    snprintf(out, capacity, "%s", text);
    return length < capacity;
}

static bool take_name(const char *text, token_options *out) {
    return take_text(text, out->token.name, sizeof out->token.name);
}

static bool take_subject(const char *text, token_options *out) {
    return take_text(text, out->token.subject, sizeof out->token.subject);
}

static bool take_holder(const char *text, token_options *out) {
    static const uint8_t nobody[APEX_DRIVER_KEY_BYTES];
    return apex_driver_key_read(text, out->token.holder) &&
           memcmp(out->token.holder, nobody, sizeof nobody) != 0;
}

static bool take_life(const char *text, token_options *out) {
    char digits[16];
    uint64_t seconds = 0;
    size_t length = strlen(text);
    if (length == 0 || length >= sizeof digits) {
        return false;
    }
    memcpy(digits, text, length + 1);
    if (digits[length - 1] == 's') {
        digits[length - 1] = '\0';
    }
    if (!number_of(digits, APEX_TOKEN_LIFE_S_MAX, &seconds) || seconds == 0) {
        return false;
    }
    out->life_s = (uint32_t)seconds;
    return true;
}

static bool take_race(const char *text, token_options *out) {
    uint64_t number = 0;
    bool is_number = number_of(text, UINT32_MAX, &number) && number > 0;
    out->token.race = (uint32_t)number;
    return is_number;
}

static bool take_role(const char *text, token_options *out) {
    bool is_driver = strcmp(text, "driver") == 0;
    out->token.role = is_driver ? APEX_TOKEN_DRIVER : APEX_TOKEN_SPECTATOR;
    return is_driver || strcmp(text, "spectator") == 0;
}

static bool take_car(const char *text, token_options *out) {
    uint64_t number = 0;
    bool is_number = number_of(text, APEX_TOKEN_FREE_BYTE - 1, &number);
    out->token.car = (uint8_t)number;
    return is_number;
}

static bool take_number(const char *text, token_options *out) {
    uint64_t number = 0;
    bool is_number = number_of(text, APEX_TOKEN_FREE - 1, &number);
    out->token.start_number = (uint16_t)number;
    return is_number;
}

static bool take_ballast(const char *text, token_options *out) {
    uint64_t number = 0;
    bool is_number = number_of(text, APEX_TOKEN_FREE - 1, &number);
    out->token.ballast_kg = (uint16_t)number;
    return is_number;
}

static bool take_restrictor(const char *text, token_options *out) {
    uint64_t number = 0;
    bool is_number = number_of(text, RESTRICTOR_PERCENT_MAX, &number);
    out->token.restrictor_percent = (uint8_t)number;
    return is_number;
}

static const option_row ROWS[] = {
    {"key", "FILE", "the lobby's key, of apex-server token key", take_key, "a file"},
    {"audience", "KEY|any", "the server's key, as it prints it behind #; any: all that allow it",
     take_audience, "64 hexadecimal digits, or any"},
    {"holder", "KEY", "the driver's public key (apex-client key); without: whoever brings it",
     take_holder, "64 hexadecimal digits"},
    {"name", "TEXT", "as which he comes; without: his own choice", take_name,
     "at most 31 bytes of characters that are seen"},
    {"subject", "TEXT", "what the lobby calls him, for results and bans", take_subject,
     "at most 64 bytes of characters that are seen"},
    {"life", "SECONDS", "from now on, 600 at most (else 60): for joining, not for staying",
     take_life, "seconds, 1 to 600"},
    {"race", "N", "of the server's races; without: any", take_race, "a number, 1 or more"},
    {"role", "ROLE", "driver or spectator; without: either", take_role, "driver or spectator"},
    {"car", "N", "index in the race's list of cars, from 0", take_car, "a number, 0 to 254"},
    {"number", "N", "start number", take_number, "a number, 0 to 65534"},
    {"ballast", "KG", "in his car", take_ballast, "kilograms, 0 to 65534"},
    {"restrictor", "PERCENT", "of his engine", take_restrictor, "a number, 0 to 100"},
};

enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static bool take(const option_row *row, const char *text, token_options *out) {
    if (row->take(text, out)) {
        return true;
    }
    apex_print_line(stderr, "apex-server token sign: --%s '%s': expected %s", row->name, text,
                    row->expected);
    return false;
}

static bool take_all(int count, char **argv, token_options *out) {
    struct option table[ROW_COUNT + 2];
    memset(table, 0, sizeof table);
    for (int i = 0; i < ROW_COUNT; i++) {
        table[i] = (struct option){
            .name = ROWS[i].name, .has_arg = required_argument, .val = FIRST_CODE + i};
    }
    table[ROW_COUNT] = (struct option){.name = "help", .has_arg = no_argument, .val = 'h'};
    optind = 0; // starts getopt anew
    int code;
    while ((code = getopt_long(count + 1, argv, "h", table, NULL)) != -1) {
        if (code == 'h') {
            out->help = true;
        } else if (code < FIRST_CODE) {
            apex_print_line(stderr, "apex-server token sign --help lists the options");
            return false;
        } else if (!take(&ROWS[code - FIRST_CODE], optarg, out)) {
            return false;
        }
    }
    if (optind <= count) {
        apex_print_line(stderr, "apex-server token sign: '%s' is one word too many", argv[optind]);
        return false;
    }
    return true;
}

bool token_options_parse(int count, char **arguments, token_options *out) {
    static char name[] = "apex-server token sign";
    *out = (token_options){.life_s = LIFE_S,
                           .token = {.role = APEX_TOKEN_FREE_BYTE,
                                     .car = APEX_TOKEN_FREE_BYTE,
                                     .start_number = APEX_TOKEN_FREE,
                                     .ballast_kg = APEX_TOKEN_FREE,
                                     .restrictor_percent = APEX_TOKEN_FREE_BYTE}};
    arguments[-1] = name; // where getopt looks for the program's
    if (!take_all(count, arguments - 1, out)) {
        return false;
    }
    const char *missing = out->key_file == NULL ? "key" : !out->has_audience ? "audience" : NULL;
    if (!out->help && missing != NULL) {
        apex_print_line(stderr, "%s: --%s is needed; --help tells of it", name, missing);
        return false;
    }
    return true;
}

void token_options_help(FILE *out) {
    for (int i = 0; i < ROW_COUNT; i++) {
        char left[40];
        snprintf(left, sizeof left, "--%s %s", ROWS[i].name, ROWS[i].argument);
        fprintf(out, "  %-22s %s\n", left, ROWS[i].help);
    }
    fprintf(out, "  %-22s %s\n", "-h, --help", "this text");
}
