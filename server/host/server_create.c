// Making a server: each of its parts, in an order, and what is said where one cannot be made.

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "host/clients/definitions.h"
#include "host/entry_rules.h"
#include "host/host_private.h"
#include "host/seats/bots.h"
#include "host/simulation/record.h"
#include "host/views/view_limits.h"

enum { FRAME_BYTES_BASE = 8 * 1024 * 1024 };
static const uint64_t MIB = 1024 * 1024;

__attribute__((format(printf, 3, 4))) static apex_err
refuse(char why[APEX_HOST_WHY_BYTES], apex_err err, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, APEX_HOST_WHY_BYTES, format, arguments);
    va_end(arguments);
    return err;
}

static apex_err refuse_for_memory(char why[APEX_HOST_WHY_BYTES]) {
    return refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
}

static apex_err create_race(apex_server *server, const apex_server_def *def,
                            char why[APEX_HOST_WHY_BYTES]) {
    host_simulation *simulation = &server->simulation;
    apex_def_problem problem = {0};
    apex_err err = apex_track_create(&def->track, &simulation->track, &problem);
    if (err != APEX_OK) {
        return refuse(why, err, "track %s: %s: %s", def->track.name, problem.field, problem.reason);
    }
    err = apex_race_create(&def->file.race, simulation->track, def->cars, def->car_count,
                           &simulation->race);
    if (err != APEX_OK) {
        return refuse(why, err, "the race can't be made: %s", apex_err_text(err));
    }
    uint32_t players = def->file.race.player_capacity;
    err = host_names_create(&simulation->names, players);
    if (err != APEX_OK) {
        return refuse(why, err, "the tables of names can't be read: %s", apex_err_text(err));
    }
    host_entries_begin(&simulation->entries, &server->setup.file.race.weekend.entries,
                       simulation->names.judge);
    simulation->controls = calloc(players, sizeof *simulation->controls);
    return simulation->controls != NULL ? APEX_OK : refuse_for_memory(why);
}

static apex_err create_views(apex_server *server, const apex_server_def *def,
                             char why[APEX_HOST_WHY_BYTES]) {
    host_views *views = &server->views;
    uint32_t players = def->file.race.player_capacity;
    views->replica = apex_replica_create(players, apex_race_tick_hz(server->simulation.race));
    views->codes = apex_replica_codes_create(players);
    views->limits = host_view_limits(def->file.snapshots);
    bool is_complete = views->replica != NULL && views->codes != NULL;
    return is_complete ? APEX_OK : refuse_for_memory(why);
}

static apex_err create_news(apex_server *server, const apex_server_def *def,
                            char why[APEX_HOST_WHY_BYTES]) {
    host_news *news = &server->news;
    uint32_t players = def->file.race.player_capacity;
    size_t lines_max = apex_race_standings_max(server->simulation.race);
    news->results.lines = calloc(lines_max, sizeof *news->results.lines);
    news->results.who = calloc(lines_max, sizeof *news->results.who);
    bool has_control = server->setup.has_control;
    news->results.conducts = has_control ? calloc(lines_max, sizeof *news->results.conducts) : NULL;
    uint32_t talk = HOST_UNTOLD_A_PLAYER * players;
    news->untold_capacity = talk > HOST_UNTOLD_MIN ? talk : HOST_UNTOLD_MIN;
    news->untold = calloc(news->untold_capacity, sizeof *news->untold);
    news->roster.capacity = 2 * players; // all leave, and others come
    news->roster.players = calloc(news->roster.capacity, sizeof *news->roster.players);
    bool is_complete = news->results.lines != NULL && news->results.who != NULL &&
                       news->untold != NULL && news->roster.players != NULL &&
                       (news->results.conducts != NULL || !has_control) &&
                       host_told_order_create(&news->order, server->simulation.race, has_control);
    return is_complete ? APEX_OK : refuse_for_memory(why);
}

// Links outnumber clients, so that a client that is refused still hears why.
static uint32_t links_max(const apex_server_def *def) {
    return def->file.clients_max + def->file.clients_max / 4 + 64;
}

