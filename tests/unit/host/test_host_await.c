// Races that outrun real time with drivers over the network: what they may say, and that a race
// without a pace of its own waits for them.
#include "support/base/check_main.h"

#include <math.h>
#include <stdio.h>

#include "base/log.h"
#include "net/net.h"
#include "support/host/race_rig.h"

enum { DRIVERS = 4, MS_OF_A_MINUTE = 60000 };

static apex_race_file race_file(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.laps = 1;
    file.race.races = 1;
    file.race.start_players = DRIVERS;
    file.race.player_capacity = DRIVERS + 1;
    file.race.countdown_s = 1.0;
    return file;
}

static race_rig *open_rig(const apex_race_file *file, uint32_t speed_permille, uint32_t drivers) {
    race_rig *rig = race_rig_create_at(file, speed_permille);
    ck_assert_ptr_nonnull(rig);
    race_rig_connect_pilots(rig, 0, drivers);
    return rig;
}

static uint32_t tick_of(race_rig *rig) {
    return (uint32_t)apex_world_tick(apex_race_world(apex_server_race(race_rig_server(rig))));
}

static uint64_t refused_for_rate(race_rig *rig) {
    return apex_server_session_counters(race_rig_server(rig))[APEX_SESSION_REFUSED_RATE];
}

// The sum of what all took, when each of them has finished.
static double total_s(race_rig *rig) {
    apex_standing lines[2 * (DRIVERS + 1)];
    size_t count = apex_race_standings(apex_server_race(race_rig_server(rig)), lines,
                                       sizeof lines / sizeof lines[0]);
    double sum_s = 0.0;
    ck_assert_uint_eq(count, DRIVERS);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(lines[i].state, APEX_STANDING_FINISHED);
        sum_s += (double)lines[i].total_us / 1e6;
    }
    return sum_s;
}

static double race_at(uint32_t speed_permille, double *share_on_tick) {
    apex_race_file file = race_file();
    race_rig *rig = open_rig(&file, speed_permille, DRIVERS);
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 2 * MS_OF_A_MINUTE));
    double sum_s = total_s(rig);
    apex_controls_counters controls = apex_server_controls_counters(race_rig_server(rig));
    *share_on_tick =
        (double)controls.used_on_tick / (double)(controls.used_on_tick + controls.missed);
    ck_assert_uint_eq(refused_for_rate(rig), 0);
    race_rig_destroy(rig);
    return sum_s;
}

TEST(drivers_are_as_quick_at_any_speed) {
    double share = 0.0;
    double real_s = race_at(1000, &share);
    double sixteen_s = race_at(16000, &share);
    ck_assert_double_gt(share, 0.99);
    double max_s = race_at(0, &share);
    ck_assert_double_gt(share, 0.999);
    ck_assert_msg(fabs(sixteen_s / real_s - 1.0) < 0.02, "%.3f and %.3f s", sixteen_s, real_s);
    ck_assert_msg(fabs(max_s / real_s - 1.0) < 0.02, "%.3f and %.3f s", max_s, real_s);
}

// Nobody is timed out by a lost packet: both ends say again what may have been lost.
TEST(losses_cost_no_drive) {
    apex_race_file file = race_file();
    race_rig *rig = open_rig(&file, 0, DRIVERS);
    race_rig_set_loss(rig, 0.05);
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 4 * MS_OF_A_MINUTE));
    apex_controls_counters controls = apex_server_controls_counters(race_rig_server(rig));
    ck_assert_uint_le(controls.missed * 100, controls.used_on_tick);
    total_s(rig);
    race_rig_destroy(rig);
}

TEST(who_hangs_is_waited_for_once) {
    apex_race_file file = race_file();
    file.controls_wait_ms = 250;
    race_rig *rig = open_rig(&file, 0, DRIVERS);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, MS_OF_A_MINUTE));
    race_rig_mute(rig, 1);
    race_rig_tick(rig, 50); // all that it had said before is used up
    uint32_t stood_at = tick_of(rig);
    race_rig_tick(rig, 150);
    ck_assert_uint_eq(tick_of(rig), stood_at);
    race_rig_tick(rig, 100);
    uint32_t went_on_at = tick_of(rig);
    ck_assert_uint_gt(went_on_at, stood_at + 20);
    race_rig_tick(rig, 100);
    ck_assert_uint_gt(tick_of(rig), went_on_at + 80);
    // Back, it is waited for again.
    race_rig_unmute(rig, 1);
    race_rig_tick(rig, 100);
    apex_controls_counters before = apex_server_controls_counters(race_rig_server(rig));
    race_rig_tick(rig, 200);
    apex_controls_counters after = apex_server_controls_counters(race_rig_server(rig));
    ck_assert_uint_eq(after.missed, before.missed);
    ck_assert_uint_gt(after.used_on_tick, before.used_on_tick + 4 * 150);
    race_rig_destroy(rig);
}

