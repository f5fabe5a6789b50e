// A gateway on loopback with one room, and clients of it that are plain sockets: they say what a
// browser would, and what none would.

#ifndef APEX_TESTS_WEB_RIG_H
#define APEX_TESTS_WEB_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "web/web.h"

enum { WEB_RIG_EVENTS_MAX = 4096, WEB_RIG_LINKS_MAX = 8, WEB_CLIENT_BYTES_MAX = 3 << 20 };

// An event that came from the room, with its bytes copied (the first of them).
typedef struct web_rig_event {
    apex_link_event_kind kind;
    apex_link link;
    uint8_t channel;
    size_t length;
    uint8_t bytes[64];
    char address[APEX_ADDRESS_BYTES];
    apex_link_trust trust;
    bool by_client;
} web_rig_event;

typedef struct web_rig {
    uv_loop_t loop;
    apex_web_def def; // to be changed before web_rig_open
    apex_web *web;
    apex_web_room room, replays; // "/race/1" and "/replay/"
    uint64_t now_us;
    bool is_deaf;      // does not look for events
    bool has_no_rooms; // the test opens its own, and looks for their events
    web_rig_event *events;
    size_t event_count;
} web_rig;

typedef struct web_client {
    int file;
    struct ssl_st *tls; // what it says goes by TLS; NULL: it does not
    bool is_closed;     // by the other side
    bool is_reset;      // and that not as it should be
    uint8_t *bytes;     // that came
    size_t length;
} web_client;

web_rig *web_rig_new(void); // sets `def` to what tests want: port 0, generous limits
void web_rig_open(web_rig *rig);
// Destroys the gateway and runs the loop dry; fails if a handle is left.
void web_rig_free(web_rig *rig);
void web_rig_turn(web_rig *rig);
uint64_t web_rig_count(const web_rig *rig, apex_web_counter counter);
size_t web_rig_events_of(const web_rig *rig, apex_link_event_kind kind);
// The newest event of the kind.
const web_rig_event *web_rig_last(const web_rig *rig, apex_link_event_kind kind);
void web_rig_send(web_rig *rig, apex_link link, uint8_t channel, const void *bytes, size_t length);

// @param from "127.0.0.1", or another address of loopback
void web_client_open(web_client *client, const web_rig *rig, const char *from);
void web_client_close(web_client *client);
void web_client_send(web_client *client, const void *bytes, size_t length);
__attribute__((format(printf, 2, 3))) void web_client_say(web_client *client, const char *format,
                                                          ...);
// Lets the gateway work until the client has `length` bytes or its connection has ended.
// @return whether the bytes came.
bool web_client_await(web_client *client, web_rig *rig, size_t length);
// Likewise until a whole answer of HTTP has come. @return its status; 0: the connection has ended
// before.
int web_client_answer(web_client *client, web_rig *rig);
// Of the answer that has come: its body; the value of a header, or "" without one.
const char *web_client_body(const web_client *client, size_t *length);
const char *web_client_header(const web_client *client, const char *name);
// Forgets the answer that has come.
void web_client_next(web_client *client);
// Sends the request, gives its answer's status.
int web_client_get(web_client *client, web_rig *rig, const char *path);
// Until the other side has closed.
bool web_client_await_end(web_client *client, web_rig *rig);

// Opens a WebSocket. @return the status: 101 if it is one. The answer is forgotten then.
int web_client_upgrade(web_client *client, web_rig *rig, const char *path, const char *headers);
// A frame with a mask. @param first FIN and opcode, for instance 0x82
void web_client_frame(web_client *client, uint8_t first, const void *bytes, size_t length);
// Takes the oldest frame that has come; pings are answered, as browsers do, and passed over.
// @return its opcode, or -1 if none has come.
int web_client_take(web_client *client, uint8_t *bytes, size_t capacity, size_t *length);
// @param bytes at least 64 KiB, which is as much as is given of a longer one
int web_client_take_soon(web_client *client, web_rig *rig, uint8_t *bytes, size_t *length);

#endif
