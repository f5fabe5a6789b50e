/// Rows of field tables, so that a table reads as a table. A key that is also the name of the
/// struct's member is written once.
#pragma once

#include "base/range.h"
#include "content/fields/table.h"

#define FIELD(owner, word, kind, member, text) \
    .key = (word), .type = (kind), .offset = offsetof(owner, member), .help = (text)

/// @param pair as APEX_RANGE has it.
#define RANGE(pair)                       PAIR(min, max, pair)
#define SECOND_RANGE(pair)                PAIR(second_min, second_max, pair)
#define PAIR(first, second, ...)          PAIR_OF(first, second, __VA_ARGS__)
#define PAIR_OF(first, second, low, high) .first = (low), .second = (high)

#define REAL(owner, member, low, high, text) \
    { FIELD(owner, #member, CONTENT_REAL, member, text), .min = (low), .max = (high) }
#define NEED_REAL(owner, member, low, high, text)                                       \
    {                                                                                   \
        FIELD(owner, #member, CONTENT_REAL, member, text), .min = (low), .max = (high), \
                                                           .required = true             \
    }
/// As REAL and COUNT, within the range that is said beside the struct.
#define RANGED(owner, member, text) \
    { FIELD(owner, #member, CONTENT_REAL, member, text), RANGE(APEX_RANGE(owner, member)) }
#define RANGED_COUNT(owner, member, text) \
    { FIELD(owner, #member, CONTENT_COUNT, member, text), RANGE(APEX_RANGE(owner, member)) }
#define NEED_RANGED(owner, member, text)                                                     \
    {                                                                                        \
        FIELD(owner, #member, CONTENT_REAL, member, text), RANGE(APEX_RANGE(owner, member)), \
            .required = true                                                                 \
    }
#define ANGLE(owner, word, member, low, high, text) \
    { FIELD(owner, word, CONTENT_ANGLE, member, text), .min = (low), .max = (high) }
#define COUNT(owner, member, low, high, text) \
    { FIELD(owner, #member, CONTENT_COUNT, member, text), .min = (low), .max = (high) }
#define SEED(owner, member, text) \
    { FIELD(owner, #member, CONTENT_SEED, member, text) }
#define FLAG(owner, member, text) \
    { FIELD(owner, #member, CONTENT_FLAG, member, text) }
#define CHOICE(owner, member, words, text) \
    { FIELD(owner, #member, CONTENT_CHOICE, member, text), .choices = (words) }
#define TEXT(owner, member, text) \
    { FIELD(owner, #member, CONTENT_TEXT, member, text), .bytes = sizeof(((owner *)0)->member) }
#define NAME(owner, member, text) \
    { FIELD(owner, #member, CONTENT_NAME, member, text), .bytes = sizeof(((owner *)0)->member) }
#define NEED_NAME(owner, member, text)                                                            \
    {                                                                                             \
        FIELD(owner, #member, CONTENT_NAME, member, text), .bytes = sizeof(((owner *)0)->member), \
                                                           .required = true                       \
    }
#define MAP(owner, member, fields, text) \
    { FIELD(owner, #member, CONTENT_MAP, member, text), .table = &(fields) }
#define LIST(owner, member, counter, most, fields, first, text)                                \
    {                                                                                          \
        FIELD(owner, #member, CONTENT_LIST, member, text),                                     \
            .count_offset = offsetof(owner, counter), .count_max = (most), .table = &(fields), \
            .prototype = &(first), .bytes = sizeof(first)                                      \
    }
#define KIND(text) \
    { .key = "kind", .type = CONTENT_KIND, .help = (text), .required = true }
