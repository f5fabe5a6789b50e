// Tests of the way from the race to the datagrams of a viewer, and back again.
#include "unit/race/test_race_scene.h"

#include "replicate/replicate.h"
#include "support/base/check_main.h"
#include "support/proto/wire_cars.h"

enum { CARS_MAX = 8192, PARTS_MAX = CARS_MAX };

static _Alignas(64) uint8_t scratch_bytes[APEX_DECODE_SCRATCH_BYTES];
static apex_wire_car cars[CARS_MAX];
static apex_arena frame;

static void frame_begin(void) {
    ck_assert_int_eq(apex_arena_create(&frame, 4 * 1024 * 1024), APEX_OK);
}

enum { SLOTS = 24 };

static void assert_captured(const apex_race *race) {
    apex_arena_reset(&frame);
    apex_snapshot snapshot = apex_replicate_capture(race, &frame);
    apex_race_status status = apex_race_status_of(race);
    ck_assert_uint_eq(snapshot.tick, status.tick);
    ck_assert_uint_eq(snapshot.phase, (uint32_t)status.phase);
    ck_assert_int_eq(snapshot.race_time_ms, status.race_time_us / 1000);
    apex_car_pose poses[SLOTS];
    size_t count = apex_world_poses(apex_race_world(race), poses, SLOTS);
    ck_assert_uint_eq(snapshot.car_count, count);
    for (uint32_t i = 1; i < snapshot.car_count; i++) {
        ck_assert_uint_lt(snapshot.cars[i - 1].id, snapshot.cars[i].id);
    }
    for (size_t i = 0; i < count; i++) { // ids differ, so each pose has one car of its own
        apex_wire_car wanted = apex_replicate_quantise(&poses[i]);
        bool found = false;
        for (uint32_t j = 0; j < snapshot.car_count; j++) {
            found = found || wire_cars_equal(&wanted, &snapshot.cars[j]);
        }
        ck_assert_msg(found, "no car %08x", wanted.id);
    }
}

// Players come and go until slots have generations in any order.
TEST(every_car_is_captured_sorted_by_id) {
    frame_begin();
    apex_track *track = scene_ring(120.0);
    apex_race_def def = scene_race_def(SLOTS);
    apex_race *race = scene_race(&def, track);
    apex_player_id players[SLOTS] = {{0, 0}};
    assert_captured(race);
    uint32_t random = 1;
    bool out_of_order = false;
    for (int round = 0; round < 300; round++) {
        random = random * 1664525u + 1013904223u;
        apex_player_id *player = &players[(random >> 16) % SLOTS];
        if (player->index1 != 0) {
            ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, *player), APEX_OK);
            *player = (apex_player_id){0, 0};
        } else {
            *player = scene_join(race, "driver");
        }
        scene_tick(race, NULL);
        assert_captured(race);
        apex_car_pose poses[SLOTS];
        size_t count = apex_world_poses(apex_race_world(race), poses, SLOTS);
        for (size_t i = 1; i < count; i++) {
            out_of_order =
                out_of_order || apex_car_wire_id(poses[i - 1].id) > apex_car_wire_id(poses[i].id);
        }
    }
    ck_assert(out_of_order); // or the sorting was never asked for
    apex_race_destroy(race);
    apex_track_destroy(track);
    apex_arena_destroy(&frame);
}

TEST(the_race_clock_is_captured_before_and_after_the_start) {
    frame_begin();
    apex_track *track = scene_ring(120.0);
    apex_race_def def = scene_race_def(SLOTS);
    apex_race *race = scene_race(&def, track);
    scene_join_driver(race, "ada", 1.0);
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, (apex_player_id){0, 0}), APEX_OK);
    scene_until(race, APEX_PHASE_COUNTDOWN, 600);
    scene_tick(race, NULL);
    assert_captured(race);
    ck_assert_int_lt(apex_replicate_capture(race, &frame).race_time_ms, -2900);
    scene_until(race, APEX_PHASE_RACE, 600);
    for (int i = 0; i < 120; i++) {
        scene_tick(race, NULL);
    }
    assert_captured(race);
    ck_assert_int_gt(apex_replicate_capture(race, &frame).race_time_ms, 1900);
    apex_race_destroy(race);
    apex_track_destroy(track);
    apex_arena_destroy(&frame);
}

