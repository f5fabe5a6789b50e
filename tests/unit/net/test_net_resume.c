// links: net
// A player whose link broke comes back with its token, and nobody else does.
#include "support/base/check_main.h"
#include "support/net/session_scene.h"

#include <string.h>

#include "net/sessions/session_token.h"

enum { FRAME_BYTES = 1024 * 1024 };

static const uint64_t GRACE_US = 30000000;

static session_scene *scene;
static apex_server_message heard;
static apex_mail mail;
static uint8_t token[APEX_TOKEN_BYTES];

static apex_sessions_def resuming_def(void) {
    apex_sessions_def def = apex_default_sessions_def();
    def.resume_us_max = GRACE_US;
    return def;
}

static void start(void) {
    scene = scene_open(resuming_def(), FRAME_BYTES);
}

static void stop(void) {
    scene_close(scene);
}

// Reads the token of the Welcome that this round's outbox has for a link.
static void keep_token(uint16_t number) {
    ck_assert_uint_eq(scene_heard(scene, number, APEX_SERVER_WELCOME, &heard), 1);
    memcpy(token, heard.welcome.resume_token, sizeof token);
}

// A player with its token. Welcome and Joined are told in rounds of their own.
static apex_session_id enter_player(uint16_t number) {
    apex_session_id id = scene_enter(scene, number, APEX_SESSION_LOBBY);
    keep_token(number);
    apex_client_message join = scene_message(APEX_CLIENT_JOIN);
    memcpy(join.join.password, "secret", 7);
    scene_say(scene, number, &join);
    scene_round(scene, 1000);
    apex_sessions_accept(scene->sessions, id, &(apex_joined){.player = number + 1u});
    return id;
}

static void say_hello(uint16_t number, const char *address, const uint8_t *with) {
    scene_connect(scene, number, address);
    apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
    hello.hello.has_token = true;
    memcpy(hello.hello.resume_token, with, APEX_TOKEN_BYTES);
    scene_say(scene, number, &hello);
    scene_round(scene, 1000);
}

static void answer_resumed(apex_session_id id, uint32_t player) {
    apex_sessions_welcome(scene->sessions, id, &(apex_welcome){.tick_hz = 60, .snapshot_hz = 20});
    apex_sessions_accept(scene->sessions, id, &(apex_joined){.player = player, .resumed = true});
}

static void assert_same(apex_session_id a, apex_session_id b) {
    ck_assert_uint_eq(a.index1, b.index1);
    ck_assert_uint_eq(a.generation, b.generation);
}

FIXTURE(start, stop)

TEST(a_lost_player_is_held_and_comes_back) {
    apex_session_id id = enter_player(0);
    scene_disconnect(scene, 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_LOST, &mail), 1);
    assert_same(mail.session, id);
    ck_assert_uint_eq(scene->mail_count, 1);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_HELD);
    ck_assert_uint_eq(apex_sessions_welcomed(scene->sessions), 1);

    say_hello(1, "10.9.9.9", token);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, &mail), 1);
    assert_same(mail.session, id);
    ck_assert_uint_eq(scene->mail_count, 1);
    ck_assert_str_eq(apex_session_address(scene->sessions, id), "10.9.9.9");
    answer_resumed(id, 1);
    ck_assert_uint_eq(scene_heard(scene, 1, APEX_SERVER_WELCOME, &heard), 1);
    ck_assert_uint_eq(heard.welcome.resume_grace_s, 30);
    ck_assert_uint_eq(scene_heard(scene, 1, APEX_SERVER_JOINED, &heard), 1);
    ck_assert(heard.joined.resumed);
    ck_assert_uint_eq(heard.joined.player, 1);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_PLAYER);
    ck_assert_uint_eq(apex_sessions_welcomed(scene->sessions), 1);

    apex_client_message controls = scene_message(APEX_CLIENT_CONTROLS);
    scene_say(scene, 1, &controls);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, &mail), 1);
    assert_same(mail.session, id);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_LOST), 1);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_RESUMED), 1);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_OPENED), 2);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_CLOSED), 1);
}

