// The file is read whole and written whole, while others that do the same wait: its folder is
// locked, since a file that is replaced takes its lock with it.
#include "client-lite/keyring/known_servers.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "client-lite/cli/complain.h"
#include "identity/identity.h"

enum { FILE_BYTES_MAX = 1 << 18, KEY_DIGITS = APEX_DRIVER_KEY_TEXT_BYTES - 1 };
enum { LINE_BYTES_MAX = CLI_PLACE_BYTES + KEY_DIGITS + 2 };

_Static_assert((int)APEX_CLIENT_KEY_BYTES == (int)APEX_DRIVER_KEY_BYTES, "one kind of text");

typedef struct line {
    const char *text;
    size_t length; // without its end
    uint32_t number;
} line;

// @return where the next one begins; NULL: this was none.
static const char *next_line(const char *from, line *out) {
    if (*from == '\0') {
        return NULL;
    }
    size_t length = strcspn(from, "\n");
    *out = (line){.text = from, .length = length, .number = out->number + 1};
    return from + length + (from[length] == '\n');
}

static bool says_nothing(const line *of) {
    return of->length == 0 || of->text[0] == '#';
}

// @return false where it is no "PLACE KEY".
static bool parse(const line *of, char place[CLI_PLACE_BYTES], uint8_t key[APEX_CLIENT_KEY_BYTES]) {
    char digits[KEY_DIGITS + 1];
    const char *space = memchr(of->text, ' ', of->length);
    size_t place_bytes = space != NULL ? (size_t)(space - of->text) : of->length;
    if (space == NULL || place_bytes == 0 || place_bytes >= CLI_PLACE_BYTES ||
        of->length - place_bytes - 1 != KEY_DIGITS) {
        return false;
    }
    memcpy(place, of->text, place_bytes);
    place[place_bytes] = '\0';
    memcpy(digits, space + 1, KEY_DIGITS);
    digits[KEY_DIGITS] = '\0';
    return apex_driver_key_read(digits, key);
}

// @return the number of a wrong line; 0: there is none. Fills in line and key where the place is.
static uint32_t find_place(const char *text, cli_known_server *out) {
    line at = {0};
    char place[CLI_PLACE_BYTES];
    uint8_t key[APEX_CLIENT_KEY_BYTES];
    out->line = 0;
    for (const char *next = next_line(text, &at); next != NULL; next = next_line(next, &at)) {
        if (says_nothing(&at)) {
            continue;
        }
        if (!parse(&at, place, key)) {
            return at.number;
        }
        if (out->line == 0 && strcmp(place, out->place) == 0) {
            out->line = at.number;
            memcpy(out->key, key, sizeof out->key);
        }
    }
    return 0;
}

static bool is_own_machine(const char *host) {
    bool is_ipv4 = host[strspn(host, "0123456789.")] == '\0';
    return strcmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 ||
           (is_ipv4 && strncmp(host, "127.", 4) == 0);
}

static void put_place(const client_endpoint *server, char out[CLI_PLACE_BYTES]) {
    bool is_v6 = strchr(server->host, ':') != NULL;
    snprintf(out, CLI_PLACE_BYTES, is_v6 ? "[%s]:%u" : "%s:%u", server->host,
             (unsigned)server->port);
    for (char *at = out; *at != '\0'; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
}

// Without a file nothing is known.
static apex_err read_file(const char *path, char *text) {
    cli_user_read read = {0};
    text[0] = '\0';
    apex_err err = cli_user_file_read(path, text, FILE_BYTES_MAX, &read);
    if (err == APEX_ERR_NOT_FOUND) {
        text[0] = '\0';
        return APEX_OK;
    }
    return err == APEX_OK && strlen(text) != read.length ? APEX_ERR_PARSE : err;
}

// Where the home is another user's, or none, nobody has been met; a file that is no list is
// refused.
static bool may_do_without(cli_known_server *out, apex_err err) {
    bool is_away = err == APEX_ERR_PERMISSION || err == APEX_ERR_IO;
    cli_complain("%s%s: %s", is_away ? "no server is known again: " : "", out->path,
                 apex_err_text(err));
    out->path[0] = '\0';
    return is_away;
}

bool cli_known_servers_find(const client_endpoint *server, cli_known_server *out) {
    *out = (cli_known_server){0};
    put_place(server, out->place);
    bool is_kept = !is_own_machine(server->host) && strchr(out->place, ' ') == NULL;
    if (!is_kept || !cli_user_file_path("servers", out->path)) {
        out->path[0] = '\0';
        return true;
    }
    char *text = malloc(FILE_BYTES_MAX);
    apex_err err = text != NULL ? read_file(out->path, text) : APEX_ERR_NO_MEMORY;
    uint32_t wrong = err == APEX_OK ? find_place(text, out) : 0;
    free(text);
    if (wrong != 0) {
        cli_complain("%s:%u: expected HOST:PORT and a key of 64 hexadecimal digits: mend the line, "
                     "or delete it",
                     out->path, (unsigned)wrong);
        return false;
    }
    return err == APEX_OK || may_do_without(out, err);
}

static size_t put_line(char *out, const char *place, const uint8_t key[APEX_CLIENT_KEY_BYTES]) {
    char digits[APEX_DRIVER_KEY_TEXT_BYTES];
    apex_driver_key_text(key, digits);
    return (size_t)snprintf(out, LINE_BYTES_MAX + 1, "%s %s\n", place, digits);
}

// The file with this server's line in place of the one that it has, or behind all others.
static size_t put_file(const char *text, const cli_known_server *known,
                       const uint8_t key[APEX_CLIENT_KEY_BYTES], char *out) {
    line at = {0};
    size_t length = 0;
    for (const char *next = next_line(text, &at); next != NULL; next = next_line(next, &at)) {
        if (at.number == known->line) {
            length += put_line(out + length, known->place, key);
            continue;
        }
        memcpy(out + length, at.text, at.length);
        length += at.length;
        out[length++] = '\n';
    }
    if (known->line == 0) {
        length += put_line(out + length, known->place, key);
    }
    return length;
}

static apex_err rewrite(cli_known_server *known, const uint8_t key[APEX_CLIENT_KEY_BYTES],
                        char *text, char *out) {
    apex_err err = read_file(known->path, text);
    if (err != APEX_OK) {
        return err;
    }
    if (find_place(text, known) != 0) {
        return APEX_ERR_PARSE;
    }
    size_t length = put_file(text, known, key, out);
    if (length >= FILE_BYTES_MAX) {
        return APEX_ERR_FULL;
    }
    return cli_user_file_write(known->path,
                               &(cli_user_text){.bytes = out, .length = length, .replaces = true});
}

static int lock_folder(const char *path) {
    char folder[CLI_PATH_BYTES];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    int held = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (held >= 0) {
        (void)flock(held, LOCK_EX); // where there are no locks, two at once lose one of two lines
    }
    return held;
}

apex_err cli_known_servers_keep(cli_known_server *known, const uint8_t key[APEX_CLIENT_KEY_BYTES]) {
    apex_err err = cli_user_folder_make(known->path);
    if (err != APEX_OK) {
        return err;
    }
    char *text = malloc(FILE_BYTES_MAX);
    char *out = malloc(FILE_BYTES_MAX + LINE_BYTES_MAX + 2);
    int held = lock_folder(known->path);
    err = text != NULL && out != NULL ? rewrite(known, key, text, out) : APEX_ERR_NO_MEMORY;
    if (held >= 0) {
        close(held);
    }
    free(out);
    free(text);
    return err;
}
