// Errors as negative numbers: their names, and those of the operating system.
#include "base/error.h"

#include <errno.h>

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

const char *apex_err_text(int err) {
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
    case EMFILE:
    case ENFILE:
    case EDQUOT:
        return APEX_ERR_FULL;
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
