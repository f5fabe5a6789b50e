// What the files of this module share. A socket begins as a web_connection, which speaks HTTP
// here; one that asks for a WebSocket goes over to libwebsockets and becomes a web_link.
#pragma once

#include <uv.h>

#include "web/door/connection_gate.h"
#include "web/door/host_names.h"
#include "web/door/request_head.h"
#include "web/door/trusted_proxies.h"
#include "web/web.h"

struct lws;
struct lws_context;

enum {
    WEB_LISTENERS_MAX = 8,
    WEB_REQUESTS_MAX = 64, ///< that wait to be taken
    WEB_ANSWER_HEAD_BYTES = 1024,
    WEB_INBOX_MESSAGES_MAX = 64, ///< of a link between two looks; then its reading pauses
    WEB_INBOX_BYTES_MAX = 32 * 1024,
    WEB_ROOM_BYTES_MAX = 8 * 1024 * 1024, ///< likewise of a room
    WEB_FRAME_HEAD_BYTES = 10,            ///< of the longest message
    WEB_STATE_BYTES_MAX = 64 * 1024,      ///< unreliable bytes of a link that are kept at most
    WEB_WRITE_BYTES_MAX = 64 * 1024,      ///< of an answer, at a time
    WEB_NEWEST_BODIES = 8,
};

// --- Bodies of answers, each for all whom it is on its way to ------------------------------------

typedef struct web_body {
    uint64_t edition; // 0: nobody else's
    uint32_t users;
    size_t length;
    uint8_t bytes[];
} web_body;

typedef struct web_bodies {
    size_t bytes;                        // of all
    web_body *newest[WEB_NEWEST_BODIES]; // that have an edition, and users
    uint32_t next;                       // of these places
} web_bodies;

// --- unpack.c: the page's files for who cannot unpack them
// ----------------------------------------

enum { WEB_PLAIN_MAX = 32 }; // files of the page; further ones are sent as they are kept

typedef struct web_plain {
    uint8_t *files[WEB_PLAIN_MAX]; // by place in web_assets; NULL: nobody has asked for it yet
} web_plain;

// @return NULL for want of memory, or of anything that can be unpacked.
const uint8_t *web_unpacked(web_plain *plain, size_t asset, size_t *length);
void web_plain_free(web_plain *plain);

// --- Connections that speak HTTP ----------------------------------------------------------------

typedef enum web_phase {
    WEB_READING,   // a request
    WEB_RESTING,   // one has come, and there has been asked enough for now
    WEB_WAITING,   // for its answer
    WEB_WRITING,   // that
    WEB_LINGERING, // over what the client still sends, so that it can read our last words
} web_phase;

typedef struct web_connection {
    uv_poll_t poll;
    apex_web *web;
    struct web_connection *previous, *next;
    int file;
    web_phase phase;
    bool is_closed;      // its memory waits for the loop
    bool keeps_alive;    // after the answer
    bool is_head_only;   // HEAD: without the body
    bool is_continued;   // 100 Continue has been said
    web_address address; // of who asks
    web_address peer;    // of the other end: the same, or a proxy's
    bool is_proxied;     // it is a trusted proxy's
    uint64_t since_us;   // of this phase; WRITING: of the last bytes that went out
    uint64_t began_us;   // WRITING: of all of it
    uint64_t request_id; // WAITING
    size_t in_length, request_length;
    size_t lingered_bytes;
    web_head head;
    char out_head[WEB_ANSWER_HEAD_BYTES];
    size_t out_head_length, sent;
    const uint8_t *body; // of the answer
    size_t body_length;
    web_body *shared; // the body, where it was copied
    struct web_connection *held_before, *held_after;
    bool is_held; // waits in line for a share of the loop's time
    uint8_t in[WEB_HEAD_BYTES + APEX_WEB_BODY_BYTES];
} web_connection;

// What has been done since the last look, and who waits for the next.
typedef struct web_turn {
    uint32_t requests;
    size_t written_bytes;
    web_connection *first, *last; // in line
} web_turn;

