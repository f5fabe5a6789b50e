// Tests of the reasons why definitions are refused, and of their words.

#include "physics/physics.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

static apex_car_def def;
static apex_def_problem problem;

static void setup(void) {
    def = apex_default_car_def();
    memset(&problem, 0, sizeof problem);
}

static void refused(const char *field, const char *reason) {
    ck_assert(!apex_car_def_check(&def, &problem));
    ck_assert_str_eq(problem.field, field);
    ck_assert_msg(strstr(problem.reason, reason) != NULL, "%s: %s", problem.field, problem.reason);
    ck_assert(!apex_car_def_check(&def, NULL));
    def = apex_default_car_def();
}

FIXTURE(setup, NULL)

TEST(what_ships_is_accepted) {
    ck_assert(apex_car_def_check(&def, &problem));
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        apex_car_def car = scene_car_kind(kind);
        ck_assert_msg(apex_car_def_check(&car, &problem), "%s: %s: %s", car.name, problem.field,
                      problem.reason);
    }
    ck_assert_uint_eq(apex_car_def_wheel_count(&def), 4);
    apex_car_def bike = scene_motorcycle(), truck = scene_car_kind(5);
    ck_assert_uint_eq(apex_car_def_wheel_count(&bike), 2);
    ck_assert_uint_eq(apex_car_def_wheel_count(&truck), 6);
}

TEST(ranges_name_field_value_and_limits) {
    def.axles[1].tyre.radius_m = 9.1;
    refused("axles[1].tyre.radius_m", "9.1 is outside 0.1..2");
    def.mass_kg = -5.0;
    refused("mass_kg", "-5 is outside 50..60000");
    def.engine.inertia_kgm2 = (double)NAN;
    refused("engine.inertia_kgm2", "nan is outside");
    def.aero.drag_coefficient = (double)INFINITY;
    refused("aero.drag_coefficient", "inf is outside");
    def.axles[0].tyre.lateral.b = 0.0;
    refused("axles[0].tyre.lateral.b", "0 is outside 1..50");
    def.axles[0].tyre.model = APEX_TYRE_LINEAR;
    def.axles[0].tyre.lateral.b = 0.0; // not read by this model
    def.axles[0].tyre.lateral.stiffness = 0.0;
    refused("axles[0].tyre.lateral.stiffness", "0 is outside 1..200");
}

TEST(names_are_for_files_and_the_wire) {
    strcpy(def.name, "Big Car");
    refused("name", "a-z");
    def.name[0] = 0;
    refused("name", "1 to 31");
    memset(def.name, 'a', sizeof def.name);
    refused("name", "1 to 31");
    memset(def.title, 'x', sizeof def.title);
    refused("title", "63");
}

TEST(choices_out_of_their_lists) {
    def.model = (apex_car_model)7;
    refused("model", "dynamic");
    def.axles[1].tyre.model = (apex_tyre_model)3;
    refused("axles[1].tyre.model", "magic, linear, brush");
    def.axles[1].differential.kind = (apex_differential_kind)9;
    refused("axles[1].differential.kind", "limited_slip");
    def.axles[0].suspension.kind = (apex_suspension_kind)9;
    refused("axles[0].suspension.kind", "strut");
    def.centre_differential.kind = (apex_differential_kind)4;
    refused("centre_differential.kind", "open");
    def.kinematic.form = (apex_kinematic_form)2;
    refused("kinematic.form", "rear_axle");
    def.axle_count = 5;
    refused("axle_count", "2 to 4");
    def.axle_count = 1;
    refused("axle_count", "2 to 4");
}

TEST(axles_must_make_a_car) {
    def.axles[1].x_m = 1.3;
    refused("axles[1].x_m", "behind");
    def.axles[0].x_m = 3.0;
    refused("axles[0].x_m", "outside the hull");
    def.axles[1].drive_share = 0.7;
    refused("axles[].drive_share", "sum to 1");
    def.axles[1].drive_share = 0.0;
    refused("axles[].drive_share", "no axle is driven");
    def.axles[0].steer_share = 0.0;
    refused("axles[].steer_share", "no axle steers");
    def.axles[0].x_m = -0.4;
    refused("axles[].x_m", "between");
    def.axles[0].track_width_m = def.axles[1].track_width_m = 0.0;
    refused("axles[].track_width_m", "falls over");
    def.model = APEX_CAR_MOTORCYCLE;
    refused("axles[0].track_width_m", "one track");
    def.axles[0].suspension.camber_curve = (apex_travel_curve){.count = 2, .travel_m = {0.1, 0.0}};
    refused("axles[0].suspension.camber_curve", "rise");
    def.axles[0].suspension.toe_curve.count = 9;
    refused("axles[0].suspension.toe_curve", "8 points");
}

