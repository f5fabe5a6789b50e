/// The ranges of a car's numbers, each said once: the check of definitions and the keys of car
/// files read it here.
#pragma once

#include "base/range.h"

#define APEX_RANGE_apex_car_def_mass_kg            50.0, 60000.0
#define APEX_RANGE_apex_car_def_inertia_roll_kgm2  1.0, 1e6
#define APEX_RANGE_apex_car_def_inertia_pitch_kgm2 1.0, 1e6
#define APEX_RANGE_apex_car_def_inertia_yaw_kgm2   1.0, 1e6
#define APEX_RANGE_apex_car_def_com_height_m       0.05, 4.0
#define APEX_RANGE_apex_car_def_fuel_kg_max        0.0, 2000.0
#define APEX_RANGE_apex_car_def_fuel_x_m           -12.0, 12.0

#define APEX_RANGE_apex_engine_def_idle_rpm           100.0, 5000.0
#define APEX_RANGE_apex_engine_def_limiter_rpm        500.0, 25000.0
#define APEX_RANGE_apex_engine_def_blow_rpm           0.0, 30000.0
#define APEX_RANGE_apex_engine_def_inertia_kgm2       0.001, 20.0
#define APEX_RANGE_apex_engine_def_brake_nm_per_rps   0.0, 50.0
#define APEX_RANGE_apex_engine_def_turbo_lag_s        0.0, 10.0
#define APEX_RANGE_apex_engine_def_turbo_share        0.0, 1.0
#define APEX_RANGE_apex_engine_def_fuel_kg_per_mj     0.0, 1.0
#define APEX_RANGE_apex_engine_def_fuel_idle_kg_per_s 0.0, 0.1
#define APEX_RANGE_apex_engine_def_torque_rpm         0.0, 30000.0
#define APEX_RANGE_apex_engine_def_torque_nm          0.0, 10000.0

#define APEX_RANGE_apex_gearbox_def_reverse_ratio  0.1, 30.0
#define APEX_RANGE_apex_gearbox_def_final_drive    0.1, 30.0
#define APEX_RANGE_apex_gearbox_def_efficiency     0.1, 1.0
#define APEX_RANGE_apex_gearbox_def_shift_time_s   0.0, 5.0
#define APEX_RANGE_apex_gearbox_def_shift_up_rpm   200.0, 25000.0
#define APEX_RANGE_apex_gearbox_def_shift_down_rpm 100.0, 25000.0
#define APEX_RANGE_apex_gearbox_def_clutch_nm_max  1.0, 20000.0
#define APEX_RANGE_apex_gearbox_def_ratio          0.1, 30.0

#define APEX_RANGE_apex_differential_def_preload_nm          0.0, 10000.0
#define APEX_RANGE_apex_differential_def_power_bias          0.0, 1.0
#define APEX_RANGE_apex_differential_def_coast_bias          0.0, 1.0
#define APEX_RANGE_apex_differential_def_viscous_nms_per_rad 0.0, 10000.0

#define APEX_RANGE_apex_steering_def_angle_rad_max  0.0, 1.3
#define APEX_RANGE_apex_steering_def_rate_radps_max 0.05, 50.0
#define APEX_RANGE_apex_steering_def_ackermann      0.0, 1.0
#define APEX_RANGE_apex_steering_def_fade_speed_mps 0.0, 500.0

#define APEX_RANGE_apex_aero_def_drag_coefficient    0.0, 3.0
#define APEX_RANGE_apex_aero_def_frontal_area_m2     0.0, 15.0
#define APEX_RANGE_apex_aero_def_lift_front_m2       -10.0, 5.0
#define APEX_RANGE_apex_aero_def_lift_rear_m2        -10.0, 5.0
#define APEX_RANGE_apex_aero_def_drag_height_m       -2.0, 4.0
#define APEX_RANGE_apex_aero_def_slipstream_strength 0.0, 1.0

#define APEX_RANGE_apex_aids_def_abs               0.0, 1.0
#define APEX_RANGE_apex_aids_def_traction_control  0.0, 1.0
#define APEX_RANGE_apex_aids_def_stability_control 0.0, 1.0
#define APEX_RANGE_apex_aids_def_steering_assist   0.0, 1.0
#define APEX_RANGE_apex_aids_def_launch_control    0.0, 1.0

