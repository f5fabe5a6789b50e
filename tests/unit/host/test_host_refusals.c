// Tests of what the server answers to clients that ask for what they can't have, and that nobody
// else feels it.

#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "client-lite/client_internal.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60 };

static race_rig *rig;
static size_t honest;

static apex_race_file open_race(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.laps = 1;
    file.race.races = 1;
    file.race.start_players = 1;
    file.race.player_capacity = 3;
    file.race.late_join = true;
    file.race.countdown_s = 1.0;
    file.clients_max = 4;
    snprintf(file.password, sizeof file.password, "sesame");
    return file;
}

static size_t connect(const char *name, const char *car, const char *password) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.car = car;
    def.password = password;
    def.want_defs = true;
    return race_rig_connect(rig, &def);
}

static void begin_with(const apex_race_file *file) {
    rig = race_rig_create(file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    honest = connect("honest", "boxster-s", "sesame");
    race_rig_pilot(rig, honest);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
}

static void begin(void) {
    apex_race_file file = open_race();
    begin_with(&file);
}

// Whatever was asked for: the honest driver drives on and is told nothing of it.
static void end(void) {
    double before = apex_client_newest(race_rig_client(rig, honest)).own->x_mm;
    race_rig_tick(rig, 2 * SECOND);
    apex_client *driver = race_rig_client(rig, honest);
    ck_assert_int_eq(apex_client_state_of(driver), APEX_CLIENT_DRIVING);
    ck_assert_int_eq(apex_client_last_reject(driver, NULL), APEX_REASON_NONE);
    ck_assert(apex_client_newest(driver).own->x_mm != before);
    race_rig_destroy(rig);
}

static void assert_refused(size_t client, apex_reason reason, const char *part) {
    const char *text = "";
    apex_client *refused = race_rig_client(rig, client);
    apex_reason heard = apex_client_last_reject(refused, &text);
    if (heard == APEX_REASON_NONE) {
        heard = apex_client_close_reason(refused, &text);
    }
    ck_assert_str_eq(apex_reason_name(heard), apex_reason_name(reason));
    ck_assert_msg(strstr(text, part) != NULL, "'%s' does not say '%s'", text, part);
}

static uint64_t counter(apex_session_counter which) {
    return apex_server_session_counters(race_rig_server(rig))[which];
}

FIXTURE(begin, end)

TEST(a_wrong_password) {
    size_t client = connect("guest", "", "open");
    race_rig_tick(rig, SECOND);
    assert_refused(client, APEX_REASON_PASSWORD, "password");
    ck_assert_uint_eq(counter(APEX_SESSION_REFUSED_PASSWORD), 1);
}

// The library does not ask in vain: the server hears of no wrong password.
TEST(no_password) {
    size_t client = connect("guest", "", "");
    race_rig_tick(rig, SECOND);
    assert_refused(client, APEX_REASON_PASSWORD, "asks for a password");
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, client)), APEX_CLIENT_CLOSED);
    ck_assert_uint_eq(counter(APEX_SESSION_REFUSED_PASSWORD), 0);
}

static size_t watch(void) {
    apex_client_def def = apex_default_client_def();
    def.spectate = true;
    return race_rig_connect(rig, &def);
}

TEST(a_password_for_all_keeps_watchers_out) {
    size_t watcher = watch();
    race_rig_tick(rig, SECOND);
    assert_refused(watcher, APEX_REASON_PASSWORD, "asks for a password");
}

static void begin_open_for_watching(void) {
    apex_race_file file = open_race();
    file.password_for = APEX_PASSWORD_FOR_DRIVE;
    begin_with(&file);
}

FIXTURE(begin_open_for_watching, end)

TEST(a_password_for_driving_lets_watchers_in) {
    size_t watcher = watch();
    size_t guest = connect("guest", "", "open");
    race_rig_tick(rig, SECOND);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, watcher)), APEX_CLIENT_SPECTATING);
    ck_assert(apex_client_welcome(race_rig_client(rig, watcher))->watching_open);
    assert_refused(guest, APEX_REASON_PASSWORD, "wrong");
    ck_assert_uint_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).players, 1);
}

FIXTURE(begin, end)

TEST(an_unknown_car_names_those_there_are) {
    size_t client = connect("guest", "hovercraft", "sesame");
    race_rig_tick(rig, SECOND);
    assert_refused(client, APEX_REASON_UNKNOWN_CAR, "boxster-s");
    ck_assert_uint_eq(apex_client_player(race_rig_client(rig, client)), 0);
}

