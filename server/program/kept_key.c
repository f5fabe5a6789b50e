// A file for each port, since clients know a server by its port, and tokens that one server has
// taken would be good for another with the same key.
#include "program/kept_key.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "program/server_key.h"

enum { PATH_BYTES = APEX_CONTENT_PATH_BYTES };

static bool is_absolute(const char *path) {
    return path != NULL && path[0] == '/';
}

// systemd names several, with colons between. As the XDG Base Directory Specification has it, a
// path that is not absolute counts as none.
// @return false: there is none, or its path is too long.
static bool find_folder(char out[PATH_BYTES]) {
    const char *service = getenv("STATE_DIRECTORY");
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    if (is_absolute(service)) {
        length = snprintf(out, PATH_BYTES, "%.*s", (int)strcspn(service, ":"), service);
    } else if (is_absolute(state)) {
        length = snprintf(out, PATH_BYTES, "%s/apex", state);
    } else if (is_absolute(home)) {
        length = snprintf(out, PATH_BYTES, "%s/.local/state/apex", home);
    }
    return length > 0 && length < PATH_BYTES;
}

// For its owner alone, as that specification has it.
static bool make_folder(char folder[PATH_BYTES], char why[APEX_HOST_WHY_BYTES]) {
    for (char *end = folder; end != NULL;) {
        end = strchr(end + 1, '/');
        if (end != NULL) {
            *end = '\0';
        }
        bool is_there = mkdir(folder, 0700) == 0 || errno == EEXIST;
        if (!is_there) {
            snprintf(why, APEX_HOST_WHY_BYTES, "%s: %s", folder, apex_errno_text(errno));
            return false;
        }
        if (end != NULL) {
            *end = '/';
        }
    }
    return true;
}

// Servers of one port differ by their address.
static int name_file(const apex_race_file *file, const char *folder, char out[PATH_BYTES]) {
    char address[sizeof file->address + 1] = "";
    bool is_any = file->address[0] == '\0' || strcmp(file->address, "0.0.0.0") == 0 ||
                  strcmp(file->address, "::") == 0;
    if (!is_any) {
        snprintf(address, sizeof address, "%s-", file->address);
    }
    for (char *c = address; *c != '\0'; c++) {
        *c = isalnum((unsigned char)*c) || strchr(".:-", *c) != NULL ? *c : '_';
    }
    return snprintf(out, PATH_BYTES, "%s/server-%s%u.key", folder, address, file->port);
}

static bool find_place(const apex_race_file *file, char out[PATH_BYTES],
                       char why[APEX_HOST_WHY_BYTES]) {
    char folder[PATH_BYTES];
    if (!find_folder(folder)) {
        snprintf(why, APEX_HOST_WHY_BYTES, "there is no home directory");
        return false;
    }
    if (!make_folder(folder, why)) {
        return false;
    }
    int length = name_file(file, folder, out);
    if (length < 0 || length >= PATH_BYTES) {
        snprintf(why, APEX_HOST_WHY_BYTES, "%s: the path is too long", folder);
        return false;
    }
    return true;
}

static bool is_there(apex_err err) {
    return err == APEX_ERR_REFUSED || err == APEX_ERR_PARSE || err == APEX_ERR_EXISTS;
}

static bool choose_place(apex_server_def *def, kept_key *kept, char why[APEX_HOST_WHY_BYTES]) {
    apex_err err = APEX_ERR_NOT_FOUND;
    if (find_place(&def->file, kept->path, why)) {
        err = server_key_load(kept->path, def->seal_secret, why);
    }
    if (is_there(err)) {
        return false; // another key would turn away all who know this one
    }
    def->has_seal_secret = err == APEX_OK;
    if (!def->has_seal_secret) {
        memcpy(kept->why_not, why, sizeof kept->why_not);
    }
    return true;
}

bool kept_key_choose(apex_server_def *def, kept_key *kept, char why[APEX_HOST_WHY_BYTES]) {
    *kept = (kept_key){0};
    if (def->file.key_file[0] != '\0') {
        def->has_seal_secret = true;
        return server_key_load(def->file.key_file, def->seal_secret, why) == APEX_OK;
    }
    return def->file.port == 0 || choose_place(def, kept, why);
}

void kept_key_announce(const kept_key *kept) {
    if (kept->why_not[0] != '\0') {
        apex_log(APEX_LOG_WARN, "main",
                 "no key can be kept: %s; who knows this server is turned away after its next "
                 "start: name a file for the key by --key-file",
                 kept->why_not);
    } else if (kept->path[0] != '\0') {
        apex_log(APEX_LOG_INFO, "main", "clients know this server by the key in %s", kept->path);
    }
}
