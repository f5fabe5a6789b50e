/// Operating errors: what can go wrong in the world around a correct program. Functions that can
/// fail so return apex_err, or an int that is negative exactly when it is one of these.

#pragma once

/// X(name, value, text). Values are part of logs and files of results: add, never renumber.
#define APEX_ERR_MAP(X)                                       \
    X(INVALID, -1, "invalid argument")                        \
    X(NO_MEMORY, -2, "out of memory")                         \
    X(IO, -3, "input or output failed")                       \
    X(NOT_FOUND, -4, "not found")                             \
    X(EXISTS, -5, "exists already")                           \
    X(BUSY_PORT, -6, "address or port already in use")        \
    X(PERMISSION, -7, "permission denied")                    \
    X(PARSE, -8, "malformed input")                           \
    X(RANGE, -9, "value out of range")                        \
    X(FULL, -10, "no room left")                              \
    X(TIMEOUT, -11, "timed out")                              \
    X(CLOSED, -12, "closed by the other side")                \
    X(CORRUPT, -13, "data is corrupt")                        \
    X(VERSION, -14, "version does not match")                 \
    X(UNSUPPORTED, -15, "not supported")                      \
    X(REFUSED, -16, "refused")                                \
    X(UNREACHABLE, -17, "address cannot be reached")          \
    X(CANCELLED, -18, "cancelled")                            \
    X(MISMATCH, -19, "result differs from what was recorded") \
    X(STATE, -20, "not possible in the present state")        \
    X(IN_USE, -21, "in use by another program")               \
    X(FILES, -22, "too many open files")                      \
    X(FILES_ALL, -23, "the machine has too many open files")

typedef enum apex_err {
    APEX_OK = 0,
#define APEX_ERR_ENUMERATOR(name, value, text) APEX_ERR_##name = (value),
    APEX_ERR_MAP(APEX_ERR_ENUMERATOR)
#undef APEX_ERR_ENUMERATOR
} apex_err;

/// "OK", "NOT_FOUND", ...; "UNKNOWN" for a number that is not in the table. Never NULL.
const char *apex_err_name(int err);

/// A phrase for a person, without capital and full stop. Never NULL. Of what can be mended outside
/// the program it says how. Valid until the thread's next call.
const char *apex_err_text(int err);

/// What the system says of an errno value; apex_err_text's words where they say more. Never NULL.
const char *apex_errno_text(int error_number);

/// The code that describes an errno value best; IO when none does.
apex_err apex_err_from_errno(int error_number);
