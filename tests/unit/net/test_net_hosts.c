// More links than one of ENet's hosts can have: several share the port, and nobody can tell.
#include "support/base/check_main.h"
#include "support/net/enet_client.h"
#include "support/net/net_server.h"

#include <stdlib.h>
#include <string.h>

enum { FRAME_BYTES = 4 * 1024 * 1024, ROUNDS_MAX = 3000, CLIENTS_MAX = 48, EACH = 16 };

static net_server server;
static enet_client clients[CLIENTS_MAX];
static apex_link links[CLIENTS_MAX]; // of each client, as its first packet came
static size_t count;

static apex_transport_def small_hosts(uint32_t hosts) {
    apex_transport_def def = apex_default_transport_def();
    def.links_max = hosts * EACH;
    def.links_per_host_max = EACH;
    return def;
}

static void take_names(void) {
    for (size_t e = 0; e < server.event_count; e++) {
        const apex_link_event *event = &server.events[e];
        if (event->kind == APEX_LINK_BYTES) {
            ck_assert_uint_eq(event->length, 1);
            ck_assert_uint_lt(event->bytes[0], count);
            links[event->bytes[0]] = event->link;
        }
    }
}

static void round_all(void) {
    for (size_t i = 0; i < count; i++) {
        enet_client_service(&clients[i], 0);
    }
    net_server_round(&server);
    take_names();
}

static uint32_t turned_away_with; // a reason

// Adds a client that has said its number; false when it was told that there is no room for it.
static bool add_client(void) {
    size_t number = count++;
    links[number] = (apex_link){0};
    enet_client_open(&clients[number], apex_transport_port(server.transport), 2);
    for (int i = 0; i < ROUNDS_MAX && !clients[number].is_connected; i++) {
        enet_client_service(&clients[number], 1);
        round_all();
        if (clients[number].is_disconnected) {
            break;
        }
    }
    if (!clients[number].is_connected) {
        turned_away_with = clients[number].disconnect_data;
        enet_client_close(&clients[number]);
        count--;
        return false;
    }
    uint8_t name = (uint8_t)number;
    enet_client_send(&clients[number], 0, &name, 1);
    for (int i = 0; i < ROUNDS_MAX && links[number].index1 == 0; i++) {
        enet_client_service(&clients[number], 1);
        round_all();
    }
    ck_assert_uint_ne(links[number].index1, 0);
    return true;
}

static uint32_t host_of(size_t client) {
    return (links[client].index1 - 1u) / EACH;
}

static uint32_t clients_of(uint32_t host) {
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += host_of(i) == host;
    }
    return sum;
}

// The host that a client comes to is chance: clients come until each has some.
static void open_hosts(apex_transport_def def, uint32_t hosts) {
    count = 0;
    net_server_open(&server, def, FRAME_BYTES);
    for (uint32_t host = 0; host < hosts; host++) {
        while (clients_of(host) < 2) {
            ck_assert_msg(count < CLIENTS_MAX - 1, "%zu clients, and none for host %u", count,
                          host);
            add_client();
        }
    }
}

static void close_all(void) {
    for (size_t i = 0; i < count; i++) {
        enet_client_close(&clients[i]);
    }
    net_server_close(&server);
}

TEST(links_of_all_hosts_work_and_are_not_mixed_up) {
    open_hosts(small_hosts(3), 3);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            ck_assert_uint_ne(links[i].index1, links[k].index1);
        }
    }
    // To each his own, and then the same to all.
    static const char shared[] = "everybody";
    for (size_t i = 0; i < count; i++) {
        uint8_t own[2] = {'#', (uint8_t)i};
        apex_transport_send(server.transport, &(apex_link_packet){links[i], 0, own, 2}, 1);
    }
    for (int i = 0; i < ROUNDS_MAX; i++) {
        round_all();
        size_t heard = 0;
        for (size_t k = 0; k < count; k++) {
            heard += clients[k].packets == 1;
        }
        if (heard == count) {
            break;
        }
    }
    apex_link_packet packets[CLIENTS_MAX];
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(clients[i].packets, 1);
        ck_assert_uint_eq(clients[i].last_bytes[1], i);
        packets[i] = (apex_link_packet){links[i], 1, (const uint8_t *)shared, sizeof shared};
    }
    apex_transport_send(server.transport, packets, count);
    for (int i = 0; i < 200; i++) {
        round_all();
    }
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(clients[i].packets, 2);
        ck_assert_str_eq((const char *)clients[i].last_bytes, shared);
    }
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_LINKS_OPENED), count);
    ck_assert_uint_gt(net_server_counter(&server, APEX_TRANSPORT_PACKETS_IN), 2 * count);
    close_all();
}

