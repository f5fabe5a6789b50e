// Somebody sends datagrams in a client's name over real sockets. A sealed client does not notice,
// and neither does a plain one: none of its controls is lost, none of his is used, nobody leaves.
#include "support/base/check_main.h"
#include "support/net/middleman.h"
#include "support/net/net_server.h"

#include <enet/enet.h>
#include <string.h>

#include "client-lite/client.h"
#include "client-lite/transport.h"

enum {
    FRAME_BYTES = 8 << 20,
    ROUNDS_MAX = 3000,
    ROUND_US = 4000,
    TICK_US = 16667,
    FORGED_STEER = -12345,
    PEER_IDS = 4095,
    ENET_SESSIONS = 4,
};

static net_server server;
static middleman man;
static apex_sessions *sessions;
static apex_client *client;
static uint32_t controls_heard, forged_heard, gaps, leaves_heard, closed_heard, lost_heard;
static uint32_t newest_tick; // of the controls that have come
static apex_session_id player;

static void start(void) {
    net_server_open(&server, apex_default_transport_def(), FRAME_BYTES);
    server.is_virtual = true; // so that a busy machine loses no time that controls are for
    server.skipped_us = 1000000;
    middleman_open(&man, apex_transport_port(server.transport));
    apex_sessions_def def = apex_default_sessions_def();
    def.resume_us_max = 60000000;
    static const uint8_t KEY[16] = {1, 2, 3};
    ck_assert_int_eq(apex_sessions_create(&def, KEY, &sessions), APEX_OK);
    controls_heard = forged_heard = gaps = leaves_heard = closed_heard = lost_heard = 0;
    newest_tick = 0;
}

static void stop(void) {
    apex_client_destroy(client);
    client = NULL;
    apex_sessions_destroy(sessions);
    middleman_close(&man);
    net_server_close(&server);
}

static uint32_t tick_now(void) {
    return (uint32_t)(net_server_now(&server) / TICK_US);
}

static void take_controls(const apex_controls_message *controls) {
    controls_heard++;
    gaps += newest_tick != 0 && controls->first_tick > newest_tick + 1;
    uint32_t last = controls->first_tick + controls->sample_count - 1;
    newest_tick = last > newest_tick ? last : newest_tick;
    for (uint32_t i = 0; i < controls->sample_count; i++) {
        forged_heard += controls->samples[i].steer == FORGED_STEER;
    }
}

static void take_message(const apex_mail *mail) {
    apex_server_message reply = {.kind = APEX_SERVER_TIME_REPLY};
    switch (mail->message->kind) {
    case APEX_CLIENT_JOIN:
        player = mail->session;
        apex_sessions_accept(sessions, mail->session,
                             &(apex_joined){.player = 1, .car = 2, .car_def = "boxster-s"});
        break;
    case APEX_CLIENT_TIME_REQUEST:
        reply.time_reply.client_us = mail->message->client_us;
        reply.time_reply.tick = tick_now();
        apex_sessions_send(sessions, mail->session, &reply);
        break;
    case APEX_CLIENT_CONTROLS:
        take_controls(&mail->message->controls);
        break;
    case APEX_CLIENT_LEAVE:
        leaves_heard++;
        apex_sessions_close(sessions, mail->session, APEX_REASON_NONE, "goodbye");
        break;
    default:
        break;
    }
}

static void take_mail(const apex_mail *mail) {
    apex_welcome welcome = {.tick_hz = 60, .snapshot_hz = 20, .speed_permille = 1000};
    welcome.tick = tick_now();
    welcome.resume_grace_s = 60;
    switch (mail->kind) {
    case APEX_MAIL_RESUMED:
    case APEX_MAIL_WELCOMED:
        apex_sessions_welcome(sessions, mail->session, &welcome);
        break;
    case APEX_MAIL_MESSAGE:
        take_message(mail);
        break;
    case APEX_MAIL_LOST:
        lost_heard++;
        break;
    case APEX_MAIL_CLOSED:
        closed_heard++;
        break;
    }
}

