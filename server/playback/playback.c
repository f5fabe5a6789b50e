// A recording opened, asked for something, and what is said of it.

#include "playback/playback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "host/host_private.h"

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

// --- Opening -------------------------------------------------------------------------------------

static apex_err refuse(char why[APEX_HOST_WHY_BYTES], apex_err err, const char *text) {
    snprintf(why, APEX_HOST_WHY_BYTES, "%s", text);
    return err;
}

static void fill_server_def(const apex_playback_def *def, const apex_race_def *race,
                            const host_rerun_defs *defs, apex_server_def *out) {
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
    memcpy(out->token_key, def->token_key, sizeof out->token_key);
}

static apex_err create_scout(const apex_playback_def *def, apex_server *server,
                             const apex_car_def cars[], char why[APEX_HOST_WHY_BYTES]) {
    host_scout *scout = &server->playback->scout;
    char problem[HOST_RERUN_WHY_BYTES] = "";
    apex_err err = apex_replay_open(def->path, &scout->reader, problem);
    if (err == APEX_OK) {
        err = apex_race_create(&server->file.race, server->track, cars, server->car_count,
                               &scout->race);
    }
    return err == APEX_OK ? APEX_OK
                          : refuse(why, err, problem[0] != '\0' ? problem : apex_err_text(err));
}

// @param reader belongs to the playback from here on, whatever comes.
static apex_err create_playback(apex_server *server, apex_replay_reader *reader,
                                char why[APEX_HOST_WHY_BYTES]) {
    host_playback *playback = calloc(1, sizeof *playback);
    if (playback == NULL) {
        apex_replay_reader_close(reader);
        return refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
    }
    server->playback = playback;
    playback->reader = reader;
    playback->speed_permille = 1000;
    playback->is_playing = true;
    playback->saved_bytes = apex_race_save_bytes(server->race);
    playback->fresh = malloc(playback->saved_bytes);
    // One more than the news have room for, so that too many are noticed there.
    playback->roster_event_capacity = server->roster_news.capacity + 1;
    playback->roster_events =
        calloc(playback->roster_event_capacity, sizeof *playback->roster_events);
    bool has_stills = host_stills_create(&playback->stills, playback->saved_bytes);
    if (playback->fresh == NULL || playback->roster_events == NULL || !has_stills) {
        return refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
    }
    apex_race_save(server->race, playback->fresh);
    playback->pace.tick_us =
        TICK_US + CAR_TICK_US * (double)apex_race_player_capacity(server->race);
    apex_err err = apex_replay_survey(reader, &playback->extent);
    if (err != APEX_OK) {
        return refuse(why, err, apex_err_text(err));
    }
    if (playback->extent.ticks > UINT32_MAX - 1) {
        return refuse(why, APEX_ERR_RANGE, "the recording is too long");
    }
    bool is_empty = playback->extent.ticks == 0;
    bool may_grow = !playback->extent.is_closed && playback->extent.why[0] == '\0';
    if (is_empty && may_grow) {
        return refuse(why, APEX_ERR_STATE,
                      "nothing to play yet: a recording can be watched from its first keyframe on, "
                      "some ten seconds after it began");
    }
    return is_empty ? refuse(why, APEX_ERR_STATE, "there is nothing in the recording") : APEX_OK;
}

static apex_err open_server(const apex_playback_def *def, apex_replay_reader *reader,
                            apex_server **out, char why[APEX_HOST_WHY_BYTES]) {
    const apex_replay_header *header = apex_replay_header_of(reader);
    host_rerun_defs *defs = calloc(1, sizeof *defs);
    apex_server_def *server_def = calloc(1, sizeof *server_def);
    char problem[HOST_RERUN_WHY_BYTES] = "out of memory";
    apex_err err = APEX_ERR_NO_MEMORY;
    if (defs != NULL && server_def != NULL) {
        err = host_rerun_decode(header, defs, problem);
    }
    if (err != APEX_OK) {
        apex_replay_reader_close(reader);
        free(defs);
        free(server_def);
        return refuse(why, err, problem);
    }
    fill_server_def(def, &header->race, defs, server_def);
    err = apex_server_create(server_def, out, why);
    if (err == APEX_OK) {
        err = create_playback(*out, reader, why);
    } else {
        apex_replay_reader_close(reader);
    }
    if (err == APEX_OK) {
        err = create_scout(def, *out, defs->cars, why);
    }
    apex_track_def_free(&defs->track);
    free(defs);
    free(server_def);
    return err;
}

