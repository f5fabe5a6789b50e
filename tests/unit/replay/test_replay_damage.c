// Replays that are damaged, cut or made up: reported with a reason, never believed, never fatal.
#include "test_replay_tape.h"

#include <zstd.h>

#include "base/hash.h"
#include "support/base/check_main.h"

// Reads to the end. Every step handed out must be as it was written.
static apex_err read_all(char why[160]) {
    apex_replay_reader *reader = NULL;
    why[0] = '\0';
    apex_err err = apex_replay_open(path, &reader, why);
    apex_replay_step step;
    while (err == APEX_OK) {
        err = apex_replay_next(reader, &step, why);
        if (err == APEX_OK && !tape_step_equal(&written, &step)) {
            ck_abort_msg("step %llu differs", (unsigned long long)step.tick);
        }
    }
    apex_replay_reader_close(reader);
    return err;
}

static void write_tape(uint32_t ticks) {
    begin();
    tape_run(&written, ticks);
    tape_end(&written);
}

// Two chunks, the second with a keyframe. No bit of the file is without a check, so not one may
// pass for harmless.
TEST(each_flipped_bit_is_found) {
    write_tape(STORE_CHUNK_TICKS_MAX + 20);
    size_t length = 0;
    char *bytes = store_read(path, &length);
    ck_assert_ptr_nonnull(bytes);
    char why[160];
    ck_assert_int_eq(read_all(why), APEX_ERR_CLOSED);
    ck_assert_str_eq(why, "");
    int file = open(path, O_WRONLY | O_CLOEXEC);
    ck_assert_int_ge(file, 0);
    for (size_t bit = 0; bit < length * 8; bit++) {
        char flipped = (char)(bytes[bit / 8] ^ (1 << (bit % 8)));
        bool put = pwrite(file, &flipped, 1, (off_t)(bit / 8)) == 1;
        apex_err err = read_all(why);
        put = pwrite(file, &bytes[bit / 8], 1, (off_t)(bit / 8)) == 1 && put;
        if (!put || (err != APEX_ERR_CORRUPT && err != APEX_ERR_VERSION) || why[0] == '\0') {
            ck_abort_msg("bit %zu of byte %zu of %zu: %s \"%s\"", bit % 8, bit / 8, length,
                         apex_err_name(err), why);
        }
    }
    close(file);
    ck_assert_int_eq(read_all(why), APEX_ERR_CLOSED);
    free(bytes);
    store_folder_drop();
}

TEST(each_cut_is_found) {
    write_tape(STORE_CHUNK_TICKS_MAX + 20);
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    char why[160];
    uint32_t between_chunks = 0;
    for (off_t length = info.st_size - 1; length >= 0; length--) {
        ck_assert_int_eq(truncate(path, length), 0);
        apex_err err = read_all(why);
        between_chunks += err == APEX_ERR_CLOSED;
        if ((err != APEX_ERR_CORRUPT && err != APEX_ERR_CLOSED) || why[0] == '\0') {
            ck_abort_msg("cut at %lld: %s \"%s\"", (long long)length, apex_err_name(err), why);
        }
    }
    ck_assert_uint_eq(between_chunks, 3); // before the first, the second and the end
    store_folder_drop();
}

TEST(a_file_that_goes_on_behind_its_end_is_refused) {
    write_tape(5);
    FILE *file = fopen(path, "ab");
    ck_assert_ptr_nonnull(file);
    fputc(0, file);
    fclose(file);
    char why[160];
    ck_assert_int_eq(read_all(why), APEX_ERR_CORRUPT);
    ck_assert_str_eq(why, "damaged: more follows the end at 5");
    store_folder_drop();
}

// A program that opens a pipe waits for its other end, and a server has other things to do.
TEST(a_pipe_is_no_replay) {
    store_folder_make();
    store_path(path, "race.replay");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    char why[160];
    ck_assert_int_eq(read_all(why), APEX_ERR_CORRUPT);
    ck_assert_str_eq(why, "this is not an Apex replay");
    store_folder_drop();
}

TEST(other_files_are_no_replays) {
    store_folder_make();
    store_path(path, "race.replay");
    char why[160];
    ck_assert_int_eq(read_all(why), APEX_ERR_NOT_FOUND);
    ck_assert_str_ne(why, "");
    store_write(path, "laps: 3\ntrack: oval and other things\n", 37);
    ck_assert_int_eq(read_all(why), APEX_ERR_CORRUPT);
    ck_assert_str_eq(why, "this is not an Apex replay");
    apex_replay_reader *reader = NULL;
    ck_assert_int_ne(apex_replay_open(store_folder, &reader, NULL), APEX_OK);
    ck_assert_ptr_null(reader);
    store_folder_drop();
}

