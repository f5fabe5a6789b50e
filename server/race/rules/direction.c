// The judge of who drives against the lap. Who stops and then goes on the wrong way has not turned
// round: only way made forwards takes the time back.
#include "race/rules/direction.h"

static const double WRONG_MPS = 20.0 / 3.6; // up to this a car turns round, or backs off a wall
static const double RIGHT_MPS = 2.0;
static const uint64_t US_PER_S = 1000000;

void race_judge_wrong_way(const race_facts *facts, race_direction_watch *watch,
                          race_verdicts *out) {
    race_facts_assert(facts);
    APEX_ASSERT(facts->rules != NULL);
    if (!facts->rules->direction.on) {
        return;
    }
    double along_mps = facts->step_m * facts->tick_hz;
    if (facts->lane.inside || along_mps > RIGHT_MPS) {
        *watch = (race_direction_watch){.told = false};
        return;
    }
    if (watch->told || along_mps >= -WRONG_MPS) {
        return;
    }
    watch->wrong_ticks++;
    if (watch->wrong_ticks >= race_facts_ticks(facts, facts->rules->direction.wrong_s)) {
        watch->told = true;
        race_verdict_offend(out, facts->slot, APEX_OFFENCE_WRONG_WAY,
                            (int64_t)(watch->wrong_ticks * US_PER_S / facts->tick_hz));
    }
}

void race_direction_walk(race_walk *io, race_direction_watch *watch) {
    race_walk_u32(io, &watch->wrong_ticks);
    race_walk_bool(io, &watch->told);
}
