// The judge of manners in the pit lane. The speed is that at the end of each tick inside, so the
// first that counts is on or behind the entry line.
#include "race/rules/pit_manner.h"

static const double STANDS_MPS = 0.5;
static const double REVERSED_M = 1.0; // less is a car that rolls as it stops
static const double MM_PER_M = 1000.0;
static const double US_PER_S = 1e6;

static void judge_speed(const race_facts *facts, race_lane_watch *watch, race_verdicts *out) {
    double speed_mps = race_facts_speed_mps(facts);
    if (facts->lane.inside) {
        watch->worst_mps = fmax(watch->worst_mps, speed_mps);
    }
    bool is_time = !facts->lane.inside || speed_mps < STANDS_MPS;
    double most_mps = facts->lane.limit_mps + facts->rules->pits.tolerance_mps;
    if (is_time && !watch->speed_told && watch->worst_mps > most_mps) {
        watch->speed_told = true;
        race_verdict_offend(out, facts->slot, APEX_OFFENCE_PIT_SPEED,
                            (int64_t)(watch->worst_mps * MM_PER_M + 0.5));
    }
}

static void judge_release(const race_facts *facts, race_verdicts *out) {
    const race_lane_facts *lane = &facts->lane;
    if (lane->released && lane->behind_m < facts->rules->pits.release_gap_s * lane->behind_mps) {
        race_verdict_offend(out, facts->slot, APEX_OFFENCE_UNSAFE_RELEASE,
                            (int64_t)(lane->behind_m / lane->behind_mps * US_PER_S + 0.5));
    }
}

// Also who has turned round goes back here.
static void judge_reverse(const race_facts *facts, race_lane_watch *watch, race_verdicts *out) {
    watch->reversed_m = facts->step_m < 0.0 ? watch->reversed_m - facts->step_m : 0.0;
    if (!watch->reverse_told && watch->reversed_m > REVERSED_M) {
        watch->reverse_told = true;
        race_verdict_offend(out, facts->slot, APEX_OFFENCE_PIT_REVERSE,
                            (int64_t)(watch->reversed_m * MM_PER_M + 0.5));
    }
}

void race_judge_lane(const race_facts *facts, race_lane_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    APEX_ASSERT(facts->rules != NULL);
    if (!facts->rules->pits.on) {
        return;
    }
    bool inside = facts->lane.inside;
    if (inside && !watch->inside) {
        *watch = (race_lane_watch){.inside = true};
    }
    if (inside) {
        judge_release(facts, out);
        judge_reverse(facts, watch, out);
    }
    if (inside || watch->inside) {
        judge_speed(facts, watch, out);
    }
    watch->inside = inside;
    // That line goes on behind the one at which the lane and its limit end.
    if (facts->rules->pits.exit_line && facts->lane.over_exit_line && !watch->exit_told) {
        watch->exit_told = true;
        race_verdict_offend(out, facts->slot, APEX_OFFENCE_PIT_EXIT_LINE, 0);
    }
}

void race_lane_walk(race_walk *io, race_lane_watch *watch) {
    race_walk_bool(io, &watch->inside);
    race_walk_bool(io, &watch->speed_told);
    race_walk_bool(io, &watch->exit_told);
    race_walk_bool(io, &watch->reverse_told);
    race_walk_double(io, &watch->worst_mps);
    race_walk_double(io, &watch->reversed_m);
    io->ok = io->ok && watch->worst_mps >= 0.0 && watch->reversed_m >= 0.0;
}
