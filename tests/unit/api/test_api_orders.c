// Tests of what operators may ask and order over HTTP, and that nobody else may.
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "replicate/replicate.h"
#include "support/api/api_rig.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, TRIES_MAX = 10 };

static const char STATUS[] = "/api/races/1/status", SAY[] = "/api/races/1/say",
                  KICK[] = "/api/races/1/kick";

static api_rig rig;

static void begin(void) {
    apex_race_file file = api_rig_race_file();
    file.bots = 1;
    file.race.races = 0;
    api_rig_begin(&rig, &file);
}

static void end(void) {
    api_rig_end(&rig);
}

static size_t join(const char *name) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    size_t client = race_rig_connect(rig.race, &def);
    race_rig_tick(rig.race, 10);
    return client;
}

static uint32_t players(void) {
    return apex_race_status_of(apex_server_race(rig.servers[0])).players;
}

static void assert_error(const char *part) {
    const char *error = api_rig_text(&rig, "error");
    ck_assert_msg(strstr(error, part) != NULL, "'%s' does not say '%s'", error, part);
}

FIXTURE(begin, end)

TEST(only_the_token_opens) {
    static const char *const wrong[] = {
        "open sesame, pleas", "open sesame, please!", "Open sesame, please", "o", "open",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_uint_eq(api_rig_get_as(&rig, STATUS, wrong[i]), 401);
        assert_error("not this server's token");
        ck_assert_uint_eq(api_rig_post_as(&rig, "/api/races/1/quit", "", wrong[i]), 401);
        snprintf(rig.request.address, sizeof rig.request.address, "192.0.2.%zu", 100 + i);
    }
    ck_assert_uint_eq(api_rig_get_as(&rig, STATUS, ""), 401);
    assert_error("Authorization: Bearer");
    ck_assert_uint_eq(api_rig_get(&rig, STATUS), 200);
    ck_assert(!api_rig_is(&rig, "stopping"));
}

TEST(without_a_token_nobody_operates) {
    rig.api.token = "";
    ck_assert_uint_eq(api_rig_get_as(&rig, STATUS, ""), 403);
    assert_error("web: {token: ...}");
    ck_assert_uint_eq(api_rig_get_as(&rig, STATUS, API_RIG_TOKEN), 403);
    ck_assert_uint_eq(api_rig_post(&rig, SAY, "{\"text\":\"hi\"}"), 403);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/races", ""), 200);
}

// A token longer than one can be sent is nobody's, and above all not that of a client that sends
// its head.
TEST(a_token_that_is_too_long_opens_nothing) {
    char token[2 * APEX_WEB_TOKEN_BYTES];
    memset(token, 'a', sizeof token);
    token[sizeof token - 1] = '\0';
    rig.api.token = token;
    char head[APEX_WEB_TOKEN_BYTES];
    memset(head, 'a', sizeof head);
    head[sizeof head - 1] = '\0';
    ck_assert_uint_eq(api_rig_get_as(&rig, STATUS, head), 401);
}

static uint32_t try_from(const char *address, const char *token) {
    snprintf(rig.request.address, sizeof rig.request.address, "%s", address);
    return api_rig_get_as(&rig, STATUS, token);
}

TEST(who_guesses_has_to_wait) {
    for (int i = 0; i < TRIES_MAX; i++) {
        ck_assert_uint_eq(try_from("198.51.100.1", "guess"), 401);
    }
    ck_assert_uint_eq(try_from("198.51.100.1", "guess"), 429);
    assert_error("try again in 6 s");
    ck_assert_uint_eq(try_from("198.51.100.1", API_RIG_TOKEN), 429); // else guessing is not slowed
    ck_assert_uint_eq(try_from("198.51.100.2", API_RIG_TOKEN), 200); // others do not wait
    rig.api.now_us += 6000000;
    ck_assert_uint_eq(try_from("198.51.100.1", "guess"), 401); // one more, and only one
    ck_assert_uint_eq(try_from("198.51.100.1", "guess"), 429);
    rig.api.now_us += 6000000;
    ck_assert_uint_eq(try_from("198.51.100.1", API_RIG_TOKEN), 200);
    ck_assert_uint_eq(api_rig_get(&rig, "/metrics"), 200);
    ck_assert_ptr_nonnull(strstr(rig.body, "\napex_web_wrong_tokens_total 11\n"));
    ck_assert_ptr_nonnull(strstr(rig.body, "\napex_web_refused_tries_total 3\n"));
}

