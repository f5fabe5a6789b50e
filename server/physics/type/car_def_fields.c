// The table of a definition's numbers.

#include "physics/type/car_def_fields.h"

#include "physics/car_def.h"

#define CAR(field, low, high) \
    { #field, offsetof(apex_car_def, field), low, high }
#define AXLE(field, low, high) \
    { #field, offsetof(apex_axle_def, field), low, high }

static const physics_def_range CAR_RANGES[] = {
    CAR(mass_kg, 50.0, 60000.0),
    CAR(inertia_roll_kgm2, 1.0, 1e6),
    CAR(inertia_pitch_kgm2, 1.0, 1e6),
    CAR(inertia_yaw_kgm2, 1.0, 1e6),
    CAR(com_height_m, 0.05, 4.0),
    CAR(fuel_kg_max, 0.0, 2000.0),
    CAR(fuel_x_m, -12.0, 12.0),
    CAR(engine.idle_rpm, 100.0, 5000.0),
    CAR(engine.limiter_rpm, 500.0, 25000.0),
    CAR(engine.blow_rpm, 0.0, 30000.0),
    CAR(engine.inertia_kgm2, 0.001, 20.0),
    CAR(engine.brake_nm_per_rps, 0.0, 50.0),
    CAR(engine.turbo_lag_s, 0.0, 10.0),
    CAR(engine.turbo_share, 0.0, 1.0),
    CAR(engine.fuel_kg_per_mj, 0.0, 1.0),
    CAR(engine.fuel_idle_kg_per_s, 0.0, 0.1),
    CAR(gearbox.reverse_ratio, 0.1, 30.0),
    CAR(gearbox.final_drive, 0.1, 30.0),
    CAR(gearbox.efficiency, 0.1, 1.0),
    CAR(gearbox.shift_time_s, 0.0, 5.0),
    CAR(gearbox.shift_up_rpm, 200.0, 25000.0),
    CAR(gearbox.shift_down_rpm, 100.0, 25000.0),
    CAR(gearbox.clutch_nm_max, 1.0, 20000.0),
    CAR(centre_differential.preload_nm, 0.0, 10000.0),
    CAR(centre_differential.power_bias, 0.0, 1.0),
    CAR(centre_differential.coast_bias, 0.0, 1.0),
    CAR(centre_differential.viscous_nms_per_rad, 0.0, 10000.0),
    CAR(steering.angle_rad_max, 0.0, 1.3),
    CAR(steering.rate_radps_max, 0.05, 50.0),
    CAR(steering.ackermann, 0.0, 1.0),
    CAR(steering.fade_speed_mps, 0.0, 500.0),
    CAR(aero.drag_coefficient, 0.0, 3.0),
    CAR(aero.frontal_area_m2, 0.0, 15.0),
    CAR(aero.lift_front_m2, -10.0, 5.0),
    CAR(aero.lift_rear_m2, -10.0, 5.0),
    CAR(aero.drag_height_m, -2.0, 4.0),
    CAR(aero.slipstream_strength, 0.0, 1.0),
    CAR(aids.abs, 0.0, 1.0),
    CAR(aids.traction_control, 0.0, 1.0),
    CAR(aids.stability_control, 0.0, 1.0),
    CAR(aids.steering_assist, 0.0, 1.0),
    CAR(aids.launch_control, 0.0, 1.0),
    CAR(hull.length_m, 0.3, 25.0),
    CAR(hull.width_m, 0.2, 5.0),
    CAR(hull.height_m, 0.2, 6.0),
    CAR(hull.centre_x_m, -10.0, 10.0),
    CAR(hull.centre_y_m, -2.0, 2.0),
    CAR(hull.centre_z_m, -3.0, 5.0),
    CAR(hull.rounding_m, 0.0, 1.0),
    CAR(hull.restitution, 0.0, 1.0),
    CAR(hull.friction, 0.0, 2.0),
    CAR(kinematic.acceleration_mps2_max, 0.0, 100.0),
    CAR(kinematic.braking_mps2_max, 0.0, 100.0),
    CAR(kinematic.speed_mps_max, 0.0, 150.0),
    CAR(kinematic.reverse_mps_max, 0.0, 150.0),
};

static const physics_def_range AXLE_RANGES[] = {
    AXLE(x_m, -12.0, 12.0),
    AXLE(track_width_m, 0.0, 4.0),
    AXLE(steer_share, -1.0, 1.0),
    AXLE(drive_share, 0.0, 1.0),
    AXLE(differential.preload_nm, 0.0, 10000.0),
    AXLE(differential.power_bias, 0.0, 1.0),
    AXLE(differential.coast_bias, 0.0, 1.0),
    AXLE(differential.viscous_nms_per_rad, 0.0, 10000.0),
    AXLE(suspension.spring_n_per_m, 1000.0, 2e6),
    AXLE(suspension.bump_ns_per_m, 0.0, 2e5),
    AXLE(suspension.rebound_ns_per_m, 0.0, 2e5),
    AXLE(suspension.travel_bump_m, 0.005, 1.0),
    AXLE(suspension.travel_rebound_m, 0.005, 1.0),
    AXLE(suspension.bump_stop_n_per_m, 0.0, 5e6),
    AXLE(suspension.anti_roll_n_per_m, 0.0, 1e6),
    AXLE(suspension.roll_centre_height_m, -1.0, 2.0),
    AXLE(suspension.unsprung_mass_kg, 0.5, 2000.0),
    AXLE(suspension.toe_rad, -0.2, 0.2),
    AXLE(suspension.camber_rad, -0.3, 0.3),
    AXLE(brake.torque_nm_max, 0.0, 50000.0),
    AXLE(brake.handbrake_nm_max, 0.0, 50000.0),
    AXLE(brake.heat_capacity_j_per_k, 100.0, 1e6),
    AXLE(brake.fade_start_c, 50.0, 2000.0),
    AXLE(tyre.radius_m, 0.1, 2.0),
    AXLE(tyre.width_m, 0.02, 2.0),
    AXLE(tyre.load_nominal_n, 50.0, 2e5),
    AXLE(tyre.load_sensitivity, 0.0, 0.5),
    AXLE(tyre.camber_stiffness, 0.0, 10.0),
    AXLE(tyre.pneumatic_trail_m, 0.0, 0.5),
    AXLE(tyre.rolling_coefficient, 0.0, 0.5),
    AXLE(tyre.rolling_coefficient_s_per_m, 0.0, 0.05),
    AXLE(tyre.vertical_stiffness_n_per_m, 10000.0, 5e6),
    AXLE(tyre.vertical_damping_ns_per_m, 0.0, 1e5),
    AXLE(tyre.slide_force_ratio, 0.1, 1.0),
    AXLE(tyre.inertia_kgm2, 0.01, 500.0),
    AXLE(tyre.temperature_best_c, -50.0, 300.0),
    AXLE(tyre.temperature_window_c, 1.0, 500.0),
    AXLE(tyre.heat_capacity_j_per_k, 100.0, 1e6),
    AXLE(tyre.wear_per_mj, 0.0, 1.0),
    AXLE(tyre.longitudinal.relaxation_m, 0.05, 1.0),
    AXLE(tyre.lateral.relaxation_m, 0.05, 1.0),
    AXLE(tyre.longitudinal.d, 0.05, 5.0),
    AXLE(tyre.lateral.d, 0.05, 5.0),
};

static const physics_def_range MAGIC_RANGES[] = {
    AXLE(tyre.longitudinal.b, 1.0, 50.0),  AXLE(tyre.lateral.b, 1.0, 50.0),
    AXLE(tyre.longitudinal.c, 1.0, 3.0),   AXLE(tyre.lateral.c, 1.0, 3.0),
    AXLE(tyre.longitudinal.e, -10.0, 1.0), AXLE(tyre.lateral.e, -10.0, 1.0),
};

static const physics_def_range STIFFNESS_RANGES[] = {
    AXLE(tyre.longitudinal.stiffness, 1.0, 200.0),
    AXLE(tyre.lateral.stiffness, 1.0, 200.0),
};

#define RANGES_OF(array) \
    { array, sizeof(array) / sizeof *(array) }

const physics_def_ranges PHYSICS_CAR_RANGES = RANGES_OF(CAR_RANGES);
const physics_def_ranges PHYSICS_AXLE_RANGES = RANGES_OF(AXLE_RANGES);
const physics_def_ranges PHYSICS_MAGIC_RANGES = RANGES_OF(MAGIC_RANGES);
const physics_def_ranges PHYSICS_STIFFNESS_RANGES = RANGES_OF(STIFFNESS_RANGES);
