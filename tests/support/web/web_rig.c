// The gateway's loop is turned by hand, so that a test sees each step of it.
#include "support/web/web_rig.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TURNS_MAX = 3000, FRAME_BYTES_MAX = 1 << 16, OPCODE_PING = 9, OPCODE_PONG = 10 };

web_rig *web_rig_new(void) {
    web_rig *rig = calloc(1, sizeof *rig);
    ck_assert_ptr_nonnull(rig);
    rig->events = calloc(WEB_RIG_EVENTS_MAX, sizeof *rig->events);
    ck_assert_ptr_nonnull(rig->events);
    rig->def = apex_default_web_def();
    rig->def.address = "127.0.0.1";
    rig->def.port = 0;
    rig->def.connections_per_s_max = 100000;
    rig->now_us = 1000000;
    return rig;
}

static void open_rooms(web_rig *rig) {
    apex_web_room_def race = {.path = "/race/1", .links_max = WEB_RIG_LINKS_MAX, .link_base = 100};
    apex_web_room_def replays = {.path = "/replay/", .links_max = 2, .link_base = 200};
    ck_assert_int_eq(apex_web_open_room(rig->web, &race, &rig->room), APEX_OK);
    ck_assert_int_eq(apex_web_open_room(rig->web, &replays, &rig->replays), APEX_OK);
}

void web_rig_open(web_rig *rig) {
    char why[APEX_WEB_WHY_BYTES];
    ck_assert_int_eq(uv_loop_init(&rig->loop), 0);
    rig->def.loop = &rig->loop;
    apex_err err = apex_web_create(&rig->def, &rig->web, why);
    ck_assert_msg(err == APEX_OK, "%s", why);
    if (!rig->has_no_rooms) {
        open_rooms(rig);
    }
    web_rig_turn(rig);
}

void web_rig_free(web_rig *rig) {
    apex_web_destroy(rig->web);
    uv_run(&rig->loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&rig->loop), 0);
    free(rig->events);
    free(rig);
}

static void take_events(web_rig *rig, apex_web_room room) {
    const apex_link_event *events = NULL;
    size_t count = apex_web_receive(rig->web, room, rig->now_us, &events);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_lt(rig->event_count, WEB_RIG_EVENTS_MAX);
        web_rig_event *copy = &rig->events[rig->event_count++];
        const apex_link_event *event = &events[i];
        *copy = (web_rig_event){.kind = event->kind,
                                .link = event->link,
                                .channel = event->channel,
                                .length = event->length,
                                .trust = event->trust,
                                .by_client = event->by_client};
        memcpy(copy->address, event->address, sizeof copy->address);
        if (event->length > 0) {
            memcpy(copy->bytes, event->bytes,
                   event->length < sizeof copy->bytes ? event->length : sizeof copy->bytes);
        }
    }
}

void web_rig_turn(web_rig *rig) {
    uv_run(&rig->loop, UV_RUN_NOWAIT);
    if (!rig->is_deaf) {
        apex_web_begin_turn(rig->web);
    }
    if (!rig->is_deaf && !rig->has_no_rooms) {
        take_events(rig, rig->room);
        take_events(rig, rig->replays);
    }
}

uint64_t web_rig_count(const web_rig *rig, apex_web_counter counter) {
    return apex_web_counters(rig->web)[counter];
}

size_t web_rig_events_of(const web_rig *rig, apex_link_event_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < rig->event_count; i++) {
        count += rig->events[i].kind == kind;
    }
    return count;
}

const web_rig_event *web_rig_last(const web_rig *rig, apex_link_event_kind kind) {
    for (size_t i = rig->event_count; i > 0; i--) {
        if (rig->events[i - 1].kind == kind) {
            return &rig->events[i - 1];
        }
    }
    ck_abort_msg("no event of kind %d", (int)kind);
}

void web_rig_send(web_rig *rig, apex_link link, uint8_t channel, const void *bytes, size_t length) {
    apex_link_packet packet = {.link = link, .channel = channel, .bytes = bytes, .length = length};
    apex_web_room room = link.index1 > 200 ? rig->replays : rig->room;
    apex_web_send(rig->web, room, &packet, 1);
}

