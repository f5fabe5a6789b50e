// Tests of what a session may say when, and of what becomes of it.
#include "base/log.h"
#include "support/base/check_main.h"
#include "support/net/session_scene.h"

#include <stdio.h>
#include <string.h>

enum { FRAME_BYTES = 1024 * 1024 };

static session_scene *scene;
static apex_server_message heard;
static apex_mail mail;

static void start(void) {
    scene = scene_open(apex_default_sessions_def(), FRAME_BYTES);
}

static void stop(void) {
    scene_close(scene);
}

static void say(uint16_t number, apex_client_message_kind kind) {
    apex_client_message message = scene_message(kind);
    scene_say(scene, number, &message);
}

typedef struct outcome {
    apex_reason reason; // of the Reject, or none
    bool is_mailed;
    apex_session_state next;
} outcome;

#define REFUSED(reason, state) \
    { APEX_REASON_##reason, false, APEX_SESSION_##state }
#define MAILED(state) \
    { APEX_REASON_NONE, true, APEX_SESSION_##state }
#define IGNORED(state) \
    { APEX_REASON_NONE, false, APEX_SESSION_##state }

static const outcome outcomes[][APEX_CLIENT_MESSAGE_KINDS] = {
    [APEX_SESSION_LOBBY] =
        {
            [APEX_CLIENT_HELLO] = REFUSED(OUT_OF_ORDER, LOBBY),
            [APEX_CLIENT_JOIN] = MAILED(JOINING),
            [APEX_CLIENT_SPECTATE] = MAILED(JOINING),
            [APEX_CLIENT_LEAVE] = REFUSED(OUT_OF_ORDER, LOBBY),
            [APEX_CLIENT_DEF_REQUEST] = MAILED(LOBBY),
            [APEX_CLIENT_TIME_REQUEST] = MAILED(LOBBY),
            [APEX_CLIENT_SUBSCRIBE] = MAILED(LOBBY),
            [APEX_CLIENT_CONTROLS] = REFUSED(OUT_OF_ORDER, LOBBY),
            [APEX_CLIENT_SNAPSHOT_ACK] = IGNORED(LOBBY),
            [APEX_CLIENT_PLAYBACK] = REFUSED(OUT_OF_ORDER, LOBBY),
            [APEX_CLIENT_PIT_PLAN] = REFUSED(OUT_OF_ORDER, LOBBY),
        },
    [APEX_SESSION_JOINING] =
        {
            [APEX_CLIENT_HELLO] = REFUSED(OUT_OF_ORDER, JOINING),
            [APEX_CLIENT_JOIN] = REFUSED(ALREADY_JOINED, JOINING),
            [APEX_CLIENT_SPECTATE] = REFUSED(ALREADY_JOINED, JOINING),
            [APEX_CLIENT_LEAVE] = REFUSED(OUT_OF_ORDER, JOINING),
            [APEX_CLIENT_DEF_REQUEST] = MAILED(JOINING),
            [APEX_CLIENT_TIME_REQUEST] = MAILED(JOINING),
            [APEX_CLIENT_SUBSCRIBE] = MAILED(JOINING),
            [APEX_CLIENT_CONTROLS] = REFUSED(OUT_OF_ORDER, JOINING),
            [APEX_CLIENT_SNAPSHOT_ACK] = IGNORED(JOINING),
            [APEX_CLIENT_PLAYBACK] = REFUSED(OUT_OF_ORDER, JOINING),
            [APEX_CLIENT_PIT_PLAN] = REFUSED(OUT_OF_ORDER, JOINING),
        },
    [APEX_SESSION_PLAYER] =
        {
            [APEX_CLIENT_HELLO] = REFUSED(OUT_OF_ORDER, PLAYER),
            [APEX_CLIENT_JOIN] = REFUSED(ALREADY_JOINED, PLAYER),
            [APEX_CLIENT_SPECTATE] = REFUSED(ALREADY_JOINED, PLAYER),
            [APEX_CLIENT_LEAVE] = MAILED(LOBBY),
            [APEX_CLIENT_DEF_REQUEST] = MAILED(PLAYER),
            [APEX_CLIENT_TIME_REQUEST] = MAILED(PLAYER),
            [APEX_CLIENT_SUBSCRIBE] = MAILED(PLAYER),
            [APEX_CLIENT_CONTROLS] = MAILED(PLAYER),
            [APEX_CLIENT_SNAPSHOT_ACK] = MAILED(PLAYER),
            [APEX_CLIENT_PLAYBACK] = REFUSED(OUT_OF_ORDER, PLAYER),
            [APEX_CLIENT_PIT_PLAN] = MAILED(PLAYER),
        },
    [APEX_SESSION_SPECTATOR] =
        {
            [APEX_CLIENT_HELLO] = REFUSED(OUT_OF_ORDER, SPECTATOR),
            [APEX_CLIENT_JOIN] = REFUSED(ALREADY_JOINED, SPECTATOR),
            [APEX_CLIENT_SPECTATE] = REFUSED(ALREADY_JOINED, SPECTATOR),
            [APEX_CLIENT_LEAVE] = MAILED(LOBBY),
            [APEX_CLIENT_DEF_REQUEST] = MAILED(SPECTATOR),
            [APEX_CLIENT_TIME_REQUEST] = MAILED(SPECTATOR),
            [APEX_CLIENT_SUBSCRIBE] = MAILED(SPECTATOR),
            [APEX_CLIENT_CONTROLS] = REFUSED(OUT_OF_ORDER, SPECTATOR),
            [APEX_CLIENT_SNAPSHOT_ACK] = MAILED(SPECTATOR),
            [APEX_CLIENT_PLAYBACK] = MAILED(SPECTATOR),
            [APEX_CLIENT_PIT_PLAN] = REFUSED(OUT_OF_ORDER, SPECTATOR),
        },
    [APEX_SESSION_CLOSING] =
        {
            [APEX_CLIENT_HELLO] = IGNORED(CLOSING),
            [APEX_CLIENT_JOIN] = IGNORED(CLOSING),
            [APEX_CLIENT_SPECTATE] = IGNORED(CLOSING),
            [APEX_CLIENT_LEAVE] = IGNORED(CLOSING),
            [APEX_CLIENT_DEF_REQUEST] = IGNORED(CLOSING),
            [APEX_CLIENT_TIME_REQUEST] = IGNORED(CLOSING),
            [APEX_CLIENT_SUBSCRIBE] = IGNORED(CLOSING),
            [APEX_CLIENT_CONTROLS] = IGNORED(CLOSING),
            [APEX_CLIENT_SNAPSHOT_ACK] = IGNORED(CLOSING),
            [APEX_CLIENT_PLAYBACK] = IGNORED(CLOSING),
            [APEX_CLIENT_PIT_PLAN] = IGNORED(CLOSING),
        },
};

static const apex_client_message_kind kinds[] = {
    APEX_CLIENT_HELLO,        APEX_CLIENT_JOIN,         APEX_CLIENT_SPECTATE,  APEX_CLIENT_LEAVE,
    APEX_CLIENT_DEF_REQUEST,  APEX_CLIENT_TIME_REQUEST, APEX_CLIENT_SUBSCRIBE, APEX_CLIENT_CONTROLS,
    APEX_CLIENT_SNAPSHOT_ACK, APEX_CLIENT_PLAYBACK,     APEX_CLIENT_PIT_PLAN,
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

FIXTURE(start, stop)

TEST(no_kind_is_left_out) {
    int count = 0;
    for (int kind = 0; kind <= APEX_CLIENT_MESSAGE_KINDS; kind++) {
        count += apex_is_client_message_kind(kind);
    }
    ck_assert_int_eq(count, KINDS);
}

TEST_OVER(a_message_in_a_state, 0, KINDS * 5) {
    apex_client_message_kind kind = kinds[_i % KINDS];
    apex_session_state state = APEX_SESSION_LOBBY + (apex_session_state)(_i / KINDS);
    const outcome *wanted = &outcomes[state][kind];
    apex_session_id id = scene_enter(scene, 0, state);
    say(0, kind);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, &mail), wanted->is_mailed);
    if (wanted->is_mailed) {
        ck_assert_uint_eq(mail.session.index1, id.index1);
        ck_assert_uint_eq(mail.session.generation, id.generation);
        ck_assert_int_eq(mail.message->kind, kind);
    }
    uint32_t rejects = scene_heard(scene, 0, APEX_SERVER_REJECT, &heard);
    ck_assert_uint_eq(rejects, wanted->reason != APEX_REASON_NONE);
    if (rejects > 0) {
        ck_assert_int_eq(heard.reject.reason, wanted->reason);
        ck_assert_uint_ge(strlen(heard.reject.text), 10);
        ck_assert(!heard.reject.closing);
        ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_ORDER), 1);
    }
    ck_assert_int_eq(scene_state(scene, id), wanted->next);
    ck_assert(!scene_is_closing(scene, 0));
}

