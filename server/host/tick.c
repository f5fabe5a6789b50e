// The tick of a race that is being driven: the stages in their order, over one frame. The call of a
// stage shows what it may write and what it only reads.

#include "host/tick_stages.h"

// Only a recording can be played: a client that wishes it of this race is told so.
static void refuse_wishes(const host_frame *frame, apex_sessions *sessions) {
    for (size_t i = 0; i < frame->wish_count; i++) {
        apex_sessions_reject(sessions, frame->wishes[i].client->session, APEX_REASON_OUT_OF_ORDER,
                             "this race is being driven now: only a recording can be played");
    }
}

static void step(host_frame *frame, host_simulation *simulation, apex_sessions *sessions) {
    apex_race *race = simulation->race;
    apex_race_tick(race, simulation->controls, simulation->jobs);
    if (frame->setup->speed_permille == 0) {
        apex_sessions_went_on(sessions, 1000000u / apex_race_tick_hz(race));
    }
    frame->shown_tick = (uint32_t)apex_world_tick(apex_race_world(race));
    frame->events = apex_race_events(race, &frame->event_count);
}

// Takes in what came: mail, into the race.
static void take_in(apex_server *server, host_frame *frame) {
    host_simulation *simulation = &server->simulation;
    host_clients *clients = &server->clients;
    apex_sessions *sessions = server->network.sessions;
    host_bots_draw(frame, &server->bots, simulation, &server->news.roster, clients);
    host_carry_out_orders(frame, clients, &server->news, sessions, simulation);
    host_ingest(frame, clients, sessions, simulation, &server->bots);
    refuse_wishes(frame, sessions);
    host_idle_note(frame, &server->idle, &server->network, simulation->race, &server->ending);
}

void apex_server_hear(apex_server *server, uint64_t now_us) {
    host_frame *frame = &server->frame;
    apex_sessions *sessions = server->network.sessions;
    server->clock.now_us = now_us;
    host_begin_frame(frame, &server->clock, &server->setup, &server->simulation.names,
                     &server->frame_arena);
    frame->strain = server->load.overload.strain;
    host_receive(frame, &server->network);
    take_in(server, frame);
    host_capture_news(frame, &server->news, &server->clients, sessions, server->simulation.race);
    host_tell(frame, &server->news, &server->clients, sessions);
    host_send_out(frame, &server->network);
}

// Sends the race out to clients.
static void send(apex_server *server, host_frame *frame) {
    const host_clients *clients = &server->clients;
    apex_sessions *sessions = server->network.sessions;
    host_send_warnings(frame, clients, sessions);
    host_tell(frame, &server->news, &server->clients, sessions);
    if (!server->idle.on) {
        host_log_lobby(frame, &server->news);
    }
    host_send_snapshots(frame, &server->clients, sessions);
    host_send_telemetry(frame, clients, sessions);
    host_send_statistics(frame, &server->load.metrics, clients, &server->network);
    bool is_over = frame->status.phase == APEX_PHASE_OVER;
    bool is_due =
        host_is_farewell_due(frame, &server->ending, is_over, host_all_is_told(&server->news));
    host_say_goodbye(frame, &server->ending, clients, sessions, is_due);
    host_send_out(frame, &server->network);
    host_stage_done(frame, &server->load.metrics, HOST_STAGE_SEND);
}

// While nobody is here an event without end makes no ticks: newcomers are looked for, and that is
// all.
void apex_server_tick(apex_server *server, uint64_t now_us) {
    host_frame *frame = &server->frame;
    host_metrics *metrics = &server->load.metrics;
    host_simulation *simulation = &server->simulation;
    const apex_race *race = simulation->race;
    bool is_complete = !server->ending.stopping;
    host_clock_tick(&server->clock, now_us);
    host_begin_frame(frame, &server->clock, &server->setup, &server->simulation.names,
                     &server->frame_arena);
    frame->strain = server->load.overload.strain;
    host_receive(frame, &server->network);
    host_stage_done(frame, metrics, HOST_STAGE_RECEIVE);
    take_in(server, frame);
    host_resume_hand_back(frame, &server->clients, simulation);
    host_stage_done(frame, metrics, HOST_STAGE_INGEST);
    bool goes_on = !server->idle.on;
    if (goes_on) {
        host_collect_controls(frame, &server->clients, simulation);
        step(frame, simulation, server->network.sessions);
        host_stage_done(frame, metrics, HOST_STAGE_STEP);
    }
    host_store_names(simulation->names.held);
    host_store_events(frame, &server->news, race, is_complete);
    host_log_events(frame, &server->news, race, is_complete);
    host_demote_note(frame, &server->clients);
    host_stage_done(frame, metrics, HOST_STAGE_STORE);
    if (goes_on) {
        host_capture(frame, server->views.replica, &server->clients, race, simulation->jobs);
    }
    host_capture_news(frame, &server->news, &server->clients, server->network.sessions, race);
    host_stage_done(frame, metrics, HOST_STAGE_CAPTURE);
    if (goes_on) {
        host_encode_views(frame, &server->views, server->views.codes, simulation->jobs);
        host_encode_telemetry(frame);
        host_stage_done(frame, metrics, HOST_STAGE_ENCODE);
    }
    send(server, frame);
    if (goes_on) {
        host_record_tick(frame, &simulation->recorder, race);
        host_stage_done(frame, metrics, HOST_STAGE_RECORD);
    }
    metrics->ticks += goes_on;
}
