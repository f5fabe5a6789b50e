// A linear car is a definition from which all that is not linear was left out.
#include "support/physics/linear_car.h"

#include "base/assert.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double GRAVITY_MPS2 = 9.81;
static const double WHEEL_M = 0.34;

linear_car linear_abe(void) {
    return (linear_car){.mass_kg = 1500.0,
                        .yaw_kgm2 = 2500.0,
                        .front_m = 1.1,
                        .rear_m = 1.6,
                        .front_n_per_rad = 110e3,
                        .rear_n_per_rad = 120e3,
                        .com_height_m = LINEAR_LOW_M};
}

static apex_tyre_def linear_tyre(double stiffness, double friction) {
    const apex_tyre_axis along = {
        .b = 10.0, .c = 1.5, .d = friction, .e = 0.0, .stiffness = 20.0, .relaxation_m = 0.05};
    apex_tyre_axis across = along;
    across.stiffness = stiffness;
    return (apex_tyre_def){.model = APEX_TYRE_LINEAR,
                           .radius_m = WHEEL_M,
                           .width_m = 0.2,
                           .longitudinal = along,
                           .lateral = across,
                           .load_nominal_n = 4000.0,
                           .vertical_stiffness_n_per_m = 8e5,
                           .vertical_damping_ns_per_m = 3000.0,
                           .slide_force_ratio = 1.0,
                           .inertia_kgm2 = 0.01,
                           .temperature_best_c = 80.0,
                           .temperature_window_c = 40.0,
                           .heat_capacity_j_per_k = 9000.0};
}

static apex_axle_def stiff_axle(double x_m, const apex_tyre_def *tyre) {
    return (apex_axle_def){.x_m = x_m,
                           .track_width_m = 1.5,
                           .differential = {.kind = APEX_DIFFERENTIAL_OPEN},
                           .suspension = {.kind = APEX_SUSPENSION_DOUBLE_WISHBONE,
                                          .spring_n_per_m = 3e5,
                                          .bump_ns_per_m = 12000.0,
                                          .rebound_ns_per_m = 12000.0,
                                          .travel_bump_m = 0.3,
                                          .travel_rebound_m = 0.3,
                                          .unsprung_mass_kg = 20.0},
                           .brake = {.heat_capacity_j_per_k = 5000.0, .fade_start_c = 450.0},
                           .tyre = *tyre};
}

static void set_engine(apex_car_def *def) {
    def->engine = (apex_engine_def){.torque_count = 1,
                                    .torque_rpm = {1000.0},
                                    .torque_nm = {10000.0},
                                    .idle_rpm = 1000.0,
                                    .limiter_rpm = 20000.0,
                                    .inertia_kgm2 = 1.0};
    def->gearbox = (apex_gearbox_def){.gear_count = 1,
                                      .ratio = {1.0},
                                      .reverse_ratio = 1.0,
                                      .final_drive = 1.0,
                                      .efficiency = 1.0,
                                      .shift_up_rpm = 19000.0,
                                      .shift_down_rpm = 100.0,
                                      .clutch_nm_max = 1.0};
}

apex_car_def linear_car_def(const linear_car *car) {
    apex_car_def def = apex_default_car_def();
    double length = car->front_m + car->rear_m, weight = car->mass_kg * GRAVITY_MPS2;
    double friction = car->friction > 0.0 ? car->friction : 4.0;
    double front_n = weight * car->rear_m / length, rear_n = weight * car->front_m / length;
    apex_tyre_def front = linear_tyre(car->front_n_per_rad / front_n, friction);
    apex_tyre_def rear = linear_tyre(car->rear_n_per_rad / rear_n, friction);
    strcpy(def.name, "linear");
    def.mass_kg = car->mass_kg;
    def.inertia_roll_kgm2 = 0.4 * car->mass_kg;
    def.inertia_pitch_kgm2 = car->yaw_kgm2;
    def.inertia_yaw_kgm2 = car->yaw_kgm2;
    def.com_height_m = car->com_height_m;
    def.fuel_kg_max = 0.0;
    def.axle_count = 2;
    def.axles[0] = stiff_axle(car->front_m, &front);
    def.axles[1] = stiff_axle(-car->rear_m, &rear);
    def.axles[0].steer_share = 1.0;
    def.axles[1].drive_share = 1.0;
    set_engine(&def);
    def.steering = (apex_steering_def){.angle_rad_max = 0.1, .rate_radps_max = 50.0};
    def.aero = (apex_aero_def){.drag_coefficient = 0.0};
    def.aids = (apex_aids_def){.abs = 0.0};
    // Well clear of the road, however low the centre of mass.
    def.hull.centre_z_m = 1.2 - car->com_height_m;
    def.hull.height_m = 1.2;
    def.hull.length_m = length + 1.6;
    return def;
}

