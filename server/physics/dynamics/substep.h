/// A block's way through one substep: each stage fills its own fields and reads earlier ones. The
/// order is advance() in substep.c. Compiled once for each instruction set.
#pragma once

#include "physics/lanes/geometry.h"
#include "physics/lanes/isa.h"
#include "physics/world/world.h"

/// A tyre's answer. Forces are of the ground on the tyre, along its directions.
typedef struct physics_grip {
    lanes long_n, lat_n;
    lanes long_n_max, lat_n_max; ///< half axes of the friction ellipse
    lanes long_n_per_radps;      ///< change of long_n if the wheel ends the substep faster
    lanes deflection_per_radps;  ///< likewise of the longitudinal deflection
    lanes stiffness[2];          ///< force for each metre of stretch, along and across
    lanes slip;                  ///< combined, in units of the peak's; above 1 it slides
    lanes slip_long, slip_lat;   ///< its parts
} physics_grip;

typedef struct physics_wheel_pass {
    lanes_mask is_grounded;
    lanes x_m, y_m, z_m;                  ///< contact point, body axes
    lanes normal[3], forward[3], left[3]; ///< of ground and tyre, body axes
    lanes steer_sin, steer_cos;
    lanes lean;  ///< sine of how far the wheel leans to its left, off the ground's normal
    lanes gap_m; ///< ground to undeformed tyre; negative: pressed in
    lanes speed_x_mps, speed_y_mps; ///< of the contact point along the tyre's directions
    lanes load_n;
    lanes friction; ///< of tyre and surface, this load
    lanes rolling_ratio, plough_ns_per_m;
    lanes brake_nm;
    physics_grip grip;
    lanes force_n[3]; ///< all of the ground on the wheel, body axes
} physics_wheel_pass;

typedef struct physics_sum {
    lanes force_n[3], moment_nm[3]; ///< on the sprung body, body axes, about the centre of mass
} physics_sum;

typedef struct physics_substep {
    apex_world *world;
    uint32_t block_index;
    physics_block *block;
    physics_drive *drive;
    physics_work *work;
    const physics_numbers_lanes *numbers;
    real h_s, gravity_mps2;

    // frame
    lanes axis[3][3];                     ///< body x, y, z in world axes
    lanes velocity_mps[3], turn_radps[3]; ///< body axes
    lanes mass_kg, sprung_kg;
    lanes com_x_m, sprung_x_m; ///< shifted by fuel, and by the wheels' own weight

    physics_wheel_pass wheels[PHYSICS_WHEEL_SLOTS];
    lanes rider_nm; ///< rolling moment of a rider's foot and body
    lanes throttle;
    lanes drag_n[3];        ///< of the air, body axes
    lanes lift_n, pitch_nm; ///< of the air; pitching moment of drag, too
    lanes spin_reaction_nm; ///< of wheels that gain speed, on the body's pitch
} physics_substep;

/// As physics_level says. No stage: a look between steps.
void LEVEL(physics_block_poses)(const apex_world *world, uint32_t index, uint32_t which,
                                apex_car_pose out[PHYSICS_LANES]);

void LEVEL(physics_frame)(physics_substep *step);
/// Where each wheel meets the ground, how fast, and with what load.
void LEVEL(physics_footing)(physics_substep *step);
void LEVEL(physics_steering)(physics_substep *step);
/// A motorcycle's rider: turns the wanted steering angle into the one that makes it lean so, and
/// holds it up where it is too slow to balance.
void LEVEL(physics_rider)(physics_substep *step, lanes *steer_rad);
/// What a motorcycle bears of throttle and brakes without rising on one wheel or sliding in a bend.
typedef struct physics_balance {
    lanes throttle, front_brake, rear_brake; ///< factors 0..1; 1 for what has two tracks
    lanes throttle_least; ///< that keeps engine braking from dragging the rear wheel along
} physics_balance;

void LEVEL(physics_rider_balance)(const physics_substep *step, physics_balance *out);
/// Gears that have something to do.
void LEVEL(physics_shifting)(physics_substep *step);
void LEVEL(physics_aids)(physics_substep *step);
void LEVEL(physics_tyres)(physics_substep *step);
/// Engine, clutch, differentials and brakes; ends with the tyres' forces for the spins found.
void LEVEL(physics_driveline)(physics_substep *step);
/// Torque at the crank now: curve, idle governor, limiter, boost and drag.
void LEVEL(physics_engine_torque)(physics_substep *step, lanes *torque_nm);
/// Burns fuel, and blows up engines that were turned too fast.
void LEVEL(physics_engine_after)(physics_substep *step, const lanes *torque_nm);
void LEVEL(physics_aero)(physics_substep *step);
/// Springs, dampers, stops and bars: moves the hubs, and sums up what reaches the body.
void LEVEL(physics_suspension)(physics_substep *step, physics_sum *sum);
/// Heat and wear, where the world asks for them.
void LEVEL(physics_ageing)(physics_substep *step);

/// The tyre by itself: deflections move by a substep; force for a wheel whose spin does not change.
typedef struct physics_tyre_input {
    const physics_tyre_plan *plan;
    real h_s, gravity_mps2;
    lanes load_n, friction;
    lanes speed_x_mps, speed_y_mps, spin_radps;
    lanes camber_n;    ///< lateral, from camber and lean
    lanes patch_share; ///< of the load's mass that resists a push at the patch
} physics_tyre_input;

void LEVEL(physics_tyre_predict)(const physics_tyre_lanes *tyre, const physics_tyre_input *in,
                                 physics_wheel_lanes *wheel, physics_grip *out);
/// The force once the spin has changed by `change_radps`: this one goes to the body, or wheel and
/// body would exchange different momenta (12 % of the speed in 3 s at 60 Hz).
void LEVEL(physics_tyre_finish)(const lanes *change_radps, physics_wheel_lanes *wheel,
                                physics_grip *grip);
/// Force per load and friction 1 at slips in units of the peaks': the similarity ("rho") form.
void LEVEL(physics_tyre_combined)(const physics_tyre_lanes *tyre, const physics_tyre_plan *plan,
                                  const lanes slip[2], lanes force[2]);

/// One substep of forces and velocities; one of motion.
void LEVEL(physics_block_forces)(apex_world *world, const uint32_t blocks[], uint32_t count,
                                 bool is_last);
void LEVEL(physics_block_move)(apex_world *world, const uint32_t blocks[], uint32_t count);

LANES_INLINE lanes curve_at(const physics_travel_curve_lanes *curve, lanes travel_m) {
    lanes value = curve->start_rad;
    for (uint32_t i = 0; i < APEX_CURVE_POINTS_MAX - 1; i++) {
        lanes inside = lanes_clamp(travel_m - curve->from_m[i], lanes_zero(), curve->length_m[i]);
        value += curve->slope[i] * inside;
    }
    return value;
}
