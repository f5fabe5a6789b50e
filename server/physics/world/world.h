/// The world's own shape, and the stages of its step. Who owns what:
///   physics_block  everything of eight cars that decides their future: saved, restored, hashed
///   physics_drive  what drives them in a tick; follows from blocks, types and controls
///   physics_work   what a substep computed on its way: telemetry, dies with the next step
///   physics_hulls  cars as contacts see them, between forces and motion
///   physics_car    one car taken out of its block
#pragma once

#include "base/pool.h"
#include "physics/car/block.h"
#include "physics/physics.h"

typedef struct physics_wheel {
    real spin_radps;
    real deflection_long_m, deflection_lat_m;
    real travel_m, travel_mps;
    real temperature_c, brake_temperature_c;
    real wear;
} physics_wheel;

/// Wheels in the interface's order. No padding inside, so that its bytes can be hashed.
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
    real slipstream;
    real damage[APEX_ZONE_COUNT];
    real acceleration_mps2[2];
    uint16_t type; ///< index into the world's types
    int8_t gear, gear_before;
    uint8_t shift_up_seen, shift_down_seen, reset_seen;
    bool counters_known;
    bool airborne, held, ghost, engine_blown;
    uint8_t zero[4];
} physics_car;

#ifndef APEX_REAL_DOUBLE
_Static_assert(sizeof(physics_car) == 56 + 86 * 4 + 16, "physics_car has padding");
#endif

/// The fields of a car that are one number, wherever they stand: in a block, a car, the interface.
#define PHYSICS_CAR_REALS(X) \
    X(steer_rad)             \
    X(engine_radps)          \
    X(boost)                 \
    X(lean_rad)              \
    X(lean_radps)            \
    X(shift_left_s)          \
    X(fuel_kg)               \
    X(ballast_kg)            \
    X(slipstream)

#define PHYSICS_CAR_BYTES(X) \
    X(gear)                  \
    X(gear_before)           \
    X(shift_up_seen)         \
    X(shift_down_seen)       \
    X(reset_seen)            \
    X(counters_known)        \
    X(airborne)              \
    X(held)                  \
    X(ghost)                 \
    X(engine_blown)

#define PHYSICS_WHEEL_REALS(X) \
    X(spin_radps)              \
    X(deflection_long_m)       \
    X(deflection_lat_m)        \
    X(travel_m)                \
    X(travel_mps)              \
    X(temperature_c)           \
    X(brake_temperature_c)     \
    X(wear)

typedef struct physics_hulls physics_hulls;
typedef struct physics_solver physics_solver;
typedef struct physics_collider physics_collider;
typedef struct physics_slipstream physics_slipstream;
typedef struct physics_wake_car physics_wake_car;

typedef struct physics_level physics_level;

struct apex_world {
    apex_world_def def;
    const physics_level *level;
    uint32_t substeps;
    real h_s, gravity_mps2, air_kg_per_m3;
    physics_ground ground;
    physics_type *types;
    physics_numbers_lanes *type_numbers; ///< [type]: eight times the same, for uniform blocks
    uint32_t type_count;
    apex_pool pool;
    uint32_t *generations;
    uint32_t block_count;
    physics_block *blocks;
    physics_drive *drives;
    physics_work *works;
    physics_numbers_lanes *mixed_numbers;     ///< [block], for blocks of several types
    uint32_t *involved_blocks, *alone_blocks; ///< of this tick
    uint32_t involved_count, alone_count;
    physics_collider *collider;
    physics_slipstream *slipstream;
    apex_car_event *events; ///< of the last tick: at most each kind once a car
    uint32_t *event_bits;   ///< [slot] kinds raised in this tick
    double *event_values;   ///< [slot * kinds + kind]
    uint32_t event_count;
    uint64_t tick;
    uint64_t random_state;
};

/// @return false for null, stale and foreign handles.
bool physics_world_find(const apex_world *world, apex_car_id car, uint32_t *slot);

// --- One car of a block -----------------------------------------------------------------------

void physics_block_get(const apex_world *world, uint32_t slot, physics_car *out);
void physics_block_put(apex_world *world, uint32_t slot, const physics_car *car);
/// After a slot of it was put, taken or given free: what its substeps read follows again.
void physics_drive_refresh(apex_world *world, uint32_t index);
void physics_drive_set_gear(apex_world *world, uint32_t slot);

/// Where a car's wheels point must be found anew: its damage or its kind has changed.
void physics_aims_forget(apex_world *world, uint32_t slot);

