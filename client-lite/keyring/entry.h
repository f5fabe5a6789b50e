/// What a command shows at a server's door: the driver's key, a lobby's token and a password; and
/// how it knows the server again. bot, load and watch share these options.
#pragma once

#include <stdbool.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/cli/options.h"
#include "client-lite/cli/secret.h"
#include "client-lite/client.h"
#include "client-lite/keyring/known_servers.h"
#include "identity/identity.h"

typedef struct cli_entry_options {
    const char *identity; ///< a key's file; NULL: the user's own
    bool guest, no_seal;
    cli_secret token, password;
} cli_entry_options;

enum { CLI_PASSWORD_BYTES_MAX = APEX_WIRE_NAME_BYTES - 1 };

/// Rows of a table of cli_option, and the help that goes with them.
#define CLI_ENTRY_OPTIONS(options)                                                          \
    {"password", .secret = &(options)->password, .max = CLI_PASSWORD_BYTES_MAX},            \
        {"token", .secret = &(options)->token, .max = CLI_SECRET_BYTES - 1},                \
        {"identity", .text = &(options)->identity}, {"guest", .flag = &(options)->guest}, { \
        "no-seal", .flag = &(options)->no_seal                                              \
    }
#define CLI_ENTRY_HELP                                                                         \
    "  --password P    of the race, where it asks for one; @FILE: that file's first line;\n"   \
    "                  or the environment's APEX_PASSWORD\n"                                   \
    "  --token T       of a lobby, where one is asked for; @FILE, or APEX_TOKEN, likewise\n"   \
    "  --identity FILE the driver's key; apex-client key tells of it\n"                        \
    "  --guest         without a key\n"                                                        \
    "  --no-seal       without a seal, which servers take from their own network only; as a\n" \
    "                  guest, unless a key is named\n"

typedef enum cli_entry_kind {
    CLI_ENTRY_DRIVER, ///< comes with the user's key, which is made at the first use
    CLI_ENTRY_CROWD,  ///< as guests, unless a key is named
} cli_entry_kind;

typedef struct cli_entry {
    cli_entry_options options;
    bool has_key, is_quiet;
    bool is_settled; ///< what there is to say of the server's key has been said
    apex_driver_key key;
    size_t token_length; ///< 0: none
    uint8_t token[APEX_JOIN_TOKEN_BYTES_MAX];
    bool has_server_key; ///< no other server is talked to
    uint8_t server_key[APEX_CLIENT_KEY_BYTES];
    cli_known_server known;
} cli_entry;

/// Reads the options, key, token and known servers. @param quiet says nothing of what goes well.
/// @return false after a complaint.
bool cli_entry_open(const cli_entry_options *options, cli_entry_kind kind,
                    const client_endpoint *server, bool quiet, cli_entry *out);
/// Puts password, server's key and signature into a client's definition. The entry must outlive the
/// client, and stay where it is.
void cli_entry_apply(cli_entry *entry, apex_client_def *def);
/// Keeps the server's key once it is known. To be asked after updates of a client.
void cli_entry_note(cli_entry *entry, const apex_client *client);
/// Why the client is closed, and what helps, as cli_close_why. @return `out`.
const char *cli_entry_why(const cli_entry *entry, const apex_client *client,
                          char out[CLI_WHY_BYTES]);
void cli_entry_close(cli_entry *entry); ///< wipes it
