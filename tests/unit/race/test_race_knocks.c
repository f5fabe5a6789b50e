// links: content
// Contacts of the real world: cars on the oval that are driven into each other by their controls,
// so that the history is what the stewards see of physics.
#include "test_race_contact_stage.h"
#include "support/base/check_main.h"

// On the back straight: its bend turns in at 932, and where it begins the plan is at its fastest.
#define BACK_STRAIGHT 640.0

typedef struct wheelman {
    double offset_m;  // that he steers for
    double speed_mps; // that he keeps
    double brake;     // 0..1, instead
} wheelman;

static wheelman men[STAGE_CARS];

static void set_up(void) {
    stage_set_up("oval");
    stage_rule.closing_mps = 0.5;
    for (int i = 0; i < STAGE_CARS; i++) { // out of the way, where they stand
        men[i] = (wheelman){.offset_m = -5.0};
    }
}

FIXTURE(set_up, stage_tear_down)

static void put(uint32_t slot, double along_m, double offset_m, double speed_mps) {
    race_field *field = stage_field();
    apex_placement at = apex_track_placement(stage_track, BACK_STRAIGHT + along_m, offset_m);
    at.speed_mps = speed_mps;
    apex_world_place_car(field->world, field->players[slot].car_id, &at);
    apex_world_poses_by_slot(field->world, field->poses);
    field->players[slot].s_m = field->players[slot].safe_s_m = BACK_STRAIGHT + along_m;
    race_faults_forget(&stage_faults, slot);
    men[slot] = (wheelman){.offset_m = offset_m, .speed_mps = speed_mps};
}

static apex_controls hands_of(uint32_t slot) {
    const race_field *field = stage_field();
    const apex_car_pose *pose = race_field_pose(field, slot);
    const wheelman *man = &men[slot];
    race_moment now = race_history_see(field, slot);
    double aim_rad = 0.04 * (man->offset_m - now.offset_cm * 0.01);
    aim_rad = aim_rad > 0.12 ? 0.12 : aim_rad < -0.12 ? -0.12 : aim_rad;
    double steer =
        0.8 * (aim_rad - race_history_heading_rad(field, &now)) - 0.1 * pose->angular_radps[2];
    double push = 0.5 * (man->speed_mps - now.speed_cmps * 0.01) + 0.3;
    push = push > 1.0 ? 1.0 : push < 0.0 ? 0.0 : push;
    return (apex_controls){.steer = (int16_t)(32767.0 * steer),
                           .throttle = (uint8_t)(man->brake > 0.0 ? 0.0 : 255.0 * push),
                           .brake = (uint8_t)(255.0 * man->brake),
                           .gear = APEX_GEAR_AUTOMATIC};
}

static void drive(void) {
    apex_controls controls[STAGE_CARS];
    for (uint32_t i = 0; i < STAGE_CARS; i++) {
        controls[i] = hands_of(i);
    }
    apex_race_tick(stage_race, controls, NULL);
    size_t count = 0;
    const apex_contact_event *contacts = apex_world_contacts(stage_field()->world, &count);
    stage_judge(contacts, count);
    race_history_follow(&stage_faults.history, stage_field(), stage_tick());
}

static void drive_for(double seconds) {
    for (int i = 0; i < (int)(seconds * 60.0); i++) {
        drive();
        ck_assert_uint_eq(stage_faults.told_now, 0);
    }
}

// @return the fault that is told within so many seconds
static const apex_fault *drive_into_it(double seconds) {
    for (int i = 0; i < (int)(seconds * 60.0); i++) {
        drive();
        if (stage_faults.told_now > 0) {
            const apex_fault *fault = race_faults_told(&stage_faults, 0);
            for (uint32_t k = 0; k < fault->reason_count; k++) {
                char text[APEX_FAULT_REASON_BYTES];
                printf("  %u %+d: %s\n", fault->reasons[k].whom, fault->reasons[k].weight,
                       apex_fault_reason_text(&fault->reasons[k], text));
            }
            fflush(stdout);
            return fault;
        }
    }
    ck_abort_msg("nothing was told");
}

static void expect(const apex_fault *fault, uint32_t share, apex_fault_reason_kind main) {
    ck_assert_uint_eq(fault->players[0].index1, 1);
    ck_assert_uint_eq(fault->players[1].index1, 2);
    ck_assert_uint_eq(fault->shares[0], share);
    ck_assert_int_eq(fault->reasons[0].kind, main);
}