TEST(a_full_frame_captures_no_cars) {
    apex_track *track = scene_ring(120.0);
    apex_race_def def = scene_race_def(SLOTS);
    apex_race *race = scene_race(&def, track);
    for (int i = 0; i < SLOTS; i++) {
        scene_join(race, "ada");
    }
    ck_assert_int_eq(apex_arena_create(&frame, 1024), APEX_OK);
    apex_snapshot snapshot = apex_replicate_capture(race, &frame);
    ck_assert_uint_eq(snapshot.car_count, 0);
    apex_snapshot_parts parts = apex_replicate_cut(&snapshot, UINT32_MAX, &frame);
    ck_assert_uint_eq(parts.count, 1);
    ck_assert_uint_eq(parts.first[1], 0);
    apex_arena_destroy(&frame);
    apex_race_destroy(race);
    apex_track_destroy(track);
}

static apex_wire_car small_car(uint32_t id) {
    return (apex_wire_car){.id = id, .x_mm = (int32_t)id};
}

// Each field as long as it can be on the wire.
static apex_wire_car long_car(uint32_t id) {
    return (apex_wire_car){
        .id = id,
        .x_mm = INT32_MIN,
        .y_mm = INT32_MIN,
        .z_mm = INT32_MAX,
        .yaw_q = INT16_MIN,
        .pitch_q = INT16_MIN,
        .roll_q = INT16_MAX,
        .vx_cmps = INT16_MIN,
        .vy_cmps = INT16_MIN,
        .vz_cmps = INT16_MAX,
        .yaw_rate_q = INT16_MIN,
        .steer_q = INT16_MIN,
        .rpm = UINT16_MAX,
        .gear = -1,
        .throttle = 255,
        .brake = 255,
        .flags = 31,
        .damage = 255,
        .damage_zones = 0xFFFFF,
    };
}

static apex_snapshot snapshot_of(uint32_t count, bool is_long) {
    for (uint32_t i = 0; i < count; i++) {
        cars[i] = is_long ? long_car(0xffff0001u + i) : small_car(i + 1);
    }
    return (apex_snapshot){
        .tick = UINT32_MAX,
        .phase = APEX_PHASE_OVER,
        .race_time_ms = INT32_MIN,
        .car_count = count,
        .cars = cars,
    };
}

static apex_viewer viewer_of(uint32_t own_car) {
    return (apex_viewer){
        .own_car = own_car, .controls_tick = UINT32_MAX, .controls_depth = INT32_MIN};
}

// Decodes one packet, compares its cars with the captured ones; @return its part.
static uint32_t assert_packet(const apex_snapshot *snapshot, const apex_snapshot_parts *parts,
                              const apex_viewer_packets *packets, uint32_t packet) {
    ck_assert_uint_gt(packets->length[packet], 0);
    ck_assert_uint_le(packets->length[packet], APEX_DATAGRAM_BYTES_MAX);
    apex_scratch scratch = {scratch_bytes, sizeof scratch_bytes};
    static apex_server_message message;
    const char *why = "";
    bool good = apex_decode_server(packets->bytes[packet], packets->length[packet], scratch,
                                   &message, &why);
    ck_assert_msg(good, "%s", why);
    ck_assert_int_eq(message.kind, APEX_SERVER_SNAPSHOT);
    const apex_snapshot_message *got = &message.snapshot;
    ck_assert_uint_eq(got->tick, snapshot->tick);
    ck_assert_uint_eq(got->phase, snapshot->phase);
    ck_assert_int_eq(got->race_time_ms, snapshot->race_time_ms);
    ck_assert_uint_eq(got->controls_tick, UINT32_MAX);
    ck_assert_int_eq(got->controls_depth, INT32_MIN);
    ck_assert_uint_eq(got->parts, parts->count);
    ck_assert_uint_lt(got->part, parts->count);
    uint32_t first = parts->first[got->part];
    ck_assert_uint_eq(got->car_count, parts->first[got->part + 1] - first);
    for (uint32_t i = 0; i < got->car_count; i++) {
        if (!wire_cars_equal(&got->cars[i], &snapshot->cars[first + i])) {
            ck_abort_msg("car %u of part %u differs", i, got->part);
        }
    }
    return got->part;
}