void linear_set_drive_share(apex_car_def *def, double front) {
    def->axles[0].drive_share = front;
    def->axles[1].drive_share = 1.0 - front;
}

void linear_set_push(apex_car_def *def, double force_n) {
    def->gearbox.clutch_nm_max = force_n * def->axles[1].tyre.radius_m;
}

void linear_set_brake(apex_car_def *def, double force_n, double front) {
    double share[2] = {front, 1.0 - front};
    for (int a = 0; a < 2; a++) {
        double radius = def->axles[a].tyre.radius_m;
        def->axles[a].brake.torque_nm_max = 0.5 * share[a] * force_n * radius;
    }
}

void linear_set_steer(apex_car_def *def, double angle_rad) {
    def->steering.angle_rad_max = angle_rad;
}

scene_solo linear_solo(const apex_car_def *def, const apex_ground *ground) {
    scene_solo solo = {.controls = {.gear = APEX_GEAR_NEUTRAL}};
    apex_world_def world = scene_world_def(1);
    world.tick_hz = world.substep_hz;
    apex_car_type type;
    apex_placement at = {0};
    APEX_ASSERT(apex_world_create(&world, ground, NULL, &solo.world) == APEX_OK);
    apex_def_problem problem;
    if (!apex_car_def_check(def, &problem)) {
        fprintf(stderr, "%s: %s\n", problem.field, problem.reason);
    }
    APEX_ASSERT(apex_world_add_type(solo.world, def, &type) == APEX_OK);
    APEX_ASSERT(apex_world_add_car(solo.world, type, &at, &solo.car) == APEX_OK);
    return solo;
}

void linear_place(scene_solo *solo, double speed_mps) {
    apex_placement at = {.speed_mps = speed_mps};
    apex_world_place_car(solo->world, solo->car, &at);
}

void linear_run(scene_solo *solo, double seconds) {
    scene_solo_run(solo, (uint32_t)(seconds * 240.0 + 0.5));
}

linear_motion linear_motion_of(const scene_solo *solo) {
    apex_car_pose pose = scene_solo_pose(solo);
    double c = cos(pose.yaw_rad), s = sin(pose.yaw_rad);
    const double *v = pose.velocity_mps;
    double forward = v[0] * c + v[1] * s, left = v[1] * c - v[0] * s;
    return (linear_motion){.x_m = pose.position_m[0],
                           .y_m = pose.position_m[1],
                           .yaw_rad = pose.yaw_rad,
                           .roll_rad = pose.roll_rad,
                           .pitch_rad = pose.pitch_rad,
                           .speed_mps = hypot(forward, left),
                           .beta_rad = atan2(left, forward),
                           .forward_mps = forward,
                           .left_mps = left,
                           .yaw_radps = pose.angular_radps[2]};
}

bool linear_is_near(const char *what, double ours, double reference, double tolerance) {
    double off = ours - reference;
    // Written so that a number that is none is not near.
    bool is_near = off <= tolerance && -off <= tolerance;
    printf("%-52s %12.6g %12.6g  off %9.2g of %8.2g%s\n", what, reference, ours, off, tolerance,
           is_near ? "" : "  FAR");
    fflush(stdout); // a failing test is a process that ends at once
    return is_near;
}

const char *linear_named(const char *car, const char *what) {
    static char text[128];
    snprintf(text, sizeof text, "%.31s: %.90s", car, what);
    return text;
}
