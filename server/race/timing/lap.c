// Laps are counted by gates: lines across the road that have to be crossed forwards, one after the
// other. Crossing the newest one backwards takes it back, and it must be crossed forwards again
// before the next counts; gates out of turn do nothing. So neither shuttling over the line nor
// cutting across the infield makes a lap, and whoever skips a gate has to go back for it or come
// round again.
//
// With g0 > 0 and g1 <= 0 the way left to a gate along the centre line at the ticks t0 and t0 + dt,
// the gate is crossed at t0 + dt * g0 / (g0 - g1): exact for steady speed; an acceleration a shifts
// it by at most a dt^2 / 8v, 10 us at 10 m/s^2 and 35 m/s and 60 Hz.
#include "race/race_private.h"

#include "base/assert.h"

#include <string.h>

enum { HIDDEN_GATES = 16 };

static const double REJOIN_M = 3.0; // this far outside the road's edge it may be another road

static void add_gate(apex_race *race, double s_m, uint32_t sector) {
    APEX_ASSERT(race->timing.gate_count < RACE_GATES_MAX + 1);
    race->timing.gates[race->timing.gate_count++] = (race_gate){s_m, (uint8_t)sector};
}

void race_lap_make_gates(apex_race *race) {
    const apex_track *track = race->field.track;
    double length_m = apex_track_length_m(track);
    uint32_t sectors = apex_track_sector_count(track);
    race->field.length_m = length_m;
    race->field.closed = apex_track_closed(track);
    race->timing.gate_count = 0;
    add_gate(race, 0.0, race->field.closed ? sectors - 1 : RACE_GATE_NO_SECTOR);
    uint32_t sector = 0;
    for (uint32_t i = 1; i <= HIDDEN_GATES; i++) {
        double hidden_m = length_m * i / HIDDEN_GATES;
        while (sector + 1 < sectors && apex_track_sector_end_m(track, sector) <= hidden_m) {
            add_gate(race, apex_track_sector_end_m(track, sector), sector);
            sector++;
        }
        if (i < HIDDEN_GATES && hidden_m > race->timing.gates[race->timing.gate_count - 1].s_m) {
            add_gate(race, hidden_m, RACE_GATE_NO_SECTOR);
        }
    }
    if (!race->field.closed) {
        add_gate(race, length_m, sectors - 1);
    }
}

// Number of the gate that is to come; below zero for who has gone back from the grid.
static int64_t gate_ahead_of(const race_player *player) {
    return (int64_t)player->lap.gates_passed - player->lap.gates_back;
}

// A gate by its number, which counts on over the laps.
typedef struct numbered_gate {
    const race_gate *gate;
    double way_m; // counted from the start line of lap 1
} numbered_gate;

static numbered_gate gate_of(const apex_race *race, int64_t number) {
    int64_t count = race->timing.gate_count;
    if (!race->field.closed) {
        const race_gate *gate = &race->timing.gates[number < 0       ? 0
                                                    : number < count ? number
                                                                     : count - 1];
        return (numbered_gate){gate, gate->s_m};
    }
    // Of 32 bits, since this runs for every car in every tick.
    int64_t lap =
        number >= 0 ? (uint32_t)number / (uint32_t)count : -((count - 1 - number) / count);
    const race_gate *gate = &race->timing.gates[number - lap * count];
    return (numbered_gate){gate, race->field.length_m * (double)lap + gate->s_m};
}

// Whether there is a gate behind that can be crossed backwards.
static bool has_gate_behind(const apex_race *race, const race_player *player) {
    return race->field.closed || gate_ahead_of(player) > 0;
}

static double way_to(const apex_race *race, double s_m, int64_t number) {
    return apex_track_gap_m(race->field.track, s_m, gate_of(race, number).gate->s_m);
}

// Somebody past a gate that he has not crossed stands no better than right at it.
// @param[out] left_m the way to the gate that is to come
static double way_m_of(const apex_race *race, const race_player *player, double *left_m) {
    numbered_gate next = gate_of(race, gate_ahead_of(player));
    *left_m = apex_track_gap_m(race->field.track, player->s_m, next.gate->s_m);
    return next.way_m - (*left_m > 0.0 ? *left_m : 0.0);
}

double race_lap_way_m(const apex_race *race, const race_player *player) {
    double left_m;
    return race->field.open_session ? 0.0 : way_m_of(race, player, &left_m);
}

void race_lap_forget_sectors(race_player *player) {
    memset(player->lap.newest_sector_us, 0, sizeof player->lap.newest_sector_us);
    memset(player->lap.best_sector_us, 0, sizeof player->lap.best_sector_us);
}

