// The tick of a recording that is watched: the stages of a race's tick (host/tick.c), with the
// recording in place of drivers and physics, and nothing to store or to record.
//
// A playback owns a server whose ticks take commands and controls from a file: sessions, snapshots,
// standings and events are those of a live race, at the server's own rounds, however many ticks of
// the race lie in one (sixteen, an eighth, none). Messages at a rate go by the server's rounds; a
// tick that was told is told again only twice a second (DECISIONS 36).

#include "base/assert.h"
#include "playback/playback_private.h"

static void go_to(apex_playback *playback, uint64_t tick) {
    uint64_t first = apex_replay_header_of(playback->reader)->first_tick;
    uint64_t from = tick > first ? tick : first;
    playback->goal = from < playback->extent.ticks ? from : playback->extent.ticks;
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

static void send_to(apex_sessions *sessions, const host_client *client,
                    const apex_server_message *message) {
    if (client->admitted) {
        apex_sessions_send(sessions, client->session, message);
    }
}

static void tell_notice(apex_playback *playback, const host_clients *clients,
                        apex_sessions *sessions) {
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    if (playback->notice[0] == '\0') {
        return;
    }
    apex_wire_text(notice.notice.text, sizeof notice.notice.text, playback->notice);
    for (uint32_t i = 0; i < clients->end; i++) {
        send_to(sessions, &clients->at[i], &notice);
    }
    playback->notice[0] = '\0';
}

// Tells the state of playing, before anything else of it is told.
static void tell_state(apex_playback *playback, const host_frame *frame, host_clients *clients,
                       apex_sessions *sessions) {
    APEX_ASSERT(clients->end <= clients->capacity && frame->tick_hz > 0);
    apex_server_message whole = {.kind = APEX_SERVER_PLAYBACK_STATE,
                                 .playback_state = apex_playback_state_of(playback)};
    apex_server_message brief = whole;
    brief.playback_state.mark_count = 0;
    bool is_for_all =
        playback->has_news || playback->has_marks_news || frame->round % frame->tick_hz == 0;
    for (uint32_t i = 0; i < clients->end; i++) {
        host_client *client = &clients->at[i];
        bool is_new = !client->told_playback;
        if (is_new || playback->has_marks_news) {
            send_to(sessions, client, &whole);
        } else if (is_for_all) {
            send_to(sessions, client, &brief);
        }
        client->told_playback = client->admitted;
    }
    tell_notice(playback, clients, sessions);
    playback->has_news = false;
    playback->has_marks_news = false;
}

static void step(apex_playback *playback, const playback_parts *parts, bool is_watched) {
    host_frame *frame = parts->frame;
    uint64_t (*clock_us)(void) = frame->clock_us;
    uint64_t began_us = clock_us != NULL ? clock_us() : 0;
    playback_advance(playback, parts, is_watched);
    if (clock_us != NULL) {
        playback_cost_learn(&playback->cost, clock_us() - began_us);
    }
    if (!playback->is_seeking) {
        frame->shown_tick = (uint32_t)playback->tick;
    }
    frame->has_jumped = playback->has_jumped;
    frame->events = playback->roster_events;
    frame->event_count = playback->roster_event_count;
}

// Takes in what came: nobody drives, so viewers' wishes are all there is.
static void take_in(apex_playback *playback, apex_server *server, host_frame *frame) {
    apex_sessions *sessions = server->network.sessions;
    host_receive(frame, &server->network);
    host_stage_done(frame, &server->load.metrics, HOST_STAGE_RECEIVE);
    host_carry_out_orders(frame, &server->clients, &server->news, sessions, &server->simulation);
    host_ingest(frame, &server->clients, sessions, &server->simulation, &server->bots);
    for (size_t i = 0; i < frame->wish_count; i++) {
        playback_grant(playback, &frame->wishes[i].wish);
    }
    host_stage_done(frame, &server->load.metrics, HOST_STAGE_INGEST);
}

// On its way to another moment the recording is not to be looked at.
static void send(apex_playback *playback, apex_server *server, host_frame *frame) {
    const host_clients *clients = &server->clients;
    apex_sessions *sessions = server->network.sessions;
    tell_state(playback, frame, &server->clients, sessions);
    if (!playback->is_seeking) {
        host_tell(frame, &server->news, &server->clients, sessions);
        host_send_snapshots(frame, &server->clients, sessions);
        host_send_telemetry(frame, clients, sessions);
        host_send_statistics(frame, &server->load.metrics, clients, &server->network);
    }
    bool is_due = host_is_farewell_due(frame, &server->ending, server->ending.stopping,
                                       host_all_is_told(&server->news));
    host_say_goodbye(frame, &server->ending, clients, sessions, is_due);
    host_send_out(frame, &server->network);
    host_stage_done(frame, &server->load.metrics, HOST_STAGE_SEND);
}

// Several ticks of the race may lie in one of the server, so step has a store and a capture of its
// own for each of them; what comes after it looks at the last.
void apex_playback_tick(apex_playback *playback, uint64_t now_us) {
    apex_server *server = playback->server;
    host_frame *frame = &server->frame;
    host_metrics *metrics = &server->load.metrics;
    const apex_race *race = server->simulation.race;
    apex_jobs *jobs = server->simulation.jobs;
    const playback_parts parts = {.frame = frame,
                                  .race = server->simulation.race,
                                  .jobs = jobs,
                                  .news = &server->news,
                                  .clients = &server->clients,
                                  .replica = server->views.replica,
                                  .codes = server->views.codes};
    APEX_ASSERT(playback->tick <= playback->extent.ticks);
    host_clock_tick(&server->clock, now_us);
    host_begin_frame(frame, &server->clock, &server->setup, &server->simulation.names,
                     &server->frame_arena);
    frame->strain = server->load.overload.strain;
    take_in(playback, server, frame);
    step(playback, &parts, apex_sessions_welcomed(server->network.sessions) > 0);
    host_stage_done(frame, metrics, HOST_STAGE_STEP);
    if (!playback->is_seeking) {
        host_capture(frame, NULL, &server->clients, race, jobs);
        host_capture_news(frame, &server->news, &server->clients, server->network.sessions, race);
        host_stage_done(frame, metrics, HOST_STAGE_CAPTURE);
        host_encode_views(frame, &server->views, server->views.codes, jobs);
        host_encode_telemetry(frame);
        host_stage_done(frame, metrics, HOST_STAGE_ENCODE);
    }
    send(playback, server, frame);
    metrics->ticks++;
}
