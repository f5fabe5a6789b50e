// Race control: what it is made of, and the flags that are shown to all.
#include "race/control/control.h"

#include "race/control/blue_flag.h"
#include "race/control/passing.h"
#include "race/control/red_flag.h"
#include "race/control/yellow_flag.h"

#include <string.h>

// From the call of a limit until it counts. Who has not slowed down then had time to.
static const double SLOW_DOWN_S = 10.0;
static const double OVER_S = 1.0;        // over the limit for so long is an offence,
static const double OVER_AGAIN_S = 10.0; // and again each time after so long
static const double TOLERANCE_MPS = 0.5;

static size_t rounded(size_t bytes) {
    return (bytes + APEX_ARENA_ALIGN - 1) / APEX_ARENA_ALIGN * APEX_ARENA_ALIGN;
}

size_t race_control_bytes(uint32_t capacity) {
    return rounded(capacity * sizeof(race_flag_watch)) +
           rounded(capacity * sizeof(race_control_car));
}

void race_control_make(race_control *control, const race_field *field, const apex_rules_def *rules,
                       apex_arena *arena) {
    APEX_ASSERT(!field->open_session && rules != NULL);
    double length_m = apex_track_length_m(field->track);
    double wanted = length_m / (rules->yellow.stretch_m > 0.0 ? rules->yellow.stretch_m : 200.0);
    uint32_t count = wanted < RACE_STRETCHES_MAX ? (uint32_t)(wanted + 0.5) : RACE_STRETCHES_MAX;
    *control = (race_control){.rules = rules,
                              .capacity = field->capacity,
                              .tick_hz = field->tick_hz,
                              .stretch_count = count > 0 ? count : 1};
    control->stretch_m = length_m / control->stretch_count;
    control->watches = apex_arena_alloc_zero(arena, field->capacity, sizeof *control->watches);
    control->cars = apex_arena_alloc_zero(arena, field->capacity, sizeof *control->cars);
    APEX_ASSERT(control->watches != NULL && control->cars != NULL);
    race_yellow_excuse_all(control);
}

void race_control_begin(race_control *control) {
    control->flag = APEX_FLAG_GREEN;
    control->flag_ticks = control->slow_down_ticks = control->quiet_ticks = 0;
    control->by_itself = false;
    control->red_laps = 0;
    memset(control->stretches, 0, sizeof control->stretches);
    memset(control->watches, 0, control->capacity * sizeof *control->watches);
    race_yellow_excuse_all(control);
}

void race_control_forget(race_control *control, uint32_t slot) {
    APEX_ASSERT(slot < control->capacity);
    control->watches[slot] = (race_flag_watch){0};
    control->cars[slot] = (race_control_car){0};
    race_yellow_excuse(control, slot);
}

static void show(race_control *control, const race_control_scene *scene, apex_race_flag flag) {
    APEX_ASSERT(flag != control->flag && (uint32_t)flag < APEX_RACE_FLAGS);
    bool was_limited = control->flag != APEX_FLAG_GREEN;
    control->flag = flag;
    control->flag_ticks = control->quiet_ticks = 0;
    if (!was_limited) {
        control->slow_down_ticks = race_control_ticks(control, SLOW_DOWN_S);
    }
    if (flag == APEX_FLAG_GREEN) {
        race_yellow_excuse_all(control);
    }
    race_log_add(scene->log, APEX_EVENT_CONTROL, RACE_NOBODY, flag, 0);
}

// What a command makes of the flag that is out; the same flag: nothing.
static apex_race_flag called(apex_race_flag now, apex_race_flag wanted) {
    if (wanted == APEX_FLAG_RED) {
        return APEX_FLAG_RED;
    }
    switch (now) {
    case APEX_FLAG_GREEN:
        return wanted == APEX_FLAG_FULL_COURSE ? wanted : now;
    case APEX_FLAG_FULL_COURSE:
        return wanted != APEX_FLAG_FULL_COURSE ? APEX_FLAG_ENDING : now;
    case APEX_FLAG_ENDING:
        return wanted == APEX_FLAG_FULL_COURSE ? wanted : now;
    case APEX_FLAG_RED:
        return wanted == APEX_FLAG_GREEN ? wanted : now;
    }
    return now;
}

apex_err race_control_call(race_control *control, const race_control_scene *scene,
                           apex_race_flag flag) {
    if ((uint32_t)flag >= APEX_RACE_FLAGS) {
        return APEX_ERR_INVALID;
    }
    if (flag == APEX_FLAG_FULL_COURSE && !control->rules->full_course.on) {
        return APEX_ERR_UNSUPPORTED;
    }
    apex_race_flag next = called(control->flag, flag);
    if (next == control->flag) {
        return APEX_ERR_STATE;
    }
    if (next == APEX_FLAG_RED) {
        race_red_note(control, scene);
    }
    control->by_itself = false;
    show(control, scene, next);
    return APEX_OK;
}

