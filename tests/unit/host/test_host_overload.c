// A server whose ticks take too long leaves things out step by step, and takes them up again; the
// race goes on to the bit as it would have.

#include <string.h>

#include "base/log.h"
#include "host/load/overload.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { TICK_HZ = 60, PERIOD_US = 16666, LONG_US = 15000, MIDDLE_US = 12000, SHORT_US = 5000 };

static void spend(host_overload *overload, uint32_t seconds, uint64_t work_us) {
    for (uint32_t i = 0; i < seconds * TICK_HZ; i++) {
        host_overload_note(overload, work_us, PERIOD_US, TICK_HZ);
    }
}

TEST(each_long_second_is_a_step_and_five_calm_ones_are_one_back) {
    host_overload overload = {.strain = HOST_STRAIN_NONE};
    spend(&overload, 3, MIDDLE_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_NONE);
    spend(&overload, 1, LONG_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_FEWER_CARS);
    spend(&overload, 5, LONG_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_NO_NEWCOMERS);
    spend(&overload, 60, MIDDLE_US); // neither
    ck_assert_int_eq(overload.strain, HOST_STRAIN_NO_NEWCOMERS);
    spend(&overload, 4, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_NO_NEWCOMERS);
    spend(&overload, 1, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_HALF_RATE);
    spend(&overload, 10, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_NONE);
}

TEST(a_hiccup_is_no_overload) {
    host_overload overload = {.strain = HOST_STRAIN_NONE};
    for (uint32_t i = 0; i < 10 * TICK_HZ; i++) {
        uint64_t work_us = i % TICK_HZ < 20 ? 5 * LONG_US : SHORT_US;
        ck_assert(!host_overload_note(&overload, work_us, PERIOD_US, TICK_HZ));
    }
    ck_assert_int_eq(overload.strain, HOST_STRAIN_NONE);
}

TEST(calm_has_to_last) {
    host_overload overload = {.strain = HOST_STRAIN_HALF_RATE};
    for (uint32_t i = 0; i < 5; i++) {
        spend(&overload, 4, SHORT_US);
        spend(&overload, 1, MIDDLE_US);
    }
    ck_assert_int_eq(overload.strain, HOST_STRAIN_HALF_RATE);
}

// A tick in three is a hiccup here, too: what serves half could serve all.
TEST(most_ticks_tell_that_it_is_calm) {
    host_overload overload = {.strain = HOST_STRAIN_HALF_RATE};
    for (uint32_t i = 0; i < 5 * TICK_HZ; i++) {
        host_overload_note(&overload, i % 3 == 0 ? LONG_US : SHORT_US, PERIOD_US, TICK_HZ);
    }
    ck_assert_int_eq(overload.strain, HOST_STRAIN_FEWER_CARS);
}

TEST(who_came_back_too_early_waits_twice_as_long) {
    host_overload overload = {.strain = HOST_STRAIN_HALF_RATE};
    static const uint32_t WAITS_S[] = {5, 10, 20, 40, 80, 80};
    for (size_t i = 0; i < sizeof WAITS_S / sizeof *WAITS_S; i++) {
        spend(&overload, WAITS_S[i] - 1, SHORT_US);
        ck_assert_int_eq(overload.strain, HOST_STRAIN_HALF_RATE);
        spend(&overload, 1, SHORT_US);
        ck_assert_int_eq(overload.strain, HOST_STRAIN_FEWER_CARS);
        spend(&overload, 1, LONG_US);
        ck_assert_int_eq(overload.strain, HOST_STRAIN_HALF_RATE);
    }
    // A minute that went well is forgiven.
    spend(&overload, 80, SHORT_US);
    spend(&overload, 60, MIDDLE_US);
    spend(&overload, 1, LONG_US);
    spend(&overload, 5, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_FEWER_CARS);
}

static apex_race_file race_file(void) {
    apex_race_file file = apex_default_race_file();
    strcpy(file.track, "oval");
    file.bots = file.race.start_players = 12;
    file.race.player_capacity = 16;
    file.race.lobby_s = file.race.countdown_s = 0.0;
    return file;
}

static race_rig *open_rig(void) {
    apex_race_file file = race_file();
    race_rig *rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    return rig;
}

static void run(race_rig *rig, uint32_t seconds, uint64_t work_us) {
    for (uint32_t i = 0; i < seconds * TICK_HZ; i++) {
        race_rig_tick(rig, 1);
        apex_server_account(race_rig_server(rig), work_us, 0);
    }
}

static size_t watch(race_rig *rig) {
    apex_client_def def = apex_default_client_def();
    def.spectate = true;
    return race_rig_connect(rig, &def);
}

// @return the number of snapshots in that time.
static uint64_t snapshots_in(race_rig *rig, size_t client, uint32_t seconds, uint64_t work_us) {
    uint64_t before = apex_client_stats_of(race_rig_client(rig, client)).snapshots;
    run(rig, seconds, work_us);
    return apex_client_stats_of(race_rig_client(rig, client)).snapshots - before;
}

