// Tests of who may drive: keys that are proved, lists of drivers, passwords and their order.
#include "test_net_identity_scene.h"
#include "support/base/check_main.h"
#include "support/net/session_scene.h"

FIXTURE(begin, end)

TEST(a_welcome_says_what_to_sign) {
    def.entry.key_needed = true;
    open_scene();
    apex_welcome first = come(0, APEX_LINK_PLAIN), second = come(1, APEX_LINK_PLAIN);
    ck_assert(first.has_challenge && first.key_needed && !first.token_needed);
    ck_assert_mem_eq(first.server_key, def.entry.server_key, sizeof first.server_key);
    ck_assert_mem_ne(first.challenge, second.challenge, sizeof first.challenge);
    ck_assert_mem_ne(first.challenge, first.resume_token, sizeof first.resume_token);
}

TEST(a_server_without_a_key_has_guests_only) {
    def.entry = (apex_entry_def){0};
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    ck_assert(!welcome.has_challenge && !welcome.key_needed && !welcome.token_needed);
    apex_identity identity = sign(&ada, &welcome);
    ck_assert(!expect_in(0, &identity)->has_driver);
}

TEST(a_proved_key_is_the_driver_and_none_is_a_guest) {
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    const apex_session_who *who = expect_in(0, &identity);
    uint8_t fingerprint[APEX_FINGERPRINT_BYTES];
    apex_fingerprint(ada.key, fingerprint);
    ck_assert(who->has_driver && !who->has_token);
    ck_assert_mem_eq(who->driver, fingerprint, sizeof fingerprint);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_KEYS_PROVED), 1);
    come(1, APEX_LINK_PLAIN);
    ck_assert(!expect_in(1, &(apex_identity){0})->has_driver);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_KEYS_PROVED), 1);
}

TEST(a_proof_for_something_else_proves_nothing) {
    open_scene();
    apex_welcome first = come(0, APEX_LINK_PLAIN), welcome = come(1, APEX_LINK_PLAIN);
    const apex_proof_for stolen[] = {
        {elsewhere, welcome.challenge, NULL},                 // by a server that passes it on
        {welcome.server_key, first.challenge, NULL},          // seen on another link
        {welcome.server_key, welcome.challenge, bindings[1]}, // of a connection with a seal
    };
    for (size_t i = 0; i < sizeof stolen / sizeof stolen[0]; i++) {
        apex_identity identity = identity_of(&ada, &stolen[i]);
        expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    }
    apex_identity identity = sign(&ada, &welcome);
    memcpy(identity.key, bob.key, sizeof identity.key);
    expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    for (size_t i = 0; i < APEX_SIGNATURE_BYTES; i += 21) {
        identity = sign(&ada, &welcome);
        identity.signature[i] ^= 1;
        expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    }
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_KEYS_PROVED), 0);
    identity = sign(&ada, &welcome);
    ck_assert(expect_in(1, &identity)->has_driver);
}

TEST(a_proof_over_a_seal_is_tied_to_it) {
    open_scene();
    apex_welcome welcome = come(1, APEX_LINK_SEALED);
    const apex_proof_for without = {welcome.server_key, welcome.challenge, NULL};
    const apex_proof_for other = {welcome.server_key, welcome.challenge, bindings[0]};
    const apex_proof_for right = {welcome.server_key, welcome.challenge, bindings[1]};
    apex_identity identity = identity_of(&ada, &without);
    expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    identity = identity_of(&ada, &other);
    expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    identity = identity_of(&ada, &right);
    ck_assert(expect_in(1, &identity)->has_driver);
}

