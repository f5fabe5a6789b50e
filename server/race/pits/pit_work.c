// The seconds of a stop.
#include "race/pits/pit_work.h"

#include "base/assert.h"

static const double FUEL_KG_MAX = 10000.0;
static const double FUEL_KG_MIN = 0.01;  // less is not worth a hose
static const double DAMAGE_MIN = 0.0005; // nor a hammer: it would be told as 0.0 %
static const double STOP_S_MAX = 100000.0;

bool race_pit_plan_is_sane(const apex_pit_plan *plan) {
    // A NaN compares false.
    return plan->fuel_kg >= 0.0 && plan->fuel_kg <= FUEL_KG_MAX && plan->compound == 0;
}

static uint64_t microseconds(double seconds) {
    double within = seconds < STOP_S_MAX ? seconds : STOP_S_MAX;
    return (uint64_t)(within * 1e6 + 0.5);
}

static double missing_kg(const apex_pit_plan *plan, const race_pit_need *need) {
    double wanted_kg = plan->fuel_kg < need->fuel_kg_max ? plan->fuel_kg : need->fuel_kg_max;
    return wanted_kg - need->fuel_kg;
}

static double percent_of_damage(const race_pit_need *need) {
    double percent = 0.0;
    for (int zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        percent += need->damage[zone] >= DAMAGE_MIN ? 100.0 * need->damage[zone] : 0.0;
    }
    return percent;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t all_us(const apex_pits_def *def, const race_pit_work *work) {
    uint64_t base_us = microseconds(def->base_s);
    if (def->work == APEX_PIT_FUEL_FIRST) {
        return base_us + work->fuel_us + work->tyres_us + work->repair_us;
    }
    return base_us + larger(work->fuel_us, larger(work->tyres_us, work->repair_us));
}

race_pit_work race_pit_work_for(const apex_pits_def *def, const apex_pit_plan *plan,
                                const race_pit_need *need) {
    APEX_ASSERT((uint32_t)def->work <= APEX_PIT_FUEL_FIRST && need->axles <= APEX_AXLES_MAX);
    race_pit_work work = {.jobs = 0};
    if (!plan->stop) {
        return work;
    }
    double fuel_kg = missing_kg(plan, need);
    if (fuel_kg >= FUEL_KG_MIN && def->fuel_kg_per_s > 0.0) {
        work.jobs |= RACE_PIT_FUEL;
        work.fuel_us = microseconds(fuel_kg / def->fuel_kg_per_s);
    }
    if (plan->tyres) {
        work.jobs |= RACE_PIT_TYRES;
        work.tyres_us = microseconds(need->axles * def->tyres_axle_s);
    }
    double percent = plan->repair ? percent_of_damage(need) : 0.0;
    if (percent > 0.0) {
        work.jobs |= RACE_PIT_BODY;
        work.repair_us = microseconds(percent * def->repair_percent_s);
    }
    if (plan->repair && need->engine_blown && def->engine_s > 0.0) {
        work.jobs |= RACE_PIT_ENGINE;
        work.repair_us += microseconds(def->engine_s);
    }
    work.all_us = work.jobs != 0 ? all_us(def, &work) : 0;
    return work;
}

apex_service race_pit_service(const apex_pit_plan *plan, uint8_t jobs) {
    APEX_ASSERT(jobs <= RACE_PIT_JOBS);
    return (apex_service){
        .fuel_kg = (jobs & RACE_PIT_FUEL) != 0 ? plan->fuel_kg : -1.0,
        .ballast_kg = -1.0,
        .tyres = (jobs & RACE_PIT_TYRES) != 0,
        .repair = (jobs & RACE_PIT_BODY) != 0,
        .engine = (jobs & RACE_PIT_ENGINE) != 0,
    };
}
