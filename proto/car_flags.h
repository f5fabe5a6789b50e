/// The flags and the damaged zones of a car as bits of the wire: the one place that sets them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    APEX_CAR_FLAG_AIRBORNE = 1,
    APEX_CAR_FLAG_HELD = 2,
    APEX_CAR_FLAG_GHOST = 4,
    APEX_CAR_FLAG_ENGINE_BLOWN = 8,
    APEX_CAR_FLAG_OFF_ROAD = 16,
    APEX_OWN_FLAG_COUNTERS_KNOWN = 32, ///< of an own car only, which has no OFF_ROAD
    APEX_OWN_FLAGS = 47,
};

/// The condition of a car that flags tell, by name.
typedef struct apex_car_condition {
    bool airborne, held, ghost, engine_blown, off_road, counters_known;
} apex_car_condition;

static inline uint8_t apex_car_flags(apex_car_condition is) {
    unsigned flags = 0;
    flags |= is.airborne ? APEX_CAR_FLAG_AIRBORNE : 0u;
    flags |= is.held ? APEX_CAR_FLAG_HELD : 0u;
    flags |= is.ghost ? APEX_CAR_FLAG_GHOST : 0u;
    flags |= is.engine_blown ? APEX_CAR_FLAG_ENGINE_BLOWN : 0u;
    flags |= is.off_road ? APEX_CAR_FLAG_OFF_ROAD : 0u;
    flags |= is.counters_known ? APEX_OWN_FLAG_COUNTERS_KNOWN : 0u;
    return (uint8_t)flags;
}

/// The way back.
static inline apex_car_condition apex_car_condition_of(uint8_t flags) {
    return (apex_car_condition){
        .airborne = (flags & APEX_CAR_FLAG_AIRBORNE) != 0,
        .held = (flags & APEX_CAR_FLAG_HELD) != 0,
        .ghost = (flags & APEX_CAR_FLAG_GHOST) != 0,
        .engine_blown = (flags & APEX_CAR_FLAG_ENGINE_BLOWN) != 0,
        .off_road = (flags & APEX_CAR_FLAG_OFF_ROAD) != 0,
        .counters_known = (flags & APEX_OWN_FLAG_COUNTERS_KNOWN) != 0,
    };
}

/// Zones of a car in apex_wire_car.damage_zones, each of 4 bits from the lowest: 0 whole .. 15.
enum {
    APEX_WIRE_ZONE_FRONT,
    APEX_WIRE_ZONE_REAR,
    APEX_WIRE_ZONE_LEFT,
    APEX_WIRE_ZONE_RIGHT,
    APEX_WIRE_ZONE_ROOF,
    APEX_WIRE_ZONES,
    APEX_WIRE_ZONE_BITS = 4,
    APEX_WIRE_ZONE_MAX = 15,
};

/// To nearest, but a scratch is no whole car: only 0 is 0.
/// @param damage 0 whole .. 1, in the order of the zones
static inline uint32_t apex_car_zones(const double damage[APEX_WIRE_ZONES]) {
    uint32_t zones = 0;
    for (uint32_t zone = 0; zone < APEX_WIRE_ZONES; zone++) {
        double least = damage[zone] > 0.0 ? 1.0 : 0.0;
        double units = damage[zone] * APEX_WIRE_ZONE_MAX + 0.5;
        units = units > least ? units : least;
        units = units < APEX_WIRE_ZONE_MAX ? units : APEX_WIRE_ZONE_MAX;
        zones |= (uint32_t)units << (APEX_WIRE_ZONE_BITS * zone);
    }
    return zones;
}

static inline uint32_t apex_car_zone(uint32_t zones, uint32_t zone) {
    return zones >> (APEX_WIRE_ZONE_BITS * zone) & APEX_WIRE_ZONE_MAX;
}
