// The race as a replay, written while it runs.

#include "host/simulation/record.h"

#include "base/assert.h"
#include "base/log.h"

apex_err host_record_begin(host_simulation *simulation, const host_setup *setup, const char *path,
                           uint64_t bytes_max) {
    if (path[0] == '\0') {
        return APEX_OK;
    }
    apex_replay_header header = {
        .physics_version = APEX_PHYSICS_VERSION,
        .race = setup->file.race,
        .car_count = setup->car_count,
    };
    for (uint32_t i = 0; i < setup->def_count; i++) {
        apex_replay_blob blob = {setup->defs[i].content, setup->defs[i].name.length};
        if (setup->defs[i].name.kind == APEX_DEF_TRACK) {
            header.track = blob;
        } else {
            header.cars[i - 1] = blob; // the track is the first definition
        }
    }
    apex_err err = apex_replay_create(path, &header, simulation->race, &simulation->recorder);
    if (err == APEX_OK) {
        apex_replay_split_at(simulation->recorder, bytes_max);
        apex_log(APEX_LOG_INFO, "replay", "recording into %s",
                 apex_replay_path_of(simulation->recorder));
    }
    return err;
}

void host_record_tick(const host_frame *frame, apex_replay_writer **recorder,
                      const apex_race *race) {
    APEX_ASSERT(recorder != NULL && race != NULL);
    APEX_ASSERT(frame->shown_tick == (uint32_t)apex_world_tick(apex_race_world(race)));
    if (*recorder == NULL) {
        return;
    }
    if (apex_replay_tick(*recorder, race) != APEX_OK) {
        host_record_end(recorder);
    }
}

void host_record_end(apex_replay_writer **recorder) {
    apex_err err = apex_replay_close(*recorder);
    if (err != APEX_OK) {
        apex_log(APEX_LOG_ERROR, "replay", "the recording is not whole: %s", apex_err_text(err));
    }
    *recorder = NULL;
}