TEST(a_full_server) {
    size_t last = 0;
    for (int i = 0; i < 4; i++) {
        last = connect("guest", "", "sesame");
    }
    race_rig_tick(rig, SECOND);
    assert_refused(last, APEX_REASON_SERVER_FULL, "full");
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, last)), APEX_CLIENT_CLOSED);
}

TEST(a_full_race) {
    size_t last = 0;
    for (int i = 0; i < 3; i++) {
        last = connect("guest", "", "sesame");
    }
    race_rig_tick(rig, SECOND);
    assert_refused(last, APEX_REASON_RACE_FULL, "");
}

static void inject(size_t client, const apex_client_message *message) {
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(message, bytes, sizeof bytes);
    ck_assert_uint_gt(length, 0);
    uint8_t channel = (uint8_t)apex_client_message_channel(message->kind);
    race_rig_inject(rig, client, channel, bytes, length);
    race_rig_tick(rig, 2);
}

TEST(two_joins_from_one_client) {
    size_t client = connect("guest", "", "sesame");
    race_rig_tick(rig, SECOND);
    uint32_t player = apex_client_player(race_rig_client(rig, client));
    ck_assert_uint_ne(player, 0);
    apex_client_message join = {.kind = APEX_CLIENT_JOIN,
                                .join = {.name = "again", .password = "sesame"}};
    inject(client, &join);
    assert_refused(client, APEX_REASON_ALREADY_JOINED, "");
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, client)), APEX_CLIENT_DRIVING);
    ck_assert_uint_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).players, 2);
}

TEST(another_protocol_version) {
    size_t client = connect("guest", "", "sesame");
    apex_client_message hello = {.kind = APEX_CLIENT_HELLO,
                                 .hello = {.protocol_version = 99, .client = "old"}};
    race_rig_tick(rig, SECOND);
    // The library only speaks its own version, so a second link says Hello by hand.
    uint64_t before = counter(APEX_SESSION_REFUSED_VERSION);
    ck_assert_uint_eq(before, 0);
    race_rig_cut(rig, client);
    race_rig_tick(rig, 2);
    size_t old = connect("old", "", "sesame");
    client_outbox_clear(&client_session_of(race_rig_client(rig, old))->outbox);
    race_rig_mute(rig, old);
    inject(old, &hello);
    race_rig_tick(rig, 2);
    assert_refused(old, APEX_REASON_VERSION, "99");
    ck_assert_uint_eq(counter(APEX_SESSION_REFUSED_VERSION), 1);
}

TEST(controls_out_of_range) {
    size_t client = connect("guest", "", "sesame");
    race_rig_tick(rig, SECOND);
    // Controls{first_tick 500, samples {steer 40000}}: 40000 as zigzag is 80000, 0x80 0xf1 0x04.
    const uint8_t bytes[] = {0x42, 0x09, 0x08, 0xf4, 0x03, 0x12, 0x04, 0x08, 0x80, 0xf1, 0x04};
    race_rig_inject(rig, client, APEX_CHANNEL_STATE, bytes, sizeof bytes);
    race_rig_tick(rig, 2);
    assert_refused(client, APEX_REASON_BAD_MESSAGE, "steer");
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, client)), APEX_CLIENT_DRIVING);
}

TEST(a_race_that_is_closed_to_late_comers) {
    race_rig_destroy(rig);
    apex_race_file file = open_race();
    file.race.late_join = false;
    begin_with(&file);
    size_t client = connect("late", "", "sesame");
    race_rig_tick(rig, SECOND);
    assert_refused(client, APEX_REASON_RACE_CLOSED, "");
}

static char *console(const char *line) {
    static char answer[8192];
    memset(answer, 0, sizeof answer);
    FILE *out = fmemopen(answer, sizeof answer - 1, "w");
    apex_server_console(race_rig_server(rig), line, out);
    fclose(out);
    return answer;
}

TEST(the_operator_kicks_and_speaks) {
    size_t client = connect("guest", "", "sesame");
    race_rig_tick(rig, SECOND);
    ck_assert_ptr_nonnull(strstr(console("status"), "guest"));
    ck_assert_ptr_nonnull(strstr(console("kick nobody"), "nobody here"));
    ck_assert_ptr_nonnull(strstr(console("  dance\n"), "no command \"dance\""));
    console("say fünf Minuten \x01 \xff noch");
    race_rig_tick(rig, 1);
    size_t count = 0;
    const char *const *notices = apex_client_notices(race_rig_client(rig, client), &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(notices[0], "fünf Minuten ? ? noch");
    console("kick Guest");
    race_rig_tick(rig, 3);
    assert_refused(client, APEX_REASON_KICKED, "operator");
    ck_assert_uint_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).players, 1);
}
