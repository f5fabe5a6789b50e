/// Names that players give themselves: what may be one, and when two of them look like one
/// (DECISIONS 53). All functions may be called from several threads at once.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "proto/proto.h"

enum {
    APEX_NAME_MARKS_MAX = 3, ///< accents and the like on one letter
};

/// Makes of a name what is shown of it: in the normal form NFC, with no spaces at its ends and one
/// where there were several.
/// @param name any bytes, hostile ones too.
/// @return NULL, or a sentence that says why it cannot be used; `name` is then as it was.
const char *apex_name_tidy(char name[APEX_WIRE_NAME_BYTES]);

/// How a name looks to people.
typedef struct apex_name_look {
    uint64_t keys[2];
    bool is_bots; ///< like "Bot 1", "Bot 2", ..., which are names of the server's own drivers
} apex_name_look;

/// What looks are judged by: Unicode's table of characters that are confused.
typedef struct apex_name_judge apex_name_judge;

/// The judge is the caller's, to be destroyed; it costs a millisecond, once a process.
/// @return APEX_ERR_NO_MEMORY, APEX_ERR_UNSUPPORTED (the library lacks its tables).
apex_err apex_name_judge_create(apex_name_judge **out);
void apex_name_judge_destroy(apex_name_judge *judge);

/// About ten microseconds. @param name with its zero; any bytes.
/// @return false: too long for a name, or no UTF-8. Never for a name that has been tidied.
bool apex_name_look_of(const apex_name_judge *judge, const char *name, apex_name_look *out);
/// @return whether one of the two names passes for the other.
bool apex_name_looks_alike(const apex_name_look *a, const apex_name_look *b);
