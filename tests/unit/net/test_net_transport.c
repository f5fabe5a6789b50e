// The transport on loopback, against stock ENet clients.
#include "support/base/check_main.h"
#include "support/net/enet_client.h"
#include "support/net/net_server.h"

#include <stdlib.h>
#include <string.h>

enum { FRAME_BYTES = 4 * 1024 * 1024, ROUNDS_MAX = 3000 };

static net_server server;
static enet_client client;

static void open_pair(apex_transport_def def, size_t frame_bytes) {
    net_server_open(&server, def, frame_bytes);
    enet_client_open(&client, apex_transport_port(server.transport), 2);
}

static void close_pair(void) {
    enet_client_close(&client);
    net_server_close(&server);
}

static void round_both(void) {
    enet_client_service(&client, 1);
    net_server_round(&server);
}

static void connect_both(void) {
    for (int i = 0; i < ROUNDS_MAX && !(client.is_connected && server.opened > 0); i++) {
        round_both();
    }
    ck_assert(client.is_connected);
    ck_assert_uint_eq(server.opened, 1);
}

static void send_to_client(uint8_t channel, const void *bytes, size_t length) {
    apex_link_packet packet = {server.newest, channel, bytes, length};
    apex_transport_send(server.transport, &packet, 1);
    apex_transport_flush(server.transport);
}

TEST(a_stock_client_connects_talks_and_leaves) {
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    connect_both();
    ck_assert_uint_eq(server.event_count, 1);
    ck_assert_str_eq(server.events[0].address, "127.0.0.1");

    enet_client_send(&client, 0, "reliable", 8);
    enet_client_send(&client, 1, "state", 5);
    bool saw[2] = {false, false};
    for (int i = 0; i < ROUNDS_MAX && server.packets < 2; i++) {
        round_both();
        for (size_t e = 0; e < server.event_count; e++) {
            const apex_link_event *event = &server.events[e];
            const char *wanted = event->channel == 0 ? "reliable" : "state";
            ck_assert_uint_eq(event->link.index1, server.newest.index1);
            ck_assert_uint_eq(event->length, strlen(wanted));
            ck_assert_mem_eq(event->bytes, wanted, event->length);
            saw[event->channel] = true;
        }
    }
    ck_assert(saw[0] && saw[1]);

    send_to_client(1, "down", 4);
    for (int i = 0; i < ROUNDS_MAX && client.packets == 0; i++) {
        round_both();
    }
    ck_assert_uint_eq(client.last_channel, 1);
    ck_assert_mem_eq(client.last_bytes, "down", 4);

    enet_peer_disconnect(client.peer, 0);
    for (int i = 0; i < ROUNDS_MAX && !client.is_disconnected; i++) {
        round_both();
    }
    ck_assert(client.is_disconnected);
    for (int i = 0; i < ROUNDS_MAX && server.closed == 0; i++) {
        round_both();
    }
    ck_assert_uint_eq(server.closed, 1);
    ck_assert_uint_eq(server.closed_by_client, 0); // anybody may have said so
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_LINKS_OPENED), 1);
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_LINKS_CLOSED), 1);
    ck_assert_uint_gt(net_server_counter(&server, APEX_TRANSPORT_BYTES_IN), 52);
    ck_assert_uint_gt(net_server_counter(&server, APEX_TRANSPORT_PACKETS_OUT), 2);
    close_pair();
}

TEST(a_closed_link_delivers_its_last_words) {
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    connect_both();
    size_t length = 300 * 1024;
    uint8_t *def = malloc(length);
    memset(def, 7, length);
    send_to_client(0, def, length);
    apex_transport_close_link(server.transport, server.newest);
    send_to_client(0, "late", 4); // the link is closing: dropped
    for (int i = 0; i < ROUNDS_MAX && server.closed == 0; i++) {
        round_both();
    }
    ck_assert_uint_eq(server.closed, 1);
    ck_assert(client.is_disconnected);
    ck_assert_uint_eq(client.packets, 1);
    ck_assert_uint_eq(client.bytes, length);
    free(def);
    close_pair();
}

TEST(the_longest_state_packet_is_never_fragmented) {
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    client.host->mtu = ENET_PROTOCOL_MINIMUM_MTU; // sent with CONNECT
    enet_peer_reset(client.peer);
    enet_client_connect(&client, 2);
    connect_both();
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX] = {0};
    send_to_client(1, bytes, sizeof bytes);
    for (int i = 0; i < ROUNDS_MAX && client.packets == 0; i++) {
        round_both();
    }
    ck_assert_uint_eq(client.last_length, sizeof bytes);
    ck_assert_uint_eq(client.peer->channels[1].incomingReliableSequenceNumber, 0);
    close_pair();
}

