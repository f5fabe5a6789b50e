// Telemetry: how a car feels its tyres, its engine and the road, to those who asked for it.

#include "host/views/view_telemetry.h"

#include <string.h>

#include "base/assert.h"

// Many look at the same few cars.
enum { TELEMETRY_TOLD = 8 };

typedef struct telemetry_told {
    apex_player_id player;
    size_t length;        ///< 0: it has no car, or the frame no room
    const uint8_t *bytes; ///< on the frame, where they live until they are sent
} telemetry_told;

// A driver is told of his own car, a spectator of the one that he looks at.
static bool subject_of(const apex_race *race, const host_client *client, apex_player_id *out) {
    if (client->player.index1 != 0) {
        *out = client->player;
        return true;
    }
    return apex_race_player_of_car(race, apex_car_of_wire_id(client->focus_car), out);
}

static telemetry_told tell_telemetry(const host_frame *frame, const apex_race *race,
                                     apex_player_id player) {
    apex_server_message message = {.kind = APEX_SERVER_TELEMETRY};
    telemetry_told told = {.player = player};
    if (!apex_replicate_telemetry(race, player, &message.telemetry)) {
        return told;
    }
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_server(&message, bytes, sizeof bytes);
    APEX_ASSERT(length > 0);
    uint8_t *kept = apex_arena_alloc(frame->arena, length);
    if (kept != NULL) {
        memcpy(kept, bytes, length);
        told.bytes = kept;
        told.length = length;
    }
    return told;
}

void host_send_telemetry(const host_frame *frame, const host_clients *clients,
                         apex_sessions *sessions, const apex_race *race) {
    telemetry_told told[TELEMETRY_TOLD];
    uint32_t count = 0;
    for (size_t i = 0; i < frame->telemetry_count; i++) {
        APEX_ASSERT(frame->telemetry_due[i] < clients->end);
        const host_client *client = &clients->at[frame->telemetry_due[i]];
        apex_player_id player;
        if (!subject_of(race, client, &player)) {
            continue;
        }
        uint32_t at = 0;
        while (at < count && memcmp(&told[at].player, &player, sizeof player) != 0) {
            at++;
        }
        if (at == count) {
            at = count < TELEMETRY_TOLD ? count++ : TELEMETRY_TOLD - 1;
            told[at] = tell_telemetry(frame, race, player);
        }
        if (told[at].length > 0) {
            apex_sessions_send_bytes(sessions, client->session, APEX_CHANNEL_STATE, told[at].bytes,
                                     told[at].length);
        }
    }
}