void web_client_open(web_client *client, const web_rig *rig, const char *from) {
    *client = (web_client){.file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    client->bytes = malloc(WEB_CLIENT_BYTES_MAX + 1);
    ck_assert(client->file >= 0 && client->bytes != NULL);
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(from)};
    ck_assert_int_eq(bind(client->file, (struct sockaddr *)&own, sizeof own), 0);
    struct sockaddr_in server = {.sin_family = AF_INET,
                                 .sin_port = htons(apex_web_port(rig->web)),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    ck_assert_int_eq(connect(client->file, (struct sockaddr *)&server, sizeof server), 0);
    fcntl(client->file, F_SETFL, O_NONBLOCK);
    int yes = 1;
    setsockopt(client->file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

void web_client_close(web_client *client) {
    SSL_free(client->tls);
    client->tls = NULL;
    close(client->file);
    free(client->bytes);
    client->bytes = NULL;
}

void web_client_send(web_client *client, const void *bytes, size_t length) {
    if (client->tls != NULL) {
        ck_assert_int_eq(SSL_write(client->tls, bytes, (int)length), (int)length);
        return;
    }
    // One that has been closed meanwhile is what the test looks for.
    ssize_t put = send(client->file, bytes, length, MSG_NOSIGNAL);
    ck_assert(put == (ssize_t)length || (put < 0 && (errno == EPIPE || errno == ECONNRESET)));
}

void web_client_say(web_client *client, const char *format, ...) {
    char text[16384];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ck_assert(length >= 0 && (size_t)length < sizeof text);
    web_client_send(client, text, (size_t)length);
}

// As recv() does.
static ssize_t receive(web_client *client) {
    uint8_t *to = client->bytes + client->length;
    size_t room = WEB_CLIENT_BYTES_MAX - client->length;
    if (client->tls == NULL) {
        return recv(client->file, to, room, 0);
    }
    int got = SSL_read(client->tls, to, (int)room);
    int error = SSL_get_error(client->tls, got);
    errno = error == SSL_ERROR_WANT_READ ? EAGAIN : ECONNRESET;
    return error == SSL_ERROR_ZERO_RETURN ? 0 : got > 0 ? got : -1;
}

static void read_some(web_client *client) {
    while (!client->is_closed && client->length < WEB_CLIENT_BYTES_MAX) {
        ssize_t got = receive(client);
        if (got > 0) {
            client->length += (size_t)got;
        } else if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        } else {
            client->is_closed = true;
            client->is_reset = got < 0;
        }
    }
}

bool web_client_await(web_client *client, web_rig *rig, size_t length) {
    for (int i = 0; i < TURNS_MAX && client->length < length && !client->is_closed; i++) {
        web_rig_turn(rig);
        read_some(client);
    }
    return client->length >= length;
}

bool web_client_await_end(web_client *client, web_rig *rig) {
    for (int i = 0; i < TURNS_MAX && !client->is_closed; i++) {
        web_rig_turn(rig);
        read_some(client);
    }
    return client->is_closed;
}

// The start of the body, or NULL.
static const char *body_of(const web_client *client) {
    client->bytes[client->length] = '\0';
    const char *end = strstr((const char *)client->bytes, "\r\n\r\n");
    return end != NULL ? end + 4 : NULL;
}

const char *web_client_header(const web_client *client, const char *name) {
    static char value[1024];
    const char *body = body_of(client);
    value[0] = '\0';
    ck_assert_ptr_nonnull(body);
    for (const char *line = strstr((const char *)client->bytes, "\r\n"); line < body - 2;
         line = strstr(line + 2, "\r\n")) {
        size_t length = strlen(name);
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') {
            const char *begin = line + 2 + length + 2;
            size_t bytes = (size_t)(strstr(begin, "\r\n") - begin);
            ck_assert_uint_lt(bytes, sizeof value);
            memcpy(value, begin, bytes);
            value[bytes] = '\0';
            break;
        }
    }
    return value;
}

static bool is_whole(const web_client *client) {
    const char *body = body_of(client);
    if (body == NULL) {
        return false;
    }
    size_t there = client->length - (size_t)(body - (const char *)client->bytes);
    return there >= strtoul(web_client_header(client, "Content-Length"), NULL, 10);
}

int web_client_answer(web_client *client, web_rig *rig) {
    for (int i = 0; i < TURNS_MAX && !is_whole(client) && !client->is_closed; i++) {
        web_rig_turn(rig);
        read_some(client);
    }
    const char *text = (const char *)client->bytes;
    return is_whole(client) && strncmp(text, "HTTP/1.1 ", 9) == 0 ? atoi(text + 9) : 0;
}

const char *web_client_body(const web_client *client, size_t *length) {
    const char *body = body_of(client);
    ck_assert_ptr_nonnull(body);
    *length = client->length - (size_t)(body - (const char *)client->bytes);
    return body;
}

void web_client_next(web_client *client) {
    client->length = 0;
}

int web_client_get(web_client *client, web_rig *rig, const char *path) {
    web_client_next(client);
    web_client_say(client, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    return web_client_answer(client, rig);
}

int web_client_upgrade(web_client *client, web_rig *rig, const char *path, const char *headers) {
    web_client_say(client,
                   "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\n"
                   "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n",
                   path, headers != NULL ? headers : "Sec-WebSocket-Protocol: apex-1\r\n");
    int status = web_client_answer(client, rig);
    if (status == 101) {
        ck_assert_str_eq(web_client_header(client, "Sec-WebSocket-Accept"),
                         "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="); // the example of RFC 6455
        ck_assert_str_eq(web_client_header(client, "Sec-WebSocket-Protocol"), "apex-1");
        ck_assert_str_eq(web_client_header(client, "Sec-WebSocket-Extensions"), "");
        size_t rest = 0;
        const char *body = web_client_body(client, &rest);
        memmove(client->bytes, body, rest);
        client->length = rest;
    }
    return status;
}

void web_client_frame(web_client *client, uint8_t first, const void *bytes, size_t length) {
    static const uint8_t mask[4] = {0x37, 0xfa, 0x21, 0x3d};
    static uint8_t frame[FRAME_BYTES_MAX + 16];
    ck_assert_uint_lt(length, FRAME_BYTES_MAX);
    size_t at = 0;
    frame[at++] = first;
    if (length < 126) {
        frame[at++] = (uint8_t)(0x80 | length);
    } else {
        frame[at++] = 0x80 | 126;
        frame[at++] = (uint8_t)(length >> 8);
        frame[at++] = (uint8_t)length;
    }
    memcpy(frame + at, mask, sizeof mask);
    at += sizeof mask;
    for (size_t i = 0; i < length; i++) {
        frame[at++] = ((const uint8_t *)bytes)[i] ^ mask[i % 4];
    }
    web_client_send(client, frame, at);
}

static int take_frame(web_client *client, uint8_t *bytes, size_t capacity, size_t *length) {
    read_some(client);
    if (client->length < 2) {
        return -1;
    }
    ck_assert_msg((client->bytes[1] & 0x80) == 0, "a server does not mask");
    size_t payload = client->bytes[1];
    size_t extended = payload == 126 ? 2 : payload == 127 ? 8 : 0;
    size_t head = 2 + extended;
    if (client->length < head) {
        return -1;
    }
    if (extended > 0) {
        payload = 0;
        for (size_t i = 0; i < extended; i++) {
            payload = payload << 8 | client->bytes[2 + i];
        }
        ck_assert_msg(payload > (extended == 2 ? 125 : 65535), "a length as short as it goes");
    }
    ck_assert_uint_lt(payload, WEB_CLIENT_BYTES_MAX - 16);
    if (client->length < head + payload) {
        return -1;
    }
    ck_assert_msg((client->bytes[0] & 0xf0) == 0x80, "a frame is whole and without extensions");
    int opcode = client->bytes[0] & 0x0f;
    *length = payload;
    memcpy(bytes, client->bytes + head, payload < capacity ? payload : capacity);
    client->length -= head + payload;
    memmove(client->bytes, client->bytes + head + payload, client->length);
    return opcode;
}

int web_client_take(web_client *client, uint8_t *bytes, size_t capacity, size_t *length) {
    for (;;) {
        int opcode = take_frame(client, bytes, capacity, length);
        if (opcode != OPCODE_PING) {
            return opcode;
        }
        web_client_frame(client, 0x80 | OPCODE_PONG, bytes, *length);
    }
}

int web_client_take_soon(web_client *client, web_rig *rig, uint8_t *bytes, size_t *length) {
    int opcode = -1;
    for (int i = 0; i < TURNS_MAX && opcode < 0; i++) {
        web_rig_turn(rig);
        opcode = web_client_take(client, bytes, FRAME_BYTES_MAX, length);
        if (client->is_closed && opcode < 0) {
            break;
        }
    }
    return opcode;
}