void race_lap_begin(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    const apex_car_pose *pose = race_player_pose(race, slot);
    player->lap.gates_passed = player->lap.gates_back = 0;
    player->lap.laps = player->lap.sectors = 0;
    player->lap.lap_from_us = player->lap.sector_us = player->lap.gate_us = 0;
    player->lap.last_lap_us = player->lap.best_lap_us = player->lap.total_us = 0;
    race_lap_forget_sectors(player);
    player->lap.finish_rank = 0;
    // From where the grid has put it: looking all over the lap for thousands would cost ticks.
    player->s_m =
        apex_track_project(race->field.track, pose->position_m[0], pose->position_m[1], player->s_m)
            .s_m;
    player->safe_s_m = player->s_m;
    player->way_m = race_lap_way_m(race, player);
    player->watch.stuck_way_m = player->way_m;
}

// The gates ahead, up to the line, belong to the lap before his first: to be crossed, not timed. So
// nobody's first lap is shorter than a lap.
void race_lap_begin_late(apex_race *race, uint32_t slot) {
    race_lap_begin(race, slot);
    race_player *player = &race->field.players[slot];
    for (uint32_t i = race->timing.gate_count; race->field.closed && i > 1; i--) {
        if (race->timing.gates[i - 1].s_m <= player->s_m) {
            break;
        }
        player->lap.gates_back++;
    }
    player->way_m = race_lap_way_m(race, player);
    player->watch.stuck_way_m = player->way_m;
}

void race_lap_place(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    const apex_car_pose *pose = race_player_pose(race, slot);
    player->s_m = apex_track_project(race->field.track, pose->position_m[0], pose->position_m[1],
                                     player->safe_s_m)
                      .s_m;
    while (has_gate_behind(race, player) &&
           way_to(race, player->s_m, gate_ahead_of(player) - 1) > 0.0) {
        player->lap.gates_back++;
    }
    player->safe_s_m = player->s_m;
    player->way_m = race_lap_way_m(race, player);
    player->watch.stuck_way_m = player->way_m;
    player->watch.stuck_ticks = 0;
}

// Following from tick to tick never jumps to another part of the lap. A car that stands on a road,
// but well outside the one it is followed on, has cut across and gets a new place.
// @return whether it was followed.
static bool follow(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    const apex_car_pose *pose = race_player_pose(race, slot);
    const double *at = pose->position_m;
    apex_track_place place = apex_track_project(race->field.track, at[0], at[1], player->s_m);
    bool outside =
        place.offset_m > place.left_m + REJOIN_M || place.offset_m < -place.right_m - REJOIN_M;
    if (outside && pose->wheels_on_road == pose->wheel_count) {
        apex_track_place found = apex_track_find(race->field.track, at[0], at[1], at[2]);
        double moved_m = apex_track_gap_m(race->field.track, place.s_m, found.s_m);
        if (found.on_road && (moved_m > 1.0 || moved_m < -1.0)) {
            player->s_m = found.s_m;
            return false;
        }
    }
    player->s_m = place.s_m;
    return true;
}

void race_lap_track(apex_race *race, uint32_t slot) {
    follow(race, slot);
    if (race->field.open_session) {
        race_open_follow(race, slot);
    } else if (race_player_pose(race, slot)->wheels_on_road > 0) {
        race->field.players[slot].safe_s_m = race->field.players[slot].s_m;
    }
}

static void complete_lap(apex_race *race, uint32_t slot, uint64_t time_us) {
    race_player *player = &race->field.players[slot];
    uint64_t lap_us = time_us - player->lap.lap_from_us;
    player->lap.lap_from_us = time_us;
    player->lap.last_lap_us = lap_us;
    player->lap.laps++;
    if (player->lap.best_lap_us == 0 || lap_us < player->lap.best_lap_us) {
        player->lap.best_lap_us = lap_us;
    }
    race_event_add(race, APEX_EVENT_LAP, slot, player->lap.laps, lap_us);
    if (race->timing.records.best_lap_us == 0 || lap_us < race->timing.records.best_lap_us) {
        race->timing.records.best_lap_us = lap_us;
        race_event_add(race, APEX_EVENT_BEST_LAP, slot, 0, lap_us);
    }
    if (player->lap.laps >= race->timing.laps) {
        player->state = APEX_STANDING_FINISHED;
        player->lap.total_us = time_us;
        race_grid_ghost(race, slot, true); // a parked car must not decide anybody else's race
    }
}

static void note_first(apex_race *race, uint32_t index, uint64_t time_us) {
    APEX_ASSERT(index < race->timing.first_count);
    if (race->timing.first_us[index] == 0 || time_us < race->timing.first_us[index]) {
        race->timing.first_us[index] = time_us;
    }
}

static void keep_best(uint64_t *best_us, uint64_t time_us) {
    *best_us = *best_us == 0 || time_us < *best_us ? time_us : *best_us;
}

