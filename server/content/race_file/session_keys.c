/// The sessions of an event: each starts from what is usual for its type.
#include "content/race_file/session_keys.h"
#include "content/race_file/grid_keys.h"

#include <stdio.h>
#include <string.h>

#include "content/document/nodes.h"
#include "content/document/value.h"
#include "content/fields/field_macros.h"
#include "content/fields/fields.h"
#include "race/weekend_def_ranges.h"

_Static_assert(sizeof(apex_session_kind) == sizeof(int), "choices are stored as int");
_Static_assert(sizeof(apex_start_kind) == sizeof(int), "like this one");

static const char *const kinds[] = {"practice", "qualifying", "warm-up", "race", NULL};
static const char *const starts[] = {"standing", "rolling", NULL};

static bool read_window(content_reader *reader, const yaml_node_t *node, void *base);
static bool read_points(content_reader *reader, const yaml_node_t *node, void *base);
static bool read_tyres(content_reader *reader, const yaml_node_t *node, void *base);

#define OF_SESSION(word, kind, member, text) FIELD(content_session, word, kind, def.member, text)
#define TIME_KEY(member, text) \
    { OF_SESSION(#member, CONTENT_REAL, member, text), RANGE(APEX_RANGE(apex_session_def, member)) }
#define LIST_KEY(word, reader, text) \
    { .key = (word), .type = CONTENT_CUSTOM, .read = (reader), .help = (text) }

static const content_field session_fields[] = {
    {OF_SESSION("type", CONTENT_CHOICE, kind, "practice, qualifying, warm-up or race"),
     .choices = kinds, .required = true},
    {OF_SESSION("name", CONTENT_TEXT, name, "what people read; empty: its type"),
     .bytes = APEX_NAME_BYTES},
    {OF_SESSION("laps", CONTENT_COUNT, laps, "of a race; 0: by time alone"),
     RANGE(APEX_RANGE(apex_session_def, laps))},
    REAL(content_session, minutes, 0, 1440, "its time; of a race with laps, what comes first"),
    REAL(content_session, seconds, 0, 86400, "the same, where minutes are too long"),
    {OF_SESSION("extra_lap", CONTENT_FLAG, extra_lap,
                "a race by time: one lap more than the one in which it runs out")},
    TIME_KEY(overtime_s, "not of a race: a lap that was begun in time may end so much later"),
    TIME_KEY(finish_wait_s, "of a race: for the others after the winner"),
    TIME_KEY(results_s, "results stand before the next session"),
    {OF_SESSION("start", CONTENT_CHOICE, start, "of a race: standing or rolling"),
     .choices = starts},
    {OF_SESSION("rolling_kmph", CONTENT_SPEED, rolling_mps, "behind the leader, before it"),
     RANGE(KMPH(APEX_RANGE(apex_session_def, rolling_mps)))},
    LIST_KEY("grid", content_read_grid,
             "who takes part: {from, by, places, reverse, class}, or a list of them"),
    {OF_SESSION("takes_rest", CONTENT_FLAG, takes_rest, "others start behind; else they watch")},
    {OF_SESSION("stops", CONTENT_COUNT, stops_min, "of a race: mandatory pit stops"),
     RANGE(APEX_RANGE(apex_session_def, stops_min))},
    LIST_KEY("window_min", read_window, "[from, to] in minutes of the race, in which they count"),
    LIST_KEY("tyres", read_tyres, "compounds that may be driven on; empty: all"),
    LIST_KEY("points", read_points, "of a race: for each place, or f1 or sprint"),
    {OF_SESSION("best_lap_points", CONTENT_COUNT, best_lap_points, "of a race"),
     RANGE(APEX_RANGE(apex_session_def, points))},
};
const content_table content_session_table = CONTENT_TABLE(session_fields);

const content_session content_first_session = {.def = {.kind = APEX_SESSION_PRACTICE,
                                                       .overtime_s = 120,
                                                       .finish_wait_s = 60,
                                                       .results_s = 30,
                                                       .rolling_mps = 80 / CONTENT_KMPH_PER_MPS,
                                                       .takes_rest = true},
                                               .minutes = 10};

static bool read_window(content_reader *reader, const yaml_node_t *node, void *base) {
    content_session *session = base;
    if (content_list_count(node) == 0 && node->type == YAML_SEQUENCE_NODE) {
        return true; // as if it were left out
    }
    const double minutes[2] = {0, 1440};
    double from = 0, to = 0;
    if (!content_need_list(reader, node, 2, 2) ||
        !content_read_real(reader, content_list_item(reader, node, 0), minutes, &from) ||
        !content_read_real(reader, content_list_item(reader, node, 1), minutes, &to)) {
        return false;
    }
    session->def.window_from_s = from * 60.0;
    session->def.window_to_s = to * 60.0;
    return true;
}

static bool read_point(content_reader *reader, const yaml_node_t *item, size_t index, void *base) {
    content_session *session = base;
    const double ends[2] = {APEX_RANGE(apex_session_def, points)};
    uint64_t points = 0;
    bool good = content_read_whole(reader, item,
                                   (uint64_t[2]){(uint64_t)ends[0], (uint64_t)ends[1]}, &points);
    session->def.points[index] = (uint32_t)points;
    return good;
}

// Points of Formula One, by their names.
static bool read_points(content_reader *reader, const yaml_node_t *node, void *base) {
    static const uint32_t f1[] = {25, 18, 15, 12, 10, 8, 6, 4, 2, 1};
    static const uint32_t sprint[] = {8, 7, 6, 5, 4, 3, 2, 1};
    content_session *session = base;
    if (content_is(node, "f1")) {
        session->def.points_count = sizeof f1 / sizeof f1[0];
        memcpy(session->def.points, f1, sizeof f1);
        return true;
    }
    if (content_is(node, "sprint")) {
        session->def.points_count = sizeof sprint / sizeof sprint[0];
        memcpy(session->def.points, sprint, sizeof sprint);
        return true;
    }
    char room[CONTENT_QUOTE_BYTES];
    if (node->type == YAML_SCALAR_NODE) {
        return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                            "expected a list of points, f1 or sprint, found %s",
                            content_describe(node, room));
    }
    if (!content_need_list(reader, node, 0, APEX_POINTS_PLACES_MAX)) {
        return false;
    }
    session->def.points_count = (uint32_t)content_list_count(node);
    return content_read_items(reader, node, read_point, session);
}

static bool read_tyre(content_reader *reader, const yaml_node_t *item, size_t index, void *base) {
    (void)index;
    content_session *session = base;
    const apex_pits_def *pits = &session->file->race.weekend.pits;
    char name[APEX_NAME_BYTES];
    if (!content_read_text(reader, item, name, sizeof name)) {
        return false;
    }
    for (uint32_t i = 0; i < pits->compound_count; i++) {
        if (strcmp(pits->compounds[i].name, name) == 0) {
            session->def.compounds |= 1u << i;
            return true;
        }
    }
    return content_fail(reader, item->start_mark, APEX_ERR_PARSE,
                        "unknown compound '%s': expected one of pits.compounds", name);
}

static bool read_tyres(content_reader *reader, const yaml_node_t *node, void *base) {
    content_session *session = base;
    return content_need_list(reader, node, 0, APEX_COMPOUNDS_MAX) &&
           content_read_items(reader, node, read_tyre, session);
}

// A wrong type is told when its key is read.
static apex_session_kind kind_of(content_reader *reader, const yaml_node_t *item) {
    const yaml_node_t *type = content_find(reader, item, "type");
    for (int i = 0; type != NULL && kinds[i] != NULL; i++) {
        if (content_is(type, kinds[i])) {
            return (apex_session_kind)i;
        }
    }
    return APEX_SESSION_RACE;
}

// The second race without a name is "Race 2".
static void name_session(content_session *session, const char *usual) {
    const apex_session_def *before = session->file->race.weekend.sessions;
    uint32_t number = 1;
    for (uint32_t i = 0; i < session->index; i++) {
        number += before[i].kind == session->def.kind;
    }
    if (number == 1) {
        snprintf(session->def.name, sizeof session->def.name, "%s", usual);
    } else {
        snprintf(session->def.name, sizeof session->def.name, "%.20s %u", usual, number);
    }
}

static bool take_time(content_reader *reader, const yaml_node_t *item, content_session *session) {
    bool has_minutes = content_find(reader, item, "minutes") != NULL;
    const yaml_node_t *seconds = content_find(reader, item, "seconds");
    if (has_minutes && seconds != NULL) {
        size_t path = content_push_key(reader, "seconds");
        content_fail(reader, seconds->start_mark, APEX_ERR_PARSE,
                     "there are minutes already: keep one of the two");
        content_pop(reader, path);
        return false;
    }
    if (has_minutes) {
        session->def.duration_s = session->minutes * 60.0;
    } else if (seconds != NULL) {
        session->def.duration_s = session->seconds;
    }
    return true;
}

typedef struct session_list {
    apex_race_file *file;
    const yaml_node_t *node;
} session_list;

static bool read_session(content_reader *reader, const yaml_node_t *item, size_t index,
                         void *base) {
    const session_list *list = base;
    apex_session_def usual = apex_default_session_def(kind_of(reader, item));
    content_session session = {
        .def = usual, .file = list->file, .list = list->node, .index = (uint32_t)index};
    session.def.name[0] = '\0';
    if (!content_read_map(reader, item, &content_session_table, &session) ||
        !take_time(reader, item, &session)) {
        return false;
    }
    if (session.def.name[0] == '\0') {
        name_session(&session, usual.name);
    }
    list->file->race.weekend.sessions[index] = session.def;
    return true;
}

bool content_read_sessions(content_reader *reader, const yaml_node_t *node, void *base) {
    session_list list = {.file = base, .node = node};
    if (!content_need_list(reader, node, 0, APEX_SESSIONS_MAX)) {
        return false;
    }
    list.file->race.weekend.session_count = (uint32_t)content_list_count(node);
    return content_read_items(reader, node, read_session, &list);
}