static void server_round(void) {
    net_server_round(&server);
    apex_mail *mail;
    apex_sessions_begin(sessions, net_server_now(&server), &server.frame);
    size_t count = apex_sessions_take(sessions, server.events, server.event_count, &mail);
    for (size_t i = 0; i < count; i++) {
        take_mail(&mail[i]);
    }
    const apex_link_packet *packets;
    size_t packet_count = apex_sessions_outbox(sessions, &packets);
    apex_transport_send(server.transport, packets, packet_count);
    const apex_link *closing;
    size_t closing_count = apex_sessions_closing(sessions, &closing);
    for (size_t i = 0; i < closing_count; i++) {
        apex_transport_close_link(server.transport, closing[i]);
    }
    apex_transport_flush(server.transport);
}

static void turn(void) {
    server.skipped_us += ROUND_US;
    apex_client_update(client, net_server_now(&server));
    middleman_pump(&man);
    server_round();
    middleman_pump(&man);
}

static void turns(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        turn();
    }
}

static void begin_driving(bool is_plain) {
    apex_client_def def = apex_default_client_def();
    def.plain = is_plain;
    ck_assert_int_eq(apex_client_create(&def, &client), APEX_OK);
    ck_assert_int_eq(apex_client_connect(client, "127.0.0.1", man.port), APEX_OK);
    for (int i = 0; i < ROUNDS_MAX && apex_client_state_of(client) != APEX_CLIENT_DRIVING; i++) {
        turn();
    }
    ck_assert_int_eq(apex_client_state_of(client), APEX_CLIENT_DRIVING);
    turns(100); // what was said at first is answered
    ck_assert_uint_gt(controls_heard, 3);
}

static uint64_t counted(apex_transport_counter counter) {
    return net_server_counter(&server, counter);
}

static uint64_t refused(apex_session_counter counter) {
    return apex_sessions_counters(sessions)[counter];
}

// He goes on driving as if nothing had been.
static void check_undisturbed(void) {
    uint32_t before = controls_heard;
    turns(250); // a second
    ck_assert_uint_ge(controls_heard, before + 25);
    ck_assert_uint_eq(gaps, 0);
    ck_assert_uint_eq(forged_heard, 0);
    ck_assert_uint_eq(server.closed, 0);
    ck_assert_uint_eq(lost_heard + closed_heard + leaves_heard, 0);
    ck_assert_uint_eq(refused(APEX_SESSION_REFUSED_RATE), 0);
    ck_assert_int_eq(apex_client_state_of(client), APEX_CLIENT_DRIVING);
    ck_assert_uint_eq(apex_client_stats_of(client).links_lost, 0);
}

static void put_u16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

// A datagram with one command and what it carries. @return its length.
static size_t put_command(uint8_t *out, uint32_t word, const uint8_t *command, size_t length) {
    put_u16(out, 0x8000 | word);
    put_u16(out + 2, 0);
    memcpy(out + 4, command, length);
    return 4 + length;
}

static size_t forged_controls(uint8_t *out, uint32_t word, uint32_t group) {
    apex_client_message message = {.kind = APEX_CLIENT_CONTROLS, .secret = 0x1234567890ABCDEFu};
    message.controls.first_tick = newest_tick + 1;
    message.controls.sample_count = 1;
    message.controls.samples[0].steer = FORGED_STEER;
    uint8_t command[8 + APEX_DATAGRAM_BYTES_MAX] = {0x49, 1};
    size_t length = apex_encode_client(&message, command + 8, APEX_DATAGRAM_BYTES_MAX);
    put_u16(command + 4, group);
    put_u16(command + 6, (uint32_t)length);
    return put_command(out, word, command, 8 + length);
}

FIXTURE(start, stop)

