// Tests that drivers side by side are told of each other between snapshots: as often as they ask
// and the operator gives, in the bytes that snapshots leave, and only while there is time for it.

#include <stdio.h>
#include <string.h>

#include "host/figures/figures.h"
#include "host/host_private.h"
#include "host/views/view_limits.h"
#include "proto/proto.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { TICK_HZ = 60, SECONDS = 4, TICKS = SECONDS * TICK_HZ };

typedef struct heard {
    uint32_t snapshots, between; // with controls, and without
    uint32_t own;                // of the latter, with the exact own car
    uint32_t ticks_doubled;      // in which more than one came
    uint32_t gap_ticks_max;      // without either
    size_t between_bytes_max;    // of a message
} heard;

static race_rig *rig;
static size_t driver, other;

static apex_race_file file_of(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "wide-oval");
    file.race.start_players = 2;
    file.race.player_capacity = 4;
    file.race.lobby_s = 0.0;
    file.race.countdown_s = 1.0;
    file.race.idle_s = 0.0;
    file.race.stuck_s = 0.0;
    return file;
}

static size_t connect(const char *name) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    return race_rig_connect(rig, &def);
}

// Two drivers who stand on the grid side by side, for good.
static void open_with(const apex_race_file *file) {
    rig = race_rig_create(file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    driver = connect("driver");
    other = connect("other");
}

static void race(void) {
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * TICK_HZ));
    race_rig_tick(rig, TICK_HZ);
}

static void stop(void) {
    race_rig_destroy(rig);
    rig = NULL;
}

FIXTURE(NULL, stop)

static void wish(uint32_t nearest_hz) {
    apex_client_message message = {.kind = APEX_CLIENT_SUBSCRIBE,
                                   .subscribe = {.snapshot_hz = 20,
                                                 .encoding = APEX_ENCODING_DELTA,
                                                 .own_car = true,
                                                 .nearest_hz = nearest_hz}};
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(&message, bytes, sizeof bytes);
    ck_assert_uint_gt(length, 0);
    race_rig_inject(rig, driver, APEX_CHANNEL_RELIABLE, bytes, length);
    race_rig_tick(rig, 2);
}

static bool is_delta(const apex_link_packet *packet, apex_server_message *message) {
    static _Alignas(16) uint8_t memory[APEX_DECODE_SCRATCH_BYTES];
    apex_scratch scratch = {memory, sizeof memory};
    return packet->link.index1 == driver + 1 && packet->channel == APEX_CHANNEL_STATE &&
           apex_decode_server(packet->bytes, packet->length, scratch, message, NULL) &&
           message->kind == APEX_SERVER_SNAPSHOT && message->snapshot.delta != NULL;
}

static bool has_controls(const apex_snapshot_message *snapshot) {
    apex_delta_reader reader;
    apex_delta_known known = {.tick_hz = TICK_HZ};
    ck_assert(apex_delta_open(&reader, snapshot->delta, snapshot->delta_length, &known));
    return reader.head.has_controls;
}

// @return how many came in the tick.
static uint32_t note(heard *all, const apex_link_packet packets[], size_t count) {
    static apex_server_message message;
    uint32_t came = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_delta(&packets[i], &message)) {
            continue;
        }
        came++;
        if (has_controls(&message.snapshot)) {
            all->snapshots++;
            continue;
        }
        all->between++;
        all->own += message.snapshot.own != NULL;
        all->between_bytes_max =
            packets[i].length > all->between_bytes_max ? packets[i].length : all->between_bytes_max;
    }
    return came;
}

static heard listen(void) {
    heard all = {0};
    uint32_t gap = 0;
    for (uint32_t i = 0; i < TICKS; i++) {
        const apex_link_packet *packets;
        race_rig_tick(rig, 1);
        size_t count = apex_server_outbox(race_rig_server(rig), &packets);
        uint32_t came = note(&all, packets, count);
        all.ticks_doubled += came > 1;
        gap = came > 0 ? 0 : gap + 1;
        all.gap_ticks_max = gap > all.gap_ticks_max ? gap : all.gap_ticks_max;
    }
    return all;
}

TEST(who_asks_is_told_each_tick_and_of_snapshots_as_ever) {
    apex_race_file file = file_of();
    open_with(&file);
    race();
    wish(60);
    uint64_t before = host_nearest_sent(race_rig_server(rig));
    heard all = listen();
    ck_assert_uint_eq(all.snapshots, 20 * SECONDS);
    ck_assert_uint_eq(all.between, 40 * SECONDS);
    ck_assert_uint_eq(all.ticks_doubled, 0);
    ck_assert_uint_eq(all.gap_ticks_max, 0);
    ck_assert_uint_eq(all.own, 0);
    ck_assert_uint_le(all.between_bytes_max, 48);
    ck_assert_uint_eq(host_nearest_sent(race_rig_server(rig)) - before, 40 * SECONDS);
}

