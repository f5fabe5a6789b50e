/// Inside of content: a YAML document, a table of fields for each kind of file, and the two things
/// done with a table: reading a document into a struct, and writing a struct as a file.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <yaml.h>

#include "content/content.h"

enum {
    CONTENT_FILE_BYTES_MAX = 8 << 20,
    CONTENT_DEPTH_MAX = 16,
    CONTENT_ITEMS_MAX = 8192,    ///< of one list or map: the longest is a track's points
    CONTENT_NODES_MAX = 1 << 17, ///< values in a file: a track of 8192 points with all six numbers
    CONTENT_FIELDS_MAX = 48,     ///< keys of one map
    CONTENT_FIELD_PATH_BYTES = 128,
};

#define CONTENT_RADIANS_PER_DEGREE 0.017453292519943295

// --- A document (document.c)
// ----------------------------------------------------------------------

/// A document being read. Every function that returns false has noted why here. The first problem
/// ends the reading, unless all are gathered: then the other fields of a map and the other items of
/// a list are read all the same, into a struct that nobody uses.
typedef struct content_source content_source;
typedef struct content_reader {
    yaml_document_t document;
    const yaml_node_t *root;
    const char *label;
    const char *text;
    const content_source *source;        ///< where files beside this one are; NULL: nowhere
    char path[CONTENT_FIELD_PATH_BYTES]; ///< of the field being read, "axles[1].tyre"
    size_t path_length;
    uint16_t *section_of_point; ///< of a track written as sections; else NULL
    size_t section_point_count;
    apex_err err; ///< of the first problem, like the next
    apex_content_problem problem;
    apex_content_problems *all; ///< NULL: the first is enough
    uint32_t others_count;      ///< of them, those of other files
} content_reader;

/// Loads exactly one document without anchors, aliases and tags. Close it whatever comes out.
bool content_open(content_reader *reader, const char *text, size_t length, const char *label);
void content_close(content_reader *reader);

/// Notes a problem at a place in the file, headed by the present path if there is one.
/// @return false, so that callers can return it.
__attribute__((format(printf, 4, 5))) bool content_fail(content_reader *reader, yaml_mark_t at,
                                                        apex_err err, const char *fmt, ...);

/// From here on all problems are noted in `all`, behind those that are there; NULL: only the first.
void content_gather(content_reader *reader, apex_content_problems *all);
/// After a problem: whether the next field or item is to be read.
bool content_goes_on(const content_reader *reader);
/// A problem of a file as a whole. NULL is fine.
void content_note(apex_content_problems *all, const apex_content_problem *problem);

/// Both return the length to give back to content_pop.
size_t content_push_key(content_reader *reader, const char *key);
size_t content_push_index(content_reader *reader, size_t index);
void content_pop(content_reader *reader, size_t length);

const yaml_node_t *content_node(content_reader *reader, int index);
/// Value of a key, or NULL; also NULL when `map` is none.
const yaml_node_t *content_find(content_reader *reader, const yaml_node_t *map, const char *key);
/// Items of a list; 0 for anything else.
size_t content_list_count(const yaml_node_t *list);
const yaml_node_t *content_list_item(content_reader *reader, const yaml_node_t *list, size_t index);
/// Refuses what is no list, or one of a length outside the range.
bool content_need_list(content_reader *reader, const yaml_node_t *node, size_t min, size_t max);

// --- Sections by the points they became (section_names.c)
bool content_begin_sections(content_reader *reader, size_t points);
void content_note_section(content_reader *reader, size_t point, size_t section);
/// Says sections[i] in place of points[k], if the file has sections.
void content_name_sections(const content_reader *reader, apex_def_problem *problem);

enum { CONTENT_QUOTE_BYTES = 64 };

/// Whether a node is this very word.
bool content_is(const yaml_node_t *node, const char *word);
/// The beginning of a scalar, fit for a message: no control characters, no half letters.
const char *content_quote(const yaml_node_t *node, char room[CONTENT_QUOTE_BYTES]);
/// "a list", "a map", "nothing" or the quoted text: what the author wrote, for a message.
const char *content_describe(const yaml_node_t *node, char room[CONTENT_QUOTE_BYTES]);
/// Where a field such as "axles[1].tyre.radius_m" stands; what an axle leaves to the whole car is
/// looked for there. The nearest enclosing field if it was left out.
yaml_mark_t content_locate(content_reader *reader, const char *path);

// --- Single values (value.c)
// ----------------------------------------------------------------------

