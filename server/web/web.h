/// The door for browsers: one TCP port on a libuv loop that serves the page, carries requests of
/// HTTP to the code that answers them, and turns WebSockets into links. A link of a WebSocket is
/// the same thing as one of ENet (net/net.h): an array of events comes in, an array of packets goes
/// out, and sessions cannot tell them apart but for the channel, which a stream does not have.
///
/// Everything off the wire is bounded before anybody sees it: connections, also of one address and
/// in a second; the length of requests and messages; the bytes that wait for their readers. A
/// client whose browser is slow loses snapshots, then the link; nobody else notices. Nothing here
/// knows a race.
///
/// One thread, the loop's. Callbacks of the loop only gather; all else happens in the calls below.
/// The gateway reads no clock: its time is what apex_web_receive was last told.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "net/net.h"

struct uv_loop_s;

typedef struct apex_web apex_web;

enum {
    APEX_WEB_WHY_BYTES = 256,
    APEX_WEB_PATH_BYTES = 256,  ///< longest path of a request, with the zero
    APEX_WEB_QUERY_BYTES = 512, ///< likewise what follows its question mark
    APEX_WEB_TOKEN_BYTES = 128, ///< likewise a bearer token
    APEX_WEB_BODY_BYTES = 4096, ///< longest body of a request
    APEX_WEB_ROOMS_MAX = 64,
    APEX_WEB_ORIGINS_BYTES = 512,
    APEX_WEB_HOSTS_BYTES = 512,
};

typedef struct apex_web_def {
    struct uv_loop_s *loop; ///< borrowed; must run for anything to happen
    const char *address;    ///< "localhost", another name or an address; "" or NULL: every one
    uint16_t port;          ///< 0: any free one
    const char *origins;    ///< besides the server's own: "https://a.example https://b.example",
                            ///< whose pages may open WebSockets, and whose names are ours
    const char *hosts;      ///< names that are ours, too: "race.example"; "": on this machine alone
                            ///< its own, elsewhere any
    const char *certificate;  ///< path of a PEM file with its chain: the port speaks TLS, and what
                              ///< comes without is told where to go; NULL or "": HTTP
    const char *key;          ///< likewise of its private key, without a passphrase
    int64_t now_unix_s;       ///< that the certificate has to be good at
    const char *proxies;      ///< trusted to name the clients they ask for: "127.0.0.1 10.0.0.0/8"
    uint32_t connections_max; ///< open at a time
    uint32_t connections_per_address_max;
    uint32_t connections_per_s_max; ///< new ones of one address, burst of five seconds
    uint64_t request_us_max;        ///< to send a request, to answer it, or to take more of that
    uint64_t choked_us_max;         ///< a link that takes nothing for so long is closed
    size_t unsent_bytes_max;        ///< reliable ones of a link; past it the link is closed
    size_t all_unsent_bytes_max;    ///< of all links; past it each may have an equal share of it
} apex_web_def;

apex_web_def apex_default_web_def(void); ///< localhost:8080, without a loop