static void assert_covers(const apex_snapshot *snapshot, const apex_snapshot_parts *parts) {
    ck_assert_uint_ge(parts->count, 1);
    ck_assert_uint_eq(parts->first[0], 0);
    ck_assert_uint_eq(parts->first[parts->count], snapshot->car_count);
    for (uint32_t part = 0; part < parts->count && snapshot->car_count > 0; part++) {
        ck_assert_uint_lt(parts->first[part], parts->first[part + 1]);
    }
}

// All parts are encoded, whatever a viewer would get of them.
static void assert_cut(uint32_t count, bool is_long) {
    apex_arena_reset(&frame);
    apex_snapshot snapshot = snapshot_of(count, is_long);
    apex_snapshot_parts parts = apex_replicate_cut(&snapshot, UINT32_MAX, &frame);
    assert_covers(&snapshot, &parts);
    // Full datagrams: 64 short cars or at least 14 of the longest in each but the last.
    uint32_t fit = is_long ? 14 : APEX_SNAPSHOT_CARS_MAX;
    ck_assert_uint_le(parts.count, count == 0 ? 1 : (count + fit - 1) / fit);
    static bool seen[PARTS_MAX];
    memset(seen, 0, sizeof seen);
    apex_viewer viewer = viewer_of(0);
    static apex_viewer_packets packets;
    for (uint32_t snapshots = 0; snapshots < parts.count; snapshots++) {
        apex_replicate_encode(&snapshot, &parts, NULL, &viewer, &packets);
        viewer.next_part = packets.next_part;
        for (uint32_t i = 0; i < packets.count; i++) {
            seen[assert_packet(&snapshot, &parts, &packets, i)] = true;
        }
    }
    for (uint32_t part = 0; part < parts.count; part++) {
        ck_assert(seen[part]);
    }
}

TEST(parts_fit_datagrams_and_hold_each_car_once) {
    frame_begin();
    static const uint32_t counts[] = {0, 1, 13, 14, 15, 17, 63, 64, 65, 128, 129, 700};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        assert_cut(counts[i], false);
        assert_cut(counts[i], true);
    }
    apex_arena_destroy(&frame);
}

TEST(the_most_cars_are_cut_within_the_frame) {
    frame_begin();
    apex_snapshot snapshot = snapshot_of(CARS_MAX, true);
    apex_snapshot_parts parts = apex_replicate_cut(&snapshot, UINT32_MAX, &frame);
    assert_covers(&snapshot, &parts);
    ck_assert_uint_ge(parts.count, CARS_MAX / APEX_SNAPSHOT_CARS_MAX);
    apex_arena_destroy(&frame);
}

TEST(few_parts_all_go_in_order) {
    frame_begin();
    apex_snapshot snapshot = snapshot_of(8 * APEX_SNAPSHOT_CARS_MAX, false);
    apex_snapshot_parts parts = apex_replicate_cut(&snapshot, UINT32_MAX, &frame);
    ck_assert_uint_eq(parts.count, APEX_VIEWER_PARTS_MAX);
    apex_viewer viewer = viewer_of(300);
    apex_viewer_packets packets;
    for (int round = 0; round < 3; round++) {
        apex_replicate_encode(&snapshot, &parts, NULL, &viewer, &packets);
        viewer.next_part = packets.next_part;
        ck_assert_uint_eq(packets.count, APEX_VIEWER_PARTS_MAX);
        for (uint32_t i = 0; i < packets.count; i++) {
            ck_assert_uint_eq(assert_packet(&snapshot, &parts, &packets, i), i);
        }
    }
    apex_arena_destroy(&frame);
}

