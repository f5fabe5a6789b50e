// The red flag. The last gate that all had passed: of those who are a lap or more behind, the one
// at the same place of the lap. Who stands in harm's way or in the lane does not hold it back, or
// one car that broke down would make everybody's last half lap undone.
#include "race/control/red_flag.h"

void race_red_follow(const race_control *control, const race_player *player,
                     race_flag_watch *watch) {
    race_passed *passed = &watch->passed;
    const race_lap *lap = &player->lap;
    if (control->flag == APEX_FLAG_RED) {
        return;
    }
    const race_control_car *car = &control->cars[player->id.index1 - 1u];
    watch->drives = car->on_track && car->hazard == 0;
    uint32_t from = passed->gates;
    if (lap->gates_passed > RACE_GATE_TIMES && from < lap->gates_passed - RACE_GATE_TIMES) {
        from = lap->gates_passed - RACE_GATE_TIMES;
    }
    for (uint32_t gate = from; gate < lap->gates_passed; gate++) {
        passed->gate_us[(gate + 1) % RACE_GATE_TIMES] = lap->gate_us;
    }
    if (lap->laps > passed->laps) {
        passed->line_us[lap->laps % RACE_LINES_KEPT] = lap->lap_from_us;
    }
    passed->gates = lap->gates_passed; // fewer than before in a race that is resumed
    passed->laps = lap->laps;
}

uint32_t race_red_lines(const race_flag_watch *watch, uint64_t out_us[RACE_LINES_KEPT]) {
    const race_passed *passed = &watch->passed;
    for (uint32_t i = 0; i < RACE_LINES_KEPT; i++) {
        uint64_t us = i < passed->laps ? passed->line_us[(passed->laps - i) % RACE_LINES_KEPT] : 0;
        // What is later is of laps that were undone.
        out_us[i] = i == 0 || us < out_us[i - 1] ? us : 0;
    }
    return passed->laps;
}

// The gates of the laps that he is behind the one who has passed most. Half a lap more or less is
// none.
static uint32_t lapped_gates(const race_timing *timing, uint32_t most, uint32_t gates) {
    uint32_t lap = timing->gate_count;
    return timing->closed ? (most - gates + lap / 2) / lap * lap : 0;
}

static bool is_racing(const race_player *player) {
    return player->state == APEX_STANDING_RUNNING;
}

// The number of the last gate that all had passed, for those who are not lapped.
static uint32_t common_gate(const race_control *control, const race_control_scene *scene,
                            uint32_t *most) {
    const race_field *field = scene->field;
    *most = 0;
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        const race_player *player = &field->players[field->live[i]];
        if (is_racing(player) && player->lap.gates_passed > *most) {
            *most = player->lap.gates_passed;
        }
    }
    uint32_t common = *most;
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        const race_player *player = &field->players[slot];
        if (is_racing(player) && control->watches[slot].drives) {
            uint32_t gate = player->lap.gates_passed +
                            lapped_gates(scene->timing, *most, player->lap.gates_passed);
            common = gate < common ? gate : common;
        }
    }
    return common;
}

static race_red_place place_of(const race_timing *timing, const race_player *player,
                               const race_passed *passed, uint32_t common, uint32_t most) {
    uint32_t lapped = lapped_gates(timing, most, player->lap.gates_passed);
    uint32_t gates = common > lapped ? common - lapped : 0;
    gates = gates < player->lap.gates_passed ? gates : player->lap.gates_passed;
    bool is_kept = gates > 0 && passed->gates - gates < RACE_GATE_TIMES;
    uint32_t lap_gates = timing->closed ? timing->gate_count : timing->gate_count - 1;
    return (race_red_place){
        .known = true,
        .gates = gates,
        .laps = gates > 0 ? (gates - 1) / lap_gates : 0,
        .gate_us = is_kept ? passed->gate_us[gates % RACE_GATE_TIMES] : player->lap.gate_us,
    };
}

void race_red_note(race_control *control, const race_control_scene *scene) {
    const race_field *field = scene->field;
    uint32_t most, lead_laps = 0;
    uint32_t common = common_gate(control, scene, &most);
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        const race_player *player = &field->players[slot];
        race_flag_watch *watch = &control->watches[slot];
        lead_laps = player->lap.laps > lead_laps ? player->lap.laps : lead_laps;
        if (scene->is_race && is_racing(player)) {
            watch->red = place_of(scene->timing, player, &watch->passed, common, most);
        }
    }
    for (uint32_t i = 0; i < field->counts.kept; i++) {
        uint32_t laps = field->kept[i].lap.laps;
        lead_laps = laps > lead_laps ? laps : lead_laps;
    }
    control->red_laps = lead_laps > 0 ? lead_laps - 1 : 0;
}

void race_red_void(const race_control *control, const race_player *player, race_flag_watch *watch,
                   race_verdicts *out) {
    uint32_t lap = player->lap.laps + 1;
    if (control->flag == APEX_FLAG_RED && watch->red_lap != lap) {
        watch->red_lap = lap;
        race_verdict_void(out, player->id.index1 - 1u, RACE_VERDICT_VOID, APEX_VOID_RED);
    }
}

static bool is_before(const race_control *control, const race_field *field, uint32_t a,
                      uint32_t b) {
    const race_red_place *a_red = &control->watches[a].red;
    const race_red_place *b_red = &control->watches[b].red;
    if (a_red->gates != b_red->gates) {
        return a_red->gates > b_red->gates;
    }
    if (a_red->gates > 0 && a_red->gate_us != b_red->gate_us) {
        return a_red->gate_us < b_red->gate_us;
    }
    uint32_t a_grid = field->players[a].grid, b_grid = field->players[b].grid;
    return a_grid != b_grid ? a_grid < b_grid : a < b;
}

uint32_t race_red_order(const race_control *control, const race_field *field, uint32_t slots[]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        if (!control->watches[slot].red.known || !is_racing(&field->players[slot])) {
            continue;
        }
        uint32_t at = count++;
        for (; at > 0 && is_before(control, field, slot, slots[at - 1]); at--) {
            slots[at] = slots[at - 1];
        }
        slots[at] = slot;
    }
    return count;
}
