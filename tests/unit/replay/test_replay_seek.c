// A recording entered anywhere, also while it is still being written; and files that lie about
// where their chunks are.
#include "test_replay_tape.h"

#include "support/base/check_main.h"

static apex_replay_extent extent_of(apex_replay_reader *reader) {
    apex_replay_extent extent;
    ck_assert_int_eq(apex_replay_survey(reader, &extent), APEX_OK);
    return extent;
}

static void assert_steps(apex_replay_reader *reader, uint64_t first, uint32_t count) {
    for (uint64_t tick = first; tick < first + count; tick++) {
        apex_replay_step step;
        ck_assert_int_eq(apex_replay_next(reader, &step, NULL), APEX_OK);
        ck_assert_uint_eq(step.tick, tick);
        ck_assert_msg(tape_step_equal(&written, &step), "step %u", (unsigned)tick);
    }
}

TEST(chunks_are_found_and_entered_in_any_order) {
    begin();
    tape_run(&written, 1350);
    tape_end(&written);
    apex_replay_reader *reader = opened();
    apex_replay_extent extent = extent_of(reader);
    ck_assert_uint_eq(extent.ticks, 1350);
    ck_assert(extent.is_closed);
    ck_assert_str_eq(extent.why, "");
    static const uint64_t asked[][2] = {{0, 0},      {1, 0},       {599, 0},     {600, 600},
                                        {1199, 600}, {1200, 1200}, {1349, 1200}, {1350, 1200}};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        ck_assert_uint_eq(apex_replay_chunk_of(reader, asked[i][0]), asked[i][1]);
    }
    static const uint64_t firsts[] = {1200, 0, 600, 600, 1200, 0};
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        apex_replay_blob keyframe;
        ck_assert_int_eq(apex_replay_seek(reader, firsts[i], &keyframe, NULL), APEX_OK);
        ck_assert_int_eq(keyframe.length > 0, firsts[i] > 0);
        assert_steps(reader, firsts[i], 150);
    }
    apex_replay_reader_close(reader);
    store_folder_drop();
}

TEST(what_is_read_goes_on_behind_a_survey_and_past_a_chunk_that_was_entered) {
    begin();
    tape_run(&written, 1250);
    tape_end(&written);
    apex_replay_reader *reader = opened();
    assert_steps(reader, 0, 10);
    (void)extent_of(reader);
    assert_steps(reader, 10, 600);
    apex_replay_blob keyframe;
    ck_assert_int_eq(apex_replay_seek(reader, 600, &keyframe, NULL), APEX_OK);
    assert_steps(reader, 600, 650);
    apex_replay_step step;
    char why[160] = "unset";
    ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_ERR_CLOSED);
    ck_assert_str_eq(why, "");
    // From the end it is left again.
    ck_assert_int_eq(apex_replay_seek(reader, 0, &keyframe, NULL), APEX_OK);
    assert_steps(reader, 0, 5);
    apex_replay_reader_close(reader);
    store_folder_drop();
}

TEST(a_keyframe_is_the_race_of_its_tick) {
    begin();
    tape_run(&written, 1250);
    apex_race *sought = tape_race(written.track);
    ck_assert_int_eq(apex_replay_close(written.writer), APEX_OK);
    written.writer = NULL;
    apex_replay_reader *reader = opened();
    (void)extent_of(reader);
    for (uint64_t first = 1200; first > 0; first -= 600) {
        apex_replay_blob keyframe;
        ck_assert_int_eq(apex_replay_seek(reader, first, &keyframe, NULL), APEX_OK);
        ck_assert_int_eq(apex_race_restore(sought, keyframe.bytes, keyframe.length), APEX_OK);
        ck_assert_uint_eq(apex_race_hash(sought), written.steps[first - 1].hash);
    }
    apex_replay_reader_close(reader);
    apex_race_destroy(sought);
    tape_end(&written);
    store_folder_drop();
}

TEST(only_where_a_chunk_begins_can_be_entered) {
    begin();
    tape_run(&written, 700);
    tape_end(&written);
    apex_replay_reader *reader = opened();
    apex_replay_blob keyframe;
    char why[160] = "";
    ck_assert_int_eq(apex_replay_seek(reader, 0, &keyframe, why), APEX_ERR_RANGE); // not surveyed
    (void)extent_of(reader);
    static const uint64_t nowhere[] = {1, 599, 601, 700, 1200, UINT64_MAX};
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
        ck_assert_int_eq(apex_replay_seek(reader, nowhere[i], &keyframe, why), APEX_ERR_RANGE);
        ck_assert_ptr_nonnull(strstr(why, "no chunk begins"));
        ck_assert_uint_eq(keyframe.length, 0);
    }
    assert_steps(reader, 0, 700); // it stands where it was
    apex_replay_reader_close(reader);
    store_folder_drop();
}

