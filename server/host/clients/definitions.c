// Definitions are encoded once, when the server starts; clients are handed the same bytes.

#include "host/clients/definitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "defs/defs.h"

static apex_err add_def(host_setup *setup, apex_def_kind kind, const char *name, uint8_t *content,
                        size_t length) {
    if (content == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    host_def_blob *blob = &setup->defs[setup->def_count++];
    blob->content = content;
    blob->name.kind = kind;
    blob->name.hash = apex_def_hash(content, length);
    blob->name.length = (uint32_t)length;
    apex_wire_text(blob->name.name, sizeof blob->name.name, name);
    apex_server_message message = {
        .kind = APEX_SERVER_DEF,
        .def = {.kind = kind, .hash = blob->name.hash, .bytes = content, .length = length},
    };
    memcpy(message.def.name, blob->name.name, sizeof message.def.name);
    size_t capacity = length + 256;
    blob->message = malloc(capacity);
    if (blob->message == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    blob->message_bytes = apex_encode_server(&message, blob->message, capacity);
    return blob->message_bytes > 0 && blob->message_bytes <= APEX_MESSAGE_BYTES_MAX
               ? APEX_OK
               : APEX_ERR_RANGE;
}

apex_err host_defs_create(host_setup *setup, const apex_server_def *def) {
    size_t length = 0;
    uint8_t *content = apex_track_def_encode(&def->track, &length);
    apex_err err = add_def(setup, APEX_DEF_TRACK, def->track.name, content, length);
    for (uint32_t i = 0; err == APEX_OK && i < def->car_count; i++) {
        content = apex_car_def_encode(&def->cars[i], &length);
        err = add_def(setup, APEX_DEF_CAR, def->cars[i].name, content, length);
    }
    return err;
}

void host_defs_destroy(host_setup *setup) {
    for (uint32_t i = 0; i < setup->def_count; i++) {
        free(setup->defs[i].content);
        free(setup->defs[i].message);
    }
    setup->def_count = 0;
}

void host_send_def(const host_setup *setup, apex_sessions *sessions, const host_client *client,
                   uint64_t hash) {
    for (uint32_t i = 0; i < setup->def_count; i++) {
        const host_def_blob *blob = &setup->defs[i];
        if (blob->name.hash == hash) {
            apex_sessions_send_bytes(sessions, client->session, APEX_CHANNEL_RELIABLE,
                                     blob->message, blob->message_bytes);
            return;
        }
    }
    apex_sessions_reject(sessions, client->session, APEX_REASON_UNKNOWN_DEF,
                         "no definition has this hash; take one from Welcome");
}

static apex_world_rules rules_of(const apex_world_def *world) {
    return (apex_world_rules){
        .physics_version = APEX_PHYSICS_VERSION,
        .substep_hz = world->substep_hz,
        .gravity_mps2 = world->gravity_mps2,
        .air_density_kg_per_m3 = world->air_density_kg_per_m3,
        .damage = (uint32_t)world->damage,
        .fuel_burns = world->fuel_burns,
        .tyres_wear = world->tyres_wear,
        .temperatures = world->temperatures,
    };
}

void host_welcome(const host_frame *frame, apex_sessions *sessions, const apex_race *race,
                  apex_session_id session) {
    const host_setup *setup = frame->setup;
    apex_race_status status = apex_race_status_of(race);
    apex_welcome welcome = {
        .tick_hz = apex_race_tick_hz(race),
        .snapshot_hz = setup->file.snapshot_hz,
        .tick = frame->shown_tick,
        .speed_permille = setup->speed_permille,
        .laps = status.laps,
        .player_capacity = apex_race_player_capacity(race),
        .def_count = setup->def_count,
        .world = rules_of(&setup->file.race.world),
    };
    snprintf(welcome.server, sizeof welcome.server, "apex-server %s", APEX_VERSION);
    apex_wire_text(welcome.race, sizeof welcome.race, setup->file.race.name);
    for (uint32_t i = 0; i < setup->def_count; i++) {
        welcome.defs[i] = setup->defs[i].name;
    }
    apex_sessions_welcome(sessions, session, &welcome);
}
