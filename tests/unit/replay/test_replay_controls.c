// Controls are recorded where they differ: in any field, by itself. A field that is left out when
// they are compared, written or read makes a race that its recording does not give again.
#include "test_replay_tape.h"

#include "support/base/check_main.h"

enum { STEADY_TICKS = 150, TICKS = 200, FIELDS = 10 };

// By position: a field that is added is missing here, and the compiler says so. It then wants a
// line in fields[], too.
static const apex_controls steady = {500, 90, 1, 2, 3, APEX_GEAR_AUTOMATIC, 4, 5, 6, 7};
static const apex_controls fields[FIELDS] = {
    {501, 90, 1, 2, 3, APEX_GEAR_AUTOMATIC, 4, 5, 6, 7},
    {500, 91, 1, 2, 3, APEX_GEAR_AUTOMATIC, 4, 5, 6, 7},
    {500, 90, 2, 2, 3, APEX_GEAR_AUTOMATIC, 4, 5, 6, 7},
    {500, 90, 1, 3, 3, APEX_GEAR_AUTOMATIC, 4, 5, 6, 7},
    {500, 90, 1, 2, 4, APEX_GEAR_AUTOMATIC, 4, 5, 6, 7},
    {500, 90, 1, 2, 3, APEX_GEAR_SEQUENTIAL, 4, 5, 6, 7},
    {500, 90, 1, 2, 3, APEX_GEAR_AUTOMATIC, 5, 5, 6, 7},
    {500, 90, 1, 2, 3, APEX_GEAR_AUTOMATIC, 4, 6, 6, 7},
    {500, 90, 1, 2, 3, APEX_GEAR_AUTOMATIC, 4, 5, 7, 7},
    {500, 90, 1, 2, 3, APEX_GEAR_AUTOMATIC, 4, 5, 6, 7 ^ APEX_AID_STEERING},
};

static void record(const apex_controls *changed) {
    begin();
    written.ada = tape_join(&written, "Ada");
    tape_simple(&written, APEX_RACE_START, (apex_player_id){0, 0});
    apex_controls *given = &written.given[written.ada.index1 - 1];
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        *given = tick < STEADY_TICKS ? steady : *changed;
        tape_feed(&written);
    }
    ck_assert_int_eq(apex_race_phase_of(written.race), APEX_PHASE_RACE);
    ck_assert_int_eq(apex_replay_close(written.writer), APEX_OK);
    written.writer = NULL;
}

TEST_OVER(a_change_of_one_field_alone_is_recorded, 0, FIELDS) {
    record(&fields[_i]);
    uint32_t slot = written.ada.index1 - 1u;
    const apex_controls *before = &written.steps[STEADY_TICKS - 1].controls[slot];
    const apex_controls *after = &written.steps[STEADY_TICKS].controls[slot];
    ck_assert(tape_controls_equal(before, &steady));
    ck_assert(tape_controls_equal(after, &fields[_i]));
    apex_race *again = tape_race(written.track);
    apex_replay_reader *reader = opened();
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        apex_replay_step step;
        ck_assert_int_eq(apex_replay_next(reader, &step, NULL), APEX_OK);
        ck_assert_msg(tape_step_equal(&written, &step), "step %u", tick);
        for (uint32_t i = 0; i < step.command_count; i++) {
            ck_assert_int_eq(apex_race_apply(again, &step.commands[i]), APEX_OK);
        }
        apex_race_tick(again, step.controls, NULL);
        ck_assert_uint_eq(apex_race_hash(again), written.steps[tick].hash);
    }
    apex_replay_reader_close(reader);
    apex_race_destroy(again);
    tape_end(&written);
    store_folder_drop();
}

// And no more than that: a slot whose controls stay costs nothing, so a change is one of one.
TEST(controls_that_stay_are_not_written_again) {
    begin();
    tape_feed(&written);
    struct stat info;
    tape_end(&written);
    ck_assert_int_eq(stat(path, &info), 0);
    apex_replay_reader *reader = opened();
    apex_replay_extent extent;
    ck_assert_int_eq(apex_replay_survey(reader, &extent), APEX_OK);
    apex_replay_reader_close(reader);
    size_t length = 0;
    char *bytes = store_read(path, &length);
    // The chunk: keyframe of 0 bytes, no commands, nobody's controls, no hash: 4 + 4 + 4 + 1.
    store_bytes_in in = {.bytes = (const uint8_t *)bytes, .length = length, .at = 12};
    uint32_t header_bytes = store_take_u32(&in);
    in.at = STORE_REPLAY_PREFIX_BYTES + header_bytes + 8;
    ck_assert_uint_eq(store_take_u32(&in), 13);
    ck_assert_uint_eq(store_take_u32(&in), 1);
    free(bytes);
    store_folder_drop();
}