/// Finite, of a known type, in a gear the type has, no more damaged than a wreck.
bool physics_car_is_valid(const apex_world *world, const physics_car *car);

/// Telemetry of a car that has not moved yet.
void physics_work_clear(apex_world *world, uint32_t slot);

// --- Events -----------------------------------------------------------------------------------

enum { PHYSICS_EVENT_KINDS = APEX_CAR_STOPPED_BAD + 1 };

/// Remembers an event for the end of the tick; each kind at most once a car and tick, the last
/// value stays. Safe from jobs: a car's events lie in its own slots.
void physics_event_raise(apex_world *world, uint32_t slot, apex_car_event_kind kind, double value);
void physics_events_clear(apex_world *world);
void physics_events_gather(apex_world *world);

// --- Stages -----------------------------------------------------------------------------------

/// Turns a tick's controls into levels, and counters into gear changes and events.
void physics_car_begin_tick(apex_world *world, uint32_t slot, const apex_controls *controls);

/// The step for one instruction set.
struct physics_level {
    const char *name;
    /// @param is_last of the tick: then telemetry is written, which nobody sees of other substeps.
    void (*forces)(apex_world *world, const uint32_t blocks[], uint32_t count, bool is_last);
    void (*move)(apex_world *world, const uint32_t blocks[], uint32_t count);
    real (*wakes_felt)(const physics_slipstream *slipstream, const physics_wake_car *car);
    // Of contacts, see hulls_private.h.
    void (*show)(const apex_world *world, physics_hulls *hulls, const uint32_t blocks[],
                 uint32_t count);
    uint32_t (*look)(const physics_hulls *hulls, const uint32_t pairs[], uint32_t count,
                     uint32_t near[]);
    void (*push)(physics_solver *solver, real h_s);
    void (*relax)(physics_solver *solver, real h_s);
    void (*move_hulls)(apex_world *world, const physics_hulls *hulls, const uint32_t blocks[],
                       uint32_t count);
    /// Of those cars of a block whose bit is set.
    void (*poses)(const apex_world *world, uint32_t index, uint32_t which,
                  apex_car_pose out[PHYSICS_LANES]);
};

/// The fastest that this processor has, unless the environment's APEX_LANES names another.
const physics_level *physics_level_best(void);

/// Those of a block's cars that are bicycles without forces.
void physics_kinematic_forces(apex_world *world, uint32_t index);
/// Contacts changed its speed along its heading. Others have wheels of their own.
void physics_kinematic_hit(apex_world *world, uint32_t slot, real gain_mps);

/// A car's wheels have left the ground, or found it again.
void physics_flight_change(apex_world *world, uint32_t slot);
/// Nothing may spread from a car whose numbers have left the range: it stands where it last was.
void physics_stop_bad_car(apex_world *world, uint32_t slot);

/// A wheel whose axis stands steeper than this against the ground rolls on nothing: it lies there,
/// as the hull does.
#define PHYSICS_UPRIGHT_MIN R(0.2)
/// Share of its radius by which a tyre gives way; then the rim meets the ground.
#define PHYSICS_TYRE_DEPTH R(0.35)

/// Keeps a hull's corners, rims and wheels that lie out of the ground. @return whether it bears any
/// of the car.
bool physics_hull_rest(apex_world *world, uint32_t slot);

/// Asks for a gear; refused when it would reverse at speed or the box does not have it.
void physics_gearbox_request(apex_world *world, uint32_t slot, int32_t gear);
/// Does what is wanted of the box now.
void physics_gearbox_attend(apex_world *world, uint32_t slot);
/// Speed of the gearbox's input if the clutch were closed, in the gear given.
real physics_gearbox_input_radps(const physics_car *car, const physics_type *type, int32_t gear);

// --- Standing ---------------------------------------------------------------------------------

/// Puts a car on the ground at rest or rolling, with idling engine; resets what moves, keeps
/// damage, fuel and wear.
void physics_car_place(const apex_world *world, physics_car *car, const apex_placement *at);

/// The plane under a car's wheels.
typedef struct physics_stance {
    real rise_m; ///< of the plane under the centre of mass, above where its wheels stand level
    real forward[3], left[3], normal[3];
} physics_stance;

physics_stance physics_stance_of(const apex_world *world, const physics_car *car);

/// Heading (any length) and unit up axis -> orientation.
void physics_car_orient(physics_car *car, const double heading[2], const double up[3]);
/// World axes from a quaternion (w x y z).
void physics_quaternion_axes(const double q[4], double x[3], double y[3], double z[3]);
