// Sessions and conduct as JSON, by the names that people know.
#include "client-lite/cli/json_control.h"

void cli_json_session(apex_json_writer *json, const apex_race_session *session) {
    apex_json_open(json, "session", '{');
    apex_json_count(json, "index", session->index);
    apex_json_count(json, "count", session->count);
    apex_json_text(json, "kind", apex_wire_session_name(session->kind));
    apex_json_text(json, "name", session->name);
    apex_json_count(json, "laps", session->laps);
    apex_json_count(json, "duration_ms", session->duration_ms);
    apex_json_integer(json, "left_us", session->left_us);
    apex_json_bool(json, "chequered", session->chequered);
    apex_json_text(json, "flag", apex_wire_flag_name(session->flag));
    apex_json_count(json, "lead_laps", session->lead_laps);
    apex_json_close(json);
}

void cli_json_conduct(apex_json_writer *json, const apex_wire_standing *line) {
    apex_json_count(json, "class", line->class1);
    apex_json_count(json, "class_position", line->class_position);
    apex_json_count(json, "number", line->number);
    apex_json_count(json, "best_counting_us", line->best_counting_us);
    apex_json_count(json, "penalty_us", line->penalty_us);
    apex_json_text(json, "pit", apex_wire_pit_name(line->pit));
    apex_json_count(json, "stops", line->stops);
    apex_json_count(json, "lap_voids", line->lap_voids);
    apex_json_count(json, "incident_points", line->incident_points);
    apex_json_count(json, "points", line->points);
    apex_json_text(json, "status", apex_wire_result_name(line->status));
}