static uint8_t forged[65536];
static store_bytes_out out;

static void forge_prefix(uint32_t format, const uint8_t *body, uint32_t length, uint32_t claimed) {
    out = (store_bytes_out){.bytes = forged, .capacity = sizeof forged};
    store_put(&out, STORE_REPLAY_MAGIC, 8);
    store_put_u32(&out, format);
    store_put_u32(&out, claimed);
    store_put_u64(&out, apex_hash_bytes(body, length, 0));
    store_put(&out, body, length);
}

static void forge_header(const apex_replay_header *header) {
    static uint8_t bytes[4096];
    store_bytes_out body = {.bytes = bytes, .capacity = sizeof bytes};
    store_put_header(&body, header);
    ck_assert(!body.overflow);
    forge_prefix(STORE_REPLAY_FORMAT, bytes, (uint32_t)body.length, (uint32_t)body.length);
}

typedef struct chunk_claim {
    uint32_t ticks;
    uint64_t first;
    int32_t packed_more, plain_more; ///< than there is
} chunk_claim;

static void forge_chunk(const store_bytes_out *plain, chunk_claim claim) {
    static uint8_t packed[65536];
    size_t length = ZSTD_compress(packed, sizeof packed, plain->bytes, plain->length, 1);
    ck_assert(!ZSTD_isError(length));
    store_put_u32(&out, STORE_CHUNK_MAGIC);
    store_put_u32(&out, (uint32_t)length + (uint32_t)claim.packed_more);
    store_put_u32(&out, (uint32_t)plain->length + (uint32_t)claim.plain_more);
    store_put_u32(&out, claim.ticks);
    store_put_u64(&out, claim.first);
    store_put_u64(&out, apex_hash_bytes(packed, length, 0));
    store_put(&out, packed, length);
}

static void forge_end(uint64_t ticks) {
    uint8_t no_keyframe[4] = {0};
    store_bytes_out plain = {.bytes = no_keyframe, .capacity = 4, .length = 4};
    forge_chunk(&plain, (chunk_claim){.first = ticks});
}

// Steps that were read before the file came to nothing; -1 for a file that did not even open.
static int read_forged(apex_err *err, char why[160]) {
    store_write(path, forged, out.length);
    apex_replay_reader *reader = NULL;
    why[0] = '\0';
    *err = apex_replay_open(path, &reader, why);
    int steps = -1;
    while (*err == APEX_OK) {
        apex_replay_step step;
        *err = apex_replay_next(reader, &step, why);
        steps++;
    }
    apex_replay_reader_close(reader);
    return steps;
}

static void assert_header_refused(const apex_replay_header *header) {
    char why[160];
    apex_err err = APEX_OK;
    forge_header(header);
    forge_end(0);
    ck_assert_int_eq(read_forged(&err, why), -1);
    ck_assert_int_eq(err, APEX_ERR_CORRUPT);
    ck_assert_str_eq(why, "the header makes no sense");
}

TEST(headers_that_make_no_sense_are_refused) {
    store_folder_make();
    store_path(path, "race.replay");
    apex_replay_header header = tape_header();
    header.race.player_capacity = 0;
    assert_header_refused(&header);
    header.race.player_capacity = APEX_CARS_MAX + 1;
    assert_header_refused(&header);
    header.race.player_capacity = UINT32_MAX;
    assert_header_refused(&header);
    header = tape_header();
    header.car_count = 0;
    assert_header_refused(&header);
    header = tape_header();
    header.race.world.damage = (apex_damage_mode)(APEX_DAMAGE_FULL + 1);
    assert_header_refused(&header);
    store_folder_drop();
}

