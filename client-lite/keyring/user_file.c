// A file is written beside its place and moved there, so that who reads it never sees half of it.
#include "client-lite/keyring/user_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// As the XDG Base Directory Specification has it, a path that is not absolute counts as none.
bool cli_user_file_path(const char *name, char out[CLI_PATH_BYTES]) {
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    if (config != NULL && config[0] == '/') {
        length = snprintf(out, CLI_PATH_BYTES, "%s/apex/%s", config, name);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(out, CLI_PATH_BYTES, "%s/.config/apex/%s", home, name);
    }
    return length > 0 && length < CLI_PATH_BYTES;
}

apex_err cli_user_folder_make(const char *path) {
    char folder[CLI_PATH_BYTES];
    int length = snprintf(folder, sizeof folder, "%s", path);
    if (length < 0 || (size_t)length >= sizeof folder) {
        return APEX_ERR_RANGE;
    }
    for (char *end = strchr(folder + 1, '/'); end != NULL; end = strchr(end + 1, '/')) {
        *end = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
            return apex_err_from_errno(errno);
        }
        *end = '/';
    }
    return APEX_OK;
}

static bool write_all(int file, const cli_user_text *text) {
    size_t written = 0;
    while (written < text->length) {
        ssize_t count = write(file, text->bytes + written, text->length - written);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        written += count > 0 ? (size_t)count : 0;
    }
    return fsync(file) == 0;
}

// Not every file system has links: a stick's has none. There it is written where it belongs.
static apex_err write_in_place(const char *path, const cli_user_text *text) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return apex_err_from_errno(errno);
    }
    apex_err err = write_all(file, text) ? APEX_OK : apex_err_from_errno(errno);
    close(file);
    if (err != APEX_OK) {
        unlink(path);
    }
    return err;
}

static apex_err move(const char *from, const char *path, const cli_user_text *text) {
    if (text->replaces) {
        return rename(from, path) == 0 ? APEX_OK : apex_err_from_errno(errno);
    }
    if (link(from, path) == 0) {
        return APEX_OK;
    }
    bool has_links = errno == EEXIST || errno == ENOENT || errno == ENOSPC || errno == EACCES;
    return has_links ? apex_err_from_errno(errno) : write_in_place(path, text);
}

apex_err cli_user_file_write(const char *path, const cli_user_text *text) {
    char beside[CLI_PATH_BYTES + 8];
    snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    int file = mkstemp(beside); // for its owner alone
    if (file < 0) {
        return apex_err_from_errno(errno);
    }
    apex_err err = write_all(file, text) ? APEX_OK : apex_err_from_errno(errno);
    close(file);
    if (err == APEX_OK) {
        err = move(beside, path, text);
    }
    unlink(beside);
    return err;
}

static apex_err read_all(int file, char *out, size_t capacity, size_t *length) {
    *length = 0;
    ssize_t count = 1;
    while (count != 0 && *length < capacity) {
        count = read(file, out + *length, capacity - *length);
        if (count < 0 && errno != EINTR) {
            return apex_err_from_errno(errno);
        }
        *length += count > 0 ? (size_t)count : 0;
    }
    if (*length == capacity) {
        return APEX_ERR_RANGE;
    }
    out[*length] = '\0';
    return APEX_OK;
}

apex_err cli_user_file_read(const char *path, char *out, size_t capacity, cli_user_read *read) {
    struct stat about;
    // A pipe that nobody writes to must not be waited for.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return apex_err_from_errno(errno);
    }
    apex_err err = APEX_ERR_INVALID;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
        read->others_may_read = (about.st_mode & 077) != 0;
        err = read_all(file, out, capacity, &read->length);
    }
    close(file);
    return err;
}
