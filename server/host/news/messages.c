// Long messages on the frame, and the lines that standings and results are made of.

#include "host/news/messages.h"

#include "base/log.h"

host_message host_encode_message(const host_frame *frame, const apex_server_message *message,
                                 size_t bytes_max) {
    uint8_t *bytes = apex_arena_alloc(frame->arena, bytes_max);
    size_t length = bytes != NULL ? apex_encode_server(message, bytes, bytes_max) : 0;
    if (length == 0) {
        apex_log(APEX_LOG_ERROR, "host", "no room in the tick for a message of %zu bytes",
                 bytes_max);
    }
    return (host_message){bytes, length};
}

void host_send_message(apex_sessions *sessions, const host_client *client,
                       apex_server_message_kind kind, host_message message) {
    if (message.length > 0) {
        apex_sessions_send_bytes(sessions, client->session,
                                 (uint8_t)apex_server_message_channel(kind), message.bytes,
                                 message.length);
    }
}

apex_wire_standing host_wire_line(const host_setup *setup, const apex_standing *line) {
    apex_wire_standing wire = {
        .position = line->position,
        .player = apex_player_wire_id(line->player),
        .state = (uint32_t)line->state,
        .laps = line->laps,
        .lap_m = (float)line->lap_m,
        .last_lap_us = line->last_lap_us,
        .best_lap_us = line->best_lap_us,
        .total_us = line->total_us,
        .gap_us = line->gap_us,
        .grid = line->grid,
        .kicked = !line->present && line->left_why == APEX_LEAVE_KICKED,
    };
    apex_wire_text(wire.name, sizeof wire.name, line->name);
    apex_wire_text(wire.car_def, sizeof wire.car_def, setup->car_names[line->car]);
    return wire;
}
