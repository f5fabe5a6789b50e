// Bytes brought to the disk, and names with them: POSIX calls, and what they leave undone when a
// machine stops.
#define _GNU_SOURCE // renameat2
#include "store/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

apex_err store_write_all(int file, const char *bytes, size_t length, int64_t at) {
    while (length > 0) {
        ssize_t written = pwrite(file, bytes, length, (off_t)at);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return apex_err_from_errno(errno);
        }
        bytes += written;
        length -= (size_t)written;
        at += written;
    }
    return APEX_OK;
}

apex_err store_read_all(int file, char *bytes, size_t length, int64_t at) {
    while (length > 0) {
        ssize_t got = pread(file, bytes, length, (off_t)at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got < 0 ? apex_err_from_errno(errno) : APEX_ERR_IO;
        }
        bytes += got;
        length -= (size_t)got;
        at += got;
    }
    return APEX_OK;
}

apex_err store_sync_folder_of(const char *path) {
    char copy[PATH_BYTES];
    snprintf(copy, sizeof copy, "%s", path);
    int directory = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
        return apex_err_from_errno(errno);
    }
    apex_err err = fsync(directory) == 0 ? APEX_OK : apex_err_from_errno(errno);
    close(directory);
    return err;
}

// The kernel refuses a name that is taken, so nobody can take it between a look and the rename.
// File systems that know no such rename, NFS among them, refuse a second link to a taken name as
// well.
apex_err store_put_in_place(const char *unfinished, const char *path) {
    if (renameat2(AT_FDCWD, unfinished, AT_FDCWD, path, RENAME_NOREPLACE) == 0) {
        return APEX_OK;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return apex_err_from_errno(errno);
    }
    if (link(unfinished, path) != 0) {
        return apex_err_from_errno(errno);
    }
    unlink(unfinished);
    return APEX_OK;
}

static apex_err write_whole(int file, const char *text, size_t length) {
    apex_err err = store_write_all(file, text, length, 0);
    return err == APEX_OK && fsync(file) != 0 ? apex_err_from_errno(errno) : err;
}

apex_err store_write_new_file(const char *path, const char *text, size_t length) {
    char unfinished[PATH_BYTES];
    int printed = snprintf(unfinished, sizeof unfinished, "%s.part", path);
    if (printed < 0 || (size_t)printed >= sizeof unfinished) {
        return APEX_ERR_INVALID;
    }
    struct stat info;
    if (lstat(path, &info) == 0) {
        return APEX_ERR_EXISTS; // before its text is written in vain
    }
    int file = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) {
        return apex_err_from_errno(errno);
    }
    apex_err err = write_whole(file, text, length);
    close(file);
    if (err == APEX_OK) {
        err = store_put_in_place(unfinished, path);
    }
    if (err != APEX_OK) {
        unlink(unfinished);
        return err;
    }
    err = store_sync_folder_of(path);
    if (err != APEX_OK) {
        unlink(path); // it is written anew by the next try, which would find its name taken
    }
    return err;
}
