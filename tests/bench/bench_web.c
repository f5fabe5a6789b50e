// links: web
// A benchmark of what a WebSocket costs the server's thread on loopback, kernel and libwebsockets
// included: a snapshot to each of 200 viewers, as in 50 ms of a race, a message of each of them,
// and one connection of a flood that is turned away.

#include "windows.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <uv.h>

#include "base/assert.h"
#include "web/web.h"

enum {
    VIEWERS = 200,
    WINDOWS = 15,
    ROUNDS = 20, // of a window
    WARM_ROUNDS = 30,
    TURNS_MAX = 2000,
    SNAPSHOT_BYTES = 900,
    CONTROLS_BYTES = 60,
    FLOOD = 400, // connections of a window
};

typedef struct rig {
    uv_loop_t loop;
    apex_web *web;
    apex_web_room room;
    uint64_t now_us;
    int viewers[VIEWERS];
    apex_link links[VIEWERS];
    uint32_t opened, messages;
} rig;

static void turn(rig *self) {
    uv_run(&self->loop, UV_RUN_NOWAIT);
    const apex_link_event *events = NULL;
    size_t count = apex_web_receive(self->web, self->room, self->now_us, &events);
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == APEX_LINK_OPENED) {
            self->links[self->opened++] = events[i].link;
        }
        self->messages += events[i].kind == APEX_LINK_BYTES;
    }
}

static int dial(const rig *self) {
    struct sockaddr_in server = {.sin_family = AF_INET,
                                 .sin_port = htons(apex_web_port(self->web)),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    APEX_ASSERT(file >= 0 && connect(file, (struct sockaddr *)&server, sizeof server) == 0);
    fcntl(file, F_SETFL, O_NONBLOCK);
    int yes = 1;
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return file;
}

static void open_viewer(rig *self, uint32_t index) {
    static const char request[] =
        "GET /race/1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Protocol: apex-1\r\n\r\n";
    self->viewers[index] = dial(self);
    ssize_t put = send(self->viewers[index], request, sizeof request - 1, MSG_NOSIGNAL);
    APEX_ASSERT(put == (ssize_t)sizeof request - 1);
    for (int i = 0; i < TURNS_MAX && self->opened <= index; i++) {
        turn(self);
    }
    APEX_ASSERT(self->opened == index + 1);
}

static void create(rig *self, uint32_t per_s_max) {
    char why[APEX_WEB_WHY_BYTES];
    apex_web_def def = apex_default_web_def();
    *self = (rig){.now_us = 1000000};
    APEX_ASSERT(uv_loop_init(&self->loop) == 0);
    def.loop = &self->loop;
    def.address = "127.0.0.1";
    def.port = 0;
    def.connections_per_s_max = per_s_max;
    APEX_ASSERT(apex_web_create(&def, &self->web, why) == APEX_OK);
    apex_web_room_def room = {.path = "/race/1", .links_max = VIEWERS};
    APEX_ASSERT(apex_web_open_room(self->web, &room, &self->room) == APEX_OK);
    turn(self);
}

static void destroy(rig *self) {
    apex_web_destroy(self->web);
    uv_run(&self->loop, UV_RUN_DEFAULT);
    APEX_ASSERT(uv_loop_close(&self->loop) == 0);
    for (int i = 0; i < VIEWERS; i++) {
        if (self->viewers[i] > 0) {
            close(self->viewers[i]);
        }
    }
}

static void drain(rig *self) {
    static char bytes[1 << 16];
    for (int i = 0; i < VIEWERS; i++) {
        while (recv(self->viewers[i], bytes, sizeof bytes, 0) > 0) {}
    }
}

static double send_round(rig *self) {
    static const uint8_t bytes[SNAPSHOT_BYTES] = {1};
    apex_link_packet packets[VIEWERS];
    for (int i = 0; i < VIEWERS; i++) {
        packets[i] = (apex_link_packet){.link = self->links[i],
                                        .channel = APEX_CHANNEL_STATE,
                                        .bytes = bytes,
                                        .length = sizeof bytes};
    }
    double begin_ms = windows_thread_ms();
    apex_web_send(self->web, self->room, packets, VIEWERS);
    turn(self);
    double spent_ms = windows_thread_ms() - begin_ms;
    drain(self);
    return spent_ms;
}

static double receive_round(rig *self) {
    static const uint8_t frame[6 + CONTROLS_BYTES] = {0x82, 0x80 | CONTROLS_BYTES, 1, 2, 3, 4};
    for (int i = 0; i < VIEWERS; i++) {
        APEX_ASSERT(send(self->viewers[i], frame, sizeof frame, 0) == (ssize_t)sizeof frame);
    }
    self->messages = 0;
    double begin_ms = windows_thread_ms();
    for (int i = 0; i < TURNS_MAX && self->messages < VIEWERS; i++) {
        turn(self);
    }
    double spent_ms = windows_thread_ms() - begin_ms;
    APEX_ASSERT(self->messages == VIEWERS);
    return spent_ms;
}

static void print_rounds(rig *self, const char *name, double (*round)(rig *)) {
    double windows[WINDOWS];
    for (int i = 0; i < WARM_ROUNDS; i++) {
        round(self);
    }
    for (int w = 0; w < WINDOWS; w++) {
        windows[w] = 0.0;
        for (int i = 0; i < ROUNDS; i++) {
            windows[w] += round(self);
        }
    }
    printf("%s %.0f ns\n", name,
           windows_median(windows, WINDOWS) * 1e6 / ((double)VIEWERS * ROUNDS));
}

static void print_flood(void) {
    rig self;
    double windows[WINDOWS];
    create(&self, 1);
    for (int w = 0; w < WINDOWS; w++) {
        windows[w] = 0.0;
        for (int i = 0; i < FLOOD; i += 8) {
            int files[8];
            for (int k = 0; k < 8; k++) {
                files[k] = dial(&self);
            }
            double begin_ms = windows_thread_ms();
            turn(&self);
            windows[w] += windows_thread_ms() - begin_ms;
            for (int k = 0; k < 8; k++) {
                close(files[k]);
            }
        }
    }
    APEX_ASSERT(apex_web_counters(self.web)[APEX_WEB_REFUSED_RATE] > FLOOD);
    printf("web.refuse_ns_per_connection %.0f ns\n",
           windows_median(windows, WINDOWS) * 1e6 / FLOOD);
    destroy(&self);
}

int main(int count, char **names) {
    bool wants_send = windows_is_wanted(count, names, "web.send_ns_per_message");
    bool wants_receive = windows_is_wanted(count, names, "web.receive_ns_per_message");
    if (wants_send || wants_receive) {
        static rig self;
        create(&self, 100000);
        for (uint32_t i = 0; i < VIEWERS; i++) {
            open_viewer(&self, i);
        }
        drain(&self);
        if (wants_send) {
            print_rounds(&self, "web.send_ns_per_message", send_round);
            APEX_ASSERT(apex_web_counters(self.web)[APEX_WEB_SNAPSHOTS_SKIPPED] == 0);
        }
        if (wants_receive) {
            print_rounds(&self, "web.receive_ns_per_message", receive_round);
        }
        destroy(&self);
    }
    if (windows_is_wanted(count, names, "web.refuse_ns_per_connection")) {
        print_flood();
    }
    return 0;
}
