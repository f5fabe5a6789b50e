// Messages about race control: the session that is on, penalties, and a driver's own conduct and
// pits.
#include "wire.pb-c.h"

#include "proto/codec/codec_fields.h"
#include "proto/codec/codec_messages.h"

#define SESSION_FIELDS(D)                                             \
    D##_ANY(session_state, index);                                    \
    D##_INT(session_state, uint32_t, count, 0, 12);                   \
    D##_ENUM(session_state, Apex__SessionKind, uint32_t, kind, 0, 3); \
    D##_TEXT(session_state, name, 31);                                \
    D##_INT(session_state, uint32_t, laps, 0, 999);                   \
    D##_ANY(session_state, duration_ms);                              \
    D##_ANY(session_state, left_us);                                  \
    D##_FLAG(session_state, chequered);                               \
    D##_ENUM(session_state, Apex__Flag, uint32_t, flag, 0, 3);        \
    D##_ANY(session_state, lead_laps);

#define LINE_FIELDS(D)                                               \
    D##_ENUM(session_line, Apex__SessionKind, uint32_t, kind, 0, 3); \
    D##_TEXT(session_line, name, 31);                                \
    D##_INT(session_line, uint32_t, laps, 0, 999);                   \
    D##_ANY(session_line, duration_ms);                              \
    D##_ANY(session_line, stops_min);

#define PENALTY_FIELDS(D)                                         \
    D##_INT(penalty, uint32_t, number, 1, 4294967295);            \
    D##_ANY(penalty, player);                                     \
    D##_TEXT(penalty, name, 31);                                  \
    D##_ENUM(penalty, Apex__Offence, uint32_t, offence, 0, 20);   \
    D##_ENUM(penalty, Apex__PenaltyKind, uint32_t, kind, 0, 6);   \
    D##_ENUM(penalty, Apex__PenaltyState, uint32_t, state, 0, 3); \
    D##_ANY(penalty, time_ms);                                    \
    D##_ANY(penalty, places);                                     \
    D##_ANY(penalty, given_us);                                   \
    D##_ANY(penalty, lap);                                        \
    D##_ANY(penalty, due_lap);                                    \
    D##_ANY(penalty, added_us);                                   \
    D##_FLAG(penalty, by_stewards);

#define PLAN_FIELDS(D)                               \
    D##_FLAG(pit_plan, stop);                        \
    D##_INT(pit_plan, uint32_t, fuel_g, 0, 1000000); \
    D##_FLAG(pit_plan, tyres);                       \
    D##_INT(pit_plan, uint32_t, compound, 0, 5);     \
    D##_FLAG(pit_plan, repair);

#define CONDUCT_FIELDS(D)                                   \
    D##_ENUM(conduct, Apex__PitPhase, uint32_t, pit, 0, 3); \
    D##_ANY(conduct, box);                                  \
    D##_ANY(conduct, stops);                                \
    D##_ANY(conduct, stops_counted);                        \
    D##_ANY(conduct, plan_us);                              \
    D##_ANY(conduct, left_us);                              \
    D##_ANY(conduct, lane_us);                              \
    D##_ANY(conduct, lap_voids);                            \
    D##_ANY(conduct, incident_points);

static_assert(APEX_WIRE_SESSIONS_MAX == 12, "the limit of session_state: count");
static_assert(APEX_WIRE_COMPOUNDS_MAX == 6, "the limit of pit_plan: compound");
static_assert(APEX_WIRE_FUEL_G_MAX == 1000000, "the limit of pit_plan: fuel_g");

static void put_line(codec_writer *writer, const apex_session_line *plain) {
    Apex__SessionLine message = APEX__SESSION_LINE__INIT, *pb = &message;
    LINE_FIELDS(PUT);
    codec_write_element(writer, 11, &message.base);
}

static void list_names(char *list[], char names[][APEX_WIRE_NAME_BYTES], uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert(memchr(names[i], 0, APEX_WIRE_NAME_BYTES));
        assert(apex_wire_text_ok(names[i], strlen(names[i])));
        list[i] = names[i];
    }
}

static void put_names(codec_writer *writer, const apex_race_session *plain) {
    Apex__SessionState message = APEX__SESSION_STATE__INIT;
    apex_race_session *names = (apex_race_session *)(uintptr_t)plain; // protobuf-c only reads
    char *classes[APEX_WIRE_CLASSES_MAX], *compounds[APEX_WIRE_COMPOUNDS_MAX];
    assert(plain->class_count <= APEX_WIRE_CLASSES_MAX);
    assert(plain->compound_count <= APEX_WIRE_COMPOUNDS_MAX);
    list_names(classes, names->classes, plain->class_count);
    list_names(compounds, names->compounds, plain->compound_count);
    message.n_classes = plain->class_count;
    message.classes = classes;
    message.n_compounds = plain->compound_count;
    message.compounds = compounds;
    codec_write(writer, &message.base);
}

