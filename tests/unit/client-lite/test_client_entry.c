// What a command shows at a server's door, and what it says to its user of that.
#include "support/base/check_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client-lite/keyring/entry.h"
#include "client-lite/keyring/key_file.h"

static char home[CHECK_PATH_BYTES], said[4096];
static const client_endpoint server = {.host = "race.example", .port = 26000};
static cli_entry_options options;
static cli_entry entry;

static void start(void) {
    ck_assert(apex_identity_begin());
    check_make_folder(home, "home");
    setenv("XDG_CONFIG_HOME", home, 1);
    unsetenv("APEX_PASSWORD");
    unsetenv("APEX_TOKEN");
    options = (cli_entry_options){0};
}

FIXTURE(start, NULL)

// Standard error while it runs is in `said`.
static bool open_as(cli_entry_kind kind) {
    char file[CHECK_PATH_BYTES];
    check_make_file(file, "said");
    int before = dup(STDERR_FILENO);
    int to = open(file, O_RDWR);
    ck_assert_int_ge(before, 0);
    ck_assert_int_ge(to, 0);
    dup2(to, STDERR_FILENO);
    bool is_open = cli_entry_open(&options, kind, &server, false, &entry);
    dup2(before, STDERR_FILENO);
    ssize_t length = pread(to, said, sizeof said - 1, 0);
    said[length > 0 ? length : 0] = '\0';
    close(before);
    close(to);
    return is_open;
}

static void assert_said(const char *words) {
    ck_assert_msg(strstr(said, words) != NULL, "'%s' is not in '%s'", words, said);
}

