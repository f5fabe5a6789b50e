// Laps are counted by gates: lines across the road that have to be crossed forwards, one after the
// other. Crossing the newest one backwards takes it back, and it must be crossed forwards again
// before the next counts; gates out of turn do nothing. So neither shuttling over the line nor
// cutting across the infield makes a lap, and a driver who skips a gate has to go back for it or
// come round again.
//
// With g0 > 0 and g1 <= 0 the way left to a gate along the centre line at the ticks t0 and t0 + dt,
// the gate is crossed at t0 + dt * g0 / (g0 - g1): exact for steady speed; an acceleration a shifts
// it by at most a dt^2 / 8v, 10 us at 10 m/s^2 and 35 m/s and 60 Hz. With cards the step of the
// tick before tells of the acceleration (timing/crossing.c).
#include "race/timing/lap.h"

#include "race/field/follow.h"
#include "race/timing/crossing.h"
#include "race/timing/lap_card.h"
#include "race/timing/lap_gates.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

static double way_to(const race_timing *timing, const race_field *field, double s_m,
                     int64_t number) {
    return apex_track_gap_m(field->track, s_m, race_gates_at(timing, number).gate->s_m);
}

// Somebody past a gate that he has not crossed stands no better than right at it.
// @param[out] left_m the way to the gate that is to come
static double way_m_of(const race_timing *timing, const race_field *field,
                       const race_player *player, double *left_m) {
    race_numbered_gate next = race_gates_at(timing, race_gates_ahead_of(player));
    *left_m = apex_track_gap_m(field->track, player->s_m, next.gate->s_m);
    return next.way_m - (*left_m > 0.0 ? *left_m : 0.0);
}

double race_lap_way_m(const race_timing *timing, const race_field *field,
                      const race_player *player) {
    double left_m;
    return field->open_session ? 0.0 : way_m_of(timing, field, player, &left_m);
}

void race_lap_forget(race_lap *lap) {
    lap->gates_passed = lap->gates_back = 0;
    lap->laps = lap->sectors = 0;
    lap->finish_rank = 0;
    lap->last_lap_us = lap->best_lap_us = lap->total_us = 0;
    memset(lap->newest_sector_us, 0, sizeof lap->newest_sector_us);
    memset(lap->best_sector_us, 0, sizeof lap->best_sector_us);
}

void race_lap_forget_records(race_timing *timing) {
    uint64_t go_tick = timing->records.go_tick;
    timing->records = (race_records){.go_tick = go_tick};
    memset(timing->first_us, 0, timing->first_count * sizeof *timing->first_us);
}

void race_lap_begin(const race_timing *timing, const race_field *field, race_player *player) {
    const apex_car_pose *pose = race_field_pose_of(field, player);
    player->lap = (race_lap){0};
    // From where the grid has put it: looking all over the lap for thousands would cost ticks.
    apex_track_place place =
        apex_track_project(field->track, pose->position_m[0], pose->position_m[1], player->s_m);
    player->s_m = place.s_m;
    player->safe_s_m = player->s_m;
    race_card *card = race_field_card(field, player);
    if (card != NULL) {
        apex_track_pit_place pit = apex_track_pit_place_of(field->track, &place);
        race_lap_card_begin(&card->lap, pit.in_lane || pit.in_boxes);
    }
    player->way_m = race_lap_way_m(timing, field, player);
}

// The gates ahead, up to the line, belong to the lap before his first, as if he had gone back
// through them: to be crossed, not timed. So nobody's first lap is shorter than a lap, and a driver
// on his way to the line is seen to make way (DECISIONS 40).
void race_lap_begin_late(const race_timing *timing, const race_field *field, race_player *player) {
    race_lap_begin(timing, field, player);
    for (uint32_t i = timing->gate_count; timing->closed && i > 1; i--) {
        if (timing->gates[i - 1].s_m <= player->s_m) {
            break;
        }
        player->lap.gates_back++;
    }
    player->way_m = race_lap_way_m(timing, field, player);
}

