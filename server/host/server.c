#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/host_private.h"

enum { GOODBYE_US_MAX = 2000000, FRAME_BYTES_BASE = 8 * 1024 * 1024 };

__attribute__((format(printf, 3, 4))) static apex_err
refuse(char why[APEX_HOST_WHY_BYTES], apex_err err, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, APEX_HOST_WHY_BYTES, format, arguments);
    va_end(arguments);
    return err;
}

// --- The tick -----------------------------------------------------------------------------------

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

static void receive(apex_server *server) {
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
    if (server->playback != NULL) {
        host_playback_step(server);
        return;
    }
    host_collect_controls(server);
    apex_race_tick(server->race, server->controls, server->jobs);
    if (server->speed_permille == 0) {
        apex_sessions_went_on(server->sessions, 1000000u / apex_race_tick_hz(server->race));
    }
    server->frame.events = apex_race_events(server->race, &server->frame.event_count);
}

static void store(apex_server *server) {
    if (server->playback == NULL) { // which keeps what happened with each of its ticks
        host_store_events(server);
        host_demote_note(server);
    }
}

static void capture(apex_server *server) {
    host_frame *frame = &server->frame;
    if (host_playback_hides(server)) {
        return;
    }
    if (server->playback == NULL) { // which captures each of its ticks
        apex_replica_capture(server->replica, server->race);
    }
    frame->snapshot = apex_replicate_status(server->race);
    host_find_due(server);
    if (frame->is_whole_due) {
        frame->snapshot = apex_replicate_capture(server->race, &server->frame_arena);
    }
    frame->parts = apex_replicate_cut(&frame->snapshot, &server->frame_arena);
}

