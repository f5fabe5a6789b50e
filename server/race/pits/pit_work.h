// The work of a stop: what a plan asks for, what the car needs of that, and how long it takes.
#pragma once

#include "race/race.h"

// A car as a stop finds it.
typedef struct race_pit_need {
    double fuel_kg, fuel_kg_max;
    uint32_t axles;
    double damage[APEX_ZONE_COUNT]; // 0..1
    bool engine_blown;
} race_pit_need;

// Jobs, as bits.
enum {
    RACE_PIT_FUEL = 1u << 0,
    RACE_PIT_TYRES = 1u << 1,
    RACE_PIT_BODY = 1u << 2,
    RACE_PIT_ENGINE = 1u << 3,
    RACE_PIT_JOBS = (1u << 4) - 1u,
};

typedef struct race_pit_work {
    uint8_t jobs; // that there is something to do of; 0: no work
    uint64_t fuel_us, tyres_us, repair_us;
    uint64_t all_us; // of the whole stop, base included; 0 without jobs
} race_pit_work;

// @return whether a plan that came in from outside is one: a stop needs no more fuel than this.
bool race_pit_plan_is_sane(const apex_pit_plan *plan);
// Fuel that is there already, a whole body and what the event cannot mend are no jobs. Tyres that
// are asked for always are one.
race_pit_work race_pit_work_for(const apex_pits_def *def, const apex_pit_plan *plan,
                                const race_pit_need *need);
// The service of the world for jobs that are done.
apex_service race_pit_service(const apex_pit_plan *plan, uint8_t jobs);