TEST(a_body_is_no_point) { // at least a tenth of m a b
    const double LEAST_KGM2 = 0.1 * def.mass_kg * def.axles[0].x_m * -def.axles[1].x_m;
    def.inertia_yaw_kgm2 = 0.99 * LEAST_KGM2;
    refused("inertia_yaw_kgm2", "too small");
    def.inertia_yaw_kgm2 = 1.01 * LEAST_KGM2;
    ck_assert(apex_car_def_check(&def, NULL));
}

// The lower face lies com_height_m + centre_z_m - height_m / 2 above the road: 0.125 m at first.
// Axles are 2.6 m apart; tyres of 220 kN/m bear four times 35.2 kN at half their radius of 0.32 m.
TEST(wheels_have_room_and_bear_the_car) {
    def.axles[0].tyre.radius_m = 1.31;
    def.axles[1].tyre.radius_m = 1.3;
    refused("axles[1].tyre.radius_m", "axle before it");
    def.axles[0].track_width_m = 0.3;
    def.axles[0].tyre.width_m = 0.31;
    refused("axles[0].tyre.width_m", "each other");
    def.fuel_kg_max = 1000.0;
    def.fuel_x_m = 3.0; // 1.3048 m ahead, the front axle 1.3 m
    refused("fuel_x_m", "tank is full");
    def.fuel_kg_max = 1000.0;
    def.fuel_x_m = 2.98; // 1.296 m
    ck_assert(apex_car_def_check(&def, NULL));
    def = apex_default_car_def();
    def.mass_kg = 14310.0;
    def.inertia_yaw_kgm2 = 20000.0;
    refused("mass_kg", "tyres flat");
    def.mass_kg = 14300.0;
    def.inertia_yaw_kgm2 = 20000.0;
    ck_assert_msg(apex_car_def_check(&def, &problem), "%s", problem.reason);
}

TEST(a_hull_stands_clear_of_the_road) {
    def.hull.centre_z_m = 0.135;
    refused("hull.centre_z_m", "0.01 m under the road");
    def.hull.height_m = 1.6;
    refused("hull.centre_z_m", "0.05 m under the road");
    def.com_height_m = 0.3;
    refused("hull.centre_z_m", "0.055 m under the road");
    def.model = APEX_CAR_KINEMATIC;
    def.hull.centre_z_m = -1.0;
    refused("hull.centre_z_m", "com_height_m + centre_z_m must be half of height_m or more");
    def.hull.centre_z_m = 0.146;
    ck_assert(apex_car_def_check(&def, NULL));
}

TEST(engine_and_gearbox_must_fit) {
    def.engine.torque_count = 0;
    refused("engine.torque_count", "1 to 32");
    def.engine.torque_rpm[3] = def.engine.torque_rpm[2];
    refused("engine.torque_rpm", "rise");
    def.engine.torque_nm[0] = -1.0;
    refused("engine.torque_nm", "0..10000");
    def.engine.limiter_rpm = def.engine.idle_rpm;
    refused("engine.limiter_rpm", "above idle");
    def.engine.blow_rpm = def.engine.limiter_rpm - 1.0;
    refused("engine.blow_rpm", "above limiter");
    def.gearbox.gear_count = 11;
    refused("gearbox.gear_count", "1 to 10");
    def.gearbox.ratio[2] = def.gearbox.ratio[1];
    refused("gearbox.ratio", "fall");
    def.gearbox.ratio[5] = 0.0;
    refused("gearbox.ratio", "0.1..30");
    def.gearbox.shift_down_rpm = def.gearbox.shift_up_rpm;
    refused("gearbox.shift_down_rpm", "below");
    def.gearbox.shift_up_rpm = 8000.0;
    refused("gearbox.shift_up_rpm", "never shift");
    def.gearbox.shift_up_rpm = def.engine.idle_rpm;
    def.gearbox.shift_down_rpm = 500.0;
    refused("gearbox.shift_up_rpm", "always shift up");
    for (uint32_t i = 0; i < def.engine.torque_count; i++) {
        def.engine.torque_nm[i] = 0.0;
    }
    refused("engine.torque", "never move");
    // The widest step is the first: 7000 rpm in gear 1 are 4083 rpm in gear 2.
    const double MOST_RPM = 7000.0 * 2.1 / 3.6 / 1.1;
    def.gearbox.shift_down_rpm = 1.0001 * MOST_RPM;
    refused("gearbox.shift_down_rpm", "below 3712, or gear 2 is never taken");
    def.gearbox.shift_down_rpm = 1.0001 * MOST_RPM;
    def.gearbox.automatic = false;
    ck_assert(apex_car_def_check(&def, NULL));
    def.gearbox.automatic = true;
    def.gearbox.shift_down_rpm = 0.9999 * MOST_RPM;
    ck_assert(apex_car_def_check(&def, NULL));
}
