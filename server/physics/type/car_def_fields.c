// The table of a definition's numbers.

#include "physics/type/car_def_fields.h"

#include "physics/car_def.h"
#include "physics/car_def_ranges.h"

#define ROW(owner, path, range) \
    { #path, offsetof(owner, path), range }
#define CAR(member)                    ROW(apex_car_def, member, APEX_RANGE(apex_car_def, member))
#define CAR_PART(part, owner, member)  ROW(apex_car_def, part.member, APEX_RANGE(owner, member))
#define AXLE(member)                   ROW(apex_axle_def, member, APEX_RANGE(apex_axle_def, member))
#define AXLE_PART(part, owner, member) ROW(apex_axle_def, part.member, APEX_RANGE(owner, member))

static const physics_def_range CAR_RANGES[] = {
    CAR(mass_kg),
    CAR(inertia_roll_kgm2),
    CAR(inertia_pitch_kgm2),
    CAR(inertia_yaw_kgm2),
    CAR(com_height_m),
    CAR(fuel_kg_max),
    CAR(fuel_x_m),
    CAR_PART(engine, apex_engine_def, idle_rpm),
    CAR_PART(engine, apex_engine_def, limiter_rpm),
    CAR_PART(engine, apex_engine_def, blow_rpm),
    CAR_PART(engine, apex_engine_def, inertia_kgm2),
    CAR_PART(engine, apex_engine_def, brake_nm_per_rps),
    CAR_PART(engine, apex_engine_def, turbo_lag_s),
    CAR_PART(engine, apex_engine_def, turbo_share),
    CAR_PART(engine, apex_engine_def, fuel_kg_per_mj),
    CAR_PART(engine, apex_engine_def, fuel_idle_kg_per_s),
    CAR_PART(gearbox, apex_gearbox_def, reverse_ratio),
    CAR_PART(gearbox, apex_gearbox_def, final_drive),
    CAR_PART(gearbox, apex_gearbox_def, efficiency),
    CAR_PART(gearbox, apex_gearbox_def, shift_time_s),
    CAR_PART(gearbox, apex_gearbox_def, shift_up_rpm),
    CAR_PART(gearbox, apex_gearbox_def, shift_down_rpm),
    CAR_PART(gearbox, apex_gearbox_def, clutch_nm_max),
    CAR_PART(centre_differential, apex_differential_def, preload_nm),
    CAR_PART(centre_differential, apex_differential_def, power_bias),
    CAR_PART(centre_differential, apex_differential_def, coast_bias),
    CAR_PART(centre_differential, apex_differential_def, viscous_nms_per_rad),
    CAR_PART(steering, apex_steering_def, angle_rad_max),
    CAR_PART(steering, apex_steering_def, rate_radps_max),
    CAR_PART(steering, apex_steering_def, ackermann),
    CAR_PART(steering, apex_steering_def, fade_speed_mps),
    CAR_PART(aero, apex_aero_def, drag_coefficient),
    CAR_PART(aero, apex_aero_def, frontal_area_m2),
    CAR_PART(aero, apex_aero_def, lift_front_m2),
    CAR_PART(aero, apex_aero_def, lift_rear_m2),
    CAR_PART(aero, apex_aero_def, drag_height_m),
    CAR_PART(aero, apex_aero_def, slipstream_strength),
    CAR_PART(aids, apex_aids_def, abs),
    CAR_PART(aids, apex_aids_def, traction_control),
    CAR_PART(aids, apex_aids_def, stability_control),
    CAR_PART(aids, apex_aids_def, steering_assist),
    CAR_PART(aids, apex_aids_def, launch_control),
    CAR_PART(hull, apex_hull_def, length_m),
    CAR_PART(hull, apex_hull_def, width_m),
    CAR_PART(hull, apex_hull_def, height_m),
    CAR_PART(hull, apex_hull_def, centre_x_m),
    CAR_PART(hull, apex_hull_def, centre_y_m),
    CAR_PART(hull, apex_hull_def, centre_z_m),
    CAR_PART(hull, apex_hull_def, rounding_m),
    CAR_PART(hull, apex_hull_def, restitution),
    CAR_PART(hull, apex_hull_def, friction),
    CAR_PART(kinematic, apex_kinematic_def, acceleration_mps2_max),
    CAR_PART(kinematic, apex_kinematic_def, braking_mps2_max),
    CAR_PART(kinematic, apex_kinematic_def, speed_mps_max),
    CAR_PART(kinematic, apex_kinematic_def, reverse_mps_max),
};

static const physics_def_range AXLE_RANGES[] = {
    AXLE(x_m),
    AXLE(track_width_m),
    AXLE(steer_share),
    AXLE(drive_share),
    AXLE_PART(differential, apex_differential_def, preload_nm),
    AXLE_PART(differential, apex_differential_def, power_bias),
    AXLE_PART(differential, apex_differential_def, coast_bias),
    AXLE_PART(differential, apex_differential_def, viscous_nms_per_rad),
    AXLE_PART(suspension, apex_suspension_def, spring_n_per_m),
    AXLE_PART(suspension, apex_suspension_def, bump_ns_per_m),
    AXLE_PART(suspension, apex_suspension_def, rebound_ns_per_m),
    AXLE_PART(suspension, apex_suspension_def, travel_bump_m),
    AXLE_PART(suspension, apex_suspension_def, travel_rebound_m),
    AXLE_PART(suspension, apex_suspension_def, bump_stop_n_per_m),
    AXLE_PART(suspension, apex_suspension_def, anti_roll_n_per_m),
    AXLE_PART(suspension, apex_suspension_def, roll_centre_height_m),
    AXLE_PART(suspension, apex_suspension_def, unsprung_mass_kg),
    AXLE_PART(suspension, apex_suspension_def, toe_rad),
    AXLE_PART(suspension, apex_suspension_def, camber_rad),
    AXLE_PART(brake, apex_brake_def, torque_nm_max),
    AXLE_PART(brake, apex_brake_def, handbrake_nm_max),
    AXLE_PART(brake, apex_brake_def, heat_capacity_j_per_k),
    AXLE_PART(brake, apex_brake_def, fade_start_c),
    AXLE_PART(tyre, apex_tyre_def, radius_m),
    AXLE_PART(tyre, apex_tyre_def, width_m),
    AXLE_PART(tyre, apex_tyre_def, load_nominal_n),
    AXLE_PART(tyre, apex_tyre_def, load_sensitivity),
    AXLE_PART(tyre, apex_tyre_def, camber_stiffness),
    AXLE_PART(tyre, apex_tyre_def, pneumatic_trail_m),
    AXLE_PART(tyre, apex_tyre_def, rolling_coefficient),
    AXLE_PART(tyre, apex_tyre_def, rolling_coefficient_s_per_m),
    AXLE_PART(tyre, apex_tyre_def, vertical_stiffness_n_per_m),
    AXLE_PART(tyre, apex_tyre_def, vertical_damping_ns_per_m),
    AXLE_PART(tyre, apex_tyre_def, slide_force_ratio),
    AXLE_PART(tyre, apex_tyre_def, inertia_kgm2),
    AXLE_PART(tyre, apex_tyre_def, temperature_best_c),
    AXLE_PART(tyre, apex_tyre_def, temperature_window_c),
    AXLE_PART(tyre, apex_tyre_def, heat_capacity_j_per_k),
    AXLE_PART(tyre, apex_tyre_def, wear_per_mj),
    AXLE_PART(tyre.longitudinal, apex_tyre_axis, relaxation_m),
    AXLE_PART(tyre.lateral, apex_tyre_axis, relaxation_m),
    AXLE_PART(tyre.longitudinal, apex_tyre_axis, d),
    AXLE_PART(tyre.lateral, apex_tyre_axis, d),
};

static const physics_def_range MAGIC_RANGES[] = {
    AXLE_PART(tyre.longitudinal, apex_tyre_axis, b), AXLE_PART(tyre.lateral, apex_tyre_axis, b),
    AXLE_PART(tyre.longitudinal, apex_tyre_axis, c), AXLE_PART(tyre.lateral, apex_tyre_axis, c),
    AXLE_PART(tyre.longitudinal, apex_tyre_axis, e), AXLE_PART(tyre.lateral, apex_tyre_axis, e),
};

static const physics_def_range STIFFNESS_RANGES[] = {
    AXLE_PART(tyre.longitudinal, apex_tyre_axis, stiffness),
    AXLE_PART(tyre.lateral, apex_tyre_axis, stiffness),
};

#define RANGES_OF(array) \
    { array, sizeof(array) / sizeof *(array) }

const physics_def_ranges PHYSICS_CAR_RANGES = RANGES_OF(CAR_RANGES);
const physics_def_ranges PHYSICS_AXLE_RANGES = RANGES_OF(AXLE_RANGES);
const physics_def_ranges PHYSICS_MAGIC_RANGES = RANGES_OF(MAGIC_RANGES);
const physics_def_ranges PHYSICS_STIFFNESS_RANGES = RANGES_OF(STIFFNESS_RANGES);
