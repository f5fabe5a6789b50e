// The race as a replay, written while it runs.

#include "base/log.h"
#include "host/host_private.h"

apex_err host_record_begin(apex_server *server, const apex_server_def *def) {
    if (def->record_path[0] == '\0') {
        return APEX_OK;
    }
    apex_replay_header header = {
        .physics_version = APEX_PHYSICS_VERSION,
        .race = def->file.race,
        .car_count = def->car_count,
    };
    for (uint32_t i = 0; i < server->def_count; i++) {
        apex_replay_blob blob = {server->defs[i].content, server->defs[i].name.length};
        if (server->defs[i].name.kind == APEX_DEF_TRACK) {
            header.track = blob;
        } else {
            header.cars[i - 1] = blob; // the track is the first definition
        }
    }
    return apex_replay_create(def->record_path, &header, server->race, &server->recorder);
}

void host_record_tick(apex_server *server) {
    if (server->recorder == NULL) {
        return;
    }
    if (apex_replay_tick(server->recorder, server->race) != APEX_OK) {
        host_record_end(server);
    }
}

void host_record_end(apex_server *server) {
    apex_err err = apex_replay_close(server->recorder);
    if (err != APEX_OK) {
        apex_log(APEX_LOG_ERROR, "replay", "the recording is not whole: %s", apex_err_text(err));
    }
    server->recorder = NULL;
}
