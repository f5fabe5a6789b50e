// A timer that asks every race for progress before it speaks for them.
#include "program/service.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LOOK_MS = 1000,         ///< where there is no watchdog
    LOOKS_PER_PATIENCE = 3, ///< a look may come late without the manager's giving up
    STATUS_BYTES = 120,
};

struct server_service {
    server_notify *notify;
    race_ticker *const *tickers;
    apex_server *const *servers;
    uint32_t count;
    uint64_t rounds[APEX_SITE_RACES_MAX]; ///< of each race, at the last look
    uv_timer_t look;
    bool is_looking;
};

server_service *server_service_create(void) {
    server_notify *notify = server_notify_open();
    server_service *service = notify != NULL ? calloc(1, sizeof *service) : NULL;
    if (service == NULL) {
        server_notify_close(notify);
        return NULL;
    }
    service->notify = notify;
    return service;
}

void server_service_destroy(server_service *service) {
    if (service != NULL) {
        server_notify_close(service->notify);
        free(service);
    }
}

// A race that has stood still since the last look is stuck, unless it rests by right; that the loop
// turns says nothing of it.
static bool all_go_on(server_service *service) {
    bool go_on = true;
    for (uint32_t i = 0; i < service->count; i++) {
        uint64_t rounds = race_ticker_rounds(service->tickers[i]);
        go_on = go_on && (rounds != service->rounds[i] || race_ticker_rests(service->tickers[i]));
        service->rounds[i] = rounds;
    }
    return go_on;
}

static void describe(const server_service *service, char out[STATUS_BYTES]) {
    uint32_t waiting = 0, over = 0;
    for (uint32_t i = 0; i < service->count; i++) {
        over += apex_server_finished(service->servers[i]);
        waiting += apex_server_is_idle(service->servers[i]);
    }
    snprintf(out, STATUS_BYTES, "%u race%s: %u under way, %u waiting for somebody, %u over",
             service->count, service->count == 1 ? "" : "s", service->count - waiting - over,
             waiting, over);
}

static void on_look(uv_timer_t *timer) {
    server_service *service = timer->data;
    char status[STATUS_BYTES];
    describe(service, status);
    server_notify_status(service->notify, status);
    if (all_go_on(service) && server_notify_watchdog_us(service->notify) > 0) {
        server_notify_alive(service->notify);
    }
}

void server_service_start(server_service *service, uv_loop_t *uv, race_ticker *const tickers[],
                          apex_server *const servers[], uint32_t count) {
    if (service == NULL) {
        return;
    }
    service->tickers = tickers;
    service->servers = servers;
    service->count = count;
    uint64_t patience_ms = server_notify_watchdog_us(service->notify) / 1000;
    uint64_t every_ms = patience_ms / LOOKS_PER_PATIENCE;
    every_ms = patience_ms == 0 ? LOOK_MS : (every_ms > 0 ? every_ms : 1);
    uv_timer_init(uv, &service->look);
    service->look.data = service;
    service->is_looking = true;
    uv_timer_start(&service->look, on_look, every_ms, every_ms);
    char status[STATUS_BYTES];
    describe(service, status);
    server_notify_ready(service->notify, status);
}

void server_service_ending(server_service *service) {
    if (service != NULL) {
        server_notify_stopping(service->notify);
    }
}

void server_service_stop(server_service *service) {
    if (service != NULL && service->is_looking) {
        service->is_looking = false;
        uv_close((uv_handle_t *)&service->look, NULL);
    }
}