// The full course comes out by itself for whoever stands on the road, and goes when it is free.
static void wave_full_course(race_control *control, const race_control_scene *scene) {
    const apex_full_course_rule *rule = &control->rules->full_course;
    uint32_t auto_ticks = race_control_ticks(control, rule->auto_s);
    bool is_called = rule->on && auto_ticks > 0 && control->stood_ticks >= auto_ticks;
    uint32_t clear_ticks = race_control_ticks(control, control->rules->yellow.clear_s);
    if (control->flag == APEX_FLAG_GREEN && is_called) {
        control->by_itself = true;
        show(control, scene, APEX_FLAG_FULL_COURSE);
    } else if (control->flag == APEX_FLAG_FULL_COURSE && control->by_itself &&
               control->quiet_ticks >= clear_ticks) {
        show(control, scene, APEX_FLAG_ENDING);
    } else if (control->flag == APEX_FLAG_ENDING &&
               control->flag_ticks >= race_control_ticks(control, rule->clear_s)) {
        control->by_itself = false;
        show(control, scene, APEX_FLAG_GREEN);
    }
}

void race_control_see(race_control *control, const race_control_scene *scene, uint32_t slot,
                      const race_control_sight *sight) {
    RACE_ASSERT_LIVE(scene->field, slot);
    race_yellow_see(control, scene->field, slot, sight);
    race_red_follow(control, &scene->field->players[slot], &control->watches[slot]);
}

void race_control_step(race_control *control, const race_control_scene *scene) {
    race_control_count(&control->flag_ticks);
    race_control_count(&control->quiet_ticks);
    control->quiet_ticks = control->in_the_way ? 0 : control->quiet_ticks;
    control->slow_down_ticks -= control->slow_down_ticks > 0;
    race_yellow_wave(control, scene->log);
    wave_full_course(control, scene);
    race_blue_lead(control, scene->field);
    control->stood_ticks = 0;
    control->in_the_way = false;
}

// Over the limit, while one is out.
static void judge_speed(const race_control *control, uint32_t slot, race_flag_watch *watch,
                        race_verdicts *out) {
    const race_control_car *car = &control->cars[slot];
    double over_mps = car->speed_mps - control->rules->full_course.limit_mps;
    if (!race_control_is_limited(control) || control->slow_down_ticks > 0 || !car->on_track ||
        over_mps <= TOLERANCE_MPS) {
        watch->over_ticks = 0;
        return;
    }
    race_control_count(&watch->over_ticks);
    uint32_t first = race_control_ticks(control, OVER_S);
    uint32_t again = race_control_ticks(control, OVER_AGAIN_S);
    if (watch->over_ticks >= first && (watch->over_ticks - first) % again == 0) {
        apex_offence offence =
            control->flag == APEX_FLAG_RED ? APEX_OFFENCE_RED_FLAG : APEX_OFFENCE_FULL_COURSE_SPEED;
        race_verdict_offend(out, slot, offence, (int64_t)(over_mps * 1e3 + 0.5));
    }
}

void race_control_judge(race_control *control, const race_control_scene *scene, uint32_t slot,
                        race_verdicts *out) {
    RACE_ASSERT_LIVE(scene->field, slot);
    const race_player *player = &scene->field->players[slot];
    race_flag_watch *watch = &control->watches[slot];
    if (player->state == APEX_STANDING_RUNNING) {
        race_red_void(control, player, watch, out);
        race_yellow_void(control, scene, player, out);
        judge_speed(control, slot, watch, out);
    }
    race_passing_judge(control, scene, slot, out);
    race_blue_judge(control, scene, slot, out);
}

static void see_limit(const race_control *control, race_flags_seen *seen) {
    if (race_control_is_limited(control)) {
        seen->limit_mps = control->rules->full_course.limit_mps;
        seen->limit_from_us = control->slow_down_ticks * UINT64_C(1000000) / control->tick_hz;
    }
}

race_flags_seen race_control_seen(const race_control *control, const race_field *field,
                                  uint32_t slot) {
    RACE_ASSERT_LIVE(field, slot);
    const race_flag_watch *watch = &control->watches[slot];
    double s_m = field->players[slot].s_m;
    uint32_t here = race_control_stretch(control, s_m);
    bool is_last = here + 1 == control->stretch_count;
    race_flags_seen seen = {.flag = control->flag, .yellow = control->stretches[here].level};
    seen.next_m = (here + 1) * control->stretch_m - s_m;
    if (!is_last || apex_track_closed(field->track)) {
        seen.yellow_next = control->stretches[is_last ? 0 : here + 1].level;
    }
    seen.blue = watch->blue;
    seen.blue_for = watch->blue_for;
    see_limit(control, &seen);
    seen.may_pass = seen.flag == APEX_FLAG_GREEN && seen.yellow == 0;
    return seen;
}
