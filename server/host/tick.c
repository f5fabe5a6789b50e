// The tick of a race that is being driven: the stages in their order, over one frame.

#include <string.h>

#include "base/assert.h"
#include "host/host_private.h"

enum { GOODBYE_US_MAX = 2000000 };

// Links that were fed come behind those of the transport.
static void join_links(apex_server *server, const apex_link_event *own, size_t own_count) {
    host_frame *frame = &server->frame;
    size_t count = own_count + server->fed_count;
    apex_link_event *all = apex_arena_alloc(&server->frame_arena, count * sizeof *all);
    APEX_ASSERT(all != NULL); // the transport leaves three quarters of the frame
    memcpy(all, own, own_count * sizeof *all);
    memcpy(all + own_count, server->fed, server->fed_count * sizeof *all);
    frame->links = all;
    frame->link_count = count;
}

void host_receive(apex_server *server) {
    host_frame *frame = &server->frame;
    frame->links = server->fed;
    frame->link_count = server->fed_count;
    if (server->transport != NULL) {
        apex_link_event *events = NULL;
        size_t count =
            apex_transport_receive(server->transport, frame->now_us, &server->frame_arena, &events);
        if (server->fed_count > 0) {
            join_links(server, events, count);
        } else {
            frame->links = events;
            frame->link_count = count;
        }
    }
    apex_mail *mail = NULL;
    apex_sessions_begin(server->sessions, frame->now_us, &server->frame_arena);
    frame->mail_count =
        apex_sessions_take(server->sessions, frame->links, frame->link_count, &mail);
    frame->mail = mail;
}

static void step(apex_server *server) {
    host_collect_controls(server);
    apex_race_tick(server->race, server->controls, server->jobs);
    if (server->speed_permille == 0) {
        apex_sessions_went_on(server->sessions, 1000000u / apex_race_tick_hz(server->race));
    }
    server->shown_tick = (uint32_t)apex_world_tick(apex_race_world(server->race));
    server->frame.events = apex_race_events(server->race, &server->frame.event_count);
}

// Own cars are taken whole out of physics, which for many viewers is work for all workers.
static void capture_own_cars(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
    apex_server *server = context;
    const apex_world *world = apex_race_world(server->race);
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        host_outbox *outbox = &server->frame.outbox[i];
        outbox->has_own = apex_replicate_own_car(world, &outbox->client->viewer, &outbox->own);
    }
}

void host_capture(apex_server *server) {
    enum { OWN_CARS_IN_A_JOB = 64 };
    host_frame *frame = &server->frame;
    frame->snapshot = apex_replicate_status(server->race);
    host_find_due(server);
    if (frame->is_whole_due) {
        frame->snapshot = apex_replicate_capture(server->race, &server->frame_arena);
    }
    frame->parts = apex_replicate_cut(&frame->snapshot, &server->frame_arena);
    apex_jobs_for(server->jobs, (uint32_t)frame->outbox_count, OWN_CARS_IN_A_JOB, capture_own_cars,
                  server);
}

void host_say_goodbye(apex_server *server, bool is_over) {
    bool is_told = server->untold_first == server->untold_next;
    bool waited = server->stopping && server->now_us - server->stop_us > GOODBYE_US_MAX;
    if (!server->goodbyes_said && (!is_over || (!is_told && !waited))) {
        return;
    }
    if (!server->goodbyes_said) {
        server->goodbyes_said = true;
        server->goodbye_us = server->now_us;
    }
    // Again in each tick: who says Hello in the meantime hears it too.
    apex_reason reason = server->stopping ? server->stop_reason : APEX_REASON_EVENT_OVER;
    const char *text = server->stopping ? server->stop_text : apex_reason_text(reason);
    for (uint32_t i = 0; i < server->clients.end; i++) {
        if (server->clients.at[i].session.index1 != 0) {
            apex_sessions_close(server->sessions, server->clients.at[i].session, reason, text);
        }
    }
}

void host_send_out(apex_server *server) {
    if (server->transport == NULL) {
        return;
    }
    const apex_link_packet *packets = NULL;
    size_t count = apex_sessions_outbox(server->sessions, &packets);
    apex_transport_send(server->transport, packets, count);
    const apex_link *closing = NULL;
    size_t closing_count = apex_sessions_closing(server->sessions, &closing);
    for (size_t i = 0; i < closing_count; i++) {
        apex_transport_close_link(server->transport, closing[i]);
    }
    apex_transport_flush(server->transport);
}

// A lap of the clock by which the stages of a tick are measured.
void host_stage_done(apex_server *server, host_stage stage) {
    uint64_t now_us = server->clock_us != NULL ? server->clock_us() : 0;
    server->metrics.stage_us[stage] += now_us - server->frame.stage_began_us;
    server->frame.stage_began_us = now_us;
}

static void begin_frame(apex_server *server, uint64_t now_us) {
    server->now_us = now_us;
    apex_arena_reset(&server->frame_arena);
    server->frame = (host_frame){.now_us = now_us};
}

// Only a recording can be played: who wishes it of this race is told so.
static void refuse_wishes(apex_server *server) {
    for (size_t i = 0; i < server->frame.wish_count; i++) {
        apex_sessions_reject(server->sessions, server->frame.wishes[i].client->session,
                             APEX_REASON_OUT_OF_ORDER,
                             "this race is being driven now: only a recording can be played");
    }
}

void host_begin_tick(apex_server *server, uint64_t now_us) {
    begin_frame(server, now_us);
    server->ticked_us = now_us;
    server->rounds++;
    server->frame.stage_began_us = server->clock_us != NULL ? server->clock_us() : 0;
}

void host_end_frame(apex_server *server) {
    server->fed = NULL;
    server->fed_count = 0;
}

void apex_server_hear(apex_server *server, uint64_t now_us) {
    begin_frame(server, now_us);
    host_receive(server);
    host_ingest(server);
    refuse_wishes(server);
    host_idle_note(server);
    host_tell(server);
    host_send_out(server);
    host_end_frame(server);
}

// While nobody is here an event without end makes no ticks: newcomers are looked for, and that is
// all.
void apex_server_tick(apex_server *server, uint64_t now_us) {
    host_begin_tick(server, now_us);
    host_receive(server);
    host_stage_done(server, HOST_STAGE_RECEIVE);
    host_ingest(server);
    refuse_wishes(server);
    host_idle_note(server);
    host_stage_done(server, HOST_STAGE_INGEST);
    bool goes_on = !server->idle.on;
    if (goes_on) {
        step(server);
        host_stage_done(server, HOST_STAGE_STEP);
    }
    host_store_events(server);
    host_log_events(server);
    host_demote_note(server);
    host_stage_done(server, HOST_STAGE_STORE);
    if (goes_on) {
        apex_replica_capture(server->replica, server->race);
        host_capture(server);
        host_stage_done(server, HOST_STAGE_CAPTURE);
        host_encode_views(server);
        host_stage_done(server, HOST_STAGE_ENCODE);
    }
    host_tell(server);
    host_log_lobby(server);
    host_send_views(server);
    host_send_stats(server);
    host_say_goodbye(server, apex_race_phase_of(server->race) == APEX_PHASE_OVER);
    host_send_out(server);
    host_stage_done(server, HOST_STAGE_SEND);
    if (goes_on) {
        host_record_tick(server);
        host_stage_done(server, HOST_STAGE_RECORD);
    }
    server->metrics.ticks += goes_on;
    host_end_frame(server);
}
