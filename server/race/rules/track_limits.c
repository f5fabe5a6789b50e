// The judge of track limits.
//
// Whether time was gained is a question of what he would have done on the road, which nobody
// knows. The server's driver knows how the road is driven there, and a driver's last seconds tell
// how he compares: his pace is the share of that driver's way that he made. An excursion gains the
// way along the lap that is beyond his pace (a chicane cut short is a leap along the lap), and it
// gains or loses with the speed that he comes back with, which he keeps for a while. Only the sum
// counts: who lifts after a cut gives back what he gained. Against the driver's speed alone, slow
// drivers could cut at will, and who is faster than the driver would be accused of everything.
#include "race/rules/track_limits.h"

static const double PACE_S = 5.0; // over which it fades
// A start or a crash leaves no pace that means anything, nor does who brakes far too late.
static const double PACE_MIN = 0.7;
static const double PACE_MAX = 1.1;
static const double EXIT_S = 2.0;      // for which a surplus of speed lasts
static const double LOST_SHARE = 0.5;  // of the speed at the beginning
static const double CARRY_SHARE = 0.1; // of the lap, where the rule names no distance
static const double QUARTER_TURN = 1.5707963267948966;
static const double MM_PER_M = 1000.0;

static double pace_of(const race_limits_watch *watch) {
    double pace = watch->driven_m > 0.0 ? watch->own_m / watch->driven_m : 1.0;
    return fmin(fmax(pace, PACE_MIN), PACE_MAX);
}

static double driven_step_m(const race_facts *facts) {
    return facts->driven_mps / facts->tick_hz;
}

// Who holds back shows no pace.
static void follow_pace(const race_facts *facts, race_limits_watch *watch) {
    if (facts->lane.inside || !race_facts_is_racing(facts)) {
        return;
    }
    double kept = 1.0 - 1.0 / (PACE_S * facts->tick_hz);
    watch->own_m = watch->own_m * kept + facts->step_m;
    watch->driven_m = watch->driven_m * kept + driven_step_m(facts);
}

static void begin(const race_facts *facts, race_limits_watch *watch, race_verdicts *out) {
    watch->off = true;
    watch->settled = !race_facts_is_racing(facts);
    watch->lost = watch->near_line = watch->crossed = false;
    watch->began_mps = race_facts_speed_mps(facts);
    watch->gained_m = 0.0;
    watch->line_left_m = facts->line_left_m;
    if (!watch->settled && !facts->rules->limits.lenient) {
        race_verdict_void(out, facts->slot, RACE_VERDICT_VOID, APEX_VOID_CUT);
    }
}

static double carry_m(const race_facts *facts) {
    double named_m = facts->rules->limits.carry_m;
    return named_m > 0.0 ? named_m : CARRY_SHARE * facts->lap_m;
}

static void follow(const race_facts *facts, race_limits_watch *watch, race_verdicts *out) {
    watch->gained_m += facts->step_m - pace_of(watch) * driven_step_m(facts);
    watch->lost = watch->lost || facts->heading_off_rad > QUARTER_TURN ||
                  race_facts_speed_mps(facts) < LOST_SHARE * watch->began_mps;
    watch->crossed = watch->crossed || facts->line_left_m > watch->line_left_m + 0.5 * facts->lap_m;
    watch->line_left_m = facts->line_left_m;
    if (!watch->near_line && facts->line_left_m <= carry_m(facts)) {
        watch->near_line = true;
        if (!watch->settled && !facts->rules->limits.lenient) {
            race_verdict_void(out, facts->slot, RACE_VERDICT_VOID_NEXT, APEX_VOID_CUT);
        }
    }
}

// The lap that is under way here is void or, past the line, the one after that of the excursion.
static void void_laps(const race_facts *facts, const race_limits_watch *watch, race_verdicts *out) {
    race_verdict_void(out, facts->slot, RACE_VERDICT_VOID, APEX_VOID_CUT);
    if (watch->near_line && !watch->crossed) {
        race_verdict_void(out, facts->slot, RACE_VERDICT_VOID_NEXT, APEX_VOID_CUT);
    }
}

static void settle(const race_facts *facts, race_limits_watch *watch, race_verdicts *out) {
    if (watch->settled || watch->lost || !race_facts_is_racing(facts)) {
        return;
    }
    double surplus_mps = facts->step_m * facts->tick_hz - pace_of(watch) * facts->driven_mps;
    double gained_m = watch->gained_m + surplus_mps * EXIT_S;
    bool lenient = facts->rules->limits.lenient;
    if (lenient && gained_m <= 0.0) {
        return;
    }
    watch->settled = true;
    race_verdict_offend(out, facts->slot, APEX_OFFENCE_TRACK_LIMITS,
                        (int64_t)(fmax(gained_m, 0.0) * MM_PER_M + 0.5));
    if (lenient) {
        void_laps(facts, watch, out);
    }
}

// The last tick of a lap, or the one before it: past the line its verdict would be on another lap,
// or too late for who is home.
static bool is_at_line(const race_facts *facts) {
    return facts->step_m > 0.0 && facts->line_left_m <= 2.0 * facts->step_m;
}

void race_judge_limits(const race_facts *facts, race_limits_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    APEX_ASSERT(facts->rules != NULL);
    if (!facts->rules->limits.on) {
        return;
    }
    bool is_back = facts->pose->wheels_on_road > 0 || facts->lane.inside;
    if (!watch->off && (is_back || facts->pose->airborne)) {
        follow_pace(facts, watch);
        return; // a jump is not an excursion
    }
    if (!watch->off) {
        begin(facts, watch, out);
    }
    follow(facts, watch, out);
    if (is_back || is_at_line(facts)) {
        settle(facts, watch, out);
    }
    watch->off = !is_back;
}

void race_limits_put_back(race_limits_watch *watch) {
    watch->off = false;
    watch->own_m = watch->driven_m = 0.0;
}

void race_limits_walk(race_walk *io, race_limits_watch *watch) {
    race_walk_bool(io, &watch->off);
    race_walk_bool(io, &watch->settled);
    race_walk_bool(io, &watch->lost);
    race_walk_bool(io, &watch->near_line);
    race_walk_bool(io, &watch->crossed);
    race_walk_double(io, &watch->began_mps);
    race_walk_double(io, &watch->gained_m);
    race_walk_double(io, &watch->line_left_m);
    race_walk_double(io, &watch->own_m);
    race_walk_double(io, &watch->driven_m);
    io->ok = io->ok && watch->began_mps >= 0.0 && watch->driven_m >= 0.0;
}