apex_err apex_server_open_playback(const apex_playback_def *def, apex_server **out,
                                   char why[APEX_HOST_WHY_BYTES]) {
    char problem[HOST_RERUN_WHY_BYTES] = "";
    apex_replay_reader *reader = NULL;
    apex_server *server = NULL;
    apex_err err = apex_replay_open(def->path, &reader, problem);
    if (err == APEX_ERR_NOT_FOUND) {
        return refuse(why, err, "there is no recording of that name");
    }
    if (err != APEX_OK) {
        return refuse(why, err, problem);
    }
    err = open_server(def, reader, &server, why);
    if (err != APEX_OK) {
        apex_server_destroy(server);
        return err;
    }
    *out = server;
    return APEX_OK;
}

void host_playback_destroy(host_playback *playback) {
    if (playback == NULL) {
        return;
    }
    host_scout_end(&playback->scout);
    host_stills_destroy(&playback->stills);
    apex_replay_reader_close(playback->reader);
    free(playback->roster_events);
    free(playback->fresh);
    free(playback);
}

// --- Small questions -----------------------------------------------------------------------------

bool host_playback_hides(const apex_server *server) {
    return server->playback != NULL && server->playback->is_seeking;
}

uint32_t host_shown_tick(const apex_server *server) {
    return server->playback != NULL ? (uint32_t)server->playback->shown_tick
                                    : (uint32_t)apex_world_tick(apex_race_world(server->race));
}

bool apex_server_playback(const apex_server *server, apex_playback_state *out) {
    const host_playback *playback = server->playback;
    if (playback == NULL) {
        return false;
    }
    bool is_going = playback->is_seeking || playback->is_asked;
    *out = (apex_playback_state){
        .tick = (uint32_t)(is_going ? playback->goal : playback->tick),
        .last_tick = (uint32_t)playback->extent.ticks,
        .playing = playback->is_playing,
        .seeking = is_going,
        .speed_permille = playback->speed_permille,
        .epoch = playback->epoch,
        .mark_count = playback->scout.list_count,
        .marks = playback->scout.list,
    };
    return true;
}

// --- Asking and telling --------------------------------------------------------------------------

static void go_to(host_playback *playback, uint64_t tick) {
    playback->goal = tick < playback->extent.ticks ? tick : playback->extent.ticks;
    playback->is_asked = true;
}

void host_playback_ask(apex_server *server, const apex_playback_wish *wish) {
    host_playback *playback = server->playback;
    playback->has_news = true;
    if (wish->speed_permille != 0) {
        playback->speed_permille = wish->speed_permille;
    }
    if (wish->seek != 0) {
        go_to(playback, wish->seek - 1);
    }
    if (wish->play == APEX_PLAY_PAUSE) {
        playback->is_playing = false;
    }
    if (wish->play != APEX_PLAY_ON) {
        return;
    }
    playback->is_playing = true;
    bool is_going = playback->is_asked || playback->is_seeking;
    if (is_going) {
        return;
    }
    if (playback->tick == playback->extent.ticks) {
        go_to(playback, 0);
    } else if (playback->is_lost) {
        go_to(playback, playback->tick);
    }
}

static void send_to(apex_server *server, const host_client *client,
                    const apex_server_message *message) {
    if (client->admitted) {
        apex_sessions_send(server->sessions, client->session, message);
    }
}

static void tell_notice(apex_server *server) {
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    if (server->playback->notice[0] == '\0') {
        return;
    }
    apex_wire_text(notice.notice.text, sizeof notice.notice.text, server->playback->notice);
    for (uint32_t i = 0; i < server->clients.end; i++) {
        send_to(server, &server->clients.at[i], &notice);
    }
    server->playback->notice[0] = '\0';
}

void host_playback_tell(apex_server *server) {
    host_playback *playback = server->playback;
    apex_server_message whole = {.kind = APEX_SERVER_PLAYBACK_STATE};
    bool is_playback = apex_server_playback(server, &whole.playback_state);
    APEX_ASSERT(is_playback);
    apex_server_message brief = whole;
    brief.playback_state.mark_count = 0;
    bool is_for_all = playback->has_news || playback->has_marks_news ||
                      server->rounds % apex_race_tick_hz(server->race) == 0;
    for (uint32_t i = 0; i < server->clients.end; i++) {
        const host_client *client = &server->clients.at[i];
        bool is_new = !client->told_playback;
        if (is_new || playback->has_marks_news) {
            send_to(server, client, &whole);
        } else if (is_for_all) {
            send_to(server, client, &brief);
        }
        server->clients.at[i].told_playback = client->admitted;
    }
    tell_notice(server);
    playback->has_news = false;
    playback->has_marks_news = false;
}