TEST(a_binding_goes_with_its_link_when_a_player_comes_back) {
    def.resume_us_max = 10000000;
    open_scene();
    apex_welcome old = come(0, APEX_LINK_SEALED);
    const apex_proof_for what = {old.server_key, old.challenge, bindings[0]};
    apex_identity identity = identity_of(&ada, &what);
    apex_session_id id = say_join(0, &identity);
    apex_sessions_accept(scene->sessions, id, &(apex_joined){.player = 1});
    scene_connect(scene, 1, "10.0.0.1");
    scene->events[scene->event_count - 1].trust = APEX_LINK_SEALED;
    memcpy(scene->events[scene->event_count - 1].binding, bindings[1], sizeof bindings[1]);
    apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
    hello.hello.has_token = true;
    memcpy(hello.hello.resume_token, old.resume_token, sizeof old.resume_token);
    scene_say(scene, 1, &hello);
    scene_round(scene, FAR_US);
    apex_sessions_welcome(scene->sessions, id, &(apex_welcome){.tick_hz = 60, .snapshot_hz = 20});
    ck_assert_uint_eq(scene_heard(scene, 1, APEX_SERVER_WELCOME, &heard), 1);
    apex_welcome fresh = heard.welcome;
    ck_assert_mem_ne(fresh.challenge, old.challenge, sizeof fresh.challenge);
    apex_sessions_accept(scene->sessions, id, &(apex_joined){.player = 1});
    ck_assert(apex_session_who_is(scene->sessions, id)->has_driver); // still
    apex_client_message leave = scene_message(APEX_CLIENT_LEAVE);
    scene_say(scene, 1, &leave);
    scene_round(scene, FAR_US);
    const apex_proof_for again = {fresh.server_key, fresh.challenge, bindings[1]};
    identity = identity_of(&bob, &again);
    ck_assert(expect_in(1, &identity)->has_driver);
}

TEST(guests_stay_out_where_keys_are_needed) {
    def.entry.key_needed = true;
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    expect_refused(0, &(apex_identity){0}, APEX_REASON_KEY_NEEDED, APEX_SESSION_REFUSED_KEY_NEEDED);
    apex_identity identity = sign(&ada, &welcome);
    ck_assert(expect_in(0, &identity)->has_driver);
    come(1, APEX_LINK_PLAIN); // to watch
    apex_client_message spectate = scene_message(APEX_CLIENT_SPECTATE);
    scene_say(scene, 1, &spectate);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
}

TEST(a_spectator_who_says_to_be_somebody_proves_it) {
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_client_message spectate = scene_message(APEX_CLIENT_SPECTATE);
    spectate.spectate.identity = sign(&ada, &welcome);
    spectate.spectate.identity.signature[5] ^= 8;
    scene_say(scene, 0, &spectate);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_KEY);
    spectate.spectate.identity = sign(&ada, &welcome);
    scene_say(scene, 0, &spectate);
    scene_round(scene, 1000);
    apex_mail mail = {0};
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, &mail), 1);
    ck_assert(apex_session_who_is(scene->sessions, mail.session)->has_driver);
}

TEST(only_drivers_of_the_list_drive) {
    enum { LISTED = 40 };
    apex_listed_driver list[LISTED];
    for (uint8_t i = 0; i < LISTED; i++) { // in no order
        memset(&list[i], (i * 37) % 251, sizeof list[i]);
    }
    open_scene();
    ck_assert(!come(0, APEX_LINK_PLAIN).key_needed);
    apex_fingerprint(ada.key, list[23].fingerprint);
    ck_assert_int_eq(apex_sessions_list(scene->sessions, list, LISTED), APEX_OK);
    memset(list, 0, sizeof list); // it was copied
    apex_welcome welcome = come(1, APEX_LINK_PLAIN);
    ck_assert(welcome.key_needed);
    expect_refused(1, &(apex_identity){0}, APEX_REASON_KEY_NEEDED, APEX_SESSION_REFUSED_KEY_NEEDED);
    apex_identity identity = sign(&bob, &welcome);
    expect_refused(1, &identity, APEX_REASON_NOT_LISTED, APEX_SESSION_REFUSED_NOT_LISTED);
    identity = sign(&bob, &welcome); // that of the list is known to everybody
    memcpy(identity.key, ada.key, sizeof identity.key);
    expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    identity = sign(&ada, &welcome);
    ck_assert(expect_in(1, &identity)->has_driver);
    ck_assert_int_eq(apex_sessions_list(scene->sessions, list, 0), APEX_OK); // of nobody
    welcome = come(2, APEX_LINK_PLAIN);
    identity = sign(&ada, &welcome);
    expect_refused(2, &identity, APEX_REASON_NOT_LISTED, APEX_SESSION_REFUSED_NOT_LISTED);
    ck_assert_int_eq(apex_sessions_list(scene->sessions, NULL, 0), APEX_OK);
    ck_assert(!expect_in(2, &(apex_identity){0})->has_driver);
}

