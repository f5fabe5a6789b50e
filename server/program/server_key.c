// The key file: written once, read ever after. A key that others may read is no longer the server's
// alone: it is refused, as ssh refuses it.
#include "program/server_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/disk.h"

static apex_err fail(char why[APEX_HOST_WHY_BYTES], apex_err err, const char *path,
                     const char *problem) {
    snprintf(why, APEX_HOST_WHY_BYTES, "%s: %s", path, problem);
    return err;
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

static apex_err read_key(int file, const char *path, uint8_t secret[APEX_SEAL_KEY_BYTES],
                         char why[APEX_HOST_WHY_BYTES]) {
    char text[SERVER_KEY_TEXT_BYTES + 2] = "";
    struct stat about;
    if (fstat(file, &about) == 0 && (about.st_mode & 077) != 0) {
        snprintf(why, APEX_HOST_WHY_BYTES, "others can read this key: chmod 600 %s", path);
        return APEX_ERR_REFUSED;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    bool is_whole = length == SERVER_KEY_TEXT_BYTES && parse(text, secret);
    explicit_bzero(text, sizeof text);
    return is_whole ? APEX_OK
                    : fail(why, APEX_ERR_PARSE, path,
                           "is no key file: expected one line of 64 digits and letters from a to "
                           "f; without the file a new one is made");
}

static apex_err write_key(int file, const uint8_t secret[APEX_SEAL_KEY_BYTES]) {
    char text[SERVER_KEY_TEXT_BYTES + 1];
    server_key_text(secret, text);
    text[SERVER_KEY_TEXT_BYTES - 1] = '\n';
    apex_err err = store_write_all(file, text, SERVER_KEY_TEXT_BYTES, 0);
    explicit_bzero(text, sizeof text);
    return err == APEX_OK && fsync(file) != 0 ? apex_err_from_errno(errno) : err;
}

// Written beside its place and put there whole, so that nobody reads half a key, and of two servers
// that start at a time both have the one that was there first.
static apex_err make_key(const char *path, uint8_t secret[APEX_SEAL_KEY_BYTES]) {
    char beside[APEX_CONTENT_PATH_BYTES + 8];
    int length = snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    if (length < 0 || (size_t)length >= sizeof beside) {
        return APEX_ERR_RANGE;
    }
    int file = mkstemp(beside); // for its owner alone
    if (file < 0) {
        return apex_err_from_errno(errno);
    }
    apex_seal_make_secret(secret);
    apex_err err = write_key(file, secret);
    close(file);
    if (err == APEX_OK) {
        err = store_put_in_place(beside, path);
    }
    if (err != APEX_OK) {
        unlink(beside);
        return err;
    }
    return store_sync_folder_of(path);
}

static apex_err read_one(const char *path, uint8_t secret[APEX_SEAL_KEY_BYTES],
                         char why[APEX_HOST_WHY_BYTES]) {
    // A pipe that nobody writes to must not be waited for.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0) {
        apex_err err = read_key(file, path, secret, why);
        close(file);
        return err;
    }
    int problem = errno;
    bool is_there = access(path, F_OK) == 0;
    return fail(why, is_there ? (apex_err)APEX_ERR_EXISTS : apex_err_from_errno(problem), path,
                apex_errno_text(problem));
}

apex_err server_key_load(const char *path, uint8_t secret[APEX_SEAL_KEY_BYTES],
                         char why[APEX_HOST_WHY_BYTES]) {
    apex_err err = read_one(path, secret, why);
    if (err != APEX_ERR_NOT_FOUND) {
        return err;
    }
    err = make_key(path, secret);
    if (err == APEX_ERR_EXISTS) {
        return read_one(path, secret, why);
    }
    return err == APEX_OK ? APEX_OK : fail(why, err, path, apex_err_text(err));
}
