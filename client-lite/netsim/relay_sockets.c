// The relay over libuv: its sockets feed the model, and a timer sends what the model gives back.
#include "client-lite/netsim/relay_sockets.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/cli/loop.h"
#include "client-lite/cli/open_files.h"
#include "client-lite/cli/options.h"
#include "client-lite/commands.h"
#include "client-lite/netsim/relay_report.h"

enum {
    ROUND_MS = 250,
    STATUS_ROUNDS = 4,
    RECEIVED_BYTES_MAX = 65536, // more than UDP carries
    SOCKET_BYTES = 4 * 1024 * 1024,
};

typedef struct cli_relay cli_relay;

// Lives until its handle is closed, which may be after the client was forgotten.
typedef struct upstream {
    uv_udp_t udp;
    cli_relay *relay;
    uint32_t client;
    struct sockaddr_storage address; // of the client
} upstream;

struct cli_relay {
    const cli_relay_def *def;
    cli_loop loop;
    uv_udp_t listener;
    uv_timer_t due;
    netsim_relay *core;
    upstream **clients; // [clients_max]
    struct sockaddr_storage to;
    uint64_t begun_us, send_errors;
    uint64_t woken_us; // for which the timer is set; 0: it is not
    uint32_t rounds;
    bool shows_status, told_no_socket;
    char received[RECEIVED_BYTES_MAX];
};

static void on_due(uv_timer_t *timer);

static void send_one(cli_relay *relay, const netsim_datagram *datagram) {
    upstream *client = relay->clients[datagram->client];
    uv_buf_t bytes = uv_buf_init((char *)datagram->bytes, (unsigned)datagram->length);
    int sent = datagram->is_up ? uv_udp_try_send(&client->udp, &bytes, 1, NULL)
                               : uv_udp_try_send(&relay->listener, &bytes, 1,
                                                 (const struct sockaddr *)&client->address);
    relay->send_errors += sent < 0;
}

static void send_what_is_due(cli_relay *relay) {
    uint64_t now_us = cli_now_us();
    for (netsim_datagram datagram; netsim_relay_give(relay->core, now_us, &datagram);) {
        send_one(relay, &datagram);
    }
    uint64_t next_us = 0;
    if (netsim_relay_next_us(relay->core, &next_us) && next_us != relay->woken_us) {
        relay->woken_us = next_us;
        uint64_t wait_ms = next_us > now_us ? (next_us - now_us + 999) / 1000 : 1;
        uv_update_time(&relay->loop.loop);
        uv_timer_start(&relay->due, on_due, wait_ms, 0);
    }
}

static void on_due(uv_timer_t *timer) {
    cli_relay *relay = timer->data;
    relay->woken_us = 0;
    send_what_is_due(relay);
}

static void lend_bytes(cli_relay *relay, uv_buf_t *bytes) {
    *bytes = uv_buf_init(relay->received, sizeof relay->received);
}

static void on_upstream_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *bytes) {
    (void)suggested;
    lend_bytes(((upstream *)handle->data)->relay, bytes);
}

static void on_listener_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *bytes) {
    (void)suggested;
    lend_bytes(handle->data, bytes);
}

static void take(cli_relay *relay, uint32_t client, bool is_up, ssize_t length) {
    netsim_datagram datagram = {client, is_up, (const uint8_t *)relay->received, (size_t)length};
    netsim_relay_take(relay->core, &datagram, cli_now_us());
    send_what_is_due(relay);
}

// An error is the server's answer that nobody listens there: as good as silence.
static void on_answer(uv_udp_t *udp, ssize_t length, const uv_buf_t *bytes,
                      const struct sockaddr *from, unsigned flags) {
    (void)bytes;
    (void)flags;
    upstream *client = udp->data;
    if (length >= 0 && from != NULL) {
        take(client->relay, client->client, false, length);
    }
}

static void on_closed(uv_handle_t *handle) {
    free(handle->data);
}

static void close_upstream(cli_relay *relay, uint32_t client) {
    upstream *gone = relay->clients[client];
    relay->clients[client] = NULL;
    uv_close((uv_handle_t *)&gone->udp, on_closed);
}

