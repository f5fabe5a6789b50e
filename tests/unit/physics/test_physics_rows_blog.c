// builds: float double
// "Simple 2D car steering physics in games" and its comments: geometry without forces. Rows B01 to
// B10. If the texts look for an effect without a cause, the cause is tested.

#include "physics/car/kinematic.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"
#include "support/physics/source_rows.h"
#include "support/physics/textbook_rest.h"

#include <math.h>

static const double DEGREE = 3.14159265358979323846 / 180.0;

// One second at 1 m/s with a wheelbase of 2 m and 5 degrees of steering: heading in degrees.
static double heading_after(apex_kinematic_form form, double dt_s) {
    physics_kinematic_pose at = {0};
    const physics_kinematic_move move = {2.0, 5.0 * DEGREE, dt_s};
    for (int i = 0; i < (int)(1.0 / dt_s + 0.5); i++) {
        at = physics_kinematic_step(form, at, &move);
    }
    return at.yaw_rad / DEGREE;
}

static void six_lines(double dt_s, double wanted_deg) {
    double heading = heading_after(APEX_KINEMATIC_BASELINE, dt_s);
    ROW_NEAR(heading, 2.497, 5e-4);
    ROW_NEAR(heading, wanted_deg, 1e-9);
}

static void b01_0(void) {
    six_lines(0.001, 2.49683285891);
}

static void b01_1(void) {
    six_lines(0.01, 2.49687545865);
}

static void b01_2(void) {
    six_lines(0.1, 2.4972874455);
}

// A commenter's form puts the car behind its front wheels from where the rear ones were: the longer
// the step, the less it turns. Both of ours stay with the limit, v sin d / L or v tan d / L, where
// that form is off by `row_deg`.
static void not_front_led(double dt_s, double row_deg) {
    const double LIMIT = 2.49682810988, EXACT = 2.50636558779;
    double off = LIMIT - row_deg;
    ROW_IS(off > 1e-3);
    ROW_NEAR(heading_after(APEX_KINEMATIC_BASELINE, dt_s), LIMIT, 5e-4);
    ROW_IS(fabs(heading_after(APEX_KINEMATIC_BASELINE, dt_s) - LIMIT) < 0.005 * off);
    ROW_NEAR(heading_after(APEX_KINEMATIC_REAR_AXLE, dt_s), EXACT, 1e-9);
}

static void b02_0(void) {
    not_front_led(0.001, 2.495585064);
}

static void b02_1(void) {
    not_front_led(0.01, 2.48445295907);
}

static void b02_2(void) {
    not_front_led(0.1, 2.37834884366);
}

static void b03(void) {
    ROW_SAME(textbook_turn_of(2.0, 5.0 * DEGREE, 1.0).yaw_radps / DEGREE, 2.49682810988, 1e-9);
    // In the limit: the six lines' error falls with the step.
    ROW_NEAR(heading_after(APEX_KINEMATIC_BASELINE, 1e-5), 2.49682810988, 1e-7);
}

// Two wheels that step by themselves come nearer: to 25.4 of 50 in 500 frames, not to the text's
// 26.2, and the car turns twice as fast. Ours turns in its last frame as in its first.
static void b04(void) {
    physics_kinematic_pose at = {0}, before = {0};
    const physics_kinematic_move move = {50.0, 20.0 * DEGREE, 50.0 / 60.0};
    double first_turn = 0.0, first_way = 0.0;
    for (int frame = 1; frame <= 500; frame++) {
        before = at;
        at = physics_kinematic_step(APEX_KINEMATIC_BASELINE, at, &move);
        double turn = remainder(at.yaw_rad - before.yaw_rad, 360.0 * DEGREE);
        double way = hypot(at.x_m - before.x_m, at.y_m - before.y_m);
        first_turn = frame == 1 ? turn : first_turn;
        first_way = frame == 1 ? way : first_way;
        ROW_NEAR(turn, first_turn, 1e-12);
        ROW_NEAR(way, first_way, 1e-10);
    }
    // Of two wheels 50 apart, not 25.4.
    double yaw_radps = textbook_turn_of(50.0, 20.0 * DEGREE, 50.0).yaw_radps;
    ROW_SAME(60.0 * first_turn, yaw_radps, 2e-3);
}

