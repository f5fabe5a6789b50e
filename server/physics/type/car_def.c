// The definition of a car that nobody has changed yet: the defaults.

#include "physics/car_def.h"

static apex_axle_def default_axle(double x_m, double steer_share, double drive_share) {
    const apex_tyre_axis along = {
        .b = 10.0, .c = 1.9, .d = 1.0, .e = 0.97, .stiffness = 20.0, .relaxation_m = 0.12};
    const apex_tyre_axis across = {
        .b = 10.0, .c = 1.4, .d = 1.0, .e = 0.1, .stiffness = 14.0, .relaxation_m = 0.4};
    return (apex_axle_def){
        .x_m = x_m,
        .track_width_m = 1.5,
        .steer_share = steer_share,
        .drive_share = drive_share,
        .differential = {.kind = APEX_DIFFERENTIAL_LIMITED_SLIP,
                         .preload_nm = 40.0,
                         .power_bias = 0.3,
                         .coast_bias = 0.15,
                         .viscous_nms_per_rad = 20.0},
        .suspension = {.kind = APEX_SUSPENSION_DOUBLE_WISHBONE,
                       .spring_n_per_m = 35000.0,
                       .bump_ns_per_m = 2500.0,
                       .rebound_ns_per_m = 4000.0,
                       .travel_bump_m = 0.08,
                       .travel_rebound_m = 0.1,
                       .bump_stop_n_per_m = 200000.0,
                       .anti_roll_n_per_m = 10000.0,
                       .roll_centre_height_m = 0.08,
                       .unsprung_mass_kg = 40.0,
                       .toe_rad = 0.0,
                       .camber_rad = -0.015},
        .brake = {.torque_nm_max = 1500.0,
                  .handbrake_nm_max = drive_share > 0.0 ? 1500.0 : 0.0,
                  .heat_capacity_j_per_k = 5000.0,
                  .fade_start_c = 450.0},
        .tyre = {.model = APEX_TYRE_MAGIC,
                 .radius_m = 0.32,
                 .width_m = 0.225,
                 .longitudinal = along,
                 .lateral = across,
                 .load_nominal_n = 3500.0,
                 .load_sensitivity = 0.08,
                 .camber_stiffness = 0.8,
                 .pneumatic_trail_m = 0.03,
                 .rolling_coefficient = 0.013,
                 .rolling_coefficient_s_per_m = 0.0,
                 .vertical_stiffness_n_per_m = 220000.0,
                 .vertical_damping_ns_per_m = 300.0,
                 .slide_force_ratio = 1.0,
                 .inertia_kgm2 = 1.2,
                 .temperature_best_c = 80.0,
                 .temperature_window_c = 40.0,
                 .heat_capacity_j_per_k = 9000.0,
                 .wear_per_mj = 0.002},
    };
}

static apex_engine_def default_engine(void) {
    return (apex_engine_def){
        .torque_count = 6,
        .torque_rpm = {800.0, 2000.0, 3500.0, 5000.0, 6000.0, 7000.0},
        .torque_nm = {150.0, 210.0, 250.0, 260.0, 245.0, 200.0},
        .idle_rpm = 850.0,
        .limiter_rpm = 7000.0,
        .blow_rpm = 8500.0,
        .inertia_kgm2 = 0.18,
        .brake_nm_per_rps = 0.7,
        .turbo_lag_s = 0.0,
        .turbo_share = 0.0,
        .fuel_kg_per_mj = 0.075,
        .fuel_idle_kg_per_s = 0.0003,
    };
}

static apex_gearbox_def default_gearbox(void) {
    return (apex_gearbox_def){
        .gear_count = 6,
        .ratio = {3.6, 2.1, 1.5, 1.15, 0.95, 0.8},
        .reverse_ratio = 3.4,
        .final_drive = 3.7,
        .efficiency = 0.9,
        .shift_time_s = 0.25,
        .shift_up_rpm = 6700.0,
        .shift_down_rpm = 3200.0,
        .clutch_nm_max = 600.0,
        .automatic = true,
    };
}

apex_car_def apex_default_car_def(void) {
    apex_car_def def = {
        .name = "default",
        .title = "Default car",
        .model = APEX_CAR_DYNAMIC,
        .mass_kg = 1300.0,
        .inertia_roll_kgm2 = 450.0,
        .inertia_pitch_kgm2 = 1700.0,
        .inertia_yaw_kgm2 = 1950.0,
        .com_height_m = 0.48,
        .fuel_kg_max = 45.0,
        .fuel_x_m = -0.8,
        .axle_count = 2,
        .engine = default_engine(),
        .gearbox = default_gearbox(),
        .centre_differential = {.kind = APEX_DIFFERENTIAL_OPEN},
        .steering = {.angle_rad_max = 0.6,
                     .rate_radps_max = 2.0,
                     .ackermann = 0.6,
                     .fade_speed_mps = 30.0},
        .aero = {.drag_coefficient = 0.32,
                 .frontal_area_m2 = 2.0,
                 .lift_front_m2 = 0.05,
                 .lift_rear_m2 = 0.0,
                 .drag_height_m = 0.05,
                 .slipstream_strength = 0.3},
        .aids = {.abs = 1.0,
                 .traction_control = 0.8,
                 .stability_control = 0.5,
                 .steering_assist = 0.6,
                 .launch_control = 0.0,
                 .automatic_clutch = true},
        .hull = {.length_m = 4.4,
                 .width_m = 1.8,
                 .height_m = 1.25,
                 .centre_x_m = 0.0,
                 .centre_y_m = 0.0,
                 .centre_z_m = 0.27,
                 .rounding_m = 0.08,
                 .restitution = 0.25,
                 .friction = 0.4},
        .kinematic = {.form = APEX_KINEMATIC_REAR_AXLE,
                      .acceleration_mps2_max = 4.0,
                      .braking_mps2_max = 9.0,
                      .speed_mps_max = 60.0,
                      .reverse_mps_max = 8.0},
    };
    def.axles[0] = default_axle(1.3, 1.0, 0.0);
    def.axles[1] = default_axle(-1.3, 0.0, 1.0);
    // Understeers: the front leans on its bar, the rear has a little more grip.
    def.axles[0].suspension.anti_roll_n_per_m = 20000.0;
    def.axles[1].suspension.anti_roll_n_per_m = 6000.0;
    def.axles[1].tyre.lateral.d = 1.06;
    // Twice the brake in front: the rear must not lock first.
    def.axles[0].brake.torque_nm_max = 2200.0;
    def.axles[1].brake.torque_nm_max = 1200.0;
    return def;
}

uint32_t apex_car_def_wheel_count(const apex_car_def *def) {
    uint32_t count = 0;
    for (uint32_t a = 0; a < def->axle_count && a < APEX_AXLES_MAX; a++) {
        count += def->axles[a].track_width_m > 0.0 ? 2 : 1;
    }
    return count;
}