static bool open_upstream(cli_relay *relay, uint32_t client,
                          const struct sockaddr_storage *address) {
    upstream *one = calloc(1, sizeof *one);
    if (one == NULL) {
        return false;
    }
    one->relay = relay;
    one->client = client;
    one->address = *address;
    one->udp.data = one;
    if (uv_udp_init(&relay->loop.loop, &one->udp) != 0) {
        free(one);
        return false;
    }
    relay->clients[client] = one;
    // Connected, so that nobody but the server can answer.
    if (uv_udp_connect(&one->udp, (const struct sockaddr *)&relay->to) != 0 ||
        uv_udp_recv_start(&one->udp, on_upstream_alloc, on_answer) != 0) {
        close_upstream(relay, client);
        return false;
    }
    return true;
}

static netsim_address address_of(const struct sockaddr_storage *from) {
    netsim_address out = {.host = {[10] = 0xFF, [11] = 0xFF}};
    if (from->ss_family == AF_INET6) {
        struct sockaddr_in6 six;
        memcpy(&six, from, sizeof six);
        memcpy(out.host, &six.sin6_addr, sizeof out.host);
        out.scope = six.sin6_scope_id;
        out.port = ntohs(six.sin6_port);
    } else {
        struct sockaddr_in four;
        memcpy(&four, from, sizeof four);
        memcpy(out.host + 12, &four.sin_addr, 4);
        out.port = ntohs(four.sin_port);
    }
    return out;
}

static size_t length_of(const struct sockaddr *address) {
    return address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                          : sizeof(struct sockaddr_in);
}

static void on_listener(uv_udp_t *udp, ssize_t length, const uv_buf_t *bytes,
                        const struct sockaddr *from, unsigned flags) {
    (void)bytes;
    (void)flags;
    cli_relay *relay = udp->data;
    if (length < 0 || from == NULL) {
        return;
    }
    struct sockaddr_storage address = {0};
    memcpy(&address, from, length_of(from));
    netsim_address who = address_of(&address);
    bool is_new = false;
    uint32_t client = netsim_relay_client(relay->core, &who, &is_new, cli_now_us());
    if (client == NETSIM_NOBODY) {
        return;
    }
    if (is_new && !open_upstream(relay, client, &address)) {
        netsim_relay_forget(relay->core, client);
        if (!relay->told_no_socket) {
            cli_complain("no socket for another client: too many open files? (ulimit -n)");
            relay->told_no_socket = true;
        }
        return;
    }
    take(relay, client, true, length);
}

static void end(void *context) {
    cli_relay *relay = context;
    if (relay->loop.ending) {
        return;
    }
    for (uint32_t i = 0; i < relay->def->relay.clients_max; i++) {
        if (relay->clients[i] != NULL) {
            close_upstream(relay, i);
        }
    }
    uv_close((uv_handle_t *)&relay->listener, NULL);
    uv_close((uv_handle_t *)&relay->due, NULL);
    cli_loop_end(&relay->loop);
}

static double seconds_of(const cli_relay *relay) {
    return (double)(cli_now_us() - relay->begun_us) / 1e6;
}

static void on_round(void *context) {
    cli_relay *relay = context;
    uint64_t now_us = cli_now_us();
    for (uint32_t idle; (idle = netsim_relay_forget_idle(relay->core, now_us)) != NETSIM_NOBODY;) {
        close_upstream(relay, idle);
    }
    if (relay->shows_status && relay->rounds++ % STATUS_ROUNDS == 0) {
        netsim_relay_count count = netsim_relay_counts(relay->core);
        cli_relay_say_status(&count);
    }
    if (relay->def->seconds > 0.0 && seconds_of(relay) >= relay->def->seconds) {
        end(relay);
    }
}

static void set_port(struct sockaddr_storage *address, uint16_t port) {
    _Static_assert(offsetof(struct sockaddr_in, sin_port) ==
                       offsetof(struct sockaddr_in6, sin6_port),
                   "of both families at one place");
    in_port_t wire = htons(port);
    memcpy((char *)address + offsetof(struct sockaddr_in, sin_port), &wire, sizeof wire);
}

// Of a name that has addresses of both families that of IPv4: servers that listen on one listen
// there.
static const struct addrinfo *choose(const struct addrinfo *found) {
    const struct addrinfo *chosen = found;
    while (chosen != NULL && chosen->ai_family != AF_INET) {
        chosen = chosen->ai_next;
    }
    return chosen != NULL ? chosen : found;
}

