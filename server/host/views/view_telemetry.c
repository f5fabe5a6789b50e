// Telemetry: how a car feels its tyres, its engine and the road, to those who asked for it.

#include "host/views/view_telemetry.h"

#include <string.h>

#include "base/assert.h"
#include "base/log.h"

// Many look at the same few cars, so the newest of those that were captured are looked through.
enum { CAPTURED_LOOKED_AT = 8 };

// A driver is told of his own car, a spectator of the one that he looks at.
static bool subject_of(const apex_race *race, const host_client *client, apex_player_id *out) {
    if (client->player.index1 != 0) {
        *out = client->player;
        return true;
    }
    return apex_race_player_of_car(race, apex_car_of_wire_id(client->focus_car), out);
}

static bool is_same(apex_player_id a, apex_player_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

// @return 1 + its place among those captured.
static uint32_t capture_car(host_frame *frame, const apex_race *race, apex_player_id player) {
    uint32_t count = frame->telemetry_car_count;
    uint32_t oldest = count > CAPTURED_LOOKED_AT ? count - CAPTURED_LOOKED_AT : 0;
    for (uint32_t at = count; at-- > oldest;) {
        if (is_same(frame->telemetry_cars[at].player, player)) {
            return at + 1;
        }
    }
    host_car_telemetry *car = &frame->telemetry_cars[frame->telemetry_car_count++];
    car->player = player;
    car->has_car = apex_replicate_telemetry(race, player, &car->telemetry);
    car->bytes = NULL;
    car->length = 0;
    return frame->telemetry_car_count;
}

void host_capture_telemetry(host_frame *frame, const host_clients *clients, const apex_race *race) {
    size_t due = frame->telemetry_count;
    if (due == 0) {
        return;
    }
    frame->telemetry_cars = apex_arena_alloc(frame->arena, due * sizeof *frame->telemetry_cars);
    if (frame->telemetry_cars == NULL) {
        apex_log(APEX_LOG_ERROR, "host", "no room in the tick for telemetry");
        frame->telemetry_count = 0;
        return;
    }
    for (size_t i = 0; i < due; i++) {
        host_telemetry_due *wanted = &frame->telemetry_due[i];
        apex_player_id player;
        APEX_ASSERT(wanted->place < clients->end);
        bool has_subject = subject_of(race, &clients->at[wanted->place], &player);
        wanted->car1 = has_subject ? capture_car(frame, race, player) : 0;
    }
}

static void encode_car(const host_frame *frame, host_car_telemetry *car) {
    apex_server_message message = {.kind = APEX_SERVER_TELEMETRY, .telemetry = car->telemetry};
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_server(&message, bytes, sizeof bytes);
    APEX_ASSERT(length > 0);
    uint8_t *kept = apex_arena_alloc(frame->arena, length);
    if (kept != NULL) {
        memcpy(kept, bytes, length);
        car->bytes = kept;
        car->length = length;
    }
}

void host_encode_telemetry(host_frame *frame) {
    APEX_ASSERT(frame->telemetry_car_count <= frame->telemetry_count);
    for (uint32_t i = 0; i < frame->telemetry_car_count; i++) {
        if (frame->telemetry_cars[i].has_car) {
            encode_car(frame, &frame->telemetry_cars[i]);
        }
    }
}

void host_send_telemetry(const host_frame *frame, const host_clients *clients,
                         apex_sessions *sessions) {
    for (size_t i = 0; i < frame->telemetry_count; i++) {
        host_telemetry_due due = frame->telemetry_due[i];
        APEX_ASSERT(due.place < clients->end && due.car1 <= frame->telemetry_car_count);
        const host_car_telemetry *car = due.car1 > 0 ? &frame->telemetry_cars[due.car1 - 1] : NULL;
        if (car != NULL && car->length > 0) {
            apex_sessions_send_bytes(sessions, clients->at[due.place].session, APEX_CHANNEL_STATE,
                                     car->bytes, car->length);
        }
    }
}
