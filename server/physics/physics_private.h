/// The world's own shape, and the stages of its step. Who owns what:
///   physics_car   everything of a car that decides its future: saved, restored, hashed
///   physics_input one tick's controls of a car, decoded
///   physics_work  what a substep computed on its way: telemetry, dies with the next step
///   physics_body  a car as contacts see it, between forces and integration
#pragma once

#include "base/pool.h"
#include "physics/physics.h"
#include "physics/type_private.h"

typedef struct physics_wheel {
    real spin_radps;
    real deflection_long_m, deflection_lat_m;
    real travel_m, travel_mps;
    real temperature_c, brake_temperature_c;
    real wear;
} physics_wheel;

/// No padding inside, so that its bytes can be hashed.
typedef struct physics_car {
    double position_m[3];
    double orientation[4];
    real velocity_mps[3];
    real angular_radps[3];
    physics_wheel wheels[APEX_WHEELS_MAX];
    real steer_rad;
    real engine_radps;
    real boost;
    real lean_rad, lean_radps;
    real shift_left_s;
    real fuel_kg, ballast_kg;
    real damage[APEX_ZONE_COUNT];
    real acceleration_mps2[2];
    uint16_t type; ///< index into the world's types
    int8_t gear, gear_before;
    uint8_t shift_up_seen, shift_down_seen, reset_seen;
    bool counters_known;
    bool airborne, held, ghost, engine_blown;
} physics_car;

#ifndef APEX_REAL_DOUBLE
_Static_assert(sizeof(physics_car) == 56 + 85 * 4 + 12, "physics_car has padding");
#endif

typedef struct physics_input {
    real steer; ///< -1..1
    real throttle, brake, clutch, handbrake;
    int8_t gear; ///< wanted, or AUTOMATIC, or SEQUENTIAL (whose shifts are done by now)
    uint8_t aids_off;
} physics_input;

typedef struct physics_wheel_work {
    real load_n;
    real slip_ratio, slip_angle_rad;
    real force_long_n, force_lat_n;
    real friction;
    uint8_t surface;
    bool grounded, sliding;
} physics_wheel_work;

typedef struct physics_work {
    physics_wheel_work wheels[APEX_WHEELS_MAX];
    real acceleration_mps2[3];
    real engine_nm, drive_nm, clutch_nm;
    real drag_n, downforce_n;
    real throttle, brake; ///< as used, after the aids
    real ground_normal[3];
    real ground_height_m; ///< under the centre of mass, relative to the lowest the car may stand
} physics_work;

/// A car's box in the plane, with the velocity that contacts change.
typedef struct physics_body {
    double x_m, y_m; ///< centre of mass
    real cos_yaw, sin_yaw;
    real velocity_x_mps, velocity_y_mps, yaw_radps;
    real inverse_mass, inverse_inertia; ///< 0 when held
    real push_x_m, push_y_m;            ///< out of what it has sunk into; moves, gives no speed
    real hull_x_m, hull_y_m;            ///< of the box's centre from the centre of mass, body axes
    real half_length_m, half_width_m;
    real radius_m;        ///< of the footprint about the centre of mass
    real reach_m;         ///< how far off it may be and still meet something in this substep
    real bottom_m, top_m; ///< world heights
    real restitution, friction;
    bool is_live, is_ghost;
} physics_body;

typedef struct physics_collider physics_collider;

struct apex_world {
    apex_world_def def;
    uint32_t substeps;
    real h_s, gravity_mps2, air_kg_per_m3;
    const apex_ground *ground;
    physics_type *types;
    uint32_t type_count;
    apex_pool pool;
    uint32_t *generations;
    physics_car *cars;
    physics_input *inputs;
    physics_work *works;
    physics_body *bodies;
    physics_collider *collider;
    apex_car_event *events; ///< of the last tick: at most each kind once a car
    uint32_t *event_bits;   ///< [slot] kinds raised in this tick
    double *event_values;   ///< [slot * kinds + kind]
    uint32_t event_count;
    uint64_t tick;
    uint64_t random_state;
};

/// @return false for null, stale and foreign handles.
bool physics_world_find(const apex_world *world, apex_car_id car, uint32_t *slot);

/// Finite, of a known type, in a gear the type has.
bool physics_car_is_valid(const apex_world *world, const physics_car *car);

enum { PHYSICS_EVENT_KINDS = APEX_CAR_STOPPED_BAD + 1 };

/// Remembers an event for the end of the tick; each kind at most once a car and tick, the last
/// value stays. Safe from jobs: a car's events lie in its own slots.
void physics_event_raise(apex_world *world, uint32_t slot, apex_car_event_kind kind, double value);
void physics_events_clear(apex_world *world);
void physics_events_gather(apex_world *world);

/// Puts a car on the ground at rest or rolling, with idling engine; resets what moves, keeps
/// damage, fuel and wear.
void physics_car_place(apex_world *world, uint32_t slot, const apex_placement *at);

/// Turns a tick's controls into levels, and counters into gear changes and events.
void physics_car_begin_tick(apex_world *world, uint32_t slot, const apex_controls *controls);
/// First half of a substep: all forces but contacts, new velocities, and the body.
void physics_car_forces(apex_world *world, uint32_t slot);
/// Second half: moves the car with the velocities that contacts have left it.
void physics_car_move(apex_world *world, uint32_t slot);

/// Heading (any length) and unit up axis -> orientation.
void physics_car_orient(physics_car *car, const double heading[2], const double up[3]);
/// Level, facing that way; unchanged for a heading of no length.
void physics_car_face(physics_car *car, double heading_x, double heading_y);

/// World rotation axes from a quaternion (w x y z).
void physics_quaternion_axes(const double q[4], double x[3], double y[3], double z[3]);
