// The gateway as a whole: its beginning, its rounds and its end.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "web/http/connections.h"
#include "web/http/serve.h"
#include "web/links/room_outbox.h"
#include "web/links/rooms.h"
#include "web/links/sockets.h"
#include "web/listeners.h"
#include "web/tls/handshake.h"
#include "web/tls/service.h"
#include "web/web_state.h"

enum {
    SWEEP_US = 100000,
    STATE_BYTES_MAX = 64 * 1024, ///< unreliable bytes of a link that are kept at most
};

apex_web_def apex_default_web_def(void) {
    return (apex_web_def){
        .address = "localhost",
        .port = 8080,
        .origins = "",
        .hosts = "",
        .proxies = "",
        .connections_max = 1024,
        .connections_per_address_max = 256,
        .connections_per_s_max = 40,
        .request_us_max = 10000000,
        .choked_us_max = 10000000,
        .unsent_bytes_max = 4 * 1024 * 1024,
        .all_unsent_bytes_max = 64 * 1024 * 1024,
    };
}

static void free_web(apex_web *web) {
    for (uint32_t i = 0; i < web->rooms.count; i++) {
        web_room_destroy(web->rooms.at[i]);
    }
    web_gate_destroy(&web->gate);
    web_tls_free(&web->tls);
    web_plain_free(&web->plain);
    free(web);
}

// libuv closes a handle in the round after it was told to. libwebsockets closes first its sockets
// and then, once the last is closed, its timer; what they live in can be freed only after that.
enum { FAREWELL_ROUNDS = 5 };

static void on_farewell_closed(uv_handle_t *handle) {
    free_web(handle->data);
}

static void on_farewell(uv_idle_t *idle) {
    apex_web *web = idle->data;
    web->farewell.rounds++;
    if (web->farewell.rounds >= FAREWELL_ROUNDS && web->handles_open == 0) {
        web_sockets_destroy(web);
        uv_idle_stop(idle);
        uv_close((uv_handle_t *)idle, on_farewell_closed);
    }
}

void apex_web_destroy(apex_web *web) {
    if (web == NULL) {
        return;
    }
    APEX_ASSERT(!web->farewell.has_begun);
    web->farewell.has_begun = true;
    web_stop_listening(web);
    while (web->connections.first != NULL) {
        web_connection_close(web->connections.first);
    }
    web_tls_stop(web);
    web_sockets_destroy(web);
    uv_idle_init(web->def.loop, &web->farewell.idle);
    web->farewell.idle.data = web;
    uv_idle_start(&web->farewell.idle, on_farewell);
}

static bool keep_text(char *out, size_t bytes, const char *text) {
    int length = snprintf(out, bytes, "%s", text != NULL ? text : "");
    return length >= 0 && (size_t)length < bytes;
}

static apex_err start(apex_web *web, char why[APEX_WEB_WHY_BYTES]) {
    const apex_web_def *def = &web->def;
    if (!keep_text(web->texts.address, sizeof web->texts.address, def->address) ||
        !keep_text(web->texts.origins, sizeof web->texts.origins, def->origins) ||
        !keep_text(web->texts.hosts, sizeof web->texts.hosts, def->hosts)) {
        snprintf(why, APEX_WEB_WHY_BYTES, "the address, the hosts or the origins are too long");
        return APEX_ERR_INVALID;
    }
    if (!web_proxies_parse(def->proxies != NULL ? def->proxies : "", &web->proxies)) {
        snprintf(why, APEX_WEB_WHY_BYTES,
                 "web.proxies: %.80s: expected addresses or networks, %u at most, for example "
                 "127.0.0.1 10.0.0.0/8",
                 def->proxies, WEB_PROXIES_MAX);
        return APEX_ERR_INVALID;
    }
    web->def.address = web->texts.address;
    web->def.origins = web->texts.origins;
    web->def.hosts = web->texts.hosts;
    web->def.proxies = NULL; // have been read
    if (web_gate_create(&web->gate, def->connections_max) != APEX_OK) {
        snprintf(why, APEX_WEB_WHY_BYTES, "out of memory");
        return APEX_ERR_NO_MEMORY;
    }
    web->gate.open_max = def->connections_per_address_max;
    web->gate.per_s_max = def->connections_per_s_max;
    apex_err err = web_tls_create(web, web_take_connection, why);
    if (err == APEX_OK) {
        err = web_sockets_create(web, why);
    }
    return err == APEX_OK ? web_listen(web, why) : err;
}

apex_err apex_web_create(const apex_web_def *def, apex_web **out, char why[APEX_WEB_WHY_BYTES]) {
    APEX_ASSERT(def->loop != NULL && def->connections_max >= 1 &&
                def->connections_per_address_max >= 1 && def->connections_per_s_max >= 1);
    *out = NULL;
    why[0] = '\0';
    apex_web *web = calloc(1, sizeof *web);
    if (web == NULL) {
        snprintf(why, APEX_WEB_WHY_BYTES, "out of memory");
        return APEX_ERR_NO_MEMORY;
    }
    web->def = *def;
    web->rooms.out_capacity = def->unsent_bytes_max + STATE_BYTES_MAX;
    apex_err err = start(web, why);
    if (err == APEX_OK) {
        *out = web;
    } else if (web->sockets.context != NULL) {
        apex_web_destroy(web); // goes with the loop
    } else {
        free_web(web);
    }
    return err;
}

static void tell_time(apex_web *web, uint64_t now_us) {
    if (web->now_us == 0) {
        // Until now there was no time; what has come meanwhile is new.
        for (web_connection *each = web->connections.first; each != NULL; each = each->next) {
            each->since_us = now_us;
        }
        for (web_relay *each = web->tls.first; each != NULL; each = each->next) {
            each->since_us = now_us;
        }
        for (uint32_t i = 0; i < web->rooms.count; i++) {
            for (uint32_t k = 0; k < web->rooms.at[i]->def.links_max; k++) {
                web->rooms.at[i]->links[k].progress_us = now_us;
            }
        }
    }
    web->now_us = now_us > web->now_us ? now_us : web->now_us;
    web_serve_held(web);
    if (web->now_us - web->swept_us >= SWEEP_US) {
        uint64_t passed_us = web->now_us - web->swept_us;
        web->swept_us = web->now_us;
        web_resume_listening(web);
        web_serve_deadlines(web);
        web_tls_deadlines(web);
        web_rooms_sweep(web, passed_us);
    }
}

void apex_web_begin_turn(apex_web *web) {
    web_handshakes_turn(web);
}

size_t apex_web_receive(apex_web *web, apex_web_room room, uint64_t now_us,
                        const apex_link_event **events) {
    web_room *place = web_room_of(&web->rooms, room);
    tell_time(web, now_us);
    return web_room_take(place, events);
}

uint16_t apex_web_port(const apex_web *web) {
    return web->listening.port;
}

const uint64_t *apex_web_counters(const apex_web *web) {
    return web->counters;
}

uint32_t apex_web_connections(const apex_web *web) {
    return web->open;
}
