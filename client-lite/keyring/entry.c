// Where nothing can be kept, because there is no home, or it is not the user's to write, a driver
// comes as a guest: services and containers have no home. DECISIONS 59 has the rest.
#include "client-lite/keyring/entry.h"

#include <stdio.h>
#include <string.h>

#include "base/print.h"
#include "client-lite/keyring/key_file.h"

static bool read_named_key(cli_entry *entry) {
    char why[CLI_KEY_WHY_BYTES] = "";
    const char *path = entry->options.identity;
    apex_err err = cli_key_file_read(path, CLI_KEY_PRIVATE, &entry->key, why);
    if (err == APEX_ERR_NOT_FOUND) {
        cli_complain("--identity: there is no %s: apex-client key new --identity %s makes it", path,
                     path);
    } else if (err != APEX_OK) {
        cli_complain("--identity: %s", why);
    }
    entry->has_key = err == APEX_OK;
    return entry->has_key;
}

// Another process of the user may make it at the same time: then both come with that one.
static apex_err read_or_make(const char *path, cli_entry *entry, char why[CLI_KEY_WHY_BYTES]) {
    apex_err err = cli_key_file_read(path, CLI_KEY_PRIVATE, &entry->key, why);
    if (err != APEX_ERR_NOT_FOUND) {
        return err == APEX_ERR_PERMISSION ? APEX_ERR_IO : err; // the home is another user's
    }
    char name[APEX_FINGERPRINT_TEXT_BYTES];
    apex_driver_key_make(&entry->key);
    err = cli_key_file_write(path, &entry->key, why);
    if (err == APEX_ERR_EXISTS) {
        return cli_key_file_read(path, CLI_KEY_PRIVATE, &entry->key, why);
    }
    if (err == APEX_OK && !entry->is_quiet) {
        cli_key_name(&entry->key, name);
        cli_complain("you are driver %s from now on; the key is in %s", name, path);
    }
    return err == APEX_OK ? APEX_OK : APEX_ERR_IO;
}

static bool take_own_key(cli_entry *entry) {
    char path[CLI_PATH_BYTES];
    char why[CLI_KEY_WHY_BYTES] = "there is no home directory";
    apex_err err =
        cli_user_file_path("driver.key", path) ? read_or_make(path, entry, why) : APEX_ERR_IO;
    entry->has_key = err == APEX_OK;
    if (err == APEX_ERR_IO) {
        cli_complain("comes as a guest: no key can be kept: %s", why);
        return true;
    }
    if (err != APEX_OK) {
        cli_complain("%s; or come as a --guest", why);
    }
    return entry->has_key;
}

static bool take_key(cli_entry *entry, cli_entry_kind kind) {
    if (entry->options.guest && entry->options.identity != NULL) {
        cli_complain("--guest and --identity: a guest has no key");
        return false;
    }
    if (entry->options.identity != NULL) {
        return read_named_key(entry);
    }
    // Whoever is in between, and the server itself, could show another server what is signed
    // without a seal: that is for the user to want.
    bool is_guest = entry->options.guest || entry->options.no_seal || kind == CLI_ENTRY_CROWD;
    return is_guest || take_own_key(entry);
}

// A token that is another's would be refused by the server, too, but after everything else.
static bool take_token(cli_entry *entry) {
    static const uint8_t nobody[APEX_DRIVER_KEY_BYTES];
    apex_join_token token;
    const char *text = entry->options.token.text;
    if (text[0] == '\0') {
        return true;
    }
    entry->token_length = apex_join_token_read(text, entry->token);
    if (!apex_join_token_parse(entry->token, entry->token_length, &token)) {
        cli_complain("--token: this is no token of a lobby: was it copied whole?");
        return false;
    }
    bool has_holder = memcmp(token.holder, nobody, sizeof nobody) != 0;
    bool is_own = entry->has_key && memcmp(token.holder, entry->key.key, sizeof token.holder) == 0;
    if (has_holder && !is_own) {
        char wanted[APEX_DRIVER_KEY_TEXT_BYTES];
        apex_driver_key_text(token.holder, wanted);
        cli_complain("--token: it is for the driver with the public key %s: bring that key by "
                     "--identity FILE, or ask the lobby for a token of your own (apex-client key)",
                     wanted);
        return false;
    }
    return true;
}

