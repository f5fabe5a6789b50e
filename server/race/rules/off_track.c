// The judges of where a car goes: off the road, or the wrong way.
#include "race/rules/off_track.h"

static const double WRONG_WAY_MPS = 2.0;
static const double WRONG_WAY_S = 2.0;

void race_judge_road(const race_facts *facts, race_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    const apex_car_pose *pose = facts->pose;
    if (pose->wheels_on_road > 0) {
        if (watch->off) {
            watch->off = false;
            watch->off_ticks = 0;
        }
        return;
    }
    if (!watch->off) {
        if (pose->airborne) {
            return; // a jump is not an excursion
        }
        watch->off = true;
        watch->off_count++;
        race_verdict_warn(out, facts->slot, APEX_EVENT_OFF_TRACK, 0);
    }
    watch->off_ticks++;
    if (watch->off_ticks > watch->off_ticks_max) {
        watch->off_ticks_max = watch->off_ticks;
    }
}

void race_judge_direction(const race_facts *facts, race_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    double speed_mps = facts->step_m * facts->tick_hz;
    if (speed_mps > WRONG_WAY_MPS) {
        watch->wrong_ticks = 0;
        watch->wrong_told = false;
    } else if (speed_mps < -WRONG_WAY_MPS) {
        watch->wrong_ticks++;
        if (!watch->wrong_told && watch->wrong_ticks >= race_facts_ticks(facts, WRONG_WAY_S)) {
            watch->wrong_told = true;
            race_verdict_warn(out, facts->slot, APEX_EVENT_WRONG_WAY, 0);
        }
    }
}