// The number of cars and the length of a definition lie at known distances from the end.
TEST(headers_with_hostile_sizes_are_refused) {
    store_folder_make();
    store_path(path, "race.replay");
    static uint8_t bytes[4096];
    apex_replay_header header = tape_header();
    header.race.reset_wait_s = 0.0; // else it would lie behind them
    store_bytes_out body = {.bytes = bytes, .capacity = sizeof bytes};
    store_put_header(&body, &header);
    size_t cars_at = body.length - 4 - (4 + 3) - 4; // of the two cars, the count before them
    static const uint32_t counts[] = {0, APEX_RACE_CAR_DEFS_MAX, APEX_RACE_CAR_DEFS_MAX + 1,
                                      UINT32_MAX};
    char why[160];
    apex_err err = APEX_OK;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (size_t at = cars_at; at <= cars_at + 4; at += 4) { // the count, then a length
            store_bytes_out patch = {.bytes = bytes, .capacity = sizeof bytes, .length = 0};
            store_put_header(&patch, &header);
            patch.length = at;
            store_put_u32(&patch, at == cars_at ? counts[i] : counts[i] | 0x100u);
            forge_prefix(STORE_REPLAY_FORMAT, bytes, (uint32_t)body.length, (uint32_t)body.length);
            ck_assert_int_eq(read_forged(&err, why), -1);
            ck_assert_int_eq(err, APEX_ERR_CORRUPT);
        }
    }
    static const uint32_t claims[] = {STORE_REPLAY_HEADER_BYTES_MAX + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        forge_prefix(STORE_REPLAY_FORMAT, bytes, (uint32_t)body.length, claims[i]);
        ck_assert_int_eq(read_forged(&err, why), -1);
        ck_assert_int_eq(err, APEX_ERR_CORRUPT);
        ck_assert_ptr_nonnull(strstr(why, "claims"));
    }
    forge_prefix(STORE_REPLAY_FORMAT, bytes, 0, 0);
    ck_assert_int_eq(read_forged(&err, why), -1);
    ck_assert_str_eq(why, "the header makes no sense");
    store_folder_drop();
}

TEST(versions_are_told_apart) {
    store_folder_make();
    store_path(path, "race.replay");
    char why[160];
    apex_err err = APEX_OK;
    forge_prefix(STORE_REPLAY_FORMAT_WEEKEND + 1, (const uint8_t *)"", 0, 0);
    ck_assert_int_eq(read_forged(&err, why), -1);
    ck_assert_int_eq(err, APEX_ERR_VERSION);
    ck_assert_str_eq(why, "format 6; this program reads formats 3 to 5");
    // Another physics version is for the caller to judge, who runs the race.
    apex_replay_header header = tape_header();
    header.physics_version = APEX_PHYSICS_VERSION + 7;
    forge_header(&header);
    forge_end(0);
    ck_assert_int_eq(read_forged(&err, why), 0);
    ck_assert_int_eq(err, APEX_ERR_CLOSED);
    store_folder_drop();
}

// A chunk of two ticks, the first with a command and a change of controls.
typedef struct tick_forgery {
    uint32_t keyframe_bytes, commands, changed;
    uint8_t kind;
    uint16_t slot;
    double skill, lane_m, patience_s;
    uint8_t why;
    size_t trailing;
} tick_forgery;

static tick_forgery sound(void) {
    return (tick_forgery){.commands = 1, .changed = 1, .kind = APEX_RACE_TAKEOVER, .slot = 2};
}

static store_bytes_out plain_of(const tick_forgery *forgery) {
    static uint8_t bytes[4096];
    store_bytes_out plain = {.bytes = bytes, .capacity = sizeof bytes};
    store_put_u32(&plain, forgery->keyframe_bytes);
    store_put_u32(&plain, forgery->commands);
    apex_race_command command = {.kind = (apex_race_command_kind)forgery->kind,
                                 .skill = forgery->skill,
                                 .lane_m = forgery->lane_m,
                                 .patience_s = forgery->patience_s,
                                 .why = (apex_leave_why)forgery->why};
    store_put_command(&plain, &command);
    store_put_u32(&plain, forgery->changed);
    store_put_u16(&plain, forgery->slot);
    apex_controls controls = {.steer = 1};
    store_put_controls(&plain, &controls);
    store_put_u8(&plain, 0);
    store_put_u32(&plain, 0); // the second tick: no command, no change, no hash
    store_put_u32(&plain, 0);
    store_put_u8(&plain, 0);
    static const uint8_t zeros[16];
    store_put(&plain, zeros, forgery->trailing);
    return plain;
}

static void assert_forgery(const tick_forgery *forgery, chunk_claim claim, int steps) {
    char why[160];
    apex_err err = APEX_OK;
    apex_replay_header header = tape_header();
    forge_header(&header);
    store_bytes_out plain = plain_of(forgery);
    forge_chunk(&plain, claim);
    forge_end(2);
    ck_assert_int_eq(read_forged(&err, why), steps);
    ck_assert_int_eq(err, APEX_ERR_CORRUPT);
    ck_assert_str_ne(why, "");
}

TEST(a_made_up_chunk_can_be_read) {
    store_folder_make();
    store_path(path, "race.replay");
    apex_replay_header header = tape_header();
    tick_forgery forgery = sound();
    forge_header(&header);
    store_bytes_out plain = plain_of(&forgery);
    forge_chunk(&plain, (chunk_claim){.ticks = 2});
    forge_end(2);
    char why[160];
    apex_err err = APEX_OK;
    ck_assert_int_eq(read_forged(&err, why), 2);
    ck_assert_int_eq(err, APEX_ERR_CLOSED);
    store_folder_drop();
}

