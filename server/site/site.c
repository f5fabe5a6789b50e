// The servers of a process behind one door for browsers: WebSockets become links of the race they
// lead to, requests are answered between ticks.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "host/figures/figures.h"
#include "site/farewell.h"
#include "site/site.h"
#include "site/site_playbacks.h"
#include "web/web.h"

enum {
    HURRY_MAX = 64,   // of a race that keeps no time; sessions limit it by the ticks that it makes
    LINKS_MAX = 1024, // WebSockets of a race
    // Written before the loop goes on: the order of thousands of cars takes milliseconds. Answers
    // written before are handed on at once.
    WRITTEN_A_TURN = 8,
    WRITTEN_BYTES_A_TURN = 128 * 1024,
};

typedef struct site_race {
    apex_server *server;
    const apex_web *web;
    apex_web_room room;
    bool is_over; ///< nobody listens any more
} site_race;

struct apex_site {
    apex_web *web; ///< NULL: off
    uint32_t race_count;
    site_race races[APEX_SITE_RACES_MAX];
    apex_server *servers[APEX_SITE_RACES_MAX];
    site_playbacks *playbacks; ///< NULL: no recordings are shown
    apex_process_look_fn *look;
    const void *look_data;
    apex_reload_fn *reload;
    void *reload_context;
    apex_api_memory *memory;
    apex_arena answer;       ///< of the request at hand
    uint64_t newest_edition; ///< of answers that were handed on
    char token[APEX_WEB_TOKEN_BYTES];
    char replays_dir[APEX_HOST_PATH_BYTES];
};

static void send_and_close(apex_site *site, const site_race *race) {
    const apex_link_packet *packets = NULL;
    size_t count = apex_server_outbox(race->server, &packets);
    apex_web_send(site->web, race->room, packets, count);
    const apex_link *closing = NULL;
    count = apex_server_closing(race->server, &closing);
    for (size_t i = 0; i < count; i++) {
        apex_web_close_link(site->web, race->room, closing[i]);
    }
}

static bool quality_of(const void *context, apex_link link, apex_link_quality *out) {
    const site_race *race = context;
    return apex_web_quality(race->web, race->room, link, out);
}

// A client that comes when the race is over finds no server that would answer.
static void turn_away(apex_site *site, const site_race *race, const apex_link_event events[],
                      size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == APEX_LINK_OPENED) {
            site_farewell(site->web, race->room, events[i].link, APEX_REASON_EVENT_OVER,
                          "this race is over, and no other follows it");
        }
    }
}

// A round of the server, a tick or not, with what came for it over the web.
static void make_round(apex_site *site, const site_race *race, uint64_t now_us,
                       void (*round)(apex_server *server, uint64_t now_us)) {
    if (site->web == NULL) {
        round(race->server, now_us);
        return;
    }
    const apex_link_event *events = NULL;
    size_t count = apex_web_receive(site->web, race->room, now_us, &events);
    apex_server_feed(race->server, events, count);
    round(race->server, now_us);
    send_and_close(site, race);
}

static bool is_due(apex_server *server, uint64_t now_us, uint64_t *due_us) {
    apex_server_await(server, now_us);
    return apex_server_is_due(server, now_us, due_us);
}

bool apex_site_is_due(apex_site *site, uint32_t race, uint64_t now_us, uint64_t *due_us) {
    APEX_ASSERT(race < site->race_count);
    site_race *asked = &site->races[race];
    *due_us = now_us;
    if (asked->is_over || is_due(asked->server, now_us, due_us)) {
        return true;
    }
    make_round(site, asked, now_us, apex_server_hear);
    return is_due(asked->server, now_us, due_us);
}

// A recording ends with its race's last tick, not with the process (DECISIONS 36): the file has its
// end then, holds every tick that was made, and is known from then on without another look. It does
// not end when the goodbyes are said, since ticks go on until everybody has heard them.
void apex_site_tick(apex_site *site, uint32_t race, uint64_t now_us) {
    APEX_ASSERT(race < site->race_count);
    site_race *ticked = &site->races[race];
    if (ticked->is_over) {
        return;
    }
    make_round(site, ticked, now_us, apex_server_tick);
    ticked->is_over = apex_server_finished(ticked->server);
    if (ticked->is_over) {
        apex_server_end_record(ticked->server);
    }
}