// --- Links --------------------------------------------------------------------------------------

typedef enum web_link_state {
    WEB_LINK_FREE,
    WEB_LINK_OPENING, // its handshake is under way
    WEB_LINK_OPEN,
    WEB_LINK_ENDING, // takes no more packets, closes once all is written
    WEB_LINK_ENDED,  // all is said; nothing is read, and its end has to be reported
} web_link_state;

typedef struct web_link {
    struct lws *socket;
    struct web_room *room;
    web_address address;
    uint16_t generation;
    uint8_t state;
    bool is_paused; // nothing is read
    bool is_choked; // the socket takes no more for now
    bool has_state; // among what is unsent are unreliable messages
    bool is_dirty;  // has been given packets in this call
    bool by_client;
    bool is_killed;
    bool is_proxied; // the other end of the connection is a trusted proxy
    uint16_t next_dirty1;
    uint32_t send_round;                      // in which it was last given unreliable messages
    uint32_t waiting_messages, waiting_bytes; // not yet handed out
    uint64_t progress_us; // when something was last written, or there was nothing to write; ENDED:
                          // since when it is
    uint64_t received_bytes; // when last looked, from the kernel
    uint64_t flood_bytes;    // of them, what time has not yet forgiven
    uint8_t *out;            // frames, from out_begin to out_end
    size_t out_begin, out_end;
    size_t in_length;
    uint8_t in[APEX_DATAGRAM_BYTES_MAX]; // of a message that has not yet come whole
    char tail[APEX_WEB_PATH_BYTES];
} web_link;

// Events between two looks. Bytes may still move, so events hold where theirs begin.
typedef struct web_inbox {
    apex_link_event *events;
    size_t *offsets;
    size_t count, capacity;
    uint8_t *bytes;
    size_t length, bytes_capacity;
} web_inbox;

typedef struct web_room {
    apex_web *web;
    apex_web_room_def def;
    web_link *links;
    uint32_t open;
    web_inbox inboxes[2];
    uint8_t filling; // which of them is
} web_room;

struct apex_web {
    apex_web_def def;
    char address[APEX_WEB_PATH_BYTES], origins[APEX_WEB_ORIGINS_BYTES], hosts[APEX_WEB_HOSTS_BYTES];
    web_proxies proxies;
    uint16_t port;
    uint64_t now_us, swept_us;
    uint64_t crowded_us; // when no connection could be closed for another
    uint64_t counters[APEX_WEB_COUNTERS];

    uv_poll_t listeners[WEB_LISTENERS_MAX];
    int listener_files[WEB_LISTENERS_MAX];
    uint32_t listener_count;
    bool listening_rests; // no file descriptor was free
    web_gate gate;
    uint32_t open; // connections and links

    web_connection *connections;
    web_connection *requests[WEB_REQUESTS_MAX]; // oldest first
    uint32_t request_count;
    uint64_t last_request_id;
    web_bodies bodies;
    web_plain plain;
    web_turn turn;

    struct lws_context *sockets;
    web_link *adopting;
    web_room *rooms[APEX_WEB_ROOMS_MAX];
    uint32_t room_count;
    uint32_t send_round;
    size_t out_capacity; // of a link
    size_t unsent_bytes; // of all links

    uv_idle_t farewell; // sees to the end, see web.c
    bool is_ending;
    uint32_t ending_rounds;
    uint32_t handles_open; // of ours, not of libwebsockets'
};

// --- listen.c
apex_err web_listen(apex_web *web, char why[APEX_WEB_WHY_BYTES]);
void web_stop_listening(apex_web *web);
void web_resume_listening(apex_web *web);

