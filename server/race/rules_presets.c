// The rules that come ready made. Club asks for what keeps people apart; league is what F1-like
// series and leagues on other servers ask for. The numbers are theirs where they publish them.
#include "race/rules_def.h"

#include "base/assert.h"

#define KMPH(value) ((value) / 3.6)

// Nobody judges, but who turns a judge on has numbers to begin with.
static apex_rules_def free_rules(void) {
    return (apex_rules_def){
        .preset = APEX_RULES_FREE,
        .limits = {.lenient = true},
        .start = {.move_m = 0.2},
        .pits = {.tolerance_mps = KMPH(1.0), .release_gap_s = 1.5},
        .direction = {.wrong_s = 20.0},
        .blocking = {.slow_mps = KMPH(5.0), .slow_s = 30.0},
        .blue = {.notice_s = 3.0, .shown_s = 1.2},
        .yellow = {.stretch_m = 200.0, .slow_share = 0.3, .clear_s = 2.0},
        .full_course = {.limit_mps = KMPH(80.0), .clear_s = 10.0},
        .incidents = {.off = 1, .lost = 2, .wall = 2, .heavy = 4, .heavy_mps = 4.0},
        .fault = {.closing_mps = 3.0, .share = 80},
        .courtesy = {.lane = true},
        .penalties = {.serve_within_laps = 3, .drive_through_s = 20.0, .unserved_hold_s = 10.0},
    };
}

// No penalty disqualifies or stops anybody: seconds, for what harms others.
static const apex_penalty_step CLUB_STEPS[] = {
    {APEX_OFFENCE_TRACK_LIMITS, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_TRACK_LIMITS, 6, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_JUMP_START, 1, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_PIT_SPEED, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_PIT_SPEED, 2, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_UNSAFE_RELEASE, 1, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_PIT_REVERSE, 1, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_WRONG_WAY, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_WRONG_WAY, 2, APEX_PENALTY_TIME, 10.0},
    {APEX_OFFENCE_BLOCKING, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_BLOCKING, 2, APEX_PENALTY_TIME, 10.0},
    {APEX_OFFENCE_YELLOW_PASS, 1, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_FULL_COURSE_SPEED, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_FULL_COURSE_SPEED, 2, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_FULL_COURSE_PASS, 1, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_RED_FLAG, 1, APEX_PENALTY_TIME, 10.0},
    {APEX_OFFENCE_FORMATION, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_FORMATION, 2, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_CONTACT, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_CONTACT, 2, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_CONTACT, 4, APEX_PENALTY_TIME, 10.0},
    {APEX_OFFENCE_LINK, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_STOPS_MISSING, 1, APEX_PENALTY_TIME, 60.0},
};

