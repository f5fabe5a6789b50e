// A race weekend as everybody may see it: what clients have been told, and no more.

#include "api/api_weekend.h"

#include "api/answer/answer_json.h"

static void write_duration(apex_json_writer *json, uint32_t duration_ms) {
    apex_json_time(json, "duration_s", (uint64_t)duration_ms * 1000);
}

static void write_sessions(apex_json_writer *json, const apex_race_session *session) {
    apex_json_open(json, "sessions", '[');
    for (uint32_t i = 0; i < session->session_count; i++) {
        const apex_session_line *line = &session->sessions[i];
        apex_json_open(json, NULL, '{');
        apex_json_text(json, "kind", apex_wire_session_name(line->kind));
        answer_json_text(json, "name", line->name);
        apex_json_count(json, "laps", line->laps);
        write_duration(json, line->duration_ms);
        apex_json_count(json, "stops_min", line->stops_min);
        apex_json_close(json);
    }
    apex_json_close(json);
}

static void write_names(apex_json_writer *json, const char *key,
                        const char names[][APEX_WIRE_NAME_BYTES], uint32_t count) {
    apex_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        answer_json_text(json, NULL, names[i]);
    }
    apex_json_close(json);
}

void api_write_session(apex_json_writer *json, const apex_server *server) {
    apex_race_session session;
    if (!host_told_session(server, &session)) {
        return;
    }
    if (session.count == 0) {
        apex_json_null(json, "session");
    } else {
        apex_json_open(json, "session", '{');
        apex_json_count(json, "index", session.index);
        apex_json_text(json, "kind", apex_wire_session_name(session.kind));
        answer_json_text(json, "name", session.name);
        apex_json_count(json, "laps", session.laps);
        write_duration(json, session.duration_ms);
        apex_json_seconds(json, "left_s", session.left_us);
        apex_json_bool(json, "chequered", session.chequered);
        apex_json_count(json, "lead_laps", session.lead_laps);
        apex_json_close(json);
    }
    apex_json_text(json, "flag", apex_wire_flag_name(session.flag));
    write_sessions(json, &session);
    write_names(json, "classes", (const char(*)[APEX_WIRE_NAME_BYTES])session.classes,
                session.class_count);
    write_names(json, "compounds", (const char(*)[APEX_WIRE_NAME_BYTES])session.compounds,
                session.compound_count);
}

static void write_penalty(apex_json_writer *json, const apex_penalty_message *penalty) {
    apex_json_open(json, NULL, '{');
    apex_json_count(json, "number", penalty->number);
    apex_json_count(json, "player", penalty->player);
    answer_json_text(json, "name", penalty->name);
    apex_json_text(json, "offence", apex_wire_offence_name(penalty->offence));
    apex_json_text(json, "penalty", apex_wire_penalty_name(penalty->kind));
    apex_json_text(json, "state", apex_wire_penalty_state_name(penalty->state));
    apex_json_time(json, "time_s", (uint64_t)penalty->time_ms * 1000);
    apex_json_count(json, "places", penalty->places);
    apex_json_time(json, "given_s", penalty->given_us);
    apex_json_count(json, "lap", penalty->lap);
    apex_json_count(json, "due_lap", penalty->due_lap);
    apex_json_time(json, "added_s", penalty->added_us);
    apex_json_bool(json, "by_stewards", penalty->by_stewards);
    apex_json_close(json);
}

void api_write_penalties(apex_json_writer *json, const apex_server *server) {
    if (!host_setup_of(server)->has_control) {
        return;
    }
    const host_penalties *penalties = host_told_penalties(server);
    apex_json_open(json, "penalties", '[');
    for (uint32_t i = 0; i < penalties->count; i++) {
        write_penalty(json, &penalties->all[i]);
    }
    apex_json_close(json);
}

void api_write_conduct(apex_json_writer *json, const host_line_conduct *conduct) {
    if (conduct == NULL) {
        return;
    }
    apex_json_count(json, "class", conduct->class1);
    apex_json_count(json, "class_position", conduct->class_position);
    apex_json_count(json, "number", conduct->number);
    apex_json_time(json, "best_counting_s", conduct->best_counting_us);
    apex_json_time(json, "ideal_s", conduct->ideal_us);
    apex_json_time(json, "penalty_s", conduct->penalty_us);
    apex_json_text(json, "pit", apex_wire_pit_name((uint32_t)conduct->pit));
    apex_json_count(json, "stops", conduct->stops);
    apex_json_count(json, "lap_voids", conduct->lap_voids);
    apex_json_count(json, "incident_points", conduct->incident_points);
    apex_json_count(json, "points", conduct->points);
    apex_json_text(json, "status", apex_wire_result_name((uint32_t)conduct->status));
}
