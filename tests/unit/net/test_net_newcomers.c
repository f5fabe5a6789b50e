// Newcomers among those who flood, and what a round may cost. All in virtual time.
#include "support/base/check_main.h"
#include "support/net/enet_attack.h"
#include "support/net/net_server.h"

#include <string.h>

#include "net/enet/enet_state.h"

enum {
    FRAME_BYTES = 32 * 1024 * 1024,
    SILENT = 100, // links of those who have said nothing, at once
    DOOR_ROUND = 2000,
    OWN_ROUND = 5000,
    BATCH = 100,     // that any socket has room for
    REST_US = 40000, // after which as many may be read again
    VERIFY_BYTES = 48,
};

static net_server server;

// Every CONNECT is answered with a cookie.
static void start_with(uint32_t links_max, bool filters) {
    apex_transport_def def = apex_default_transport_def();
    def.half_open_max = 0;
    def.links_max = links_max;
    def.filters = filters;
    net_server_open(&server, def, FRAME_BYTES);
    server.is_virtual = true;
    server.skipped_us = 3600000000u;
}

static void start(void) {
    start_with(256, false);
}

static void stop(void) {
    net_server_close(&server);
}

static uint64_t counted(apex_transport_counter counter) {
    return net_server_counter(&server, counter);
}

static void round_after(uint64_t later_us) {
    server.skipped_us += later_us;
    net_server_round(&server);
}

static void open_at(enet_attack *self, uint32_t from) {
    enet_attack_open_at(self, apex_transport_port(server.transport), from);
}

// Has a VERIFY_CONNECT, and acknowledges it.
static void show(enet_attack *self, uint32_t from) {
    open_at(self, from);
    enet_attack_connect(self, 1, 0);
    round_after(0);
    ck_assert(enet_attack_verify(self));
    round_after(0);
}

// A reliable packet, as Hello is.
static void say(const enet_attack *self) {
    enet_attack_commands(self, "\x86\0\0\1\0\3Hey", 9);
}

static void speak(const enet_attack *self) {
    say(self);
    round_after(0);
}

// Nobody else has a link from now on without a word.
static void use_up_silent_links(void) {
    for (uint32_t i = 0; i < SILENT; i++) {
        enet_attack flooder;
        show(&flooder, 0x7F010001 + i);
        enet_attack_close(&flooder);
    }
    ck_assert_uint_eq(server.opened, SILENT);
}

FIXTURE(start, stop)

TEST(who_only_shows_his_address_has_a_link_when_he_speaks) {
    use_up_silent_links();
    enet_attack newcomer;
    show(&newcomer, 0x7F020001);
    ck_assert_uint_eq(server.opened, SILENT);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_PROOFS_KEPT), 1);
    enet_attack_commands(&newcomer, "\x05\xFF\0\0", 4); // a ping is no word
    round_after(0);
    ck_assert_uint_eq(server.opened, SILENT);
    server.packets = 0;
    speak(&newcomer);
    ck_assert_uint_eq(server.opened, SILENT + 1);
    ck_assert_uint_eq(server.packets, 1);
    ck_assert_str_eq(server.events[0].address, "127.2.0.1");
    ck_assert_mem_eq(server.events[1].bytes, "Hey", 3);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_REFUSED_FULL), 0);
    enet_attack_close(&newcomer);
}

// What one has shown is of no use to others, and of none after ten seconds.
TEST_OVER(whoever_speaks_without_having_shown_himself_is_a_stranger, 0, 4) {
    use_up_silent_links();
    enet_attack newcomer;
    enet_attack other;
    show(&newcomer, 0x7F020001);
    open_at(&other, 0x7F020002);
    other.peer_id = newcomer.peer_id;
    other.session = newcomer.session;
    if (_i == 1) {
        newcomer.session ^= 1;
    }
    round_after(_i == 2 ? 10100000 : 0);
    uint64_t strangers = counted(APEX_TRANSPORT_REFUSED_STRANGER);
    speak(_i == 0 ? &other : &newcomer);
    ck_assert_uint_eq(server.opened, _i == 3 ? SILENT + 1 : SILENT);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_REFUSED_STRANGER) - strangers, _i == 3 ? 0 : 1);
    enet_attack_close(&newcomer);
    enet_attack_close(&other);
}