TEST(a_link_that_is_still_open_is_told_and_closed) {
    apex_session_id id = enter_player(0);
    scene_round(scene, 1000);
    // The old link's messages of the same round still count; what was queued for it goes to it.
    apex_client_message controls = scene_message(APEX_CLIENT_CONTROLS);
    scene_say(scene, 0, &controls);
    say_hello(1, "10.9.9.9", token);
    ck_assert_uint_eq(scene->mail_count, 2);
    ck_assert_int_eq(scene->mail[0].kind, APEX_MAIL_MESSAGE);
    ck_assert_int_eq(scene->mail[1].kind, APEX_MAIL_RESUMED);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_GOODBYE, &heard), 1);
    ck_assert_int_eq(heard.goodbye.reason, APEX_REASON_RESUMED);
    ck_assert(scene_is_closing(scene, 0));
    answer_resumed(id, 1);
    ck_assert_uint_eq(scene_heard(scene, 0, 0, NULL), 1);
    ck_assert_uint_eq(scene_heard(scene, 1, 0, NULL), 2);

    // The old link has no say any more, and its end ends nothing.
    scene_say(scene, 0, &controls);
    apex_client_message leave = scene_message(APEX_CLIENT_LEAVE);
    scene_say(scene, 0, &leave);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0);
    scene_disconnect(scene, 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_PLAYER);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_LOST), 0);
}

TEST(lost_and_back_in_one_round_is_only_back) {
    apex_session_id id = enter_player(0);
    scene_disconnect(scene, 0);
    say_hello(1, "10.9.9.9", token);
    ck_assert_uint_eq(scene->mail_count, 1);
    ck_assert_int_eq(scene->mail[0].kind, APEX_MAIL_RESUMED);
    assert_same(scene->mail[0].session, id);
}

TEST(a_token_is_good_once) {
    apex_session_id id = enter_player(0);
    uint8_t old[APEX_TOKEN_BYTES];
    memcpy(old, token, sizeof old);
    say_hello(1, "10.9.9.9", old); // from anywhere
    answer_resumed(id, 1);
    keep_token(1);
    ck_assert_mem_ne(old, token, sizeof old);
    apex_client_message subscribe = scene_message(APEX_CLIENT_SUBSCRIBE);
    scene_say(scene, 1, &subscribe);
    scene_round(scene, 1000);

    say_hello(2, "10.0.0.1", old); // the first owner is a stranger now
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, &mail), 1);
    ck_assert_uint_ne(mail.session.index1, id.index1);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, NULL), 0);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_TOKEN), 1);
    ck_assert(!scene_is_closing(scene, 1));
    say_hello(3, "10.9.9.9", token);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, &mail), 1);
    assert_same(mail.session, id);
}

// The new link breaks before its Welcome arrives: the client still has the token before.
TEST(a_welcome_that_was_lost_does_not_lose_the_place) {
    apex_session_id id = enter_player(0);
    for (uint16_t number = 1; number < 5; number++) {
        say_hello(number, "10.9.9.9", token);
        ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, &mail), 1);
        assert_same(mail.session, id);
        answer_resumed(id, 1);
        scene_disconnect(scene, number);
        scene_round(scene, 1000);
        ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_LOST, NULL), 1);
    }
}

TEST(nothing_but_the_whole_token_will_do) {
    apex_session_id id = enter_player(0);
    apex_session_id other = scene_enter(scene, 1, APEX_SESSION_LOBBY);
    ck_assert_uint_ne(id.index1, other.index1);
    scene_disconnect(scene, 0);
    scene_round(scene, 1000);
    uint16_t number = 2;
    for (size_t byte = 0; byte < APEX_TOKEN_BYTES; byte++, number++) {
        uint8_t wrong[APEX_TOKEN_BYTES];
        memcpy(wrong, token, sizeof wrong);
        wrong[byte] ^= 1;
        say_hello(number, "10.9.9.9", wrong);
        ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, NULL), 0);
        ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, NULL), 1);
    }
    static const uint8_t extremes[2][APEX_TOKEN_BYTES] = {
        {0}, {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}};
    for (size_t i = 0; i < 2; i++, number++) {
        say_hello(number, "10.9.9.9", extremes[i]);
        ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, NULL), 0);
    }
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_TOKEN), APEX_TOKEN_BYTES + 2);
    say_hello(number, "10.9.9.9", token);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, &mail), 1);
    assert_same(mail.session, id);
}

