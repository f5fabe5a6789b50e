// The blue flag, by race distance: half a lap more makes a leader of whoever is behind. Whoever has
// just unlapped himself from him has as much less, but is not to be waved back.
#include "race/control/blue_flag.h"

enum { LOOK_BACK = 8 }; // cars: there is no way by for one who has as many ahead of him

static const double KEPT_S = 2.0;        // shown up to there, once it is
static const double NOTICE_KEPT_S = 0.5; // likewise the notice, past its limit
static const double CLOSING_MPS_MAX = 150.0;

void race_blue_lead(race_control *control, const race_field *field) {
    double lead_m = 0.0;
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        double way_m = field->players[slot].way_m;
        lead_m = way_m > lead_m ? way_m : lead_m;
    }
    control->lead_way_m = lead_m;
}

typedef struct lapper {
    uint32_t slot;
    double behind_s;
} lapper;

static bool is_to_pass(const race_control *control, const race_control_scene *scene, uint32_t slot,
                       uint32_t other) {
    const race_player *player = &scene->field->players[slot];
    const race_player *behind = &scene->field->players[other];
    if (!control->cars[other].on_track ||
        race_control_same(control->watches[slot].unlapped, behind->id)) {
        return false;
    }
    return scene->is_race ? behind->way_m - player->way_m > 0.5 * scene->timing->length_m
                          : control->cars[other].timed;
}

// The nearest behind who is to pass.
static lapper look_back(const race_control *control, const race_control_scene *scene,
                        uint32_t slot) {
    const race_field *field = scene->field;
    double far_m = (control->rules->blue.notice_s + NOTICE_KEPT_S) * CLOSING_MPS_MAX;
    uint32_t rank = field->rank_along[slot];
    for (uint32_t i = 1; i < field->along_count && i <= LOOK_BACK; i++) {
        uint32_t at = rank >= i ? rank - i : rank + field->along_count - i;
        uint32_t other = field->along[at];
        double gap_m = race_control_gap_m(field, other, slot);
        if (gap_m > far_m || gap_m < -far_m) {
            break;
        }
        if (gap_m > 0.0 && is_to_pass(control, scene, slot, other)) {
            return (lapper){other, race_control_reach_s(control, other, gap_m)};
        }
    }
    return (lapper){RACE_SLOT_NONE, 0.0};
}

static uint32_t level_of(const apex_blue_rule *rule, uint32_t was, double behind_s) {
    double kept_s = rule->shown_s > KEPT_S ? rule->shown_s : KEPT_S;
    if (behind_s < rule->shown_s || (was == 2 && behind_s <= kept_s)) {
        return 2;
    }
    bool is_noticed = behind_s < rule->notice_s;
    return is_noticed || (was > 0 && behind_s <= rule->notice_s + NOTICE_KEPT_S) ? 1 : 0;
}

// In most of a race there is nobody who could be: to look back costs most of all that is done here.
static bool may_be_lapped(const race_control *control, const race_control_scene *scene,
                          uint32_t slot) {
    double way_m = scene->field->players[slot].way_m;
    return scene->is_race ? control->lead_way_m - way_m > 0.5 * scene->timing->length_m
                          : !control->cars[slot].timed;
}

// Nobody is to let by where passing is forbidden.
static bool is_waved(const race_control *control, const race_control_scene *scene, uint32_t slot) {
    double s_m = scene->field->players[slot].s_m;
    return control->rules->blue.on && control->flag == APEX_FLAG_GREEN &&
           may_be_lapped(control, scene, slot) && control->cars[slot].on_track &&
           control->stretches[race_control_stretch(control, s_m)].level == 0;
}

static void judge_ignored(const race_control *control, const lapper *behind, uint32_t slot,
                          race_flag_watch *watch, race_verdicts *out) {
    const apex_blue_rule *rule = &control->rules->blue;
    uint32_t ignored_ticks = race_control_ticks(control, rule->ignored_s);
    if (ignored_ticks == 0 || watch->blue < 2 || behind->behind_s >= rule->shown_s) {
        return; // while the leader drops back nothing is ignored, and nothing forgiven
    }
    race_control_count(&watch->ignored_ticks);
    if (watch->ignored_ticks >= ignored_ticks) {
        int64_t us = (int64_t)(watch->ignored_ticks * UINT64_C(1000000) / control->tick_hz);
        watch->ignored_ticks = 0;
        race_verdict_offend(out, slot, APEX_OFFENCE_BLUE_FLAG, us);
    }
}

void race_blue_judge(race_control *control, const race_control_scene *scene, uint32_t slot,
                     race_verdicts *out) {
    race_flag_watch *watch = &control->watches[slot];
    lapper behind = {RACE_SLOT_NONE, 0.0};
    if (is_waved(control, scene, slot)) {
        behind = look_back(control, scene, slot);
    }
    apex_player_id who = RACE_NOBODY;
    uint32_t level = 0;
    bool is_same = false;
    if (behind.slot != RACE_SLOT_NONE) {
        who = scene->field->players[behind.slot].id;
        is_same = race_control_same(who, watch->blue_for);
        level = level_of(&control->rules->blue, is_same ? watch->blue : 0, behind.behind_s);
    }
    if (level < 2 || !is_same) {
        watch->ignored_ticks = 0;
    }
    if (level != watch->blue) {
        race_log_pair(scene->log, APEX_EVENT_BLUE, scene->field->players[slot].id,
                      level > 0 ? who : watch->blue_for, level);
    }
    watch->blue = level;
    watch->blue_for = level > 0 ? who : RACE_NOBODY;
    judge_ignored(control, &behind, slot, watch, out);
}
