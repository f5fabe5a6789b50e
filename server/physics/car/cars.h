/// All cars of a world and the conditions of each. Its parts:
///   physics_block  everything of eight cars that decides their future: saved, restored, hashed
///   physics_drive  inputs of a tick, which follow from blocks, types and controls
///   physics_work   intermediate results of a substep: telemetry, gone with the next step
///   physics_car    one car taken out of its block
#pragma once

#include "base/pool.h"
#include "physics/car/block.h"
#include "physics/car/car_events.h"
#include "physics/ground/lookup.h"
#include "physics/physics.h"
#include "physics/type/type.h"

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

typedef struct physics_conditions {
    real h_s; ///< a substep's length
    real gravity_mps2, air_kg_per_m3;
    apex_damage_mode damage;
    bool fuel_burns, tyres_wear, temperatures;
} physics_conditions;

typedef struct physics_cars {
    physics_conditions conditions;
    physics_ground ground;
    physics_type *types;
    physics_numbers_lanes *type_numbers; ///< [type]: eight times the same, for uniform blocks
    uint32_t type_count;
    uint32_t capacity, block_count;
    apex_pool pool; ///< of slots
    uint32_t *generations;
    physics_block *blocks;
    physics_drive *drives;
    physics_work *works;
    physics_numbers_lanes *mixed_numbers; ///< [block], for blocks of several types
    physics_events events;
} physics_cars;

/// @return false when memory is refused; free what there is all the same.
bool physics_cars_allocate(physics_cars *cars, uint32_t capacity, uint32_t type_capacity);
void physics_cars_free(physics_cars *cars);

void physics_block_get(const physics_cars *cars, uint32_t slot, physics_car *out);
void physics_block_put(physics_cars *cars, uint32_t slot, const physics_car *car);
/// After a slot of it was put, taken or given free: what its substeps read follows again.
void physics_drive_refresh(physics_cars *cars, uint32_t index);
void physics_drive_set_gear(physics_cars *cars, uint32_t slot);

/// Clears a car's steering geometry: its damage or its type has changed.
void physics_steer_caches_clear(physics_cars *cars, uint32_t slot);

/// Finite, of a known type, in a gear the type has, no more damaged than a wreck, with wheels
/// neither more worn than worn out nor hotter than 10,000 degrees.
bool physics_car_is_valid(const physics_cars *cars, const physics_car *car);

/// Telemetry of a car that has not moved yet.
void physics_work_clear(physics_cars *cars, uint32_t slot);