// A table of one place has no second, whoever is there.
TEST(a_place_just_past_the_table_is_none) {
    enter_player(0);
    enter_player(1);
    uint32_t places = scene->sessions->def.sessions_max;
    ck_assert_ptr_eq(net_session_owner_of(scene->sessions, token), &scene->sessions->table[1]);
    scene->sessions->def.sessions_max = 1;
    ck_assert_ptr_null(net_session_owner_of(scene->sessions, token));
    scene->sessions->def.sessions_max = 2;
    ck_assert_ptr_nonnull(net_session_owner_of(scene->sessions, token));
    scene->sessions->def.sessions_max = places;
}

// Both bytes of a token's place count: in a table of a thousand, too.
TEST(a_token_names_any_place) {
    static const uint32_t places[] = {0, 255, 256, 300, 1023};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        net_session *session = &scene->sessions->table[places[i]];
        session->has_place = true;
        net_session_make_token(scene->sessions, session);
        ck_assert_ptr_eq(net_session_owner_of(scene->sessions, session->token), session);
        *session = (net_session){.generation = session->generation};
    }
}

TEST(each_token_brings_its_own_player) {
    apex_session_id ids[8];
    uint8_t tokens[8][APEX_TOKEN_BYTES];
    for (uint16_t i = 0; i < 8; i++) {
        ids[i] = enter_player(i);
        memcpy(tokens[i], token, sizeof token);
    }
    for (uint16_t i = 0; i < 8; i += 2) {
        scene_disconnect(scene, i);
    }
    scene_round(scene, 1000);
    for (uint16_t i = 0; i < 8; i++) {
        uint16_t who = (uint16_t)(i * 3 % 8);
        say_hello((uint16_t)(20 + i), "10.9.9.9", tokens[who]);
        ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, &mail), 1);
        assert_same(mail.session, ids[who]);
        answer_resumed(mail.session, who + 1u);
        ck_assert_uint_eq(scene_heard(scene, (uint16_t)(20 + i), APEX_SERVER_JOINED, &heard), 1);
        ck_assert_uint_eq(heard.joined.player, who + 1u);
    }
}

TEST(after_the_grace_the_player_is_gone_and_so_is_the_token) {
    apex_session_id id = enter_player(0);
    scene_disconnect(scene, 0);
    scene_round(scene, 1000);
    scene_round(scene, GRACE_US - 1000);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_HELD);
    scene_round(scene, 2000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, &mail), 1);
    assert_same(mail.session, id);
    ck_assert_int_eq(mail.was, APEX_SESSION_HELD);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_FREE);
    ck_assert_uint_eq(apex_sessions_welcomed(scene->sessions), 0);
    say_hello(1, "10.9.9.9", token);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, NULL), 1);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_TOKEN), 1);
}

TEST_OVER(who_left_or_was_thrown_out_has_no_place, 0, 3) {
    apex_session_id id = enter_player(0);
    if (_i == 0) {
        apex_client_message leave = scene_message(APEX_CLIENT_LEAVE);
        scene_say(scene, 0, &leave);
        scene_round(scene, 1000);
    } else if (_i == 1) {
        scene_disconnect(scene, 0);
        scene->events[scene->event_count - 1].by_client = true;
        scene_round(scene, 1000);
        ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, NULL), 1);
    } else {
        apex_sessions_close(scene->sessions, id, APEX_REASON_KICKED, "out");
        scene_round(scene, 1000);
    }
    say_hello(1, "10.9.9.9", token);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, NULL), 0);
    if (_i != 1) {
        scene_disconnect(scene, 0);
    }
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_LOST, NULL), 0);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_LOST), 0);
}

