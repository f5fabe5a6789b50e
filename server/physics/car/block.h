/// Eight cars side by side: the state that decides their future, and what drives them in a tick.
/// Car `slot` is lane slot % 8 of block slot / 8. Wheels stand at axle * 2 + side, so that a block
/// may mix cars with any number of axles; a single wheel is its axle's left one.
#pragma once

#include "physics/ground/lookup.h"
#include "physics/physics.h"
#include "physics/type/type.h"

enum { PHYSICS_WHEEL_SLOTS = 2 * APEX_AXLES_MAX };

typedef struct physics_wheel_lanes {
    lanes spin_radps;
    lanes deflection_long_m, deflection_lat_m;
    lanes travel_m, travel_mps;
    lanes temperature_c, brake_temperature_c;
    lanes wear;
} physics_wheel_lanes;

typedef struct physics_block {
    lanes_wide position_m[3];
    lanes_wide orientation[4];
    lanes velocity_mps[3], angular_radps[3]; ///< world axes
    physics_wheel_lanes wheels[PHYSICS_WHEEL_SLOTS];
    lanes steer_rad;
    lanes engine_radps;
    lanes boost;
    lanes lean_rad, lean_radps;
    lanes shift_left_s;
    lanes fuel_kg, ballast_kg;
    lanes slipstream;
    lanes acceleration_mps2[2];
    lanes damage[APEX_ZONE_COUNT];
    uint16_t type[PHYSICS_LANES]; ///< index into the world's types
    int8_t gear[PHYSICS_LANES], gear_before[PHYSICS_LANES];
    uint8_t shift_up_seen[PHYSICS_LANES], shift_down_seen[PHYSICS_LANES];
    uint8_t reset_seen[PHYSICS_LANES];
    bool counters_known[PHYSICS_LANES];
    bool airborne[PHYSICS_LANES], held[PHYSICS_LANES], ghost[PHYSICS_LANES];
    bool engine_blown[PHYSICS_LANES];
} physics_block;

/// The parts of the tyre's law that a block's axle needs at all.
typedef struct physics_tyre_plan {
    bool has_magic, has_linear, has_brush;
    bool has_two_curves; ///< of some tyre longitudinal and lateral differ
    bool has_slide_loss, has_curves;
} physics_tyre_plan;

/// The parts of its driveline that there are at all: the rest need not be looked at.
typedef struct physics_shaft_plan {
    bool is_driven[APEX_AXLES_MAX];
    bool has_joint[APEX_AXLES_MAX]; ///< a differential that is not open
    bool has_centre;                ///< likewise between axles
    bool is_any_viscous;
} physics_shaft_plan;

/// The inputs of a block's substeps beside its state: they follow from it, the types and the
/// controls.
typedef struct physics_drive {
    const physics_numbers_lanes *numbers; ///< the type's own if all eight are of one type
    const physics_type *types[PHYSICS_LANES];
    uint8_t axle_count; ///< most of any lane
    physics_tyre_plan tyres[APEX_AXLES_MAX];
    physics_shaft_plan shafts;
    bool is_anyone_here, is_anyone_kinematic, is_anyone_riding;
    lanes_mask is_live, is_held, is_dynamic; ///< dynamic: live, not held, not kinematic
    lanes_mask is_blown, is_airborne;
    lanes ratio; ///< of the gear, with final drive; 0 in neutral
    lanes gear;
    lanes steer, throttle, brake, clutch, handbrake; ///< -1..1 and 0..1
    lanes gear_asked;                                ///< wanted gear, AUTOMATIC or SEQUENTIAL
    lanes abs, traction_control, stability_control, steering_assist, launch_control;
    lanes has_automatic_clutch;
} physics_drive;

/// The pieces of their torque curves that eight engines were last on.
typedef struct physics_torque_cache {
    lanes from_radps, to_radps; ///< both 0: on none yet
    lanes nm, nm_per_radps;
} physics_torque_cache;

/// The direction of an axle's wheels when steered by an angle: found anew only when that changes;
/// like a ground cache, no state (DECISIONS 17).
typedef struct physics_steer_cache {
    lanes angle_rad; ///< not a number: found for none yet
    lanes sine[2], cosine[2];
} physics_steer_cache;

/// Telemetry of the last substep; dies with the next.
typedef struct physics_wheel_work {
    lanes load_n;
    lanes slip_ratio, slip_angle_rad;
    lanes force_long_n, force_lat_n;
    lanes friction;
    lanes slip; ///< combined, 1 at the peak
} physics_wheel_work;

typedef struct physics_work {
    physics_wheel_work wheels[PHYSICS_WHEEL_SLOTS];
    lanes acceleration_mps2[3];
    lanes engine_nm, drive_nm, clutch_nm;
    lanes drag_n, downforce_n;
    lanes throttle, brake;     ///< as used, after the aids
    lanes_mask is_up, is_down; ///< every wheel off the ground; any wheel on it
    physics_ground_cache ground_caches[PHYSICS_WHEEL_SLOTS];
    physics_steer_cache steer_caches[APEX_AXLES_MAX];
    physics_torque_cache torque;
} physics_work;
