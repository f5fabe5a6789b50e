// Where a recording is at its limits: a chunk that is full before its time, more chunks than there
// was room for, a header with all that it can hold.
#include "test_replay_tape.h"

#include <zstd.h>

#include "base/hash.h"
#include "support/base/check_main.h"

// 64 players may have 320 commands a tick of 66 bytes each: a chunk's 4 MiB are full long before
// its 600 ticks.
TEST(a_chunk_that_is_full_is_written_before_its_time) {
    enum { SLOTS = 64, TICKS = 250 };
    store_folder_make();
    store_path(path, "race.replay");
    apex_track *track = scene_ring(60.0);
    apex_race_def def = scene_race_def(SLOTS);
    apex_race *race = scene_race(&def, track);
    apex_replay_header header = tape_header();
    header.race = def;
    apex_replay_writer *writer = NULL;
    ck_assert_int_eq(apex_replay_create(path, &header, race, &writer), APEX_OK);
    static const apex_controls nobody[SLOTS];
    uint32_t most = store_commands_max(SLOTS);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        for (uint32_t i = 0; i < most; i++) {
            apex_race_command command = {.kind = APEX_RACE_TAKEOVER, .car = tick * 1000 + i};
            apex_replay_command(writer, &command);
        }
        apex_race_tick(race, nobody, NULL);
        ck_assert_int_eq(apex_replay_tick(writer, race), APEX_OK);
    }
    ck_assert_int_eq(apex_replay_close(writer), APEX_OK);
    apex_replay_reader *reader = opened();
    uint32_t wrong = 0, keyframes = 0;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        apex_replay_step step;
        ck_assert_int_eq(apex_replay_next(reader, &step, NULL), APEX_OK);
        ck_assert_uint_eq(step.command_count, most);
        for (uint32_t i = 0; i < most; i++) {
            wrong += step.commands[i].car != tick * 1000 + i;
        }
        keyframes += step.has_keyframe;
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(keyframes, 1);
    apex_replay_reader_close(reader);
    apex_race_destroy(race);
    apex_track_destroy(track);
    store_folder_drop();
}

static uint8_t forged[1 << 24];
static store_bytes_out out;

// A header, then chunks of one empty tick each.
static void forge_chunks(uint32_t count) {
    static uint8_t body_bytes[4096];
    apex_replay_header header = tape_header();
    store_bytes_out body = {.bytes = body_bytes, .capacity = sizeof body_bytes};
    store_put_header(&body, &header);
    out = (store_bytes_out){.bytes = forged, .capacity = sizeof forged};
    store_put(&out, STORE_REPLAY_MAGIC, 8);
    store_put_u32(&out, STORE_REPLAY_FORMAT);
    store_put_u32(&out, (uint32_t)body.length);
    store_put_u64(&out, apex_hash_bytes(body.bytes, body.length, 0));
    store_put(&out, body.bytes, body.length);
    static const uint8_t plain[13]; // no keyframe, no commands, no controls, no hash
    uint8_t packed[64];
    size_t length = ZSTD_compress(packed, sizeof packed, plain, sizeof plain, 1);
    ck_assert(!ZSTD_isError(length));
    for (uint32_t tick = 0; tick < count; tick++) {
        store_put_u32(&out, STORE_CHUNK_MAGIC);
        store_put_u32(&out, (uint32_t)length);
        store_put_u32(&out, sizeof plain);
        store_put_u32(&out, 1);
        store_put_u64(&out, tick);
        store_put_u64(&out, apex_hash_bytes(packed, length, 0));
        store_put(&out, packed, length);
    }
    ck_assert(!out.overflow);
}

// The places of the first 64 have room from the start.
TEST(as_many_chunks_are_found_as_there_are) {
    enum { CHUNKS = 200 };
    store_folder_make();
    store_path(path, "race.replay");
    forge_chunks(CHUNKS);
    store_write(path, forged, out.length);
    apex_replay_reader *reader = opened();
    apex_replay_extent extent;
    ck_assert_int_eq(apex_replay_survey(reader, &extent), APEX_OK);
    ck_assert_uint_eq(extent.ticks, CHUNKS);
    ck_assert(!extent.is_closed);
    for (uint64_t tick = 0; tick < CHUNKS; tick++) {
        apex_replay_blob keyframe;
        apex_replay_step step;
        ck_assert_uint_eq(apex_replay_chunk_of(reader, tick), tick);
        ck_assert_int_eq(apex_replay_seek(reader, tick, &keyframe, NULL), APEX_OK);
        ck_assert_int_eq(apex_replay_next(reader, &step, NULL), APEX_OK);
        ck_assert_uint_eq(step.tick, tick);
    }
    apex_replay_reader_close(reader);
    store_folder_drop();
}

// Two weeks: what comes behind them is said not to be played.
TEST(a_recording_may_be_too_long_to_enter) {
    enum { CHUNKS_MAX = 131072 };
    store_folder_make();
    store_path(path, "race.replay");
    forge_chunks(CHUNKS_MAX + 1);
    store_write(path, forged, out.length);
    apex_replay_reader *reader = opened();
    apex_replay_extent extent;
    ck_assert_int_eq(apex_replay_survey(reader, &extent), APEX_OK);
    ck_assert_uint_eq(extent.ticks, CHUNKS_MAX);
    ck_assert_str_eq(extent.why, "the recording is too long at tick 131072: "
                                 "the rest of it can't be played");
    ck_assert_int_eq(apex_replay_survey(reader, &extent), APEX_OK);
    ck_assert_uint_eq(extent.ticks, CHUNKS_MAX);
    apex_replay_reader_close(reader);
    store_folder_drop();
}