// His laps are his; the one that he left is not, so the line behind its first gate is to be crossed
// again, and all gates up to there.
void race_lap_resume(const race_timing *timing, const race_field *field, race_player *player) {
    race_lap left = player->lap;
    uint32_t lap_gates = timing->gate_count;
    race_lap_begin_late(timing, field, player);
    if (left.gates_passed == 0 || !timing->closed) {
        return;
    }
    uint32_t gates_back = player->lap.gates_back + 1;
    player->lap = left;
    player->lap.gates_passed = left.laps * lap_gates + 1;
    player->lap.gates_back = gates_back;
    player->lap.sectors = left.laps * apex_track_sector_count(field->track);
    player->lap.sector_us = player->lap.gate_us = left.lap_from_us;
    player->way_m = race_lap_way_m(timing, field, player);
    race_card *card = race_field_card(field, player);
    APEX_ASSERT(card != NULL);
    card->lap.voids |= APEX_VOID_RESET;
    card->lap.resumed = true;
}

void race_lap_place(const race_timing *timing, const race_field *field, race_player *player) {
    const apex_car_pose *pose = race_field_pose_of(field, player);
    player->s_m =
        apex_track_project(field->track, pose->position_m[0], pose->position_m[1], player->safe_s_m)
            .s_m;
    while (race_gates_has_behind(timing, player) &&
           way_to(timing, field, player->s_m, race_gates_ahead_of(player) - 1) > 0.0) {
        player->lap.gates_back++;
    }
    player->safe_s_m = player->s_m;
    player->way_m = race_lap_way_m(timing, field, player);
    race_card *card = race_field_card(field, player);
    if (card != NULL) {
        card->lap.step_m = 0.0;
        card->lap.in_lane = false; // a reset is to the road
    }
}

static void void_lap(race_lap_card *card, const race_player *player, uint32_t bits, race_log *log) {
    if (race_lap_card_void(card, bits)) {
        race_log_add(log, APEX_EVENT_LAP_VOID, player->id, card->voids, 0);
    }
}

// @return whether the lap that ends counts as a best one.
static bool close_lap(const race_timing *timing, race_lap_card *card, const race_player *player,
                      uint64_t time_us, race_log *log) {
    race_lap_done lap = {player->lap.lap_from_us, time_us, timing->deadline, player->lap.laps + 1};
    void_lap(card, player, race_lap_card_ends(card, &lap), log);
    race_lap_card_complete(card, &lap);
    return card->voids == 0;
}

static void complete_lap(race_timing *timing, const race_field *field, race_player *player,
                         uint64_t time_us, race_log *log) {
    race_card *card = race_field_card(field, player);
    bool counts = card == NULL || close_lap(timing, &card->lap, player, time_us, log);
    uint64_t lap_us = time_us - player->lap.lap_from_us;
    player->lap.lap_from_us = time_us;
    player->lap.last_lap_us = lap_us;
    player->lap.laps++;
    if (player->lap.best_lap_us == 0 || lap_us < player->lap.best_lap_us) {
        player->lap.best_lap_us = lap_us;
    }
    race_log_add(log, APEX_EVENT_LAP, player->id, player->lap.laps, lap_us);
    if (counts && (timing->records.best_lap_us == 0 || lap_us < timing->records.best_lap_us)) {
        timing->records.best_lap_us = lap_us;
        race_log_add(log, APEX_EVENT_BEST_LAP, player->id, 0, lap_us);
    }
    if (player->lap.laps >= timing->laps) {
        player->lap.total_us = time_us;
    }
}

static void note_first(race_timing *timing, uint32_t index, uint64_t time_us) {
    APEX_ASSERT(index > 0 && (index < timing->first_count || timing->crossed != NULL));
    if (index >= timing->first_count) {
        return; // so many gates into a session by time that was extended
    }
    if (timing->first_us[index] == 0 || time_us < timing->first_us[index]) {
        timing->first_us[index] = time_us;
    }
}

static void keep_best(uint64_t *best_us, uint64_t time_us) {
    *best_us = *best_us == 0 || time_us < *best_us ? time_us : *best_us;
}

