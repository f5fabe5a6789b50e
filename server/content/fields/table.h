/// Tables of fields: the keys of a map in a file, each with the member of a struct that it fills.
/// Two things are done with a table: reading a document into a struct, and writing a struct as a
/// file.
#pragma once

#include "content/document/reader.h"

typedef enum content_type {
    CONTENT_KIND,   ///< the `kind` key, looked at before the rest
    CONTENT_REAL,   ///< double
    CONTENT_ANGLE,  ///< double in radians, degrees in the file
    CONTENT_SPEED,  ///< double in m/s, km/h in the file
    CONTENT_COUNT,  ///< uint32_t
    CONTENT_PORT,   ///< uint16_t
    CONTENT_SEED,   ///< uint64_t
    CONTENT_FLAG,   ///< bool
    CONTENT_CHOICE, ///< an enum counted from 0
    CONTENT_NAME,   ///< char array, content_read_name
    CONTENT_TEXT,   ///< char array
    CONTENT_MAP,    ///< a struct
    CONTENT_SWITCH, ///< a struct whose first member says whether it is on: also "on" or "off"
    CONTENT_REALS,  ///< double array with a count
    CONTENT_PAIRS,  ///< two double arrays with one count: [first, second], first rising
    CONTENT_LIST,   ///< array of structs with a count
    CONTENT_CUSTOM, ///< its own functions
} content_type;

typedef struct content_field content_field;
typedef struct content_writer content_writer;

typedef struct content_table {
    const content_field *fields;
    size_t count;
} content_table;

/// One key of a map. Fields are read in the order of the table, whatever the file's order is, so a
/// later one may build on an earlier one.
struct content_field {
    const char *key;
    const char *help; ///< a phrase, without full stop
    content_type type;
    bool required;
    bool old;       ///< its place in the file was another once: still read, not written
    bool allocated; ///< LIST: the struct holds a pointer to items from the heap
    bool alone;     ///< CUSTOM: it can be read after a problem, as it needs no earlier field
    size_t offset;  ///< in the struct that the table describes
    size_t bytes;   ///< NAME, TEXT: of the array; LIST: of one item
    double min, max;
    size_t count_offset;         ///< REALS, PAIRS, LIST: of the uint32_t count
    size_t count_min, count_max; ///< a CUSTOM one with a table is a list if it may have items
    size_t second_offset;        ///< PAIRS: of the second array
    double second_scale;         ///< PAIRS: from the file's unit to the struct's
    double second_min, second_max;
    const char *const *choices; ///< CHOICE: ended by NULL
    const content_table *table; ///< MAP, SWITCH, LIST
    const void *prototype;      ///< LIST: an item before its keys are read
    bool (*read)(content_reader *reader, const yaml_node_t *node, void *base);
    void (*write)(content_writer *writer, const void *base); ///< CUSTOM; NULL: only a comment
};

#define CONTENT_TABLE(array) \
    { array, sizeof(array) / sizeof(array)[0] }