// A commenter lengthens the front wheels' step so that the wheelbase stays, and so it does. In the
// form with a true turning centre the front wheels go on their own circle: the chord differs from
// the row's by what a step of 1 m is off the arc.
static void b05(void) {
    const double BASE = 50.0, STEER = 20.0 * DEGREE;
    physics_kinematic_pose at = {0};
    const physics_kinematic_move move = {BASE, STEER, 50.0 / 60.0};
    physics_kinematic_pose next = physics_kinematic_step(APEX_KINEMATIC_REAR_AXLE, at, &move);
    double x = next.x_m + BASE * cos(next.yaw_rad), y = next.y_m + BASE * sin(next.yaw_rad);
    ROW_SAME(hypot(x - BASE, y), 0.885837955386, 2e-3);
    ROW_NEAR(hypot(x - next.x_m, y - next.y_m), BASE, 50.0 * 1e-12);
    // And it starts where its wheels point.
    ROW_NEAR(atan2(y, x - BASE), STEER, 0.005);
}

// Rear wheels on a circle of L / tan d, whatever the step.
static void b06(void) {
    const double L = 2.0, STEER = 0.3;
    double radius = textbook_turn_of(L, STEER, 1.0).rear_radius_m;
    for (int steps = 7; steps < 600; steps *= 3) {
        physics_kinematic_pose at = {0};
        const physics_kinematic_move move = {L, STEER, 360.0 * DEGREE * radius / steps};
        double turn = move.distance_m * tan(STEER) / L;
        for (int i = 0; i < steps; i++) {
            double yaw_before = at.yaw_rad;
            at = physics_kinematic_step(APEX_KINEMATIC_REAR_AXLE, at, &move);
            ROW_NEAR(at.yaw_rad - yaw_before, turn, 1e-14);
        }
        ROW_IS(hypot(at.x_m, at.y_m) < 1e-12 * L);
    }
}

// 0.01 rad in a substep; 0.295 is no multiple of it.
static void b07(void) {
    apex_car_def def = rows_monster_car();
    def.steering.angle_rad_max = 0.295;
    def.steering.rate_radps_max = 2.4;
    scene_solo solo = rows_solo(&def, &(rows_place){0});
    solo.controls.steer = APEX_STEER_MAX;
    scene_solo_run(&solo, 60);
    ROW_NEAR(scene_solo_state(&solo).steer_rad, 0.295, 1e-7);
    solo.controls.steer = 0;
    for (int i = 1; i <= 29; i++) {
        scene_solo_run(&solo, 1);
        ROW_NEAR(scene_solo_state(&solo).steer_rad, 0.295 - 0.01 * i, 1e-6);
    }
    for (int i = 0; i < 60; i++) {
        scene_solo_run(&solo, 1);
        ROW_IS(scene_solo_state(&solo).steer_rad == 0.0);
    }
    scene_solo_destroy(&solo);
}

// A car with linear tyres and springs that hardly give, on rails but for its tyres.
static apex_car_def slipping_car(void) {
    apex_car_def def = rows_monster_car();
    rows_stiffen(&def);
    def.com_height_m = 0.45;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.model = APEX_TYRE_LINEAR;
        def.axles[a].tyre.lateral.stiffness = a == 0 ? 12.0 : 14.0;
    }
    return def;
}

static double course(const apex_car_pose *pose) {
    return atan2(pose->velocity_mps[1], pose->velocity_mps[0]);
}