TEST_OVER(nothing_but_hello_comes_first, 1, KINDS) {
    apex_client_message_kind kind = kinds[_i];
    scene_enter(scene, 0, APEX_SESSION_GREETING);
    say(0, kind);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_OUT_OF_ORDER);
    say(0, APEX_CLIENT_HELLO);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, &mail), 1);
    ck_assert_str_eq(mail.message->hello.client, "test");
    ck_assert_int_eq(scene_state(scene, mail.session), APEX_SESSION_LOBBY);
    ck_assert_str_eq(apex_session_address(scene->sessions, mail.session), "10.0.0.1");
}

TEST(another_version_is_told_both) {
    scene_enter(scene, 0, APEX_SESSION_GREETING);
    apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
    hello.hello.protocol_version = 4711;
    scene_say(scene, 0, &hello);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_VERSION);
    ck_assert(heard.reject.closing);
    ck_assert_ptr_nonnull(strstr(heard.reject.text, "4711"));
    char own[16];
    snprintf(own, sizeof own, "version %u", APEX_PROTOCOL_VERSION);
    ck_assert_ptr_nonnull(strstr(heard.reject.text, own));
    ck_assert(scene_is_closing(scene, 0));
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_VERSION), 1);
    scene_disconnect(scene, 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0); // it was never announced
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_CLOSED), 1);
}

