/// Rows of field tables, so that a table reads as a table. A key that is also the name of the
/// struct's member is written once.
#pragma once

#include "base/range.h"
#include "content/document/value.h"
#include "content/fields/table.h"

#define FIELD(owner, word, kind, member, text) \
    .key = (word), .type = (kind), .offset = offsetof(owner, member), .help = (text)

/// Both take a pair as APEX_RANGE has it.
#define RANGE(...)                        PAIR(min, max, __VA_ARGS__)
#define SECOND_RANGE(...)                 PAIR(second_min, second_max, __VA_ARGS__)
#define PAIR(first, second, ...)          PAIR_OF(first, second, __VA_ARGS__)
#define PAIR_OF(first, second, low, high) .first = (low), .second = (high)
/// A pair of radians, as a file has it.
#define DEGREES(...) DEGREES_OF(__VA_ARGS__)
#define DEGREES_OF(low, high) \
    (low) / CONTENT_RADIANS_PER_DEGREE, (high) / CONTENT_RADIANS_PER_DEGREE

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
/// Within the range of another struct's member of this name.
#define REAL_AS(owner, member, other, text) \
    { FIELD(owner, #member, CONTENT_REAL, member, text), RANGE(APEX_RANGE(other, member)) }
#define RANGED_COUNT(owner, member, text) \
    { FIELD(owner, #member, CONTENT_COUNT, member, text), RANGE(APEX_RANGE(owner, member)) }
#define NEED_RANGED(owner, member, text)                                                     \
    {                                                                                        \
        FIELD(owner, #member, CONTENT_REAL, member, text), RANGE(APEX_RANGE(owner, member)), \
            .required = true                                                                 \
    }
#define ANGLE_RANGED(owner, word, member, text) \
    { FIELD(owner, word, CONTENT_ANGLE, member, text), RANGE(DEGREES(APEX_RANGE(owner, member))) }
#define ANGLE(owner, word, member, low, high, text) \
    { FIELD(owner, word, CONTENT_ANGLE, member, text), .min = (low), .max = (high) }
/// A member in m/s, whose range is a pair of them; km/h in the file.
#define SPEED_RANGED(owner, word, member, text) \
    { FIELD(owner, word, CONTENT_SPEED, member, text), RANGE(KMPH(APEX_RANGE(owner, member))) }
/// A pair of m/s, as a file has it.
#define KMPH(...)          KMPH_OF(__VA_ARGS__)
#define KMPH_OF(low, high) (low) * CONTENT_KMPH_PER_MPS, (high)*CONTENT_KMPH_PER_MPS
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
#define SWITCH(owner, word, member, fields, text) \
    { FIELD(owner, word, CONTENT_SWITCH, member, text), .table = &(fields) }
#define LIST(owner, member, counter, most, fields, first, text)                                \
    {                                                                                          \
        FIELD(owner, #member, CONTENT_LIST, member, text),                                     \
            .count_offset = offsetof(owner, counter), .count_max = (most), .table = &(fields), \
            .prototype = &(first), .bytes = sizeof(first)                                      \
    }
#define KIND(text) \
    { .key = "kind", .type = CONTENT_KIND, .help = (text), .required = true }
