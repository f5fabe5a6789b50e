/// A kind of car as the step wants it: the definition in `real`, and everything that follows from
/// it alone. Built once by apex_world_add_type.
#pragma once

#include <stdint.h>

#include "physics/car_def.h"
#include "physics/lanes/lanes.h"
#include "physics/lanes/real.h"

#define NUMBER        real
#define NUMBERS(name) physics_##name
#include "physics/type/type_numbers.h"
#undef NUMBER
#undef NUMBERS
#define NUMBER        lanes
#define NUMBERS(name) physics_##name##_lanes
#include "physics/type/type_numbers.h"
#undef NUMBER
#undef NUMBERS

_Static_assert(sizeof(physics_numbers_lanes) == PHYSICS_LANES * sizeof(physics_numbers),
               "one must be the other's transpose");

enum { PHYSICS_TORQUE_BINS = 64 };

/// Full-throttle torque, linear between points, level outside its ends. Bins say where to look.
typedef struct physics_torque_curve {
    uint32_t count;
    real radps[APEX_TORQUE_POINTS_MAX], nm[APEX_TORQUE_POINTS_MAX];
    real nm_per_radps[APEX_TORQUE_POINTS_MAX];
    real bins_per_radps;
    uint8_t bin_first[PHYSICS_TORQUE_BINS + 1]; ///< last point not above the bin's beginning
} physics_torque_curve;

typedef struct physics_wheel_place {
    uint8_t axle, side; ///< side 0 left (or single), 1 right
    real x_m, y_m;
    real load_n; ///< at rest on level ground
    // Least squares over all wheels: ground height and its slopes under the centre of mass.
    real height_weight, slope_x_weight, slope_y_weight;
} physics_wheel_place;

typedef struct physics_hull {
    real half_length_m, half_width_m, half_height_m;
    real x_m, y_m, z_m;
    real radius_m;   ///< about the centre of mass
    real rounding_m; ///< of its corners
    real restitution, friction;
} physics_hull;

typedef struct physics_type {
    apex_car_def def;
    uint64_t def_hash;
    uint8_t axle_count, wheel_count;
    physics_wheel_place wheels[APEX_WHEELS_MAX]; ///< in the interface's order
    physics_torque_curve torque;
    int8_t gear_count;
    bool is_automatic;
    real ratio[APEX_GEARS_MAX + 2]; ///< with final drive; [gear + 1], reverse negative, neutral 0
    physics_hull hull;
    physics_numbers numbers;
} physics_type;

/// @return the place of a wheel in a block.
static inline uint32_t physics_wheel_slot(const physics_type *type, uint32_t wheel) {
    return 2u * type->wheels[wheel].axle + type->wheels[wheel].side;
}

/// Longest substep that a world may take: definitions are checked for it.
#define PHYSICS_SUBSTEP_S_MAX (1.0 / 200.0)

/// Lane `lane` becomes a car of this kind.
void physics_numbers_set_lane(physics_numbers_lanes *all, uint32_t lane,
                              const physics_numbers *numbers);

/// A straight piece of the curve: from its beginning up to, not including, its end.
typedef struct physics_torque_piece {
    real from_radps, to_radps;
    real nm, nm_per_radps; ///< at its beginning; its slope
} physics_torque_piece;

physics_torque_piece physics_torque_piece_at(const physics_torque_curve *curve, real radps);
/// At full throttle.
real physics_torque_at(const physics_torque_curve *curve, real radps);
