// Sessions, penalties and pits as JSON, by the names that people know.
#include "client-lite/cli/json_control.h"

#include "client-lite/cli/json_lines.h"

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

static void print_penalty(const apex_penalty_message *penalty) {
    apex_json_writer json = cli_json_begin("penalty");
    apex_json_count(&json, "number", penalty->number);
    apex_json_count(&json, "player", penalty->player);
    apex_json_text(&json, "name", penalty->name);
    apex_json_text(&json, "offence", apex_wire_offence_name(penalty->offence));
    apex_json_text(&json, "penalty", apex_wire_penalty_name(penalty->kind));
    apex_json_text(&json, "state", apex_wire_penalty_state_name(penalty->state));
    apex_json_count(&json, "time_ms", penalty->time_ms);
    apex_json_count(&json, "places", penalty->places);
    apex_json_count(&json, "given_us", penalty->given_us);
    apex_json_count(&json, "lap", penalty->lap);
    apex_json_count(&json, "due_lap", penalty->due_lap);
    apex_json_count(&json, "added_us", penalty->added_us);
    apex_json_bool(&json, "by_stewards", penalty->by_stewards);
    cli_json_end(&json);
}

void cli_json_penalty(const apex_client *client, const apex_race_event_message *event) {
    size_t count;
    const apex_penalty_message *penalties = apex_client_penalties(client, &count);
    for (size_t i = 0; event->kind == APEX_WIRE_EVENT_PENALTY && i < count; i++) {
        if (penalties[i].number == (uint64_t)event->value) {
            print_penalty(&penalties[i]);
        }
    }
}