// D1: every peer's id and every number of its session, with leaps of the group number that would
// make the owner's packets old for minutes; alone, and behind a ping.
TEST_OVER(forged_controls_silence_nobody, 0, 2) {
    bool is_plain = _i == 0;
    begin_driving(is_plain);
    uint8_t bytes[1500];
    for (uint32_t word = 0; word < ENET_SESSIONS << 12; word++) {
        size_t length = forged_controls(bytes, word, 32767 * (word % 3));
        middleman_send(&man, true, bytes, length);
        if ((word & 0xFFF) < 64) {
            static const uint8_t ping[4] = {5, 0xFF, 0, 0};
            memcpy(bytes + length, ping, sizeof ping);
            middleman_send(&man, true, bytes, length + sizeof ping);
        }
        if (word % 100 == 0) {
            turn();
        }
    }
    check_undisturbed();
    uint64_t dropped = refused(APEX_SESSION_REFUSED_SECRET);
    ck_assert(is_plain ? dropped >= 2 : dropped == 0);
    ck_assert_uint_ge(counted(APEX_TRANSPORT_REFUSED_STRANGER), 16000);
}

// More of them than a client may say itself, and they take nothing of that.
TEST(a_flood_of_forged_controls_takes_nothing_of_a_clients_rate) {
    begin_driving(true);
    uint8_t bytes[1500];
    for (uint32_t i = 0; i < 250; i++) {
        for (uint32_t session = 0; session < ENET_SESSIONS; session++) {
            size_t length = forged_controls(bytes, session << 12, i * 1000);
            for (int k = 0; k < 20; k++) {
                middleman_send(&man, true, bytes, length);
            }
        }
        turn();
    }
    ck_assert_uint_ge(refused(APEX_SESSION_REFUSED_SECRET), 4000);
    check_undisturbed();
}

static void forge_disconnects(void) {
    uint8_t bytes[64];
    const uint8_t wish[8] = {0x84, 0xFF, 0, 1}; // asks to be acknowledged
    const uint8_t word[8] = {0x44, 0xFF, 0, 0}; // does not
    for (uint32_t id = 0; id < 8; id++) {
        for (uint32_t session = 0; session < ENET_SESSIONS; session++) {
            size_t length = put_command(bytes, session << 12 | id, wish, sizeof wish);
            middleman_send(&man, true, bytes, length);
            length = put_command(bytes, session << 12 | id, word, sizeof word);
            middleman_send(&man, true, bytes, length);
        }
    }
}

// D2: for five seconds, again and again.
TEST_OVER(a_forged_disconnect_ends_nothing, 0, 2) {
    begin_driving(_i == 0);
    for (uint32_t i = 0; i < 1250; i++) {
        forge_disconnects();
        turn();
    }
    check_undisturbed();
}

static client_transport *lone; // a link without a session above it
static bool is_lone_closed;

static void open_lone(bool is_plain) {
    client_transport_def def = {.is_plain = is_plain};
    is_lone_closed = false;
    ck_assert_int_eq(client_transport_create(&def, &lone), APEX_OK);
    ck_assert_int_eq(client_transport_connect(lone, "127.0.0.1", man.port), APEX_OK);
}

static void lone_turns(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        client_link_event event;
        server.skipped_us += ROUND_US;
        client_transport_service(lone);
        while (client_transport_poll(lone, &event)) {
            is_lone_closed = is_lone_closed || event.kind == CLIENT_LINK_CLOSED;
        }
        client_transport_flush(lone);
        middleman_pump(&man);
        net_server_round(&server);
        middleman_pump(&man);
    }
}

// A client that says nothing of its own accord is asked, and its ENet answers.
TEST(a_quiet_client_is_asked_whether_it_has_gone) {
    open_lone(true);
    for (uint32_t half = 0; half < 3; half++) {
        lone_turns(300);
        for (uint32_t session = 0; session < ENET_SESSIONS; session++) {
            const uint8_t word[8] = {0x44, 0xFF};
            uint8_t bytes[16];
            middleman_send(&man, true, bytes, put_command(bytes, session << 12, word, sizeof word));
        }
        lone_turns(400);
    }
    ck_assert_uint_eq(server.opened, 1);
    ck_assert_uint_eq(server.closed, 0);
    ck_assert(!is_lone_closed);
    client_transport_destroy(lone);
}