// Track limits: the third strike is shown the black-and-white flag, the fourth costs 5 s, the fifth
// 10 s (F1 2024). Pit lane: F1 2025 34.7, 34.14. Jump start: 48. A missing stop: as ACC.
static const apex_penalty_step LEAGUE_STEPS[] = {
    {APEX_OFFENCE_TRACK_LIMITS, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_TRACK_LIMITS, 4, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_TRACK_LIMITS, 5, APEX_PENALTY_TIME, 10.0},
    {APEX_OFFENCE_JUMP_START, 1, APEX_PENALTY_DRIVE_THROUGH, 0.0},
    {APEX_OFFENCE_PIT_SPEED, 1, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_PIT_SPEED, 2, APEX_PENALTY_DRIVE_THROUGH, 0.0},
    {APEX_OFFENCE_UNSAFE_RELEASE, 1, APEX_PENALTY_STOP_AND_HOLD, 10.0},
    {APEX_OFFENCE_PIT_EXIT_LINE, 1, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_PIT_REVERSE, 1, APEX_PENALTY_STOP_AND_HOLD, 10.0},
    {APEX_OFFENCE_WRONG_WAY, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_WRONG_WAY, 2, APEX_PENALTY_DRIVE_THROUGH, 0.0},
    {APEX_OFFENCE_WRONG_WAY, 3, APEX_PENALTY_DISQUALIFIED, 0.0},
    {APEX_OFFENCE_BLOCKING, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_BLOCKING, 2, APEX_PENALTY_DRIVE_THROUGH, 0.0},
    {APEX_OFFENCE_BLUE_FLAG, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_BLUE_FLAG, 2, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_BLUE_FLAG, 3, APEX_PENALTY_DRIVE_THROUGH, 0.0},
    {APEX_OFFENCE_YELLOW_PASS, 1, APEX_PENALTY_TIME, 10.0},
    {APEX_OFFENCE_YELLOW_PASS, 2, APEX_PENALTY_DRIVE_THROUGH, 0.0},
    {APEX_OFFENCE_FULL_COURSE_SPEED, 1, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_FULL_COURSE_SPEED, 2, APEX_PENALTY_TIME, 10.0},
    {APEX_OFFENCE_FULL_COURSE_PASS, 1, APEX_PENALTY_TIME, 10.0},
    {APEX_OFFENCE_FULL_COURSE_PASS, 2, APEX_PENALTY_DRIVE_THROUGH, 0.0},
    {APEX_OFFENCE_RED_FLAG, 1, APEX_PENALTY_STOP_AND_HOLD, 10.0},
    {APEX_OFFENCE_RED_FLAG, 2, APEX_PENALTY_DISQUALIFIED, 0.0},
    {APEX_OFFENCE_FORMATION, 1, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_FORMATION, 2, APEX_PENALTY_DRIVE_THROUGH, 0.0},
    {APEX_OFFENCE_CONTACT, 1, APEX_PENALTY_TIME, 5.0},
    {APEX_OFFENCE_CONTACT, 2, APEX_PENALTY_TIME, 10.0},
    {APEX_OFFENCE_CONTACT, 3, APEX_PENALTY_DRIVE_THROUGH, 0.0},
    {APEX_OFFENCE_INCIDENTS, 1, APEX_PENALTY_DRIVE_THROUGH, 0.0},
    {APEX_OFFENCE_INCIDENTS, 2, APEX_PENALTY_STOP_AND_HOLD, 10.0},
    {APEX_OFFENCE_LINK, 1, APEX_PENALTY_WARNING, 0.0},
    {APEX_OFFENCE_LINK, 3, APEX_PENALTY_DISQUALIFIED, 0.0},
    {APEX_OFFENCE_STOPS_MISSING, 1, APEX_PENALTY_DISQUALIFIED, 0.0},
};

static void give_steps(apex_penalty_def *def, const apex_penalty_step steps[], uint32_t count) {
    APEX_ASSERT(count <= APEX_PENALTY_STEPS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        def->steps[i] = steps[i];
    }
    def->step_count = count;
}

#define GIVE(def, steps) give_steps(def, steps, sizeof(steps) / sizeof(steps)[0])

static void turn_on(apex_rules_def *rules) {
    rules->limits.on = rules->start.on = rules->pits.on = true;
    rules->direction.on = rules->blocking.on = rules->blue.on = true;
    rules->yellow.on = rules->full_course.on = true;
    rules->incidents.on = rules->fault.on = true;
}

static void make_club(apex_rules_def *rules) {
    turn_on(rules);
    rules->courtesy.lapped = true;
    rules->courtesy.joined_s = 10.0;
    GIVE(&rules->penalties, CLUB_STEPS);
}

// From 70 of 100 a contact is somebody's fault: 40 to 60 are a racing incident.
static void make_league(apex_rules_def *rules) {
    turn_on(rules);
    rules->limits.lenient = false;
    rules->pits.exit_line = true;
    rules->direction.wrong_s = 10.0;
    rules->blocking.slow_s = 15.0;
    rules->blue.ignored_s = 15.0;
    rules->full_course.auto_s = 20.0;
    rules->incidents.points_max = 17;
    rules->fault.share = 70;
    rules->courtesy.joined_s = 5.0;
    rules->penalties.serve_within_laps = 2;
    rules->penalties.unserved_disqualifies = true;
    rules->penalties.time_s_max = 256.0;
    rules->classified_share = 0.9;
    GIVE(&rules->penalties, LEAGUE_STEPS);
}

apex_rules_def apex_preset_rules(apex_rules_preset preset) {
    APEX_ASSERT((uint32_t)preset < APEX_RULES_PRESETS);
    apex_rules_def rules = free_rules();
    rules.preset = preset;
    if (preset == APEX_RULES_CLUB) {
        make_club(&rules);
    } else if (preset == APEX_RULES_LEAGUE) {
        make_league(&rules);
    }
    return rules;
}
