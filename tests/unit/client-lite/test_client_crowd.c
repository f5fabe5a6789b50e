// links: content replicate
// Drivers by the thousand, a few of them in a world: what their snapshots show is all they know.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/load/crowd/crowd.h"
#include "content/content.h"
#include "replicate/replicate.h"
#include "support/base/check_main.h"

enum { TICK_HZ = 60, CARS = 8, TURN_TICKS = 2 };

typedef struct outing {
    apex_track *track;
    apex_car_def car;
    client_crowd_line *line;
    apex_world *world;
    apex_car_id cars[CARS];
    client_crowd_driver drivers[CARS];
    apex_controls controls[CARS];
    double s_m[CARS], way_m[CARS];
} outing;

static void begin(outing *out, const char *track, client_crowd_manner manner) {
    memset(out, 0, sizeof *out);
    apex_content_problem problem = {{0}};
    apex_track_def def;
    ck_assert_int_eq(apex_content_load_track(track, NULL, &def, &problem), APEX_OK);
    ck_assert_int_eq(apex_track_create(&def, &out->track, NULL), APEX_OK);
    apex_track_def_free(&def);
    ck_assert_int_eq(apex_content_load_car("boxster-s", NULL, &out->car, &problem), APEX_OK);
    out->line = client_crowd_line_create(out->track, &out->car);
    ck_assert_ptr_nonnull(out->line);
    apex_world_def world = apex_default_world_def();
    world.car_capacity = CARS;
    world.tick_hz = TICK_HZ;
    ck_assert_int_eq(apex_world_create(&world, apex_track_ground(out->track),
                                       apex_track_walls(out->track), &out->world),
                     APEX_OK);
    apex_car_type type;
    ck_assert_int_eq(apex_world_add_type(out->world, &out->car, &type), APEX_OK);
    for (uint32_t i = 0; i < CARS; i++) {
        apex_placement at = apex_track_grid_placement(out->track, i);
        ck_assert_int_eq(apex_world_add_car(out->world, type, &at, &out->cars[i]), APEX_OK);
        out->drivers[i] = client_crowd_driver_create(manner, i);
        out->s_m[i] = apex_track_find(out->track, at.x_m, at.y_m, at.z_m).s_m;
    }
}

static void end(outing *out) {
    apex_world_destroy(out->world);
    client_crowd_line_destroy(out->line);
    apex_track_destroy(out->track);
}

static apex_controls controls_of(const apex_control_sample *sample) {
    return (apex_controls){.steer = sample->steer,
                           .throttle = sample->throttle,
                           .brake = sample->brake,
                           .gear = sample->gear,
                           .reset_count = sample->reset,
                           .aids_off = sample->aids_off};
}

static void drive(outing *out, uint32_t ticks) {
    for (uint32_t tick = 0; tick < ticks; tick++) {
        for (uint32_t i = 0; i < CARS; i++) {
            apex_car_pose pose;
            ck_assert(apex_world_pose(out->world, out->cars[i], &pose));
            apex_track_place place =
                apex_track_project(out->track, pose.position_m[0], pose.position_m[1], out->s_m[i]);
            out->way_m[i] += apex_track_gap_m(out->track, out->s_m[i], place.s_m);
            out->s_m[i] = place.s_m;
            if (tick % TURN_TICKS != 0) {
                continue;
            }
            ck_assert_msg(place.on_road, "car %u is off the road at %.0f m", i, place.s_m);
            apex_wire_car car = apex_replicate_quantise(&pose);
            apex_control_sample sample =
                client_crowd_drive(&out->drivers[i], out->line, &car, true, 0.0);
            out->controls[i] = controls_of(&sample);
        }
        apex_world_step(out->world, out->controls, NULL);
    }
}

// A lap and a half of the oval in as many minutes: nobody leaves the road, nobody asks for help.
TEST(racers_get_round) {
    static outing out;
    begin(&out, "oval", CLIENT_CROWD_RACE);
    drive(&out, 90 * TICK_HZ);
    for (uint32_t i = 0; i < CARS; i++) {
        ck_assert_msg(out.way_m[i] > 1.5 * 1609.0, "car %u came %.0f m", i, out.way_m[i]);
        ck_assert_uint_eq(out.drivers[i].controls.reset, 0);
    }
    end(&out);
}

TEST(racers_keep_their_lanes_on_a_wide_road) {
    static outing out;
    begin(&out, "wide-oval", CLIENT_CROWD_RACE);
    drive(&out, 75 * TICK_HZ); // past the bend after the start
    for (uint32_t i = 0; i < CARS; i++) {
        apex_car_pose pose;
        ck_assert(apex_world_pose(out.world, out.cars[i], &pose));
        double offset_m =
            apex_track_project(out.track, pose.position_m[0], pose.position_m[1], out.s_m[i])
                .offset_m;
        double lane_m = 22.75 - 6.5 * i; // as the grid's columns are
        ck_assert_msg(fabs(offset_m - lane_m) < 1.5, "car %u is %.1f m beside its lane", i,
                      offset_m - lane_m);
        ck_assert_double_ge(out.way_m[i], 2600.0);
    }
    end(&out);
}

