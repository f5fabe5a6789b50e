// What controls ask for: the aids that a driver switches off, and counters that wrap.

#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

enum { AIDS = 6 };

// In the order of their bits.
static void read_aids(const scene_solo *solo, double out[AIDS]) {
    const physics_drive *drive = &solo->world->cars.drives[0];
    const lanes *const all[AIDS] = {&drive->abs,
                                    &drive->traction_control,
                                    &drive->stability_control,
                                    &drive->has_automatic_clutch,
                                    &drive->steering_assist,
                                    &drive->launch_control};
    for (uint32_t i = 0; i < AIDS; i++) {
        out[i] = (double)(*all[i])[0];
    }
}

TEST(a_driver_switches_off_one_aid_by_its_bit) {
    static const uint32_t BITS[AIDS] = {APEX_AID_ABS,    APEX_AID_TRACTION, APEX_AID_STABILITY,
                                        APEX_AID_CLUTCH, APEX_AID_STEERING, APEX_AID_LAUNCH};
    static const double HAS[AIDS] = {0.125, 0.25, 0.375, 1.0, 0.5, 0.625};
    apex_car_def def = scene_plain_car();
    def.aids = (apex_aids_def){.abs = 0.125,
                               .traction_control = 0.25,
                               .stability_control = 0.375,
                               .automatic_clutch = true,
                               .steering_assist = 0.5,
                               .launch_control = 0.625};
    scene_solo solo = scene_solo_create(&def, scene_flat());
    for (uint32_t off = 0; off < AIDS; off++) {
        double now[AIDS];
        solo.controls.aids_off = (uint8_t)BITS[off];
        scene_solo_run(&solo, 1);
        read_aids(&solo, now);
        for (uint32_t i = 0; i < AIDS; i++) {
            ck_assert_double_eq(now[i], i == off ? 0.0 : HAS[i]);
        }
    }
    scene_solo_destroy(&solo);
}

/// What came of counters that rose by so much.
typedef struct risen {
    int8_t gear;
    bool was_reset_asked;
} risen;

static risen raise(uint8_t up, uint8_t reset) {
    apex_car_def def = scene_plain_car();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    solo.controls = (apex_controls){.gear = APEX_GEAR_SEQUENTIAL,
                                    .shift_up_count = 200,
                                    .shift_down_count = 7,
                                    .reset_count = 200};
    scene_solo_run(&solo, 1);
    ck_assert_int_eq(scene_solo_state(&solo).gear, 1);
    solo.controls.shift_up_count = (uint8_t)(200 + up);
    solo.controls.reset_count = (uint8_t)(200 + reset);
    scene_solo_run(&solo, 1);
    size_t count;
    const apex_car_event *events = apex_world_car_events(solo.world, &count);
    risen out = {.gear = scene_solo_state(&solo).gear};
    for (size_t i = 0; i < count; i++) {
        out.was_reset_asked = out.was_reset_asked || events[i].kind == APEX_CAR_RESET_WANTED;
    }
    scene_solo_destroy(&solo);
    return out;
}

// A rise by less than 128 is so many, through 256 as well; more is an old sample.
TEST(counters_rise_by_less_than_half_their_round) {
    ck_assert_int_eq(raise(0, 0).gear, 1);
    ck_assert_int_eq(raise(2, 0).gear, 3);
    ck_assert_int_eq(raise(127, 0).gear, 6); // the highest
    ck_assert_int_eq(raise(128, 0).gear, 1);
    ck_assert_int_eq(raise(255, 0).gear, 1);
    ck_assert(!raise(0, 0).was_reset_asked);
    ck_assert(raise(0, 1).was_reset_asked);
    ck_assert(raise(0, 127).was_reset_asked);
    ck_assert(!raise(0, 128).was_reset_asked);
    ck_assert(!raise(0, 255).was_reset_asked);
}