// A household that has just had one waits; the client says it again.
TEST(first_words_have_turns_by_household) {
    enum { AT_ONCE = 30 };
    use_up_silent_links();
    enet_attack crowd[AT_ONCE + 2];
    enet_attack elsewhere;
    round_after(8000); // answers have a rate of their own
    for (uint32_t i = 0; i < AT_ONCE + 2; i++) {
        show(&crowd[i], 0x7F020001);
    }
    show(&elsewhere, 0x7F030001);
    for (uint32_t i = 0; i < AT_ONCE + 2; i++) {
        say(&crowd[i]);
    }
    round_after(0);
    ck_assert_uint_eq(server.opened, SILENT + AT_ONCE + 1); // as many as are free, and one turn
    ck_assert_uint_eq(counted(APEX_TRANSPORT_REFUSED_LINK_RATE), 1);
    speak(&elsewhere);
    ck_assert_uint_eq(server.opened, SILENT + AT_ONCE + 2);
    round_after(2000); // one is free again
    speak(&crowd[AT_ONCE + 1]);
    ck_assert_uint_eq(server.opened, SILENT + AT_ONCE + 3);
    enet_attack_close(&elsewhere);
    for (uint32_t i = 0; i < AT_ONCE + 2; i++) {
        enet_attack_close(&crowd[i]);
    }
}

// Each has been told a number of its own before any has a link.
TEST(those_who_are_answered_together_do_not_want_the_same_slot) {
    enum { CLIENTS = 4 };
    stop();
    start_with(CLIENTS, false);
    enet_attack clients[CLIENTS];
    for (uint32_t i = 0; i < CLIENTS; i++) {
        open_at(&clients[i], 0x7F000001 + i);
        enet_attack_connect(&clients[i], 1, 0);
    }
    round_after(0);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        ck_assert(enet_attack_verify(&clients[i]));
        round_after(0);
    }
    ck_assert_uint_eq(server.opened, CLIENTS);
    uint16_t slots = 0;
    for (uint32_t i = 0; i < CLIENTS; i++) {
        speak(&clients[i]);
        ck_assert_uint_eq(server.event_count, 1);
        slots |= (uint16_t)(1u << server.events[0].link.index1);
        uint8_t bytes[2048];
        size_t length = enet_attack_receive(&clients[i], bytes, sizeof bytes);
        ck_assert_uint_ge(length, 8); // its own ENet's acknowledgement
        enet_attack_close(&clients[i]);
    }
    ck_assert_uint_eq(slots, 0x1E);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_REFUSED_STRANGER), 0);
}

static void flood(const enet_attack *self, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        enet_attack_send(self, "\x8F\xFE\0\0\x05\xFF\0\0", 8); // a peer that is not there
    }
}

// A lone packet, as controls are.
static void send_controls(const enet_attack *self, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bytes[11] = {
            (uint8_t)(self->session << 4), (uint8_t)self->peer_id, 0x49, 1, 0, 0, 0, 1, 0, 1, 7};
        bytes[0] = (uint8_t)(bytes[0] | self->peer_id >> 8);
        enet_attack_send(self, bytes, sizeof bytes);
    }
}