static apex_plain plain_of(apex_plain_from from) {
    switch (from) {
    case APEX_PLAIN_FROM_ALL:
        return APEX_PLAIN_ALL;
    case APEX_PLAIN_FROM_NONE:
        return APEX_PLAIN_NONE;
    case APEX_PLAIN_FROM_NEAR:
        break;
    }
    return APEX_PLAIN_NEAR;
}

// What a client may send in a second of a race that runs faster than real time; 0 of one without a
// pace, where sessions count by its ticks.
static uint32_t hurried(uint32_t per_s, uint32_t speed_permille) {
    uint64_t faster_permille = speed_permille > 1000 ? speed_permille : 1000;
    return speed_permille > 0 ? (uint32_t)(per_s * faster_permille / 1000) : 0;
}

static apex_err create_sessions(apex_server *server, const apex_server_def *def,
                                char why[APEX_HOST_WHY_BYTES]) {
    apex_sessions_def sessions = apex_default_sessions_def();
    sessions.sessions_max = def->listen ? links_max(def) + def->fed_links_max : links_max(def);
    sessions.scarce_links_max = server->network.own_links_max;
    sessions.clients_max = def->file.clients_max;
    sessions.clients_per_address_max = def->file.clients_per_address_max;
    sessions.joins_per_s = def->file.joins_per_s;
    sessions.joins_per_address_per_s = def->file.joins_per_address_per_s;
    sessions.speed_permille = server->setup.speed_permille;
    sessions.resume_us_max = (uint64_t)(def->file.resume_grace_s * 1e6);
    memcpy(sessions.password, def->file.password, sizeof sessions.password);
    sessions.watching_open = def->file.password_for == APEX_PASSWORD_FOR_DRIVE;
    host_fill_entry(def, apex_server_seal_key(server), &sessions.entry);
    server->setup.holds_names = sessions.entry.has_server_key;
    apex_err err = apex_sessions_create(&sessions, def->token_key, &server->network.sessions);
    if (err == APEX_OK) {
        err = host_clients_create(&server->clients, sessions.sessions_max,
                                  def->file.race.player_capacity);
    }
    return err == APEX_OK ? APEX_OK : refuse(why, err, "sessions: %s", apex_err_text(err));
}