TEST(viewers_are_served_less_and_newcomers_wait_until_it_is_over) {
    race_rig *rig = open_rig();
    size_t viewer = watch(rig);
    run(rig, 2, SHORT_US);
    ck_assert_uint_eq(snapshots_in(rig, viewer, 1, SHORT_US), 20);
    run(rig, 3, LONG_US);
    ck_assert_uint_eq(snapshots_in(rig, viewer, 2, MIDDLE_US), 20);
    size_t newcomer = watch(rig);
    run(rig, 2, MIDDLE_US);
    const char *text;
    apex_client *waiting = race_rig_client(rig, newcomer);
    ck_assert_int_eq(apex_client_state_of(waiting), APEX_CLIENT_JOINING);
    ck_assert_int_eq(apex_client_last_reject(waiting, &text), APEX_REASON_RACE_CLOSED);
    ck_assert_ptr_nonnull(strstr(text, "more to do"));
    run(rig, 15, SHORT_US);
    ck_assert_int_eq(apex_client_state_of(waiting), APEX_CLIENT_SPECTATING);
    ck_assert_uint_eq(snapshots_in(rig, viewer, 1, SHORT_US), 20);
    race_rig_destroy(rig);
}

// The first step leaves the rate alone, the second halves it.
TEST(half_as_many_snapshots_are_the_second_step) {
    race_rig *rig = open_rig();
    size_t viewer = watch(rig);
    run(rig, 2, SHORT_US);
    run(rig, 1, LONG_US);
    ck_assert_uint_eq(snapshots_in(rig, viewer, 2, MIDDLE_US), 40);
    run(rig, 1, LONG_US);
    ck_assert_uint_eq(snapshots_in(rig, viewer, 2, MIDDLE_US), 20);
    race_rig_destroy(rig);
}

static size_t longest_snapshot(race_rig *rig) {
    const apex_link_packet *packets;
    size_t count = apex_server_outbox(race_rig_server(rig), &packets), longest = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_longer = packets[i].channel == APEX_CHANNEL_STATE && packets[i].length > longest;
        longest = is_longer ? packets[i].length : longest;
    }
    return longest;
}

// 60 viewers and 1.44 Mbit/s: 150 bytes for each snapshot, 102 of them without headers. At first
// all cars are told by themselves, 30 bytes each.
TEST(a_narrow_line_is_shared) {
    apex_race_file file = race_file();
    file.snapshot_mbit_per_s_max = 1.44;
    race_rig *rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    for (uint32_t i = 0; i < 60; i++) {
        watch(rig);
    }
    size_t longest = 0;
    for (uint32_t tick = 0; tick < 2 * TICK_HZ; tick++) {
        race_rig_tick(rig, 1);
        size_t now = longest_snapshot(rig);
        longest = now > longest ? now : longest;
    }
    ck_assert_uint_le(longest, 102 + 8);
    ck_assert_uint_ge(longest, 80);
    for (uint32_t i = 0; i < 60; i++) {
        ck_assert_uint_eq(apex_client_newest(race_rig_client(rig, i)).car_count, 12);
    }
    race_rig_destroy(rig);
}

TEST(the_race_is_the_same) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        race_rig *rig = open_rig();
        watch(rig);
        run(rig, 10, i == 0 ? SHORT_US : LONG_US);
        hashes[i] = apex_race_hash(apex_server_race(race_rig_server(rig)));
        race_rig_destroy(rig);
    }
    ck_assert_uint_eq(hashes[0], hashes[1]);
}

// Nine seconds after a step back it is too early to be strained again, the tenth is late enough.
TEST_OVER(ten_seconds_are_too_early, 0, 2) {
    host_overload overload = {.strain = HOST_STRAIN_HALF_RATE};
    spend(&overload, 5, SHORT_US);
    spend(&overload, _i == 0 ? 8 : 9, MIDDLE_US);
    spend(&overload, 1, LONG_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_HALF_RATE);
    spend(&overload, _i == 0 ? 9 : 4, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_HALF_RATE);
    spend(&overload, 1, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_FEWER_CARS);
}

// What comes back too early waits twice as long, not four times since it was strained for two
// seconds.
TEST(one_return_is_too_early_once) {
    host_overload overload = {.strain = HOST_STRAIN_HALF_RATE};
    spend(&overload, 5, SHORT_US);
    spend(&overload, 2, LONG_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_NO_NEWCOMERS);
    spend(&overload, 9, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_NO_NEWCOMERS);
    spend(&overload, 1, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_HALF_RATE);
}

// Sixty seconds after a step back patience is as it was at first; in the fifty-ninth not yet.
TEST_OVER(a_minute_that_went_well_is_forgiven, 0, 2) {
    host_overload overload = {.strain = HOST_STRAIN_HALF_RATE};
    spend(&overload, 5, SHORT_US);
    spend(&overload, 1, LONG_US); // ten from now on
    spend(&overload, 10, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_FEWER_CARS);
    spend(&overload, _i == 0 ? 58 : 59, MIDDLE_US);
    spend(&overload, 1, LONG_US);
    spend(&overload, _i == 0 ? 9 : 4, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_HALF_RATE);
    spend(&overload, 1, SHORT_US);
    ck_assert_int_eq(overload.strain, HOST_STRAIN_FEWER_CARS);
}

// 85 % of 20 ms are 17 ms, 65 % are 13 ms; a tick of just that is neither, and short.
TEST(bounds_of_ticks) {
    static const struct {
        uint64_t work_us;
        uint32_t long_ticks, short_ticks;
    } cases[] = {{17001, 1, 0}, {17000, 0, 0}, {13001, 0, 0}, {13000, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        host_overload overload = {.strain = HOST_STRAIN_NONE};
        host_overload_note(&overload, cases[i].work_us, 20000, TICK_HZ);
        ck_assert_uint_eq(overload.long_ticks, cases[i].long_ticks);
        ck_assert_uint_eq(overload.short_ticks, cases[i].short_ticks);
    }
}