TEST(a_round_reads_so_much_for_nothing_and_leaves_the_rest) {
    enet_attack stranger;
    enet_attack player;
    show(&player, 0x7F020001);
    open_at(&stranger, 0x7F010001);
    round_after(REST_US);
    uint64_t came = counted(APEX_TRANSPORT_PACKETS_IN);
    server.packets = 0;
    for (uint32_t i = 0; i < OWN_ROUND / BATCH; i++) {
        flood(&stranger, BATCH);
        send_controls(&player, 10); // which cost the strangers nothing
        round_after(0);
    }
    ck_assert_uint_eq(server.packets, OWN_ROUND / 10);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_PACKETS_IN) - came, OWN_ROUND + OWN_ROUND / 10);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_ROUNDS_CUT), 0);
    came = counted(APEX_TRANSPORT_PACKETS_IN);
    flood(&stranger, BATCH);
    round_after(0);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_PACKETS_IN) - came, 1);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_ROUNDS_CUT), 1);
    round_after(REST_US);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_PACKETS_IN) - came, BATCH);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_ROUNDS_CUT), 1);
    enet_attack_close(&stranger);
    enet_attack_close(&player);
}

// So many at once cannot be one driver's: they are heard, and leave less for others of their kind.
TEST(packets_past_a_plain_links_rate_count_as_read_for_nothing) {
    enum { RATE_BURST = 2000 };
    enet_attack player;
    show(&player, 0x7F020001);
    round_after(REST_US);
    server.packets = 0;
    for (uint32_t i = 0; i < (RATE_BURST + OWN_ROUND) / BATCH; i++) {
        send_controls(&player, BATCH);
        round_after(0);
    }
    ck_assert_uint_eq(server.packets, RATE_BURST + OWN_ROUND);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_ROUNDS_CUT), 0);
    send_controls(&player, BATCH);
    round_after(0);
    ck_assert_uint_eq(server.packets, RATE_BURST + OWN_ROUND + 1);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_ROUNDS_CUT), 1);
    enet_attack_close(&player);
}

// Their queue is another, so that of those who have a link stays short.
TEST(a_crowd_at_the_door_is_not_in_the_way_of_links) {
    stop();
    start_with(256, true);
    enet_attack stranger;
    enet_attack player;
    show(&player, 0x7F020001);
    open_at(&stranger, 0x7F010001);
    int sockets[APEX_SOCKETS_MAX];
    ck_assert_uint_eq(apex_transport_sockets(server.transport, sockets), 2);
    round_after(1000000);
    for (uint32_t i = 0; i < DOOR_ROUND; i++) {
        enet_attack_connect(&stranger, 1, 0);
        if (i % BATCH == BATCH - 1) {
            round_after(0);
        }
    }
    ck_assert_uint_eq(counted(APEX_TRANSPORT_ROUNDS_CUT), 0);
    uint64_t came = counted(APEX_TRANSPORT_PACKETS_IN);
    server.packets = 0;
    for (uint32_t i = 0; i < BATCH; i++) {
        enet_attack_connect(&stranger, 1, 0);
    }
    send_controls(&player, 1);
    round_after(0);
    ck_assert_uint_eq(server.packets, 1);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_PACKETS_IN) - came, 2);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_ROUNDS_CUT), 1);
    enet_attack_close(&stranger);
    enet_attack_close(&player);
}

// @return whether a sealed connection was come to.
static bool opens_sealed(uint32_t from) {
    apex_seal_client asking;
    apex_seal seal = {0};
    enet_attack self;
    open_at(&self, from);
    apex_seal_client_init(&asking, NULL);
    bool is_open = enet_attack_ask_seal(&self, &asking, &seal);
    for (int i = 0; i < 3 && !is_open; i++) {
        round_after(0);
        is_open = enet_attack_ask_seal(&self, &asking, &seal);
    }
    enet_attack_close(&self);
    return is_open;
}

TEST(sealed_handshakes_have_turns_by_household) {
    enum { AT_ONCE = 30 };
    uint32_t opened = 0;
    for (uint32_t i = 0; i < AT_ONCE + 3; i++) {
        opened += opens_sealed(0x7F010001);
    }
    ck_assert_uint_eq(opened, AT_ONCE + 1);
    ck_assert(opens_sealed(0x7F020001));
}
