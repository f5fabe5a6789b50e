// A lobby may be any program: these commands are for trying one out, and for small ones.
#include "program/token_commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/print.h"
#include "identity/identity.h"
#include "program/process_clock.h"
#include "program/server_key.h"
#include "program/token_options.h"

enum { EXIT_USAGE = 2 };

static const char HELP[] =
    "usage: apex-server token key FILE\n"
    "       apex-server token sign --key FILE --audience KEY|any [OPTION...]\n"
    "       apex-server token show TOKEN [LOBBY_KEY]\n\n"
    "A lobby tells a server by a signed token who may come, as whom and in which car. The server\n"
    "lists the public keys of the lobbies that it trusts; the driver brings the token by\n"
    "apex-client --token.\n\n"
    "  key FILE               makes a lobby's key, if there is none, and prints the public half\n"
    "  sign                   prints a token; sign --help lists what it may say\n"
    "  show TOKEN [KEY]       tells what it says, and whether that lobby has signed it\n"
    "  -h, --help             this text\n\n"
    "Exit code: 0 done, 1 not, 2 usage.\n";

static int fail(const char *why) {
    apex_print_line(stderr, "apex-server token: %s", why);
    return EXIT_FAILURE;
}

static int usage(const char *why) {
    apex_print_line(stderr, "apex-server token: %s; --help tells more", why);
    return EXIT_USAGE;
}

static bool load_key(const char *path, apex_driver_key *out) {
    uint8_t secret[APEX_SEAL_KEY_BYTES];
    char why[APEX_HOST_WHY_BYTES] = "";
    bool is_loaded = server_key_load(path, secret, why) == APEX_OK;
    if (is_loaded) {
        apex_driver_key_of(secret, out);
    } else {
        fail(why);
    }
    explicit_bzero(secret, sizeof secret);
    return is_loaded;
}

static int token_key(int count, char **arguments) {
    apex_driver_key key;
    char text[APEX_DRIVER_KEY_TEXT_BYTES];
    if (count != 1) {
        return usage("key: name one FILE");
    }
    if (!load_key(arguments[0], &key)) {
        return EXIT_FAILURE;
    }
    apex_driver_key_text(key.key, text);
    printf("%s\n", text);
    apex_driver_key_forget(&key);
    return EXIT_SUCCESS;
}

static int print_token(const token_options *options, const apex_driver_key *lobby) {
    uint8_t bytes[APEX_JOIN_TOKEN_BYTES_MAX];
    char text[APEX_JOIN_TOKEN_TEXT_BYTES];
    apex_join_token token = options->token;
    token.issued_s = token.not_before_s = server_unix_us() / 1000000;
    token.expires_s = token.issued_s + options->life_s;
    apex_join_token_new_number(&token);
    apex_join_token_text(bytes, apex_join_token_sign(&token, lobby, bytes), text);
    printf("%s\n", text);
    return EXIT_SUCCESS;
}

static int token_sign(int count, char **arguments) {
    token_options options;
    apex_driver_key lobby;
    if (!token_options_parse(count, arguments, &options)) {
        return EXIT_USAGE;
    }
    if (options.help) {
        printf(
            "usage: apex-server token sign --key FILE --audience KEY|any [OPTION...]\n\n"
            "Prints a token that is good from now on. One without a holder is taken over sealed\n"
            "links only, from whoever is the first to bring it.\n\n");
        token_options_help(stdout);
        return EXIT_SUCCESS;
    }
    if (access(options.key_file, F_OK) != 0) { // else a mistyped name would make a key
        apex_print_line(stderr,
                        "apex-server token sign: there is no %s: apex-server token key %s makes it",
                        options.key_file, options.key_file);
        return EXIT_FAILURE;
    }
    if (!load_key(options.key_file, &lobby)) {
        return EXIT_FAILURE;
    }
    int code = print_token(&options, &lobby);
    apex_driver_key_forget(&lobby);
    return code;
}

static void show_hex(const char *name, const uint8_t *bytes, size_t count, const char *zeros) {
    bool is_zero = true;
    printf("%-12s", name);
    for (size_t i = 0; i < count; i++) {
        is_zero = is_zero && bytes[i] == 0;
    }
    for (size_t i = 0; i < count && (!is_zero || zeros == NULL); i++) {
        printf("%02x", bytes[i]);
    }
    printf("%s\n", is_zero && zeros != NULL ? zeros : "");
}