// --- connection.c
void web_connection_open(apex_web *web, int file, const web_address *address);
void web_connection_close(web_connection *connection);
// Takes the socket out of a connection, which ends.
int web_connection_release(web_connection *connection);
void web_connection_wait(web_connection *connection); // for the answer of somebody else
// Begins to write what out_head and body say.
void web_connection_write(web_connection *connection);
// Closes the one that has been idle for longest, so that who only holds connections keeps nobody
// out.
// @return false if all are busy or new.
bool web_connections_make_room(apex_web *web);
void web_connections_sweep(apex_web *web);
void web_connection_go_on(web_connection *connection); // one that was held

// --- turn.c: how much of the loop's time requests may have between two looks
bool web_turn_has_request(const apex_web *web);
bool web_turn_has_write(const apex_web *web);
// Puts a connection in line: nothing is polled of it until it is told to go on.
void web_turn_hold(web_connection *connection);
void web_turn_forget(web_connection *connection);
void web_turn_begin(apex_web *web);

// --- body.c
// @return NULL: no memory, or too much of it waits for slow readers.
web_body *web_body_take(web_bodies *bodies, uint64_t edition, const void *bytes, size_t length);
void web_body_drop(web_bodies *bodies, web_body *body); // NULL is fine
// Whether one more of that length may be made.
bool web_body_fits(const web_bodies *bodies, uint64_t edition, size_t length);

// --- answer.c
typedef struct web_answer {
    uint16_t status;
    const char *type, *etag, *allow; // NULL: without
    const void *bytes;               // of the page's files and literals, which are not copied
    size_t length;
    uint64_t edition; // of what is copied; 0: none
    bool is_copied;
    bool is_gzip;
    bool is_kept; // a browser may keep it, and asks whether it is still good
} web_answer;

void web_answer_with(web_connection *connection, const web_answer *answer);
// A sentence, after which the connection is closed unless the request was read whole.
void web_refuse(web_connection *connection, uint16_t status, const char *why);
void web_format_address(const web_address *address, char out[APEX_ADDRESS_BYTES]);

// --- dispatch.c
void web_dispatch(web_connection *connection);

// --- page.c
// @return false if there is no such file.
bool web_answer_page(web_connection *connection, const char *path);
// The page says what there is instead. @return false for who cannot read it, as for who has none.
bool web_answer_not_found(web_connection *connection);

// --- rooms.c
web_room *web_room_of(const apex_web *web, apex_web_room room);
web_room *web_room_of_path(apex_web *web, const char *path, const char **tail);
web_link *web_room_free_link(web_room *room);
void web_room_opened(web_link *link);
bool web_room_bytes(web_link *link, const uint8_t *bytes, size_t length);
void web_room_closed(web_link *link);
web_link *web_room_link(web_room *room, apex_link handle);

void web_room_destroy(web_room *room);

// --- sockets.c: all that knows libwebsockets
apex_err web_sockets_create(apex_web *web, char why[APEX_WEB_WHY_BYTES]);
// Called twice: closes all sockets, and frees the rest when the loop has seen them closed.
void web_sockets_destroy(apex_web *web);
// Makes a WebSocket of a socket whose request has been read. @return false if that failed; the
// socket is closed.
bool web_sockets_adopt(apex_web *web, web_link *link, int file, web_text key);
// Writes a raw piece; sets is_choked if the socket takes no more. @return false if it is broken.
bool web_socket_write(web_link *link, uint8_t *bytes, size_t length);
void web_socket_pause(web_link *link, bool is_paused);
void web_socket_ask_writable(web_link *link);
void web_socket_end(web_link *link, int code); // says so and reads no more; to be killed soon
void web_socket_kill(web_link *link);          // without a word; CLOSED follows from the loop
uint64_t web_socket_received_bytes(const web_link *link);
bool web_socket_line(const web_link *link, apex_link_line *out);

// --- outbox.c
typedef enum web_flush { WEB_FLUSH_ALL, WEB_FLUSH_MORE, WEB_FLUSH_BROKEN } web_flush;

web_flush web_link_flush(web_link *link);
void web_link_forget_unsent(web_link *link); // whose end it is
void web_rooms_sweep(apex_web *web, uint64_t passed_us);