TEST(welcome_carries_what_sessions_know) {
    scene_close(scene);
    apex_sessions_def def = apex_default_sessions_def();
    memcpy(def.password, "secret", 7);
    scene = scene_open(def, FRAME_BYTES);
    uint8_t tokens[3][APEX_TOKEN_BYTES];
    for (uint16_t i = 0; i < 2; i++) {
        scene_enter(scene, i, APEX_SESSION_LOBBY);
        ck_assert_uint_eq(scene_heard(scene, i, APEX_SERVER_WELCOME, &heard), 1);
        ck_assert_uint_eq(heard.welcome.protocol_version, APEX_PROTOCOL_VERSION);
        ck_assert(heard.welcome.password_needed);
        ck_assert_uint_eq(heard.welcome.tick_hz, 60);
        memcpy(tokens[i], heard.welcome.resume_token, APEX_TOKEN_BYTES);
    }
    ck_assert_mem_ne(tokens[0], tokens[1], APEX_TOKEN_BYTES);
    // Another server, another key: the same first session has another token.
    apex_sessions *other = NULL;
    ck_assert_int_eq(apex_sessions_create(&def, (const uint8_t *)"another key here", &other),
                     APEX_OK);
    apex_sessions *kept = scene->sessions;
    scene->sessions = other;
    scene_enter(scene, 3, APEX_SESSION_LOBBY);
    scene_heard(scene, 3, APEX_SERVER_WELCOME, &heard);
    ck_assert_mem_ne(tokens[0], heard.welcome.resume_token, APEX_TOKEN_BYTES);
    scene->sessions = kept;
    apex_sessions_destroy(other);
}