static void show_number(const char *name, uint32_t value, uint32_t free_value, const char *unit) {
    if (value == free_value) {
        printf("%-12sfree\n", name);
    } else {
        printf("%-12s%" PRIu32 "%s\n", name, value, unit);
    }
}

static void show_text(const char *name, const char *text) {
    printf("%-12s", name);
    apex_print_text(stdout, text[0] != '\0' ? text : "free");
    putchar('\n');
}

static void show_time(const char *name, uint64_t time_s, uint64_t now_s) {
    char text[32];
    struct tm parts;
    time_t time = (time_t)time_s;
    printf("%-12s", name);
    if (time_s > UINT32_MAX) { // past the year 2106 nobody needs it
        printf("%" PRIu64 " s after 1970\n", time_s);
        return;
    }
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&time, &parts));
    bool is_past = time_s <= now_s;
    printf("%s, %s%" PRIu64 " s%s\n", text, is_past ? "" : "in ",
           is_past ? now_s - time_s : time_s - now_s, is_past ? " ago" : "");
}

static void show_fields(const apex_join_token *token) {
    static const char *const roles[] = {"driver", "spectator"};
    uint64_t now_s = server_unix_us() / 1000000;
    show_hex("lobby", token->issuer, sizeof token->issuer, NULL);
    show_time("issued", token->issued_s, now_s);
    show_time("not before", token->not_before_s, now_s);
    show_time("expires", token->expires_s, now_s);
    show_hex("token", token->number, sizeof token->number, NULL);
    show_hex("audience", token->audience, sizeof token->audience, "any server");
    show_number("race", token->race, 0, "");
    show_hex("holder", token->holder, sizeof token->holder, "whoever brings it");
    show_text("role", token->role == APEX_TOKEN_FREE_BYTE ? "" : roles[token->role]);
    show_number("car", token->car, APEX_TOKEN_FREE_BYTE, "");
    show_number("number", token->start_number, APEX_TOKEN_FREE, "");
    show_number("ballast", token->ballast_kg, APEX_TOKEN_FREE, " kg");
    show_number("restrictor", token->restrictor_percent, APEX_TOKEN_FREE_BYTE, " %");
    show_text("subject", token->subject);
    show_text("name", token->name);
}

static int token_show(int count, char **arguments) {
    uint8_t bytes[APEX_JOIN_TOKEN_BYTES_MAX];
    uint8_t lobby[APEX_DRIVER_KEY_BYTES];
    apex_join_token token;
    if (count < 1 || count > 2) {
        return usage("show: give one TOKEN, and a lobby's public key if it is to be checked");
    }
    if (count == 2 && !apex_driver_key_read(arguments[1], lobby)) {
        return usage("show: a public key is 64 hexadecimal digits");
    }
    size_t length = apex_join_token_read(arguments[0], bytes);
    if (length == 0 || !apex_join_token_parse(bytes, length, &token)) {
        return fail("this is no token: was it copied whole?");
    }
    show_fields(&token);
    if (count == 1) {
        printf("signature   not checked: give the lobby's public key, too\n");
        return EXIT_SUCCESS;
    }
    bool is_signed = apex_join_token_is_signed(bytes, length, lobby);
    printf("signature   %s\n", is_signed ? "of that lobby" : "NOT of that lobby, or changed");
    return is_signed ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool is_help(const char *word) {
    return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0;
}

int token_command(int count, char **arguments) {
    if (!apex_identity_begin()) {
        return fail("the system gives no random numbers");
    }
    if (count > 0 && strcmp(arguments[0], "sign") == 0) {
        return token_sign(count - 1, arguments + 1);
    }
    for (int i = 0; i < count; i++) {
        if (is_help(arguments[i])) {
            fputs(HELP, stdout);
            return EXIT_SUCCESS;
        }
    }
    if (count > 0 && strcmp(arguments[0], "key") == 0) {
        return token_key(count - 1, arguments + 1);
    }
    if (count > 0 && strcmp(arguments[0], "show") == 0) {
        return token_show(count - 1, arguments + 1);
    }
    return usage("expected key, sign or show");
}