static void say_goodbye(apex_server *server) {
    bool is_over = server->playback != NULL ? server->stopping
                                            : apex_race_phase_of(server->race) == APEX_PHASE_OVER;
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

static void send_out(apex_server *server) {
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

static void send(apex_server *server) {
    if (server->playback != NULL) {
        host_playback_tell(server);
    }
    if (!host_playback_hides(server)) {
        host_tell(server);
        host_send_views(server);
        host_send_stats(server);
    }
    say_goodbye(server);
    send_out(server);
}

// Each passes the frame on to the next: it fills its own field and reads the earlier ones.
static void (*const stages[HOST_STAGES])(apex_server *server) = {
    [HOST_STAGE_RECEIVE] = receive, [HOST_STAGE_INGEST] = host_ingest,
    [HOST_STAGE_STEP] = step,       [HOST_STAGE_STORE] = store,
    [HOST_STAGE_CAPTURE] = capture, [HOST_STAGE_ENCODE] = host_encode_views,
    [HOST_STAGE_SEND] = send,       [HOST_STAGE_RECORD] = host_record_tick,
};

// What is left out while nobody is here.
static const bool is_of_race[HOST_STAGES] = {
    [HOST_STAGE_STEP] = true,
    [HOST_STAGE_CAPTURE] = true,
    [HOST_STAGE_ENCODE] = true,
    [HOST_STAGE_RECORD] = true,
};

static uint64_t clock_us(const apex_server *server) {
    return server->clock_us != NULL ? server->clock_us() : 0;
}

static void begin_frame(apex_server *server, uint64_t now_us) {
    server->now_us = now_us;
    apex_arena_reset(&server->frame_arena);
    server->frame = (host_frame){.now_us = now_us};
}

static void end_frame(apex_server *server) {
    server->fed = NULL;
    server->fed_count = 0;
}

void apex_server_hear(apex_server *server, uint64_t now_us) {
    APEX_ASSERT(server->playback == NULL);
    begin_frame(server, now_us);
    receive(server);
    host_ingest(server);
    host_tell(server);
    send_out(server);
    end_frame(server);
}

void apex_server_tick(apex_server *server, uint64_t now_us) {
    begin_frame(server, now_us);
    server->ticked_us = now_us;
    server->rounds++;
    uint64_t began_us = clock_us(server);
    for (uint32_t stage = 0; stage < HOST_STAGES; stage++) {
        if (server->idle.on && is_of_race[stage]) {
            continue;
        }
        stages[stage](server);
        uint64_t ended_us = clock_us(server);
        server->metrics.stage_us[stage] += ended_us - began_us;
        began_us = ended_us;
    }
    server->metrics.ticks += !server->idle.on;
    end_frame(server);
}

// --- Life ---------------------------------------------------------------------------------------

static apex_err create_race(apex_server *server, const apex_server_def *def,
                            char why[APEX_HOST_WHY_BYTES]) {
    apex_def_problem problem = {0};
    apex_err err = apex_track_create(&def->track, &server->track, &problem);
    if (err != APEX_OK) {
        return refuse(why, err, "track %s: %s: %s", def->track.name, problem.field, problem.reason);
    }
    err =
        apex_race_create(&def->file.race, server->track, def->cars, def->car_count, &server->race);
    if (err != APEX_OK) {
        return refuse(why, err, "the race can't be made: %s", apex_err_text(err));
    }
    server->controls = calloc(def->file.race.player_capacity, sizeof *server->controls);
    server->replica =
        apex_replica_create(def->file.race.player_capacity, apex_race_tick_hz(server->race));
    server->view_limits = host_view_limits(def->file.snapshots);
    server->results.lines =
        calloc(apex_race_standings_max(server->race), sizeof *server->results.lines);
    uint32_t talk = HOST_UNTOLD_A_PLAYER * def->file.race.player_capacity;
    server->untold_capacity = talk > HOST_UNTOLD_MIN ? talk : HOST_UNTOLD_MIN;
    server->untold = calloc(server->untold_capacity, sizeof *server->untold);
    host_roster_news *news = &server->roster_news;
    news->capacity = 2 * def->file.race.player_capacity; // all leave, and others come
    news->players = calloc(news->capacity, sizeof *news->players);
    bool complete = server->replica != NULL && server->controls != NULL &&
                    server->results.lines != NULL && server->untold != NULL &&
                    news->players != NULL;
    return complete ? APEX_OK : refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
}

// Links outnumber clients, so that who is refused still hears why.
static uint32_t links_max(const apex_server_def *def) {
    return def->file.clients_max + def->file.clients_max / 4 + 64;
}

static apex_err create_network(apex_server *server, const apex_server_def *def,
                               char why[APEX_HOST_WHY_BYTES]) {
    apex_sessions_def sessions = apex_default_sessions_def();
    server->own_links_max = def->listen ? links_max(def) : 0;
    sessions.sessions_max = def->listen ? links_max(def) + def->fed_links_max : links_max(def);
    sessions.clients_max = def->file.clients_max;
    sessions.clients_per_address_max = def->file.clients_per_address_max;
    sessions.speed_permille = server->speed_permille;
    sessions.resume_us_max = (uint64_t)(def->file.resume_grace_s * 1e6);
    memcpy(sessions.password, def->file.password, sizeof sessions.password);
    sessions.watching_open = def->file.password_for == APEX_PASSWORD_FOR_DRIVE;
    apex_err err = apex_sessions_create(&sessions, def->token_key, &server->sessions);
    if (err == APEX_OK) {
        err = host_clients_create(&server->clients, sessions.sessions_max,
                                  def->file.race.player_capacity);
    }
    if (err != APEX_OK) {
        return refuse(why, err, "sessions: %s", apex_err_text(err));
    }
    if (!def->listen) {
        return APEX_OK;
    }
    apex_transport_def transport = apex_default_transport_def();
    transport.address = def->file.address;
    transport.port = def->file.port;
    transport.links_max = server->own_links_max;
    // Who comes back may do so before its old link has timed out.
    transport.links_per_address_max = 2 * def->file.clients_per_address_max + 16;
    transport.link_timeout_us = (uint64_t)(def->file.client_timeout_s * 1e6);
    err = apex_transport_create(&transport, &server->transport);
    const char *hint =
        err == APEX_ERR_BUSY_PORT ? "; choose another with --port, or 0 for any" : "";
    bool is_address = err == APEX_ERR_INVALID || err == APEX_ERR_NOT_FOUND;
    const char *address = is_address ? def->file.address : "";
    return err == APEX_OK ? APEX_OK
                          : refuse(why, err, "can't listen on UDP port %u%s%s: %s%s",
                                   def->file.port, address[0] != '\0' ? " of address " : "",
                                   address, apex_err_text(err), hint);
}

static apex_err create_frame(apex_server *server, const apex_server_def *def,
                             char why[APEX_HOST_WHY_BYTES]) {
    size_t players = def->file.race.player_capacity;
    size_t bytes = FRAME_BYTES_BASE + players * 4096 +
                   (size_t)server->clients.capacity *
                       (sizeof(apex_viewer_packets) + sizeof(host_outbox) + 8192);
    apex_err err = apex_arena_create(&server->frame_arena, bytes);
    return err == APEX_OK ? APEX_OK : refuse(why, err, "out of memory");
}

static apex_err create_parts(apex_server *server, const apex_server_def *def,
                             char why[APEX_HOST_WHY_BYTES]) {
    apex_err err = create_race(server, def, why);
    if (err == APEX_OK) {
        err = create_network(server, def, why);
    }
    if (err == APEX_OK) {
        err = create_frame(server, def, why);
    }
    if (err == APEX_OK && host_bots_create(&server->bots, def->file.bots) != APEX_OK) {
        err = refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
    }
    if (err != APEX_OK) {
        return err;
    }
    err = host_defs_create(server, def);
    if (err != APEX_OK) {
        return refuse(why, err, "definitions: %s", apex_err_text(err));
    }
    err = apex_store_create(def->file.results_dir, &server->store);
    if (err != APEX_OK) {
        return refuse(why, err, "results directory %s: %s", def->file.results_dir,
                      apex_err_text(err));
    }
    if (def->workers > 0) {
        server->jobs = apex_jobs_create(def->workers + 1);
    }
    if (def->workers > 0 && server->jobs == NULL) {
        return refuse(why, APEX_ERR_NO_MEMORY, "%u workers can't be started", def->workers);
    }
    err = host_record_begin(server, def);
    return err == APEX_OK ? APEX_OK
                          : refuse(why, err, "replay %s: %s", def->record_path, apex_err_text(err));
}

apex_err apex_server_create(const apex_server_def *def, apex_server **out,
                            char why[APEX_HOST_WHY_BYTES]) {
    APEX_ASSERT(def->car_count > 0 && def->car_count <= APEX_RACE_CAR_DEFS_MAX);
    apex_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        return refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
    }
    server->file = def->file;
    server->speed_permille = def->speed_permille;
    server->idles = def->idles;
    server->start_us = def->now_us;
    server->now_us = def->now_us;
    server->clock_us = def->clock_us;
    server->start_unix_us = def->unix_us;
    server->race_began_unix_us = def->unix_us;
    server->car_count = def->car_count;
    memcpy(server->track_name, def->track.name, sizeof server->track_name);
    for (uint32_t i = 0; i < def->car_count; i++) {
        memcpy(server->car_names[i], def->cars[i].name, sizeof server->car_names[i]);
        server->car_name_list[i] = server->car_names[i];
    }
    apex_err err = create_parts(server, def, why);
    if (err != APEX_OK) {
        apex_server_destroy(server);
        return err;
    }
    host_bots_seat(server);
    *out = server;
    return APEX_OK;
}

static void save_what_is_left(apex_server *server) {
    if (server->store == NULL || !apex_store_has_work(server->store)) {
        return;
    }
    apex_err err = apex_store_work(server->store);
    if (err != APEX_OK) {
        apex_log(APEX_LOG_ERROR, "store", "%s: %s; the newest events and results are lost",
                 server->file.results_dir, apex_err_text(err));
    }
}

void apex_server_destroy(apex_server *server) {
    if (server == NULL) {
        return;
    }
    host_record_end(server);
    host_playback_destroy(server->playback);
    save_what_is_left(server);
    apex_store_destroy(server->store);
    apex_transport_destroy(server->transport);
    apex_sessions_destroy(server->sessions);
    host_clients_destroy(&server->clients);
    host_bots_destroy(&server->bots);
    host_defs_destroy(server);
    apex_replica_destroy(server->replica);
    apex_race_destroy(server->race);
    apex_track_destroy(server->track);
    apex_jobs_destroy(server->jobs);
    apex_arena_destroy(&server->frame_arena);
    free(server->untold);
    free(server->roster_news.players);
    free(server->results.lines);
    free(server->controls);
    free(server);
}

void apex_server_stop(apex_server *server, apex_reason reason, const char *text) {
    if (server->stopping) {
        return;
    }
    server->stopping = true;
    server->stop_us = server->now_us;
    server->stop_reason = reason;
    snprintf(server->stop_text, sizeof server->stop_text, "%s", text);
    apex_race_command end = {.kind = APEX_RACE_END};
    (void)host_apply(server, &end); // refused where nothing is left to end
    apex_log(APEX_LOG_INFO, "host", "stopping: %s", text);
}

bool apex_server_finished(const apex_server *server) {
    if (!server->goodbyes_said) {
        return false;
    }
    // A session that is closing no longer counts as welcomed, but its last words may have been lost
    // on the way; it is closed when they have arrived or its time is up.
    const uint64_t *sessions = apex_sessions_counters(server->sessions);
    bool everybody_knows = sessions[APEX_SESSION_OPENED] == sessions[APEX_SESSION_CLOSED];
    return everybody_knows || server->now_us - server->goodbye_us > GOODBYE_US_MAX;
}

// --- Small questions ----------------------------------------------------------------------------

uint32_t apex_server_tick_hz(const apex_server *server) {
    return apex_race_tick_hz(server->race);
}

uint16_t apex_server_port(const apex_server *server) {
    return server->transport != NULL ? apex_transport_port(server->transport) : 0;
}

size_t apex_server_sockets(const apex_server *server, int sockets[APEX_SOCKETS_MAX]) {
    return server->transport != NULL ? apex_transport_sockets(server->transport, sockets) : 0;
}

const apex_race *apex_server_race(const apex_server *server) {
    return server->race;
}

uint16_t apex_server_fed_links_base(const apex_server *server) {
    return (uint16_t)server->own_links_max;
}

void apex_server_feed(apex_server *server, const apex_link_event events[], size_t count) {
    server->fed = events;
    server->fed_count = count;
}

size_t apex_server_outbox(const apex_server *server, const apex_link_packet **packets) {
    return apex_sessions_outbox(server->sessions, packets);
}

size_t apex_server_closing(const apex_server *server, const apex_link **links) {
    return apex_sessions_closing(server->sessions, links);
}

apex_controls_counters apex_server_controls_counters(const apex_server *server) {
    return server->controls_counters;
}

const uint64_t *apex_server_session_counters(const apex_server *server) {
    return apex_sessions_counters(server->sessions);
}

const uint64_t *apex_server_transport_counters(const apex_server *server) {
    return server->transport != NULL ? apex_transport_counters(server->transport) : NULL;
}

const char *apex_server_newest_results(apex_server *server) {
    return apex_store_newest_results(server->store);
}

bool apex_server_has_blocking_work(apex_server *server) {
    return apex_store_has_work(server->store);
}

bool apex_server_do_blocking_work(apex_server *server) {
    apex_err err = apex_store_work(server->store);
    if (err != APEX_OK && !server->store_failing) {
        apex_log(APEX_LOG_ERROR, "store", "%s: %s; trying again until it works",
                 server->file.results_dir, apex_err_text(err));
    } else if (err == APEX_OK && server->store_failing) {
        apex_log(APEX_LOG_INFO, "store", "%s: works again", server->file.results_dir);
    }
    server->store_failing = err != APEX_OK;
    return err == APEX_OK;
}