TEST(names_are_trimmed_or_refused) {
    static const struct {
        const char *name, *kept;
    } cases[] = {
        {"  Ada  ", "Ada"},
        {"Ada L", "Ada L"},
        {"", NULL},
        {"    ", NULL},
        {"A\xE2\x80\x8B.", NULL},
        {"\xE2\x80\x8FHal", NULL},
        {"\xEF\xBB\xBFHal", NULL},
        {"A\xE2\x81\xA0.", NULL},
        {"A\xC2\xAD.", NULL},          // a soft hyphen
        {"\xC2\xA0", NULL},            // a blank, but not one that is trimmed
        {"\xE3\x85\xA4", NULL},        // Hangul's filler
        {"\xE2\xA0\x80", NULL},        // Braille's blank
        {"Hal\xF3\xA0\x80\xA0", NULL}, // a tag
        {"\xE6\x97\xA5\xE6\x9C\xAC", "\xE6\x97\xA5\xE6\x9C\xAC"},
        {"\xF0\x9F\x8F\x81", "\xF0\x9F\x8F\x81"},
        {"\xC3\x84rger", "\xC3\x84rger"},
        {"\xE2\x80\x94", "\xE2\x80\x94"},
    };
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_LOBBY);
    uint64_t refused = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        apex_client_message join = scene_message(APEX_CLIENT_JOIN);
        snprintf(join.join.name, sizeof join.join.name, "%s", cases[i].name);
        scene_say(scene, 0, &join);
        scene_round(scene, 1000000);
        if (cases[i].kept != NULL) {
            ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, &mail), 1);
            ck_assert_str_eq(mail.message->join.name, cases[i].kept);
            apex_sessions_reject(scene->sessions, id, APEX_REASON_RACE_FULL, "");
        } else {
            refused++;
            ck_assert_uint_eq(scene->mail_count, 0);
            ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
            ck_assert_int_eq(heard.reject.reason, APEX_REASON_BAD_NAME);
        }
        ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_LOBBY);
    }
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_NAME), refused);
}

TEST(only_the_password_opens) {
    scene_close(scene);
    apex_sessions_def def = apex_default_sessions_def();
    memcpy(def.password, "secret", 7);
    scene = scene_open(def, FRAME_BYTES);
    static const char *const wrong[] = {"", "secre", "secrets", "Secret", " secret"};
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_LOBBY);
    for (size_t i = 0; i < 2 * (sizeof wrong / sizeof wrong[0]); i++) {
        apex_client_message message =
            scene_message(i % 2 == 0 ? APEX_CLIENT_JOIN : APEX_CLIENT_SPECTATE);
        char *password = i % 2 == 0 ? message.join.password : message.spectate.password;
        snprintf(password, APEX_WIRE_NAME_BYTES, "%s", wrong[i / 2]);
        scene_say(scene, 0, &message);
        scene_round(scene, 1000000);
        ck_assert_uint_eq(scene->mail_count, 0);
        ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
        ck_assert_int_eq(heard.reject.reason, APEX_REASON_PASSWORD);
        ck_assert(!heard.reject.closing);
        ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_LOBBY);
    }
    apex_client_message join = scene_message(APEX_CLIENT_JOIN);
    memcpy(join.join.password, "secret", 7);
    scene_say(scene, 0, &join);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_PASSWORD), 10);
}

static uint32_t guess_from(uint16_t number, const char *address, const char *password) {
    scene_connect(scene, number, address);
    say(number, APEX_CLIENT_HELLO);
    scene_round(scene, 1000);
    apex_client_message join = scene_message(APEX_CLIENT_JOIN);
    snprintf(join.join.password, sizeof join.join.password, "%s", password);
    scene_say(scene, number, &join);
    scene_round(scene, 1000);
    scene_heard(scene, number, APEX_SERVER_REJECT, &heard);
    bool is_in = scene_mails(scene, APEX_MAIL_MESSAGE, NULL) == 1;
    scene_disconnect(scene, number);
    scene_round(scene, 1000);
    return is_in ? APEX_REASON_NONE : (uint32_t)heard.reject.reason;
}