TEST(equal_packets_to_many_links_all_arrive) {
    enum { CLIENTS = 5 };
    enet_client clients[CLIENTS];
    apex_link links[CLIENTS];
    net_server_open(&server, apex_default_transport_def(), FRAME_BYTES);
    for (int i = 0; i < CLIENTS; i++) {
        enet_client_open(&clients[i], apex_transport_port(server.transport), 2);
        for (int r = 0; r < ROUNDS_MAX && server.opened <= (uint32_t)i; r++) {
            enet_client_service(&clients[i], 1);
            net_server_round(&server);
        }
        links[i] = server.newest;
    }
    apex_link_packet packets[CLIENTS + 1];
    for (int i = 0; i < CLIENTS; i++) {
        packets[i] = (apex_link_packet){links[i], 0, (const uint8_t *)"everybody", 9};
    }
    packets[CLIENTS] = (apex_link_packet){links[2], 0, (const uint8_t *)"only you", 8};
    apex_transport_send(server.transport, packets, CLIENTS + 1);
    for (int r = 0; r < 50; r++) {
        net_server_round(&server);
        for (int i = 0; i < CLIENTS; i++) {
            enet_client_service(&clients[i], 0);
        }
    }
    for (int i = 0; i < CLIENTS; i++) {
        ck_assert_uint_eq(clients[i].packets, i == 2 ? 2 : 1);
        ck_assert_uint_eq(clients[i].last_length, i == 2 ? 8 : 9);
        enet_client_close(&clients[i]);
    }
    net_server_close(&server);
}

TEST(a_slot_used_again_has_another_generation) {
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    connect_both();
    apex_link first = server.newest;
    enet_peer_disconnect_now(client.peer, 0);
    for (int i = 0; i < ROUNDS_MAX && server.closed == 0; i++) {
        round_both();
    }
    enet_client_connect(&client, 2);
    for (int i = 0; i < ROUNDS_MAX && server.opened < 2; i++) {
        round_both();
    }
    ck_assert_uint_eq(server.newest.index1, first.index1);
    ck_assert_uint_ne(server.newest.generation, first.generation);
    apex_link_packet stale = {first, 0, (const uint8_t *)"stale", 5};
    apex_transport_send(server.transport, &stale, 1);
    apex_transport_close_link(server.transport, first);
    send_to_client(0, "fresh", 5);
    for (int i = 0; i < ROUNDS_MAX && client.packets == 0; i++) {
        round_both();
    }
    ck_assert_mem_eq(client.last_bytes, "fresh", 5);
    ck_assert(client.is_connected);
    close_pair();
}

// Rounds as a server has them, at a speed of our own.
static void let_pass(uint64_t us) {
    for (uint64_t passed_us = 0; passed_us < us; passed_us += 50000) {
        server.skipped_us += 50000;
        net_server_round(&server);
    }
}

TEST(a_killed_client_is_dropped_in_time) {
    uint64_t timeout_us = apex_default_transport_def().link_timeout_us;
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    connect_both();
    round_both();
    let_pass(timeout_us - 200000);
    ck_assert_uint_eq(server.closed, 0);
    let_pass(300000);
    ck_assert_uint_eq(server.closed, 1);
    ck_assert_uint_eq(server.closed_by_client, 0);
    close_pair();
}

TEST(a_quiet_client_is_not_dropped) {
    apex_transport_def def = apex_default_transport_def();
    def.link_timeout_us = 400000;
    open_pair(def, FRAME_BYTES);
    connect_both();
    uint64_t end_us = net_server_now(&server) + 1200000;
    while (net_server_now(&server) < end_us) {
        round_both();
    }
    ck_assert_uint_eq(server.closed, 0);
    ck_assert(client.is_connected);
    close_pair();
}

TEST(a_stall_of_the_server_is_not_the_clients_silence) {
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    connect_both();
    server.skipped_us += 60000000;
    net_server_round(&server);
    ck_assert_uint_eq(server.closed, 0);
    enet_client_send(&client, 0, "awake?", 6);
    for (int i = 0; i < ROUNDS_MAX && server.packets == 0; i++) {
        round_both();
    }
    ck_assert_uint_eq(server.packets, 1);
    close_pair();
}

// ENet reads 256 datagrams in one go, and there are more of them.
TEST(one_round_takes_all_that_has_come) {
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    connect_both();
    round_both();
    for (int i = 0; i < 900; i++) {
        enet_client_send(&client, 1, "x", 1);
        enet_host_flush(client.host);
    }
    net_server_round(&server);
    ck_assert_uint_eq(server.packets, 900);
    close_pair();
}

