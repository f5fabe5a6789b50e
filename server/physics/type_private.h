/// A kind of car as the step wants it: the definition in `real`, and everything that follows from
/// it alone. Built once by apex_world_add_type.
#pragma once

#include <stdint.h>

#include "physics/car_def.h"
#include "physics/real.h"

typedef struct physics_tyre_axis {
    real b, c, d, e;
    real peak_slip; ///< slip of greatest force; the unit of the combined slip
    real slope;     ///< force per load, friction 1 and unit slip, at no slip
    real relaxation_m;
    real per_deflection; ///< 1 / (relaxation * peak slip): deflection -> normalised slip
} physics_tyre_axis;

typedef struct physics_tyre {
    apex_tyre_model model;
    physics_tyre_axis longitudinal, lateral;
    bool is_isotropic; ///< both axes have one curve: it is evaluated once
    real radius_m, inertia_kgm2;
    real load_nominal_n, load_sensitivity;
    real camber_stiffness, pneumatic_trail_m;
    real rolling, rolling_s_per_m;
    real slide_force_ratio;
    real temperature_best_c, temperature_window_c, heat_capacity_j_per_k, wear_per_mj;
} physics_tyre;

typedef struct physics_axle {
    physics_tyre tyre;
    uint8_t first_wheel, wheel_count;
    real x_m, track_m;
    real steer_share, ackermann_m; ///< tan of a wheel is t / (1 - t y / ackermann_m); 0: parallel
    real toe_sin, toe_cos;         ///< of the left wheel; the right one mirrors it
    real camber_rad;
    real drive_share;
    apex_differential_kind differential;
    real preload_nm, power_bias, coast_bias, viscous_nms_per_rad;
    real brake_nm, handbrake_nm, brake_heat_j_per_k, brake_fade_c;
    real wheel_rate_n_per_m; ///< spring and tyre in series
    real load_share;         ///< of the load when nothing accelerates
    real load_per_nm;        ///< change of load per pitching moment, nose up positive
    real roll_share;         ///< of the springs' part of the lateral transfer
    real roll_centre_m;
    real lift_m2;
} physics_axle;

typedef struct physics_wheel_place {
    uint8_t axle;
    real x_m, y_m;
    real side; ///< 1 left, -1 right, 0 on the centre line
    real drive_share;
    // Least squares over all wheels: ground height and its slopes under the centre of mass.
    real height_weight, slope_x_weight, slope_y_weight;
} physics_wheel_place;

typedef struct physics_engine {
    uint32_t count;
    real rpm[APEX_TORQUE_POINTS_MAX], nm[APEX_TORQUE_POINTS_MAX];
    real nm_per_rpm[APEX_TORQUE_POINTS_MAX];
    real idle_radps, limiter_radps, blow_radps;
    real inertia_kgm2, brake_nms_per_rad;
    real turbo_lag_s, turbo_share;
    real fuel_kg_per_j, fuel_idle_kg_per_s;
} physics_engine;

typedef struct physics_gearbox {
    int8_t gear_count;
    real ratio[APEX_GEARS_MAX + 2]; ///< with final drive; [gear + 1], reverse negative, neutral 0
    real efficiency, shift_time_s;
    real up_radps, down_radps;
    real clutch_nm;
    bool automatic;
} physics_gearbox;

typedef struct physics_type {
    apex_car_def def;
    uint64_t def_hash;
    uint8_t axle_count, wheel_count;
    physics_axle axles[APEX_AXLES_MAX];
    physics_wheel_place wheels[APEX_WHEELS_MAX];
    physics_engine engine;
    physics_gearbox gearbox;
    apex_differential_kind centre_kind;
    real centre_preload_nm, centre_power_bias, centre_coast_bias, centre_viscous;
    real mass_kg, inertia_yaw_kgm2, com_height_m;
    real wheelbase_m;
    real heave_n_per_m, heave_ns_per_m, bump_stop_n_per_m, travel_bump_m, travel_rebound_m;
    real roll_centre_m;                         ///< mean, weighted by load
    real roll_rad_per_mps2, pitch_rad_per_mps2; ///< body lean under acceleration, for the pose
    real steer_max_rad, steer_rate_radps, steer_fade_mps;
    real drag_m2, drag_height_m, lift_m2;
    real abs, traction_control, stability_control, steering_assist, launch_control;
    bool automatic_clutch;
    real driven_radius_m; ///< mean of the driven wheels
    real hull_half_length_m, hull_half_width_m, hull_half_height_m;
    real hull_x_m, hull_y_m, hull_z_m;
    real hull_radius_m; ///< of the footprint about the centre of mass
    real restitution, friction;
} physics_type;

/// @param def must have passed apex_car_def_check.
void physics_type_build(physics_type *type, const apex_car_def *def);

/// Of every number and choice the step reads; names and titles have no say.
uint64_t physics_car_def_hash(const apex_car_def *def);