// Who has guessed wrong opens another link: the limit is of the house, not of the session.
TEST(who_guesses_at_the_password_has_to_wait) {
    scene_close(scene);
    apex_sessions_def def = apex_default_sessions_def();
    memcpy(def.password, "secret", 7);
    scene = scene_open(def, FRAME_BYTES);
    char text[32];
    for (uint16_t i = 0; i < 10; i++) {
        snprintf(text, sizeof text, "guess %u", i);
        ck_assert_uint_eq(guess_from(i, "2001:db8:0:1::a", text), APEX_REASON_PASSWORD);
    }
    // The right one is not looked at, or else guessing would not be slow; nor from next door.
    ck_assert_uint_eq(guess_from(10, "2001:db8:0:1::a", "secret"), APEX_REASON_RATE);
    ck_assert_str_eq(heard.reject.text,
                     "too many wrong passwords came from your address; try again in 6 s");
    ck_assert_uint_eq(guess_from(11, "2001:db8:0:1:ffff::b", "secret"), APEX_REASON_RATE);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_PASSWORD), 10);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_GUESS), 2);
    // Other houses do not wait, and of IPv4 each address is one.
    ck_assert_uint_eq(guess_from(12, "2001:db8:0:2::a", "secret"), APEX_REASON_NONE);
    ck_assert_uint_eq(guess_from(13, "::ffff:10.0.0.1", "secret"), APEX_REASON_NONE);
    scene_round(scene, 6000000);
    ck_assert_uint_eq(guess_from(14, "2001:db8:0:1::a", "guess"), APEX_REASON_PASSWORD);
    ck_assert_uint_eq(guess_from(15, "2001:db8:0:1::a", "guess"), APEX_REASON_RATE);
    scene_round(scene, 6000000);
    ck_assert_uint_eq(guess_from(16, "2001:db8:0:1::a", "secret"), APEX_REASON_NONE);
}

TEST(asking_without_a_password_is_no_guess) {
    scene_close(scene);
    apex_sessions_def def = apex_default_sessions_def();
    memcpy(def.password, "secret", 7);
    scene = scene_open(def, FRAME_BYTES);
    for (uint16_t i = 0; i < 30; i++) {
        ck_assert_uint_eq(guess_from(i, "10.0.0.9", ""), APEX_REASON_PASSWORD);
    }
    ck_assert_uint_eq(guess_from(30, "10.0.0.9", "secret"), APEX_REASON_NONE);
}

static uint32_t lines_of(FILE *log) {
    uint32_t lines = 0;
    rewind(log);
    for (int c = getc(log); c != EOF; c = getc(log)) {
        lines += c == '\n';
    }
    return lines;
}

TEST(the_log_has_a_line_a_minute_of_guesses) {
    scene_close(scene);
    apex_sessions_def def = apex_default_sessions_def();
    memcpy(def.password, "secret", 7);
    scene = scene_open(def, FRAME_BYTES);
    FILE *log = tmpfile();
    ck_assert_ptr_nonnull(log);
    apex_log_set_file(log);
    for (uint16_t i = 0; i < 40; i++) { // half of them after a minute
        scene_round(scene, i == 20 ? 60000000 : 1000);
        guess_from(i, "10.0.0.9", "guess");
    }
    apex_log_set_file(NULL);
    ck_assert_uint_eq(lines_of(log), 2);
    rewind(log);
    char line[512] = "";
    ck_assert_ptr_nonnull(fgets(line, sizeof line, log));
    ck_assert_ptr_nonnull(strstr(line, "1 wrong passwords so far, and 0 "));
    ck_assert_ptr_nonnull(strstr(line, "from 10.0.0.9"));
    fclose(log);
}

