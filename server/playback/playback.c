// A recording opened: its race made again, and a server for its viewers.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "playback/playback_private.h"
#include "playback/rerun.h"

// Before it is known better: a tick of an empty world, and what a car adds.
static const double TICK_US = 20.0, CAR_TICK_US = 8.0;

apex_playback_def apex_default_playback_def(void) {
    apex_race_file file = apex_default_race_file();
    return (apex_playback_def){
        .clients_max = file.clients_max,
        .snapshot_hz = file.snapshot_hz,
        .snapshots = file.snapshots,
    };
}

static apex_err refuse(char why[APEX_HOST_WHY_BYTES], apex_err err, const char *text) {
    snprintf(why, APEX_HOST_WHY_BYTES, "%s", text);
    return err;
}

static void fill_server_def(const apex_playback_def *def, const apex_race_def *race,
                            const playback_rerun_defs *defs, apex_server_def *out) {
    out->file = apex_default_race_file();
    out->file.race = *race;
    out->file.bots = 0;
    out->file.results_dir[0] = '\0';
    out->file.clients_max = def->clients_max;
    out->file.clients_per_address_max = def->clients_max;
    out->file.snapshot_hz = def->snapshot_hz;
    out->file.snapshots = def->snapshots;
    out->track = defs->track;
    out->car_count = defs->car_count;
    memcpy(out->cars, defs->cars, sizeof out->cars);
    out->speed_permille = 1000;
    out->now_us = def->now_us;
    out->unix_us = def->unix_us;
    out->clock_us = def->clock_us;
    out->joins_refused_why = "this is a recording: it can be watched, not driven in";
    memcpy(out->token_key, def->token_key, sizeof out->token_key);
}

static apex_err create_scout(const apex_playback_def *def, apex_playback *playback,
                             const apex_car_def cars[], char why[APEX_HOST_WHY_BYTES]) {
    playback_scout *scout = &playback->scout;
    const apex_server *server = playback->server;
    char problem[PLAYBACK_RERUN_WHY_BYTES] = "";
    apex_err err = apex_replay_open(def->path, &scout->reader, problem);
    if (err == APEX_OK) {
        err = apex_race_create(&server->setup.file.race, server->simulation.track, cars,
                               server->setup.car_count, &scout->race);
    }
    if (err == APEX_OK) {
        apex_replay_expect_keyframes(scout->reader, playback->saved_bytes);
        scout->tick = apex_replay_header_of(playback->reader)->first_tick;
        err = apex_race_restore(scout->race, playback->fresh, playback->saved_bytes);
    }
    return err == APEX_OK ? APEX_OK
                          : refuse(why, err, problem[0] != '\0' ? problem : apex_err_text(err));
}

// Finds the extent of the recording, and refuses one with nothing to play.
static apex_err survey(apex_playback *playback, char why[APEX_HOST_WHY_BYTES]) {
    apex_err err = apex_replay_survey(playback->reader, &playback->extent);
    if (err != APEX_OK) {
        return refuse(why, err, apex_err_text(err));
    }
    if (playback->extent.ticks > UINT32_MAX - 1) {
        return refuse(why, APEX_ERR_RANGE, "the recording is too long");
    }
    bool is_empty = playback->extent.ticks == apex_replay_header_of(playback->reader)->first_tick;
    bool may_grow = !playback->extent.is_closed && playback->extent.why[0] == '\0';
    if (is_empty && may_grow) {
        return refuse(why, APEX_ERR_STATE,
                      "nothing to play yet: a recording can be watched from its first keyframe on, "
                      "some ten seconds after it began");
    }
    return is_empty ? refuse(why, APEX_ERR_STATE, "there is nothing in the recording") : APEX_OK;
}

// A recording that goes on from another begins with a race under way.
static apex_err begin_later(apex_playback *playback, char why[APEX_HOST_WHY_BYTES]) {
    const apex_replay_header *header = apex_replay_header_of(playback->reader);
    if (header->first_tick == 0) {
        return APEX_OK;
    }
    char problem[PLAYBACK_RERUN_WHY_BYTES] = "";
    apex_replay_blob keyframe;
    apex_err err = apex_replay_seek(playback->reader, header->first_tick, &keyframe, problem);
    if (err != APEX_OK) {
        return refuse(why, err, problem);
    }
    if (!playback_rerun_begin(playback->server->simulation.race, header, keyframe)) {
        return refuse(why, APEX_ERR_CORRUPT, "the keyframe that it begins with is damaged");
    }
    playback->tick = playback->goal = header->first_tick;
    playback->is_asked = true; // as after a jump: who is there, and what they were told
    return APEX_OK;
}

