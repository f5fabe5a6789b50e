// A penalty as a line of JSON, by the names that people know.
#include "client-lite/cli/json_penalty.h"

#include "client-lite/cli/json_lines.h"

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
