// What the stewards' room saves, and what of it can be.
#include "race/fault/faults.h"

static void walk_player(race_walk *io, apex_player_id *player) {
    race_walk_u16(io, &player->index1);
    race_walk_u16(io, &player->generation);
}

static void walk_reason(race_walk *io, apex_fault_reason *reason) {
    uint32_t kind = (uint32_t)reason->kind;
    uint32_t weight = (uint32_t)reason->weight;
    race_walk_choice(io, &kind, APEX_FAULT_REASON_KINDS - 1);
    race_walk_u32(io, &weight);
    race_walk_choice(io, &reason->whom, 1);
    race_walk_double(io, &reason->values[0]);
    race_walk_double(io, &reason->values[1]);
    reason->kind = (apex_fault_reason_kind)kind;
    reason->weight = (int32_t)weight;
}

static void walk_fault(race_walk *io, apex_fault *fault) {
    race_walk_u32(io, &fault->number);
    race_walk_u32(io, &fault->chain);
    race_walk_u64(io, &fault->tick);
    race_walk_u32(io, &fault->race_number);
    for (uint32_t i = 0; i < 2; i++) {
        walk_player(io, &fault->players[i]);
        race_walk_choice(io, &fault->shares[i], 100);
    }
    walk_player(io, &fault->pusher);
    race_walk_choice(io, &fault->pusher_share, 100);
    race_walk_double(io, &fault->s_m);
    race_walk_double(io, &fault->closing_mps);
    race_walk_choice(io, &fault->reason_count, APEX_FAULT_REASONS_MAX);
    for (uint32_t i = 0; i < APEX_FAULT_REASONS_MAX; i++) {
        walk_reason(io, &fault->reasons[i]);
    }
}

void race_chain_walk(race_walk *io, race_chain *chain) {
    race_walk_u64(io, &chain->tick);
    race_walk_u32(io, &chain->chain);
    race_walk_choice(io, &chain->share, 100);
    walk_player(io, &chain->by);
}

void race_faults_walk(race_walk *io, race_faults *faults) {
    race_walk_u32(io, &faults->issued);
    race_walk_u32(io, &faults->told);
    race_walk_choice(io, &faults->pending_count, RACE_FAULTS_PENDING);
    for (uint32_t i = 0; i < RACE_FAULTS_KEPT; i++) {
        walk_fault(io, &faults->kept[i]);
    }
    for (uint32_t i = 0; i < RACE_FAULTS_PENDING; i++) {
        walk_fault(io, &faults->pending[i].fault);
        race_walk_double(io, &faults->pending[i].ahead_m);
    }
}

static bool shares_ok(const apex_fault *fault) {
    return fault->shares[0] + fault->shares[1] + fault->pusher_share == 100;
}

static bool players_ok(const race_faults *faults, const apex_fault *fault) {
    uint32_t first1 = fault->players[0].index1;
    uint32_t second1 = fault->players[1].index1;
    return fault->pusher.index1 <= faults->history.capacity && first1 >= 1 &&
           first1 <= faults->history.capacity && second1 >= 1 &&
           second1 <= faults->history.capacity && first1 != second1;
}

static bool fault_ok(const race_faults *faults, const apex_fault *fault, uint64_t tick) {
    return shares_ok(fault) && players_ok(faults, fault) && fault->tick <= tick &&
           fault->number >= 1 && fault->number <= faults->issued && fault->chain >= 1 &&
           fault->chain <= fault->number;
}

bool race_faults_ok(const race_faults *faults, uint64_t tick) {
    for (uint32_t i = 0; i < faults->history.capacity; i++) {
        const race_chain *chain = &faults->chains[i];
        if (!race_trail_ok(&faults->history.trails[i], tick) || chain->tick > tick ||
            chain->chain > faults->issued || chain->by.index1 > faults->history.capacity) {
            return false;
        }
    }
    for (uint32_t i = 0; i < RACE_FAULTS_KEPT && i < faults->told; i++) {
        if (!fault_ok(faults, &faults->kept[i], tick)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < faults->pending_count; i++) {
        if (!fault_ok(faults, &faults->pending[i].fault, tick)) {
            return false;
        }
    }
    return faults->told <= faults->issued;
}
