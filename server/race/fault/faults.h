// The stewards' room: contacts are judged as they happen, and told when they were worth it. A hard
// one is told at once; a light one waits two seconds for whether it costs somebody his place or his
// control, and is forgotten if it does not. A contact that follows from another has its shares from
// that one. The newest that were told are kept with their reasons.
#pragma once

#include "race/fault/corner.h"
#include "race/fault/history.h"
#include "race/fault/staging.h"
#include "race/fault_def.h"

enum { RACE_FAULTS_KEPT = 64, RACE_FAULTS_PENDING = 32 };

// The newest contact of a player, by slot: what happens to him next may follow from it.
typedef struct race_chain {
    uint64_t tick;     // when it last touched; 0 none
    uint32_t chain;    // number of the contact that it all began with
    uint32_t share;    // his own of it
    apex_player_id by; // who has most of the rest
} race_chain;

// A light contact that may not be told.
typedef struct race_pending_fault {
    apex_fault fault;
    double ahead_m; // of the first over the second, along the road, a second before it
} race_pending_fault;

typedef struct race_faults {
    race_history history;
    race_corners corners; // of the track, never saved
    race_chain *chains;   // [history.capacity]
    uint32_t issued;      // numbers given to contacts
    uint32_t told;        // faults told in the event; the newest of them are kept
    uint32_t told_now;    // of these, in this tick
    uint32_t pending_count;
    apex_fault kept[RACE_FAULTS_KEPT];               // the n-th told at (n - 1) % RACE_FAULTS_KEPT
    race_pending_fault pending[RACE_FAULTS_PENDING]; // the oldest first
} race_faults;

// @param trails, chains borrowed, of `capacity` zeros each, one for each slot
void race_faults_make(race_faults *faults, const race_field *field, race_trail trails[],
                      race_chain chains[]);
// Another player has the slot, or nobody.
void race_faults_forget(race_faults *faults, uint32_t slot);
// His car was put back on the track.
void race_faults_put_back(race_faults *faults, uint32_t slot, uint64_t tick);

typedef struct race_stewarding {
    const race_field *field;
    const apex_fault_rule *rule;
    const apex_contact_event *contacts; // of the world's last step
    size_t contact_count;
    uint32_t race_number;
    const uint32_t *blue_for1; // [capacity] by slot: the slot of who is to pass him under blue,
                               // from 1; 0 none. NULL: nobody shows flags
} race_stewarding;

// The contacts of a tick, and the light ones that wait. Called once a tick after the world's step,
// and race_history_follow after it; only who is racing is judged, and
// nobody on a track without a lap.
void race_faults_judge(race_faults *faults, const race_stewarding *with);
// @param back 0 the newest that was told. @return NULL past those that are kept
const apex_fault *race_faults_told(const race_faults *faults, uint32_t back);

// Of all but trails and chains.
void race_faults_walk(race_walk *io, race_faults *faults);
void race_chain_walk(race_walk *io, race_chain *chain);
// @return whether what was read can be at that tick of the world, trails and chains included
bool race_faults_ok(const race_faults *faults, uint64_t tick);
