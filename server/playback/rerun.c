// Definitions of a recording decoded, and its ticks made once more.

#include "playback/rerun.h"

#include <stdio.h>

#include "defs/defs.h"

static apex_err decode_cars(const apex_replay_header *header, playback_rerun_defs *out,
                            char why[PLAYBACK_RERUN_WHY_BYTES]) {
    apex_def_problem problem = {0};
    for (uint32_t i = 0; i < header->car_count; i++) {
        if (!apex_car_def_decode(header->cars[i].bytes, header->cars[i].length, &out->cars[i],
                                 &problem)) {
            snprintf(why, PLAYBACK_RERUN_WHY_BYTES, "car %u: %.60s: %.60s", i, problem.field,
                     problem.reason);
            return APEX_ERR_CORRUPT;
        }
    }
    out->car_count = header->car_count;
    return APEX_OK;
}

apex_err playback_rerun_decode(const apex_replay_header *header, playback_rerun_defs *out,
                               char why[PLAYBACK_RERUN_WHY_BYTES]) {
    if (header->physics_version != APEX_PHYSICS_VERSION) {
        snprintf(why, PLAYBACK_RERUN_WHY_BYTES,
                 "recorded with physics %u, this program has %u: only a program with the same "
                 "physics can play it",
                 header->physics_version, APEX_PHYSICS_VERSION);
        return APEX_ERR_VERSION;
    }
    apex_err err = decode_cars(header, out, why);
    if (err != APEX_OK) {
        return err;
    }
    apex_def_problem problem = {0};
    if (!apex_track_def_decode(header->track.bytes, header->track.length, &out->track, &problem)) {
        snprintf(why, PLAYBACK_RERUN_WHY_BYTES, "track: %.60s: %.60s", problem.field,
                 problem.reason);
        return APEX_ERR_CORRUPT;
    }
    return APEX_OK;
}

bool playback_rerun_begin(apex_race *race, const apex_replay_header *header,
                          apex_replay_blob keyframe) {
    return apex_race_restore(race, keyframe.bytes, keyframe.length) == APEX_OK &&
           apex_world_tick(apex_race_world(race)) == header->first_tick;
}

apex_err playback_rerun_step(apex_race *race, const apex_replay_step *step, apex_jobs *jobs,
                             char why[PLAYBACK_RERUN_WHY_BYTES]) {
    for (uint32_t i = 0; i < step->command_count; i++) {
        apex_err err = apex_race_apply(race, &step->commands[i]);
        if (err != APEX_OK) {
            snprintf(why, PLAYBACK_RERUN_WHY_BYTES, "command %u of tick %llu is refused: %s", i,
                     (unsigned long long)step->tick, apex_err_text(err));
            return APEX_ERR_MISMATCH;
        }
    }
    apex_race_tick(race, step->controls, jobs);
    if (step->has_hash && step->hash != apex_race_hash(race)) {
        snprintf(why, PLAYBACK_RERUN_WHY_BYTES,
                 "differs at or before tick %llu: recorded %016llx, now %016llx",
                 (unsigned long long)step->tick + 1, (unsigned long long)step->hash,
                 (unsigned long long)apex_race_hash(race));
        return APEX_ERR_MISMATCH;
    }
    return APEX_OK;
}
