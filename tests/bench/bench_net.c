// links: net
// A benchmark of what a datagram costs the server's thread on loopback, kernel and ENet included:
// one with a player's controls from the socket to the mail that the host reads, and one with a
// snapshot from the session's outbox to the socket. One packet of each kind for each of many
// clients in a round, as in a tick of a server with twice as many.

#include "windows.h"

#include <stdio.h>

#include "base/assert.h"
#include "net/net.h"
#include "support/net/enet_client.h"
#include "support/net/net_server.h"

enum {
    CLIENTS = 400, // each has a socket
    WINDOWS = 15,
    ROUNDS = 20, // of a window
    ROUND_US = 16667,
    WARM_ROUNDS = 30,
    ROUNDS_MAX = 2000,
    FRAME_BYTES = 16 * 1024 * 1024,
    SNAPSHOT_BYTES = 300,
};

typedef struct rig {
    net_server server;
    apex_sessions *sessions;
    enet_client *clients;
    uint64_t secrets[CLIENTS]; // that their Welcomes told
    apex_session_id players[CLIENTS];
    uint32_t welcomed, player_count;
    uint64_t now_us;
    uint64_t mails, controls; // of the last round
    double in_ms, out_ms;     // of the last round
} rig;

static void create_server(rig *self) {
    apex_transport_def transport = apex_default_transport_def();
    transport.links_per_address_max = transport.links_max;
    transport.half_open_max = transport.links_max;
    transport.datagrams_per_s_max = transport.commands_per_s_max = 0;
    net_server_open(&self->server, transport, FRAME_BYTES);
    static const uint8_t key[16] = {7};
    apex_sessions_def sessions = apex_default_sessions_def();
    sessions.clients_per_address_max = sessions.clients_max;
    APEX_ASSERT(apex_sessions_create(&sessions, key, &self->sessions) == APEX_OK);
    self->now_us = net_server_now(&self->server);
}

static void take_mail(rig *self, const apex_mail *mail) {
    if (mail->kind == APEX_MAIL_WELCOMED) {
        apex_welcome welcome = {.tick_hz = 60, .snapshot_hz = 20};
        apex_sessions_welcome(self->sessions, mail->session, &welcome);
        self->welcomed++;
    } else if (mail->kind == APEX_MAIL_MESSAGE && mail->message->kind == APEX_CLIENT_JOIN) {
        apex_joined joined = {.player = ++self->player_count, .car = 1};
        apex_sessions_accept(self->sessions, mail->session, &joined);
        self->players[self->player_count - 1] = mail->session;
    } else if (mail->kind == APEX_MAIL_MESSAGE) {
        self->controls += mail->message->kind == APEX_CLIENT_CONTROLS;
    }
}

// Windows of both figures have only the network in them.
static void round_of_server(rig *self, bool with_snapshots) {
    static uint8_t snapshots[CLIENTS][SNAPSHOT_BYTES];
    apex_arena *frame = &self->server.frame;
    apex_transport *transport = self->server.transport;
    self->now_us += ROUND_US;
    self->controls = 0;
    apex_arena_reset(frame);
    double begin_ms = windows_thread_ms();
    apex_link_event *events = NULL;
    size_t count = apex_transport_receive(transport, self->now_us, frame, &events);
    apex_mail *mail = NULL;
    apex_sessions_begin(self->sessions, self->now_us, frame);
    self->mails = apex_sessions_take(self->sessions, events, count, &mail);
    self->in_ms = windows_thread_ms() - begin_ms;
    for (size_t i = 0; i < self->mails; i++) {
        take_mail(self, &mail[i]);
    }
    begin_ms = windows_thread_ms();
    for (uint32_t i = 0; i < self->player_count && with_snapshots; i++) {
        apex_sessions_send_bytes(self->sessions, self->players[i], APEX_CHANNEL_STATE, snapshots[i],
                                 SNAPSHOT_BYTES);
    }
    const apex_link_packet *packets = NULL;
    count = apex_sessions_outbox(self->sessions, &packets);
    apex_transport_send(transport, packets, count);
    apex_transport_flush(transport);
    self->out_ms = windows_thread_ms() - begin_ms;
}

static void say(enet_client *client, const apex_client_message *message) {
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(message, bytes, sizeof bytes);
    APEX_ASSERT(length > 0);
    enet_client_send(client, (uint8_t)apex_client_message_channel(message->kind), bytes, length);
    enet_host_flush(client->host);
}

static void service_clients(rig *self) {
    for (uint32_t i = 0; i < CLIENTS; i++) {
        enet_client_service(&self->clients[i], 0);
    }
}

