// Facts of a tick, which a judge sees, and verdicts, which he gives. A judge reads the facts of one
// player, counts in that player's race_watch and in nothing else, and appends verdicts; what they
// come to is not his.
#pragma once

#include "race/field/field.h"

#include "base/assert.h"

typedef struct race_facts {
    const race_field *field;
    const race_player *player;
    const apex_car_pose *pose;
    const apex_controls *used; // in this tick
    uint32_t slot;
    double step_m; // that the car has moved along the lap
    bool in_lobby;
} race_facts;

typedef enum race_verdict_kind {
    RACE_VERDICT_WARN,    // told as an event, and nothing else
    RACE_VERDICT_RESET,   // back on the track
    RACE_VERDICT_RETIRE,  // did not finish
    RACE_VERDICT_SOLID,   // no ghost any more
    RACE_VERDICT_CONTACT, // has touched somebody or something
} race_verdict_kind;

typedef struct race_verdict {
    race_verdict_kind kind;
    uint32_t slot;
    uint32_t other;             // CONTACT: the other's slot; the capacity is nobody
    apex_race_event_kind event; // WARN
    int64_t value;              // WARN: of the event; CONTACT: impulse in newton seconds
} race_verdict;

enum { RACE_VERDICTS_MAX = 8 }; // before they are applied

typedef struct race_verdicts {
    uint32_t count;
    race_verdict all[RACE_VERDICTS_MAX];
} race_verdicts;

static inline void race_verdict_append(race_verdicts *verdicts, const race_verdict *verdict) {
    APEX_ASSERT(verdicts->count < RACE_VERDICTS_MAX);
    APEX_ASSERT((uint32_t)verdict->kind <= RACE_VERDICT_CONTACT);
    verdicts->all[verdicts->count++] = *verdict;
}

// One that needs no value.
static inline void race_verdict_add(race_verdicts *verdicts, uint32_t slot,
                                    race_verdict_kind kind) {
    race_verdict_append(verdicts, &(race_verdict){.kind = kind, .slot = slot});
}

static inline void race_verdict_warn(race_verdicts *verdicts, uint32_t slot,
                                     apex_race_event_kind event, int64_t value) {
    race_verdict_append(
        verdicts,
        &(race_verdict){.kind = RACE_VERDICT_WARN, .slot = slot, .event = event, .value = value});
}
