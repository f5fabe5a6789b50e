// Passes on the road. A pass is seen from the two cars' steps of the tick: ahead before them, not
// after them. Where it is forbidden it becomes an offence ten seconds later, unless the place has
// been given back by then. It is no offence to pass the cause, a car in the lane or off the road,
// or one that lets by, which is what a slow one does.
#include "race/control/passing.h"

static const double GIVE_BACK_S = 10.0;
static const double SEEN_S = 1.0; // so long after it came out, nobody has seen a flag
static const double CLOSING_MPS_MAX = 150.0;

// Where he is, to pass is an offence. @return false: he may
static bool is_forbidden(const race_control *control, const race_player *player,
                         apex_offence *offence) {
    uint32_t seen_ticks = race_control_ticks(control, SEEN_S);
    const race_stretch *stretch = &control->stretches[race_control_stretch(control, player->s_m)];
    *offence = APEX_OFFENCE_YELLOW_PASS;
    if (control->flag == APEX_FLAG_GREEN) {
        return stretch->level > 0 && stretch->age_ticks >= seen_ticks;
    }
    *offence =
        control->flag == APEX_FLAG_RED ? APEX_OFFENCE_RED_FLAG : APEX_OFFENCE_FULL_COURSE_PASS;
    return control->flag == APEX_FLAG_ENDING || control->flag_ticks >= seen_ticks;
}

static void drop(race_flag_watch *watch, uint32_t index) {
    APEX_ASSERT(index < watch->pass_count);
    watch->pass_count--;
    for (uint32_t i = index; i < watch->pass_count; i++) {
        watch->passes[i] = watch->passes[i + 1];
    }
}

// @return whether somebody had to give a place back to the other, who has it again now.
static bool takes_back(race_flag_watch *watch, apex_player_id other) {
    for (uint32_t i = 0; i < watch->pass_count; i++) {
        if (race_control_same(watch->passes[i].other, other)) {
            drop(watch, i);
            return true;
        }
    }
    return false;
}

static bool is_lapped_by(const race_control_scene *scene, const race_player *player,
                         const race_player *other) {
    return other->way_m - player->way_m > 0.5 * scene->timing->length_m;
}

static void note_pass(race_control *control, const race_control_scene *scene, uint32_t slot,
                      uint32_t other) {
    const race_player *player = &scene->field->players[slot];
    const race_player *passed = &scene->field->players[other];
    race_flag_watch *watch = &control->watches[slot];
    race_flag_watch *watch_of_other = &control->watches[other];
    if (scene->is_race && is_lapped_by(scene, player, passed)) {
        watch->unlapped = passed->id;
    }
    if (race_control_same(watch_of_other->unlapped, player->id)) {
        watch_of_other->unlapped = RACE_NOBODY;
    }
    const race_control_car *car = &control->cars[other];
    apex_offence offence;
    if (takes_back(watch_of_other, player->id) || !is_forbidden(control, player, &offence) ||
        car->slow || !car->on_road || watch->pass_count == RACE_PASSES_MAX) {
        return; // with so many open he will hear of them
    }
    watch->passes[watch->pass_count++] =
        (race_pass){passed->id, offence, race_control_ticks(control, GIVE_BACK_S)};
}

// Looks at those who were just ahead of him before this tick.
static void find_passes(race_control *control, const race_control_scene *scene, uint32_t slot) {
    const race_field *field = scene->field;
    const race_control_car *car = &control->cars[slot];
    double reach_m = CLOSING_MPS_MAX / field->tick_hz;
    uint32_t rank = field->rank_along[slot];
    for (uint32_t i = 1; i < field->along_count; i++) {
        uint32_t at = rank + i;
        uint32_t other = field->along[at < field->along_count ? at : at - field->along_count];
        double gap_m = race_control_gap_m(field, slot, other);
        double before_m = gap_m + car->step_m - control->cars[other].step_m;
        if (before_m > reach_m || before_m < -reach_m) {
            return;
        }
        if (before_m > 0.0 && gap_m <= 0.0) {
            note_pass(control, scene, slot, other);
        }
    }
}

// What he has won is an offence now, if the other could be let by and is behind him still: somebody
// who was put back on the road gives a place back without being passed.
static void judge_pending(race_control *control, const race_field *field, uint32_t slot,
                          race_verdicts *out) {
    race_flag_watch *watch = &control->watches[slot];
    for (uint32_t i = 0; i < watch->pass_count;) {
        race_pass *pass = &watch->passes[i];
        uint32_t other = race_control_slot(control, field, pass->other);
        if (other == RACE_SLOT_NONE || control->cars[other].hazard > 0) {
            drop(watch, i);
            continue;
        }
        pass->left_ticks -= pass->left_ticks > 0;
        double ahead_m = race_control_gap_m(field, other, slot);
        if (pass->left_ticks == 0 && ahead_m < 0.0) {
            drop(watch, i);
            continue;
        }
        if (pass->left_ticks == 0) {
            race_verdict_offend(out, slot, pass->offence, (int64_t)(ahead_m * 1e3));
            drop(watch, i);
            return; // one a tick
        }
        i++;
    }
}

// An unlapped leader who has fallen back will lap him anew.
static void forget_unlapped(const race_control *control, const race_field *field, uint32_t slot,
                            race_flag_watch *watch) {
    static const double GONE_S = 2.0;
    uint32_t other = race_control_slot(control, field, watch->unlapped);
    if (other == RACE_SLOT_NONE) {
        watch->unlapped = RACE_NOBODY;
        return;
    }
    double gap_m = race_control_gap_m(field, other, slot);
    if (race_control_reach_s(control, other, gap_m) > GONE_S) {
        watch->unlapped = RACE_NOBODY;
    }
}

void race_passing_judge(race_control *control, const race_control_scene *scene, uint32_t slot,
                        race_verdicts *out) {
    race_flag_watch *watch = &control->watches[slot];
    if (control->cars[slot].on_track) {
        find_passes(control, scene, slot);
    }
    if (scene->field->players[slot].state != APEX_STANDING_RUNNING) {
        watch->pass_count = 0;
    }
    if (watch->pass_count > 0) {
        judge_pending(control, scene->field, slot, out);
    }
    if (watch->unlapped.index1 != 0) {
        forget_unlapped(control, scene->field, slot, watch);
    }
}