// A part is never older than it takes to send all others round in turn, from any beginning.
static void assert_turns(uint32_t part_count, uint32_t own_car, uint32_t start) {
    apex_arena_reset(&frame);
    apex_snapshot snapshot = snapshot_of(part_count * APEX_SNAPSHOT_CARS_MAX, false);
    apex_snapshot_parts parts = apex_replicate_cut(&snapshot, UINT32_MAX, &frame);
    ck_assert_uint_eq(parts.count, part_count);
    apex_viewer viewer = viewer_of(own_car);
    viewer.next_part = start;
    uint32_t own = own_car > 0 ? (own_car - 1) / APEX_SNAPSHOT_CARS_MAX : 0;
    uint32_t longest = (part_count - 1 + APEX_VIEWER_PARTS_MAX - 2) / (APEX_VIEWER_PARTS_MAX - 1);
    uint32_t last_seen[64] = {0};
    for (uint32_t number = 1; number <= 6 * longest; number++) {
        static apex_viewer_packets packets;
        apex_replicate_encode(&snapshot, &parts, NULL, &viewer, &packets);
        viewer.next_part = packets.next_part;
        ck_assert_uint_eq(packets.count, APEX_VIEWER_PARTS_MAX);
        uint64_t sent = 0;
        for (uint32_t i = 0; i < packets.count; i++) {
            uint32_t part = assert_packet(&snapshot, &parts, &packets, i);
            ck_assert_uint_eq(sent >> part & 1u, 0); // none twice in one snapshot
            sent |= UINT64_C(1) << part;
            last_seen[part] = number;
        }
        ck_assert_uint_eq(last_seen[own], number);
        for (uint32_t part = 0; part < part_count; part++) {
            ck_assert_uint_le(number - last_seen[part], longest);
        }
    }
}

TEST(many_parts_take_turns_and_the_own_one_always_goes) {
    frame_begin();
    static const uint32_t counts[] = {9, 10, 15, 16, 17, 40};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint32_t last_car = counts[i] * APEX_SNAPSHOT_CARS_MAX;
        const uint32_t owns[] = {0, 1, 64, 65, 500, last_car};
        for (size_t j = 0; j < sizeof owns / sizeof owns[0]; j++) {
            assert_turns(counts[i], owns[j], 0);
            assert_turns(counts[i], owns[j], counts[i] - 1);
            assert_turns(counts[i], owns[j], 1000); // there were more cars before
        }
    }
    apex_arena_destroy(&frame);
}

TEST(a_car_that_is_gone_costs_its_viewer_nothing) {
    frame_begin();
    apex_snapshot snapshot = snapshot_of(12 * APEX_SNAPSHOT_CARS_MAX, false);
    apex_snapshot_parts parts = apex_replicate_cut(&snapshot, UINT32_MAX, &frame);
    apex_viewer viewer = viewer_of(0x70001); // above all that are there
    static apex_viewer_packets packets;
    uint32_t seen = 0;
    for (int i = 0; i < 2; i++) {
        apex_replicate_encode(&snapshot, &parts, NULL, &viewer, &packets);
        viewer.next_part = packets.next_part;
        for (uint32_t packet = 0; packet < packets.count; packet++) {
            seen |= 1u << assert_packet(&snapshot, &parts, &packets, packet);
        }
    }
    ck_assert_uint_eq(seen, 0xfff);
    apex_arena_destroy(&frame);
}

TEST(viewers_are_due_once_a_period_and_spread_evenly) {
    enum { VIEWERS = 1000 };
    static const uint32_t periods[] = {1, 2, 3, 7, 60};
    for (size_t i = 0; i < sizeof periods / sizeof periods[0]; i++) {
        uint32_t period = periods[i];
        uint32_t due_of[VIEWERS] = {0};
        for (uint64_t tick = 0; tick < period; tick++) {
            uint32_t due = 0;
            for (uint32_t turn = 0; turn < VIEWERS; turn++) {
                apex_viewer viewer = {.period_ticks = period, .turn = turn + 17};
                bool is_due = apex_viewer_is_due(&viewer, UINT64_C(0x100000000) * period + tick);
                due += is_due;
                due_of[turn] += is_due;
            }
            ck_assert_uint_ge(due, VIEWERS / period);
            ck_assert_uint_le(due, VIEWERS / period + 1);
        }
        for (uint32_t turn = 0; turn < VIEWERS; turn++) {
            ck_assert_uint_eq(due_of[turn], 1);
        }
    }
    apex_viewer none = {.period_ticks = 0};
    ck_assert(!apex_viewer_is_due(&none, 0));
}
