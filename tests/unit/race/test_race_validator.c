// The race's validator finds nothing wrong with a race that is under way, and each planted fault.
#include "test_race_scene.h"

#include "race/race_validator.h"
#include "support/base/check_main.h"

enum { CAPACITY = 4, ADA = 0, BOB = 1, FREE = 2, LAST = 3 };

static apex_track *track;
static apex_race *race;
static apex_race whole;
static uint8_t *bytes;
static size_t length;

// Two drive, the slot of one who has left is free but his line is kept, and one looks on.
static void begin(void) {
    track = scene_ring(80.0);
    apex_race_def def = scene_race_def(CAPACITY);
    def.laps = 5;
    race = scene_race(&def, track);
    scene_join_driver(race, "ada", 1.0);
    scene_join_driver(race, "bob", 0.9);
    apex_player_id jim = scene_join_driver(race, "jim", 1.0);
    scene_join(race, "eve");
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, jim), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 600);
    for (int i = 0; i < 300; i++) {
        scene_tick(race, NULL);
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, jim), APEX_OK);
    scene_tick(race, NULL);
    whole = *race;
    length = apex_race_save_bytes(race);
    bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    apex_race_save(race, bytes);
}

static void mend(void) {
    *race = whole;
    ck_assert_int_eq(apex_race_restore(race, bytes, length), APEX_OK);
}

static void end(void) {
    free(bytes);
    apex_race_destroy(race);
    apex_track_destroy(track);
}

// As the end of a tick has it in builds with validators.
static const char *validate_tick(void) {
    const char *sentence = race_validate_tick(race, race->seen);
    race_note_seen(race, race->seen);
    return sentence;
}

TEST(a_race_under_way_is_valid) {
    begin();
    ck_assert_ptr_null(race_validate(race));
    for (int i = 0; i < 600; i++) {
        scene_tick(race, NULL);
        ck_assert_ptr_null(validate_tick());
    }
    mend();
    ck_assert_ptr_null(validate_tick()); // a restore goes back, and nothing has fallen
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, (apex_player_id){0, 0}), APEX_OK);
    ck_assert_ptr_null(validate_tick());
    end();
}

static race_player *ada(void) {
    return &race->field.players[ADA];
}

static void own_a_free_slot(void) {
    race->field.players[FREE].car_id = ada()->car_id;
}

static void change_an_id(void) {
    ada()->id.generation += 2;
}

static void swap_live_slots(void) {
    race->field.live[0] = BOB;
    race->field.live[1] = ADA;
}

static void count_too_many(void) {
    race->field.pool.live_count++;
    race->field.live[3] = LAST;
}

static void take_a_slot_twice(void) {
    race->field.pool.lowest_free = BOB;
}

static void lose_a_car(void) {
    race->field.poses[ada()->car_id.index1 - 1].id = (apex_car_id){0, 0};
}

static void choose_no_car(void) {
    ada()->car = race->field.car_count;
}

static void have_another_s_old_car(void) {
    ada()->car_id.generation -= 2;
}

static void have_another_s_car(void) {
    ada()->car_id = race->field.players[BOB].car_id;
}

static void see_another_s_pose(void) {
    race->field.poses[ada()->car_id.index1 - 1].id = race->field.players[BOB].car_id;
}

static void leave_somebody_out(void) {
    race->timing.order_count--;
}

static void order_nobody(void) {
    race->timing.order[0] = FREE;
}

static void order_one_twice(void) {
    race->timing.order[0] = race->timing.order[1];
}

static void turn_the_order_round(void) {
    uint32_t first = race->timing.order[0], second = race->timing.order[1];
    race->timing.order[0] = second;
    race->timing.order[1] = first;
    race->timing.rank[second] = 0;
    race->timing.rank[first] = 1;
}

static void forget_one_along_the_lap(void) {
    race->field.along_count--;
}

static void meet_nobody_along_the_lap(void) {
    race->field.along[1] = FREE;
}

static void meet_one_twice_along_the_lap(void) {
    race->field.along[1] = race->field.along[0];
}

static void tear_down_the_gates(void) {
    race->timing.gate_count = 0;
}

static void let_a_gate_fall(void) {
    race->timing.gates[5].s_m = race->timing.gates[4].s_m;
}

static void end_no_sector(void) {
    race->timing.gates[5].sector = APEX_TRACK_SECTORS_MAX;
}

static void give_a_lap(void) {
    ada()->lap.laps++;
}

static void time_backwards(void) {
    ada()->lap.lap_from_us = ada()->lap.sector_us + 1;
}

static void rank_behind_all(void) {
    ada()->lap.finish_rank = 1;
}

static void wait_in_a_race_that_is_not_on(void) {
    race->event.phase = APEX_PHASE_RESULTS;
}