// The start line of an open track is not the one that a race ends at.
static void note_crossing(race_timing *timing, race_card *card, const race_player *player,
                          uint64_t time_us) {
    if (!timing->closed && player->lap.laps == 0) {
        return;
    }
    uint32_t slot = player->id.index1 - 1u;
    card->lap.line_us = time_us;
    bool noted = timing->crossed_count > 0 && timing->crossed[timing->crossed_count - 1] == slot;
    if (timing->crossed != NULL && !noted) {
        timing->crossed[timing->crossed_count++] = slot;
    }
}

// At the line a lap begins, whether or not another has ended there.
static void cross_line(race_timing *timing, const race_field *field, const race_player *player,
                       uint64_t time_us, race_log *log) {
    race_card *card = race_field_card(field, player);
    if (card == NULL) {
        return;
    }
    const double *v = race_field_pose_of(field, player)->velocity_mps;
    card->lap.resumed = false;
    card->lap.trap_mps = fmax(card->lap.trap_mps, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    race_lap_card_next(&card->lap, time_us, timing->deadline);
    if (card->lap.voids != 0) {
        race_log_add(log, APEX_EVENT_LAP_VOID, player->id, card->lap.voids, 0);
    }
    note_crossing(timing, card, player, time_us);
}

static void pass_gate(race_timing *timing, const race_field *field, race_player *player,
                      uint64_t time_us, race_log *log) {
    uint32_t sector_count = apex_track_sector_count(field->track);
    const race_gate *gate = race_gates_at(timing, player->lap.gates_passed).gate;
    player->lap.gates_passed++;
    player->started = true;
    player->lap.gate_us = time_us;
    note_first(timing, player->lap.gates_passed, time_us);
    if (player->lap.gates_passed == 1) {
        player->lap.lap_from_us = player->lap.sector_us = time_us;
        cross_line(timing, field, player, time_us, log);
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
    keep_best(&timing->records.best_sector_us[gate->sector], sector_us);
    race_log_add(log, APEX_EVENT_SECTOR, player->id, gate->sector, sector_us);
    if (gate->sector + 1u == sector_count) {
        complete_lap(timing, field, player, time_us, log);
        cross_line(timing, field, player, time_us, log);
    }
}

// Crossed once before. Who came back begins his next lap here where the best lap counts; in a race
// the clock has gone on. For the flag it is a crossing like any other.
static void pass_again(race_timing *timing, const race_field *field, race_player *player,
                       uint64_t time_us, race_log *log) {
    bool at_line = race_gates_at(timing, race_gates_ahead_of(player)).gate == &timing->gates[0];
    player->lap.gates_back--;
    race_card *card = race_field_card(field, player);
    if (card == NULL || !timing->closed || !at_line || player->lap.gates_passed == 0) {
        return;
    }
    if (!card->lap.resumed || player->lap.gates_back > 0) {
        note_crossing(timing, card, player, time_us);
        return;
    }
    if (race_field_against_clock(field)) {
        player->lap.lap_from_us = player->lap.sector_us = player->lap.gate_us = time_us;
        cross_line(timing, field, player, time_us, log);
        return;
    }
    card->lap.resumed = false;
    note_crossing(timing, card, player, time_us);
}

bool race_lap_counts_ok(const race_timing *timing, const race_field *field,
                        const race_player *player) {
    if (field->open_session) {
        return player->lap.gates_passed == 0 && player->lap.laps == 0 && player->lap.sectors == 0;
    }
    uint32_t n = timing->gate_count;
    uint32_t laps_max = field->session != NULL ? APEX_RACE_LAPS_MAX : timing->laps;
    uint32_t passed_max = timing->closed ? laps_max * n + 1 : n;
    if (player->lap.gates_passed > passed_max) {
        return false;
    }
    uint32_t since_start = player->lap.gates_passed > 0 ? player->lap.gates_passed - 1 : 0;
    uint32_t lap_gates = timing->closed ? n : n - 1;
    uint32_t laps = since_start / lap_gates;
    uint32_t sectors = laps * apex_track_sector_count(field->track);
    for (uint32_t i = 1; i <= since_start % lap_gates; i++) {
        sectors += timing->gates[i].sector != RACE_GATE_NO_SECTOR;
    }
    bool home = laps >= laps_max;
    // Back in the lobby a player keeps his figures until the next grid.
    bool fits = field->session != NULL || player->state == APEX_STANDING_WAITING ||
                home == (player->state == APEX_STANDING_FINISHED);
    return player->lap.laps == laps && player->lap.sectors == sectors && fits;
}

static uint64_t crossing_us(const race_timing *timing, const race_field *field,
                            const race_way *way) {
    uint64_t now = apex_world_tick(field->world);
    APEX_ASSERT(now > timing->records.go_tick && way->before_m > way->after_m);
    double ticks = (double)(now - timing->records.go_tick - 1) + race_crossing_share(way);
    return (uint64_t)(ticks * 1e6 / field->tick_hz + 0.5);
}

static bool is_home(const race_timing *timing, const race_player *player) {
    return player->lap.laps >= timing->laps;
}

// The way to a gate half a lap off changes its sign, too, but from behind the car to ahead of it:
// on the way forwards, no gate is left behind but where it is crossed. Backwards it is the same.
static void cross_forwards(race_timing *timing, const race_field *field, race_player *player,
                           double from_s_m, race_log *log) {
    const race_card *card = race_field_card(field, player);
    for (uint32_t i = 0; i < timing->gate_count && !is_home(timing, player); i++) {
        double gate_m = race_gates_at(timing, race_gates_ahead_of(player)).gate->s_m;
        double before_m = apex_track_gap_m(field->track, from_s_m, gate_m);
        double after_m = apex_track_gap_m(field->track, player->s_m, gate_m);
        if (before_m <= 0.0 || after_m > 0.0) {
            break;
        }
        race_way way = {before_m, after_m, card != NULL ? card->lap.step_m : 0.0};
        uint64_t time_us = crossing_us(timing, field, &way);
        if (player->lap.gates_back > 0) {
            pass_again(timing, field, player, time_us, log);
        } else {
            pass_gate(timing, field, player, time_us, log);
        }
    }
}

static void cross_backwards(const race_timing *timing, const race_field *field, race_player *player,
                            double from_s_m) {
    while (race_gates_has_behind(timing, player)) {
        int64_t newest = race_gates_ahead_of(player) - 1;
        double before_m = way_to(timing, field, from_s_m, newest);
        double after_m = way_to(timing, field, player->s_m, newest);
        if (before_m > 0.0 || after_m <= 0.0) {
            break;
        }
        player->lap.gates_back++;
    }
}

static void note_step(const race_field *field, const race_player *player, double step_m) {
    race_card *card = race_field_card(field, player);
    if (card != NULL) {
        card->lap.step_m = step_m;
    }
}

// Of the lap under way; that of one who has not been at the line yet ends there.
static double line_left_m(const race_timing *timing, const race_player *player) {
    double done_m = player->way_m - timing->length_m * player->lap.laps;
    return player->lap.gates_passed == 0 && timing->closed ? -player->way_m
                                                           : timing->length_m - done_m;
}

race_advance race_lap_advance(race_timing *timing, const race_field *field, race_player *player,
                              race_log *log) {
    APEX_ASSERT(!field->open_session && timing->gate_count > 0);
    APEX_ASSERT(player->state == APEX_STANDING_RUNNING && !is_home(timing, player));
    double from_s_m = player->s_m;
    bool followed = race_follow(field, player);
    double step_m = apex_track_gap_m(field->track, from_s_m, player->s_m);
    if (followed && step_m > 0.0) {
        cross_forwards(timing, field, player, from_s_m, log);
    } else if (followed && step_m < 0.0) {
        cross_backwards(timing, field, player, from_s_m);
    }
    note_step(field, player, followed ? step_m : 0.0);
    double left_m, way_m = way_m_of(timing, field, player, &left_m);
    bool home = is_home(timing, player);
    player->way_m = home ? timing->length_m * timing->laps : way_m;
    if (race_field_pose_of(field, player)->wheels_on_road > 0 && left_m >= 0.0 &&
        left_m < 0.25 * timing->length_m) {
        player->safe_s_m = player->s_m;
    }
    return (race_advance){.step_m = followed ? step_m : 0.0,
                          .is_home = home && field->session == NULL,
                          .line_left_m = field->cards != NULL ? line_left_m(timing, player) : 0.0};
}
