// Everybody on a machine can read command lines, so that a password need not stand on one.
#include "program/join_password.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "proto/proto.h"

static bool fail(char why[APEX_HOST_WHY_BYTES], const char *where, const char *problem) {
    snprintf(why, APEX_HOST_WHY_BYTES, "%.300s: %s", where, problem);
    return false;
}

static bool take(apex_race_file *file, const char *text, const char *where,
                 char why[APEX_HOST_WHY_BYTES]) {
    char room[96];
    if (text[0] == '\0') {
        return fail(why, where, "the password is empty: leave it out where none is wanted");
    }
    if (strlen(text) >= sizeof file->password) {
        snprintf(room, sizeof room, "a password has at most %zu bytes", sizeof file->password - 1);
        return fail(why, where, room);
    }
    memset(file->password, 0, sizeof file->password);
    memcpy(file->password, text, strlen(text));
    return true;
}

// The first line, without its end.
static bool take_file(apex_race_file *file, const char *path, const char *at,
                      char why[APEX_HOST_WHY_BYTES]) {
    char line[256] = "", where[2 * APEX_CONTENT_PATH_BYTES];
    snprintf(where, sizeof where, "%s%s", at, path);
    FILE *opened = fopen(path, "re");
    if (opened == NULL) {
        return fail(why, where, strerror(errno));
    }
    struct stat about;
    if (fstat(fileno(opened), &about) == 0 && (about.st_mode & 077) != 0) {
        apex_log(APEX_LOG_WARN, "main", "%s: others can read this password: chmod 600 %s", path,
                 path);
    }
    bool is_read = fgets(line, sizeof line, opened) != NULL || feof(opened);
    fclose(opened);
    if (!is_read) {
        return fail(why, where, "cannot be read");
    }
    line[strcspn(line, "\r\n")] = '\0';
    return take(file, line, where, why);
}

static bool choose(const server_options *options, apex_race_file *file,
                   char why[APEX_HOST_WHY_BYTES]) {
    const char *of_environment = getenv("APEX_PASSWORD");
    if (options->password != NULL && options->password_file != NULL) {
        return fail(why, "--password-file", "there is a --password already: keep one of the two");
    }
    if (options->password != NULL) {
        return true; // it has been put over the file's
    }
    if (options->password_file != NULL) {
        return take_file(file, options->password_file, "--password-file ", why);
    }
    if (of_environment != NULL) {
        return take(file, of_environment, "APEX_PASSWORD", why);
    }
    return file->password_file[0] == '\0' ||
           take_file(file, file->password_file, file->password_file_at, why);
}

bool join_password_choose(const server_options *options, apex_race_file *file,
                          char why[APEX_HOST_WHY_BYTES]) {
    if (!choose(options, file, why)) {
        return false;
    }
    // Text of the wire is held to more than text of a file: nobody could say such a password.
    bool is_ok = apex_wire_text_ok(file->password, strlen(file->password));
    return is_ok || fail(why, "password",
                         "has characters that no client can send: write UTF-8 text without "
                         "control characters");
}