/// Of the whole text, in any locale; false if it says anything but one decimal number.
bool content_number(const char *text, double *out);
bool content_read_real(content_reader *reader, const yaml_node_t *node, const double range[2],
                       double *out);
bool content_read_whole(content_reader *reader, const yaml_node_t *node, const uint64_t range[2],
                        uint64_t *out);
bool content_read_flag(content_reader *reader, const yaml_node_t *node, bool *out);
/// Any one-line text of valid UTF-8 that fits.
bool content_read_text(content_reader *reader, const yaml_node_t *node, char *out, size_t bytes);
/// Letters a-z, digits and '-'.
bool content_read_name(content_reader *reader, const yaml_node_t *node, char *out, size_t bytes);
bool content_read_choice(content_reader *reader, const yaml_node_t *node,
                         const char *const choices[], int *out);
/// Shortest text that reads back as the same number.
void content_print_real(double value, char room[32]);
/// Shortest degrees that read back as the same radians, or the nearest there are.
void content_print_degrees(double value_rad, char room[32]);

// --- Tables of fields (fields.c reads, write.c writes) ----------------------------------------

typedef enum content_type {
    CONTENT_KIND,   ///< the `kind` key, looked at before the rest
    CONTENT_REAL,   ///< double
    CONTENT_ANGLE,  ///< double in radians, degrees in the file
    CONTENT_COUNT,  ///< uint32_t
    CONTENT_PORT,   ///< uint16_t
    CONTENT_SEED,   ///< uint64_t
    CONTENT_FLAG,   ///< bool
    CONTENT_CHOICE, ///< an enum counted from 0
    CONTENT_NAME,   ///< char array, content_read_name
    CONTENT_TEXT,   ///< char array
    CONTENT_MAP,    ///< a struct
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
    size_t count_offset; ///< REALS, PAIRS, LIST: of the uint32_t count
    size_t count_min, count_max;
    size_t second_offset; ///< PAIRS: of the second array
    double second_scale;  ///< PAIRS: from the file's unit to the struct's
    double second_min, second_max;
    const char *const *choices; ///< CHOICE: ended by NULL
    const content_table *table; ///< MAP, LIST
    const void *prototype;      ///< LIST: an item before its keys are read
    bool (*read)(content_reader *reader, const yaml_node_t *node, void *base);
    void (*write)(content_writer *writer, const void *base); ///< CUSTOM; NULL: only a comment
};

/// Reads a map into the struct at `base`; keys left out leave their members as they are.
bool content_read_map(content_reader *reader, const yaml_node_t *node, const content_table *table,
                      void *base);

struct content_writer {
    FILE *out;
    int indent;
    const char *kind;
};

/// Writes every field with its value and its help. With `unlike` only fields that differ from it.
void content_write_map(content_writer *writer, const content_table *table, const void *base,
                       const void *unlike);
/// "1, 2.5", each number as short as it reads back to itself.
void content_write_reals(FILE *out, const double *values, size_t count);
bool content_fields_equal(const content_table *table, const void *a, const void *b);

#define CONTENT_TABLE(array) \
    { array, sizeof(array) / sizeof(array)[0] }

// --- Kinds of file ----------------------------------------------------------------------------

/// Either may be NULL.
bool content_read_car(content_reader *reader, apex_car_def *out, apex_car_published *published);
bool content_read_track(content_reader *reader, apex_track_def *out);
bool content_read_race(content_reader *reader, apex_race_file *out);
void content_write_car(FILE *out);
void content_write_track(FILE *out);
void content_write_race(FILE *out);

// --- Where files are (source.c)
// -------------------------------------------------------------------

struct content_source {
    char label[APEX_CONTENT_PATH_BYTES + 32]; ///< its path, or "shipped track ridgeway"
    const char *text;
    size_t length;
    char *owned; ///< NULL when the text ships inside the program
};

apex_err content_source_find(apex_content_kind kind, const char *name, const char *directory,
                             content_source *out, apex_content_problem *problem);
apex_err content_source_read(const char *path, content_source *out, apex_content_problem *problem);
/// A file that one in `of` names: in the same folder, or beside it inside the program.
/// @param name of a file, without any folder.
apex_err content_source_beside(const content_source *of, const char *name, content_source *out,
                               apex_content_problem *problem);
void content_source_free(content_source *source);
/// Tracks and cars that lie beside the race's own file are named by their whole path from here on.
void content_resolve_race(apex_race_file *race, const char *race_path);
const char *content_kind_word(apex_content_kind kind);
__attribute__((format(printf, 2, 3))) void content_explain(apex_content_problem *problem,
                                                           const char *fmt, ...);