static apex_err create_transport(apex_server *server, const apex_server_def *def,
                                 char why[APEX_HOST_WHY_BYTES]) {
    if (!def->listen) {
        return APEX_OK;
    }
    server->network.own_links_max = links_max(def);
    apex_transport_def transport = apex_default_transport_def();
    transport.address = def->file.address;
    transport.port = def->file.port;
    transport.links_max = server->network.own_links_max;
    // A client may come back before its old link has timed out.
    transport.links_per_address_max = 2 * def->file.clients_per_address_max + 16;
    transport.datagrams_per_s_max =
        hurried(transport.datagrams_per_s_max, server->setup.speed_permille);
    transport.commands_per_s_max =
        hurried(transport.commands_per_s_max, server->setup.speed_permille);
    transport.link_timeout_us = (uint64_t)(def->file.client_timeout_s * 1e6);
    transport.plain = plain_of(def->file.plain);
    transport.filters = true;
    transport.seal_secret = def->has_seal_secret ? def->seal_secret : NULL;
    apex_err err = apex_transport_create(&transport, &server->network.transport);
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

static apex_err create_held_names(apex_server *server, const apex_server_def *def,
                                  char why[APEX_HOST_WHY_BYTES]) {
    host_names *names = &server->simulation.names;
    if (!server->setup.holds_names) {
        return APEX_OK;
    }
    apex_err err = host_names_begin_holding(names, def->held_names);
    if (err == APEX_OK) {
        err = host_held_names_keep(names->held, names->judge, def->file.results_dir);
    }
    if (err == APEX_ERR_EXISTS) {
        return refuse(why, err,
                      "results directory %s: its names.txt is not one that this program has "
                      "written: move it away, or name another directory",
                      def->file.results_dir);
    }
    return err == APEX_OK ? APEX_OK
                          : refuse(why, err, "the names that drivers hold, names.txt in %s: %s",
                                   def->file.results_dir, apex_err_text(err));
}

static apex_err create_bots(apex_server *server, const apex_server_def *def,
                            char why[APEX_HOST_WHY_BYTES]) {
    apex_err err = host_bots_create(&server->bots, def->file.bots);
    return err == APEX_OK ? APEX_OK : refuse_for_memory(why);
}

static apex_err create_definitions(apex_server *server, const apex_server_def *def,
                                   char why[APEX_HOST_WHY_BYTES]) {
    apex_err err = host_defs_create(&server->setup, def);
    return err == APEX_OK ? APEX_OK : refuse(why, err, "definitions: %s", apex_err_text(err));
}

static apex_err create_store(apex_server *server, const apex_server_def *def,
                             char why[APEX_HOST_WHY_BYTES]) {
    const apex_race_file *file = &def->file;
    apex_err err = apex_store_create(file->results_dir, &server->news.store);
    if (err == APEX_ERR_EXISTS) {
        return refuse(why, err,
                      "results directory %s: its events.jsonl is not one that this program has "
                      "written: move it away, or name another directory",
                      file->results_dir);
    }
    if (err != APEX_OK) {
        return refuse(why, err, "results directory %s: %s", file->results_dir, apex_err_text(err));
    }
    apex_store_limit_journal(server->news.store, MIB * file->journal_mib_max,
                             file->journal_files_max);
    return APEX_OK;
}

static apex_err create_workers(apex_server *server, const apex_server_def *def,
                               char why[APEX_HOST_WHY_BYTES]) {
    if (def->workers == 0) {
        return APEX_OK;
    }
    server->simulation.jobs = apex_jobs_create(def->workers + 1);
    return server->simulation.jobs != NULL
               ? APEX_OK
               : refuse(why, APEX_ERR_NO_MEMORY, "%u workers can't be started", def->workers);
}

static apex_err begin_record(apex_server *server, const apex_server_def *def,
                             char why[APEX_HOST_WHY_BYTES]) {
    apex_err err = host_record_begin(&server->simulation, &server->setup, def->record_path,
                                     def->record_bytes_max);
    return err == APEX_OK ? APEX_OK
                          : refuse(why, err, "replay %s: %s", def->record_path, apex_err_text(err));
}

// Each is made of those before it.
static apex_err create_parts(apex_server *server, const apex_server_def *def,
                             char why[APEX_HOST_WHY_BYTES]) {
    static apex_err (*const create[])(apex_server *, const apex_server_def *, char *) = {
        create_race,     create_views,      create_news,    create_transport,
        create_sessions, create_frame,      create_bots,    create_definitions,
        create_store,    create_held_names, create_workers, begin_record,
    };
    apex_err err = APEX_OK;
    for (size_t i = 0; i < sizeof create / sizeof create[0] && err == APEX_OK; i++) {
        err = create[i](server, def, why);
    }
    return err;
}

static void fill_setup(host_setup *setup, const apex_server_def *def) {
    setup->file = def->file;
    setup->speed_permille = def->speed_permille;
    setup->idles = def->idles;
    setup->joins_refused_why = def->joins_refused_why;
    setup->has_control = apex_weekend_is_set(&def->file.race.weekend);
    setup->car_count = def->car_count;
    memcpy(setup->track_name, def->track.name, sizeof setup->track_name);
    for (uint32_t i = 0; i < def->car_count; i++) {
        memcpy(setup->car_names[i], def->cars[i].name, sizeof setup->car_names[i]);
        setup->car_name_list[i] = setup->car_names[i];
    }
}

static void start_clock(host_clock *clock, const apex_server_def *def) {
    clock->start_us = def->now_us;
    clock->now_us = def->now_us;
    clock->unix_ahead_us = def->unix_us - def->now_us;
    clock->clock_us = def->clock_us;
}

apex_err apex_server_create(const apex_server_def *def, apex_server **out,
                            char why[APEX_HOST_WHY_BYTES]) {
    APEX_ASSERT(def->car_count > 0 && def->car_count <= APEX_RACE_CAR_DEFS_MAX);
    apex_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        return refuse_for_memory(why);
    }
    fill_setup(&server->setup, def);
    start_clock(&server->clock, def);
    server->news.race_began_unix_us = def->unix_us;
    apex_err err = create_parts(server, def, why);
    if (err != APEX_OK) {
        apex_server_destroy(server);
        return err;
    }
    host_bots_seat(&server->bots, &server->simulation, &server->setup);
    *out = server;
    return APEX_OK;
}
