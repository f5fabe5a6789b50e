// Tests that the operator's numbers are ceilings of what a client may wish, and that what has a
// rate stops for a viewer that says nothing.

#include <stdio.h>
#include <string.h>

#include "host/figures/figures.h"
#include "proto/proto.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { TICK_HZ = 60, CARS = 60, PARTS_SEEN = 32 };

typedef struct heard {
    uint32_t snapshots, telemetry, standings;
    uint32_t ticks_with_snapshots;
    size_t bytes; // of snapshots
    size_t bytes_in_a_tick_max;
    uint32_t parts, parts_seen; // of the newest snapshot; bits of all
} heard;

static race_rig *rig;
static size_t viewer;

static apex_race_file file_of(uint32_t bots) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "wide-oval");
    file.bots = file.race.start_players = bots;
    file.race.player_capacity = bots + 2;
    file.race.lobby_s = file.race.countdown_s = 0.0;
    return file;
}

static void open_with(const apex_race_file *file) {
    rig = race_rig_create(file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    apex_client_def def = apex_default_client_def();
    def.spectate = true;
    viewer = race_rig_connect(rig, &def);
    race_rig_tick(rig, TICK_HZ);
}

static void stop(void) {
    race_rig_destroy(rig);
    rig = NULL;
}

FIXTURE(NULL, stop)

static void say(const apex_client_message *message) {
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(message, bytes, sizeof bytes);
    ck_assert_uint_gt(length, 0);
    uint8_t channel = (uint8_t)apex_client_message_channel(message->kind);
    race_rig_inject(rig, viewer, channel, bytes, length);
}

static void wish(apex_subscribe wishes) {
    say(&(apex_client_message){.kind = APEX_CLIENT_SUBSCRIBE, .subscribe = wishes});
}

static void note(heard *all, const apex_link_packet *packet, size_t *tick_bytes) {
    static _Alignas(16) uint8_t memory[APEX_DECODE_SCRATCH_BYTES];
    apex_scratch scratch = {memory, sizeof memory};
    static apex_server_message message;
    if (!apex_decode_server(packet->bytes, packet->length, scratch, &message, NULL)) {
        return; // too long for this scratch: a definition
    }
    all->telemetry += message.kind == APEX_SERVER_TELEMETRY;
    all->standings += message.kind == APEX_SERVER_STANDINGS;
    if (message.kind == APEX_SERVER_SNAPSHOT) {
        all->snapshots++;
        *tick_bytes += packet->length;
        all->parts = message.snapshot.parts;
        all->parts_seen |= 1u << (message.snapshot.part % PARTS_SEEN);
    }
}

static heard listen(double seconds) {
    heard all = {0};
    for (uint32_t i = 0; i < (uint32_t)(seconds * TICK_HZ); i++) {
        const apex_link_packet *packets;
        size_t bytes = 0;
        race_rig_tick(rig, 1);
        size_t count = apex_server_outbox(race_rig_server(rig), &packets);
        for (size_t p = 0; p < count; p++) {
            note(&all, &packets[p], &bytes);
        }
        all.bytes += bytes;
        all.ticks_with_snapshots += bytes > 0;
        all.bytes_in_a_tick_max = bytes > all.bytes_in_a_tick_max ? bytes : all.bytes_in_a_tick_max;
    }
    return all;
}

static uint32_t car_of(const char *name) {
    return apex_car_wire_id(race_rig_standing(rig, name).car_id);
}

TEST(rates_are_the_operators_at_most) {
    apex_race_file file = file_of(4);
    file.snapshot_hz = 10;
    file.telemetry_hz = 15;
    open_with(&file);
    apex_subscribe wishes = {.snapshot_hz = 240, .telemetry_hz = 240, .focus_car = car_of("Bot 2")};
    wish(wishes);
    race_rig_tick(rig, 2);
    heard all = listen(4.0);
    ck_assert_uint_eq(all.snapshots, 40);
    ck_assert_uint_eq(all.telemetry, 60);
    wishes.snapshot_hz = 5; // less than that is given
    wishes.telemetry_hz = 3;
    wish(wishes);
    race_rig_tick(rig, 2);
    all = listen(4.0);
    ck_assert_uint_eq(all.snapshots, 20);
    ck_assert_uint_eq(all.telemetry, 12);
}

TEST(no_telemetry_where_the_operator_gives_none) {
    apex_race_file file = file_of(2);
    file.telemetry_hz = 0;
    open_with(&file);
    wish((apex_subscribe){.snapshot_hz = 20, .telemetry_hz = 20, .focus_car = car_of("Bot 2")});
    race_rig_tick(rig, 2);
    heard all = listen(1.0);
    ck_assert_uint_eq(all.snapshots, 20);
    ck_assert_uint_eq(all.telemetry, 0);
}

// The number of parts changes as cars take longer or shorter numbers.
static void assert_all_seen(const heard *all) {
    uint32_t wanted = (1u << all->parts) - 1;
    ck_assert_uint_eq(all->parts_seen & wanted, wanted);
}

// Of 60 cars a whole snapshot takes 2.5 kB: as much as fits goes, and the rest in turn.
TEST(whole_snapshots_keep_to_the_budget_and_leave_nobody_out) {
    static const apex_snapshot_preset presets[] = {APEX_SNAPSHOTS_INTERNET, APEX_SNAPSHOTS_CROWD};
    for (size_t i = 0; i < 2; i++) {
        apex_race_file file = file_of(CARS);
        file.snapshots = presets[i];
        open_with(&file);
        wish((apex_subscribe){.snapshot_hz = 20});
        race_rig_tick(rig, 2);
        heard all = listen(1.5);
        ck_assert_uint_gt(all.bytes_in_a_tick_max, 500);
        ck_assert_uint_le(all.bytes_in_a_tick_max, 1184); // a spectator's
        ck_assert_uint_eq(all.ticks_with_snapshots, 30);
        ck_assert_uint_gt(all.parts, 2);
        ck_assert_uint_lt(all.parts, PARTS_SEEN);
        assert_all_seen(&all);
        stop();
    }
}

TEST(whole_snapshots_keep_to_the_servers_bandwidth) {
    apex_race_file file = file_of(CARS);
    file.snapshot_mbit_per_s_max = 0.2; // 417 bytes a tick, with headers
    open_with(&file);
    wish((apex_subscribe){.snapshot_hz = 20});
    race_rig_tick(rig, 2);
    heard all = listen(3.0);
    ck_assert_uint_le(all.bytes_in_a_tick_max, 417);
    ck_assert_uint_gt(all.bytes, 60 * 250);
    assert_all_seen(&all);
}

// Twelve cars fit, and come as ever.
TEST(few_cars_come_whole) {
    apex_race_file file = file_of(10);
    open_with(&file);
    wish((apex_subscribe){.snapshot_hz = 20});
    race_rig_tick(rig, 2);
    heard all = listen(1.0);
    ck_assert_uint_eq(all.snapshots, 20);
    ck_assert_uint_eq(all.parts, 1);
}

static uint64_t pauses(void) {
    host_refusal rows[HOST_REFUSALS_MAX];
    size_t count = host_refusals(race_rig_server(rig), rows);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, "paused-silent") == 0) {
            return rows[i].count;
        }
    }
    return UINT64_MAX;
}