TEST(a_closing_link_whose_client_never_answers_ends) {
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    connect_both();
    apex_transport_close_link(server.transport, server.newest);
    net_server_round(&server);
    ck_assert_uint_eq(server.closed, 0);
    server.skipped_us += apex_default_transport_def().link_timeout_us;
    net_server_round(&server);
    ck_assert_uint_eq(server.closed, 1);
    close_pair();
}

TEST(a_closing_link_gives_way_to_who_comes) {
    apex_transport_def def = apex_default_transport_def();
    def.links_max = 2;
    open_pair(def, FRAME_BYTES);
    connect_both();
    enet_client others[3];
    for (uint32_t i = 0; i < 3; i++) {
        enet_client_open(&others[i], apex_transport_port(server.transport), 2);
        for (int k = 0; k < 200 && server.opened < 2 + i; k++) {
            enet_client_service(&others[i], 1);
            net_server_round(&server);
        }
        ck_assert_uint_eq(server.opened, 2 + i);
        ck_assert_uint_eq(server.closed, i); // of those, whose clients do not answer, one each time
        apex_transport_close_link(server.transport, server.newest);
        apex_transport_flush(server.transport);
    }
    ck_assert(client.is_connected);
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_REFUSED_FULL), 0);
    for (uint32_t i = 0; i < 3; i++) {
        enet_client_close(&others[i]);
    }
    close_pair();
}

// Over a plain link anybody may have sent it, so that it ends nothing; over a sealed one it does,
// see test_net_cut.c.
TEST(a_message_in_fragments_never_comes) {
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    connect_both();
    uint8_t bytes[5000] = {0};
    enet_client_send(&client, 0, bytes, sizeof bytes);
    enet_host_flush(client.host);
    for (int i = 0; i < 300; i++) {
        enet_client_send(&client, 1, "state", 5);
        // In a datagram of its own: one with a fragment is refused whole, and those that nobody
        // acknowledges come again, in the next round or in the tenth. A flush sends none again.
        enet_host_flush(client.host);
        round_both();
    }
    for (int i = 0; i < ROUNDS_MAX && server.packets < 300; i++) {
        round_both();
    }
    ck_assert_uint_eq(server.closed, 0);
    ck_assert(client.is_connected);
    ck_assert_uint_eq(server.packets, 300);
    ck_assert_uint_ge(net_server_counter(&server, APEX_TRANSPORT_REFUSED_FRAGMENT), 4);
    close_pair();
}

// Its queue would grow for as long as it answers pings.
TEST(a_client_that_takes_nothing_loses_its_link) {
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    connect_both();
    size_t length = APEX_MESSAGE_BYTES_MAX;
    uint8_t *bytes = calloc(1, length);
    int sent = 0;
    for (; sent < 40 && server.closed == 0; sent++) {
        send_to_client(0, bytes, length);
        net_server_round(&server);
        if (sent >= 16) { // past the limit; until it hears of that it takes nothing
            enet_client_service(&client, 1);
        }
    }
    for (int i = 0; i < ROUNDS_MAX && server.closed == 0; i++) {
        round_both();
    }
    ck_assert_uint_eq(server.closed, 1);
    ck_assert(client.is_disconnected);
    ck_assert_uint_eq(client.disconnect_data, APEX_REASON_TIMEOUT);
    free(bytes);
    close_pair();
}

TEST(a_client_that_reads_along_may_read_for_ever) {
    open_pair(apex_default_transport_def(), FRAME_BYTES);
    connect_both();
    size_t length = APEX_MESSAGE_BYTES_MAX;
    uint8_t *bytes = calloc(1, length);
    for (uint32_t sent = 1; sent <= 40; sent++) {
        send_to_client(0, bytes, length);
        for (int i = 0; i < ROUNDS_MAX && client.packets < sent; i++) {
            round_both();
        }
        ck_assert_uint_eq(client.packets, sent);
    }
    ck_assert_uint_eq(server.closed, 0);
    free(bytes);
    close_pair();
}