static bool take_server(cli_entry *entry, const client_endpoint *server) {
    if (entry->options.no_seal) {
        return true; // a plain server proves no key
    }
    if (!cli_known_servers_find(server, &entry->known)) {
        return false;
    }
    entry->has_server_key = server->has_key || entry->known.line != 0;
    memcpy(entry->server_key, server->has_key ? server->key : entry->known.key,
           sizeof entry->server_key);
    return true;
}

bool cli_entry_open(const cli_entry_options *options, cli_entry_kind kind,
                    const client_endpoint *server, bool quiet, cli_entry *out) {
    *out = (cli_entry){.options = *options, .is_quiet = quiet};
    if (!apex_identity_begin()) {
        cli_complain("the system gives no random numbers");
        return false;
    }
    return cli_secret_from_environment("APEX_PASSWORD", CLI_PASSWORD_BYTES_MAX,
                                       &out->options.password) &&
           cli_secret_from_environment("APEX_TOKEN", CLI_SECRET_BYTES - 1, &out->options.token) &&
           take_key(out, kind) && take_token(out) && take_server(out, server);
}

static bool sign(void *context, const apex_client_sign_for *what, apex_identity *out) {
    const cli_entry *entry = context;
    if (entry->has_key) {
        out->has_key = true;
        memcpy(out->key, entry->key.key, sizeof out->key);
        apex_prove(&entry->key, &(apex_proof_for){what->server_key, what->challenge, what->binding},
                   out->signature);
    }
    out->token_length = (uint32_t)entry->token_length;
    memcpy(out->token, entry->token, entry->token_length);
    return true;
}

void cli_entry_apply(cli_entry *entry, apex_client_def *def) {
    def->plain = entry->options.no_seal;
    def->server_key = entry->has_server_key ? entry->server_key : NULL;
    def->password = entry->options.password.text;
    def->sign = entry->has_key || entry->token_length > 0 ? sign : NULL;
    def->sign_context = entry;
}

void cli_entry_note(cli_entry *entry, const apex_client *client) {
    // Pinned or not, a key counts once the server has proved that it is its own.
    if (entry->is_settled || apex_client_welcome(client) == NULL) {
        return;
    }
    const uint8_t *key = apex_client_server_key(client);
    if (key == NULL || entry->options.no_seal) {
        return;
    }
    entry->is_settled = true;
    cli_known_server *known = &entry->known;
    bool is_kept = known->line != 0 && memcmp(known->key, key, sizeof known->key) == 0;
    if (known->path[0] == '\0' || is_kept) {
        return;
    }
    bool was_known = known->line != 0;
    apex_err err = cli_known_servers_keep(known, key);
    if (err != APEX_OK) {
        cli_complain("the key of %s cannot be kept: %s: %s", known->place, known->path,
                     apex_err_text(err));
    } else if (!entry->is_quiet) {
        cli_complain(was_known ? "the new key of %s is in %s"
                               : "%s was not known: its key is trusted from now on, and is in %s",
                     known->place, known->path);
    }
}

const char *cli_entry_why(const cli_entry *entry, const apex_client *client,
                          char out[CLI_WHY_BYTES]) {
    const char *text;
    bool is_known = entry->known.line != 0 &&
                    memcmp(entry->known.key, entry->server_key, sizeof entry->server_key) == 0;
    if (apex_client_close_reason(client, &text) != APEX_REASON_SERVER_KEY || !is_known) {
        return cli_close_why(client, out);
    }
    snprintf(
        out, CLI_WHY_BYTES,
        "%s: it had another in %s, line %u. Somebody may be in between, or the server has lost its "
        "key file. If you know the new key, add it: %s#KEY",
        text, entry->known.path, (unsigned)entry->known.line, entry->known.place);
    return out;
}

void cli_entry_close(cli_entry *entry) {
    explicit_bzero(entry, sizeof *entry);
}