TEST(who_says_nothing_is_told_less_and_then_nothing) {
    apex_race_file file = file_of(4);
    file.viewer_silence_s = 8.0;
    open_with(&file);
    race_rig_mute(rig, viewer);
    wish((apex_subscribe){
        .snapshot_hz = 20, .telemetry_hz = 20, .standings = true, .focus_car = car_of("Bot 2")});
    race_rig_tick(rig, 2);
    heard all = listen(3.5);
    ck_assert_uint_eq(all.snapshots, 70);
    ck_assert_uint_eq(all.telemetry, 70);
    ck_assert_uint_eq(all.standings, 7);
    race_rig_tick(rig, TICK_HZ);
    all = listen(3.0); // past half of it: a quarter
    ck_assert_uint_eq(all.snapshots, 15);
    ck_assert_uint_eq(all.telemetry, 15);
    race_rig_tick(rig, TICK_HZ);
    all = listen(20.0);
    ck_assert_uint_eq(all.snapshots + all.telemetry + all.standings, 0);
    ck_assert_uint_eq(pauses(), 1);
    // Any word will do.
    say(&(apex_client_message){.kind = APEX_CLIENT_TIME_REQUEST, .client_us = 1});
    race_rig_tick(rig, 2);
    all = listen(1.0);
    ck_assert_uint_eq(all.snapshots, 20);
    ck_assert_uint_eq(all.standings, 2);
}

TEST(who_speaks_now_and_then_is_told_all) {
    apex_race_file file = file_of(4);
    file.viewer_silence_s = 2.5;
    open_with(&file); // the library asks for the time about once a second
    heard all = listen(10.0);
    ck_assert_uint_eq(all.snapshots, 200);
}

TEST(silence_may_be_allowed) {
    apex_race_file file = file_of(4);
    file.viewer_silence_s = 0.0;
    open_with(&file);
    race_rig_mute(rig, viewer);
    race_rig_tick(rig, 30 * TICK_HZ);
    ck_assert_uint_eq(listen(1.0).snapshots, 20);
}
