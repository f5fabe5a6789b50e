// Verdicts, which judges give. A judge reads the facts of one player, counts in that player's
// race_watch and in nothing else, and appends verdicts; race/judging.c does what they say.
#pragma once

#include "race/rules/facts.h"

typedef enum race_verdict_kind {
    RACE_VERDICT_WARN,    // told as an event, and nothing else
    RACE_VERDICT_RESET,   // back on the track
    RACE_VERDICT_RETIRE,  // did not finish
    RACE_VERDICT_FINISH,  // home, or there at the end of an open session
    RACE_VERDICT_WAIT,    // no part in this race: waits for the next
    RACE_VERDICT_GHOST,   // touches nobody from now on
    RACE_VERDICT_SOLID,   // no ghost any more
    RACE_VERDICT_CONTACT, // has touched somebody or something
    // Of events with rules.
    RACE_VERDICT_OFFENCE,   // broke one of them
    RACE_VERDICT_VOID,      // the lap under way does not count
    RACE_VERDICT_VOID_NEXT, // nor will the one after it
    RACE_VERDICT_INCIDENT,  // was in one, of so many points
    RACE_VERDICT_KINDS
} race_verdict_kind;

#define RACE_SLOT_NONE UINT32_MAX

typedef struct race_verdict {
    race_verdict_kind kind;
    uint32_t slot;
    uint32_t other;             // CONTACT, INCIDENT: the other's slot, or RACE_SLOT_NONE
    apex_race_event_kind event; // WARN
    apex_offence offence;       // OFFENCE
    int64_t value; // WARN: of the event; CONTACT: impulse in newton seconds; FINISH: race time
                   // in microseconds; OFFENCE: by how much, in the unit that its judge says; VOID:
                   // bits of apex_lap_void; INCIDENT: points
} race_verdict;

enum { RACE_VERDICTS_MAX = 16 }; // before they are applied

typedef struct race_verdicts {
    uint32_t count;
    race_verdict all[RACE_VERDICTS_MAX];
} race_verdicts;

static inline void race_verdict_append(race_verdicts *verdicts, const race_verdict *verdict) {
    APEX_ASSERT(verdicts->count < RACE_VERDICTS_MAX);
    APEX_ASSERT((uint32_t)verdict->kind < RACE_VERDICT_KINDS);
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

static inline void race_verdict_offend(race_verdicts *verdicts, uint32_t slot, apex_offence offence,
                                       int64_t by) {
    race_verdict_append(
        verdicts, &(race_verdict){
                      .kind = RACE_VERDICT_OFFENCE, .slot = slot, .offence = offence, .value = by});
}

// @param kind VOID or VOID_NEXT
static inline void race_verdict_void(race_verdicts *verdicts, uint32_t slot, race_verdict_kind kind,
                                     apex_lap_void why) {
    race_verdict_append(verdicts,
                        &(race_verdict){.kind = kind, .slot = slot, .value = (int64_t)why});
}
