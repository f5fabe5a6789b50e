/// One car's way through one substep: each stage fills its own fields and reads earlier ones.
/// The order is physics_car_forces, in chassis.c.
#pragma once

#include "physics/physics_private.h"
#include "physics/tyre_private.h"

typedef struct physics_car_step {
    apex_world *world;
    uint32_t slot;
    const physics_type *type;
    const physics_input *input;
    physics_car *car;
    physics_work *work;
    real h_s;

    // stance: the ground's frame, velocities in it, what carries the car
    real forward[3], left[3], normal[3];
    real speed_x_mps, speed_y_mps, speed_z_mps, yaw_radps;
    real mass_kg;
    real lift_n; ///< aerodynamic, upwards
    real drag_n;
    real carried_n; ///< sum of the wheels' loads
    real load_n[APEX_WHEELS_MAX];
    real friction[APEX_WHEELS_MAX];      ///< of tyre and surface, this load
    real rolling_ratio[APEX_WHEELS_MAX]; ///< of the surface
    real plough_ns_per_m[APEX_WHEELS_MAX];

    // aids and steering
    real wheel_sin[APEX_WHEELS_MAX], wheel_cos[APEX_WHEELS_MAX];
    real throttle;
    real brake_nm[APEX_WHEELS_MAX];

    // tyres and driveline
    real wheel_x_mps[APEX_WHEELS_MAX], wheel_y_mps[APEX_WHEELS_MAX]; ///< in each wheel's axes
    physics_tyre_output tyre[APEX_WHEELS_MAX];
} physics_car_step;

void physics_stance_sample(physics_car_step *step);
void physics_stance_loads(physics_car_step *step);

void physics_aero_forces(physics_car_step *step);

void physics_steer(physics_car_step *step);
void physics_aids_apply(physics_car_step *step);

void physics_gearbox_step(physics_car_step *step);
/// Asks for a gear; refused when it would reverse at speed or the box does not have it.
void physics_gearbox_request(apex_world *world, uint32_t slot, int32_t gear);
/// Speed of the gearbox's input if the clutch were closed, in the gear given.
real physics_gearbox_input_radps(const physics_car *car, const physics_type *type, int8_t gear);

/// Torque of the curve at full throttle; level outside its ends.
real physics_engine_curve_nm(const physics_engine *engine, real radps);
/// Torque at the crank now, idle governor, limiter, boost and drag included.
real physics_engine_torque_nm(physics_car_step *step);
/// Burns fuel, and blows the engine up when it was turned too fast.
void physics_engine_after(physics_car_step *step, real torque_nm);

void physics_driveline_step(physics_car_step *step);

/// Heat and wear of a substep, where the world asks for them.
void physics_tyres_age(physics_car_step *step);
/// Share of grip, or of brake torque, that temperature and wear have left.
real physics_tyre_condition(const physics_car_step *step, uint32_t wheel);
real physics_brake_condition(const physics_car_step *step, uint32_t wheel);

void physics_kinematic_forces(physics_car_step *step);
/// Turns what contacts did to the body's velocity into a change of speed.
void physics_kinematic_hit(physics_car *car, const physics_type *type, const physics_body *body);

/// Height of the ground at a wheel, with the surface's roughness, above `z_m`; and the surface.
real physics_ground_under(const apex_ground *ground, const double position_m[3], uint8_t *surface);