TEST(cruisers_keep_their_speed) {
    static outing out;
    begin(&out, "oval", CLIENT_CROWD_CRUISE);
    drive(&out, 20 * TICK_HZ);
    double before_m[CARS];
    memcpy(before_m, out.way_m, sizeof before_m);
    drive(&out, 10 * TICK_HZ);
    for (uint32_t i = 0; i < CARS; i++) {
        double speed_mps = (out.way_m[i] - before_m[i]) / 10.0;
        ck_assert_msg(speed_mps > 18.0 && speed_mps < 21.0, "car %u goes %.1f m/s", i, speed_mps);
    }
    end(&out);
}

TEST(the_idle_and_the_early_do_nothing) {
    static outing out;
    begin(&out, "oval", CLIENT_CROWD_RACE);
    apex_wire_car car = {.id = 1};
    client_crowd_driver idle = client_crowd_driver_create(CLIENT_CROWD_IDLE, 1);
    client_crowd_driver racer = client_crowd_driver_create(CLIENT_CROWD_RACE, 1);
    apex_control_sample sample = client_crowd_drive(&idle, out.line, &car, true, 0.0);
    ck_assert(sample.throttle == 0 && sample.brake == 0 && sample.steer == 0);
    sample = client_crowd_drive(&racer, out.line, &car, false, 0.0);
    ck_assert(sample.throttle == 0 && sample.brake == 255);
    sample = client_crowd_drive(&racer, out.line, NULL, true, 0.0);
    ck_assert(sample.throttle == 0);
    sample = client_crowd_drive(&racer, NULL, &car, true, 0.0);
    ck_assert(sample.throttle == 0);
    end(&out);
}

// A driver who does not move in five seconds is put back, and once.
TEST(the_stuck_ask_to_be_put_back) {
    static outing out;
    begin(&out, "oval", CLIENT_CROWD_RACE);
    apex_placement at = apex_track_grid_placement(out.track, 0);
    apex_wire_car car = {
        .id = 1, .x_mm = (int32_t)(1000 * at.x_m), .y_mm = (int32_t)(1000 * at.y_m)};
    client_crowd_driver racer = client_crowd_driver_create(CLIENT_CROWD_RACE, 1);
    uint8_t resets = 0;
    for (uint32_t turn = 0; turn < 200; turn++) {
        resets = client_crowd_drive(&racer, out.line, &car, true, 0.0).reset;
        ck_assert_uint_eq(resets, turn + 1 >= 150);
    }
    end(&out);
}

// All that chaos says can stand on the wire, same seed same chaos, and it says of everything
// something.
TEST(chaos_is_legal_and_repeatable) {
    client_crowd_driver one = client_crowd_driver_create(CLIENT_CROWD_CHAOS, 77);
    client_crowd_driver same = client_crowd_driver_create(CLIENT_CROWD_CHAOS, 77);
    client_crowd_driver other = client_crowd_driver_create(CLIENT_CROWD_CHAOS, 78);
    uint32_t different = 0;
    uint32_t resets = 0;
    bool left = false, right = false, reverse = false;
    static uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    void *scratch = malloc(APEX_DECODE_SCRATCH_BYTES);
    for (uint32_t turn = 0; turn < 5000; turn++) {
        apex_client_message message = {.kind = APEX_CLIENT_CONTROLS};
        message.controls.first_tick = turn + 1;
        message.controls.sample_count = 1;
        apex_control_sample *sample = &message.controls.samples[0];
        *sample = client_crowd_drive(&one, NULL, NULL, true, 0.0);
        apex_control_sample again = client_crowd_drive(&same, NULL, NULL, true, 0.0);
        apex_control_sample others = client_crowd_drive(&other, NULL, NULL, true, 0.0);
        ck_assert_mem_eq(sample, &again, sizeof again);
        different += memcmp(sample, &others, sizeof others) != 0;
        size_t length = apex_encode_client(&message, bytes, sizeof bytes);
        apex_client_message read;
        const char *why = "";
        ck_assert_msg(apex_decode_client(bytes, length,
                                         (apex_scratch){scratch, APEX_DECODE_SCRATCH_BYTES}, &read,
                                         &why),
                      "%s", why);
        left |= sample->steer > 20000;
        right |= sample->steer < -20000;
        reverse |= sample->gear == -1;
        resets = sample->reset;
    }
    ck_assert_uint_ge(different, 4990);
    ck_assert(left && right && reverse);
    ck_assert(resets > 0 && resets < 20);
    free(scratch);
}
