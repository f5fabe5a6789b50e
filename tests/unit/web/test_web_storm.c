// links: web
// Strangers at random: bytes that are nothing, requests that stop half way, WebSockets whose frames
// are wrong, readers that do not read. Whatever they do, nothing is left of them in the end, and a
// guest beside them is served.
#include "support/base/check_main.h"
#include "support/web/web_rig.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { STRANGERS = 12, STEPS = 12000, BINARY = 0x82, OPCODE_BINARY = 2 };

typedef struct stranger {
    web_client client;
    bool is_there, is_link;
} stranger;

static web_rig *rig;
static stranger strangers[STRANGERS];
static uint64_t state;

static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

// Does not mind that the other side has gone, or takes no more.
static void utter(stranger *who, const void *bytes, size_t length) {
    ssize_t put = send(who->client.file, bytes, length, MSG_NOSIGNAL);
    ck_assert(put >= 0 || errno == EAGAIN || errno == EPIPE || errno == ECONNRESET);
}

static void utter_noise(stranger *who) {
    uint8_t bytes[600];
    size_t length = 1 + draw(sizeof bytes);
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (uint8_t)draw(256);
    }
    utter(who, bytes, length);
}

static const char *const requests[] = {
    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /race/1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\nnot forty",
    "HEAD /metrics HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET /race/1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n",
};

// A request, perhaps cut, perhaps with a byte that is another.
static void utter_request(stranger *who) {
    char text[300];
    const char *request = requests[draw(sizeof requests / sizeof requests[0])];
    size_t length = strlen(request);
    memcpy(text, request, length);
    if (draw(2) == 0) {
        length = 1 + draw((uint32_t)length);
    }
    if (draw(3) == 0) {
        text[draw((uint32_t)length)] = (char)draw(256);
    }
    utter(who, text, length);
}

static void utter_frame(stranger *who) {
    uint8_t bytes[2000];
    size_t length = 0;
    size_t payload = draw(4) == 0 ? draw(1500) : draw(60);
    bool is_masked = draw(8) != 0;
    static const uint8_t firsts[] = {0x82, 0x82, 0x82, 0x02, 0x00, 0x80, 0x89, 0x8a, 0x88, 0x81};
    bytes[length++] = draw(6) == 0 ? (uint8_t)draw(256) : firsts[draw(sizeof firsts)];
    size_t stated = draw(12) == 0 ? draw(65536) : payload;
    if (stated < 126) {
        bytes[length++] = (uint8_t)((is_masked ? 0x80 : 0) | stated);
    } else {
        bytes[length++] = (uint8_t)((is_masked ? 0x80 : 0) | 126);
        bytes[length++] = (uint8_t)(stated >> 8);
        bytes[length++] = (uint8_t)stated;
    }
    for (size_t i = 0; i < payload + (is_masked ? 4 : 0); i++) {
        bytes[length++] = (uint8_t)draw(256);
    }
    utter(who, bytes, draw(10) == 0 ? 1 + draw((uint32_t)length) : length);
}

static void come(stranger *who) {
    char from[20];
    snprintf(from, sizeof from, "127.0.0.%u", 2 + draw(4));
    web_client_open(&who->client, rig, from);
    who->is_there = true;
    who->is_link = false;
    if (draw(3) != 0) {
        who->is_link = web_client_upgrade(&who->client, rig, "/race/1", NULL) == 101;
    }
}

static void act(stranger *who) {
    if (!who->is_there) {
        come(who);
        return;
    }
    switch (draw(10)) {
    case 0:
        utter_noise(who);
        break;
    case 1:
        web_client_close(&who->client);
        who->is_there = false;
        break;
    case 2:
        web_client_next(&who->client); // it has forgotten what it has read, and reads more
        web_client_await(&who->client, rig, 1);
        break;
    default:
        if (who->is_link) {
            utter_frame(who);
        } else {
            utter_request(who);
        }
    }
}