// An attacker from many addresses must not make the server forget those who guess most.
TEST(many_addresses_do_not_free_one) {
    for (int i = 0; i < TRIES_MAX; i++) {
        try_from("198.51.100.1", "guess");
    }
    char address[APEX_ADDRESS_BYTES];
    for (int i = 0; i < 500; i++) {
        snprintf(address, sizeof address, "2001:db8:0:%x::1", i);
        ck_assert_uint_eq(try_from(address, "guess"), 401);
    }
    ck_assert_uint_eq(try_from("198.51.100.1", API_RIG_TOKEN), 429);
}

TEST(a_house_guesses_as_one) {
    char address[APEX_ADDRESS_BYTES];
    for (int i = 0; i < TRIES_MAX; i++) {
        snprintf(address, sizeof address, "2001:db8:1:2::%x", i);
        ck_assert_uint_eq(try_from(address, "guess"), 401);
    }
    ck_assert_uint_eq(try_from("2001:db8:1:2:ffff::1", "guess"), 429);
    ck_assert_uint_eq(try_from("2001:db8:1:3::1", API_RIG_TOKEN), 200);
}

TEST(what_is_said_reaches_everybody) {
    size_t ada = join("Ada");
    ck_assert_uint_eq(api_rig_post(&rig, SAY, "{\"text\": \"f\\u00fcnf minutes\"}"), 200);
    ck_assert_str_eq(api_rig_text(&rig, "done"), "said to everybody");
    race_rig_tick(rig.race, 1);
    size_t count = 0;
    const char *const *notices = apex_client_notices(race_rig_client(rig.race, ada), &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(notices[0], "fünf minutes");
    for (int i = 0; i < 8; i++) {
        ck_assert_uint_eq(api_rig_post(&rig, SAY, "{\"text\":\"again\"}"), 200);
    }
    ck_assert_uint_eq(api_rig_post(&rig, SAY, "{\"text\":\"again\"}"), 503);
    assert_error("in a moment");
}

// Operators' words are logged, since people ask later who said what. A text writes no lines of its
// own, and has an end.
TEST(what_is_said_is_in_the_log) {
    char logged[4096] = "";
    FILE *file = fmemopen(logged, sizeof logged, "w");
    apex_log_set_level(APEX_LOG_INFO);
    apex_log_set_file(file);
    uint32_t status = api_rig_post(&rig, SAY, "{\"text\":\"five\\nminutes to go\"}");
    apex_log_set_file(stderr);
    fclose(file);
    ck_assert_uint_eq(status, 200);
    const char *line = strstr(logged, SAY);
    ck_assert_ptr_nonnull(line);
    ck_assert_ptr_nonnull(strstr(line, API_RIG_ADDRESS ": said to everybody: \"five"));
    ck_assert_ptr_nonnull(strstr(line, "minutes to go\""));
    ck_assert_ptr_eq(strchr(line, '\n') + 1, logged + strlen(logged)); // one line
}

TEST(bodies_are_read_strictly) {
    static const struct {
        const char *path, *body, *error;
    } bad[] = {
        {SAY, "", "say what?"},
        {SAY, "{}", "say what?"},
        {SAY, "{\"text\": 7}", "say what?"},
        {SAY, "{\"text\": null}", "say what?"},
        {SAY, "{\"text\": \" \\n\"}", "say what?"},
        {SAY, "{\"text\": \"a\", \"txt\": \"b\"}", "no key \"txt\"; it takes text"},
        {SAY, "{\"text\": \"a\", \"text\": \"b\"}", "duplicate object key"},
        {SAY, "{\"text\": \"a\"", "not the JSON it should be"},
        {SAY, "{\"text\": \"a\"} x", "not the JSON it should be"},
        {SAY, "[\"text\"]", "JSON object"},
        {SAY, "text=a", "not the JSON it should be"},
        {SAY, "{\"text\": \"a\\u0000b\"}", "not the JSON it should be"},
        {SAY, "{\"text\": \"\xff\"}", "not the JSON it should be"},
        {KICK, "", "kick whom?"},
        {KICK, "{\"name\": \"Ada\", \"player\": 65537}", "kick whom?"},
        {KICK, "{\"player\": \"65537\"}", "kick whom?"},
        {KICK, "{\"player\": 65537.5}", "kick whom?"},
        {KICK, "{\"player\": 0}", "kick whom?"},
        {KICK, "{\"player\": 4294967296}", "kick whom?"},
        {KICK, "{\"nam\": \"Ada\"}", "no key \"nam\"; it takes name or player"},
        {"/api/races/1/quit", "{\"now\": true}", "no key \"now\"; it takes none"},
        {"/api/races/1/start", "true", "not the JSON it should be"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(api_rig_post(&rig, bad[i].path, bad[i].body) == 400, "%s", bad[i].body);
        assert_error(bad[i].error);
    }
    char body[512];
    snprintf(body, sizeof body, "{\"text\": \"%0*d\"}", APEX_WIRE_TEXT_BYTES, 0);
    ck_assert_uint_eq(api_rig_post(&rig, SAY, body), 400);
    assert_error("at most 159 bytes");
    snprintf(body, sizeof body, "{\"text\": \"%0*d\"}", APEX_WIRE_TEXT_BYTES - 1, 0);
    ck_assert_uint_eq(api_rig_post(&rig, SAY, body), 200);
}

static void assert_kicked(size_t client) {
    const char *text = "";
    race_rig_tick(rig.race, 3);
    apex_client *kicked = race_rig_client(rig.race, client);
    ck_assert_int_eq(apex_client_state_of(kicked), APEX_CLIENT_CLOSED);
    ck_assert_int_eq(apex_client_close_reason(kicked, &text), APEX_REASON_KICKED);
    ck_assert_ptr_nonnull(strstr(text, "operator"));
}

TEST(a_kicked_player_is_told_why) {
    size_t ada = join("Ada"), bob = join("Bob");
    ck_assert_uint_eq(players(), 3);
    ck_assert_uint_eq(api_rig_post(&rig, KICK, "{\"name\": \"ada\"}"), 200);
    ck_assert_str_eq(api_rig_text(&rig, "done"), "Ada is out");
    assert_kicked(ada);
    char body[64];
    snprintf(body, sizeof body, "{\"player\": %u}",
             apex_client_player(race_rig_client(rig.race, bob)));
    ck_assert_uint_eq(api_rig_post(&rig, KICK, body), 200);
    ck_assert_str_eq(api_rig_text(&rig, "done"), "Bob is out");
    assert_kicked(bob);
    ck_assert_uint_eq(players(), 1);
    ck_assert_uint_eq(api_rig_post(&rig, KICK, body), 404);
    assert_error("nobody here is player");
    ck_assert_uint_eq(api_rig_post(&rig, KICK, "{\"name\": \"Bob\"}"), 404);
    assert_error("nobody here is called \"Bob\"");
    ck_assert_uint_eq(api_rig_post(&rig, KICK, "{\"name\": \"bot 1\"}"), 200);
    ck_assert_uint_eq(players(), 0);
}

static const char LOCKDOWN[] = "/api/races/1/lockdown";

static bool status_says_locked(void) {
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races/1/status"), 200);
    return json_is_true(json_object_get(rig.json, "lockdown"));
}

TEST(behind_locked_doors_the_race_goes_on) {
    join("Ada");
    ck_assert(!status_says_locked());
    ck_assert_uint_eq(api_rig_post(&rig, LOCKDOWN, "{\"on\": true}"), 200);
    ck_assert_str_eq(api_rig_text(&rig, "done"), "locked: nobody new gets in until lockdown off");
    ck_assert(status_says_locked());
    uint32_t before = players();
    race_rig_tick(rig.race, 30);
    ck_assert_uint_eq(players(), before);
    ck_assert_uint_eq(api_rig_post(&rig, LOCKDOWN, "{\"on\": 1}"), 400);
    assert_error("lock or open?");
    ck_assert_uint_eq(api_rig_post(&rig, LOCKDOWN, "{\"on\": false}"), 200);
    ck_assert(!status_says_locked());
    join("Bob");
    ck_assert_uint_eq(players(), before + 1);
}

TEST(nobody_is_kicked_by_guess) {
    size_t lower = join("iain"), l = join("lain");
    ck_assert_uint_eq(api_rig_post(&rig, KICK, "{\"name\": \"Iain\"}"), 409);
    char body[64];
    snprintf(body, sizeof body, "#%u iain, #%u lain",
             apex_client_player(race_rig_client(rig.race, lower)),
             apex_client_player(race_rig_client(rig.race, l)));
    assert_error(body);
    ck_assert_uint_eq(players(), 3);
    snprintf(body, sizeof body, "{\"player\": %u}",
             apex_client_player(race_rig_client(rig.race, l)));
    ck_assert_uint_eq(api_rig_post(&rig, KICK, body), 200);
    ck_assert_str_eq(api_rig_text(&rig, "done"), "lain is out");
    assert_kicked(l);
    ck_assert_uint_eq(api_rig_post(&rig, KICK, "{\"name\": \"#65537\"}"), 404);
    ck_assert_uint_eq(players(), 2);
}

TEST(the_race_obeys_or_says_why_not) {
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/restart", ""), 409);
    assert_error("in its phase lobby; restart is for");
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/start", ""), 200);
    ck_assert_str_eq(api_rig_text(&rig, "done"), "the grid forms");
    ck_assert(race_rig_until(rig.race, APEX_PHASE_RACE, 10 * SECOND));
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/start", ""), 409);
    assert_error("in its phase race; start is for");
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/restart", "{}"), 200);
    ck_assert_str_eq(api_rig_text(&rig, "done"), "back to the grid");
    race_rig_tick(rig.race, 1);
    ck_assert_int_eq(apex_race_phase_of(apex_server_race(rig.servers[0])), APEX_PHASE_GRID);
    ck_assert_uint_eq(api_rig_post(&rig, KICK, "{\"name\": \"Bot 1\"}"), 200);
    race_rig_tick(rig.race, 1);
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/start", ""), 409);
    assert_error("it takes a player or a bot");
}

TEST(quit_ends_it_and_tells_clients) {
    size_t ada = join("Ada");
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/quit", ""), 200);
    ck_assert_str_eq(api_rig_text(&rig, "done"), "closing");
    race_rig_tick(rig.race, 5);
    ck_assert_int_eq(apex_client_close_reason(race_rig_client(rig.race, ada), NULL),
                     APEX_REASON_SHUTDOWN);
    ck_assert_uint_eq(api_rig_get(&rig, STATUS), 200);
    ck_assert(api_rig_is(&rig, "stopping"));
    race_rig_tick(rig.race, 5 * SECOND);
    ck_assert(apex_server_finished(rig.servers[0])); // of several races one may be
    ck_assert_uint_eq(api_rig_post(&rig, SAY, "{\"text\":\"hi\"}"), 409);
    assert_error("all have gone");
}

TEST(status_has_what_the_console_says) {
    size_t ada = join("Ada");
    for (uint64_t i = 1; i <= 100; i++) {
        apex_server_account(rig.servers[0], 10 * i, i);
    }
    apex_server_account_dropped(rig.servers[0], 7);
    apex_server_account_cpu(rig.servers[0], 2500000);
    race_rig_inject(rig.race, ada, APEX_CHANNEL_STATE, (const uint8_t *)"\xff\xff", 2);
    race_rig_tick(rig.race, 2 * SECOND);
    ck_assert_uint_eq(api_rig_get(&rig, STATUS), 200);
    ck_assert(api_rig_number(&rig, "ticks.count") == 100);
    ck_assert(api_rig_number(&rig, "ticks.p50_us") == 503); // the end of the bucket of 500
    ck_assert(api_rig_number(&rig, "ticks.max_us") == 1000);
    ck_assert(api_rig_number(&rig, "ticks.late_p99_us") == 99);
    ck_assert(api_rig_number(&rig, "ticks_last_s.count") == 60);
    ck_assert(api_rig_number(&rig, "ticks_last_min.max_us") == 1000);
    ck_assert(api_rig_number(&rig, "ticks_last_min.late_max_us") == 100);
    ck_assert(api_rig_number(&rig, "ticks_dropped") == 7);
    ck_assert(api_rig_number(&rig, "cpu_s") == 2.5);
    ck_assert(api_rig_number(&rig, "strain") == 0);
    ck_assert(api_rig_number(&rig, "refusals.refused_message") == 1);
    ck_assert_uint_eq(json_object_size(api_rig_at(&rig, "refusals")), 1);
    ck_assert(api_rig_number(&rig, "sessions.sessions_welcomed") == 1);
    ck_assert(json_is_null(api_rig_at(&rig, "transport")));
    const apex_controls_counters controls = apex_server_controls_counters(rig.servers[0]);
    ck_assert_uint_gt(controls.used_on_tick, SECOND);
    ck_assert(api_rig_number(&rig, "controls.on_tick") == (double)controls.used_on_tick);
    ck_assert(api_rig_number(&rig, "controls.repeated") == (double)controls.missed);
    ck_assert(api_rig_number(&rig, "controls.depths.1") == (double)controls.depths[1]);
    ck_assert_uint_eq(json_array_size(api_rig_at(&rig, "order")), 2);
    int place = strcmp(api_rig_text(&rig, "order.0.name"), "Ada") == 0 ? 0 : 1;
    ck_assert_str_eq(api_rig_text(&rig, place == 0 ? "order.0.address" : "order.1.address"),
                     "10.0.0.1");
    ck_assert(json_is_null(api_rig_at(&rig, "order.0.round_trip_ms"))); // no socket, no line
    ck_assert(json_is_null(api_rig_at(&rig, place == 0 ? "order.1.address" : "order.0.address")));
}

static uint32_t next_random(uint32_t below) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % below;
}

// Some bytes changed, left out or put in twice; never a zero, which the gateway refuses.
static void garble(char *text, size_t bytes) {
    for (uint32_t changes = next_random(4); changes > 0; changes--) {
        size_t length = strlen(text);
        size_t at = length > 0 ? next_random((uint32_t)length) : 0;
        switch (next_random(3)) {
        case 0:
            if (length > 0) {
                text[at] = (char)(1 + next_random(255));
            }
            break;
        case 1:
            memmove(text + at, text + at + (length > 0), length - at + (length == 0));
            break;
        default:
            if (length + 2 < bytes) {
                memmove(text + at + 1, text + at, length - at + 1);
            }
        }
    }
}

TEST(nonsense_is_refused_and_nothing_else) {
    static const char *const paths[] = {STATUS,
                                        SAY,
                                        KICK,
                                        "/api/races/1",
                                        "/api/races/1/start",
                                        "/api/races/1/restart",
                                        "/api/replays",
                                        "/metrics"};
    static const char *const bodies[] = {
        "{\"text\": \"a \\u00fc b\"}", "{\"name\": \"Bot 1\"}", "{\"player\": 65537}", "{}", "",
        "[[[[[[{\"a\":1e9}]]]]]]"};
    static const uint32_t expected[] = {200, 400, 401, 404, 405, 409, 503};
    uint32_t seen[7] = {0};
    for (int i = 0; i < 4000; i++) {
        char path[96], body[96], token[32];
        snprintf(path, sizeof path, "%s", paths[next_random(8)]);
        snprintf(body, sizeof body, "%s", bodies[next_random(6)]);
        snprintf(token, sizeof token, "%s", API_RIG_TOKEN);
        garble(path, sizeof path);
        garble(body, sizeof body);
        if (next_random(8) == 0) {
            garble(token, sizeof token);
        }
        rig.api.now_us += 6000000; // one who guesses need not wait
        uint32_t status = next_random(4) == 0 ? api_rig_get_as(&rig, path, token)
                                              : api_rig_post_as(&rig, path, body, token);
        size_t place = 0;
        while (place < 7 && expected[place] != status) {
            place++;
        }
        ck_assert_msg(place < 7, "%s %s: %u", path, body, status);
        seen[place]++;
        race_rig_tick(rig.race, i % 200 == 0);
    }
    for (size_t place = 0; place < 6; place++) { // the last takes luck
        ck_assert_msg(seen[place] > 0, "no %u", expected[place]);
    }
}
