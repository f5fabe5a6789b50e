// The judges of the end. Whose race is over touches nobody any more: a car that is home is parked,
// and must not decide anybody else's race.
#include "race/rules/finish.h"

static void finish(const race_facts *facts, int64_t time_us, race_verdicts *out) {
    race_verdict_append(
        out, &(race_verdict){.kind = RACE_VERDICT_FINISH, .slot = facts->slot, .value = time_us});
    race_verdict_add(out, facts->slot, RACE_VERDICT_GHOST);
}

void race_judge_home(const race_facts *facts, race_verdicts *out) {
    race_facts_assert(facts);
    if (facts->is_home) {
        APEX_ASSERT(facts->player->state == APEX_STANDING_RUNNING);
        finish(facts, (int64_t)facts->player->lap.total_us, out);
    }
}

void race_judge_end(const race_facts *facts, race_verdicts *out) {
    race_facts_assert(facts);
    APEX_ASSERT(facts->player->state == APEX_STANDING_RUNNING);
    if (facts->open_session) {
        finish(facts, facts->race_time_us, out); // whoever stays to the end has done it all
    } else if (facts->has_sessions && facts->player->started) {
        finish(facts, (int64_t)facts->player->lap.lap_from_us, out); // as far as he has come
    } else if (facts->player->started) {
        race_verdict_add(out, facts->slot, RACE_VERDICT_RETIRE);
    } else {
        race_verdict_add(out, facts->slot, RACE_VERDICT_WAIT);
    }
}