TEST(who_comes_and_goes_all_the_time_has_to_wait) {
    scene_close(scene);
    apex_sessions_def def = apex_default_sessions_def();
    def.clients_per_address_max = 4;
    def.joins_per_address_per_s = 2;
    def.clients_max = 10;
    def.joins_per_s = 5;
    scene = scene_open(def, FRAME_BYTES);
    uint32_t came = 0;
    for (uint16_t i = 0; i < 30; i++) { // 3 ms each
        came += guess_from(i, "10.0.0.1", "") == APEX_REASON_NONE;
    }
    ck_assert_uint_eq(came, 4);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_RATE);
    ck_assert_str_eq(heard.reject.text, "too many joined from your address; try again in a moment");
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_JOIN_RATE), 26);
    for (uint16_t i = 0; i < 30; i++) { // from as many houses: of all ten may come at once
        char address[32];
        snprintf(address, sizeof address, "10.0.1.%u", i);
        came += guess_from(i, address, "") == APEX_REASON_NONE;
    }
    ck_assert_uint_eq(came, 10);
    ck_assert_str_eq(heard.reject.text, "too many joined just now; try again in a moment");
    scene_round(scene, 1000000);
    came = 0;
    for (uint16_t i = 0; i < 30; i++) {
        came += guess_from(i, "10.0.0.1", "") == APEX_REASON_NONE;
    }
    ck_assert_uint_eq(came, 2);
}

TEST(watching_may_be_open_while_driving_is_not) {
    scene_close(scene);
    apex_sessions_def def = apex_default_sessions_def();
    memcpy(def.password, "secret", 7);
    def.watching_open = true;
    scene = scene_open(def, FRAME_BYTES);
    apex_session_id watcher = scene_enter(scene, 0, APEX_SESSION_LOBBY);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_WELCOME, &heard), 1);
    ck_assert(heard.welcome.password_needed && heard.welcome.watching_open);
    say(0, APEX_CLIENT_JOIN);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_PASSWORD);
    apex_client_message spectate = scene_message(APEX_CLIENT_SPECTATE);
    memcpy(spectate.spectate.password, "nonsense", 9); // that nobody looks at
    scene_say(scene, 0, &spectate);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
    apex_sessions_accept(scene->sessions, watcher, &(apex_joined){0});
    ck_assert_int_eq(scene_state(scene, watcher), APEX_SESSION_SPECTATOR);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_PASSWORD), 1);
}

TEST(nothing_is_open_that_needs_no_password) {
    scene_close(scene);
    apex_sessions_def def = apex_default_sessions_def();
    def.watching_open = true;
    scene = scene_open(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_LOBBY);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_WELCOME, &heard), 1);
    ck_assert(!heard.welcome.password_needed && !heard.welcome.watching_open);
}

TEST(a_second_join_disturbs_neither_the_first_nor_others) {
    apex_session_id other = scene_enter(scene, 1, APEX_SESSION_PLAYER);
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_LOBBY);
    say(0, APEX_CLIENT_JOIN);
    say(0, APEX_CLIENT_JOIN);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_ALREADY_JOINED);
    apex_sessions_accept(scene->sessions, id, &(apex_joined){.player = 9, .car = 3});
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_JOINED, &heard), 1);
    ck_assert_uint_eq(heard.joined.player, 9);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_PLAYER);
    ck_assert_int_eq(scene_state(scene, other), APEX_SESSION_PLAYER);
    ck_assert_uint_eq(scene_heard(scene, 1, 0, NULL), 0);
}

TEST(a_rejected_join_may_be_repeated) {
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_JOINING);
    // Not an answer to the Join, though it comes while the Join waits.
    apex_sessions_reject(scene->sessions, id, APEX_REASON_UNKNOWN_DEF, NULL);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_JOINING);
    apex_sessions_reject(scene->sessions, id, APEX_REASON_UNKNOWN_CAR, "there is no car 'x'");
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_LOBBY);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 2);
    ck_assert_str_eq(heard.reject.text, "there is no car 'x'");
    say(0, APEX_CLIENT_JOIN);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
}