TEST(a_link_is_closed_where_it_is_and_only_there) {
    open_hosts(small_hosts(2), 2);
    for (uint32_t host = 0; host < 2; host++) {
        size_t victim = 0;
        while (host_of(victim) != host || clients[victim].is_disconnected) {
            victim++;
        }
        uint32_t closed = server.closed;
        apex_transport_close_link(server.transport, links[victim]);
        for (int i = 0; i < ROUNDS_MAX && server.closed == closed; i++) {
            round_all();
        }
        ck_assert_uint_eq(server.closed, closed + 1);
        for (size_t i = 0; i < count; i++) {
            bool is_out = i == victim || (host == 1 && clients[i].is_disconnected);
            ck_assert_uint_eq(clients[i].is_disconnected, is_out);
        }
    }
    close_all();
}

TEST(the_silent_are_dropped_in_every_host) {
    apex_transport_def def = small_hosts(2);
    open_hosts(def, 2);
    uint32_t opened = server.opened;
    server.skipped_us += 100000;
    for (uint64_t waited_us = 0; waited_us < 2 * def.link_timeout_us; waited_us += 200000) {
        server.skipped_us += 200000; // and nobody serves the clients
        net_server_round(&server);
    }
    ck_assert_uint_eq(server.closed, opened);
    close_all();
}

TEST(a_full_host_does_not_keep_the_others_from_taking_more) {
    open_hosts(small_hosts(2), 2);
    for (uint32_t tries = 0; tries < 200 && count < 2 * EACH; tries++) {
        // Or not: its host is full, and the next one comes to either.
        ck_assert(add_client() || turned_away_with == APEX_REASON_SERVER_FULL);
    }
    ck_assert_uint_eq(count, 2 * EACH);
    ck_assert_uint_eq(clients_of(0), EACH);
    ck_assert_uint_eq(clients_of(1), EACH);
    close_all();
}

TEST(the_share_of_an_address_counts_over_all_hosts) {
    apex_transport_def def = small_hosts(2);
    def.links_per_address_max = 6;
    count = 0;
    net_server_open(&server, def, FRAME_BYTES);
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert(add_client());
    }
    ck_assert(!add_client());
    ck_assert_uint_eq(turned_away_with, APEX_REASON_ADDRESS_LIMIT);
    ck_assert_uint_gt(net_server_counter(&server, APEX_TRANSPORT_REFUSED_ADDRESS), 0);
    close_all();
}

TEST(eight_thousand_links_have_room) {
    apex_transport_def def = apex_default_transport_def();
    def.links_max = 8190;
    count = 0;
    net_server_open(&server, def, FRAME_BYTES);
    bool has_high = false;
    while (!has_high && count < CLIENTS_MAX) {
        ck_assert(add_client());
        has_high = links[count - 1].index1 > 4095;
    }
    ck_assert(has_high);
    close_all();
}

// A host is shown few of its peers at a time; a crowd that comes at once finds room all the same.
TEST(a_crowd_comes_and_goes_and_comes_again) {
    enum { CROWD = 900 };
    apex_transport_def def = apex_default_transport_def();
    def.links_per_address_max = def.half_open_max = def.links_max = 1000;
    count = 0;
    net_server_open(&server, def, FRAME_BYTES);
    ENetAddress address = {.port = apex_transport_port(server.transport)};
    enet_address_set_host_ip(&address, "127.0.0.1");
    ENetHost *crowd = enet_host_create(NULL, CROWD, 2, 0, 0);
    for (uint32_t wave = 1; wave <= 2; wave++) {
        for (uint32_t i = 0; i < CROWD; i++) {
            ck_assert_ptr_nonnull(enet_host_connect(crowd, &address, 2, 0));
        }
        for (int i = 0; i < ROUNDS_MAX && server.opened < wave * CROWD; i++) {
            ENetEvent event;
            for (uint32_t wait_ms = 1; enet_host_service(crowd, &event, wait_ms) > 0;) {
                wait_ms = 0;
            }
            net_server_round(&server);
        }
        ck_assert_uint_eq(server.opened, wave * CROWD);
        for (uint32_t i = 0; i < CROWD; i++) {
            enet_peer_disconnect_now(&crowd->peers[i], 0);
        }
        for (int i = 0; i < ROUNDS_MAX && server.closed < wave * CROWD; i++) {
            server.skipped_us += 50000; // goodbyes that anybody may have said are waited for
            net_server_round(&server);
        }
        ck_assert_uint_eq(server.closed, wave * CROWD);
    }
    enet_host_destroy(crowd);
    close_all();
}

// Two servers that share a port would take each other's clients.
TEST(a_port_that_is_shared_is_not_shared_with_another_server) {
    count = 0;
    net_server_open(&server, small_hosts(2), FRAME_BYTES);
    for (uint32_t hosts = 1; hosts <= 2; hosts++) {
        apex_transport_def def = small_hosts(hosts);
        def.address = "127.0.0.1";
        def.port = apex_transport_port(server.transport);
        apex_transport *other = NULL;
        ck_assert_int_eq(apex_transport_create(&def, &other), APEX_ERR_BUSY_PORT);
        ck_assert_ptr_null(other);
    }
    close_all();
}
