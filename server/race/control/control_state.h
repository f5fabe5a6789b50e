// What race control keeps and sees, and what its flags share.
#pragma once

#include "race/control/flag_watch.h"
#include "race/field/event_log.h"
#include "race/field/field.h"
#include "race/rules/verdict.h"
#include "race/timing/timing.h"

#include "base/assert.h"

enum { RACE_STRETCHES_MAX = 256 };

// A stretch of the lap. Who enters it under yellow may pass nobody until he has left it.
typedef struct race_stretch {
    uint32_t level;      // 0 clear, 1 yellow, 2 double
    uint32_t left_ticks; // until it ends, if nobody is in the way any more
    uint32_t age_ticks;  // since it came out
} race_stretch;

// What is seen of a car at the end of a tick, by those who followed it.
typedef struct race_control_sight {
    double step_m;          // moved along the lap; 0 if it could not be followed
    double driven_mps;      // the speed at which the server's driver would take this place
    double heading_off_rad; // from the lap's direction, 0..pi
    double off_road_m;      // of its middle past the road's edge; <= 0: on the road
    bool on_road;           // its middle or a wheel is
    bool is_upright;
    bool in_lane; // between the lines of the pit lane
    bool timed;   // against the clock: the lap under way may count yet
    bool forming; // before the start: behind the lights, or on the way to the line
} race_control_sight;

// The same as race control goes on with it, together with the player's line.
typedef struct race_control_car {
    double speed_mps, step_m;
    uint32_t hazard; // 0 none, 1 beside the road, 2 on it
    bool on_track;   // races, is solid and not in the lane
    bool slow, timed, on_road;
} race_control_car;

typedef struct race_control {
    // From the event.
    const apex_rules_def *rules;
    uint32_t capacity, tick_hz;
    uint32_t stretch_count;
    double stretch_m;

    // The state that is saved beside the watches.
    apex_race_flag flag;
    uint32_t flag_ticks;      // since it came out
    uint32_t slow_down_ticks; // until its limit counts
    uint32_t quiet_ticks;     // since somebody was in the way on the road
    bool by_itself;           // the full course was not called by command
    uint32_t red_laps;        // of the leader, to whose end results go back; of the last red flag
    race_stretch stretches[RACE_STRETCHES_MAX];
    race_flag_watch *watches; // [capacity] by slot

    // Rebuilt every tick.
    race_control_car *cars; // [capacity] by slot
    uint32_t raised[RACE_STRETCHES_MAX];
    uint32_t stood_ticks; // the longest that somebody stands on the road
    bool in_the_way;      // somebody is, on the road
    double lead_way_m;    // the longest way of all
} race_control;

// The parts of the race that it looks at.
typedef struct race_control_scene {
    const race_field *field;
    const race_timing *timing;
    bool is_race; // the session is one; else all drive against the clock
    race_log *log;
} race_control_scene;

static inline uint32_t race_control_ticks(const race_control *control, double seconds) {
    return (uint32_t)(seconds * control->tick_hz + 0.5);
}

static inline void race_control_count(uint32_t *ticks) {
    *ticks += *ticks < UINT32_MAX;
}

static inline bool race_control_same(apex_player_id a, apex_player_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

// @return whether there is a limit, and full course or red flag is out.
static inline bool race_control_is_limited(const race_control *control) {
    return control->flag != APEX_FLAG_GREEN && control->rules->full_course.limit_mps > 0.0;
}

static inline uint32_t race_control_stretch(const race_control *control, double s_m) {
    double at = s_m / control->stretch_m;
    uint32_t index = at > 0.0 ? (uint32_t)at : 0; // an open track begins before its line
    return index < control->stretch_count ? index : control->stretch_count - 1;
}

// The way to another car along the road, the short way round; negative: it is behind.
static inline double race_control_gap_m(const race_field *field, uint32_t slot, uint32_t other) {
    return apex_track_gap_m(field->track, field->players[slot].s_m, field->players[other].s_m);
}

// How long it takes a car that is so far behind to come up, at its speed.
static inline double race_control_reach_s(const race_control *control, uint32_t other,
                                          double gap_m) {
    double speed_mps = control->cars[other].speed_mps;
    return gap_m / (speed_mps > 1.0 ? speed_mps : 1.0);
}

// @return the slot of somebody who is on the track still; RACE_SLOT_NONE if he is not.
static inline uint32_t race_control_slot(const race_control *control, const race_field *field,
                                         apex_player_id id) {
    if (id.index1 == 0 || !race_field_is_live(field, id.index1 - 1u) ||
        !race_control_same(field->players[id.index1 - 1u].id, id) ||
        !control->cars[id.index1 - 1u].on_track) {
        return RACE_SLOT_NONE;
    }
    return id.index1 - 1u;
}