// A text may quote a name, and half of a character is not UTF-8.
TEST(a_long_text_is_cut_between_characters) {
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_JOINING);
    char text[3 * APEX_WIRE_TEXT_BYTES];
    for (size_t lead = 0; lead < 4; lead++) {
        size_t length = 0;
        for (; length < lead; length++) {
            text[length] = 'x';
        }
        for (; length + 3 < sizeof text; length += 3) {
            memcpy(text + length, "\xE2\x82\xAC", 3);
        }
        text[length] = '\0';
        apex_sessions_reject(scene->sessions, id, APEX_REASON_RACE_FULL, text);
        scene_heard(scene, 0, APEX_SERVER_REJECT, &heard);
        ck_assert_uint_eq(strlen(heard.reject.text), lead + (159 - lead) / 3 * 3);
    }
}

TEST(controls_on_their_way_after_leaving_are_not_answered) {
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    say(0, APEX_CLIENT_LEAVE);
    say(0, APEX_CLIENT_CONTROLS);
    scene_round(scene, 1000);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_LOBBY);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, &mail), 1);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, NULL), 0);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_ORDER), 1);
    say(0, APEX_CLIENT_CONTROLS);
    scene_round(scene, 3000000);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, NULL), 1);
}

TEST(bytes_that_are_no_message_are_refused_with_the_reason) {
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_say_bytes(scene, 0, 0, "\xFF\xFF\xFF", 3);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_BAD_MESSAGE);
    scene_say_bytes(scene, 0, 0, "", 0);
    uint8_t long_bytes[APEX_DATAGRAM_BYTES_MAX + 1] = {0};
    scene_say_bytes(scene, 0, 0, long_bytes, sizeof long_bytes);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 2);
    ck_assert_ptr_nonnull(strstr(heard.reject.text, "1200"));
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_MALFORMED), 3);
    ck_assert_uint_eq(scene->mail_count, 0);
}

TEST(a_message_on_the_wrong_channel_is_refused) {
    scene->trust = APEX_LINK_SEALED;
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    for (uint8_t channel = 0; channel < 3; channel++) {
        for (size_t i = 0; i < KINDS; i++) {
            apex_client_message message = scene_message(kinds[i]);
            uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
            size_t length = apex_encode_client(&message, bytes, sizeof bytes);
            uint64_t before = scene_counter(scene, APEX_SESSION_REFUSED_CHANNEL);
            if (channel != apex_client_message_channel(message.kind)) {
                scene_say_bytes(scene, 0, channel, bytes, length);
                scene_round(scene, 11000000);
                ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_CHANNEL), before + 1);
                ck_assert_uint_eq(scene->mail_count, 0);
                ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, NULL), 1);
            }
        }
    }
}

TEST(a_link_that_is_one_stream_has_no_channels) {
    scene->trust = APEX_LINK_STREAM;
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    const apex_client_message_kind both[] = {APEX_CLIENT_SUBSCRIBE, APEX_CLIENT_CONTROLS};
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
        apex_client_message message = scene_message(both[i]);
        uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
        size_t length = apex_encode_client(&message, bytes, sizeof bytes);
        scene_say_bytes(scene, 0, APEX_CHANNEL_EITHER, bytes, length);
        scene_round(scene, 1000);
        ck_assert_uint_eq(scene->mail_count, 1);
        ck_assert_int_eq(scene->mail[0].message->kind, both[i]);
    }
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_CHANNEL), 0);
}

TEST(session_counters_have_names_of_their_own) {
    for (int i = 0; i < APEX_SESSION_COUNTERS; i++) {
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(apex_session_counter_row((apex_session_counter)i).name,
                             apex_session_counter_row((apex_session_counter)k).name);
        }
        // Both kinds stand side by side in a server's statistics.
        for (int k = 0; k < APEX_TRANSPORT_COUNTERS; k++) {
            ck_assert_str_ne(apex_session_counter_row((apex_session_counter)i).name,
                             apex_transport_counter_row((apex_transport_counter)k).name);
        }
    }
}