// The answers that a turn of the loop has had written so far.
typedef struct site_turn {
    uint32_t answers;
    size_t bytes;
} site_turn;

static void note_written(apex_site *site, site_turn *turn, const apex_web_answer *answer) {
    bool was_kept = answer->edition != 0 && answer->edition <= site->newest_edition;
    if (was_kept) {
        return;
    }
    turn->answers++;
    turn->bytes += answer->length;
    if (answer->edition != 0) {
        site->newest_edition = answer->edition;
    }
}

static bool reload_certificate(void *context, char said[APEX_WEB_WHY_BYTES]) {
    bool is_read = apex_site_reload_certificate(context, said);
    if (is_read) {
        snprintf(said, APEX_WEB_WHY_BYTES, "the certificate was read anew");
    }
    return is_read;
}

static void answer_one(apex_site *site, const apex_web_request *request, uint64_t now_us,
                       site_turn *turn) {
    apex_playback_figures playbacks = {0};
    if (site->playbacks != NULL) {
        playbacks = site_playbacks_figures(site->playbacks);
    }
    apex_web_certificate_figures certificate;
    bool has_certificate = apex_web_certificate(site->web, &certificate);
    const apex_api api = {
        .certificate = has_certificate ? &certificate : NULL,
        .reload = site->reload,
        .reload_context = site->reload_context,
        .servers = site->servers,
        .server_count = site->race_count,
        .web_counters = apex_web_counters(site->web),
        .web_connections = apex_web_connections(site->web),
        .token = site->token,
        .replays_dir = site->replays_dir,
        .playbacks = site->playbacks != NULL ? &playbacks : NULL,
        .look = site->look,
        .look_data = site->look_data,
        .memory = site->memory,
        .now_us = now_us,
    };
    apex_web_answer answer = {.status = 500};
    apex_arena_reset(&site->answer);
    apex_api_answer(&api, request, &site->answer, &answer);
    apex_web_answer_request(site->web, request->id, &answer);
    note_written(site, turn, &answer);
}

static void answer_some(apex_site *site, uint64_t now_us) {
    apex_web_request request;
    site_turn turn = {0};
    // No new ones come in meanwhile: they are read by the loop.
    while (turn.answers < WRITTEN_A_TURN && turn.bytes < WRITTEN_BYTES_A_TURN &&
           apex_web_take_request(site->web, &request)) {
        answer_one(site, &request, now_us, &turn);
    }
}

void apex_site_serve(apex_site *site, uint64_t now_us) {
    if (site->web == NULL) {
        return;
    }
    apex_web_begin_turn(site->web);
    answer_some(site, now_us);
    if (site->playbacks != NULL) {
        site_playbacks_run(site->playbacks, now_us);
    }
    for (uint32_t i = 0; i < site->race_count; i++) {
        const apex_link_event *events = NULL;
        const site_race *race = &site->races[i];
        if (race->is_over) {
            size_t count = apex_web_receive(site->web, race->room, now_us, &events);
            turn_away(site, race, events, count);
        }
    }
}

uint32_t apex_site_links_max(const apex_listen *listen, uint32_t clients_max) {
    uint32_t wanted = clients_max + 16; // a client that is refused still hears why
    return !listen->on ? 0 : (wanted < LINKS_MAX ? wanted : LINKS_MAX);
}

// A driver in a race that outruns real time says as much in each of its seconds as anywhere.
static uint32_t hurry_of(const apex_server *server) {
    return host_setup_of(server)->speed_permille == 0
               ? HURRY_MAX
               : (host_setup_of(server)->speed_permille + 999) / 1000;
}

static apex_err open_rooms(apex_site *site, const apex_listen *listen) {
    apex_err err = APEX_OK;
    for (uint32_t i = 0; i < site->race_count && err == APEX_OK; i++) {
        site_race *race = &site->races[i];
        apex_web_room_def room = {
            .links_max = apex_site_links_max(listen, host_setup_of(race->server)->file.clients_max),
            .link_base = apex_server_fed_links_base(race->server),
            .hurry = hurry_of(race->server),
        };
        snprintf(room.path, sizeof room.path, "/race/%u", i + 1);
        err = apex_web_open_room(site->web, &room, &race->room);
        race->web = site->web;
        apex_server_set_fed_quality(race->server, quality_of, race);
    }
    return err;
}

