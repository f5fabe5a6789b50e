// Race control beside a real race of the server's drivers, on a lap of bends.
#include "test_race_one.h"
#include "base/trig.h"
#include "driver/plan/driver_plan.h"
#include "race/control/control.h"
#include "race/field/stood.h"
#include "race/race_private.h"
#include "support/base/check_main.h"

#include <math.h>

enum { BOTS = 8 };

static apex_rules_def rules;
static race_control control;
static apex_arena arena;

// The verdicts and events so far.
static uint32_t offences[APEX_OFFENCES], yellows, blues;

static void begin_bots(void) {
    apex_race_def def = scene_race_def(16);
    def.laps = 6;
    def.stuck_s = def.idle_s = 0.0;
    begin_on(scene_circuit(), &def);
    for (uint32_t i = 0; i < BOTS; i++) {
        scene_join_driver(race, "bot", 1.0 - 0.05 * i);
    }
    rules = (apex_rules_def){
        .blue = {.on = true, .notice_s = 3.0, .shown_s = 1.2},
        .yellow = {.on = true, .stretch_m = 100.0, .slow_share = 0.3, .clear_s = 2.0},
        .full_course = {.on = true, .limit_mps = 22.0, .auto_s = 5.0, .clear_s = 10.0},
    };
    ck_assert_int_eq(apex_arena_create(&arena, race_control_bytes(16)), APEX_OK);
    race_control_make(&control, &race->field, &rules, &arena);
    go();
}

static void end_bots(void) {
    apex_arena_destroy(&arena);
    end();
}

FIXTURE(begin_bots, end_bots)

static race_control_sight sight_of(uint32_t slot, double step_m) {
    const race_player *player = &race->field.players[slot];
    const apex_car_pose *pose = race_field_pose(&race->field, slot);
    apex_track_place place =
        apex_track_project(track, pose->position_m[0], pose->position_m[1], player->s_m);
    double heading_rad = apex_track_frame_at(track, player->s_m).heading_rad;
    return (race_control_sight){
        .step_m = step_m,
        .driven_mps = driver_plan_at(race->field.plans[player->car], player->s_m).speed_mps,
        .heading_off_rad = fabs(apex_wrap_angle(pose->yaw_rad - heading_rad)),
        .off_road_m = fmax(place.offset_m - place.left_m, -place.offset_m - place.right_m),
        .on_road = place.on_road || pose->wheels_on_road > 0,
        .is_upright = race_stood_is_upright(pose),
    };
}

static void judge(const race_control_scene *scene, uint32_t slot) {
    race_verdicts verdicts;
    verdicts.count = 0;
    race_control_judge(&control, scene, slot, &verdicts);
    for (uint32_t i = 0; i < verdicts.count; i++) {
        ck_assert_int_eq(verdicts.all[i].kind, RACE_VERDICT_OFFENCE);
        offences[verdicts.all[i].offence]++;
    }
}

static void tick(void) {
    double before_m[16];
    const race_field *field = &race->field;
    const race_control_scene scene = {field, &race->timing, true, &race->log};
    for (uint32_t slot = 0; slot < 16; slot++) {
        before_m[slot] = field->players[slot].s_m;
    }
    scene_tick(race, NULL);
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        double step_m = apex_track_gap_m(track, before_m[slot], field->players[slot].s_m);
        race_control_sight sight = sight_of(slot, step_m);
        sight.forming = apex_race_phase_of(race) < APEX_PHASE_RACE;
        race_control_see(&control, &scene, slot, &sight);
    }
    race_control_step(&control, &scene);
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        judge(&scene, field->live[i]);
    }
    yellows += scene_events(race, APEX_EVENT_YELLOW, NULL);
    blues += scene_events(race, APEX_EVENT_BLUE, NULL);
}

static uint32_t offended(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < APEX_OFFENCES; i++) {
        count += offences[i];
    }
    return count;
}

// They start, turn, brake, follow, pass and lap each other, and nobody is in harm's way.
TEST(a_clean_race_sees_no_flag_but_blue) {
    for (uint32_t i = 0; i < 60 * 60 * 10 && apex_race_phase_of(race) == APEX_PHASE_RACE; i++) {
        tick();
    }
    ck_assert_int_ge(apex_race_phase_of(race), APEX_PHASE_FINISH);
    ck_assert_uint_eq(yellows, 0);
    ck_assert_uint_eq(offended(), 0);
    ck_assert_uint_gt(blues, 0);
    ck_assert_int_eq(control.flag, APEX_FLAG_GREEN);
}

static bool shown(uint32_t stretch, uint32_t level, uint32_t ticks_max) {
    for (uint32_t i = 0; i < ticks_max; i++) {
        tick();
        if (control.stretches[stretch].level == level) {
            return true;
        }
    }
    return false;
}

// One is left across the road; the others come by, and when he is gone it is green again.
TEST(a_car_across_the_road_is_shown_until_it_is_gone) {
    for (uint32_t i = 0; i < 60 * 30; i++) {
        tick();
    }
    const race_player *last = &race->field.players[BOTS - 1];
    apex_player_id id = last->id;
    ck_assert_int_eq(scene_command(race, APEX_RACE_HANDBACK, id), APEX_OK);
    apex_placement at = apex_track_placement(track, last->s_m, 0.0);
    at.yaw_rad += 2.0;
    apex_world_place_car(race->field.world, last->car_id, &at);
    uint32_t stretch = (uint32_t)(last->s_m / control.stretch_m);
    ck_assert(shown(stretch, 2, 5)); // spun: at once
    ck_assert_int_eq(control.flag, APEX_FLAG_GREEN);
    for (uint32_t i = 0; i < 60 * 6; i++) {
        tick();
    }
    ck_assert_int_eq(control.flag, APEX_FLAG_FULL_COURSE);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, id), APEX_OK);
    race_control_forget(&control, id.index1 - 1u);
    ck_assert(shown(stretch, 0, 130));
    for (uint32_t i = 0; i < 60 * 13; i++) {
        tick();
    }
    ck_assert_int_eq(control.flag, APEX_FLAG_GREEN);
}
