// The inside of a race. `race_rules` and `race_player` are everything that decides how it goes on,
// together with the world; state.c lists their fields once for save, restore and hash. All else in
// apex_race is constant, or can be computed from those.
#pragma once

#include "race/race.h"

#include "base/arena.h"
#include "base/pool.h"

enum {
    RACE_GATES_MAX = APEX_TRACK_SECTORS_MAX + 1 + 16, // sector ends, and the hidden ones between
    RACE_GATE_NO_SECTOR = 255,
};

// A line across the road that a lap has to cross in turn. The gates at sector ends take times;
// hidden ones between them see to it that a lap is driven and not cut on tracks with few sectors.
typedef struct race_gate {
    double s_m;
    uint8_t sector; // the one that ends here, or RACE_GATE_NO_SECTOR
} race_gate;

// A place where a car can be set down.
typedef struct race_berth {
    apex_placement at;
    double s_m; // its lap distance
} race_berth;

typedef struct race_rules {
    apex_race_phase phase;
    uint32_t race_number; // from 1
    uint64_t phase_tick;  // when the phase began
    uint64_t lobby_tick;  // since when somebody has been waiting in the lobby
    uint64_t go_tick;     // when the lights went out
    uint64_t best_lap_us; // of this race; 0 none
    uint64_t winner_us;   // total time of the first who is home
    uint64_t best_sector_us[APEX_TRACK_SECTORS_MAX]; // of this race; 0 none
    uint32_t grid_count;                             // boxes taken when the grid formed
    uint32_t joins;                                  // ever, to know who came first
    uint32_t finished;                               // how many are home
    uint32_t kept_count;                             // lines of those who left
} race_rules;

// What each tick reads of everybody stands in the first cache line.
typedef struct race_player {
    _Alignas(64) apex_player_id id; // null: a free slot
    apex_car_id car_id;
    apex_standing_state state;
    uint32_t stuck_ticks;
    double s_m;      // tracked lap distance
    double safe_s_m; // where it was last on the road and in its sequence of gates
    double way_m;    // from the start line of lap 1; see race_lap_way_m
    double stuck_way_m;
    uint32_t gates_passed, gates_back;
    uint32_t wrong_ticks;
    bool off, wrong_told, ghost, driven_by_server;
    bool aside; // a ghost that was set down among others, and has not left that place yet

    uint32_t car;
    uint32_t join_number;
    uint32_t grid;          // box, from 1; 0 none yet
    uint32_t last_position; // of the race before; 0 none
    uint32_t finish_rank;   // from 1, in the order of finishing times; 0 not home
    uint32_t laps;
    uint32_t sectors;                // ends of sectors passed, the first crossing of the line too
    uint32_t ghost_ticks;            // before it may turn solid again
    uint64_t lap_from_us, sector_us; // race times of the last line and of the last sector's end
    uint64_t gate_us;                // race time of the newest gate
    uint64_t last_lap_us, best_lap_us, total_us;
    uint64_t newest_sector_us[APEX_TRACK_SECTORS_MAX], best_sector_us[APEX_TRACK_SECTORS_MAX];
    uint32_t off_ticks, off_ticks_max, off_count;
    uint32_t resets, contacts;
    bool crippled;
    uint32_t idle_ticks;     // since its driver last touched anything
    apex_controls touched;   // the controls of then
    bool started;            // on the grid when the lights went out, or past a gate since
    apex_leave_why left_why; // of a kept line

    double stood_x_m, stood_y_m, stood_yaw_rad; // open session: where it last stood upright
    bool stood_used;                            // a reset has put it there since

    char name[APEX_NAME_BYTES];
    apex_driver driver;
} race_player;

// A player who has left, for events that tell of him. Nothing is decided by it, so it is not saved.
typedef struct race_left {
    apex_player_id id;
    char name[APEX_NAME_BYTES];
} race_left;

struct apex_race {
    apex_race_def def;
    const apex_track *track;
    apex_world *world;
    apex_arena arena;
    uint32_t capacity; // player slots
    uint32_t laps;     // of this track: open ones have one, one without a lap has none
    uint32_t tick_hz;

    uint32_t car_count;
    apex_car_def *cars;
    double car_reach_m[APEX_RACE_CAR_DEFS_MAX]; // radius of the hull's footprint
    apex_car_type types[APEX_RACE_CAR_DEFS_MAX];
    apex_driver_plan *plans[APEX_RACE_CAR_DEFS_MAX];

    uint32_t pit_box_count;
    race_berth *pit_boxes; // to begin from

    uint32_t gate_count;
    race_gate gates[RACE_GATES_MAX + 1];
    double length_m;
    bool closed;
    bool open_session; // on a track without a lap

    race_rules rules;
    apex_pool pool;        // over player slots
    uint32_t *live;        // [pool.live_count] slots that somebody has, rising
    race_player *players;  // [capacity]
    race_player *kept;     // [capacity], of those who left during the race; kept_count of them
    uint32_t kept_started; // how many of these had taken the start: only they are in the order
    uint64_t *first_us;    // [first_count] race time when the first car had passed so many gates
    uint32_t first_count;

    // Rebuilt every tick.
    apex_car_pose *poses;  // [capacity] by car slot, the id null where there is none
    apex_controls *used;   // [capacity] by player slot
    apex_controls *by_car; // [capacity] by car slot
    uint32_t *slot_of_car; // [capacity] player slot by car slot
    uint32_t car_end;      // one past the last car slot that was ever taken
    uint32_t *order;       // [2 * capacity] slots; capacity + i is kept[i]
    uint32_t *along;       // [capacity] slots by lap distance
    uint32_t *rank_along;  // [capacity] index into `along` by slot
    uint32_t *scratch;     // [2 * capacity] for sorting
    uint32_t *rank;        // [2 * capacity] index into `order` by entry, where there is a line
    uint32_t order_count, along_count;