// As many cars and players as there can be; and each switch by itself, so that no two can be taken
// for each other.
TEST_OVER(a_header_holds_all_there_can_be, 0, 5) {
    store_folder_make();
    store_path(path, "race.replay");
    tape_begin(&written, NULL);
    apex_replay_header header = tape_header();
    header.race.player_capacity = APEX_CARS_MAX;
    header.race.idle_s = 12.5;
    header.race.reset_wait_s = 0.25 * _i; // 0: as in files of before
    header.race.late_join = _i == 0;
    header.race.reverse_grid = _i == 1;
    header.race.world.fuel_burns = _i == 2;
    header.race.world.tyres_wear = _i == 3;
    header.race.world.temperatures = _i == 4;
    header.car_count = APEX_RACE_CAR_DEFS_MAX;
    static const uint8_t bytes[APEX_RACE_CAR_DEFS_MAX] = "abcdefghijklmno";
    for (uint32_t i = 0; i < APEX_RACE_CAR_DEFS_MAX; i++) {
        header.cars[i] = (apex_replay_blob){bytes, i};
    }
    ck_assert_int_eq(apex_replay_create(path, &header, written.race, &written.writer), APEX_OK);
    tape_end(&written);
    apex_replay_reader *reader = opened();
    const apex_replay_header *got = apex_replay_header_of(reader);
    ck_assert_uint_eq(got->race.player_capacity, APEX_CARS_MAX);
    ck_assert_double_eq(got->race.idle_s, 12.5);
    ck_assert_double_eq(got->race.reset_wait_s, 0.25 * _i);
    ck_assert_int_eq(got->race.late_join, _i == 0);
    ck_assert_int_eq(got->race.reverse_grid, _i == 1);
    ck_assert_int_eq(got->race.world.fuel_burns, _i == 2);
    ck_assert_int_eq(got->race.world.tyres_wear, _i == 3);
    ck_assert_int_eq(got->race.world.temperatures, _i == 4);
    ck_assert_uint_eq(got->car_count, APEX_RACE_CAR_DEFS_MAX);
    for (uint32_t i = 0; i < APEX_RACE_CAR_DEFS_MAX; i++) {
        ck_assert_uint_eq(got->cars[i].length, i);
        ck_assert_int_eq(memcmp(got->cars[i].bytes, bytes, i), 0);
    }
    apex_replay_reader_close(reader);
    store_folder_drop();
}

// What is taken for a chunk is what its race can need: a small one's is far from a large one's.
TEST_OVER(a_saved_race_fits_its_bound, 0, 4) {
    static const uint32_t players[] = {1, 64, 1000, APEX_CARS_MAX};
    apex_track *track = scene_ring(60.0);
    apex_race_def def = scene_race_def(players[_i]);
    def.laps = 999;
    apex_race *race = scene_race(&def, track);
    size_t saved = apex_race_save_bytes(race), most = store_keyframe_bytes_max(players[_i]);
    ck_assert_uint_le(saved, most);
    apex_race_destroy(race);
    apex_track_destroy(track);
}

static void forge_chunk_claim(uint32_t packed, uint32_t plain) {
    forge_chunks(0);
    store_put_u32(&out, STORE_CHUNK_MAGIC);
    store_put_u32(&out, packed);
    store_put_u32(&out, plain);
    store_put_u32(&out, 1);
    store_put_u64(&out, 0);
    store_put_u64(&out, 0);
    store_write(path, forged, out.length);
}

// Three players' chunk: a claim within what they can have is read on, to a file that ends; one
// byte more is damage, and no memory is taken for it.
TEST(a_chunk_may_claim_what_its_race_can_have_written) {
    store_folder_make();
    store_path(path, "race.replay");
    const uint32_t most = (uint32_t)store_plain_bytes_max(TAPE_SLOTS, 1000);
    const uint32_t packed_most = (uint32_t)ZSTD_compressBound(most);
    const struct {
        uint32_t packed, plain;
        const char *why;
    } cases[] = {
        {packed_most, most, "the file ends within the chunk at tick 0"},
        {packed_most, most + 1, "the chunk at tick 0 is damaged"},
        {packed_most + 1, most, "the chunk at tick 0 is damaged"},
        {packed_most, 256 * 1024 * 1024, "the chunk at tick 0 is damaged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char why[160];
        apex_replay_step step;
        forge_chunk_claim(cases[i].packed, cases[i].plain);
        apex_replay_reader *reader = opened();
        apex_replay_expect_keyframes(reader, 1000);
        ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_ERR_CORRUPT);
        ck_assert_str_eq(why, cases[i].why);
        apex_replay_reader_close(reader);
    }
    // Nobody who does not know the race yet is misled by much.
    ck_assert_uint_lt(store_plain_bytes_max(TAPE_SLOTS, store_keyframe_bytes_max(TAPE_SLOTS)),
                      6 * 1024 * 1024);
    store_folder_drop();
}