static void say_stale(race_rig *rig, size_t client) {
    apex_client_message message = {.kind = APEX_CLIENT_CONTROLS};
    message.controls.first_tick = 1;
    message.controls.sample_count = 1;
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(&message, bytes, sizeof bytes);
    ck_assert_uint_gt(length, 0);
    race_rig_inject(rig, client, APEX_CHANNEL_STATE, bytes, length);
}

// Else one who says something a hundred times a second, and never in time, lets a race as fast as
// can be make four ticks in a second.
TEST(words_that_are_always_too_late_hold_up_less_and_less) {
    apex_race_file file = race_file();
    file.race.laps = 99;
    file.controls_wait_ms = 250;
    race_rig *rig = open_rig(&file, 0, DRIVERS);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, MS_OF_A_MINUTE));
    race_rig_mute(rig, 1);
    uint32_t made[2] = {0};
    for (int half = 0; half < 2; half++) {
        uint32_t before = tick_of(rig);
        for (int i = 0; i < 300; i++) {
            say_stale(rig, 1);
            race_rig_tick(rig, 10);
        }
        made[half] = tick_of(rig) - before;
    }
    ck_assert_uint_gt(made[0], 1000);
    ck_assert_uint_gt(made[1], 2 * made[0]);
    // In time again, it is waited for as before.
    race_rig_unmute(rig, 1);
    race_rig_tick(rig, 1000);
    apex_controls_counters begun = apex_server_controls_counters(race_rig_server(rig));
    race_rig_tick(rig, 200);
    apex_controls_counters after = apex_server_controls_counters(race_rig_server(rig));
    ck_assert_uint_eq(after.missed, begun.missed);
    race_rig_destroy(rig);
}

TEST(nobody_is_waited_for_where_the_file_says_so) {
    apex_race_file file = race_file();
    file.controls_wait_ms = 0;
    race_rig *rig = open_rig(&file, 0, DRIVERS);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, MS_OF_A_MINUTE));
    uint32_t tick = tick_of(rig);
    race_rig_tick(rig, 10);
    ck_assert_uint_ge(tick_of(rig), tick + 10 * RACE_RIG_HURRY_MAX);
    race_rig_destroy(rig);
}

// Else a lobby of thirty seconds would be over before the second of eight has connected.
TEST(a_lobby_that_waits_keeps_real_time) {
    apex_race_file file = race_file();
    race_rig *rig = open_rig(&file, 0, DRIVERS - 1);
    race_rig_tick(rig, 3000);
    ck_assert_int_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).phase,
                     APEX_PHASE_LOBBY);
    ck_assert_uint_ge(tick_of(rig), 170);
    ck_assert_uint_le(tick_of(rig), 180);
    race_rig_connect_pilots(rig, 0, 1);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 2000));
    race_rig_destroy(rig);
}

TEST(bots_of_the_server_wait_for_nobody) {
    apex_race_file file = race_file();
    file.bots = DRIVERS;
    race_rig *rig = open_rig(&file, 0, 0);
    race_rig_tick(rig, 10);
    ck_assert_uint_eq(tick_of(rig), 10 * RACE_RIG_HURRY_MAX);
    apex_client_def watcher = apex_default_client_def();
    watcher.spectate = true;
    race_rig_connect(rig, &watcher);
    race_rig_tick(rig, 10);
    ck_assert_uint_eq(tick_of(rig), 20 * RACE_RIG_HURRY_MAX);
    race_rig_destroy(rig);
}

TEST(a_race_with_a_pace_is_always_due) {
    apex_race_file file = race_file();
    race_rig *rig = open_rig(&file, 1000, DRIVERS);
    uint64_t due_us = 0;
    for (int i = 0; i < 300; i++) {
        race_rig_tick(rig, 1);
        uint64_t now_us = race_rig_now_us(rig);
        ck_assert(apex_server_is_due(race_rig_server(rig), now_us, &due_us));
        ck_assert_uint_eq(due_us, now_us);
    }
    race_rig_destroy(rig);
}
