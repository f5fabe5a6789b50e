// The key file: written once, read ever after.
#include "program/server_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

static bool fail(char why[APEX_HOST_WHY_BYTES], const char *path, const char *problem) {
    snprintf(why, APEX_HOST_WHY_BYTES, "%s: %s", path, problem);
    return false;
}

void server_key_text(const uint8_t key[APEX_SEAL_KEY_BYTES], char out[SERVER_KEY_TEXT_BYTES]) {
    for (size_t i = 0; i < APEX_SEAL_KEY_BYTES; i++) {
        snprintf(out + 2 * i, 3, "%02x", key[i]);
    }
}

static bool parse(const char *text, uint8_t secret[APEX_SEAL_KEY_BYTES]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < (size_t)2 * APEX_SEAL_KEY_BYTES; i++) {
        const char *digit = text[i] != '\0' ? strchr(digits, text[i]) : NULL;
        if (digit == NULL) {
            return false;
        }
        secret[i / 2] = (uint8_t)(secret[i / 2] << 4 | (digit - digits));
    }
    return text[SERVER_KEY_TEXT_BYTES - 1] == '\n' && text[SERVER_KEY_TEXT_BYTES] == '\0';
}

static bool read_key(int file, const char *path, uint8_t secret[APEX_SEAL_KEY_BYTES],
                     char why[APEX_HOST_WHY_BYTES]) {
    char text[SERVER_KEY_TEXT_BYTES + 2] = "";
    struct stat about;
    ssize_t length = read(file, text, sizeof text - 1);
    bool is_whole = length == SERVER_KEY_TEXT_BYTES && parse(text, secret);
    if (fstat(file, &about) == 0 && (about.st_mode & 077) != 0) {
        apex_log(APEX_LOG_WARN, "main", "%s: others can read this key: chmod 600 %s", path, path);
    }
    return is_whole || fail(why, path,
                            "is no key file: expected one line of 64 digits and letters "
                            "from a to f; without the file a new one is made");
}

// Whole or not at all: what is cut short would be refused at the next start.
static bool write_key(int file, const char *path, const uint8_t secret[APEX_SEAL_KEY_BYTES],
                      char why[APEX_HOST_WHY_BYTES]) {
    char text[SERVER_KEY_TEXT_BYTES + 1];
    server_key_text(secret, text);
    text[SERVER_KEY_TEXT_BYTES - 1] = '\n';
    if (write(file, text, SERVER_KEY_TEXT_BYTES) == SERVER_KEY_TEXT_BYTES && fsync(file) == 0) {
        return true;
    }
    fail(why, path, strerror(errno));
    unlink(path);
    return false;
}

bool server_key_load(const char *path, uint8_t secret[APEX_SEAL_KEY_BYTES],
                     char why[APEX_HOST_WHY_BYTES]) {
    int made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made >= 0) {
        apex_seal_make_secret(secret);
        bool is_written = write_key(made, path, secret, why);
        close(made);
        return is_written;
    }
    int file = errno == EEXIST ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        return fail(why, path, strerror(errno));
    }
    bool is_read = read_key(file, path, secret, why);
    close(file);
    return is_read;
}