void codec_put_session(codec_writer *writer, const apex_race_session *plain) {
    Apex__SessionState message = APEX__SESSION_STATE__INIT, *pb = &message;
    assert(plain->session_count <= APEX_WIRE_SESSIONS_MAX);
    SESSION_FIELDS(PUT);
    codec_write(writer, &message.base);
    for (uint32_t i = 0; i < plain->session_count; i++) {
        put_line(writer, &plain->sessions[i]);
    }
    put_names(writer, plain); // fields go in the order of their numbers
}

static void put_penalty(codec_writer *writer, const apex_penalty_message *plain) {
    Apex__Penalty message = APEX__PENALTY__INIT, *pb = &message;
    PENALTY_FIELDS(PUT);
    codec_write_element(writer, 2, &message.base);
}

void codec_put_penalties(codec_writer *writer, const apex_penalties *plain) {
    Apex__Penalties message = APEX__PENALTIES__INIT, *pb = &message;
    assert(plain->count <= APEX_PENALTIES_LINES_MAX);
    PUT_FLAG(penalties, complete);
    codec_write(writer, &message.base);
    for (uint32_t i = 0; i < plain->count; i++) {
        put_penalty(writer, &plain->penalties[i]);
    }
}

void codec_fill_pit_plan(Apex__PitPlan *pb, const apex_wire_pit_plan *plain) {
    apex__pit_plan__init(pb);
    PLAN_FIELDS(PUT);
}

void codec_put_conduct(codec_writer *writer, const apex_conduct *plain) {
    Apex__Conduct message = APEX__CONDUCT__INIT, *pb = &message;
    Apex__PitPlan plan;
    codec_fill_pit_plan(&plan, &plain->plan);
    pb->plan = &plan;
    CONDUCT_FIELDS(PUT);
    codec_write(writer, &message.base);
}

static bool get_line(codec_reader *reader, const Apex__SessionLine *pb, apex_session_line *plain) {
    LINE_FIELDS(GET);
    return true;
}

// A name of a list as a message of one text, so that it is checked as all are.
static bool get_name(codec_reader *reader, char *from, char to[APEX_WIRE_NAME_BYTES]) {
    struct {
        char *name;
    } of = {from}, *pb = &of;
    struct {
        char name[APEX_WIRE_NAME_BYTES];
    } text, *plain = &text;
    GET_TEXT(session_state, name, 31);
    memcpy(to, text.name, strlen(text.name) + 1);
    return true;
}

static bool get_names(codec_reader *reader, char *const from[], size_t count,
                      char to[][APEX_WIRE_NAME_BYTES]) {
    for (size_t i = 0; i < count; i++) {
        if (!get_name(reader, from[i], to[i])) {
            return false;
        }
    }
    return true;
}

bool codec_get_session(codec_reader *reader, const Apex__SessionState *pb,
                       apex_race_session *plain) {
    SESSION_FIELDS(GET);
    if (plain->count > 0 && plain->index >= plain->count) {
        return codec_refuse(reader, "session_state: index is not below count");
    }
    if (pb->n_sessions > APEX_WIRE_SESSIONS_MAX || pb->n_classes > APEX_WIRE_CLASSES_MAX ||
        pb->n_compounds > APEX_WIRE_COMPOUNDS_MAX) {
        return codec_refuse(reader, "session_state: a list is too long");
    }
    for (size_t i = 0; i < pb->n_sessions; i++) {
        if (!get_line(reader, pb->sessions[i], &plain->sessions[i])) {
            return false;
        }
    }
    plain->session_count = (uint32_t)pb->n_sessions;
    plain->class_count = (uint32_t)pb->n_classes;
    plain->compound_count = (uint32_t)pb->n_compounds;
    return get_names(reader, pb->classes, pb->n_classes, plain->classes) &&
           get_names(reader, pb->compounds, pb->n_compounds, plain->compounds);
}

static bool get_penalty(codec_reader *reader, const Apex__Penalty *pb,
                        apex_penalty_message *plain) {
    PENALTY_FIELDS(GET);
    return true;
}

bool codec_get_penalties(codec_reader *reader, const Apex__Penalties *pb, apex_penalties *plain) {
    GET_FLAG(penalties, complete);
    if (pb->n_penalties > APEX_PENALTIES_LINES_MAX) {
        return codec_refuse(reader, "penalties: there are more than 256");
    }
    apex_penalty_message *penalties = codec_take(reader, pb->n_penalties, sizeof penalties[0]);
    if (penalties == NULL) {
        return false;
    }
    for (size_t i = 0; i < pb->n_penalties; i++) {
        if (!get_penalty(reader, pb->penalties[i], &penalties[i])) {
            return false;
        }
    }
    plain->count = (uint32_t)pb->n_penalties;
    plain->penalties = penalties;
    return true;
}

bool codec_get_pit_plan(codec_reader *reader, const Apex__PitPlan *pb, apex_wire_pit_plan *plain) {
    PLAN_FIELDS(GET);
    return true;
}

bool codec_get_conduct(codec_reader *reader, const Apex__Conduct *pb, apex_conduct *plain) {
    CONDUCT_FIELDS(GET);
    return pb->plan == NULL || codec_get_pit_plan(reader, pb->plan, &plain->plan);
}