// Nothing is lost when the frame has no room: the rest waits in ENet. And most of the frame is left
// for the answers.
TEST(a_full_frame_leaves_packets_for_later_rounds) {
    enum { SMALL_FRAME_BYTES = 64 * 1024 };
    open_pair(apex_default_transport_def(), SMALL_FRAME_BYTES);
    connect_both();
    enum { SENT = 40 };
    uint8_t bytes[1000];
    for (uint8_t i = 0; i < SENT; i++) {
        memset(bytes, i, sizeof bytes);
        enet_client_send(&client, 0, bytes, sizeof bytes);
    }
    uint32_t rounds_with_packets = 0;
    uint32_t next = 0;
    for (int i = 0; i < ROUNDS_MAX && next < SENT; i++) {
        round_both();
        rounds_with_packets += server.event_count > 0;
        ck_assert_uint_le(server.frame.used, SMALL_FRAME_BYTES / 4);
        ck_assert_uint_eq(server.frame.capacity, SMALL_FRAME_BYTES);
        for (size_t e = 0; e < server.event_count; e++) {
            ck_assert_uint_eq(server.events[e].bytes[0], next);
            next++;
        }
    }
    ck_assert_uint_eq(next, SENT);
    ck_assert_uint_gt(rounds_with_packets, 1);
    ck_assert_uint_gt(net_server_counter(&server, APEX_TRANSPORT_FRAME_FULL), 0);
    close_pair();
}

TEST(an_address_gets_no_more_than_its_share) {
    apex_transport_def def = apex_default_transport_def();
    def.links_per_address_max = 1;
    open_pair(def, FRAME_BYTES);
    connect_both();
    enet_client second;
    enet_client_open(&second, apex_transport_port(server.transport), 2);
    for (int i = 0; i < ROUNDS_MAX && !second.is_disconnected; i++) {
        enet_client_service(&second, 1);
        net_server_round(&server);
    }
    ck_assert_uint_eq(server.opened, 1);
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_REFUSED_ADDRESS), 1);
    ck_assert(second.is_disconnected);
    ck_assert_uint_eq(second.disconnect_data, APEX_REASON_ADDRESS_LIMIT);
    enet_client_close(&second);
    close_pair();
}

// A CONNECT may be sent in anybody's name: one that is turned away must not end his link.
TEST(a_connect_in_a_clients_name_is_not_answered) {
    apex_transport_def def = apex_default_transport_def();
    def.links_max = 1;
    open_pair(def, FRAME_BYTES);
    connect_both();
    uint8_t connect[52] = {0x8F, 0xFF, 0, 0, 0x82, 0xFF, 0, 1};
    ENetBuffer buffer = {.data = connect, .dataLength = sizeof connect};
    uint32_t heard = client.host->totalReceivedPackets;
    for (int i = 0; i < 20; i++) {
        enet_socket_send(client.host->socket, &client.server, &buffer, 1);
        round_both();
    }
    ck_assert_uint_ge(net_server_counter(&server, APEX_TRANSPORT_REFUSED_FULL), 10);
    ck_assert(client.is_connected);
    ck_assert_uint_le(client.host->totalReceivedPackets, heard + 3); // ENet's own
    close_pair();
}

TEST(more_channels_than_two_are_not_given) {
    net_server_open(&server, apex_default_transport_def(), FRAME_BYTES);
    enet_client_open(&client, apex_transport_port(server.transport), 5);
    connect_both();
    ck_assert_uint_eq(client.peer->channelCount, 2);
    close_pair();
}

TEST(creation_fails_with_the_reason) {
    net_server_open(&server, apex_default_transport_def(), FRAME_BYTES);
    apex_transport_def def = apex_default_transport_def();
    apex_transport *second = NULL;
    def.address = "127.0.0.1";
    def.port = apex_transport_port(server.transport);
    ck_assert_int_eq(apex_transport_create(&def, &second), APEX_ERR_BUSY_PORT);
    ck_assert_ptr_null(second);
    def.address = "";
    ck_assert_int_eq(apex_transport_create(&def, &second), APEX_ERR_BUSY_PORT);
    def.address = "999.1.2.3";
    ck_assert_int_eq(apex_transport_create(&def, &second), APEX_ERR_INVALID);
    def.address = "203.0.113.77"; // documentation's, nobody's here
    ck_assert_int_eq(apex_transport_create(&def, &second), APEX_ERR_INVALID);
    net_server_close(&server);
}

TEST(counters_have_names_of_their_own) {
    for (int i = 0; i < APEX_TRANSPORT_COUNTERS; i++) {
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(apex_transport_counter_row((apex_transport_counter)i).name,
                             apex_transport_counter_row((apex_transport_counter)k).name);
        }
    }
    ck_assert_str_eq(apex_transport_counter_row(APEX_TRANSPORT_REFUSED_COOKIE).name,
                     "refused-cookie");
    for (int i = 0; i < APEX_TRANSPORT_COUNTERS; i++) {
        apex_counter_row row = apex_transport_counter_row((apex_transport_counter)i);
        bool is_named_so = strncmp(row.name, "refused-", 8) == 0;
        ck_assert_msg((row.kind == APEX_COUNTS_REFUSALS) == is_named_so, "%s", row.name);
    }
}
