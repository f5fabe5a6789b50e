// The judge of ghosts: whether one may be touched again. A car that was set down among others has
// to be under way, and away from everybody (DECISIONS 40).
#include "race/rules/clear.h"

#include "race/rules/courtesy.h"

static const double UNDER_WAY_MPS = 5.0; // slower than this a car is still in the way

static bool is_under_way(const apex_car_pose *pose) {
    const double *v = pose->velocity_mps;
    return v[0] * v[0] + v[1] * v[1] >= UNDER_WAY_MPS * UNDER_WAY_MPS;
}

bool race_ghost_is_due(const race_facts *facts) {
    const race_player *player = facts->player;
    return player->ghost && player->ghost_ticks == 0 && !race_player_is_done(player) &&
           (!player->aside || is_under_way(facts->pose)) && !race_courtesy_asks(facts);
}

void race_judge_ghost(const race_facts *facts, race_verdicts *out) {
    race_facts_assert(facts);
    if (race_ghost_is_due(facts) && (!facts->player->aside || facts->way_is_clear) &&
        facts->place_is_free) {
        race_verdict_add(out, facts->slot, RACE_VERDICT_SOLID);
    }
}
