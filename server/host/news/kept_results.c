// Results of the newest race: kept for late comers, and sent.

#include "host/news/kept_results.h"

void host_keep_results(host_results *results, const apex_race *race, const host_names *names) {
    apex_race_status status = apex_race_status_of(race);
    size_t classified = 0;
    size_t all =
        apex_race_results(race, results->lines, apex_race_standings_max(race), &classified);
    results->line_count = (uint32_t)classified;
    results->apart_count = (uint32_t)(all - classified);
    results->race_number = status.race_number;
    results->laps = status.laps;
    results->seed = status.seed;
    results->state_hash = apex_race_hash(race);
    for (size_t i = 0; i < all; i++) {
        results->who[i] = host_names_who(names, results->lines[i].player);
    }
    for (size_t i = 0; results->conducts != NULL && i < all; i++) {
        results->conducts[i] = host_line_conduct_of(race, results->lines[i].player);
    }
    results->record = 0;
    results->told = false;
}

host_message host_encode_results(const host_frame *frame, const host_results *results) {
    uint32_t count = results->line_count + results->apart_count;
    apex_wire_standing *lines = apex_arena_alloc(frame->arena, (count + (size_t)1) * sizeof *lines);
    if (lines == NULL) {
        return (host_message){NULL, 0};
    }
    for (uint32_t i = 0; i < count; i++) {
        lines[i] = host_wire_line(frame->setup, &results->lines[i]);
        lines[i].not_started = results->lines[i].not_started;
        if (results->conducts != NULL) {
            host_tell_line_conduct(&results->conducts[i], false, &lines[i]);
        }
    }
    apex_server_message message = {
        .kind = APEX_SERVER_RESULTS,
        .results = {.race_number = results->race_number,
                    .laps = results->laps,
                    .state_hash = results->state_hash,
                    .seed = results->seed,
                    .line_count = results->line_count,
                    .lines = lines,
                    .apart_count = results->apart_count,
                    .apart = lines + results->line_count},
    };
    apex_wire_text(message.results.track, sizeof message.results.track, frame->setup->track_name);
    return host_encode_message(frame, &message,
                               HOST_HEAD_BYTES + count * (size_t)HOST_LINE_BYTES_MAX);
}

void host_send_results(const host_frame *frame, const host_results *results,
                       const host_clients *clients, apex_sessions *sessions) {
    host_message bytes = host_encode_results(frame, results);
    for (uint32_t i = 0; i < clients->end; i++) {
        const host_client *client = &clients->at[i];
        if (client->admitted && !client->needs_roster) { // newcomers get them with the roster
            host_send_message(sessions, client, APEX_SERVER_RESULTS, bytes);
        }
    }
}
