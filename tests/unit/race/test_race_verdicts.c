// Verdicts that only rules give, as they are applied.
#include "test_race_weekend.h"

#include "race/judging.h"
#include "support/base/check_main.h"

static apex_player_id ada, bob;

static void begin_two(void) {
    apex_race_def def = weekend_def();
    begin_weekend(&def);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    go();
    drive_lap(ada, 8.0);
    race_log_begin(&race->log);
}

static void apply(race_verdict verdict) {
    race_verdicts verdicts = {.count = 0};
    race_verdict_append(&verdicts, &verdict);
    race_apply_verdicts(race, &verdicts);
    ck_assert_uint_eq(verdicts.count, 0);
}

TEST(a_void_is_told_once_for_each_reason) {
    begin_two();
    apply((race_verdict){.kind = RACE_VERDICT_VOID, .slot = 0, .value = APEX_VOID_CUT});
    apply((race_verdict){.kind = RACE_VERDICT_VOID, .slot = 0, .value = APEX_VOID_CUT});
    apply((race_verdict){.kind = RACE_VERDICT_VOID, .slot = 0, .value = APEX_VOID_CONTACT});
    apex_race_event event;
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_LAP_VOID, &event), 2);
    ck_assert_int_eq(event.value, APEX_VOID_CUT | APEX_VOID_CONTACT);
    apply((race_verdict){.kind = RACE_VERDICT_VOID_NEXT, .slot = 0, .value = APEX_VOID_CUT});
    ck_assert_uint_eq(card_of(ada)->lap.next_voids, APEX_VOID_CUT);
    apex_race_conduct conduct;
    ck_assert(apex_race_conduct_of(race, ada, &conduct));
    ck_assert_uint_eq(conduct.lap_voids, APEX_VOID_CUT | APEX_VOID_CONTACT);
    ck_assert(apex_race_conduct_of(race, bob, &conduct));
    ck_assert_uint_eq(conduct.lap_voids & APEX_VOID_CUT, 0);
    end();
}

// A driver who does not drive has no lap to lose.
TEST(a_void_is_of_who_drives) {
    begin_two();
    line_of(bob)->state = APEX_STANDING_FINISHED;
    uint32_t voids = card_of(bob)->lap.voids;
    apply((race_verdict){.kind = RACE_VERDICT_VOID, .slot = 1, .value = APEX_VOID_CUT});
    ck_assert_uint_eq(card_of(bob)->lap.voids, voids);
    end();
}

TEST(offences_and_incidents_are_told) {
    begin_two();
    apply((race_verdict){
        .kind = RACE_VERDICT_OFFENCE, .slot = 1, .offence = APEX_OFFENCE_PIT_SPEED, .value = 5});
    apex_race_event event;
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_OFFENCE, &event), 1);
    ck_assert_int_eq(event.value, APEX_OFFENCE_PIT_SPEED);
    ck_assert_uint_eq(event.player.index1, bob.index1);
    apply((race_verdict){.kind = RACE_VERDICT_INCIDENT, .slot = 0, .other = 1, .value = 4});
    apply((race_verdict){
        .kind = RACE_VERDICT_INCIDENT, .slot = 0, .other = RACE_SLOT_NONE, .value = 2});
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_INCIDENT, &event), 2);
    ck_assert_uint_eq(event.other.index1, 0);
    card_of(ada)->conduct.incidents.points = 6; // which their judge counts
    apex_race_conduct conduct;
    ck_assert(apex_race_conduct_of(race, ada, &conduct));
    ck_assert_uint_eq(conduct.incident_points, 6);
    end();
}