    race_left *left; // [capacity] by slot: who left it last

    apex_race_event *events;
    uint32_t event_count, event_capacity, contact_events;
    bool events_read; // the next event begins a new list

    uint8_t *undo; // the world before a restore that fails late
};

// --- players.c: who takes part
uint32_t race_player_slot(const apex_race *race, apex_player_id id); // capacity when unknown
bool race_player_live(const apex_race *race, uint32_t slot);
void race_player_count_kept(apex_race *race);             // after the kept lines have changed
void race_player_list(apex_race *race);                   // after the pool has changed
void race_player_refresh(apex_race *race, uint32_t slot); // its pose, after its car was moved
static inline const apex_car_pose *race_player_pose(const apex_race *in, uint32_t slot) {
    return &in->poses[in->players[slot].car_id.index1 - 1];
}
apex_err race_player_join(apex_race *race, const apex_race_command *command);
apex_err race_player_leave(apex_race *race, apex_player_id id, apex_leave_why why);
apex_err race_player_takeover(apex_race *race, const apex_race_command *command);
apex_err race_player_handback(apex_race *race, apex_player_id id);
apex_err race_player_change_car(apex_race *race, const apex_race_command *command);

// --- phase.c: what comes after what
bool race_phase_is_running(apex_race_phase phase); // RACE or FINISH
apex_err race_phase_start(apex_race *race);
apex_err race_phase_restart(apex_race *race);
apex_err race_phase_end(apex_race *race);
void race_phase_advance(apex_race *race);
void race_phase_finish_some(apex_race *race); // ranks those who came home in this tick
int64_t race_phase_time_us(const apex_race *race);
int64_t race_phase_lobby_left_us(const apex_race *race); // until the grid forms; 0 not by itself
uint64_t race_phase_ticks(const apex_race *race, double seconds);

// --- grid.c: where cars stand
void race_grid_form(apex_race *race, bool same_order);
void race_grid_add(apex_race *race, uint32_t slot);   // behind everybody else
void race_grid_reset(apex_race *race, uint32_t slot); // back on the track
void race_grid_hold(apex_race *race, uint32_t slot, bool held);
void race_grid_ghost(apex_race *race, uint32_t slot, bool ghost);
bool race_grid_is_free(const apex_race *race, uint32_t slot); // nobody touches its footprint
bool race_grid_is_place_free(const apex_race *race, uint32_t slot, double s_m,
                             const double at_m[2]);

// --- berth.c: where they are set down while others race
void race_berth_find_pits(apex_race *race);
race_berth race_berth_late(const apex_race *race, uint32_t slot);               // to begin from
race_berth race_berth_beside(const apex_race *race, uint32_t slot, double s_m); // or behind that
bool race_berth_is_left(const apex_race *race, uint32_t slot); // under way, and nobody about to hit

// --- lap.c: way, gates, times
void race_lap_make_gates(apex_race *race);
void race_lap_begin(apex_race *race, uint32_t slot); // at the start, from where the car stands
void race_lap_begin_late(apex_race *race,
                         uint32_t slot);                 // the same, with the way to the line ahead
void race_lap_place(apex_race *race, uint32_t slot);     // after the rules have moved the car
double race_lap_advance(apex_race *race, uint32_t slot); // metres moved along the lap
void race_lap_track(apex_race *race, uint32_t slot);     // lap distance only
bool race_lap_counts_ok(const apex_race *race, const race_player *player); // agree with the gates
void race_lap_forget_sectors(race_player *player);
double race_lap_way_m(const apex_race *race, const race_player *player);

// --- open.c: a session on a track without a lap
void race_open_stand(apex_race *race, uint32_t slot);          // where the rules have put it
void race_open_follow(apex_race *race, uint32_t slot);         // remembers where it stands upright
void race_open_watch(apex_race *race, uint32_t slot);          // on its roof, or out of order
void race_open_end(apex_race *race, uint32_t slot);            // time is up
apex_placement race_open_back(apex_race *race, uint32_t slot); // where a reset puts it

// --- watch.c: off the track, the wrong way, stuck, ghosts, contacts
void race_watch_car_events(apex_race *race);
void race_watch_contacts(apex_race *race);
void race_watch_player(apex_race *race, uint32_t slot, double step_m);
void race_watch_idle(apex_race *race, uint32_t slot);
void race_watch_retire(apex_race *race, uint32_t slot);

// --- drive.c: controls of the tick
enum { RACE_PEDAL_REST = 12 }; // what a worn pedal that is let go says is no wish
bool race_drive_presses(uint8_t pedal);
void race_drive(apex_race *race, const apex_controls controls[], apex_jobs *jobs);

// --- order.c
void race_order_update(apex_race *race);
void race_order_along(apex_race *race);
// Lists in `along` who takes which box, until race_order_along.
void race_order_starters(apex_race *race, bool same_order);
const race_player *race_order_line(const apex_race *race, uint32_t entry);

// --- events.c
void race_event_begin(apex_race *race);
bool race_event_has_room(const apex_race *race);
void race_event_add(apex_race *race, apex_race_event_kind kind, uint32_t slot, int64_t value,
                    uint64_t time_us);
void race_event_contact(apex_race *race, apex_player_id player, apex_player_id other,
                        int64_t impulse_ns);
