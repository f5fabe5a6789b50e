// The own car as a viewer gets it: the race's car bit for bit, within the datagrams there are.
#include "unit/race/test_race_scene.h"

#include "replicate/replicate.h"
#include "support/base/check_main.h"

#include <string.h>

enum { SLOTS = 40, WARM_TICKS = 400 };

static _Alignas(64) uint8_t scratch_bytes[APEX_DECODE_SCRATCH_BYTES];
static apex_arena frame;
static apex_track *track;
static apex_race *race;
static apex_player_id players[SLOTS];

// Cars with wheels that turn, tyres that are warm and engines that rev.
static void set_up(uint32_t cars) {
    ck_assert_int_eq(apex_arena_create(&frame, 4 * 1024 * 1024), APEX_OK);
    track = scene_ring(120.0);
    apex_race_def def = scene_race_def(SLOTS);
    race = scene_race(&def, track);
    for (uint32_t i = 0; i < cars; i++) {
        players[i] = scene_join_driver(race, "ada", 0.9);
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, (apex_player_id){0, 0}), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 900);
    for (int i = 0; i < WARM_TICKS; i++) {
        scene_tick(race, NULL);
    }
}

static void tear_down(void) {
    apex_race_destroy(race);
    apex_track_destroy(track);
    apex_arena_destroy(&frame);
}

static apex_car_id car_of(uint32_t player) {
    apex_standing standing;
    ck_assert(apex_race_player_standing(race, players[player], &standing));
    return standing.car_id;
}

TEST(it_holds_what_physics_holds) {
    set_up(1);
    apex_own_car own;
    apex_car_state state;
    apex_viewer viewer = {.own_car = apex_car_wire_id(car_of(0)), .wants_own_car = true};
    ck_assert(apex_replicate_own_car(apex_race_world(race), &viewer, &own));
    ck_assert(apex_world_get_car(apex_race_world(race), car_of(0), &state));
    ck_assert_uint_eq(own.wheel_count, 4);
    ck_assert_double_gt(state.wheels[3].spin_radps, 5.0); // it drives
#define SAME(field) ck_assert((double)own.field == state.field && own.field != 0)
    SAME(position_m[0]);
    SAME(position_m[2]);
    SAME(orientation[0]);
    SAME(orientation[3]);
    SAME(velocity_mps[0]);
    SAME(velocity_mps[1]);
    SAME(angular_radps[2]);
    SAME(wheels[0].spin_radps);
    SAME(wheels[1].deflection_long_m);
    SAME(wheels[2].deflection_lat_m);
    SAME(wheels[3].travel_m);
    SAME(wheels[0].travel_mps);
    SAME(wheels[1].temperature_c);
    SAME(wheels[2].brake_temperature_c);
    SAME(steer_rad);
    SAME(engine_radps);
    SAME(fuel_kg);
    SAME(acceleration_mps2[0]);
    SAME(acceleration_mps2[1]);
    ck_assert_int_eq(own.gear, state.gear);
    ck_assert_int_eq(own.gear_before, state.gear_before);
    ck_assert_uint_eq(own.flags, state.counters_known ? APEX_OWN_FLAG_COUNTERS_KNOWN : 0);
    viewer.own_car = 0;
    ck_assert(!apex_replicate_own_car(apex_race_world(race), &viewer, &own));
    viewer.own_car = 0x7fff0001;
    ck_assert(!apex_replicate_own_car(apex_race_world(race), &viewer, &own));
    tear_down();
}

// Looks through a viewer's packets. @return parts with an own car, which is compared with `wanted`.
static uint32_t own_cars_in(const apex_viewer_packets *packets, const apex_own_car *wanted,
                            uint32_t cars) {
    uint32_t found = 0, seen = 0;
    for (uint32_t i = 0; i < packets->count; i++) {
        static apex_server_message message;
        apex_scratch scratch = {scratch_bytes, sizeof scratch_bytes};
        const char *why = "";
        ck_assert_uint_le(packets->length[i], APEX_DATAGRAM_BYTES_MAX);
        bool good =
            apex_decode_server(packets->bytes[i], packets->length[i], scratch, &message, &why);
        ck_assert_msg(good, "%s", why);
        ck_assert_uint_eq(message.snapshot.part, i);
        ck_assert_uint_eq(message.snapshot.parts, packets->count);
        seen += message.snapshot.car_count;
        if (message.snapshot.own != NULL) {
            ck_assert(memcmp(message.snapshot.own, wanted, sizeof *wanted) == 0);
            found++;
        }
    }
    ck_assert_uint_eq(seen, cars);
    return found;
}

TEST(who_asks_gets_it_once_in_each_snapshot) {
    static const uint32_t counts[] = {1, 12, 20, 24, SLOTS};
    bool went_along = false, went_apart = false;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        set_up(counts[i]);
        apex_snapshot snapshot = apex_replicate_capture(race, &frame);
        apex_snapshot_parts parts = apex_replicate_cut(&snapshot, UINT32_MAX, &frame);
        for (uint32_t player = 0; player < counts[i]; player++) {
            static apex_viewer_packets packets;
            apex_viewer viewer = {.own_car = apex_car_wire_id(car_of(player))};
            apex_own_car own;
            memset(&own, 0, sizeof own);
            ck_assert(!apex_replicate_own_car(apex_race_world(race), &viewer, &own));
            apex_replicate_encode(&snapshot, &parts, NULL, &viewer, &packets);
            ck_assert_uint_eq(own_cars_in(&packets, &own, counts[i]), 0);
            ck_assert_uint_eq(packets.count, parts.count);
            viewer.wants_own_car = true;
            ck_assert(apex_replicate_own_car(apex_race_world(race), &viewer, &own));
            apex_replicate_encode(&snapshot, &parts, &own, &viewer, &packets);
            ck_assert_uint_eq(own_cars_in(&packets, &own, counts[i]), 1);
            ck_assert_uint_le(packets.count, parts.count + 1);
            went_along |= packets.count == parts.count;
            went_apart |= packets.count != parts.count;
            viewer.own_car = 0; // a spectator may ask, too
            ck_assert(!apex_replicate_own_car(apex_race_world(race), &viewer, &own));
        }
        tear_down();
    }
    ck_assert(went_along && went_apart); // or one of the two ways was not taken
}