static apex_err create_web(apex_site *site, const apex_site_def *def,
                           char why[APEX_HOST_WHY_BYTES]) {
    apex_web_def web = apex_default_web_def();
    web.loop = def->loop;
    web.address = def->listen.address;
    web.port = def->listen.port;
    web.origins = def->origins;
    web.hosts = def->hosts;
    web.proxies = def->proxies;
    web.certificate = def->certificate;
    web.key = def->key;
    web.now_unix_s = def->now_unix_s;
    apex_err err = apex_web_create(&web, &site->web, why);
    if (err == APEX_OK) {
        err = apex_arena_create(&site->answer, APEX_API_ARENA_BYTES);
    }
    if (err == APEX_OK && (site->memory = apex_api_memory_create()) == NULL) {
        err = APEX_ERR_NO_MEMORY;
    }
    if (err == APEX_OK) {
        err = open_rooms(site, &def->listen);
    }
    if (err == APEX_OK && site->replays_dir[0] != '\0') {
        err = site_playbacks_create(def, site->web, &site->playbacks);
    }
    if (err != APEX_OK && site->web != NULL) {
        snprintf(why, APEX_HOST_WHY_BYTES, "the page: %s", apex_err_text(err));
    }
    return err;
}

static bool copy(char *to, size_t bytes, const char *text) {
    int length = snprintf(to, bytes, "%s", text != NULL ? text : "");
    return length >= 0 && (size_t)length < bytes;
}

apex_err apex_site_create(const apex_site_def *def, apex_server *const servers[],
                          uint32_t server_count, apex_site **out, char why[APEX_HOST_WHY_BYTES]) {
    APEX_ASSERT(server_count >= 1 && server_count <= APEX_SITE_RACES_MAX);
    apex_site *site = calloc(1, sizeof *site);
    if (site == NULL) {
        snprintf(why, APEX_HOST_WHY_BYTES, "the page: %s", apex_err_text(APEX_ERR_NO_MEMORY));
        return APEX_ERR_NO_MEMORY;
    }
    if (!copy(site->token, sizeof site->token, def->token) ||
        !copy(site->replays_dir, sizeof site->replays_dir, def->replays_dir)) {
        free(site);
        snprintf(why, APEX_HOST_WHY_BYTES,
                 "the page: the token, or the path of recordings, is "
                 "too long");
        return APEX_ERR_INVALID;
    }
    site->look = def->look;
    site->look_data = def->look_data;
    site->reload = def->reload != NULL ? def->reload : reload_certificate;
    site->reload_context = def->reload != NULL ? def->reload_context : site;
    site->race_count = server_count;
    for (uint32_t i = 0; i < server_count; i++) {
        site->servers[i] = servers[i];
        site->races[i].server = servers[i];
    }
    apex_err err = def->listen.on ? create_web(site, def, why) : APEX_OK;
    if (err != APEX_OK) {
        apex_site_destroy(site);
        return err;
    }
    *out = site;
    return APEX_OK;
}

void apex_site_destroy(apex_site *site) {
    if (site == NULL) {
        return;
    }
    for (uint32_t i = 0; i < site->race_count; i++) {
        apex_server_set_fed_quality(site->servers[i], NULL, NULL);
    }
    site_playbacks_destroy(site->playbacks);
    apex_web_destroy(site->web);
    apex_api_memory_destroy(site->memory);
    apex_arena_destroy(&site->answer);
    free(site);
}

bool apex_site_reload_certificate(apex_site *site, char why[APEX_WEB_WHY_BYTES]) {
    if (site->web == NULL) {
        snprintf(why, APEX_WEB_WHY_BYTES, "there is no page: it is off");
        return false;
    }
    return apex_web_reload_certificate(site->web, why);
}

void apex_site_watch_certificate(apex_site *site, int64_t now_unix_s) {
    if (site->web != NULL) {
        apex_web_watch_certificate(site->web, now_unix_s);
    }
}

bool apex_site_is_tls(const apex_site *site) {
    apex_web_certificate_figures figures;
    return site->web != NULL && apex_web_certificate(site->web, &figures);
}

uint16_t apex_site_port(const apex_site *site) {
    return site->web != NULL ? apex_web_port(site->web) : 0;
}