// A driver on its way: nothing is at rest, so that no field is left out for being 0.
static void send_controls(rig *self, uint32_t round) {
    apex_client_message message = {.kind = APEX_CLIENT_CONTROLS};
    message.controls.first_tick = 100000 + round;
    message.controls.sample_count = 8;
    message.controls.ack = (apex_snapshot_ack){.newest = 1 + round % 65536, .before = 0xFFFFFFFF};
    for (uint32_t i = 0; i < 8; i++) {
        message.controls.samples[i] =
            (apex_control_sample){.steer = (int16_t)(900 + i), .throttle = 200, .gear = 126};
    }
    for (uint32_t i = 0; i < CLIENTS; i++) {
        message.secret = self->secrets[i];
        say(&self->clients[i], &message);
    }
}

// The Welcome is the first packet that a client gets.
static void learn_secrets(rig *self) {
    static _Alignas(16) uint8_t memory[APEX_DECODE_SCRATCH_BYTES];
    for (uint32_t i = 0; i < CLIENTS; i++) {
        const enet_client *client = &self->clients[i];
        apex_server_message message;
        APEX_ASSERT(client->packets == 1);
        APEX_ASSERT(apex_decode_server(client->last_bytes, client->last_length,
                                       (apex_scratch){memory, sizeof memory}, &message, NULL));
        APEX_ASSERT(message.kind == APEX_SERVER_WELCOME && message.welcome.secret != 0);
        self->secrets[i] = message.welcome.secret;
    }
}

static void wait_for(rig *self, const uint32_t *count) {
    for (int i = 0; i < ROUNDS_MAX && *count < CLIENTS; i++) {
        service_clients(self);
        round_of_server(self, false);
    }
    APEX_ASSERT(*count == CLIENTS);
}

static void connect_clients(rig *self) {
    self->clients = calloc(CLIENTS, sizeof *self->clients);
    APEX_ASSERT(self->clients != NULL);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        enet_client_open(&self->clients[i], apex_transport_port(self->server.transport), 2);
    }
    uint32_t connected = 0;
    for (int round = 0; round < ROUNDS_MAX && connected < CLIENTS; round++) {
        service_clients(self);
        round_of_server(self, false);
        connected = 0;
        for (uint32_t i = 0; i < CLIENTS; i++) {
            connected += self->clients[i].is_connected;
        }
    }
    apex_client_message message = {.kind = APEX_CLIENT_HELLO,
                                   .hello = {.protocol_version = APEX_PROTOCOL_VERSION}};
    for (uint32_t i = 0; i < CLIENTS; i++) {
        say(&self->clients[i], &message);
    }
    wait_for(self, &self->welcomed);
    for (int i = 0; i < 100; i++) { // until the last one has it
        service_clients(self);
        round_of_server(self, false);
    }
    learn_secrets(self);
    message = (apex_client_message){.kind = APEX_CLIENT_JOIN, .join = {.name = "a"}};
    for (uint32_t i = 0; i < CLIENTS; i++) {
        say(&self->clients[i], &message);
    }
    wait_for(self, &self->player_count);
}

static void measure(rig *self, double in_us[], double out_us[]) {
    uint64_t packets = 0;
    for (uint32_t i = 0; i < CLIENTS; i++) {
        packets += self->clients[i].packets;
    }
    for (uint32_t i = 0; i < WARM_ROUNDS + WINDOWS * ROUNDS; i++) {
        send_controls(self, i);
        round_of_server(self, true);
        APEX_ASSERT(self->controls == CLIENTS);
        service_clients(self);
        if (i >= WARM_ROUNDS) {
            in_us[(i - WARM_ROUNDS) / ROUNDS] += self->in_ms * 1e3 / (ROUNDS * CLIENTS);
            out_us[(i - WARM_ROUNDS) / ROUNDS] += self->out_ms * 1e3 / (ROUNDS * CLIENTS);
        }
    }
    for (uint32_t i = 0; i < CLIENTS; i++) {
        packets -= self->clients[i].packets;
    }
    APEX_ASSERT(-packets >= (WARM_ROUNDS + WINDOWS * ROUNDS) * (uint64_t)CLIENTS);
}

int main(int argc, char **argv) {
    if (!windows_is_wanted(argc, argv, "net.controls_in_us") &&
        !windows_is_wanted(argc, argv, "net.snapshot_out_us")) {
        return 0;
    }
    static rig self;
    double in_us[WINDOWS] = {0}, out_us[WINDOWS] = {0};
    create_server(&self);
    connect_clients(&self);
    measure(&self, in_us, out_us);
    printf("net.controls_in_us %.3f us\n", windows_median(in_us, WINDOWS));
    printf("net.snapshot_out_us %.3f us\n", windows_median(out_us, WINDOWS));
    for (uint32_t i = 0; i < CLIENTS; i++) {
        enet_client_close(&self.clients[i]);
    }
    free(self.clients);
    apex_sessions_destroy(self.sessions);
    net_server_close(&self.server);
    return 0;
}