TEST(a_password_comes_before_all_signatures) {
    memcpy(def.password, "secret", 7);
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    identity.signature[0] ^= 1;
    expect_refused(0, &identity, APEX_REASON_PASSWORD, APEX_SESSION_REFUSED_PASSWORD);
    identity = sign(&ada, &welcome);
    expect_refused(0, &identity, APEX_REASON_PASSWORD, APEX_SESSION_REFUSED_PASSWORD);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_KEYS_PROVED), 0);
}

TEST(signatures_are_looked_at_within_a_rate) {
    def.joins_per_s = def.joins_per_address_per_s = 0;
    def.strikes_max = 1000;
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    identity.signature[0] ^= 1;
    apex_client_message join = scene_message(APEX_CLIENT_JOIN);
    join.join.identity = identity;
    for (int i = 0; i < 40; i++) {
        scene_say(scene, 0, &join);
    }
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_KEY), 32); // of all, at once
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_PROOF_RATE), 8);
    scene_round(scene, 1000000);
    for (int i = 0; i < 60; i++) { // of a house 64 at once, of which 40 were asked for, 8 came back
        scene_say(scene, 0, &join);
        scene_round(scene, 3000);
    }
    ck_assert_uint_ge(scene_counter(scene, APEX_SESSION_REFUSED_KEY), 32 + 32);
    ck_assert_uint_le(scene_counter(scene, APEX_SESSION_REFUSED_KEY), 32 + 36);
    // A guest needs no proof.
    come(1, APEX_LINK_PLAIN);
    ck_assert(!expect_in(1, &(apex_identity){0})->has_driver);
}

TEST(wrong_proofs_are_strikes) {
    def.strikes_max = 3;
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    identity.signature[1] ^= 1;
    expect_refused(0, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    expect_refused(0, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    ck_assert_uint_eq(say_join(0, &identity).index1, 0);
    ck_assert(scene_is_closing(scene, 0));
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_CLOSED_STRIKES), 1);
}

// What apex_sessions_ask changes, as the def of the scene has it.
static void ask(const char *password) {
    char text[APEX_WIRE_NAME_BYTES] = "";
    snprintf(text, sizeof text, "%s", password);
    ck_assert_int_eq(apex_sessions_ask(scene->sessions, &def.entry, text, def.watching_open),
                     APEX_OK);
}

TEST(a_password_may_change) {
    open_scene();
    come(0, APEX_LINK_PLAIN);
    ask("sesame");
    expect_refused(0, &(apex_identity){0}, APEX_REASON_PASSWORD, APEX_SESSION_REFUSED_PASSWORD);
    ck_assert(come(1, APEX_LINK_PLAIN).password_needed);
    ask("");
    ck_assert(!come(2, APEX_LINK_PLAIN).password_needed);
    ck_assert(!expect_in(1, &(apex_identity){0})->has_driver);
}

TEST(guests_may_be_shut_out_later) {
    open_scene();
    ck_assert(!come(0, APEX_LINK_PLAIN).key_needed);
    def.entry.key_needed = true;
    def.entry.race = 9; // is not for changing
    ask("");
    expect_refused(0, &(apex_identity){0}, APEX_REASON_KEY_NEEDED, APEX_SESSION_REFUSED_KEY_NEEDED);
    apex_welcome welcome = come(1, APEX_LINK_PLAIN);
    ck_assert(welcome.key_needed);
    apex_identity identity = sign(&ada, &welcome);
    ck_assert(expect_in(1, &identity)->has_driver);
}