// Over a sealed link it can only be the client.
TEST_OVER(a_sealed_goodbye_is_believed, 0, 2) {
    open_lone(false);
    lone_turns(200);
    ck_assert_uint_eq(server.opened, 1);
    if (_i == 0) {
        client_transport_close_now(lone);
    } else {
        client_transport_close(lone);
    }
    lone_turns(100); // less than the second for which others are waited for
    ck_assert_uint_eq(server.closed, 1);
    ck_assert_uint_eq(server.closed_by_client, 1);
    client_transport_destroy(lone);
}

// The owner's own, who has really gone: his place is kept all the same, since who knows.
TEST(a_plain_disconnect_is_no_leave) {
    begin_driving(true);
    forge_disconnects();
    // He is not heard any more.
    for (uint32_t i = 0; i < 300 && server.closed == 0; i++) {
        server.skipped_us += ROUND_US;
        server_round();
    }
    ck_assert_uint_eq(server.closed, 1);
    ck_assert_uint_eq(server.closed_by_client, 0);
    ck_assert_uint_eq(lost_heard, 1);
    ck_assert_uint_eq(closed_heard, 0);
}

// Of him who sweeps the numbers of reliable commands, too: what comes of it is neither a leave nor
// a strike.
static void forge_reliable(const uint8_t *message, size_t length) {
    uint8_t command[64] = {0x86, 0};
    put_u16(command + 4, (uint32_t)length);
    memcpy(command + 6, message, length);
    for (uint32_t number = 1; number <= 100; number++) {
        uint8_t bytes[128];
        put_u16(command + 2, number);
        for (uint32_t session = 0; session < ENET_SESSIONS; session++) {
            size_t whole = put_command(bytes, session << 12, command, 6 + length);
            middleman_send(&man, true, bytes, whole);
        }
        if (number % 10 == 0) {
            turn();
        }
    }
}

TEST(a_forged_leave_is_no_leave) {
    begin_driving(true);
    static const uint8_t leave[2] = {0x22, 0};
    uint64_t before = refused(APEX_SESSION_REFUSED_SECRET);
    forge_reliable(leave, sizeof leave);
    ck_assert_uint_ge(refused(APEX_SESSION_REFUSED_SECRET), before + 50);
    check_undisturbed();
}

TEST(nobody_gets_strikes_for_what_was_forged) {
    begin_driving(true);
    static const uint8_t garbage[2] = {0xFF, 0xFF};
    uint64_t before = refused(APEX_SESSION_REFUSED_MALFORMED);
    forge_reliable(garbage, sizeof garbage);
    ck_assert_uint_ge(refused(APEX_SESSION_REFUSED_MALFORMED), before + 50);
    ck_assert_uint_eq(refused(APEX_SESSION_CLOSED_STRIKES), 0);
    check_undisturbed();
}

TEST(a_forged_fragment_ends_nothing) {
    begin_driving(true);
    const uint8_t fragment[25] = {0x88, 0, 0, 99, 0, 99, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2};
    uint8_t bytes[64];
    for (uint32_t session = 0; session < ENET_SESSIONS; session++) {
        middleman_send(&man, true, bytes,
                       put_command(bytes, session << 12, fragment, sizeof fragment));
    }
    turn();
    ck_assert_uint_eq(counted(APEX_TRANSPORT_REFUSED_FRAGMENT), 1);
    check_undisturbed();
}

TEST(a_plain_client_leaves_when_it_says_so) {
    begin_driving(true);
    apex_client_leave(client);
    for (int i = 0; i < ROUNDS_MAX && closed_heard == 0; i++) {
        turn();
    }
    ck_assert_uint_eq(leaves_heard, 1);
    ck_assert_uint_eq(lost_heard, 0);
    ck_assert_uint_eq(refused(APEX_SESSION_REFUSED_SECRET), 0);
}