// Byte for byte, as a disk may show what a server has written so far.
TEST(a_recording_can_be_played_while_it_grows) {
    begin();
    tape_run(&written, 1250);
    tape_end(&written);
    size_t length = 0;
    char *bytes = store_read(path, &length);
    store_path(path, "growing.replay");
    store_write(path, bytes, length);
    ck_assert_int_eq(truncate(path, 0), 0);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    apex_replay_reader *reader = NULL;
    uint64_t played = 0;
    for (size_t at = 0; at < length; at++) {
        ck_assert_int_eq(fputc(bytes[at], file), (unsigned char)bytes[at]);
        fflush(file);
        if (reader == NULL && apex_replay_open(path, &reader, NULL) != APEX_OK) {
            continue;
        }
        apex_replay_extent extent = extent_of(reader);
        ck_assert_str_eq(extent.why, "");
        ck_assert_int_eq(extent.is_closed, at == length - 1);
        ck_assert(extent.ticks == 0 || extent.ticks == 600 || extent.ticks == 1200 ||
                  extent.ticks == 1250);
        assert_steps(reader, played, (uint32_t)(extent.ticks - played));
        played = extent.ticks;
    }
    ck_assert_uint_eq(played, 1250);
    fclose(file);
    free(bytes);
    apex_replay_reader_close(reader);
    store_folder_drop();
}

// A flipped bit anywhere: what is in front of it can still be played, and often what is behind.
TEST(damage_ends_the_extent_or_the_chunk) {
    begin();
    tape_run(&written, 1250);
    tape_end(&written);
    size_t length = 0;
    char *bytes = store_read(path, &length);
    uint32_t found_at_once = 0, found_when_read = 0;
    for (size_t at = length - 1; at >= length / 2; at -= 7) {
        bytes[at] = (char)(bytes[at] ^ 16);
        store_write(path, bytes, length);
        bytes[at] = (char)(bytes[at] ^ 16);
        apex_replay_reader *reader = opened();
        apex_replay_extent extent = extent_of(reader);
        found_at_once += extent.why[0] != '\0';
        for (uint64_t first = 0; first < extent.ticks; first += 600) {
            apex_replay_blob keyframe;
            char why[160] = "";
            apex_err err = apex_replay_seek(reader, first, &keyframe, why);
            apex_replay_step step;
            while (err == APEX_OK) {
                err = apex_replay_next(reader, &step, why);
                ck_assert(err != APEX_OK || tape_step_equal(&written, &step));
            }
            found_when_read += err == APEX_ERR_CORRUPT && why[0] != '\0';
        }
        apex_replay_reader_close(reader);
    }
    ck_assert_uint_gt(found_at_once, 0);
    ck_assert_uint_gt(found_when_read, 0);
    free(bytes);
    store_folder_drop();
}

TEST(prefixes_that_make_no_sense_end_the_extent) {
    begin();
    tape_run(&written, 650);
    tape_end(&written);
    size_t length = 0;
    char *bytes = store_read(path, &length);
    store_bytes_in head = {.bytes = (const uint8_t *)bytes, .length = length, .at = 12};
    size_t first_at = STORE_REPLAY_PREFIX_BYTES + store_take_u32(&head);
    head.at = first_at + 4;
    size_t second_at = first_at + STORE_CHUNK_PREFIX_BYTES + store_take_u32(&head);
    static const struct {
        size_t at, bytes;
        uint64_t value;
    } cases[] = {{0, 4, 0},           {4, 4, UINT32_MAX}, {8, 4, UINT32_MAX}, {12, 4, 601},
                 {12, 4, UINT32_MAX}, {16, 8, 599},       {16, 8, UINT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *forged = malloc(length);
        ck_assert_ptr_nonnull(forged);
        memcpy(forged, bytes, length);
        for (size_t k = 0; k < cases[i].bytes; k++) {
            forged[second_at + cases[i].at + k] = (char)(cases[i].value >> (8 * k));
        }
        store_write(path, forged, length);
        apex_replay_reader *reader = opened();
        apex_replay_extent extent = extent_of(reader);
        ck_assert_uint_eq(extent.ticks, 600);
        ck_assert_str_eq(extent.why,
                         "the file is damaged at tick 600: the rest of it can't be played");
        ck_assert(!extent.is_closed);
        assert_steps(reader, 0, 600);
        apex_replay_reader_close(reader);
        free(forged);
    }
    free(bytes);
    store_folder_drop();
}
