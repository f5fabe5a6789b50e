// The facts of a tick that a judge sees: of one player, found before he looks. Nothing here can be
// written by him, and nothing leads to other players or to the world.
#pragma once

#include "race/player.h"

#include "base/assert.h"

#include <math.h>

// The pits as one car is in them now.
typedef struct race_lane_facts {
    bool inside;       // between the lane's entry and exit line
    bool entered;      // crossed the entry line in this tick
    bool left;         // crossed the exit line in this tick
    bool released;     // began to move out of its box in this tick, after a stop
    double limit_mps;  // of the lane
    double behind_m;   // to the nearest car behind it in the lane that moves; infinite: nobody
    double behind_mps; // the speed of that one
    // A wheel is over the line that parts exit road and track, before that line's end, of a car
    // that came out of the lane.
    bool over_exit_line;
} race_lane_facts;

typedef struct race_facts {
    const race_player *player;
    const apex_car_pose *pose;
    const apex_controls *used; // in this tick
    uint32_t slot;

    uint32_t tick_hz;
    double stuck_s, idle_s; // patience of the race's definition; 0 without end
    double reset_wait_s;    // likewise; 0: none
    bool open_session;      // on a track without a lap
    bool has_sessions;      // the event has them
    bool is_race;           // the session is no practice, qualifying or warm-up
    bool in_lobby;
    int64_t race_time_us; // on the race's clock

    double step_m; // that the car has moved along the lap
    bool is_home;  // its last lap is done
    bool is_upright;
    // The two that are dear to find are false but for who race_ghost_is_due says needs them.
    bool way_is_clear;  // nobody would reach his car soon, nor it anybody
    bool place_is_free; // nobody stands where it stands

    // Of events with rules; rules is NULL in others, and what follows 0.
    const apex_rules_def *rules;
    apex_race_flag flag;    // shown to all
    bool lights_on;         // of a standing start, and not out yet, for a car on the grid
    bool forming;           // on the way to a rolling start
    double lap_m;           // length of a lap
    double line_left_m;     // of the lap under way
    double heading_off_rad; // from the lap's direction, 0..pi
    double driven_mps;      // the speed at which the server's driver would take this place
    // How long a car takes to his place, at its speed: the nearest behind him on the road of those
    // that are solid, not in the lane, and ahead of him in race distance by more than half a lap;
    // infinite: there is none, or the session is no race.
    double lapper_s;
    int64_t since_joined_us; // of a latecomer, from when his car came; else INT64_MAX
    race_lane_facts lane;
} race_facts;

// Whether places are fought for: under every other flag, and before the start, all hold back.
static inline bool race_facts_is_racing(const race_facts *facts) {
    return facts->flag == APEX_FLAG_GREEN && !facts->lights_on && !facts->forming;
}

// Over the ground, whatever way the car points.
static inline double race_facts_speed_mps(const race_facts *facts) {
    const double *v = facts->pose->velocity_mps;
    return sqrt(v[0] * v[0] + v[1] * v[1]);
}

static inline uint64_t race_facts_ticks(const race_facts *facts, double seconds) {
    return (uint64_t)(seconds * facts->tick_hz + 0.5);
}

// What every judge asserts: the facts are all of one player.
static inline void race_facts_assert(const race_facts *facts) {
    APEX_ASSERT(facts->player->id.index1 == facts->slot + 1u && facts->tick_hz > 0);
    APEX_ASSERT(facts->pose->id.index1 == facts->player->car_id.index1 &&
                facts->pose->id.generation == facts->player->car_id.generation);
    APEX_ASSERT((uint32_t)facts->player->state <= APEX_STANDING_DNF && isfinite(facts->step_m));
    APEX_ASSERT(facts->stuck_s >= 0.0 && facts->idle_s >= 0.0 && facts->reset_wait_s >= 0.0);
}
