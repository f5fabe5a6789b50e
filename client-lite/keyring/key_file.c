// A key that others may read is no longer one driver's: it is refused, as ssh refuses it.
#include "client-lite/keyring/key_file.h"

#include <stdio.h>
#include <string.h>

enum { SECRET_DIGITS = 2 * APEX_DRIVER_SECRET_BYTES };

static apex_err fail(char why[CLI_KEY_WHY_BYTES], apex_err err, const char *path,
                     const char *problem) {
    snprintf(why, CLI_KEY_WHY_BYTES, "%s: %s", path, problem);
    return err;
}

static bool read_secret(const char *line, size_t length, apex_driver_key *out) {
    char digits[SECRET_DIGITS + 1];
    uint8_t secret[APEX_DRIVER_SECRET_BYTES];
    if (length != SECRET_DIGITS) {
        return false;
    }
    memcpy(digits, line, SECRET_DIGITS);
    digits[SECRET_DIGITS] = '\0';
    bool is_read = apex_driver_key_read(digits, secret);
    if (is_read) {
        apex_driver_key_of(secret, out);
    }
    explicit_bzero(digits, sizeof digits);
    explicit_bzero(secret, sizeof secret);
    return is_read;
}

bool cli_key_text_read(const char *text, apex_driver_key *out) {
    size_t keys = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        size_t next = length + (text[length] == '\n');
        length -= length > 0 && text[length - 1] == '\r'; // it may have been on another system
        if (length > 0 && text[0] != '#') {
            keys++;
            if (!read_secret(text, length, out)) {
                return false;
            }
        }
        text += next;
    }
    return keys == 1;
}

void cli_key_name(const apex_driver_key *key, char out[APEX_FINGERPRINT_TEXT_BYTES]) {
    uint8_t fingerprint[APEX_FINGERPRINT_BYTES];
    apex_fingerprint(key->key, fingerprint);
    apex_fingerprint_text(fingerprint, out);
}

void cli_key_text_write(const apex_driver_key *key, char out[CLI_KEY_TEXT_BYTES]) {
    char name[APEX_FINGERPRINT_TEXT_BYTES];
    char digits[APEX_DRIVER_KEY_TEXT_BYTES];
    cli_key_name(key, name);
    apex_driver_key_text(key->secret, digits);
    snprintf(out, CLI_KEY_TEXT_BYTES,
             "# Key of the Apex driver %s. Whoever has this file is this driver: keep a copy, and "
             "show it to nobody.\n%s\n",
             name, digits);
    explicit_bzero(digits, sizeof digits);
}

static apex_err read_text(const char *path, char text[CLI_KEY_TEXT_BYTES], cli_user_read *read,
                          char why[CLI_KEY_WHY_BYTES]) {
    apex_err err = cli_user_file_read(path, text, CLI_KEY_TEXT_BYTES, read);
    bool is_other = err == APEX_ERR_RANGE || err == APEX_ERR_INVALID; // a long file, a folder
    return err == APEX_OK || is_other ? err : fail(why, err, path, apex_err_text(err));
}

apex_err cli_key_file_read(const char *path, cli_key_care care, apex_driver_key *out,
                           char why[CLI_KEY_WHY_BYTES]) {
    char text[CLI_KEY_TEXT_BYTES] = "";
    cli_user_read read = {0};
    why[0] = '\0';
    apex_err err = read_text(path, text, &read, why);
    if (err == APEX_OK && care == CLI_KEY_PRIVATE && read.others_may_read) {
        snprintf(why, CLI_KEY_WHY_BYTES, "others may read this key: chmod 600 %s", path);
        err = APEX_ERR_REFUSED;
    } else if (err == APEX_OK && (strlen(text) != read.length || !cli_key_text_read(text, out))) {
        err = APEX_ERR_PARSE;
    }
    explicit_bzero(text, sizeof text);
    if (err != APEX_OK && why[0] == '\0') {
        fail(why, err, path, "is no driver's key: expected one line of 64 hexadecimal digits");
    }
    return err;
}

apex_err cli_key_file_write(const char *path, const apex_driver_key *key,
                            char why[CLI_KEY_WHY_BYTES]) {
    char text[CLI_KEY_TEXT_BYTES];
    apex_err err = cli_user_folder_make(path);
    if (err == APEX_OK) {
        cli_key_text_write(key, text);
        err = cli_user_file_write(path, &(cli_user_text){.bytes = text, .length = strlen(text)});
        explicit_bzero(text, sizeof text);
    }
    return err == APEX_OK ? err : fail(why, err, path, apex_err_text(err));
}
