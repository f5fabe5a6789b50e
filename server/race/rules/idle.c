// The judge of players who do not drive (DECISIONS 40). Steering that has moved and stays so is
// idle: wheels rest where they are let go.
#include "race/rules/idle.h"

#include "race/pedal.h"

#include <math.h>

static const double IDLE_WARNED_S = 15.0; // before a player who does not drive is out

enum { STEER_REST = 655 }; // a wheel that is let go moves by as much

static bool differs(int a, int b, int by) {
    return a - b > by || b - a > by;
}

// A pedal that is pressed, or anything that is elsewhere than it was when he last touched
// something.
static bool is_touched(const apex_controls *now, const apex_controls *before) {
    return race_pedal_is_pressed(now->throttle) || differs(now->steer, before->steer, STEER_REST) ||
           differs(now->clutch, before->clutch, RACE_PEDAL_REST) ||
           differs(now->handbrake, before->handbrake, RACE_PEDAL_REST) ||
           now->gear != before->gear || now->shift_up_count != before->shift_up_count ||
           now->shift_down_count != before->shift_down_count ||
           now->reset_count != before->reset_count || now->aids_off != before->aids_off;
}

void race_judge_idle(const race_facts *facts, race_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    const apex_controls *now = facts->used;
    // The brake of a car that was set down aside may be the rules'.
    bool brakes = !facts->player->aside && race_pedal_is_pressed(now->brake);
    if (facts->player->driven_by_server || brakes || is_touched(now, &watch->touched)) {
        watch->idle_ticks = 0;
        watch->touched = *now;
        return;
    }
    if (facts->idle_s <= 0.0) {
        return;
    }
    double warned_s = fmin(IDLE_WARNED_S, floor(0.5 * facts->idle_s));
    uint64_t all = race_facts_ticks(facts, facts->idle_s);
    watch->idle_ticks++;
    if (watch->idle_ticks == all) {
        race_verdict_add(out, facts->slot, RACE_VERDICT_RETIRE);
        race_verdict_warn(out, facts->slot, APEX_EVENT_IDLE, 0);
    } else if (warned_s > 0.0 && watch->idle_ticks + race_facts_ticks(facts, warned_s) == all) {
        race_verdict_warn(out, facts->slot, APEX_EVENT_IDLE, (int64_t)warned_s);
    }
}
