// Each round receives what has come and counts it by kind.
#include "support/net/net_server.h"

#include <string.h>
#include <time.h>

#include "base/assert.h"

void net_server_open(net_server *server, apex_transport_def def, size_t frame_bytes) {
    *server = (net_server){0};
    def.address = "127.0.0.1";
    def.port = 0;
    APEX_ASSERT(apex_transport_create(&def, &server->transport) == APEX_OK);
    APEX_ASSERT(apex_arena_create(&server->frame, frame_bytes) == APEX_OK);
}

void net_server_close(net_server *server) {
    apex_transport_destroy(server->transport);
    apex_arena_destroy(&server->frame);
}

uint64_t net_server_now(const net_server *server) {
    if (server->is_virtual) {
        return server->skipped_us;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000 + server->skipped_us;
}

void net_server_round(net_server *server) {
    apex_arena_reset(&server->frame);
    server->event_count = apex_transport_receive(server->transport, net_server_now(server),
                                                 &server->frame, &server->events);
    for (size_t i = 0; i < server->event_count; i++) {
        const apex_link_event *event = &server->events[i];
        server->packets += event->kind == APEX_LINK_BYTES;
        server->closed += event->kind == APEX_LINK_CLOSED;
        server->closed_by_client += event->by_client;
        if (event->kind == APEX_LINK_OPENED) {
            server->opened++;
            server->newest = event->link;
            memcpy(server->binding, event->binding, sizeof server->binding);
        }
    }
    apex_transport_flush(server->transport);
}

uint64_t net_server_counter(const net_server *server, apex_transport_counter counter) {
    return apex_transport_counters(server->transport)[counter];
}
