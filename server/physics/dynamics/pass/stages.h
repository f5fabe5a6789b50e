/// A block's way through one substep: each stage fills its own fields and reads earlier ones. The
/// order is advance() in substep.c. Compiled once for each instruction set.
#pragma once

#include "physics/car/cars.h"
#include "physics/dynamics/pass/grip.h"
#include "physics/lanes/geometry.h"
#include "physics/lanes/isa.h"

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
    physics_cars *cars;
    uint32_t block_index;
    physics_block *block;
    physics_drive *drive;
    physics_work *work;
    const physics_numbers_lanes *numbers;
    real h_s, gravity_mps2;

    // frame
    lanes axis[3][3];                        ///< body x, y, z in world axes
    lanes velocity_mps[3], angular_radps[3]; ///< body axes
    lanes mass_kg, sprung_kg;
    lanes com_x_m, sprung_x_m; ///< shifted by fuel, and by the wheels' own weight

    physics_wheel_pass wheels[PHYSICS_WHEEL_SLOTS];
    lanes rider_nm; ///< rolling moment of a rider's foot and body
    lanes throttle;
    lanes drag_n[3];        ///< of the air, body axes
    lanes lift_n, pitch_nm; ///< of the air; pitching moment of drag, too
    lanes spin_reaction_nm; ///< of wheels that gain speed, on the body's pitch
} physics_substep;

void FOR_ISA(physics_frame)(physics_substep *step);
/// Finds each wheel's contact with the ground, its speed there, and its load.
void FOR_ISA(physics_wheel_contacts)(physics_substep *step);
void FOR_ISA(physics_steering)(physics_substep *step);
/// Gears that have something to do.
void FOR_ISA(physics_shifting)(physics_substep *step);
void FOR_ISA(physics_aids)(physics_substep *step);
void FOR_ISA(physics_tyres)(physics_substep *step);
/// Engine, clutch, differentials and brakes; ends with the tyres' forces for the spins found.
void FOR_ISA(physics_driveline)(physics_substep *step);
void FOR_ISA(physics_aero)(physics_substep *step);
/// Springs, dampers, stops and bars: moves the hubs, and sums up what reaches the body.
void FOR_ISA(physics_suspension_forces)(physics_substep *step, physics_sum *sum);
/// Heat and wear, where the world asks for them.
void FOR_ISA(physics_heat_and_wear)(physics_substep *step);

LANES_INLINE lanes curve_at(const physics_travel_curve_lanes *curve, lanes travel_m) {
    lanes value = curve->start_rad;
    for (uint32_t i = 0; i < APEX_CURVE_POINTS_MAX - 1; i++) {
        lanes inside = lanes_clamp(travel_m - curve->from_m[i], lanes_zero(), curve->length_m[i]);
        value += curve->slope[i] * inside;
    }
    return value;
}