static bool resolve(uv_loop_t *loop, const client_endpoint *endpoint,
                    struct sockaddr_storage *out) {
    uv_getaddrinfo_t request;
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
    if (uv_getaddrinfo(loop, &request, NULL, endpoint->host, NULL, &hints) != 0) {
        cli_complain("no host is called '%s': check the name", endpoint->host);
        return false;
    }
    const struct addrinfo *chosen = choose(request.addrinfo);
    *out = (struct sockaddr_storage){0};
    memcpy(out, chosen->ai_addr, chosen->ai_addrlen);
    set_port(out, endpoint->port);
    uv_freeaddrinfo(request.addrinfo);
    return true;
}

static void name_address(const struct sockaddr_storage *address, char out[64]) {
    char host[INET6_ADDRSTRLEN] = "";
    uv_ip_name((const struct sockaddr *)address, host, sizeof host);
    snprintf(out, 64, address->ss_family == AF_INET6 ? "[%s]:%u" : "%s:%u", host,
             (unsigned)address_of(address).port);
}

static bool listen_at(cli_relay *relay) {
    const client_endpoint *wanted = &relay->def->listen;
    struct sockaddr_storage address;
    if (!resolve(&relay->loop.loop, wanted, &address) ||
        !resolve(&relay->loop.loop, &relay->def->to, &relay->to)) {
        return false;
    }
    netsim_address here = address_of(&address), there = address_of(&relay->to);
    if (memcmp(&here, &there, sizeof here) == 0) {
        cli_complain("--listen and --to are the same: the relay would talk to itself");
        return false;
    }
    int code = uv_udp_bind(&relay->listener, (const struct sockaddr *)&address, 0);
    if (code == 0) {
        code = uv_udp_recv_start(&relay->listener, on_listener_alloc, on_listener);
    }
    if (code != 0) {
        cli_complain("can't listen on UDP port %u of %s: %s", (unsigned)wanted->port, wanted->host,
                     uv_strerror(code));
        return false;
    }
    // Many clients come in at once; the system may refuse, and then it does with less.
    int bytes = SOCKET_BYTES;
    uv_recv_buffer_size((uv_handle_t *)&relay->listener, &bytes);
    int length = sizeof address;
    uv_udp_getsockname(&relay->listener, (struct sockaddr *)&address, &length);
    char text[64];
    name_address(&address, text);
    cli_relay_say_begin(relay->def, text);
    return true;
}

static void destroy(cli_relay *relay) {
    if (relay != NULL) {
        netsim_relay_destroy(relay->core);
        free(relay->clients);
        free(relay);
    }
}

static cli_relay *create(const cli_relay_def *def) {
    cli_relay *relay = calloc(1, sizeof *relay);
    if (relay == NULL) {
        return NULL;
    }
    relay->def = def;
    relay->begun_us = cli_now_us();
    relay->shows_status = !def->json && !def->quiet && isatty(STDOUT_FILENO);
    relay->clients = calloc(def->relay.clients_max, sizeof(upstream *));
    relay->loop.on_round = on_round;
    relay->loop.on_stop = end;
    relay->loop.context = relay;
    if (relay->clients == NULL || netsim_relay_create(&def->relay, &relay->core) != APEX_OK ||
        !cli_loop_open(&relay->loop, ROUND_MS)) {
        destroy(relay);
        return NULL;
    }
    uv_udp_init(&relay->loop.loop, &relay->listener);
    uv_timer_init(&relay->loop.loop, &relay->due);
    relay->listener.data = relay;
    relay->due.data = relay;
    return relay;
}

int cli_relay_run(const cli_relay_def *def) {
    (void)cli_raise_open_files();
    cli_relay *relay = create(def);
    if (relay == NULL) {
        cli_complain("out of memory");
        return CLI_FAILED;
    }
    bool listens = listen_at(relay);
    if (!listens) {
        end(relay);
    }
    cli_loop_run(&relay->loop);
    if (listens) {
        netsim_relay_count count = netsim_relay_counts(relay->core);
        cli_relay_say_end(def, &count, relay->send_errors, seconds_of(relay));
    }
    destroy(relay);
    return listens ? CLI_OK : CLI_FAILED;
}
