// The inside of a race, composed of the parts that its rooms own. race_event, race_records,
// race_counts and race_player are everything that decides how it goes on, together with the world;
// state.c lists their fields once for save, restore and hash. All else in apex_race is constant, or
// can be computed from those.
#pragma once

#include "race/event/event.h"
#include "race/field/field.h"
#include "race/field/log.h"
#include "race/race.h"
#include "race/timing/timing.h"

#include "base/arena.h"

struct apex_race {
    apex_race_def def;
    apex_arena arena;
    race_field field;
    race_timing timing;
    race_event event;
    race_log log;
    uint8_t *undo; // the world before a restore that fails late
};

// --- players.c: who takes part
uint32_t race_player_slot(const apex_race *race, apex_player_id id); // capacity when unknown
bool race_player_live(const apex_race *race, uint32_t slot);
void race_player_count_kept(apex_race *race);             // after the kept lines have changed
void race_player_list(apex_race *race);                   // after the pool has changed
void race_player_refresh(apex_race *race, uint32_t slot); // its pose, after its car was moved
static inline const apex_car_pose *race_player_pose(const apex_race *in, uint32_t slot) {
    return &in->field.poses[in->field.players[slot].car_id.index1 - 1];
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