TEST(an_end_with_something_in_it_is_refused) {
    store_folder_make();
    store_path(path, "race.replay");
    apex_replay_header header = tape_header();
    tick_forgery forgery = sound();
    char why[160];
    apex_err err = APEX_OK;
    for (uint32_t keyframe_bytes = 0; keyframe_bytes < 128; keyframe_bytes++) {
        forgery.keyframe_bytes = keyframe_bytes;
        forge_header(&header);
        store_bytes_out plain = plain_of(&forgery);
        forge_chunk(&plain, (chunk_claim){.ticks = 0});
        ck_assert_int_eq(read_forged(&err, why), 0);
        ck_assert_int_eq(err, APEX_ERR_CORRUPT);
        ck_assert_str_eq(why, "the chunk at tick 0 is damaged");
    }
    store_folder_drop();
}

TEST(chunks_that_claim_too_much_are_refused) {
    store_folder_make();
    store_path(path, "race.replay");
    static const struct {
        chunk_claim claim;
        int steps;
    } cases[] = {
        {{.ticks = 0}, 0},
        {{.ticks = 1}, 0}, // a tick is left over
        {{.ticks = 3}, 2},
        {{.ticks = UINT32_MAX}, 2},
        {{.ticks = 2, .first = 1}, 0},
        {{.ticks = 2, .first = UINT64_MAX}, 0},
        {{.ticks = 2, .packed_more = 1}, 0},
        {{.ticks = 2, .packed_more = -1}, 0},
        {{.ticks = 2, .packed_more = 60 * 1024 * 1024}, 0},
        {{.ticks = 2, .packed_more = INT32_MAX}, 0},
        {{.ticks = 2, .plain_more = 1}, 0},
        {{.ticks = 2, .plain_more = -1}, 0},
        {{.ticks = 2, .plain_more = 200 * 1024 * 1024}, 0},
        {{.ticks = 2, .plain_more = -1000000}, 0},
    };
    tick_forgery forgery = sound();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_forgery(&forgery, cases[i].claim, cases[i].steps);
    }
    store_folder_drop();
}

TEST(ticks_that_make_no_sense_are_refused) {
    store_folder_make();
    store_path(path, "race.replay");
    const double none = strtod("nan", NULL);
    const tick_forgery cases[] = {
        {.commands = 1, .changed = 1, .kind = APEX_RACE_COMMANDS},
        {.commands = 1, .changed = 1, .kind = 255},
        {.commands = 1, .changed = 1, .slot = TAPE_SLOTS},
        {.commands = 1, .changed = 1, .slot = UINT16_MAX},
        {.commands = 1, .changed = 1, .skill = none},
        {.commands = 1, .changed = 1, .skill = 1e308 * 10.0},
        {.commands = 1, .changed = 1, .lane_m = none},
        {.commands = 1, .changed = 1, .patience_s = none},
        {.commands = 1, .changed = 1, .kind = APEX_RACE_LEAVE, .why = APEX_LEAVE_IDLE + 1},
        {.commands = 1, .changed = 1, .kind = APEX_RACE_LEAVE, .why = 255},
        {.commands = 4 * TAPE_SLOTS + 65, .changed = 1},
        {.commands = UINT32_MAX, .changed = 1},
        {.commands = 1, .changed = UINT32_MAX},
        {.commands = 1, .changed = 1, .keyframe_bytes = UINT32_MAX},
        {.commands = 1, .changed = 1, .keyframe_bytes = 4000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_forgery(&cases[i], (chunk_claim){.ticks = 2}, 0);
    }
    tick_forgery longer = sound();
    longer.trailing = 1;
    assert_forgery(&longer, (chunk_claim){.ticks = 2}, 1);
    store_folder_drop();
}

TEST(an_error_stays) {
    write_tape(5);
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_eq(truncate(path, info.st_size - 1), 0);
    apex_replay_reader *reader = NULL;
    ck_assert_int_eq(apex_replay_open(path, &reader, NULL), APEX_OK);
    apex_replay_step step;
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(apex_replay_next(reader, &step, NULL), APEX_OK);
    }
    for (int i = 0; i < 3; i++) {
        char why[160] = "";
        ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_ERR_CORRUPT);
        ck_assert_str_eq(why, "the file ends within the chunk at tick 5");
    }
    apex_replay_reader_close(reader);
    store_folder_drop();
}