static void pass_gate(apex_race *race, uint32_t slot, uint64_t time_us) {
    race_player *player = &race->field.players[slot];
    const race_gate *gate = gate_of(race, player->lap.gates_passed).gate;
    player->lap.gates_passed++;
    player->started = true;
    player->lap.gate_us = time_us;
    note_first(race, player->lap.gates_passed, time_us);
    if (player->lap.gates_passed == 1) {
        player->lap.lap_from_us = player->lap.sector_us = time_us;
        return;
    }
    if (gate->sector == RACE_GATE_NO_SECTOR) {
        return;
    }
    uint64_t sector_us = time_us - player->lap.sector_us;
    player->lap.sector_us = time_us;
    player->lap.sectors++;
    player->lap.newest_sector_us[gate->sector] = sector_us;
    keep_best(&player->lap.best_sector_us[gate->sector], sector_us);
    keep_best(&race->timing.records.best_sector_us[gate->sector], sector_us);
    race_event_add(race, APEX_EVENT_SECTOR, slot, gate->sector, sector_us);
    if (gate->sector + 1u == apex_track_sector_count(race->field.track)) {
        complete_lap(race, slot, time_us);
    }
}

bool race_lap_counts_ok(const apex_race *race, const race_player *player) {
    if (race->field.open_session) {
        return player->lap.gates_passed == 0 && player->lap.laps == 0 && player->lap.sectors == 0;
    }
    uint32_t n = race->timing.gate_count;
    uint32_t passed_max = race->field.closed ? race->timing.laps * n + 1 : n;
    if (player->lap.gates_passed > passed_max) {
        return false;
    }
    uint32_t since_start = player->lap.gates_passed > 0 ? player->lap.gates_passed - 1 : 0;
    uint32_t lap_gates = race->field.closed ? n : n - 1;
    uint32_t laps = since_start / lap_gates;
    uint32_t sectors = laps * apex_track_sector_count(race->field.track);
    for (uint32_t i = 1; i <= since_start % lap_gates; i++) {
        sectors += race->timing.gates[i].sector != RACE_GATE_NO_SECTOR;
    }
    bool home = laps >= race->timing.laps;
    // Back in the lobby a player keeps his figures until the next grid.
    bool fits =
        player->state == APEX_STANDING_WAITING || home == (player->state == APEX_STANDING_FINISHED);
    return player->lap.laps == laps && player->lap.sectors == sectors && fits;
}

static uint64_t crossing_us(const apex_race *race, double before_m, double after_m) {
    uint64_t now = apex_world_tick(race->field.world);
    APEX_ASSERT(now > race->timing.records.go_tick && before_m > after_m);
    double ticks =
        (double)(now - race->timing.records.go_tick - 1) + before_m / (before_m - after_m);
    return (uint64_t)(ticks * 1e6 / race->field.tick_hz + 0.5);
}

// The way to a gate half a lap off changes its sign too.
static bool near_gate(const apex_race *race, double before_m, double after_m) {
    double step_m = before_m > after_m ? before_m - after_m : after_m - before_m;
    return !race->field.closed || step_m < 0.5 * race->field.length_m;
}

static void cross_forwards(apex_race *race, uint32_t slot, double from_s_m) {
    race_player *player = &race->field.players[slot];
    for (uint32_t i = 0; i < race->timing.gate_count && player->state == APEX_STANDING_RUNNING;
         i++) {
        double gate_m = gate_of(race, gate_ahead_of(player)).gate->s_m;
        double before_m = apex_track_gap_m(race->field.track, from_s_m, gate_m);
        double after_m = apex_track_gap_m(race->field.track, player->s_m, gate_m);
        if (before_m <= 0.0 || after_m > 0.0 || !near_gate(race, before_m, after_m)) {
            break;
        }
        if (player->lap.gates_back > 0) {
            player->lap.gates_back--;
        } else {
            pass_gate(race, slot, crossing_us(race, before_m, after_m));
        }
    }
}

static void cross_backwards(const apex_race *race, race_player *player, double from_s_m) {
    while (has_gate_behind(race, player)) {
        int64_t newest = gate_ahead_of(player) - 1;
        double before_m = way_to(race, from_s_m, newest);
        double after_m = way_to(race, player->s_m, newest);
        if (before_m > 0.0 || after_m <= 0.0 || !near_gate(race, before_m, after_m)) {
            break;
        }
        player->lap.gates_back++;
    }
}

double race_lap_advance(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    if (race->field.open_session) {
        race_lap_track(race, slot);
        return 0.0;
    }
    double from_s_m = player->s_m;
    bool followed = follow(race, slot);
    double step_m = apex_track_gap_m(race->field.track, from_s_m, player->s_m);
    if (followed && step_m > 0.0) {
        cross_forwards(race, slot, from_s_m);
    } else if (followed && step_m < 0.0) {
        cross_backwards(race, player, from_s_m);
    }
    double left_m, way_m = way_m_of(race, player, &left_m);
    player->way_m =
        player->state == APEX_STANDING_FINISHED ? race->field.length_m * race->timing.laps : way_m;
    if (race_player_pose(race, slot)->wheels_on_road > 0 && left_m >= 0.0 &&
        left_m < 0.25 * race->field.length_m) {
        player->safe_s_m = player->s_m;
    }
    return followed ? step_m : 0.0;
}