static void in_home(const char *name, char out[2 * CHECK_PATH_BYTES]) {
    snprintf(out, 2 * CHECK_PATH_BYTES, "%s/%s", home, name);
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static apex_identity signed_by_entry(apex_proof_for what) {
    apex_client_def def = {0};
    apex_identity identity = {0};
    cli_entry_apply(&entry, &def);
    ck_assert(def.sign != NULL);
    apex_client_sign_for sign_for = {what.server_key, what.challenge, what.binding};
    ck_assert(def.sign(def.sign_context, &sign_for, &identity));
    return identity;
}

static bool comes_as_guest(void) {
    apex_client_def def = {0};
    cli_entry_apply(&entry, &def);
    return def.sign == NULL;
}

TEST(the_first_use_makes_a_key_and_the_second_has_it) {
    uint8_t first[APEX_DRIVER_KEY_BYTES];
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    assert_said("you are driver ");
    assert_said("/apex/driver.key\n");
    memcpy(first, entry.key.key, sizeof first);
    cli_entry_close(&entry);
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    ck_assert_str_eq(said, "");
    ck_assert_mem_eq(entry.key.key, first, sizeof first);
}

TEST(it_signs_with_that_key) {
    uint8_t parts[3][32] = {{1}, {2}, {3}};
    apex_proof_for what = {parts[0], parts[1], parts[2]};
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    apex_identity identity = signed_by_entry(what);
    ck_assert(identity.has_key);
    ck_assert(apex_proof_ok(entry.key.key, &what, identity.signature));
    ck_assert_mem_eq(identity.key, entry.key.key, sizeof identity.key);
    ck_assert_uint_eq(identity.token_length, 0);
    what.binding = NULL;
    identity = signed_by_entry(what);
    ck_assert(apex_proof_ok(entry.key.key, &what, identity.signature));
}

TEST(guests_and_crowds_have_no_key_and_make_none) {
    char path[2 * CHECK_PATH_BYTES];
    options.guest = true;
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    ck_assert(comes_as_guest());
    options.guest = false;
    ck_assert(open_as(CLI_ENTRY_CROWD));
    ck_assert(comes_as_guest());
    options.no_seal = true;
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    ck_assert(comes_as_guest());
    ck_assert_str_eq(said, "");
    in_home("apex/driver.key", path);
    ck_assert_int_ne(access(path, F_OK), 0);
}

TEST(a_crowd_comes_with_a_key_that_is_named) {
    char path[2 * CHECK_PATH_BYTES];
    char why[CLI_KEY_WHY_BYTES];
    apex_driver_key key;
    in_home("named", path);
    options.identity = path;
    ck_assert(!open_as(CLI_ENTRY_CROWD));
    assert_said("--identity: there is no ");
    assert_said("apex-client key new --identity ");
    apex_driver_key_make(&key);
    ck_assert_int_eq(cli_key_file_write(path, &key, why), APEX_OK);
    ck_assert(open_as(CLI_ENTRY_CROWD));
    ck_assert_mem_eq(&entry.key, &key, sizeof key);
    options.guest = true;
    ck_assert(!open_as(CLI_ENTRY_CROWD));
    assert_said("--guest and --identity");
}

TEST(where_no_key_can_be_kept_he_is_a_guest) {
    setenv("XDG_CONFIG_HOME", "/dev/null/config", 1);
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    ck_assert(comes_as_guest());
    assert_said("comes as a guest: no key can be kept: /dev/null/config/apex/driver.key: ");
    ck_assert_ptr_eq(strchr(said, '\n') + 1, said + strlen(said)); // one line
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    assert_said("there is no home directory");
    ck_assert(comes_as_guest());
}

// Not as a guest: he would lose his name to whoever came first.
TEST(a_key_that_is_there_but_no_good_is_refused) {
    char path[2 * CHECK_PATH_BYTES];
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    in_home("apex/driver.key", path);
    put(path, "hello\n");
    ck_assert(!open_as(CLI_ENTRY_DRIVER));
    assert_said("is no driver's key");
    assert_said("--guest");
}

static void bring_token(const apex_join_token *token) {
    uint8_t bytes[APEX_JOIN_TOKEN_BYTES_MAX];
    apex_driver_key lobby;
    apex_driver_key_make(&lobby);
    apex_join_token_text(bytes, apex_join_token_sign(token, &lobby, bytes), options.token.text);
}

TEST(a_token_goes_with_the_key) {
    uint8_t parts[2][32] = {{1}, {2}};
    apex_join_token token = {.subject = "ada"};
    bring_token(&token);
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    apex_identity identity = signed_by_entry((apex_proof_for){parts[0], parts[1], NULL});
    char text[APEX_JOIN_TOKEN_TEXT_BYTES];
    apex_join_token_text(identity.token, identity.token_length, text);
    ck_assert_str_eq(text, options.token.text);
    ck_assert(identity.has_key);
}

TEST(a_token_without_a_holder_needs_no_key) {
    uint8_t parts[2][32] = {{1}, {2}};
    apex_join_token token = {.subject = "ada"};
    bring_token(&token);
    options.guest = true;
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    apex_identity identity = signed_by_entry((apex_proof_for){parts[0], parts[1], NULL});
    ck_assert(!identity.has_key);
    ck_assert_uint_eq(identity.token_length, 175 + 3);
}

TEST(a_token_of_another_driver_is_not_brought) {
    apex_join_token token = {.holder = {5}};
    bring_token(&token);
    ck_assert(!open_as(CLI_ENTRY_DRIVER));
    assert_said("it is for the driver with the public key 0500000000");
    memcpy(token.holder, entry.key.key, sizeof token.holder);
    bring_token(&token);
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    options.guest = true;
    ck_assert(!open_as(CLI_ENTRY_DRIVER));
}

TEST(half_a_token_is_none) {
    apex_join_token token = {.subject = "ada"};
    bring_token(&token);
    options.token.text[100] = '\0';
    ck_assert(!open_as(CLI_ENTRY_DRIVER));
    assert_said("--token: this is no token of a lobby");
}

TEST(a_known_server_is_insisted_on) {
    apex_client_def def = {0};
    char path[2 * CHECK_PATH_BYTES];
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    cli_entry_apply(&entry, &def);
    ck_assert_ptr_null(def.server_key);
    in_home("apex/servers", path);
    put(path, "race.example:26000 "
              "1111111111111111111111111111111111111111111111111111111111111111\n");
    ck_assert(open_as(CLI_ENTRY_CROWD));
    cli_entry_apply(&entry, &def);
    ck_assert_ptr_nonnull(def.server_key);
    ck_assert_uint_eq(def.server_key[31], 0x11);
    options.no_seal = true; // which proves no key
    ck_assert(open_as(CLI_ENTRY_CROWD));
    cli_entry_apply(&entry, &def);
    ck_assert(def.plain);
    ck_assert_ptr_null(def.server_key);
}

TEST(a_key_behind_the_place_goes_before_the_known_one) {
    apex_client_def def = {0};
    char path[2 * CHECK_PATH_BYTES];
    client_endpoint with_key = server;
    with_key.has_key = true;
    memset(with_key.key, 0x77, sizeof with_key.key);
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    in_home("apex/servers", path);
    put(path, "race.example:26000 "
              "1111111111111111111111111111111111111111111111111111111111111111\n");
    ck_assert(cli_entry_open(&options, CLI_ENTRY_CROWD, &with_key, false, &entry));
    cli_entry_apply(&entry, &def);
    ck_assert_uint_eq(def.server_key[0], 0x77);
}

TEST(a_wrong_line_in_the_file_is_named) {
    char path[2 * CHECK_PATH_BYTES];
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    in_home("apex/servers", path);
    put(path, "# mine\nrace.example 12\n");
    ck_assert(!open_as(CLI_ENTRY_DRIVER));
    assert_said("/apex/servers:2: expected HOST:PORT and a key");
}

// Secrets.

static cli_secret secret;

static bool take(const char *text, size_t bytes_max) {
    char argument[2 * CHECK_PATH_BYTES];
    snprintf(argument, sizeof argument, "%s", text);
    secret = (cli_secret){0};
    bool is_taken = cli_secret_take("--password", argument, bytes_max, &secret);
    if (text[0] != '@') { // nothing of it is left
        for (size_t i = 0; i < strlen(text); i++) {
            ck_assert_int_eq(argument[i], 0);
        }
    }
    return is_taken;
}

TEST(a_secret_is_wiped_where_it_was_given) {
    ck_assert(take("sesam", 31));
    ck_assert_str_eq(secret.text, "sesam");
    ck_assert(take("1234567890123456789012345678901", 31));
    ck_assert(!take("12345678901234567890123456789012", 31));
    ck_assert_str_eq(secret.text, "");
}

TEST(a_secret_is_a_files_first_line) {
    char path[2 * CHECK_PATH_BYTES];
    char argument[2 * CHECK_PATH_BYTES + 1];
    in_home("secret", path);
    snprintf(argument, sizeof argument, "@%s", path);
    ck_assert(!take(argument, 31));
    put(path, "open sesame\r\nand more\n");
    ck_assert(take(argument, 31));
    ck_assert_str_eq(secret.text, "open sesame");
    put(path, "no end");
    ck_assert(take(argument, 31));
    ck_assert_str_eq(secret.text, "no end");
    put(path, "12345678901234567890123456789012\n");
    ck_assert(!take(argument, 31));
    put(path, "\nsecond\n");
    ck_assert(!take(argument, 31));
    put(path, "");
    ck_assert(!take(argument, 31));
    ck_assert(!take("@", 31));
}

TEST(the_environment_is_asked_where_nothing_was_given) {
    setenv("APEX_PASSWORD", "from there", 1);
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    apex_client_def def = {0};
    cli_entry_apply(&entry, &def);
    ck_assert_str_eq(def.password, "from there");
    strcpy(options.password.text, "given");
    ck_assert(open_as(CLI_ENTRY_DRIVER));
    cli_entry_apply(&entry, &def);
    ck_assert_str_eq(def.password, "given");
    options.password.text[0] = '\0';
    setenv("APEX_PASSWORD", "12345678901234567890123456789012", 1);
    ck_assert(!open_as(CLI_ENTRY_DRIVER));
    assert_said("APEX_PASSWORD: is longer than 31 bytes");
    unsetenv("APEX_PASSWORD");
    setenv("APEX_TOKEN", "nonsense", 1);
    ck_assert(!open_as(CLI_ENTRY_DRIVER));
    assert_said("no token of a lobby");
}