// Plays the server: answers some, sends to all that there are, sends somebody away.
static void serve(void) {
    static uint8_t bytes[3000];
    apex_web_request request;
    if (draw(4) == 0 && apex_web_take_request(rig->web, &request)) {
        apex_web_answer answer = {
            .status = 200, .type = "text/plain", .bytes = bytes, .length = draw(3000)};
        apex_web_answer_request(rig->web, draw(5) == 0 ? draw(100) : request.id, &answer);
    }
    for (size_t i = rig->event_count; i > 0 && i + 20 > rig->event_count; i--) {
        apex_link link = rig->events[i - 1].link;
        uint8_t channel = draw(2) == 0 ? APEX_CHANNEL_RELIABLE : APEX_CHANNEL_STATE;
        web_rig_send(rig, link, channel, bytes, draw(1200));
        if (draw(200) == 0) {
            apex_web_close_link(rig->web, rig->room, link);
        }
    }
    rig->now_us += draw(50) == 0 ? 1000000 : 1000;
    rig->is_deaf = draw(4) == 0;
}

// Every link opens once, then speaks, then closes once.
static void check_events(bool is_open[WEB_RIG_LINKS_MAX]) {
    for (size_t i = 0; i < rig->event_count; i++) {
        uint32_t slot = rig->events[i].link.index1 - 101u;
        ck_assert_uint_lt(slot, WEB_RIG_LINKS_MAX);
        ck_assert(is_open[slot] == (rig->events[i].kind != APEX_LINK_OPENED));
        is_open[slot] = rig->events[i].kind != APEX_LINK_CLOSED;
        ck_assert_uint_le(rig->events[i].length, APEX_DATAGRAM_BYTES_MAX);
    }
}

static void serve_guest(web_client *guest) {
    static uint8_t bytes[1 << 16];
    size_t length = 0;
    web_rig_send(rig, (apex_link){201, 1}, APEX_CHANNEL_RELIABLE, "guest", 5);
    ck_assert_int_eq(web_client_take_soon(guest, rig, bytes, &length), OPCODE_BINARY);
    ck_assert_mem_eq(bytes, "guest", 5);
}

static void weather(uint64_t seed) {
    web_client guest;
    bool is_open[WEB_RIG_LINKS_MAX] = {false};
    state = seed;
    rig = web_rig_new();
    rig->def.choked_us_max = 100000000;
    rig->def.unsent_bytes_max = 200000;
    web_rig_open(rig);
    web_client_open(&guest, rig, "127.0.0.1");
    ck_assert_int_eq(web_client_upgrade(&guest, rig, "/replay/guest", NULL), 101);
    rig->event_count = 0;
    memset(strangers, 0, sizeof strangers);
    for (int step = 0; step < STEPS / 4; step++) {
        act(&strangers[draw(STRANGERS)]);
        web_rig_turn(rig);
        serve();
        if (rig->event_count > WEB_RIG_EVENTS_MAX / 2) {
            check_events(is_open);
            rig->event_count = 0;
        }
        if (step % 500 == 0) {
            rig->is_deaf = false;
            serve_guest(&guest);
        }
    }
    for (int i = 0; i < STRANGERS; i++) {
        if (strangers[i].is_there) {
            web_client_close(&strangers[i].client);
        }
    }
    rig->is_deaf = false;
    for (int i = 0; i < 100; i++) {
        rig->now_us += 1000000;
        web_rig_turn(rig);
    }
    serve_guest(&guest);
    check_events(is_open);
    for (int i = 0; i < WEB_RIG_LINKS_MAX; i++) {
        ck_assert(!is_open[i]);
    }
    ck_assert_uint_eq(apex_web_connections(rig->web), 1);
    ck_assert_uint_gt(web_rig_count(rig, APEX_WEB_LINKS_OPENED), 10);
    ck_assert_uint_gt(web_rig_count(rig, APEX_WEB_REFUSED_MESSAGE), 2);
    ck_assert_uint_gt(web_rig_count(rig, APEX_WEB_REFUSED_REQUEST), 2);
    web_client_close(&guest);
    web_rig_free(rig);
}

TEST_OVER(strangers_come_and_go, 0, 4) {
    static const uint64_t seeds[] = {1, 20, 333, 4444};
    weather(seeds[_i]);
}