#define APEX_RANGE_apex_hull_def_length_m    0.3, 25.0
#define APEX_RANGE_apex_hull_def_width_m     0.2, 5.0
#define APEX_RANGE_apex_hull_def_height_m    0.2, 6.0
#define APEX_RANGE_apex_hull_def_centre_x_m  -10.0, 10.0
#define APEX_RANGE_apex_hull_def_centre_y_m  -2.0, 2.0
#define APEX_RANGE_apex_hull_def_centre_z_m  -3.0, 5.0
#define APEX_RANGE_apex_hull_def_rounding_m  0.0, 1.0
#define APEX_RANGE_apex_hull_def_restitution 0.0, 1.0
#define APEX_RANGE_apex_hull_def_friction    0.0, 2.0

#define APEX_RANGE_apex_kinematic_def_acceleration_mps2_max 0.0, 100.0
#define APEX_RANGE_apex_kinematic_def_braking_mps2_max      0.0, 100.0
#define APEX_RANGE_apex_kinematic_def_speed_mps_max         0.0, 150.0
#define APEX_RANGE_apex_kinematic_def_reverse_mps_max       0.0, 150.0

#define APEX_RANGE_apex_axle_def_x_m           -12.0, 12.0
#define APEX_RANGE_apex_axle_def_track_width_m 0.0, 4.0
#define APEX_RANGE_apex_axle_def_steer_share   -1.0, 1.0
#define APEX_RANGE_apex_axle_def_drive_share   0.0, 1.0

#define APEX_RANGE_apex_suspension_def_spring_n_per_m       1000.0, 2e6
#define APEX_RANGE_apex_suspension_def_bump_ns_per_m        0.0, 2e5
#define APEX_RANGE_apex_suspension_def_rebound_ns_per_m     0.0, 2e5
#define APEX_RANGE_apex_suspension_def_travel_bump_m        0.005, 1.0
#define APEX_RANGE_apex_suspension_def_travel_rebound_m     0.005, 1.0
#define APEX_RANGE_apex_suspension_def_bump_stop_n_per_m    0.0, 5e6
#define APEX_RANGE_apex_suspension_def_anti_roll_n_per_m    0.0, 1e6
#define APEX_RANGE_apex_suspension_def_roll_centre_height_m -1.0, 2.0
#define APEX_RANGE_apex_suspension_def_unsprung_mass_kg     0.5, 2000.0
#define APEX_RANGE_apex_suspension_def_toe_rad              -0.2, 0.2
#define APEX_RANGE_apex_suspension_def_camber_rad           -0.3, 0.3

#define APEX_RANGE_apex_brake_def_torque_nm_max         0.0, 50000.0
#define APEX_RANGE_apex_brake_def_handbrake_nm_max      0.0, 50000.0
#define APEX_RANGE_apex_brake_def_heat_capacity_j_per_k 100.0, 1e6
#define APEX_RANGE_apex_brake_def_fade_start_c          50.0, 2000.0

#define APEX_RANGE_apex_tyre_def_radius_m                    0.1, 2.0
#define APEX_RANGE_apex_tyre_def_width_m                     0.02, 2.0
#define APEX_RANGE_apex_tyre_def_load_nominal_n              50.0, 2e5
#define APEX_RANGE_apex_tyre_def_load_sensitivity            0.0, 0.5
#define APEX_RANGE_apex_tyre_def_camber_stiffness            0.0, 10.0
#define APEX_RANGE_apex_tyre_def_pneumatic_trail_m           0.0, 0.5
#define APEX_RANGE_apex_tyre_def_rolling_coefficient         0.0, 0.5
#define APEX_RANGE_apex_tyre_def_rolling_coefficient_s_per_m 0.0, 0.05
#define APEX_RANGE_apex_tyre_def_vertical_stiffness_n_per_m  10000.0, 5e6
#define APEX_RANGE_apex_tyre_def_vertical_damping_ns_per_m   0.0, 1e5
#define APEX_RANGE_apex_tyre_def_slide_force_ratio           0.1, 1.0
#define APEX_RANGE_apex_tyre_def_inertia_kgm2                0.01, 500.0
#define APEX_RANGE_apex_tyre_def_temperature_best_c          -50.0, 300.0
#define APEX_RANGE_apex_tyre_def_temperature_window_c        1.0, 500.0
#define APEX_RANGE_apex_tyre_def_heat_capacity_j_per_k       100.0, 1e6
#define APEX_RANGE_apex_tyre_def_wear_per_mj                 0.0, 1.0

#define APEX_RANGE_apex_tyre_axis_relaxation_m 0.05, 1.0
#define APEX_RANGE_apex_tyre_axis_d            0.05, 5.0
#define APEX_RANGE_apex_tyre_axis_b            1.0, 50.0
#define APEX_RANGE_apex_tyre_axis_c            1.0, 3.0
#define APEX_RANGE_apex_tyre_axis_e            -10.0, 1.0
#define APEX_RANGE_apex_tyre_axis_stiffness    1.0, 200.0