TEST(a_faster_car_drives_into_a_slower_one) {
    put(0, -60.0, 0.0, 42.0);
    put(1, 0.0, 0.0, 32.0);
    const apex_fault *fault = drive_into_it(8.0);
    expect(fault, 100, APEX_FAULT_RAN_INTO_BACK);
    ck_assert_double_eq_tol(fault->reasons[0].values[0], 10.0, 1.0);
    ck_assert_double_gt(fault->s_m, BACK_STRAIGHT + 140.0);
    ck_assert_double_lt(fault->s_m, BACK_STRAIGHT + 240.0);
}

TEST(a_brake_test) {
    put(0, -14.0, 0.0, 38.0);
    put(1, 0.0, 0.0, 38.0);
    drive_for(2.0);
    men[1].brake = 1.0;
    const apex_fault *fault = drive_into_it(3.0);
    expect(fault, 10, APEX_FAULT_BRAKE_TESTED);
    ck_assert_double_gt(fault->reasons[0].values[0], 5.0);
    ck_assert_double_gt(fault->reasons[0].values[1], 45.0);
}

// The car ahead of him is reason enough.
TEST(who_brakes_for_another_tests_nobody) {
    put(0, -14.0, 0.0, 38.0);
    put(1, 0.0, 0.0, 38.0);
    put(2, 30.0, 0.0, 38.0);
    drive_for(2.0);
    men[1].brake = 1.0;
    expect(drive_into_it(3.0), 100, APEX_FAULT_RAN_INTO_BACK);
}

TEST(a_car_is_driven_into_the_one_beside_it) {
    put(0, 0.0, 2.0, 38.0);
    put(1, 0.0, -1.5, 38.0);
    drive_for(2.0);
    men[0].offset_m = -3.0;
    const apex_fault *fault = drive_into_it(3.0);
    expect(fault, 90, APEX_FAULT_MOVED_OVER);
    ck_assert_double_gt(fault->reasons[0].values[0], 0.5);
    ck_assert_double_lt(fault->reasons[0].values[0], 2.0);
}

TEST(a_car_is_squeezed_into_the_wall) {
    put(0, 0.0, -2.5, 38.0);
    put(1, -1.0, -6.3, 38.0);
    drive_for(2.0);
    men[0].offset_m = -7.0;
    expect(drive_into_it(3.0), 100, APEX_FAULT_SQUEEZED);
}

// The one in the middle stands between them: whoever is pushed has no share.
TEST(three_in_a_row_are_one_chain) {
    put(0, -60.0, 0.0, 45.0);
    put(1, 0.0, 0.0, 30.0);
    put(2, 6.0, 0.0, 30.0);
    expect(drive_into_it(8.0), 100, APEX_FAULT_RAN_INTO_BACK);
    const apex_fault *next =
        stage_faults.told_now > 1 ? race_faults_told(&stage_faults, 0) : drive_into_it(1.0);
    ck_assert_uint_eq(next->players[0].index1, 2);
    ck_assert_uint_eq(next->players[1].index1, 3);
    ck_assert_uint_eq(next->shares[0] + next->shares[1], 0);
    ck_assert_uint_eq(next->pusher.index1, 1);
    ck_assert_uint_eq(next->pusher_share, 100);
}

// Drives on for a second with these hands at ada's wheel. @return her moments with such a flag
static uint32_t seen_with(apex_controls hands, uint8_t flag) {
    for (int i = 0; i < 60; i++) {
        apex_controls controls[STAGE_CARS] = {hands, hands_of(1), hands_of(2)};
        apex_race_tick(stage_race, controls, NULL);
        race_history_follow(&stage_faults.history, stage_field(), stage_tick());
    }
    uint32_t seen = 0;
    for (uint32_t i = 0; i < stage_trails[0].count; i++) {
        seen += (race_trail_moment(&stage_trails[0], i)->flags & flag) != 0;
    }
    return seen;
}

TEST(locked_and_sliding_wheels_are_seen) {
    put(0, 0.0, 0.0, 45.0);
    apex_controls hands = {.throttle = 128, .gear = APEX_GEAR_AUTOMATIC, .aids_off = UINT8_MAX};
    ck_assert_uint_eq(seen_with(hands, RACE_MOMENT_FLAGS_ALL), 0);
    put(0, 0.0, 0.0, 45.0);
    hands.throttle = 0;
    hands.brake = UINT8_MAX;
    ck_assert_uint_ge(seen_with(hands, RACE_MOMENT_LOCKED), 5);
    put(0, 0.0, 0.0, 45.0);
    hands.brake = 0;
    hands.handbrake = UINT8_MAX;
    hands.steer = 16000;
    ck_assert_uint_ge(seen_with(hands, RACE_MOMENT_SLIDING), 3);
    ck_assert_uint_gt(stage_trails[0].lost_tick, 0);
}
