/// Pit stops: what is done there and how long it takes. Part of the public face of race; include
/// "race/race.h". Seconds, litres as kg of fuel.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "physics/physics.h"

enum { APEX_COMPOUNDS_MAX = 6 };

/// What a set of tyres is made of, beside those of the car's definition.
typedef struct apex_compound_def {
    char name[APEX_NAME_BYTES];
    double grip;   ///< of the car's own tyres', 0.5..1.5
    double wear;   ///< of theirs, for the same slip, 0..10
    double best_c; ///< their best temperature; 0: that of the car's own
} apex_compound_def;

typedef enum apex_pit_work {
    APEX_PIT_PARALLEL,   ///< fuel, tyres and repair at once: the longest of them counts
    APEX_PIT_FUEL_FIRST, ///< fuel, then tyres, then repair
} apex_pit_work;

typedef struct apex_pits_def {
    apex_pit_work work;
    double base_s;       ///< jack and release, of every stop with work
    double tyres_axle_s; ///< an axle
    double fuel_kg_per_s;
    double repair_percent_s;                         ///< for each per cent of a zone's damage
    double engine_s;                                 ///< a blown one; 0: it cannot be mended
    bool by_team;                                    ///< a box for each team, else for each car
    uint32_t compound_count;                         ///< 0: the car's own tyres alone
    apex_compound_def compounds[APEX_COMPOUNDS_MAX]; ///< everybody starts on the first that his
                                                     ///< session allows
} apex_pits_def;

apex_pits_def apex_default_pits_def(void);

/// What a driver wants done at his next stop. Sent beforehand, shown back with its seconds.
typedef struct apex_pit_plan {
    bool stop;      ///< false: nothing but what he is ordered to
    double fuel_kg; ///< to fill up to; 0: none
    bool tyres;
    uint32_t compound; ///< of the event's, from 0
    bool repair;
} apex_pit_plan;

typedef enum apex_pit_phase {
    APEX_PIT_ROAD,    ///< not in the lane
    APEX_PIT_LANE,    ///< between entry and exit line, before a stop
    APEX_PIT_STOPPED, ///< stands in its box and is served or held
    APEX_PIT_LEAVING, ///< after a stop, to the exit line
} apex_pit_phase;

enum { APEX_PIT_PHASES = APEX_PIT_LEAVING + 1 };

const char *apex_pit_phase_name(apex_pit_phase phase);

/// The pits of one player.
typedef struct apex_pit_state {
    apex_pit_phase phase;
    uint32_t box1;          ///< his, from 1; 0: he has none
    uint32_t stops;         ///< with work done, in this session
    uint32_t stops_counted; ///< of these, within the window of mandatory stops
    apex_pit_plan plan;
    uint64_t plan_us; ///< how long it would take now
    uint64_t left_us; ///< of the stop under way
    uint64_t lane_us; ///< of the newest visit, from line to line; of one under way, so far
} apex_pit_state;