static apex_err begin(apex_playback *playback, char why[APEX_HOST_WHY_BYTES]) {
    const apex_server *server = playback->server;
    playback->server->simulation.refuses_commands = true;
    playback->speed_permille = 1000;
    playback->is_playing = true;
    playback->saved_bytes = apex_race_save_bytes(server->simulation.race);
    apex_replay_expect_keyframes(playback->reader, playback->saved_bytes);
    playback->fresh = malloc(playback->saved_bytes);
    // One more than the news have room for, so that too many are noticed there.
    playback->roster_event_capacity = server->news.roster.capacity + 1;
    playback->roster_events =
        calloc(playback->roster_event_capacity, sizeof *playback->roster_events);
    bool has_stills = playback_stills_create(&playback->stills, playback->saved_bytes);
    if (playback->fresh == NULL || playback->roster_events == NULL || !has_stills) {
        return refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
    }
    apex_err err = survey(playback, why);
    if (err == APEX_OK) {
        err = begin_later(playback, why);
    }
    if (err != APEX_OK) {
        return err;
    }
    apex_race_save(server->simulation.race, playback->fresh);
    playback->cost.tick_us =
        TICK_US + CAR_TICK_US * (double)apex_race_player_capacity(server->simulation.race);
    return APEX_OK;
}

static apex_err create_server(const apex_playback_def *def, apex_playback *playback,
                              char why[APEX_HOST_WHY_BYTES]) {
    const apex_replay_header *header = apex_replay_header_of(playback->reader);
    playback_rerun_defs *defs = calloc(1, sizeof *defs);
    apex_server_def *server_def = calloc(1, sizeof *server_def);
    char problem[PLAYBACK_RERUN_WHY_BYTES] = "out of memory";
    apex_err err = APEX_ERR_NO_MEMORY;
    if (defs != NULL && server_def != NULL) {
        err = playback_rerun_decode(header, defs, problem);
    }
    if (err != APEX_OK) {
        free(defs);
        free(server_def);
        return refuse(why, err, problem);
    }
    fill_server_def(def, &header->race, defs, server_def);
    err = apex_server_create(server_def, &playback->server, why);
    if (err == APEX_OK) {
        err = begin(playback, why);
    }
    if (err == APEX_OK) {
        err = create_scout(def, playback, defs->cars, why);
    }
    apex_track_def_free(&defs->track);
    free(defs);
    free(server_def);
    return err;
}

apex_err apex_playback_open(const apex_playback_def *def, apex_playback **out,
                            char why[APEX_HOST_WHY_BYTES]) {
    char problem[PLAYBACK_RERUN_WHY_BYTES] = "";
    apex_playback *playback = calloc(1, sizeof *playback);
    if (playback == NULL) {
        return refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
    }
    apex_err err = apex_replay_open(def->path, &playback->reader, problem);
    if (err == APEX_ERR_NOT_FOUND) {
        (void)refuse(why, err, "there is no recording of that name");
    } else if (err != APEX_OK) {
        (void)refuse(why, err, problem);
    } else {
        err = create_server(def, playback, why);
    }
    if (err != APEX_OK) {
        apex_playback_close(playback);
        return err;
    }
    *out = playback;
    return APEX_OK;
}

void apex_playback_close(apex_playback *playback) {
    if (playback == NULL) {
        return;
    }
    playback_scout_end(&playback->scout);
    playback_stills_destroy(&playback->stills);
    apex_replay_reader_close(playback->reader);
    free(playback->roster_events);
    free(playback->fresh);
    apex_server_destroy(playback->server);
    free(playback);
}

apex_server *apex_playback_server(apex_playback *playback) {
    return playback->server;
}

uint32_t apex_playback_ticks_made(const apex_playback *playback) {
    return playback->cost.made;
}

apex_playback_state apex_playback_state_of(const apex_playback *playback) {
    bool is_going = playback->is_seeking || playback->is_asked;
    return (apex_playback_state){
        .tick = (uint32_t)(is_going ? playback->goal : playback->tick),
        .last_tick = (uint32_t)playback->extent.ticks,
        .playing = playback->is_playing,
        .seeking = is_going,
        .speed_permille = playback->speed_permille,
        .epoch = playback->epoch,
        .mark_count = playback->scout.list_count,
        .marks = playback->scout.list,
    };
}
