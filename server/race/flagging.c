// Race control in a tick: what it sees of each car, what it says, and what is called (DECISIONS
// 68).
#include "race/flagging.h"

#include "race/event/phase.h"

#include <math.h>

race_control *race_flags_of(apex_race *race) {
    return race->control.watches != NULL ? &race->control : NULL;
}

static race_control_scene scene_of(apex_race *race) {
    return (race_control_scene){
        .field = &race->field,
        .timing = &race->timing,
        .is_race = !race_field_against_clock(&race->field),
        .log = &race->log,
    };
}

apex_race_flag race_flags_shown(const apex_race *race) {
    return race->control.watches != NULL ? race->control.flag : APEX_FLAG_GREEN;
}

bool race_flags_neutral(const apex_race *race) {
    return race_flags_shown(race) != APEX_FLAG_GREEN;
}

void race_flags_see(apex_race *race, const race_facts *facts) {
    race_control *control = race_flags_of(race);
    if (control == NULL || !race_phase_is_running(race->event.phase)) {
        return;
    }
    const race_lap_card *lap = &race->field.cards[facts->slot].lap;
    const apex_track_place *place = &race->field.places[facts->slot];
    race_control_sight sight = {
        .step_m = facts->step_m,
        .driven_mps = facts->driven_mps,
        .heading_off_rad = facts->heading_off_rad,
        .off_road_m = fmax(place->offset_m - place->left_m, -place->offset_m - place->right_m),
        .on_road = place->on_road || facts->pose->wheels_on_road > 0,
        .is_upright = facts->is_upright,
        .in_lane = lap->in_lane,
        .timed = !facts->is_race && lap->voids == 0 && facts->player->lap.gates_passed > 0,
        .forming = facts->forming,
    };
    race_control_scene scene = scene_of(race);
    race_control_see(control, &scene, facts->slot, &sight);
}

void race_flags_step(apex_race *race) {
    race_control *control = race_flags_of(race);
    if (control != NULL && race_phase_is_running(race->event.phase)) {
        race_control_scene scene = scene_of(race);
        race_control_step(control, &scene);
    }
}

void race_flags_judge(apex_race *race, uint32_t slot, race_verdicts *out) {
    race_control *control = race_flags_of(race);
    if (control != NULL && race_phase_is_running(race->event.phase)) {
        race_control_scene scene = scene_of(race);
        race_control_judge(control, &scene, slot, out);
    }
}

void race_flags_begin(apex_race *race) {
    if (race_flags_of(race) != NULL) {
        race_control_begin(&race->control);
    }
}

void race_flags_forget(apex_race *race, uint32_t slot) {
    if (race_flags_of(race) != NULL) {
        race_control_forget(&race->control, slot);
    }
}

apex_err race_flags_call(apex_race *race, apex_race_flag flag) {
    race_control *control = race_flags_of(race);
    if (control == NULL) {
        return APEX_ERR_UNSUPPORTED;
    }
    if (!race_phase_is_running(race->event.phase)) {
        return APEX_ERR_STATE;
    }
    race_log_begin(&race->log);
    race_control_scene scene = scene_of(race);
    return race_control_call(control, &scene, flag);
}