typedef enum apex_web_counter {
    APEX_WEB_CONNECTIONS, ///< accepted
    APEX_WEB_REQUESTS,
    APEX_WEB_LINKS_OPENED,
    APEX_WEB_LINKS_CLOSED,
    APEX_WEB_MESSAGES_IN,
    APEX_WEB_MESSAGES_OUT,
    APEX_WEB_BYTES_IN, ///< of messages and requests, without framing; like the next
    APEX_WEB_BYTES_OUT,
    APEX_WEB_HANDSHAKES,        ///< of TLS, that were completed
    APEX_WEB_SNAPSHOTS_SKIPPED, ///< unreliable messages that a slow link was spared
    APEX_WEB_REFUSED_FULL,
    APEX_WEB_REFUSED_ADDRESS,   ///< has its share of connections
    APEX_WEB_REFUSED_RATE,      ///< too many new ones of an address
    APEX_WEB_REFUSED_HANDSHAKE, ///< of TLS: failed, or took too long
    APEX_WEB_REFUSED_PLAIN,     ///< asked without TLS where it is spoken
    APEX_WEB_REFUSED_HOST,      ///< named a host that is not ours
    APEX_WEB_REFUSED_ORIGIN,
    APEX_WEB_REFUSED_ROOM,      ///< a WebSocket to nowhere
    APEX_WEB_REFUSED_REQUEST,   ///< malformed, too long, or of a method that is not known
    APEX_WEB_REFUSED_MESSAGE,   ///< text, longer than APEX_DATAGRAM_BYTES_MAX, or a flood
    APEX_WEB_CLOSED_SLOW,       ///< choked, or too much unsent
    APEX_WEB_CLOSED_UNANSWERED, ///< nobody answered a request in time
    APEX_WEB_COUNTERS
} apex_web_counter;

apex_counter_row apex_web_counter_row(apex_web_counter counter); ///< "refused-origin"

/// Listens. @return APEX_ERR_BUSY_PORT, APEX_ERR_PERMISSION, APEX_ERR_INVALID (address),
/// APEX_ERR_INVALID (a certificate or key that is not fit to serve with; `why` names the setting,
/// the file and what to do), APEX_ERR_UNSUPPORTED (libwebsockets' plug-in for libuv is not
/// installed), APEX_ERR_NO_MEMORY, with a sentence in `why`. After an error, too, the loop has to
/// run before it is closed.
apex_err apex_web_create(const apex_web_def *def, apex_web **out, char why[APEX_WEB_WHY_BYTES]);
/// Closes everything, links without a word. Not from within a callback of a link. The loop has to
/// run until it has nothing left to do (UV_RUN_DEFAULT) before it is closed, and nobody else may
/// close the handles that it has of this module (uv_walk). NULL is fine.
void apex_web_destroy(apex_web *web);
uint16_t apex_web_port(const apex_web *web);
const uint64_t *apex_web_counters(const apex_web *web);
uint32_t apex_web_connections(const apex_web *web); ///< open now

/// Reads certificate and key anew. What is open lives on with the old ones; new ones that are not
/// fit leave the old ones in service, and a line in the log. @return false then, and without TLS;
/// `why` says it
bool apex_web_reload_certificate(apex_web *web, char why[APEX_WEB_WHY_BYTES]);
/// Tells the time; to be called about once a second. Once a minute the same is done if a file has
/// changed since it was last read. Warns in the log, once a day, of an end that is 14 days away, or
/// a third of the certificate's life.
void apex_web_watch_certificate(apex_web *web, int64_t now_unix_s);

typedef struct apex_web_certificate_figures {
    int64_t ends_unix_s;
    int64_t days_left; ///< whole ones, as of the last look; -1: it has expired
} apex_web_certificate_figures;

/// @return false without TLS.
bool apex_web_certificate(const apex_web *web, apex_web_certificate_figures *out);

enum { APEX_WEB_PLACES_MAX = 16, APEX_WEB_PLACE_BYTES = 72, APEX_WEB_INTERFACE_BYTES = 24 };

/// The address at which other machines reach the page.
typedef struct apex_web_place {
    char url[APEX_WEB_PLACE_BYTES]; ///< "http://192.0.2.7:8080/", "https://[2001:db8::7]:8080/"
    char name[APEX_WEB_INTERFACE_BYTES]; ///< of the interface: "eth0"
} apex_web_place;

/// Of a page that listens on every address ("", "::" or "0.0.0.0") those of this machine, the one
/// that leads to the world first. @return how many; none for another address.
size_t apex_web_places(const char *address, uint16_t port, bool is_tls,
                       apex_web_place out[APEX_WEB_PLACES_MAX]);

