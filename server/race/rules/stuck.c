// The judges of a car that does not get on: it makes no way or, in an open session, lies on its
// roof. Ticks count with the throttle pressed (DECISIONS 40).
#include "race/rules/stuck.h"

#include "race/pedal.h"

// Less than this is no way made; backing off and running into the same wall again is less. If
// patience is short, the way is that of a lazy start from rest in it (s = a t^2 / 2), or a car that
// was put back would be put back again before it could get going.
static const double STUCK_WAY_M = 12.0;
static const double LAZY_START_MPS2 = 1.0;
static const double STILL_MPS = 0.5;

void race_judge_way(const race_facts *facts, race_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    double moved_m = facts->player->way_m - watch->stuck_way_m;
    double lazy_m = 0.5 * LAZY_START_MPS2 * facts->stuck_s * facts->stuck_s;
    double enough_m = lazy_m < STUCK_WAY_M ? lazy_m : STUCK_WAY_M;
    if (moved_m > enough_m || moved_m < -enough_m) {
        watch->stuck_way_m = facts->player->way_m;
        watch->stuck_ticks = 0;
        return;
    }
    // A driver who does not want to go on is not stuck, and would be put back for ever.
    if (watch->crippled || race_pedal_is_pressed(facts->used->throttle)) {
        watch->stuck_ticks++;
    }
    if (facts->stuck_s <= 0.0 || watch->stuck_ticks < race_facts_ticks(facts, facts->stuck_s)) {
        return;
    }
    if (watch->crippled) {
        race_verdict_add(out, facts->slot, RACE_VERDICT_RETIRE); // no reset makes it go again
    } else {
        race_verdict_add(out, facts->slot, RACE_VERDICT_RESET);
    }
}

static bool is_still(const apex_car_pose *pose) {
    const double *v = pose->velocity_mps;
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < STILL_MPS * STILL_MPS;
}

// Standing about is nobody's fault here; lying on the roof, or with a dead engine, is no way to
// spend a session.
void race_judge_session(const race_facts *facts, race_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    bool lost = !facts->is_upright || watch->crippled;
    watch->stuck_ticks = lost && is_still(facts->pose) ? watch->stuck_ticks + 1 : 0;
    if (facts->stuck_s <= 0.0 || watch->stuck_ticks < race_facts_ticks(facts, facts->stuck_s)) {
        return;
    }
    watch->stuck_ticks = 0;
    if (watch->crippled) {
        race_verdict_add(out, facts->slot, RACE_VERDICT_RETIRE);
    } else {
        race_verdict_add(out, facts->slot, RACE_VERDICT_RESET);
    }
}