static void finish_without_a_start(void) {
    ada()->state = APEX_STANDING_FINISHED;
    ada()->started = false;
    ada()->lap.gates_passed = 5 * race->timing.gate_count + 1;
    ada()->lap.laps = ada()->lap.sectors = 5;
}

static void keep_too_many(void) {
    race->field.counts.kept = CAPACITY + 1;
}

static void drive_after_leaving(void) {
    race->field.kept[0].state = APEX_STANDING_RUNNING;
}

static void be_in_no_phase(void) {
    race->event.phase = APEX_PHASE_OVER + 1;
}

static void begin_tomorrow(void) {
    race->event.phase_tick = apex_world_tick(race->field.world) + 1;
}

static void go_tomorrow(void) {
    race->timing.records.go_tick = apex_world_tick(race->field.world) + 1;
}

static void log_of_another_race(void) {
    race->log.race_number++;
}

static const struct {
    void (*plant)(void);
    const char *sentence;
} FAULTS[] = {
    {own_a_free_slot, "a free slot has an owner"},
    {change_an_id, "a player's id is not that of his slot"},
    {swap_live_slots, "the list of live slots is not that of the pool"},
    {count_too_many, "the pool counts slots that nobody has"},
    {take_a_slot_twice, "the next slot to be taken is not free"},
    {lose_a_car, "there are not as many cars as players"},
    {choose_no_car, "a player's kind of car is none"},
    {have_another_s_old_car, "a player has no car"},
    {have_another_s_car, "a car belongs to another player than the one who has it"},
    {see_another_s_pose, "a pose is of another car"},
    {leave_somebody_out, "the order does not have a line for everybody"},
    {order_nobody, "the order has a line of nobody"},
    {order_one_twice, "a line of the order is not at its rank"},
    {turn_the_order_round, "the order is not sorted"},
    {forget_one_along_the_lap, "not everybody is in the order along the lap"},
    {meet_nobody_along_the_lap, "the order along the lap has a slot of nobody"},
    {meet_one_twice_along_the_lap, "a slot is not at its rank along the lap"},
    {tear_down_the_gates, "there are too few gates, or too many"},
    {let_a_gate_fall, "the gates do not rise along the lap"},
    {end_no_sector, "a gate ends a sector that there is not"},
    {give_a_lap, "a player's laps and sectors are not those of his gates"},
    {time_backwards, "a player's lap, sector and gate do not begin in this order"},
    {rank_behind_all, "a player is home behind more than are home"},
    {wait_in_a_race_that_is_not_on, "a player's state is none of this phase"},
    {finish_without_a_start, "a player has finished who has not started"},
    {keep_too_many, "more lines are kept than there is room for"},
    {drive_after_leaving, "a player who has left still drives"},
    {be_in_no_phase, "the phase is none"},
    {begin_tomorrow, "the phase begins in the future"},
    {go_tomorrow, "the lights go out in the future"},
    {log_of_another_race, "the list of events is another race's"},
};

TEST(each_fault_is_found) {
    begin();
    for (size_t i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
        mend();
        ck_assert_ptr_null(race_validate(race));
        FAULTS[i].plant();
        const char *sentence = race_validate(race);
        ck_assert_msg(sentence != NULL, "not found: %s", FAULTS[i].sentence);
        ck_assert_str_eq(sentence, FAULTS[i].sentence);
    }
    mend();
    end();
}

static const char *after_falling_to(const race_lap *lap) {
    race_lap before = ada()->lap;
    ck_assert_ptr_null(validate_tick());
    ada()->lap = *lap;
    const char *sentence = validate_tick();
    ada()->lap = before;
    return sentence;
}

TEST(nothing_falls_from_tick_to_tick) {
    begin();
    race_lap earlier = ada()->lap;
    ck_assert_uint_gt(earlier.gates_passed, 1);
    earlier.gates_passed--;
    ck_assert_str_eq(after_falling_to(&earlier), "a player's gates have fallen");
    earlier = ada()->lap;
    ada()->lap.gates_passed = race->timing.gate_count + 1;
    ada()->lap.laps = ada()->lap.sectors = 1;
    ck_assert_str_eq(after_falling_to(&earlier), "a player's laps have fallen");
    race->timing.records.go_tick--; // another race
    ck_assert_ptr_null(validate_tick());
    mend();
    end();
}

// An operator restarts a race and closes the event before the next tick: laps begin anew in a phase
// that is no grid.
TEST(a_restart_may_end_within_its_tick) {
    begin();
    ck_assert_uint_gt(ada()->lap.gates_passed, 0);
    ck_assert_ptr_null(validate_tick());
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, ada()->id), APEX_OK);
    ck_assert_uint_eq(ada()->lap.gates_passed, 0);
    ck_assert_int_eq(scene_command(race, APEX_RACE_END, ada()->id), APEX_OK);
    ck_assert_ptr_null(validate_tick());
    end();
}
