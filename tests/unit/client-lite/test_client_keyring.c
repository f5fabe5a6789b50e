// The files that apex-client keeps for its user: his key and the servers that he has met. All tests
// have a home of their own.
#include "support/base/check_main.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client-lite/keyring/key_file.h"
#include "client-lite/keyring/known_servers.h"

static const char text_of_0_to_31[] =
    "# Key of the Apex driver 40bca4eaf9d2b097ff8dbaa4d61767ed. Whoever has this file is this "
    "driver: keep a copy, and show it to nobody.\n"
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n";
static const char digits[] = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

static char home[CHECK_PATH_BYTES], path[2 * CHECK_PATH_BYTES], why[CLI_KEY_WHY_BYTES];
static apex_driver_key key;

static void start(void) {
    uint8_t secret[APEX_DRIVER_SECRET_BYTES];
    for (uint8_t i = 0; i < sizeof secret; i++) {
        secret[i] = i;
    }
    ck_assert(apex_identity_begin());
    apex_driver_key_of(secret, &key);
    check_make_folder(home, "home");
    setenv("HOME", home, 1);
    unsetenv("XDG_CONFIG_HOME");
    snprintf(path, sizeof path, "%s/one/two/driver.key", home);
}

FIXTURE(start, NULL)

static void put_file(const char *at, const char *bytes, size_t length, mode_t mode) {
    FILE *file = fopen(at, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    fclose(file);
    ck_assert_int_eq(chmod(at, mode), 0);
}

static void put(const char *bytes, size_t length, mode_t mode) {
    ck_assert_int_eq(cli_user_folder_make(path), APEX_OK);
    put_file(path, bytes, length, mode);
}

static mode_t mode_of(const char *of) {
    struct stat about;
    ck_assert_int_eq(stat(of, &about), 0);
    return about.st_mode & 0777;
}

static uint32_t files_in(const char *folder) {
    uint32_t count = 0;
    DIR *listed = opendir(folder);
    ck_assert_ptr_nonnull(listed);
    for (const struct dirent *entry; (entry = readdir(listed)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(listed);
    return count;
}

static apex_err read_key(cli_key_care care) {
    apex_driver_key read = {0};
    apex_err err = cli_key_file_read(path, care, &read, why);
    if (err == APEX_OK) {
        ck_assert_mem_eq(&read, &key, sizeof read);
    }
    return err;
}

static void assert_read(const char *text, bool is_key) {
    apex_driver_key read = {0};
    ck_assert_msg(cli_key_text_read(text, &read) == is_key, "%s", text);
    ck_assert(!is_key || memcmp(&read, &key, sizeof read) == 0);
}

TEST(a_keys_text_is_the_one_that_is_described) {
    char text[CLI_KEY_TEXT_BYTES];
    cli_key_text_write(&key, text);
    ck_assert_str_eq(text, text_of_0_to_31);
    assert_read(text, true);
}

TEST(lines_that_say_nothing_may_stand_around_a_key) {
    char text[CLI_KEY_TEXT_BYTES];
    assert_read(digits, true);
    snprintf(text, sizeof text, "# mine\r\n\r\n%s\r\n# that was it", digits);
    assert_read(text, true);
    snprintf(text, sizeof text, "%s\n%s\n", digits, digits); // of which?
    assert_read(text, false);
    snprintf(text, sizeof text, " %s\n", digits);
    assert_read(text, false);
    snprintf(text, sizeof text, "%.63s\n", digits);
    assert_read(text, false);
    snprintf(text, sizeof text, "%.63sg\n", digits);
    assert_read(text, false);
    snprintf(text, sizeof text, "%s0\n", digits);
    assert_read(text, false);
    assert_read("", false);
    assert_read("# only this\n", false);
}

TEST(a_key_is_written_for_its_owner_alone) {
    char folder[2 * CHECK_PATH_BYTES];
    umask(0);
    ck_assert_int_eq(cli_key_file_write(path, &key, why), APEX_OK);
    ck_assert_uint_eq(mode_of(path), 0600);
    snprintf(folder, sizeof folder, "%s/one/two", home);
    ck_assert_uint_eq(mode_of(folder), 0700);
    ck_assert_uint_eq(files_in(folder), 1);
    snprintf(folder, sizeof folder, "%s/one", home);
    ck_assert_uint_eq(mode_of(folder), 0700);
    ck_assert_int_eq(read_key(CLI_KEY_PRIVATE), APEX_OK);
}

TEST(a_key_that_is_there_stays) {
    apex_driver_key other;
    char folder[2 * CHECK_PATH_BYTES];
    apex_driver_key_make(&other);
    ck_assert_int_eq(cli_key_file_write(path, &key, why), APEX_OK);
    ck_assert_int_eq(cli_key_file_write(path, &other, why), APEX_ERR_EXISTS);
    ck_assert_int_eq(read_key(CLI_KEY_PRIVATE), APEX_OK);
    snprintf(folder, sizeof folder, "%s/one/two", home);
    ck_assert_uint_eq(files_in(folder), 1); // and nothing beside it
}

TEST(a_key_that_others_may_read_is_refused) {
    static const mode_t modes[] = {0640, 0604, 0620, 0602, 0610};
    char expected[CLI_KEY_WHY_BYTES];
    put(text_of_0_to_31, strlen(text_of_0_to_31), 0600);
    ck_assert_int_eq(read_key(CLI_KEY_PRIVATE), APEX_OK);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        ck_assert_int_eq(chmod(path, modes[i]), 0);
        ck_assert_int_eq(read_key(CLI_KEY_PRIVATE), APEX_ERR_REFUSED);
        ck_assert_int_eq(read_key(CLI_KEY_ANY), APEX_OK);
    }
    read_key(CLI_KEY_PRIVATE);
    snprintf(expected, sizeof expected, "others may read this key: chmod 600 %s", path);
    ck_assert_str_eq(why, expected);
}

TEST(what_is_no_key_file_is_refused) {
    char expected[CLI_KEY_WHY_BYTES];
    char huge[2 * CLI_KEY_TEXT_BYTES];
    snprintf(expected, sizeof expected,
             "%s: is no driver's key: expected one line of 64 hexadecimal digits", path);
    ck_assert_int_eq(read_key(CLI_KEY_PRIVATE), APEX_ERR_NOT_FOUND);
    put("", 0, 0600);
    ck_assert_int_eq(read_key(CLI_KEY_PRIVATE), APEX_ERR_PARSE);
    ck_assert_str_eq(why, expected);
    put(text_of_0_to_31, sizeof text_of_0_to_31, 0600); // with its zero
    ck_assert_int_eq(read_key(CLI_KEY_PRIVATE), APEX_ERR_PARSE);
    memset(huge, '#', sizeof huge);
    put(huge, sizeof huge, 0600);
    ck_assert_int_eq(read_key(CLI_KEY_PRIVATE), APEX_ERR_RANGE);
    ck_assert_str_eq(why, expected);
    unlink(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0); // which nobody writes to
    ck_assert_int_eq(read_key(CLI_KEY_PRIVATE), APEX_ERR_INVALID);
    unlink(path);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(read_key(CLI_KEY_PRIVATE), APEX_ERR_INVALID);
    ck_assert_str_eq(why, expected);
}

TEST(a_folder_that_cannot_be_made_is_named) {
    ck_assert_int_lt(cli_key_file_write("/dev/null/apex/driver.key", &key, why), 0);
    ck_assert_ptr_nonnull(strstr(why, "/dev/null/apex/driver.key: "));
}

TEST(files_are_where_the_desktop_wants_them) {
    char found[CLI_PATH_BYTES];
    char expected[CLI_PATH_BYTES];
    ck_assert(cli_user_file_path("servers", found));
    snprintf(expected, sizeof expected, "%s/.config/apex/servers", home);
    ck_assert_str_eq(found, expected);
    setenv("XDG_CONFIG_HOME", "relative", 1); // which is none, says the specification
    ck_assert(cli_user_file_path("servers", found));
    ck_assert_str_eq(found, expected);
    setenv("XDG_CONFIG_HOME", "/etc/somewhere", 1);
    ck_assert(cli_user_file_path("servers", found));
    ck_assert_str_eq(found, "/etc/somewhere/apex/servers");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    ck_assert(!cli_user_file_path("servers", found));
}

// Known servers.

static const char *servers_path(void) {
    static char found[CLI_PATH_BYTES];
    ck_assert(cli_user_file_path("servers", found));
    return found;
}

static void put_servers(const char *text) {
    ck_assert_int_eq(cli_user_folder_make(servers_path()), APEX_OK);
    put_file(servers_path(), text, strlen(text), 0600);
}

static const char *servers_text(void) {
    static char text[4096];
    cli_user_read read;
    ck_assert_int_eq(cli_user_file_read(servers_path(), text, sizeof text, &read), APEX_OK);
    return text;
}

static cli_known_server find(const char *place) {
    client_endpoint server;
    cli_known_server known;
    const char *problem;
    ck_assert(client_endpoint_parse(place, &server, &problem));
    ck_assert(cli_known_servers_find(&server, &known));
    return known;
}

static void fill(uint8_t out[APEX_CLIENT_KEY_BYTES], uint8_t byte) {
    memset(out, byte, APEX_CLIENT_KEY_BYTES);
}

#define KEY_11 "1111111111111111111111111111111111111111111111111111111111111111"
#define KEY_22 "2222222222222222222222222222222222222222222222222222222222222222"
#define KEY_33 "3333333333333333333333333333333333333333333333333333333333333333"

TEST(a_server_is_known_after_it_was_kept) {
    uint8_t server_key[APEX_CLIENT_KEY_BYTES];
    fill(server_key, 0x11);
    cli_known_server known = find("Race.Example:26001");
    ck_assert_uint_eq(known.line, 0);
    ck_assert_int_eq(cli_known_servers_keep(&known, server_key), APEX_OK);
    ck_assert_str_eq(servers_text(), "race.example:26001 " KEY_11 "\n");
    ck_assert_uint_eq(mode_of(servers_path()), 0600);
    known = find("race.example:26001");
    ck_assert_uint_eq(known.line, 1);
    ck_assert_mem_eq(known.key, server_key, sizeof server_key);
    ck_assert_uint_eq(find("race.example:26002").line, 0);
    ck_assert_uint_eq(find("race.example").line, 0);
    ck_assert_uint_eq(find("ace.example:26001").line, 0);
}

TEST(a_line_is_replaced_and_all_others_stay) {
    uint8_t server_key[APEX_CLIENT_KEY_BYTES];
    put_servers("# mine\n\na.example:1 " KEY_11 "\nb.example:2 " KEY_11 "\n[fd00::1]:3 " KEY_22);
    fill(server_key, 0x33);
    cli_known_server known = find("b.example:2");
    ck_assert_uint_eq(known.line, 4);
    ck_assert_int_eq(cli_known_servers_keep(&known, server_key), APEX_OK);
    known = find("c.example:9");
    ck_assert_int_eq(cli_known_servers_keep(&known, server_key), APEX_OK);
    ck_assert_str_eq(servers_text(), "# mine\n\na.example:1 " KEY_11 "\nb.example:2 " KEY_33
                                     "\n[fd00::1]:3 " KEY_22 "\nc.example:9 " KEY_33 "\n");
    known = find("[fd00::1]:3");
    ck_assert_uint_eq(known.line, 5);
    ck_assert_uint_eq(known.key[31], 0x22);
}

// Another process may have written the file since this one read it.
TEST(what_another_has_kept_meanwhile_stays) {
    uint8_t server_key[APEX_CLIENT_KEY_BYTES];
    fill(server_key, 0x33);
    cli_known_server known = find("b.example:2");
    put_servers("a.example:1 " KEY_11 "\nb.example:2 " KEY_22 "\n");
    ck_assert_int_eq(cli_known_servers_keep(&known, server_key), APEX_OK);
    ck_assert_str_eq(servers_text(), "a.example:1 " KEY_11 "\nb.example:2 " KEY_33 "\n");
}

TEST(of_two_lines_of_a_server_the_first_counts) {
    put_servers("a.example:1 " KEY_11 "\na.example:1 " KEY_22 "\n");
    cli_known_server known = find("a.example:1");
    ck_assert_uint_eq(known.line, 1);
    ck_assert_uint_eq(known.key[0], 0x11);
}

TEST(a_server_on_this_machine_is_not_kept) {
    put_servers("127.0.0.1:26000 " KEY_11 "\n");
    static const char *const places[] = {"127.0.0.1", "127.3.2.1:5", "localhost:7", "[::1]:26000"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        cli_known_server known = find(places[i]);
        ck_assert_uint_eq(known.line, 0);
        ck_assert_str_eq(known.path, "");
    }
    ck_assert_str_ne(find("192.0.2.7").path, "");
    ck_assert_str_ne(find("127.example").path, ""); // a name, of anybody's machine
}

TEST(a_wrong_line_is_refused_wherever_it_stands) {
    static const char *const lines[] = {
        "b.example:2",
        "b.example:2 ",
        "b.example:2  " KEY_11,
        " b.example:2 " KEY_11,
        "b.example:2 " KEY_11 "1",
        "b.example:2 " KEY_11 " ",
        KEY_11,
        "b.example:2\t" KEY_11,
    };
    client_endpoint server = {.host = "a.example", .port = 1};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[512];
        cli_known_server known;
        snprintf(text, sizeof text, "a.example:1 " KEY_11 "\n%s\n", lines[i]);
        put_servers(text);
        ck_assert_msg(!cli_known_servers_find(&server, &known), "%s", lines[i]);
    }
}

TEST(a_list_that_cannot_be_one_is_refused) {
    client_endpoint server = {.host = "a.example", .port = 1};
    cli_known_server known;
    put_servers("");
    put_file(servers_path(), "#\0", 3, 0600); // with a zero in it
    ck_assert(!cli_known_servers_find(&server, &known));
    unlink(servers_path());
    ck_assert_int_eq(mkdir(servers_path(), 0700), 0);
    ck_assert(!cli_known_servers_find(&server, &known));
}

TEST(out_of_reach_nothing_is_kept) {
    uint8_t server_key[APEX_CLIENT_KEY_BYTES];
    fill(server_key, 0x33);
    setenv("XDG_CONFIG_HOME", "/dev/null", 1);
    cli_known_server known = find("a.example:1");
    ck_assert_uint_eq(known.line, 0);
    ck_assert_int_lt(cli_known_servers_keep(&known, server_key), 0);
}

TEST(without_a_home_nothing_is_kept) {
    unsetenv("HOME");
    ck_assert_str_eq(find("a.example:1").path, "");
}
