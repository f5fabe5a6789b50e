// Yellow flags: the cars that are in harm's way, and the stretches where that is shown. A car is,
// within 2 m of the road, if it has been slow for more than a second, if it is slow and has spun,
// or if it lies on its side or roof.
#include "race/control/yellow_flag.h"

#include "base/trig.h"

#include <math.h>

static const double NEAR_ROAD_M = 2.0;
static const double SLOW_S = 1.0;
static const double EXCUSED_S = 10.0; // from a start, the pits or a reset up to speed
static const double STANDS_MPS = 2.0;

void race_yellow_excuse(race_control *control, uint32_t slot) {
    control->watches[slot].excused_ticks = race_control_ticks(control, EXCUSED_S);
}

void race_yellow_excuse_all(race_control *control) {
    for (uint32_t slot = 0; slot < control->capacity; slot++) {
        race_yellow_excuse(control, slot);
    }
}

// Slower than a share of what is driven there, or than that share of a limit.
static bool is_slow(const race_control *control, const race_control_sight *sight,
                    double speed_mps) {
    double usual_mps = sight->driven_mps;
    double limit_mps = control->rules->full_course.limit_mps;
    if (race_control_is_limited(control) && usual_mps > limit_mps) {
        usual_mps = limit_mps;
    }
    return speed_mps < control->rules->yellow.slow_share * usual_mps;
}

static void count_slow(const race_control *control, const race_control_car *car, bool is_excused,
                       race_flag_watch *watch) {
    if (is_excused) {
        watch->excused_ticks = race_control_ticks(control, EXCUSED_S);
    } else if (!car->slow) {
        watch->excused_ticks = 0;
    } else if (watch->excused_ticks > 0) {
        watch->excused_ticks--;
    }
    if (car->slow && watch->excused_ticks == 0) {
        race_control_count(&watch->slow_ticks);
    } else {
        watch->slow_ticks = 0;
    }
}

static uint32_t hazard_of(const race_control *control, const race_control_sight *sight,
                          const race_control_car *car, const race_flag_watch *watch) {
    bool is_slow_long = watch->slow_ticks > race_control_ticks(control, SLOW_S);
    bool has_spun = car->slow && sight->heading_off_rad > 0.5 * APEX_PI;
    bool is_in_harm = is_slow_long || has_spun || !sight->is_upright;
    if (!is_in_harm || !car->on_track || sight->off_road_m >= NEAR_ROAD_M) {
        return 0;
    }
    return sight->on_road ? 2 : 1;
}

static void note_hazard(race_control *control, double s_m, const race_control_car *car,
                        race_flag_watch *watch) {
    uint32_t *raised = &control->raised[race_control_stretch(control, s_m)];
    *raised = car->hazard > *raised ? car->hazard : *raised;
    control->in_the_way |= car->hazard == 2;
    if (car->hazard == 2 && car->speed_mps < STANDS_MPS) {
        race_control_count(&watch->stood_ticks);
    } else {
        watch->stood_ticks = 0;
    }
    if (watch->stood_ticks > control->stood_ticks) {
        control->stood_ticks = watch->stood_ticks;
    }
}

void race_yellow_see(race_control *control, const race_field *field, uint32_t slot,
                     const race_control_sight *sight) {
    const race_player *player = &field->players[slot];
    const double *v = race_field_pose(field, slot)->velocity_mps;
    race_flag_watch *watch = &control->watches[slot];
    race_control_car *car = &control->cars[slot];
    bool races = player->state == APEX_STANDING_RUNNING && !sight->forming;
    *car = (race_control_car){.speed_mps = sqrt(v[0] * v[0] + v[1] * v[1]),
                              .step_m = sight->step_m,
                              .on_track = races && !player->ghost && !sight->in_lane,
                              .timed = sight->timed,
                              .on_road = sight->on_road};
    car->slow = is_slow(control, sight, car->speed_mps);
    count_slow(control, car, !car->on_track, watch);
    car->hazard = control->flag != APEX_FLAG_RED ? hazard_of(control, sight, car, watch) : 0;
    note_hazard(control, player->s_m, car, watch);
}

static void wave(race_control *control, uint32_t index, race_log *log) {
    race_stretch *stretch = &control->stretches[index];
    uint32_t raised = control->raised[index];
    uint32_t was = stretch->level;
    control->raised[index] = 0;
    race_control_count(&stretch->age_ticks);
    if (raised > 0 && raised >= was) {
        stretch->level = raised;
        stretch->left_ticks = race_control_ticks(control, control->rules->yellow.clear_s);
    } else if (stretch->left_ticks > 0) {
        stretch->left_ticks--;
    }
    // Double yellow turns into a single one where somebody is beside the road yet.
    if (raised < was && stretch->left_ticks == 0) {
        stretch->level = raised;
        stretch->left_ticks =
            raised > 0 ? race_control_ticks(control, control->rules->yellow.clear_s) : 0;
    }
    if (was == 0) {
        stretch->age_ticks = 0;
    }
    if (stretch->level != was) {
        race_log_add(log, APEX_EVENT_YELLOW, RACE_NOBODY, index, stretch->level);
    }
}

void race_yellow_wave(race_control *control, race_log *log) {
    if (!control->rules->yellow.on) {
        return; // what was raised is nobody's to see
    }
    for (uint32_t i = 0; i < control->stretch_count; i++) {
        if (control->raised[i] != 0 || control->stretches[i].level != 0) {
            wave(control, i, log);
        }
    }
}

void race_yellow_void(race_control *control, const race_control_scene *scene,
                      const race_player *player, race_verdicts *out) {
    uint32_t slot = player->id.index1 - 1u;
    race_flag_watch *watch = &control->watches[slot];
    uint32_t level = control->stretches[race_control_stretch(control, player->s_m)].level;
    uint32_t lap = player->lap.laps + 1;
    if (scene->is_race || level < 2 || !control->cars[slot].on_track || watch->yellow_lap == lap) {
        return;
    }
    watch->yellow_lap = lap;
    race_verdict_void(out, slot, RACE_VERDICT_VOID, APEX_VOID_YELLOW);
}
