// The judge of courtesy. It remembers nothing: a ghost stays one for 2 s at least, and then until
// nobody stands where it stands (clear.h), so that a car at the edge of these limits does not
// flicker.
#include "race/rules/courtesy.h"

static const double SLOW_SHARE = 0.6; // of the speed that is driven there
static const double CLOSE_S = 1.5;    // behind him: nearly as far as a blue flag reaches
static const double US_PER_S = 1e6;

static bool is_lapped_and_slow(const race_facts *facts) {
    return facts->is_race && race_facts_is_racing(facts) && !facts->lane.inside &&
           facts->lapper_s < CLOSE_S &&
           race_facts_speed_mps(facts) < SLOW_SHARE * facts->driven_mps;
}

bool race_courtesy_asks(const race_facts *facts) {
    if (facts->rules == NULL) {
        return facts->lane.inside;
    }
    const apex_courtesy_rule *rule = &facts->rules->courtesy;
    return (rule->lane && facts->lane.inside) ||
           (double)facts->since_joined_us < rule->joined_s * US_PER_S ||
           (rule->lapped && is_lapped_and_slow(facts));
}

void race_judge_courtesy(const race_facts *facts, race_verdicts *out) {
    race_facts_assert(facts);
    if (!facts->player->ghost && race_courtesy_asks(facts)) {
        race_verdict_add(out, facts->slot, RACE_VERDICT_GHOST);
    }
}