// @return the angle at which the car moves to the left of its nose, a few seconds into a bend.
static double sideslip(const apex_car_def *def, double speed_mps, int steer) {
    scene_solo solo = rows_solo(def, &(rows_place){.is_vacuum = true});
    rows_roll(&solo, speed_mps);
    solo.controls.steer = (int16_t)steer;
    scene_solo_run(&solo, 720);
    apex_car_pose pose = scene_solo_pose(&solo);
    double slip = remainder(course(&pose) - pose.yaw_rad, 360.0 * DEGREE);
    scene_solo_destroy(&solo);
    return slip;
}

// The text turns the picture of the car by steer (v / vmax) k. Ours drifts: outwards with its nose
// when slow, inwards when fast, in proportion to the steering, as two tyres on a beam do (Abe).
static void b08(void) {
    apex_car_def def = slipping_car();
    const double STEER_RAD = def.steering.angle_rad_max * 150.0 / APEX_STEER_MAX;
    static const double SPEEDS[] = {6.0, 15.0, 30.0};
    for (size_t i = 0; i < sizeof SPEEDS / sizeof *SPEEDS; i++) {
        double gain = apex_textbook_gains_at(&def, 9.81, SPEEDS[i]).sideslip;
        double slip = sideslip(&def, SPEEDS[i], 150);
        ROW_BETWEEN(slip, gain * STEER_RAD, 0.02 * STEER_RAD * (1.0 + fabs(gain)));
        ROW_BETWEEN(sideslip(&def, SPEEDS[i], 300), 2.0 * slip, 0.02 * fabs(slip) + 1e-5);
    }
    ROW_IS(sideslip(&def, 6.0, 400) > 0.0);
    ROW_IS(sideslip(&def, 30.0, 400) < 0.0);
}

// The text moves along a heading some frames old. Ours turns first, and only what its tyres then
// give bends its way: at 30 m/s several frames later.
static void b09(void) {
    apex_car_def def = slipping_car();
    scene_solo solo = rows_solo(&def, &(rows_place){.is_vacuum = true});
    rows_roll(&solo, 30.0);
    scene_solo_run(&solo, 240);
    solo.controls.steer = 800;
    int heading_tick = 0, course_tick = 0;
    for (int tick = 1; tick <= 480 && course_tick == 0; tick++) {
        scene_solo_run(&solo, 1);
        apex_car_pose pose = scene_solo_pose(&solo);
        heading_tick = heading_tick == 0 && pose.yaw_rad > 3.0 * DEGREE ? tick : heading_tick;
        course_tick = course(&pose) > 3.0 * DEGREE ? tick : 0;
    }
    int frames = (course_tick - heading_tick) / 4;
    ROW_IS(heading_tick > 0 && course_tick > 0);
    ROW_IS(frames >= 3 && frames <= 30);
    scene_solo_destroy(&solo);
}

static void b10(void) {
    for (int form = 0; form < 2; form++) {
        physics_kinematic_pose at = {0};
        physics_kinematic_move move = {2.0, 5.0 * DEGREE, 0.001};
        for (int i = 0; i < 1000; i++) {
            at = physics_kinematic_step((apex_kinematic_form)form, at, &move);
        }
        ROW_IS(at.x_m > 0.9);
        move.distance_m = -0.001;
        for (int i = 0; i < 1000; i++) {
            at = physics_kinematic_step((apex_kinematic_form)form, at, &move);
        }
        ROW_IS(fabs(at.x_m) < 2e-4 && fabs(at.y_m) < 2e-4 && fabs(at.yaw_rad) < 2e-4);
    }
}

static const row ROWS[] = {
    ROW("B01.0", b01_0), ROW("B02.0", b02_0), ROW("B01.1", b01_1), ROW("B02.1", b02_1),
    ROW("B01.2", b01_2), ROW("B02.2", b02_2), ROW("B03", b03),     ROW("B04", b04),
    ROW("B05", b05),     ROW("B06", b06),     ROW("B07", b07),     ROW("B08", b08),
    ROW("B09", b09),     ROW("B10", b10),
};

ROWS_TEST(ROWS)