// Every other tick, of which every sixth is a snapshot's.
TEST(thirty_a_second_are_every_other_tick) {
    apex_race_file file = file_of();
    open_with(&file);
    race();
    wish(30);
    heard all = listen();
    ck_assert_uint_eq(all.snapshots, 20 * SECONDS);
    ck_assert_uint_eq(all.between, 20 * SECONDS);
    ck_assert_uint_eq(all.gap_ticks_max, 1);
}

TEST(who_does_not_ask_is_told_in_snapshots) {
    apex_race_file file = file_of();
    open_with(&file);
    race();
    wish(0);
    heard all = listen();
    ck_assert_uint_eq(all.snapshots, 20 * SECONDS);
    ck_assert_uint_eq(all.between, 0);
}

TEST(the_operator_has_the_last_word) {
    apex_race_file file = file_of();
    file.nearest_hz = 30;
    open_with(&file);
    race();
    wish(240);
    ck_assert_uint_eq(listen().between, 20 * SECONDS);
    stop();
    file.nearest_hz = 0;
    open_with(&file);
    race();
    wish(60);
    ck_assert_uint_eq(listen().between, 0);
}

// Held cars go nowhere that one could not foretell.
TEST(nobody_races_before_the_lights) {
    apex_race_file file = file_of();
    file.race.countdown_s = 8.0;
    open_with(&file);
    ck_assert(race_rig_until(rig, APEX_PHASE_COUNTDOWN, 10 * TICK_HZ));
    wish(60);
    heard all = listen();
    ck_assert_uint_eq(all.snapshots, 20 * SECONDS);
    ck_assert_uint_eq(all.between, 0);
    race();
    ck_assert_uint_eq(listen().between, 40 * SECONDS);
}

TEST(alone_there_is_nobody_to_tell_of) {
    apex_race_file file = file_of();
    file.resume_grace_s = 0.0;
    open_with(&file);
    race();
    wish(60);
    race_rig_cut(rig, other);
    race_rig_tick(rig, TICK_HZ);
    heard all = listen();
    ck_assert_uint_eq(all.snapshots, 20 * SECONDS);
    ck_assert_uint_eq(all.between, 0);
}

// Loads are noted in the tests' own words: a rig has no clock that its ticks could be long by.
TEST(who_has_too_much_to_do_leaves_it_out_first) {
    apex_race_file file = file_of();
    open_with(&file);
    race();
    wish(60);
    race_rig_server(rig)->load.overload.strain = HOST_STRAIN_FEWER_CARS;
    heard all = listen();
    ck_assert_uint_eq(all.snapshots, 20 * SECONDS);
    ck_assert_uint_eq(all.between, 0);
    race_rig_server(rig)->load.overload.strain = HOST_STRAIN_NONE;
    ck_assert_uint_eq(listen().between, 40 * SECONDS);
}

TEST(who_says_nothing_is_told_nothing_between) {
    apex_race_file file = file_of();
    file.viewer_silence_s = 12.0;
    open_with(&file);
    race();
    wish(60);
    race_rig_mute(rig, driver);
    race_rig_tick(rig, 7 * TICK_HZ); // past half of it: snapshots come a quarter as often
    heard all = listen();
    ck_assert_uint_eq(all.snapshots, 5 * SECONDS);
    ck_assert_uint_eq(all.between, 0);
}

// 64 bytes to a snapshot are all in the snapshot.
TEST(snapshots_that_are_full_leave_nothing) {
    apex_race_file file = file_of();
    file.snapshot_mbit_per_s_max = 0.05;
    open_with(&file);
    race();
    wish(60);
    heard all = listen();
    ck_assert_uint_eq(all.snapshots, 20 * SECONDS);
    ck_assert_uint_eq(all.between, 0);
}

// What is sent between takes nothing of the share that snapshots have of a server's bandwidth.
TEST(snapshots_have_their_share_all_the_same) {
    host_frame frame = {.outbox_count = 7, .nearest_count = 5, .tick_hz = TICK_HZ};
    host_setup setup = {.file.snapshot_mbit_per_s_max = 0.96};
    frame.setup = &setup;
    // 120,000 bytes a second are 2,000 a tick, for two.
    ck_assert_uint_eq(host_share_of_bandwidth(&frame), 1000 - APEX_SNAPSHOT_HEADERS_BYTES);
    frame.outbox_count = 5;
    ck_assert_uint_eq(host_share_of_bandwidth(&frame), UINT32_MAX);
}
