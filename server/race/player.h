// A player's line: his identity, his car's place, and the part that each stage of the race keeps.
#pragma once

#include "race/race.h"

// The facts of him that the judges watch; only they write them, each to what he counts himself.
typedef struct race_watch {
    double stuck_way_m; // where on his way it was counted from
    uint32_t stuck_ticks, wrong_ticks;
    bool off, wrong_told;
    bool crippled;
    uint32_t idle_ticks;   // since its driver last touched anything
    apex_controls touched; // the controls of then
    uint32_t off_ticks, off_ticks_max, off_count;
    uint32_t reset_wait_ticks; // until he may be put back again at his own wish
} race_watch;

// What the judges' verdicts did to him, for the results.
typedef struct race_tally {
    uint32_t resets, contacts;
} race_tally;

// The facts of him that timing keeps.
typedef struct race_lap {
    uint32_t gates_passed, gates_back;
    uint32_t laps;
    uint32_t sectors;                // ends of sectors passed, the first crossing of the line too
    uint32_t finish_rank;            // from 1, in the order of finishing times; 0 not home
    uint64_t lap_from_us, sector_us; // race times of the last line and of the last sector's end
    uint64_t gate_us;                // race time of the newest gate
    uint64_t last_lap_us, best_lap_us, total_us;
    uint64_t newest_sector_us[APEX_TRACK_SECTORS_MAX], best_sector_us[APEX_TRACK_SECTORS_MAX];
} race_lap;

// In an open session: where his car last stood upright.
typedef struct race_stood {
    double x_m, y_m, yaw_rad;
    bool used; // a reset has put it there since
} race_stood;

// The fields that each tick reads of everybody stand in the first two cache lines.
typedef struct race_player {
    _Alignas(64) apex_player_id id; // null: a free slot
    apex_car_id car_id;
    apex_standing_state state;
    bool ghost;
    bool aside; // a ghost that was set down among others, and has not left that place yet
    bool driven_by_server;
    bool started;    // on the grid when the lights went out, or past a gate since
    double s_m;      // tracked lap distance
    double safe_s_m; // where it was last on the road and in its sequence of gates
    double way_m;    // from the start line of lap 1; see race_lap_way_m
    race_watch watch;
    race_lap lap;
    race_tally tally;

    uint32_t car;
    uint32_t join_number;
    uint32_t grid;           // box, from 1; 0 none yet
    uint32_t last_position;  // of the race before; 0 none
    uint32_t ghost_ticks;    // before it may turn solid again
    apex_leave_why left_why; // of a kept line
    race_stood stood;

    char name[APEX_NAME_BYTES];
    apex_driver driver;
} race_player;

_Static_assert(offsetof(race_player, lap) + offsetof(race_lap, laps) <= 2 * 64,
               "read in each tick");

// His race is over: he does not come back into it, and his car stays a ghost.
static inline bool race_player_is_done(const race_player *player) {
    return player->state == APEX_STANDING_FINISHED || player->state == APEX_STANDING_DNF;
}

// A player who has left, for events that tell of him. Nothing is decided by it, so it is not saved.
typedef struct race_left {
    apex_player_id id;
    char name[APEX_NAME_BYTES];
} race_left;
