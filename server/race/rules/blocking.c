// The judge of who stands where others race. His time drains as it filled, at the same rate: if one
// quick tick took it all back, a hop now and then would be enough to stand in the way for ever.
#include "race/rules/blocking.h"

static const int64_t START_US = 10000000; // in which a slow start, or a jam, is nobody's fault
static const double US_PER_S = 1e6;

static bool may_block(const race_facts *facts) {
    return facts->is_race && race_facts_is_racing(facts) && facts->race_time_us >= START_US &&
           !facts->lane.inside && !facts->player->ghost;
}

void race_judge_blocking(const race_facts *facts, race_blocking_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    APEX_ASSERT(facts->rules != NULL);
    const apex_blocking_rule *rule = &facts->rules->blocking;
    if (!rule->on) {
        return;
    }
    if (!may_block(facts)) {
        *watch = (race_blocking_watch){.told = false};
        return;
    }
    uint64_t most = race_facts_ticks(facts, rule->slow_s);
    APEX_ASSERT(most > 0);
    if (facts->pose->wheels_on_road > 0 && race_facts_speed_mps(facts) < rule->slow_mps) {
        watch->slow_ticks += watch->slow_ticks < most;
    } else {
        watch->slow_ticks -= watch->slow_ticks > 0;
    }
    if (!watch->told && watch->slow_ticks >= most) {
        watch->told = true;
        race_verdict_offend(out, facts->slot, APEX_OFFENCE_BLOCKING,
                            (int64_t)(rule->slow_s * US_PER_S + 0.5));
    }
    watch->told = watch->told && watch->slow_ticks > 0;
}

void race_blocking_walk(race_walk *io, race_blocking_watch *watch) {
    race_walk_u32(io, &watch->slow_ticks);
    race_walk_bool(io, &watch->told);
}