/// A WebSocket is opened at the room's path with the subprotocol "apex-1". Each of its binary
/// messages is one ClientMessage or ServerMessage. It ends with one of RFC 6455's codes: 1000 when
/// the server has closed the link, 1003 after text, 1009 after a message that is too long; without
/// any if it read too slowly, flooded, or did not answer pings for 16 s.
typedef struct apex_web_room_def {
    char path[APEX_WEB_PATH_BYTES]; ///< "/race/1"; one that ends in '/' takes all that go on from
                                    ///< there, see apex_web_link_path
    uint32_t links_max;             ///< WebSockets open in this room
    uint16_t link_base; ///< its links are numbered link_base + 1 to link_base + links_max
    uint32_t hurry;     ///< so many times as much may be said as where a race keeps real time; 0: 1
} apex_web_room_def;

typedef struct apex_web_room {
    uint16_t index1;
} apex_web_room;

/// @return APEX_ERR_NO_MEMORY, APEX_ERR_FULL (no more rooms).
apex_err apex_web_open_room(apex_web *web, const apex_web_room_def *def, apex_web_room *out);

/// Lets some more handshakes be worked on, until the next call. To be called in each turn of the
/// loop: what is due between two of them waits for no more than that.
void apex_web_begin_turn(apex_web *web);

/// The events since the last call, in order. Bytes' channel is APEX_CHANNEL_EITHER. Events live
/// until the next call for this room. Of a link at most 64 messages or 32 KiB come at a time; then
/// it is not read until the next call. CLOSED is by_client after a close frame with 1000 or
/// no code, which is what close() of a page sends.
size_t apex_web_receive(apex_web *web, apex_web_room room, uint64_t now_us,
                        const apex_link_event **events);
/// The rest of a link's path after its room's, decoded; "" if it ends there.
const char *apex_web_link_path(const apex_web *web, apex_web_room room, apex_link link);
/// The quality of a link, as the kernel knows it. @return false for a link that is not open here,
/// and for one that a proxy holds: its other end is the proxy, not the player.
bool apex_web_quality(const apex_web *web, apex_web_room room, apex_link link,
                      apex_link_quality *out);
/// Queues packets, all copied, and begins to write. Packets to a link that is gone are dropped.
/// Packets of APEX_CHANNEL_STATE are skipped while ones of an earlier call are still unsent.
void apex_web_send(apex_web *web, apex_web_room room, const apex_link_packet packets[],
                   size_t count);
/// Closes after what is queued reliably has been written; a CLOSED event follows.
void apex_web_close_link(apex_web *web, apex_web_room room, apex_link link);

typedef enum apex_web_method { APEX_WEB_GET, APEX_WEB_POST } apex_web_method;

/// A request for a path below /api/, or for one of /metrics, /healthz, /readyz.
typedef struct apex_web_request {
    uint64_t id;
    apex_web_method method;
    char path[APEX_WEB_PATH_BYTES]; ///< decoded, without what follows the question mark
    char query[APEX_WEB_QUERY_BYTES];
    char token[APEX_WEB_TOKEN_BYTES]; ///< of "Authorization: Bearer"; "" without
    char address[APEX_ADDRESS_BYTES];
    size_t body_length;
    uint8_t body[APEX_WEB_BODY_BYTES];
} apex_web_request;

typedef struct apex_web_answer {
    uint32_t status;  ///< 200, 404, ...
    const char *type; ///< "application/json"
    const void *bytes;
    size_t length;
    const char *allow; ///< of a 405: "GET"; NULL else
    uint64_t edition;  ///< not 0: answers of the same edition have the same bytes, which are kept
                       ///< but once for all whom they are on their way to
} apex_web_answer;

/// Takes the oldest request that waits. @return false if there is none.
bool apex_web_take_request(apex_web *web, apex_web_request *out);
/// Bytes are copied. A request whose client is gone meanwhile is passed over.
void apex_web_answer_request(apex_web *web, uint64_t id, const apex_web_answer *answer);
