// Errors as negative numbers: their names, and those of the operating system.
#include "base/error.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#ifndef __wasm__
#include <sys/resource.h>
#endif

const char *apex_err_name(int err) {
    switch (err) {
    case APEX_OK:
        return "OK";
#define APEX_ERR_CASE(name, value, text) \
    case value:                          \
        return #name;
        APEX_ERR_MAP(APEX_ERR_CASE)
#undef APEX_ERR_CASE
    default:
        return "UNKNOWN";
    }
}

// Sockets are files, too, which few would think of who read that there are too many of them.
static const char *too_many_files(void) {
    static _Thread_local char text[128];
    unsigned long long most = 0;
#ifndef __wasm__
    struct rlimit limit;
    most = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (unsigned long long)limit.rlim_cur : 0;
#endif
    snprintf(text, sizeof text,
             "all %llu files and sockets that this process may have are open: raise ulimit -n, or "
             "LimitNOFILE",
             most);
    return text;
}

static const char *text_of_table(int err) {
    switch (err) {
    case APEX_OK:
        return "no error";
#define APEX_ERR_CASE(name, value, text) \
    case value:                          \
        return text;
        APEX_ERR_MAP(APEX_ERR_CASE)
#undef APEX_ERR_CASE
    default:
        return "unknown error";
    }
}

const char *apex_err_text(int err) {
    switch (err) {
    case APEX_ERR_FILES:
        return too_many_files();
    case APEX_ERR_FILES_ALL:
        return "all files that this machine may have are open: close programs, or raise "
               "fs.file-max";
    default:
        return text_of_table(err);
    }
}

apex_err apex_err_from_errno(int error_number) {
    switch (error_number) {
    case 0:
        return APEX_OK;
    case EINVAL:
        return APEX_ERR_INVALID;
    case ENOMEM:
        return APEX_ERR_NO_MEMORY;
    case ENOENT:
    case ENOTDIR:
        return APEX_ERR_NOT_FOUND;
    case EEXIST:
        return APEX_ERR_EXISTS;
    case EADDRINUSE:
        return APEX_ERR_BUSY_PORT;
    case EACCES:
    case EPERM:
    case EROFS:
        return APEX_ERR_PERMISSION;
    case ERANGE:
    case EOVERFLOW:
        return APEX_ERR_RANGE;
    case ENOSPC:
    case EDQUOT:
        return APEX_ERR_FULL;
    case EMFILE:
        return APEX_ERR_FILES;
    case ENFILE:
        return APEX_ERR_FILES_ALL;
    case ETIMEDOUT:
        return APEX_ERR_TIMEOUT;
    case ECONNRESET:
    case EPIPE:
        return APEX_ERR_CLOSED;
    case ECONNREFUSED:
        return APEX_ERR_REFUSED;
    case ENETUNREACH:
    case EHOSTUNREACH:
    case EADDRNOTAVAIL:
        return APEX_ERR_UNREACHABLE;
    case ENOTSUP:
    case ENOSYS:
    case EAFNOSUPPORT:
        return APEX_ERR_UNSUPPORTED;
    case ECANCELED:
        return APEX_ERR_CANCELLED;
    default:
        return APEX_ERR_IO;
    }
}

const char *apex_errno_text(int error_number) {
    bool is_of_files = error_number == EMFILE || error_number == ENFILE;
    return is_of_files ? apex_err_text(apex_err_from_errno(error_number)) : strerror(error_number);
}
