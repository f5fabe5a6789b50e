// The tick of a recording that is watched: the stages of a race's tick (host/tick.c), with the
// recording in place of drivers and physics, and nothing to store or to record.

#include "playback/playback_private.h"

static void go_to(apex_playback *playback, uint64_t tick) {
    playback->goal = tick < playback->extent.ticks ? tick : playback->extent.ticks;
    playback->is_asked = true;
}

void playback_grant(apex_playback *playback, const apex_playback_wish *wish) {
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

static void tell_notice(apex_playback *playback) {
    apex_server *server = playback->server;
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    if (playback->notice[0] == '\0') {
        return;
    }
    apex_wire_text(notice.notice.text, sizeof notice.notice.text, playback->notice);
    for (uint32_t i = 0; i < server->clients.end; i++) {
        send_to(server, &server->clients.at[i], &notice);
    }
    playback->notice[0] = '\0';
}

// Where the recording stands, before anything else of it is told.
static void tell_state(apex_playback *playback) {
    apex_server *server = playback->server;
    apex_server_message whole = {.kind = APEX_SERVER_PLAYBACK_STATE,
                                 .playback_state = apex_playback_state_of(playback)};
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
    tell_notice(playback);
    playback->has_news = false;
    playback->has_marks_news = false;
}

static void step(apex_playback *playback) {
    apex_server *server = playback->server;
    uint64_t began_us = server->clock_us != NULL ? server->clock_us() : 0;
    playback_advance(playback);
    if (server->clock_us != NULL) {
        playback_cost_learn(&playback->cost, server->clock_us() - began_us);
    }
    if (!playback->is_seeking) {
        server->shown_tick = (uint32_t)playback->tick;
    }
    server->frame.has_jumped = playback->has_jumped;
    server->frame.events = playback->roster_events;
    server->frame.event_count = playback->roster_event_count;
}

void apex_playback_account(apex_playback *playback, uint64_t work_us) {
    if (playback->server->clock_us == NULL) {
        playback_cost_learn(&playback->cost, work_us);
    }
}

// On its way to another moment the recording is not to be looked at.
void apex_playback_tick(apex_playback *playback, uint64_t now_us) {
    apex_server *server = playback->server;
    host_begin_tick(server, now_us);
    host_receive(server);
    host_stage_done(server, HOST_STAGE_RECEIVE);
    host_ingest(server);
    for (size_t i = 0; i < server->frame.wish_count; i++) {
        playback_grant(playback, &server->frame.wishes[i].wish);
    }
    host_stage_done(server, HOST_STAGE_INGEST);
    step(playback);
    host_stage_done(server, HOST_STAGE_STEP);
    if (!playback->is_seeking) {
        host_capture(server);
    }
    host_stage_done(server, HOST_STAGE_CAPTURE);
    host_encode_views(server);
    host_stage_done(server, HOST_STAGE_ENCODE);
    tell_state(playback);
    if (!playback->is_seeking) {
        host_tell(server);
        host_send_views(server);
        host_send_stats(server);
    }
    host_say_goodbye(server, server->stopping);
    host_send_out(server);
    host_stage_done(server, HOST_STAGE_SEND);
    server->metrics.ticks++;
    host_end_frame(server);
}