TEST_OVER(spectators_and_those_in_the_lobby_are_not_held, 0, 2) {
    scene_enter(scene, 0, _i == 0 ? APEX_SESSION_SPECTATOR : APEX_SESSION_LOBBY);
    scene_disconnect(scene, 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 1);
    ck_assert_int_eq(scene->mail[0].kind, APEX_MAIL_CLOSED);
}

TEST(limits_and_the_password_do_not_stop_who_comes_back) {
    scene_close(scene);
    apex_sessions_def def = resuming_def();
    def.clients_max = 2;
    def.clients_per_address_max = 1;
    memcpy(def.password, "secret", 7);
    scene = scene_open(def, FRAME_BYTES);
    apex_session_id id = enter_player(0);
    scene_disconnect(scene, 0);
    scene_connect(scene, 1, "10.9.9.9"); // the last place, and the one of that address
    apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
    scene_say(scene, 1, &hello);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, NULL), 1);
    uint8_t none[APEX_TOKEN_BYTES] = {0};
    say_hello(2, "10.9.9.9", none);
    ck_assert_uint_eq(scene_heard(scene, 2, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_SERVER_FULL);

    say_hello(3, "10.9.9.9", token);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, NULL), 1);
    answer_resumed(id, 1);
    apex_client_message join = scene_message(APEX_CLIENT_JOIN); // without the password
    scene_say(scene, 3, &join);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert_uint_eq(scene_heard(scene, 3, APEX_SERVER_REJECT, NULL), 0);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_PLAYER);
    scene_say(scene, 3, &join); // a second one is one too many
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_heard(scene, 3, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_ALREADY_JOINED);
}

TEST(what_is_said_to_the_lost_reaches_nobody) {
    apex_session_id id = enter_player(0);
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE, .notice = {"well"}};
    scene_disconnect(scene, 0);
    scene_round(scene, 1000);
    apex_sessions_send(scene->sessions, id, &notice);
    apex_sessions_send_bytes(scene->sessions, id, APEX_CHANNEL_STATE, token, sizeof token);
    const apex_link_packet *packets = NULL;
    ck_assert_uint_eq(apex_sessions_outbox(scene->sessions, &packets), 0);
    apex_sessions_close(scene->sessions, id, APEX_REASON_SHUTDOWN, "closing time");
    ck_assert_uint_eq(apex_sessions_outbox(scene->sessions, &packets), 0);
    const apex_link *links = NULL;
    ck_assert_uint_eq(apex_sessions_closing(scene->sessions, &links), 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, NULL), 1);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_OPENED),
                      scene_counter(scene, APEX_SESSION_CLOSED));
}

TEST(a_token_means_nothing_to_another_server) {
    enter_player(0);
    apex_sessions *other = NULL;
    apex_sessions_def def = resuming_def();
    ck_assert_int_eq(apex_sessions_create(&def, (const uint8_t *)"another key here", &other),
                     APEX_OK);
    apex_sessions_destroy(scene->sessions); // as a restart
    scene->sessions = other;
    uint8_t old[APEX_TOKEN_BYTES];
    memcpy(old, token, sizeof old);
    enter_player(1); // the same place, another key
    scene_disconnect(scene, 1);
    scene_round(scene, 1000);
    say_hello(2, "10.9.9.9", old);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, NULL), 0);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_TOKEN), 1);
}

TEST(mail_without_room_comes_later) {
    apex_session_id id = enter_player(0);
    size_t capacity = scene->frame.capacity;
    scene_disconnect(scene, 0);
    scene->frame.capacity = 16;
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_HELD);
    scene->frame.capacity = capacity;
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_LOST, NULL), 1);
    scene->frame.capacity = 16;
    say_hello(1, "10.9.9.9", token); // no room to say so: it may try again
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert(scene_is_closing(scene, 1));
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_HELD);
    scene->frame.capacity = capacity;
    say_hello(2, "10.9.9.9", token);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, NULL), 1);
}
